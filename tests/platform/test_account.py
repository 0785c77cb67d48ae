"""Every upload is accounted for: compared, averaged, unusable, or left aside for a reason."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from scoring_program.data.source import read_input
from scoring_program.reading.layout import find_submissions
from scoring_program.reading.limits import DEFAULT
from scoring_program.scoring import contenders
from scoring_program.scoring.score_entries import score_entries
from tests.competitions import Folder
from tests.platform.downloads import Submission, bulk_download, zipped
from tests.platform.test_downloads import broken, rows, sent, upload
from tests.reading.variants import CASES
from tests.sweeps import swept, thinned


def _uploads(folder: Folder) -> tuple[list[Submission], list[Submission]]:
    """Return what a download holds, of every fate there is, and what it lacks."""
    good = {team: upload(folder, team) for team in folder.teams}
    field = [
        sent(1, "ana", good["One"], day=1),
        sent(2, "ana", good["Two"], day=2),
        sent(3, "ana", broken(folder), day=3),
        sent(4, "bo", broken(folder), day=1),
        sent(5, "bo", good["Three"], day=2),
        sent(6, "cid", b"no archive"),
        sent(7, "dee", rows(folder, "One"), file="bare.csv"),
        sent(8, "eve", zipped({"README.md": b"nothing else"})),
        sent(9, "fay", good["Two"], phase=8),
    ]
    field += [field[0].again(20), field[4].again(21)]
    theirs = sent(30, "chair", bulk_download(field[:5]), file="bulk_submissions.zip")
    return [*field, theirs], [sent(40, "gil", b""), sent(41, "gil", b"", day=2)]


@pytest.mark.parametrize("runs", ["all", "best", "last", "mean"])
@pytest.mark.parametrize("most", [500, 2])
@pytest.mark.parametrize("anonymize", swept(["true", "false"]))
def test_a_downloads_uploads_add_up(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    runs: str,
    most: int,
    anonymize: str,
) -> None:
    monkeypatch.setattr(contenders, "MOST_ENTRIES", most)
    folder = Folder(tmp_path, n=30).write(
        f"metrics: [accuracy_score]\nruns: {runs}\nanonymize: {anonymize}\nphase: 7\n"
    )
    for team in folder.teams:
        (folder.input / "res" / team / "predictions.csv").unlink()
        (folder.input / "res" / team).rmdir()
    there, lost = _uploads(folder)
    (folder.input / "res" / "bulk_submissions.zip").write_bytes(bulk_download(there, lost))
    assert folder.run("--resamples", "100", "--workers", "1") == 0
    results = folder.results()
    uploads = len(there) + len(lost)
    fates = [len(results["metrics"][0]["entries"]), *map(len, _lists(results))]
    averaged = results["averaged"]
    assert results["uploads"] == sum(fates) + averaged == uploads
    assert averaged == (1 if runs == "mean" else 0)  # of ana, who sent two usable files
    compared = f"{fates[0]} compared" + (f" + {averaged} averaged with them" if averaged else "")
    for number, fate in zip(fates[1:], ("unusable", "left aside"), strict=True):
        compared += f" + {number} {fate}" if number else ""
    account = f"{uploads} = {compared}"
    assert f"Uploads: {account}." in capsys.readouterr().out
    page = (folder.output / "detailed_results.html").read_text(encoding="utf-8")
    first_screen = page[: page.index("<nav")]
    assert account in re.sub(r"<[^>]*>", "", first_screen)
    named = [item["name"] for item in results["left_aside"]]
    assert len(set(named)) == len(named)
    assert all(name in page for name in named)
    assert all(item["reason"] for item in results["left_aside"])
    if anonymize == "true":
        assert not re.search("(?<![a-z])(ana|bo|cid|dee|eve|fay|gil|chair)(?![a-z])", page)


def _lists(results: dict[str, Any]) -> tuple[list[Any], list[Any]]:
    return results["unusable"], results["left_aside"]


@pytest.mark.parametrize("name", thinned(CASES))
def test_the_uploads_of_every_layout_add_up(tmp_path: Path, name: str) -> None:
    root = CASES[name].write(tmp_path)
    competition, settings = read_input(root, lambda settings: settings)
    entries, _ = score_entries(competition, settings)
    read = find_submissions(root / "res", "auto", limits=DEFAULT)
    if competition.form != "teams" or read.layout != "teams" or competition.has_tasks:
        assert not entries.left_aside
        return
    found = (*entries.names, *entries.unusable, *entries.left_aside)
    assert len(found) == len(read.sources) + len(read.left_aside)


@pytest.mark.parametrize("layout", ["auto", "teams"])
def test_an_upload_of_several_tries_is_one_unusable_upload(
    folder: Folder, capsys: pytest.CaptureFixture[str], layout: str
) -> None:
    """Its team would otherwise win by the best of them, although the platform refused it."""
    teams, folder.teams = folder.teams, {}
    folder.write(f"metrics: [accuracy_score]\nlayout: {layout}\nother_tasks: [irony]\n")
    folder.teams = teams
    (folder.input / "res").mkdir()
    tries = zipped({"a.csv": rows(folder, "Three"), "b.csv": gold_rows(folder)})
    field = [
        sent(1, "ana", upload(folder, "One")),
        sent(2, "bo", upload(folder, "Two")),
        sent(3, "eve", tries),
        sent(4, "fay", zipped({"gold.csv": rows(folder, "Two"), "x.csv": gold_rows(folder)})),
        sent(5, "gil", zipped({"p.csv": rows(folder, "Two"), "irony.csv": gold_rows(folder)})),
    ]
    (folder.input / "res" / "bulk_submissions.zip").write_bytes(bulk_download(field))
    assert folder.run("--resamples", "100", "--workers", "1") == 0
    out, err = capsys.readouterr()
    leader = folder.results()["metrics"][0]["leader"]
    if layout == "teams":
        assert leader == "eve/b"
        return
    assert leader == "ana"
    assert "Uploads: 5 = 4 compared + 1 unusable." in out
    assert "(a.csv, b.csv): the upload holds 2 data files" in err
    assert "write 'layout: teams' in the settings" in err


def test_an_upload_of_several_tries_is_no_rival_in_a_packed_field(folder: Folder) -> None:
    teams, folder.teams = folder.teams, {}
    folder.write("metrics: [accuracy_score]\n")
    folder.teams = teams
    tries = zipped({"a.csv": rows(folder, "Three"), "b.csv": gold_rows(folder)})
    field = [sent(1, "ana", upload(folder, "Two")), sent(2, "eve", tries)]
    for place, name, content in (
        ("res", "predictions.csv", rows(folder, "One")),
        ("ref/submissions", "bulk_submissions.zip", bulk_download(field)),
    ):
        (folder.input / place).mkdir(parents=True, exist_ok=True)
        (folder.input / place / name).write_bytes(content)
    assert folder.run("--resamples", "100", "--workers", "1") == 0
    entries = [row["entry"] for row in folder.results()["metrics"][0]["entries"]]
    assert len(entries) == 2
    assert not any("eve" in entry for entry in entries)


def gold_rows(folder: Folder) -> bytes:
    """Return the correct answers as a submission."""
    pairs = zip(folder.ids, folder.labels, strict=True)
    return ("id,label\n" + "".join(f"{id},{label}\n" for id, label in pairs)).encode()


@pytest.mark.parametrize("uploads", [2, 4])
def test_uploads_that_all_hold_several_tries_are_explained_once(
    folder: Folder, capsys: pytest.CaptureFixture[str], uploads: int
) -> None:
    teams, folder.teams = folder.teams, {}
    folder.write("metrics: [accuracy_score]\n")
    folder.teams = teams
    (folder.input / "res").mkdir()
    tries = zipped({"a.csv": rows(folder, "One"), "b.csv": rows(folder, "Two")})
    field = [sent(k, f"team{k}", tries) for k in range(1, uploads + 1)]
    (folder.input / "res" / "bulk_submissions.zip").write_bytes(bulk_download(field))
    assert folder.run("--resamples", "100", "--workers", "1") == 1
    assert capsys.readouterr().err.count("write 'layout: teams' in the settings") == 1
    folder.settings("metrics: [accuracy_score]\nlayout: teams\n")
    assert folder.run("--resamples", "100", "--workers", "1") == 0


def test_one_file_for_each_task_is_one_submission(folder: Folder) -> None:
    folder.write("metrics: [accuracy_score]\n")
    gold = folder.input / "ref" / "gold.csv"
    for task in ("stance", "irony"):
        (folder.input / "ref" / f"{task}.csv").write_bytes(gold.read_bytes())
    gold.unlink()
    shutil.rmtree(folder.input / "res")
    (folder.input / "res").mkdir()
    field = [
        sent(k, team, zipped({f"{task}.csv": rows(folder, team) for task in ("stance", "irony")}))
        for k, team in enumerate(folder.teams, 1)
    ]
    (folder.input / "res" / "bulk_submissions.zip").write_bytes(bulk_download(field))
    assert folder.run("--resamples", "100", "--workers", "1") == 0
    assert folder.results()["uploads"] == 3
    assert folder.results()["unusable"] == []
