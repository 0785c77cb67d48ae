"""The participant's checker says what the platform would, without a gold or any package."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shlex
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

import pytest
import yaml

from scoring_program.bundle import kit
from scoring_program.commands import check
from scoring_program.commands.score import main
from scoring_program.data.freezing_readings import frozen_settings
from scoring_program.data.joining import format_check
from scoring_program.data.joining.checker_rules import PACKED, as_document, as_rules
from scoring_program.data.joining.format_check import read_given
from scoring_program.data.source import readings_of_reference
from scoring_program.reading.formats.kind import FileDescription
from scoring_program.recognize.expected import Expected
from tests.competitions import REPOSITORY
from tests.reading.variants import GOLD, IDS, TEAMS, Case, N, archive, case, one_hot, rows_of, table
from tests.sweeps import swept

_SETTINGS = "metrics: [accuracy_score]\nlabels: [a, b]\nlayout: single\n"


@pytest.fixture
def ids(tmp_path: Path) -> Path:
    path = tmp_path / "test_ids.csv"
    path.write_text("".join(f"{value}\n" for value in ["id", *IDS]))
    return path


def freeze(reference: Path) -> None:
    """State in the settings what participants are asked to send, as a bundle does."""
    path = reference / "scoring.yaml"
    settings = yaml.safe_load(path.read_text(encoding="utf-8"))
    readings, loaded = readings_of_reference(reference, [])
    settings |= frozen_settings(readings, loaded)
    path.write_text(yaml.safe_dump(settings, sort_keys=False), encoding="utf-8")


def made_for(folder: Path) -> Path:
    """Return the packed checker of the competition in a folder."""
    path = folder / "check.pyz"
    path.write_bytes(kit.files(folder / "ref")["check.pyz"])
    return path


@pytest.fixture
def checker(tmp_path: Path) -> Path:
    """The packed checker of a small competition."""
    made = tmp_path / "made"
    return made_for(case({"p.csv": table(rows_of(GOLD))}, settings=_SETTINGS).write(made))


def run(checker: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the packed checker without any site package."""
    command = [sys.executable, "-I", "-S", "-W", "error", str(checker), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def answer(checker: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Return what `run` does, of the checker's code here: its own process is tried where it counts.

    What is packed beside the code are the rules.
    """
    with zipfile.ZipFile(checker) as opened:
        rules = json.loads(opened.read(f"scoring_program/commands/{PACKED}"))
    command, out, err = [*map(str, arguments)], io.StringIO(), io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        patch.setattr(check, "_packed", lambda name: rules)
        status = check.main(command)
    return subprocess.CompletedProcess(command, status, out.getvalue(), err.getvalue())


BAD = {
    "missing, extra, duplicate": table([*rows_of(TEAMS["One"])[1:], ("t99", "a"), ("t2", "b")]),
    "unknown label": table([(key, "c" if key == "t3" else v) for key, v in rows_of(GOLD)]),
    "wrong count": b"a\nb\n",
    "ragged": table(rows_of(GOLD)) + b"t13,a,a\n",
    "empty": b"",
}


@pytest.mark.parametrize("name", swept(BAD, fast=2))
def test_messages_are_those_of_the_platform(
    tmp_path: Path, checker: Path, ids: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    folder = case({"p.csv": BAD[name]}, settings=_SETTINGS).write(tmp_path / "run")
    assert main([str(folder), str(tmp_path / "out"), "--resamples", "100"]) == 1
    _, _, message = capsys.readouterr().err.partition("\n")
    done = run(checker, folder / "res" / "p.csv", "--ids", ids)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == message


@pytest.mark.parametrize("name", swept(["p.csv", "upload.zip", "folder"]))
def test_good_file_archive_and_folder(tmp_path: Path, checker: Path, ids: Path, name: str) -> None:
    content = table(rows_of(TEAMS["One"]))
    path = tmp_path / name
    if name == "folder":
        path.mkdir()
        (path / "p.csv").write_bytes(content)
    else:
        path.write_bytes(archive({"w/p.csv": content}) if name == "upload.zip" else content)
    done = run(checker, path, "--ids", ids)
    assert (done.returncode, done.stderr) == (0, "")
    *_, news, remedy = done.stdout.splitlines()
    assert news.endswith(
        "p.csv: the file can be scored; it holds a prediction for each of 12 examples."
    )
    made = tmp_path / "submission.zip"
    if name == "upload.zip":
        assert remedy == "Upload upload.zip as it is."
        assert not made.exists()
    else:
        assert remedy == uploading(name)
        assert unzipped(made) == {"p.csv": content}


def uploading(name: str) -> str:
    return f"Upload submission.zip, which is now next to {name}: the platform scores only a zip."


def unzipped(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


@pytest.mark.parametrize("named", swept([".", "../sent", "../sent/"]))
def test_zip_of_a_folder_lies_beside_it_whatever_it_is_called(
    tmp_path: Path, checker: Path, named: str
) -> None:
    (tmp_path / "sent").mkdir()
    (tmp_path / "sent" / "p.csv").write_bytes(table(ONE))
    for _ in range(2):  # the zip of the first time is no predictions file of the second
        done = subprocess.run(
            [sys.executable, str(checker), named],
            cwd=tmp_path / "sent", capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert done.stdout.splitlines()[-1] == uploading("sent")
        assert [path.name for path in (tmp_path / "sent").iterdir()] == ["p.csv"]
        assert unzipped(tmp_path / "submission.zip") == {"p.csv": table(ONE)}


def test_predictions_that_repeat_themselves_make_no_bomb(tmp_path: Path) -> None:
    """The organizer's own bulk download holds this zip as an archive in an archive."""
    content = b"label\n" + b"a\nb\n" * 10**5
    settings = _SETTINGS + "most_ratio: 2\n"
    folder = case({}, gold={"gold.csv": content}, settings=settings).write(tmp_path)
    (tmp_path / "p.csv").write_bytes(content)
    done = answer(made_for(folder), tmp_path / "p.csv")
    assert done.returncode == 0, done.stderr
    again = answer(made_for(folder), tmp_path / "submission.zip")
    assert (again.stderr, again.returncode) == ("", 0)
    with zipfile.ZipFile(tmp_path / "submission.zip") as opened:
        assert opened.infolist()[0].compress_type == zipfile.ZIP_STORED


def test_zip_that_cannot_be_written(tmp_path: Path, checker: Path) -> None:
    (tmp_path / "submission.zip").mkdir()
    (tmp_path / "p.csv").write_bytes(table(ONE))
    done = answer(checker, tmp_path / "p.csv")
    assert done.returncode == 2
    assert "p.csv: the file can be scored" in done.stdout
    assert "submission.zip: cannot be written" in done.stderr
    assert "zip p.csv yourself" in done.stderr
    assert {path.name for path in tmp_path.iterdir()} >= {"p.csv", "submission.zip"}
    assert not list(tmp_path.glob(".*"))


def test_nothing_is_written_beside_what_cannot_be_scored(tmp_path: Path, checker: Path) -> None:
    (tmp_path / "p.csv").write_bytes(BAD["empty"])
    before = sorted(tmp_path.iterdir())
    assert answer(checker, tmp_path / "p.csv").returncode == 1
    assert sorted(tmp_path.iterdir()) == before


def test_the_zip_of_an_earlier_check_is_not_taken_for_this_one(
    tmp_path: Path, checker: Path
) -> None:
    (tmp_path / "p.csv").write_bytes(table(ONE))
    assert "earlier check" not in answer(checker, tmp_path / "p.csv").stdout
    (tmp_path / "p.csv").write_bytes(BAD["empty"])
    done = answer(checker, tmp_path / "p.csv")
    assert done.returncode == 1
    assert "submission.zip next to it comes from an earlier check" in done.stderr


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    status = check.main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return status, out + err


def test_without_a_kit_options_say_what_is_expected(
    tmp_path: Path, ids: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.csv"
    path.write_bytes(table(rows_of(TEAMS["One"])))
    assert said(capsys, path, "--ids", ids)[0] == 0
    status, text = said(capsys, path, "--ids", ids, "--labels", "a,x")
    assert status == 1
    assert "found 'b', expected one of a, x" in text
    status, text = said(capsys, path, "--ids", ids, "--kind", "numbers", "--column", "label")
    assert status == 1
    assert "found 'a', expected a finite number" in text
    path.write_bytes(b"0.5\n" * 12)
    assert said(capsys, path, "--rows", 12, "--kind", "probabilities")[0] == 0
    assert said(capsys, path, "--rows", 13, "--kind", "probabilities")[0] == 1


@pytest.mark.parametrize(
    "content", [table(rows_of(GOLD), header=("id", "text")), b"\n".join(map(str.encode, IDS))]
)
def test_ids_in_any_form(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "ids.csv"
    path.write_bytes(content)
    assert read_given(path).ids == tuple(IDS)


def test_the_ids_of_reference_data_of_other_kinds(tmp_path: Path) -> None:
    for name, content in {
        "qrels.robust03": "301 0 d1 1\n301 0 d2 0\n302 0 d1 1\n",
        "spans.csv": "id,start,end\n301,0,5\n301,7,9\n302,,\n",
        "report.json": '{"submitted_ids": ["301", "302"], "resolved": []}',
    }.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
        assert read_given(tmp_path / name).ids == ("301", "302"), name


def test_ids_under_the_name_that_the_gold_gives_them(tmp_path: Path) -> None:
    path = tmp_path / "test_ids.csv"
    path.write_text("filename\na.png\nb.png\n")
    assert read_given(path, "filename").ids == ("a.png", "b.png")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ids.csv", "image,split\na1,test\na2,test\n"),
        ("ids.csv", "image\na1\na2\n"),
        ("ids.csv", "a1\na2\n"),
        ("ids.json", '["a1","a2"]'),
        ("ids.txt", '["a1","a2"]'),
        ("ids.json", '{"ids":["a1","a2"]}'),
        ("topics.tsv", "a1\tinternational crime\na2\tnews of polio\n"),
    ],
)
def test_ids_without_a_name_for_their_column(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert read_given(path).ids == ("a1", "a2")


TOKENS = "Ana\nmet\n2019\n\nLima\nwins\n"


@pytest.mark.parametrize("name", ["tokens.conll", "tokens.txt"])
@pytest.mark.parametrize(
    ("predicted", "status", "message"),
    [
        ("Ana B-PER\nmet O\n2019 O\n\nLima B-LOC\nwins O\n", 0, "each of 2 sentences"),
        ("B-PER\nO\nO\n\nB-LOC\nO\n", 0, "each of 2 sentences"),
        ("Ana B-PER\nmet O\n\nLima B-LOC\nwins O\n", 1,
         "sentence 1 (line 1): found 2 tokens, expected 3"),
        ("Ana B-PER\nmet O\n2020 O\n\nLima B-LOC\nwins O\n", 1,
         "token 3: found '2020', expected '2019'"),
        ("Ana B-PER\nmet O\n2019 O\n", 1, "1 sentence, 2 expected"),
    ],
)  # fmt: skip
def test_the_tokens_of_the_test_set(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    predicted: str,
    status: int,
    message: str,
) -> None:
    (tmp_path / name).write_text(TOKENS)
    (tmp_path / "p.conll").write_text(predicted)
    kind = () if name.endswith("conll") else ("--kind", "tags")
    found, text = said(capsys, tmp_path / "p.conll", "--ids", tmp_path / name, *kind)
    assert message in text
    assert found == status


def test_a_zip_for_tasks_of_different_kinds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "entities.conll").write_text(TOKENS)
    (tmp_path / "stance.csv").write_text("tweet,lang\nt1,es\nt2,es\n")
    tags = b"O\nO\nO\n\nB-LOC\nO\n"
    members = {"entities.conll": tags, "stance.csv": b"tweet,label\nt2,a\nt1,b\n"}
    (tmp_path / "p.zip").write_bytes(archive(members))
    ids = [tmp_path / name for name in members]
    status, text = said(capsys, tmp_path / "p.zip", "--ids", ids[0], "--ids", ids[1])
    assert status == 0
    assert text.count("the file can be scored") == 2
    (tmp_path / "ids").mkdir()
    for path in ids:
        path.rename(tmp_path / "ids" / path.name)
    assert said(capsys, tmp_path / "p.zip", "--ids", tmp_path / "ids") == (status, text)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("none.csv", "--rows", "3"), "this file does not exist; name the predictions file"),
        (
            ("{ids}", "--ids", "none.csv"),
            "none.csv: the test ids cannot be read: No such file or directory; name the file of "
            "the test ids",
        ),
        (("{ids}", "--ids", "{empty}"), "the folder holds no file of test ids"),
        (
            ("{ids}", "--ids", "{bad}"),
            "there is no id column among 'one', 'two'; name it with --id-column; if the "
            "examples have no ids, give their number with --rows",
        ),
        (("{ids}", "--ids", "{sets}"), "there is no id column among 'labels'"),
    ],
)
def test_wrong_usage(
    tmp_path: Path,
    ids: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: Sequence[str],
    message: str,
) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_text("one,two\n1,2\n")
    sets = tmp_path / "sets.csv"
    sets.write_text("labels\na;b\nb;c\nc\n")
    (empty := tmp_path / "empty").mkdir()
    named = (argument.format(ids=ids, bad=bad, sets=sets, empty=empty) for argument in arguments)
    status, text = said(capsys, *named)
    assert status == 2
    assert message in text


@pytest.mark.internal_error
def test_a_defect_is_not_the_participants(
    ids: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("t1 is a")

    monkeypatch.setattr(format_check, "examine_as_stated", broken)
    status, text = said(capsys, ids, "--ids", ids)
    assert status == 3
    assert "this is a bug in Deadheat" in text
    assert "t1 is a" not in text


ONE = rows_of(TEAMS["One"])


def wide(*columns: Sequence[str], header: Sequence[str], ids: Sequence[str] = IDS) -> bytes:
    return table(list(zip(ids, *columns, strict=True)), header=("id", *header))


def texts(rows: Sequence[Sequence[float]]) -> list[list[str]]:
    return [[str(cell) for cell in column] for column in zip(*rows, strict=True)]


_THIRDS = [["0.5"] * N, ["0.25"] * N, ["0.25"] * N]

#: Settings and gold of competitions, and what is uploaded to them: name → files.
ASKED: dict[str, tuple[str, dict[str, bytes], dict[str, dict[str, bytes]]]] = {
    "plain": (
        "metrics: [accuracy_score]\nlabels: [a, b]\n",
        {"gold.csv": table(rows_of(GOLD))},
        {
            "good": {"p.csv": table(ONE)},
            "by position": {"p.txt": "\n".join(TEAMS["One"]).encode()},
            "broken": {"p.csv": table([*ONE[1:], ("t99", "a"), ("t2", "x")])},
            "empty cell": {"p.csv": table([*ONE[:-1], ("t12", "")])},
            "two files": {"p.csv": table(ONE), "q.csv": table(ONE)},
            "no data": {"notes.doc": b"x"},
            "beside other files": {"p.csv": table(ONE), "README.md": b"x", "code.py": b"x"},
            "beside notes": {"p.csv": table(ONE), "notes.txt": b"what we did\n"},
            "beside a configuration": {"p.csv": table(ONE), "config.json": b'{"rate": 0.1}'},
            "in folders": {"work/out/p.csv": table(ONE)},
            "an archive": {"p.zip": archive({"out/p.csv": table(ONE), "__MACOSX/._p": b"x"})},
            "a broken archive": {"p.zip": b"PK"},
            "archives of two": {"p.zip": archive({"p.csv": table(ONE), "q.csv": table(ONE)})},
            "a spreadsheet": {"p.csv": b"PK\x03\x04"},
        },
    ),
    "labels that are not public": (
        "metrics: [accuracy_score]\n",
        {"gold.csv": table(rows_of(GOLD))},
        {
            "good": {"p.csv": table(ONE)},
            "a column a class": {"p.csv": wide(*texts(one_hot(ONE)), header=("a", "b"))},
            "no such column": {"p.csv": wide(TEAMS["One"], TEAMS["One"], header=("x", "z"))},
            "broken": {"p.csv": table([*ONE[1:], ("t99", "a")])},
        },
    ),
    "missing ones are wrong": (
        "metrics: [accuracy_score]\nlabels: [a, b]\nmissing: wrong\n",
        {"gold.csv": table(rows_of(GOLD))},
        {"good": {"p.csv": table(ONE[:5])}, "broken": {"p.csv": table([*ONE[:5], ("t99", "a")])}},
    ),
    "Usage": (
        "metrics: [accuracy_score]\nlabels: [a, b]\n",
        {
            "solution.csv": wide(
                [*GOLD[:-2], "", ""],
                ["Public"] * 5 + ["Private"] * 5 + ["Ignored"] * 2,
                header=("label", "Usage"),
            )
        },
        {
            "with all rows": {"p.csv": table(ONE)},
            "by position": {"p.txt": "\n".join(TEAMS["One"]).encode()},
            "too few by position": {"p.txt": "\n".join(GOLD[:-2]).encode()},
        },
    ),
    "two tasks": (
        "metrics: [accuracy_score]\nlabels: [a, b]\n",
        {
            "stance.csv": table(rows_of(GOLD)),
            "mood.csv": table([(f"m{key}", value) for key, value in rows_of(GOLD)]),
        },
        {
            "good": {
                "stance.csv": table(ONE),
                "mood.csv": table([(f"m{key}", value) for key, value in ONE]),
            },
            "one missing": {"stance.csv": table(ONE)},
            "one broken": {"stance.csv": table(ONE), "mood.csv": table(ONE)},
            "both broken": {"stance.csv": table(ONE[1:]), "mood.csv": table(ONE)},
            "no task named": {"stance.csv": table(ONE), "mod.csv": table(ONE)},
        },
    ),
    "probabilities": (
        "metrics: [{log_loss: {pos_label: b}}]\nlabels: [a, b]\n",
        {"gold.csv": table(rows_of(GOLD))},
        {
            "good": {"p.csv": wide(*texts(one_hot(ONE)), header=("a", "b"))},
            "of the positive class": {"p.csv": wide(texts(one_hot(ONE))[1], header=("p",))},
            "beside labels": {
                "p.csv": wide(TEAMS["One"], *texts(one_hot(ONE)), header=("label", "a", "b"))
            },
            "a class missing": {"p.csv": wide(*texts(one_hot(ONE)), header=("a", "c"))},
            "sum": {"p.csv": wide(["0.5"] * N, ["0.6"] * N, header=("a", "b"))},
            "no numbers": {"p.csv": wide(["0.5"] * N, ["x"] * N, header=("a", "b"))},
        },
    ),
    "probabilities of three classes": (
        "metrics: [log_loss]\nlabels: [a, b, c]\n",
        {"gold.csv": table(rows_of(GOLD))},
        {
            "good": {"p.csv": wide(*_THIRDS, header=("c", "a", "b"))},
            "a class missing": {"p.csv": wide(*_THIRDS[1:], header=("a", "b"))},
            "other names": {"p.csv": wide(*_THIRDS, header=("prob_a", "prob_b", "prob_c"))},
            "no header": {"p.csv": table(list(zip(IDS, *_THIRDS, strict=True)), header=None)},
            "no delimiter": {"p.csv": table(ONE, delimiter=" ")},
        },
    ),
    "probabilities of classes that are not public": (
        "metrics: [{log_loss: {pos_label: b}}]\n",
        {"gold.csv": table(rows_of(GOLD))},
        {
            "good": {"p.csv": wide(*texts(one_hot(ONE)), header=("a", "b"))},
            "beside labels": {
                "p.csv": wide(TEAMS["One"], *texts(one_hot(ONE)), header=("label", "a", "b"))
            },
            "of the positive class": {"p.csv": wide(texts(one_hot(ONE))[1], header=("p",))},
            "a data frame's index": {
                "p.csv": table(
                    list(zip(map(str, range(N)), IDS, *texts(one_hot(ONE)), strict=True)),
                    header=("", "id", "a", "b"),
                )
            },
            "sum": {"p.csv": wide(["0.5"] * N, ["0.6"] * N, header=("a", "b"))},
            "no numbers": {"p.csv": wide(TEAMS["One"], TEAMS["One"], header=("x", "z"))},
            "no header": {"p.csv": table(list(zip(IDS, *_THIRDS, strict=True)), header=None)},
            "one is no number": {
                "p.csv": wide([*["0.5"] * (N - 1), "?"], ["0.5"] * N, header=("a", "b"))
            },
        },
    ),
    "numbers with a least": (
        "metrics: [mean_absolute_error, mean_squared_log_error]\n",
        {"gold.csv": table([(key, f"{i}.5") for i, key in enumerate(IDS)])},
        {
            "good": {"p.csv": table([(key, f"{i}.25") for i, key in enumerate(IDS)])},
            "too small": {"p.csv": table([(key, f"{i - 2}.0") for i, key in enumerate(IDS)])},
        },
    ),
    "several targets": (
        "metrics:\n"
        "  - {name: f1, function: f1_score, params: {pos_label: b}, column: kind}\n"
        "  - {name: error, function: mean_absolute_error, column: price}\n"
        "labels: [a, b]\n",
        {"gold.csv": wide(GOLD, [str(k) for k in range(N)], header=("kind", "price"))},
        {
            "good": {"p.csv": wide(TEAMS["One"], ["1.5"] * N, header=("kind", "price"))},
            "no header": {
                "p.csv": table(list(zip(IDS, GOLD, ["1"] * N, strict=True)), header=None)
            },
            "one missing": {"p.csv": wide(TEAMS["One"], header=("kind",))},
            "not finite": {"p.csv": wide(["a"] * N, ["inf"] * N, header=("kind", "price"))},
            "both": {"p.csv": wide(["c"] * N, ["x"] * N, header=("kind", "price"))},
        },
    ),
    "names by a pattern": (
        "metrics: [accuracy_score]\nlabels: [a, b]\nname_pattern: '{team}_run{run}'\n",
        {"gold.csv": table(rows_of(GOLD))},
        {"good": {"One_run1.csv": table(ONE)}, "another name": {"p.csv": table(ONE)}},
    ),
    "format and limits": (
        "metrics: [accuracy_score]\nlabels: [a, b]\nformat: csv\nlargest_file: 1\n",
        {"gold.csv": table(rows_of(GOLD))},
        {
            "good": {"p.txt": table(ONE, delimiter=" , ")},
            "too large": {"p.csv": table([(key, "a" * 10**5) for key in IDS])},
        },
    ),
}


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        one
        for asked, (_, _, sent) in ASKED.items()
        for one in swept([(asked, name) for name in sent], fast=2)
    ],
)
def test_checker_and_platform_agree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], asked: str, name: str
) -> None:
    settings, gold, sent = ASKED[asked]
    res = sent[name]
    folder = case(res, gold=gold, settings=settings + "layout: single\n").write(tmp_path)
    freeze(folder / "ref")
    status = main([str(folder), str(tmp_path / "out"), "--resamples", "100", "--workers", "1"])
    message = capsys.readouterr().err.partition("\n")[2]
    alone = len(res) == 1
    checked = folder / "res" / next(iter(res)) if alone else folder / "res"
    done = answer(made_for(folder), checked)
    assert (done.returncode, done.stderr) == (status, message)
    assert ("the file can be scored" in done.stdout) == (status == 0)
    made = checked.with_name("submission.zip")
    assert made.exists() == (status == 0 and checked.suffix != ".zip")
    if made.exists():
        # What the platform unpacks of it is scored alike.
        again = Path(shutil.copytree(folder / "ref", tmp_path / "again" / "ref")).parent
        with zipfile.ZipFile(made) as opened:
            opened.extractall(again / "res")
        arguments = [str(tmp_path / "out-again"), "--resamples", "100", "--workers", "1"]
        assert main([str(again), *arguments]) == 0
        one, other = (tmp_path / name / "scores.json" for name in ("out", "out-again"))
        assert one.read_text() == other.read_text()


def test_table_of_agreement_has_good_and_bad() -> None:
    assert all(len(sent) > 1 for _, _, sent in ASKED.values())


@pytest.mark.parametrize(
    ("asked", "name", "said"),
    [
        ("plain", "good", ""),
        ("several targets", "good", ""),
        (
            "labels that are not public",
            "good",
            "Not checked: whether the labels of 'label' are labels of the task.\n",
        ),
        (
            "labels that are not public",
            "a column a class",
            "Not checked: whether the columns 'a', 'b' are the classes of the task.\n",
        ),
        (
            "probabilities of classes that are not public",
            "good",
            "Not checked: whether the columns 'a', 'b' are the classes of the task.\n",
        ),
        ("probabilities of classes that are not public", "of the positive class", ""),
    ],
)
def test_what_the_kit_does_not_know_is_said(
    tmp_path: Path, asked: str, name: str, said: str
) -> None:
    settings, gold, sent = ASKED[asked]
    folder = case(sent[name], gold=gold, settings=settings).write(tmp_path)
    done = answer(made_for(folder), folder / "res" / "p.csv")
    ready = "p.csv: the file can be scored; it holds a prediction for each of 12 examples.\n"
    assert (done.stdout, done.returncode) == (f"{ready}{said}{uploading('p.csv')}\n", 0)


def test_missing_predictions_are_counted(tmp_path: Path) -> None:
    settings, gold, sent = ASKED["missing ones are wrong"]
    folder = case(sent["good"], gold=gold, settings=settings).write(tmp_path)
    done = answer(made_for(folder), folder / "res" / "p.csv")
    assert "a prediction for 5 of 12 examples. The others count as wrong." in done.stdout


def test_how_a_file_was_read_is_said(tmp_path: Path, checker: Path) -> None:
    path = tmp_path / "p.csv"
    rows = "".join(f"{label},b\n" for _, label in rows_of(GOLD))
    path.write_text(f"prediction,label\n{rows},\n")
    done = answer(checker, path)
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout.splitlines()[1:-1] == [
        "p.csv: Rows were matched by position, because there are no ids.",
        "p.csv: Rows of empty cells were left out.",
        "p.csv: Column 'prediction' was scored. Not read: 'label'.",
    ]


def test_own_metric_is_not_checked(tmp_path: Path) -> None:
    settings = "metrics: [{name: own, function: 'm.py:score', greater_is_better: true}]\n"
    code = "def score(solution, submission, row_id_column_name):\n    return 1.0\n"
    made = case({"p.csv": table(ONE)}, settings=settings)
    made.files["ref/m.py"] = code.encode()
    folder = made.write(tmp_path)
    done = answer(made_for(folder), folder / "res" / "p.csv")
    assert (
        done.stdout.splitlines()[-2]
        == "Not checked: whether the organizers' own metric accepts the columns."
    )


def test_ids_of_a_kit(tmp_path: Path) -> None:
    settings, gold, _ = ASKED["Usage"]
    files = kit.files(case({}, gold=gold, settings=settings).write(tmp_path) / "ref")
    assert files["test_ids.csv"].decode().splitlines() == ["id", *sorted(IDS)]
    (tmp_path / "test_ids.csv").write_bytes(files["test_ids.csv"])
    (tmp_path / "p.csv").write_bytes(table(ONE))
    done = answer(made_for(tmp_path), tmp_path / "p.csv", "--ids", tmp_path / "test_ids.csv")
    assert (done.stderr, done.returncode) == ("", 0)
    assert "each of 12 examples" in done.stdout


def test_a_kit_does_not_tell_which_rows_are_ignored(tmp_path: Path) -> None:
    """So it asks for a prediction for each of them, also where the platform would not."""
    settings, gold, _ = ASKED["Usage"]
    folder = case({}, gold=gold, settings=settings).write(tmp_path)
    with zipfile.ZipFile(made_for(folder)) as opened:
        rules = json.loads(opened.read("scoring_program/commands/expected.json"))
    (expected,) = rules["tasks"].values()
    assert expected["ids"] == sorted(IDS)
    assert not any("ignored" in key for key in expected)
    for rows in (ONE[:-2], ONE[2:]):  # two that are ignored, or two that are not
        (tmp_path / "p.csv").write_bytes(table(rows))
        assert "2 missing ids" in answer(made_for(folder), tmp_path / "p.csv").stderr


def test_kit_of_tasks(tmp_path: Path) -> None:
    settings, gold, sent = ASKED["two tasks"]
    folder = case(sent["good"], gold=gold, settings=settings).write(tmp_path)
    files = kit.files(folder / "ref")
    assert set(files) == {"check.pyz", "test_ids_mood.csv", "test_ids_stance.csv"}
    done = answer(made_for(folder), folder / "res", "--rows", "12")
    assert done.returncode == 2
    assert "this kit already knows the ids and columns of its tasks (mood, stance)" in done.stderr


def test_a_task_may_be_missing_if_the_settings_say_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ids").mkdir()
    for task in ("stance", "mood"):
        (tmp_path / "ids" / f"{task}.csv").write_bytes(table(ONE))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "stance.csv").write_bytes(table(ONE))
    settings = tmp_path / "scoring.yaml"
    given = [str(tmp_path / "mine"), "--ids", str(tmp_path / "ids"), "--settings", str(settings)]
    settings.write_text("metrics: [accuracy_score]\n")
    assert check.main(given) == 1
    assert "add a file called mood.csv" in capsys.readouterr().err
    settings.write_text("metrics: [accuracy_score]\nmissing_task: worst\n")
    assert check.main(given) == 0
    assert "so this submission counts as the worst there" in capsys.readouterr().out


def test_without_a_kit_the_ids_are_needed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        said(capsys, tmp_path / "p.csv")
    assert caught.value.code == 2
    assert "--ids --rows" in capsys.readouterr().err


@pytest.mark.parametrize("rows", ["0", "-3", "many"])
def test_rows_that_are_no_size(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rows: str
) -> None:
    with pytest.raises(SystemExit) as caught:
        said(capsys, tmp_path / "p.csv", "--rows", rows)
    assert caught.value.code == 2


def test_names_that_the_terminal_cannot_show(tmp_path: Path, checker: Path) -> None:
    path = tmp_path / "Vorhersägen.csv"
    path.write_bytes(table(ONE))
    command = [sys.executable, "-S", str(checker), str(path)]
    env = {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Vorhers\\xe4gen.csv: the file can be scored")


@pytest.mark.parametrize(("ids", "status"), [("0", 0), ("x", 2)])
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
@pytest.mark.parametrize("how", swept(["closed", "full"]))
def test_status_where_nobody_listens(
    tmp_path: Path, ids: str, status: int, stream: str, how: str
) -> None:
    """An answer that cannot be printed is no defect, and no reason for another status."""
    (tmp_path / "p.csv").write_text("id,label\n0,a\n")
    (tmp_path / "0").write_text("id\n0\n")
    command = [sys.executable, "-m", "scoring_program.check", "p.csv", "--ids", ids]
    to = {"closed": "&-", "full": "/dev/full"}[how]
    redirected = f"{shlex.join(command)} {1 if stream == 'stdout' else 2}>{to}"
    env = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    done = subprocess.run(
        ["/bin/sh", "-c", redirected],
        cwd=tmp_path, capture_output=True, text=True, check=False, env=env,
    )  # fmt: skip
    assert (done.returncode, "rror" in done.stderr) == (status, False)


def test_file_that_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "p.csv"
    path.write_bytes(table(ONE))

    def denied(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "read_bytes", denied)
    status, text = said(capsys, path, "--rows", 12)
    assert (status, text) == (2, f"{path}: Permission denied; check that the file can be read\n")


def packed(made: Case, folder: Path) -> str:
    files = kit.files(made.write(folder) / "ref")
    (folder / "check.pyz").write_bytes(files["check.pyz"])
    with zipfile.ZipFile(folder / "check.pyz") as opened:
        return opened.read(f"scoring_program/commands/{PACKED}").decode()


def test_kit_holds_no_gold_and_no_private_label(tmp_path: Path) -> None:
    secret = [f"secret {label}" for label in GOLD]
    text = packed(case({}, gold={"gold.csv": table(rows_of(secret))}), tmp_path)
    assert "secret" not in text
    (task,) = json.loads(text)["tasks"].values()
    (target,) = task["targets"]
    assert target == {"column": "label", "kind": "labels", "labels": [], "any_size": False}


def test_rules_survive_the_kit(tmp_path: Path) -> None:
    """Whatever is expected of submissions reaches the checker, ids and labels as they may be."""
    settings = (
        "metrics: [accuracy_score]\nlabels: [0, 1]\nmissing: wrong\nformat: csv\n"
        "name_pattern: '{team}_x'\nmost_files: 7\nid_column: key\n"
    )
    gold = table(rows_of([str(int(label == "b")) for label in GOLD]), header=("key", "label"))
    folder = case({}, gold={"gold.csv": gold}, settings=settings).write(tmp_path)
    rules = kit.rules_of(folder / "ref")
    again = as_rules(json.loads(json.dumps(as_document(rules))))
    assert again.described == rules.described == FileDescription("csv")
    assert (again.pattern, again.limits) == (rules.pattern, rules.limits)
    assert again.gold == rules.gold == "gold"
    (before,), (after,) = rules.tasks.values(), again.tasks.values()
    for item in fields(Expected):
        one, other = getattr(before, item.name), getattr(after, item.name)
        if item.name in ("ids", "positions"):
            one, other = sorted(one), sorted(other)
        assert one == other, item.name


def test_kit_tells_no_order_of_the_gold(tmp_path: Path) -> None:
    """The gold is kept by class: what follows it would tell the labels."""
    texts = [
        packed(case({}, gold={"gold.csv": table(rows)}), tmp_path / str(k))
        for k, rows in enumerate([rows_of(GOLD), rows_of(GOLD[::-1])])
    ]
    assert texts[0] == texts[1]


def test_another_id_column(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("ids.csv", "p.csv"):
        (tmp_path / name).write_bytes(table(ONE, header=("tweet", "label")))
    ids = ("--ids", tmp_path / "ids.csv")
    # Only one of its columns can hold ids.
    status, message = said(capsys, tmp_path / "p.csv", *ids)
    assert (status, "each of 12 examples" in message) == (0, True)
    (tmp_path / "ids.csv").write_bytes(
        table([(key, key) for key, _ in ONE], header=("tweet", "user"))
    )
    status, message = said(capsys, tmp_path / "p.csv", *ids)
    assert status == 2
    assert "no id column among 'tweet', 'user'; name it with --id-column" in message
    status, message = said(capsys, tmp_path / "p.csv", *ids, "--id-column", "tweet")
    assert (status, "each of 12 examples" in message) == (0, True)


def test_the_ids_of_several_tasks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for task in ("stance", "mood"):
        (tmp_path / f"test_ids_{task}.csv").write_bytes(
            table([(key,) for key in IDS], header=("id",))
        )
    sent = {f"{task}.csv": table(ONE) for task in ("stance", "mood")}
    (tmp_path / "s.zip").write_bytes(archive(sent))
    ids = [x for task in ("stance", "mood") for x in ("--ids", tmp_path / f"test_ids_{task}.csv")]
    status, message = said(capsys, tmp_path / "s.zip", *ids)
    assert (status, message.count("each of 12 examples")) == (0, 2)
    (tmp_path / "s.zip").write_bytes(archive({"stance.csv": table(ONE)}))
    status, message = said(capsys, tmp_path / "s.zip", *ids)
    assert (status, "add a file called mood.csv" in message) == (1, True)


def test_where_no_label_is_known_none_is_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    predictions = tmp_path / "p.csv"
    predictions.write_text("id,label\n1,a\n2,\n3,b\n")
    (tmp_path / "ids.csv").write_text("id\n1\n2\n3\n")
    assert check.main([str(predictions), "--ids", str(tmp_path / "ids.csv")]) == 1
    told = capsys.readouterr().err
    assert "found '', expected a label; a prediction is missing here" in told
