"""Adding or changing one team's file changes nothing of the others.

Two other teams stay readable, and their scores and their pair stay the same to the last digit:
the observed difference, its standard error and interval, and the p-value before corrections.
"""

from __future__ import annotations

import html
import pkgutil
import re
import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest

import scoring_program as dh
from scoring_program.commands.score import main
from tests.competitions import Folder, numeric, write_csv
from tests.hostile import good_files, mutants
from tests.hostile.bad.makers import zipped
from tests.hostile.good_files import GOOD
from tests.hostile.kinds import KINDS
from tests.hostile.test_bad_inputs import stopped_after
from tests.hostile.uploads import UPLOADS, Hostile, csv_of, hostile, put_archive
from tests.sweeps import swept, thinned

SETTINGS = "metrics: [accuracy_score, {f1_score: {average: macro}}]\nresamples: 200\n"
#: Its place in the order of the entries is between the others.
NAME = "Puck"
#: A metric in Kaggle's manner, whose message repeats what the participant wrote.
KAGGLE = """
class ParticipantVisibleError(Exception):
    pass

def score(solution, submission, row_id_column_name):
    wrong = [x for x in submission["label"] if x not in "abc"]
    if wrong:
        raise ParticipantVisibleError(f"no label: {wrong[0]}")
    return float((solution["label"].values == submission["label"].values).mean())
"""
#: Seconds of processor time that a run of a small test set may take, whatever an upload holds.
LONGEST = 30


@cache
def without() -> dict[str, Any]:
    """Return what is said of the entries of the competition without the hostile one."""
    with TemporaryDirectory() as root:
        folder = Folder(Path(root)).write(SETTINGS)
        assert folder.run() == 0
        return said(folder)


def said(folder: Folder) -> dict[str, Any]:
    """Return what depends on an entry's own predictions and the resamples alone."""
    return {
        f"{metric['name']}: {row['entry']}": [row[key] for key in ("score", "mean", "ci")]
        for metric in folder.results()["metrics"]
        for row in metric["entries"]
    }


_SMALL = [upload for upload in UPLOADS if not upload.large]
_LARGE = [upload for upload in UPLOADS if upload.large]


@pytest.mark.parametrize(
    "upload", swept([*_SMALL, *_LARGE], fast=len(_SMALL)), ids=lambda upload: upload.name
)
def test_one_entry_harms_no_other(
    folder: Folder, capsys: pytest.CaptureFixture[str], upload: Hostile
) -> None:
    folder.write(SETTINGS)
    honest = {"id": folder.ids, "label": folder.teams["One"]}
    upload.write(folder.input / "res" / NAME, honest)
    with stopped_after(LONGEST):
        assert folder.run() == 0, capsys.readouterr().err
    found = said(folder)
    assert {key: row for key, row in found.items() if NAME not in key} == without()
    entries = {entry for entry in found if NAME in entry}
    assert bool(entries) == upload.usable
    if not upload.usable:
        (reason,) = [item["reason"] for item in folder.results()["unusable"]]
        assert NAME in reason or NAME in capsys.readouterr().err


@pytest.mark.parametrize("tie_rule", ["max_t", "holm", "interval"])
def test_an_enormous_number_buys_no_tie_and_moves_nobody(folder: Folder, tie_rule: str) -> None:
    folder.write(f"metrics: [mean_absolute_error]\nresamples: 200\ntie_rule: {tie_rule}\n")
    numeric(folder)
    assert folder.run() == 0
    honest = said(folder)
    rng = np.random.default_rng(3)
    guesses = [*map(str, rng.uniform(0, 3, len(folder.ids) - 1)), "1e6"]
    folder.team(NAME, {"id": folder.ids, "y": guesses})
    assert folder.run() == 0
    assert {key: row for key, row in said(folder).items() if NAME not in key} == honest
    (metric,) = folder.results()["metrics"]
    last = metric["entries"][-1]
    assert (last["entry"], last["tied_with_leader"], last["rank_range"]) == (NAME, False, [4, 4])


def test_the_text_of_an_error_for_participants_is_shown_escaped_and_cut(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.write(
        "metrics: [{name: own, function: my_metric.py:score, greater_is_better: true}]\n"
        "resamples: 100\n"
    )
    (folder.input / "ref" / "my_metric.py").write_text(KAGGLE)
    assert folder.run() == 0
    honest = said(folder)
    capsys.readouterr()
    labels = ["\x1b[31m\u202e" + "c" * 10**5, *folder.teams["One"][1:]]
    folder.team(NAME, {"id": folder.ids, "label": labels})
    assert folder.run() == 0
    assert said(folder) == honest
    out, err = capsys.readouterr()
    (reason,) = [item["reason"] for item in folder.results()["unusable"]]
    for text in (out + err, reason):
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert len(text) < 5000


#: Codabench's name of an upload.
SENT = "{}_{}_PhaseId3_2026-01-01_00-0{}_x.zip"


@pytest.mark.parametrize(
    ("victim", "other", "shown"),
    swept(
        [
            ("Jos\u00e9", "Jose\u0301", "Jose<U+0301>"),
            ("Jos\u00e9", "Jos\u00e9 ", "Jos\u00e9<U+0020>"),
            ("alice", "Alice", "Alice"),
        ],
        fast=2,
    ),
)
def test_a_name_that_looks_alike_is_another_teams(
    folder: Folder, capsys: pytest.CaptureFixture[str], victim: str, other: str, shown: str
) -> None:
    """It changes nothing of the victim's score, and the organizer is warned."""
    folder.write(SETTINGS)
    shutil.rmtree(folder.input / "res")
    answers = {victim: folder.teams["One"], "Two": folder.teams["Two"]}
    uploads = [*answers.items(), (other, folder.labels)]
    found = []
    for sent in (uploads[:2], uploads):
        held = {
            SENT.format(k, owner, k): zipped({"p.csv": csv_of({"id": folder.ids, "label": labels})})
            for k, (owner, labels) in enumerate(sent)
        }
        (folder.input / "res").mkdir(exist_ok=True)
        (folder.input / "res" / "bulk_submissions.zip").write_bytes(zipped(held))
        assert folder.run() == 0
        found.append(said(folder))
    alone, together = found
    assert {key: row for key, row in together.items() if not key.endswith(f": {shown}")} == alone
    (metric, _) = folder.results()["metrics"]
    assert metric["leader"] == shown
    (caution,) = [row for row in folder.results()["warnings"] if row["code"] == "same_names"]
    assert caution["level"] == "red"
    names = " and ".join(sorted([victim, shown]))
    assert names in caution["message"]
    assert names in capsys.readouterr().out
    page = (folder.output / "detailed_results.html").read_text(encoding="utf-8")
    assert html.escape(shown) in page
    assert '<p class="announce wait">' in page
    scores = [key for key in folder.scores() if key.startswith("accuracy_score.")]
    assert len(scores) == 3


def test_a_name_that_looks_like_two_name_spaces(folder: Folder) -> None:
    """A team of the organizer's folder is called as the page would call a platform's user."""
    folder.write(SETTINGS)
    shutil.rmtree(folder.input / "res")
    for name, labels in (
        ("alice - 1 submission", folder.teams["One"]),
        ("alice", folder.teams["Two"]),
        ("alice (CodaLab user)", folder.labels),
    ):
        folder.team(name, {"id": folder.ids, "label": labels})
    assert folder.run() == 0
    entries = {row["entry"]: row["score"] for row in folder.results()["metrics"][0]["entries"]}
    assert set(entries) == {"alice", "alice (CodaLab user)", "alice (CodaLab user)*"}
    assert entries["alice (CodaLab user)"] == 1
    (caution,) = [row for row in folder.results()["warnings"] if row["code"] == "same_names"]
    assert caution["level"] == "red"


def test_where_a_folder_may_be_a_teams_or_a_tasks_the_program_asks(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = {"id": folder.ids, "label": folder.labels}
    for task in ("stance", "mood"):
        write_csv(folder.input / "ref" / f"{task}.csv", answers)
        for name in ("stance", "mood"):
            write_csv(folder.input / "res" / name / f"{task}.csv", answers)
    folder.settings(SETTINGS)
    assert folder.run() == 2
    err = capsys.readouterr().err
    assert "if it is a team's, rename it, such as to 'team mood'" in err
    assert "TEAM/mood.csv" in err
    for name in ("stance", "mood"):
        (folder.input / "res" / name).rename(folder.input / "res" / f"team {name}")
    assert folder.run() == 0


#: What may go wrong where nobody has thought of it: when → the function.
PLACES = {
    "read": "scoring_program.data.source.formats.read_examples",
    "aligned": "scoring_program.data.entry.align",
    "diagnosed": "scoring_program.data.joining.submission.why_other_ids",
    "unpacked": "scoring_program.reading.files._listing",
    "scored": "scoring_program.scoring.scorers.SumsScorer._observe",
}


def fail_for(monkeypatch: pytest.MonkeyPatch, place: str, name: str) -> None:
    """Let a function fail if an argument tells of the team ``name``, or of constant predictions."""
    module, _, attribute = PLACES[place].rpartition(".")
    owner = pkgutil.resolve_name(module)
    function = getattr(owner, attribute)

    def is_meant(argument: Any) -> bool:
        if place == "scored":
            return any(len(set(y.tolist())) == 1 for y in argument.data.y_preds)
        return name in str(argument)

    def failing(*given: Any, **named: Any) -> Any:
        if any(map(is_meant, given)):
            raise KeyError("the gold of x001 is b")
        return function(*given, **named)

    monkeypatch.setattr(owner, attribute, failing)


def prepared(folder: Folder, place: str) -> None:
    """Write a competition with an upload in which the function at a place has something to do."""
    folder.write(SETTINGS)
    ids, labels = folder.ids, folder.teams["One"]
    if place == "diagnosed":
        ids = [f"{NAME}{row}" for row in ids]
    if place == "scored":
        labels = ["c"] * len(labels)
    rows = {"id": ids, "label": labels}
    if place == "unpacked":
        put_archive(folder.input / "res" / NAME, zipped({"p.csv": csv_of(rows)}))
    else:
        folder.team(NAME, rows)


@pytest.mark.internal_error
@pytest.mark.parametrize("place", thinned(PLACES, 2))
def test_an_unexpected_error_is_one_teams(
    folder: Folder,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    place: str,
) -> None:
    prepared(folder, place)
    fail_for(monkeypatch, place, NAME)
    assert folder.run() == 0
    assert {key: row for key, row in said(folder).items() if NAME not in key} == without()
    out, err = capsys.readouterr()
    (reason,) = [item["reason"] for item in folder.results()["unusable"]]
    assert re.search(r"internal error \d{5} \(KeyError in \w+\.py, line \d+\)", reason)
    assert reason in err
    assert "x001" not in out + err + reason
    (caution,) = [row for row in folder.results()["warnings"] if row["code"] == "internal_errors"]
    assert caution["level"] == "red"
    assert NAME in caution["message"]
    page = (folder.output / "detailed_results.html").read_text(encoding="utf-8")
    assert '<p class="announce wait">' in page
    assert folder.run("--strict") == 1


@pytest.mark.internal_error
@pytest.mark.parametrize("place", PLACES)
def test_an_unexpected_error_ends_the_run_of_a_single_upload(
    folder: Folder,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    place: str,
) -> None:
    prepared(folder, place)
    for team in folder.teams:
        shutil.rmtree(folder.input / "res" / team)
    # A single upload has no other name than its file's.
    fail_for(monkeypatch, place, "" if place in ("read", "aligned") else NAME)
    assert folder.run() == 3
    assert re.search("[iI]nternal error", capsys.readouterr().err)
    assert not (folder.output / "scores.txt").exists()


@pytest.mark.parametrize("error", [MemoryError(), OSError(5, "Input/output error")])
def test_what_the_machine_lacks_is_no_teams(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("scoring_program.data.entry.align", fail)
    assert folder.write(SETTINGS).run() == 2


#: The formats that pyarrow reads take a process for each file.
_OF_PYARROW = [name for name, written in GOOD.items() if written.package and written.can_be_read]
_USUAL = [kind for kind in mutants.ALL if kind not in _OF_PYARROW]


@pytest.mark.parametrize("kind", thinned(_USUAL))
def test_no_file_of_any_kind_harms_two_other_teams(kind: str) -> None:
    """From Python; `tests.hostile.mutants` tries as many files as one has time for."""
    assert mutants.harmed(kind, dict(mutants.spoiled(kind, 1, 20))) == []


@pytest.mark.parametrize(
    ("form", "teams"), swept([("Parquet parts", 3), *((form, 20) for form in _OF_PYARROW)])
)
def test_no_file_that_pyarrow_reads_harms_two_other_teams(form: str, teams: int) -> None:
    if form not in mutants.ALL:
        pytest.skip("pyarrow is not installed")
    assert mutants.harmed(form, dict(mutants.spoiled(form, 1, teams))) == []


def test_every_format_that_can_be_read_is_tried() -> None:
    """A new format needs a good file in `tests.hostile.good_files`, from which all else follows."""
    assert good_files.unknown() == set()
    assert {*GOOD} - {*mutants.ALL} == {name for name in GOOD if not GOOD[name].can_be_read}


@pytest.mark.parametrize("kind", thinned(KINDS))
def test_no_mistake_of_any_kind_harms_two_other_teams(tmp_path: Path, kind: str) -> None:
    """At the command, each mistake in the file of a team of its own."""
    case = KINDS[kind]
    uploads = {}
    for k, (mistake, (content, _)) in enumerate(case.bad.items()):
        _, _, extension = mistake.partition(".")
        file = f"p.{extension}" if extension else case.file
        uploads[f"m{k:02}/{file}"] = content if isinstance(content, bytes) else content.encode()
    found = []
    for name, added in (("alone", {}), ("together", uploads)):
        mutants.write(tmp_path / name, kind, added)
        assert main([str(tmp_path / name), str(tmp_path / f"{name}-output")]) == 0
        result = dh.read_results(tmp_path / f"{name}-output" / "results.json")
        found.append(mutants.of_victims(result))
    assert repr(found[0]) == repr(found[1])
    assert set(mutants.VICTIMS) <= set(result.entries)
    assert len(result.entries) + len(result.unusable) == 2 + len(uploads)


@pytest.mark.parametrize("kind", swept([*_USUAL, *_OF_PYARROW], fast=len(_USUAL)))
def test_a_single_file_of_any_kind_is_scored_or_refused(tmp_path: Path, kind: str) -> None:
    for path, content in mutants.spoiled(kind, 2, 3):
        folder = tmp_path / path.partition("/")[0]
        mutants.write(folder, kind, {path: content})
        for team in mutants.VICTIMS:
            shutil.rmtree(folder / "res" / team)
        assert main([str(folder), str(folder / "output")]) in (0, 1)


def test_a_function_is_all_that_a_new_one_needs() -> None:
    @hostile(usable=True)
    def another(team: Path, rows: object) -> None:
        """Write nothing."""

    assert UPLOADS.pop() == Hostile("another", another, usable=True)
