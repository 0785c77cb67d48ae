"""The participant's checker says what the platform would, without a gold or any package."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from scoring_program import check
from scoring_program.bundle import kit
from scoring_program.cli import main
from scoring_program.gather import gather
from tests.read.variants import GOLD, IDS, TEAMS, archive, case, rows_of, table

_SETTINGS = "metrics: [accuracy_score]\nlabels: [a, b]\nlayout: single\n"


@pytest.fixture
def ids(tmp_path: Path) -> Path:
    path = tmp_path / "test_ids.csv"
    path.write_text("".join(f"{value}\n" for value in ["id", *IDS]))
    return path


@pytest.fixture
def checker(tmp_path: Path) -> Path:
    """The packed checker of a small competition."""
    folder = case({"p.csv": table(rows_of(GOLD))}, settings=_SETTINGS).write(tmp_path / "made")
    competition, _ = gather(folder, lambda chosen: chosen)
    path = tmp_path / "check.pyz"
    path.write_bytes(kit.checker(competition.parts[0].expected))
    return path


def run(checker: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the packed checker without any site package."""
    command = [sys.executable, "-I", "-S", "-W", "error", str(checker), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


BAD = {
    "missing, extra, duplicate": table([*rows_of(TEAMS["One"])[1:], ("t99", "a"), ("t2", "b")]),
    "unknown label": table([(key, "c" if key == "t3" else v) for key, v in rows_of(GOLD)]),
    "wrong count": b"a\nb\n",
    "ragged": table(rows_of(GOLD)) + b"t13,a,a\n",
    "empty": b"",
}


@pytest.mark.parametrize("name", BAD)
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


@pytest.mark.parametrize("name", ["p.csv", "upload.zip", "folder"])
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
    assert done.stdout.endswith(
        "p.csv: ready to be scored; it holds a prediction for each of 12 examples.\n"
    )


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
    assert check.read_ids(path) == IDS


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("none.csv", "--rows", "3"), "there is no such file; name the predictions file"),
        (("{ids}", "--ids", "none.csv"), "the test ids cannot be read"),
        (("{ids}", "--ids", "{bad}"), "no column of ids; call one 'id'"),
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
    status, text = said(capsys, *(argument.format(ids=ids, bad=bad) for argument in arguments))
    assert status == 2
    assert message in text


def test_kit_holds_no_gold_and_no_private_label(tmp_path: Path) -> None:
    folder = case({"p.csv": table(rows_of(GOLD))}).write(tmp_path)
    competition, _ = gather(folder, lambda chosen: chosen)
    expected = competition.parts[0].expected
    assert check.as_document(expected)["targets"] == [
        {"column": "label", "kind": "labels", "labels": ()}
    ]
    files = kit.files(replace(expected, ids=tuple(reversed(expected.ids or ()))))
    assert files["test_ids.csv"].decode().splitlines() == ["id", *sorted(IDS)]
