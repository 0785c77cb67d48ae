"""Limits follow the size of the test set, and hold for every upload by itself."""

from __future__ import annotations

import random
import zipfile
from pathlib import Path

import pytest

from scoring_program.reading import files, layout
from scoring_program.reading.limits import Limits
from tests.competitions import Folder, write_csv
from tests.hostile.bad.makers import zipped


@pytest.mark.parametrize(
    ("examples", "classes", "megabytes"),
    [(0, 0, 5), (200, 0, 18), (200, 1000, 31), (10**6, 2, 256), (None, 0, 256)],
)
def test_the_size_of_a_file_follows_the_test_set(
    examples: int | None, classes: int, megabytes: int
) -> None:
    limits = Limits.of_test_set(examples, classes)
    assert limits.largest_file == megabytes
    assert limits.largest_upload == min(10 * megabytes, Limits.largest_upload)


def test_long_texts_and_a_thousand_probabilities_pass(folder: Folder) -> None:
    folder.write("metrics: [accuracy_score]\n")
    for team, labels in folder.teams.items():
        folder.team(team, {"id": folder.ids, "label": labels, "why": ["word " * 12_000] * 60})
    assert folder.run("--resamples", "100") == 0
    assert folder.results()["unusable"] == []


def test_a_thousand_classes_pass(folder: Folder) -> None:
    rng, classes = random.Random(1), [f"class_{k:04}" for k in range(1000)]
    folder.labels = (classes + classes[:200])[: len(folder.ids)]
    folder.teams = {}
    folder.write(f"metrics: [log_loss]\nlabels: [{', '.join(classes)}]\n")
    write_csv(folder.input / "ref" / "gold.csv", {"id": folder.ids, "label": folder.labels})
    for team in "AB":
        rows = [[rng.random() for _ in classes] for _ in folder.ids]
        shares = [[number / sum(row) for number in row] for row in rows]
        columns = dict(zip(classes, zip(*shares, strict=True), strict=True))
        folder.team(team, {"id": folder.ids, **columns})
    assert folder.run("--resamples", "100") == 0
    assert folder.results()["unusable"] == []


def test_only_what_is_read_counts(folder: Folder) -> None:
    """Participants send the weights of their models along."""
    folder.write("metrics: [accuracy_score]\n")
    rows = "".join(f"{i},{label}\n" for i, label in zip(folder.ids, folder.labels, strict=True))
    upload = zipped({"model.bin": bytes(30_000_000), "predictions.csv": f"id,label\n{rows}"})
    (folder.input / "res" / "Four.zip").write_bytes(upload)
    assert folder.run("--resamples", "100") == 0
    assert folder.results()["unusable"] == []


@pytest.mark.parametrize("name", ["upload.zip", "submissions.zip"])
def test_uploads_in_one_archive_have_limits_of_their_own(tmp_path: Path, name: str) -> None:
    good = zipped({"a.csv": "id,label\n"})
    many = zipped({f"{k}.csv": "" for k in range(30)})
    (tmp_path / name).write_bytes(zipped({"A.zip": many, "B.zip": good, "C.zip": many}))
    if name == "submissions.zip":
        (tmp_path / "gold.csv").write_text("")
    found = files.walk(tmp_path, Limits(most_files=20), ["submissions"])
    broken = {file.path.name: file.broken for file in found if file.path.name != "gold.csv"}
    assert broken == {"A": True, "a.csv": False, "C": True}


def test_one_upload_has_them_for_all_its_archives(tmp_path: Path) -> None:
    some = zipped({f"{k}.csv": "" for k in range(12)})
    (tmp_path / "One.zip").write_bytes(zipped({"a.zip": some, "b.zip": some}))
    (tmp_path / "Two.zip").write_bytes(some)
    found = list(files.walk(tmp_path, Limits(most_files=20)))
    assert [file.path.name for file in found if file.broken] == ["One"]
    assert len(found) == 13


def test_a_listing_that_is_too_long_is_not_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "One.zip"
    path.write_bytes(zipped({f"{k}.csv": "" for k in range(30)}))
    made = []
    monkeypatch.setattr(zipfile, "ZipInfo", lambda *_: made.append(1))
    (file,) = files.walk_file(path, Limits(most_files=20))
    assert file.broken
    assert made == []


def test_the_files_of_a_single_submission_are_counted(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    """A platform unpacks an upload before the program sees it."""
    folder.teams = {}
    folder.write("metrics: [accuracy_score]\nlayout: single\nmost_files: 20\n")
    for path in ("res", "res/wrapped"):
        for k in range(21):
            write_csv(folder.input / path / f"{k}.log", {"id": folder.ids})
        assert folder.run() == 1
        err = capsys.readouterr().err
        assert "the upload: more than 20 files; send only the predictions file" in err
        for k in range(21):
            (folder.input / path / f"{k}.log").unlink()


def test_the_files_of_teams_are_counted_apart(folder: Folder) -> None:
    folder.write("metrics: [accuracy_score]\nmost_files: 20\n")
    for team in folder.teams:
        for k in range(15):
            (folder.input / "res" / team / f"{k}.log").touch()
    for k in range(6):
        (folder.input / "res" / "Two" / f"log{k}").touch()
    assert folder.run("--resamples", "100") == 0
    (unusable,) = folder.results()["unusable"]
    assert unusable["entry"] == "Two"
    assert "more than 20 files" in unusable["reason"]


def test_the_runs_of_one_upload_are_limited(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout, "MOST_RUNS", 3)
    folder.write("metrics: [accuracy_score]\n")
    rows = {"id": folder.ids, "label": folder.labels}
    for k in range(4):
        write_csv(folder.input / "res" / "Four" / f"run{k}.csv", rows)
    for k in range(3):
        write_csv(folder.input / "res" / "Five" / f"run{k}.csv", rows)
    assert folder.run("--resamples", "100") == 0
    (unusable,) = folder.results()["unusable"]
    assert unusable["entry"] == "Four"
    assert "4 runs, more than the limit of 3; send only those that compete" in unusable["reason"]
    (metric,) = folder.results()["metrics"]
    assert len(metric["entries"]) == 3 + 3
