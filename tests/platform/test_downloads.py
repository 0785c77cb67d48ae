"""What platforms unpack and what organizers download, read as what it is."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

import pytest

from scoring_program.core.errors import SettingsError, SubmissionError
from scoring_program.data.competition import Competition
from scoring_program.data.source import read_input
from scoring_program.scoring.score_entries import score_entries
from tests.competitions import Folder, told
from tests.platform.downloads import (
    Result,
    Submission,
    bulk_download,
    codalab_unpack,
    results_download,
    zipped,
)

_QUICK = ("--resamples", "100", "--workers", "1")
_SETTINGS = "metrics: [accuracy_score]\n"


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    made = Folder(tmp_path, n=30)
    sent = made.teams
    made.teams = {}
    made.write(_SETTINGS)
    made.teams = sent
    (made.input / "res").mkdir(exist_ok=True)
    return made


def rows(folder: Folder, team: str) -> bytes:
    pairs = zip(folder.ids, folder.teams[team], strict=True)
    return ("id,label\n" + "".join(f"{id},{label}\n" for id, label in pairs)).encode()


def upload(folder: Folder, team: str, name: str = "predictions.csv") -> bytes:
    return zipped({name: rows(folder, team)})


def broken(folder: Folder) -> bytes:
    return zipped({"predictions.csv": rows(folder, "One")[:-30]})


def sent(
    id: int,
    owner: str,
    content: bytes,
    *,
    day: int = 1,
    hour: int = 9,
    second: int = 0,
    phase: int = 7,
    file: str = "pred.zip",
) -> Submission:
    moment = datetime(2026, 5, day, hour, 30, second)
    return Submission(id, owner, phase, moment, file, content)


def found(folder: Folder, settings: str = "") -> Competition:
    """Return what competes, with the settings ``settings`` besides."""
    folder.settings(_SETTINGS + settings)
    competition, _ = score_entries(*read_input(folder.input, lambda settings: settings))
    return competition


def put(folder: Folder, content: bytes, name: str = "bulk_submissions.zip") -> None:
    (folder.input / "res" / name).write_bytes(content)


def extract(content: bytes, into: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for member in archive.infolist():
            (into / member.filename).parent.mkdir(parents=True, exist_ok=True)
            (into / member.filename).write_bytes(archive.read(member))


# What CodaLab's worker leaves beside each other.


def _folders(folder: Folder) -> Mapping[str, bytes]:
    return {f"{team}/predictions.csv": rows(folder, team) for team in folder.teams}


def _archives(folder: Folder) -> Mapping[str, bytes]:
    return {f"{team}.zip": upload(folder, team) for team in folder.teams}


def _damaged(folder: Folder) -> Mapping[str, bytes]:
    return {**_archives(folder), "Four.zip": b"no archive", "Five.zip": zipped({})}


@pytest.mark.parametrize("pack", [_folders, _archives, _damaged])
def test_a_packed_field_counts_once_on_codalab(
    folder: Folder, pack: Callable[[Folder], Mapping[str, bytes]]
) -> None:
    ref = folder.input / "ref"
    reference = {
        "gold.csv": (ref / "gold.csv").read_bytes(),
        "scoring.yaml": _SETTINGS.encode(),
        "submissions.zip": zipped(pack(folder)),
    }
    plain = folder.root / "plain"
    for name, content in reference.items():
        (plain / "ref").mkdir(parents=True, exist_ok=True)
        (plain / "ref" / name).write_bytes(content)
    codalab_unpack(zipped(reference), folder.root / "worker" / "ref")
    assert (folder.root / "worker" / "ref" / "submissions").is_dir()
    seen = []
    for root in (plain, folder.root / "worker"):
        codalab_unpack(upload(folder, "Two"), root / "res")
        competition, _ = score_entries(*read_input(root, lambda settings: settings))
        seen.append((competition.names, [item.name for item in competition.withheld]))
    assert seen[0] == seen[1]
    assert seen[0][0] == ("One", "Three", "Two", "submission")


def test_an_archived_gold_is_one_gold_on_codalab(folder: Folder) -> None:
    gold = (folder.input / "ref" / "gold.csv").read_bytes()
    root = folder.root / "worker"
    codalab_unpack(zipped({"gold.zip": zipped({"gold.csv": gold})}), root / "ref")
    codalab_unpack(upload(folder, "One"), root / "res")
    competition, _ = read_input(root, lambda settings: settings)
    assert [part.name for part in competition.parts] == [""]


def test_an_archive_in_an_upload_is_one_submission_on_codalab(folder: Folder) -> None:
    codalab_unpack(zipped({"inner.zip": upload(folder, "One")}), folder.input / "res")
    assert found(folder).names == ("submission",)


def test_every_teams_archives_count_once_on_codalab(folder: Folder) -> None:
    download = bulk_download(
        [sent(k, f"user{k}", upload(folder, team)) for k, team in enumerate(folder.teams, 1)]
        + [sent(4, "user4", broken(folder))]
    )
    codalab_unpack(download, folder.input / "res")
    competition = found(folder)
    assert competition.names == ("user1", "user2", "user3")
    assert [item.name for item in competition.unusable] == ["user4"]


def test_runs_that_only_an_archive_holds_compete(folder: Folder) -> None:
    """Only what lies in the folder beside it is left out of an archive."""
    members = {"a.csv": rows(folder, "One"), "b.csv": rows(folder, "Two")}
    put(folder, zipped(members), "Team.zip")
    extract(zipped({"a.csv": members["a.csv"]}), folder.input / "res" / "Team")
    put(folder, rows(folder, "Three"), "Other.csv")
    assert found(folder).names == ("Other", "Team/a", "Team/b")


def test_copies_are_known_by_content(folder: Folder) -> None:
    """Older unpackers write a name's accents in another way."""
    name = "predicción.csv"
    put(folder, upload(folder, "One", name), "Team.zip")
    mangled = name.encode().decode("cp437")
    extract(zipped({mangled: rows(folder, "One")}), folder.input / "res" / "Team")
    assert found(folder).names == ("submission",)


# Codabench's bulk download.


def test_last_means_the_last_that_can_be_scored(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    uploads = [
        sent(1, "ana", upload(folder, "Two"), day=1),
        sent(2, "ana", upload(folder, "One"), day=2),
        sent(3, "ana", broken(folder), day=3),
        sent(4, "bo", broken(folder), day=1),
        sent(5, "bo", upload(folder, "Three"), day=2),
        sent(6, "cy", b"no archive", day=1),
        sent(7, "cy", broken(folder), day=2),
    ]
    put(folder, bulk_download(uploads))
    assert folder.run("--runs", "last", *_QUICK) == 0
    results = folder.results()
    assert [entry["entry"] for entry in results["metrics"][0]["entries"]] == ["ana", "bo"]
    assert [item["entry"] for item in results["unusable"]] == ["ana/3", "cy"]
    assert "missing ids" in results["unusable"][1]["reason"]
    out = capsys.readouterr().out
    assert (
        "Each team with several runs competes with the last one that can be scored: ana/2, bo/5."
        in out
    )
    assert (
        "Later runs of these teams were passed over, because they cannot be scored: ana/3." in out
    )
    one, two = (
        sum(a == b for a, b in zip(folder.labels, folder.teams[team], strict=True))
        for team in ("One", "Two")
    )
    assert folder.scores()["accuracy_score.ana"] == pytest.approx(one / 30)
    assert one != two


def test_last_of_a_metrics_view(folder: Folder) -> None:
    """A run for which the metric has no value is passed over too."""
    metric = (
        "def score(y_true, y_pred):\n    return float('nan') if len(set(y_pred)) < 2 else 1.0\n"
    )
    (folder.input / "ref" / "own.py").write_text(metric)
    constant = b"id,label\n" + b"".join(f"{id},a\n".encode() for id in folder.ids)
    put(
        folder,
        bulk_download(
            [
                sent(1, "ana", upload(folder, "One")),
                sent(2, "ana", zipped({"p.csv": constant}), day=2),
                sent(3, "bo", upload(folder, "Two")),
            ]
        ),
    )
    folder.settings(
        "metrics: [{name: own, function: own.py:score, greater_is_better: true}]\nruns: last\n"
    )
    competition, _ = score_entries(*read_input(folder.input, lambda settings: settings))
    assert competition.names == ("ana", "bo")
    assert [item.name for item in competition.unusable] == ["ana/2"]


def test_the_last_run_of_a_field(folder: Folder) -> None:
    field = bulk_download(
        [
            sent(1, "ana", upload(folder, "One"), day=1),
            sent(2, "ana", broken(folder), day=2),
            sent(3, "bo", broken(folder), day=1),
            sent(4, "bo", upload(folder, "Three"), day=2),
        ]
    )
    (folder.input / "ref" / "submissions.zip").write_bytes(field)
    put(folder, rows(folder, "Two"), "predictions.csv")
    competition = found(folder, "runs: last\n")
    assert competition.names == ("ana", "bo", "submission")
    assert [item.name for item in competition.withheld] == ["ana/2"]
    assert not any("ana" in text for text in told(competition.notes))


def test_an_upload_that_was_run_again_counts_once(folder: Folder) -> None:
    """The newest uploads are run again first, so the oldest gets the highest number."""
    old = sent(1, "ana", upload(folder, "One"), day=1, second=5)
    new = sent(2, "ana", upload(folder, "Two"), day=1, second=2)
    other = sent(3, "bo", upload(folder, "Three"))
    put(folder, bulk_download([old, new, other, other.again(4), new.again(5), old.again(6)]))
    competition = found(folder)
    assert competition.names == ("ana/1", "ana/2", "bo")
    notes = told(competition.notes)
    assert [item.name[:5] for item in competition.left_aside] == ["4_bo_", "5_ana", "6_ana"]
    assert any(
        text.startswith("Uploads left aside (the same upload, run again): 4_") for text in notes
    )
    last = found(folder, "runs: last\n")
    assert (
        "Each team with several runs competes with the last one that can be scored: ana/2."
        in told(last.notes)
    )


def test_one_minute_of_two_hours_is_not_one_upload(folder: Folder) -> None:
    morning = sent(1, "ana", upload(folder, "One"), hour=9)
    evening = sent(2, "ana", upload(folder, "Two"), hour=21)
    assert morning.name[2:] == evening.name[2:]
    put(folder, bulk_download([morning, evening, sent(3, "bo", upload(folder, "Three"))]))
    assert found(folder).names == ("ana/1", "ana/2", "bo")


def test_days_go_before_numbers_and_hours_are_unknown(folder: Folder) -> None:
    """Where only the new run of an old upload was ticked, its number is the higher one."""
    uploads = [
        sent(9, "ana", upload(folder, "One"), day=1),
        sent(2, "ana", upload(folder, "Two"), day=2),
        sent(3, "bo", upload(folder, "Three")),
    ]
    put(folder, bulk_download(uploads))
    competition = found(folder, "runs: last\n")
    notes = told(competition.notes)
    assert any("ana/2." in text for text in notes)
    assert not any("not the hour" in text for text in notes)
    put(folder, bulk_download([*uploads, sent(4, "ana", upload(folder, "Three"), day=2)]))
    notes = told(found(folder, "runs: last\n").notes)
    assert any("ana/4." in text for text in notes)
    assert any("the day of an upload, not the hour" in text for text in notes)
    assert not any("not the hour" in text for text in told(found(folder).notes))


def test_a_bare_file_competes_only_if_the_organizer_says_so(folder: Folder) -> None:
    put(
        folder,
        bulk_download(
            [
                sent(1, "ana", upload(folder, "Two"), day=1),
                sent(2, "ana", rows(folder, "One"), day=2, file="pred.csv"),
                sent(3, "bo", upload(folder, "Three")),
                sent(4, "cy", rows(folder, "Three"), file="pred.csv"),
            ]
        ),
    )
    competition = found(folder, "runs: last\n")
    assert competition.names == ("ana", "bo")
    assert [item.name for item in competition.unusable] == ["ana/2", "cy"]
    assert "'bare_files: accept' in the settings" in competition.unusable[0].reason
    assert found(folder, "bare_files: accept\n").names == ("ana/1", "ana/2", "bo", "cy")


def test_phases_are_not_mixed(folder: Folder) -> None:
    uploads = [
        sent(1, "ana", upload(folder, "One"), phase=7),
        sent(2, "bo", upload(folder, "Two"), phase=7),
        sent(3, "ana", upload(folder, "Three"), phase=8),
        sent(4, "bo", upload(folder, "One"), phase=8),
        sent(5, "cy", upload(folder, "Two"), phase=8),
    ]
    put(folder, bulk_download(uploads, [sent(6, "dee", b"", phase=8), sent(7, "ed", b"")]))
    with pytest.raises(SettingsError, match=r"PhaseId 7 \(2\), PhaseId 8 \(3\); .* 'phase: 8'"):
        found(folder)
    with pytest.raises(SettingsError, match=r"no submission of phase 9, .* PhaseId 7 \(2\)"):
        found(folder, "phase: 9\n")
    competition = found(folder, "phase: 7\n")
    assert competition.names == ("ana", "bo")
    notes = " ".join(told(competition.notes))
    assert "left aside (of another phase than 7): 3_ana_PhaseId8_" in notes
    assert [item.name.split("_")[1] for item in competition.left_aside] == ["ana", "bo", "cy", "ed"]
    assert "7_ed_PhaseId7_" in notes
    assert "dee" not in notes
    assert found(folder, "phase: 8\n").names == ("ana", "bo", "cy")


def test_names_that_hold_no_phase_as_the_platform_writes_it_are_asked_about(folder: Folder) -> None:
    """Each upload would be a team, those of other phases among them."""
    for team in ("One", "Two"):
        name = f"{team}_PhaseId7_{team}.zip"
        put(folder, upload(folder, team), name)
    with pytest.raises(SettingsError, match="names with 'PhaseId', but not as Codabench's bulk"):
        found(folder)
    names = found(folder, "name_pattern: '{team}_PhaseId7_{run}'\n").names
    assert names == ("One", "Two")
    for file in (folder.input / "res").iterdir():
        file.rename(file.with_name(file.name.rpartition("_")[2]))
    with pytest.raises(SettingsError, match="the setting 'phase' selects nothing; remove it"):
        found(folder, "phase: 7\n")
    (folder.input / "res" / "One.zip").unlink()
    assert found(folder, "phase: 7\n").names == ("submission",)  # as on the platform


def test_phases_of_a_packed_field_are_the_organizers_to_mend(folder: Folder) -> None:
    uploads = [sent(k, "ana", upload(folder, "One"), phase=k) for k in (1, 2)]
    (folder.input / "ref" / "submissions.zip").write_bytes(bulk_download(uploads))
    put(folder, rows(folder, "Two"), "predictions.csv")
    with pytest.raises(SettingsError, match="ref/submissions holds submissions of several phases"):
        found(folder)
    assert found(folder, "phase: 2\n").names == ("ana", "submission")


def test_one_phase_needs_no_setting(folder: Folder) -> None:
    uploads = [sent(1, "ana", upload(folder, "One")), sent(2, "bo", upload(folder, "Two"))]
    put(folder, bulk_download(uploads))
    competition = found(folder, "phase: 7\n")
    assert competition.names == ("ana", "bo")
    assert not any("phase" in text for text in told(competition.notes))


def test_the_organizers_own_bulk_upload_is_left_out(folder: Folder) -> None:
    field = [sent(1, "ana", upload(folder, "One")), sent(2, "bo", upload(folder, "Two"))]
    theirs = sent(3, "chair", bulk_download(field), phase=8, file="bulk_submissions.zip")
    put(folder, bulk_download([*field, theirs]))
    competition = found(folder)
    assert competition.names == ("ana", "bo")
    notes = " ".join(told(competition.notes))
    assert "they hold a bulk download themselves, as organizers' own uploads do): 3_chair_" in notes
    put(folder, bulk_download([theirs]))
    assert found(folder).names == ("ana", "bo")


def test_two_downloads_side_by_side_are_one(folder: Folder) -> None:
    ana, bo = sent(1, "ana", upload(folder, "One")), sent(2, "bo", upload(folder, "Two"))
    put(folder, bulk_download([ana, bo]))
    put(
        folder,
        bulk_download([bo, sent(3, "bo", upload(folder, "Three"))]),
        "bulk_submissions (1).zip",
    )
    competition = found(folder)
    assert competition.names == ("ana", "bo/2", "bo/3")


def test_what_could_not_be_fetched_is_named(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    lost = sent(3, "cy", b"", file="pred (1).zip")
    field = [sent(1, "ana", upload(folder, "One")), sent(2, "bo", upload(folder, "Two"))]
    put(folder, bulk_download(field, [lost]))
    assert folder.run(*_QUICK) == 0
    said = (
        "Uploads left aside (the bulk download lacks them, according to its failed.txt): "
        f"{lost.name}."
    )
    assert said in capsys.readouterr().out
    assert said in folder.results()["notes"]
    page = (folder.output / "detailed_results.html").read_text(encoding="utf-8")
    assert lost.name in page
    assert found(folder).names == ("ana", "bo")
    assert folder.run("--anonymize", *_QUICK) == 0
    out = capsys.readouterr().out
    assert (
        "Uploads left aside (the bulk download lacks them, according to its failed.txt): 1." in out
    )
    assert "_cy_" not in out


def test_a_participants_list_of_failures_says_nothing(folder: Folder) -> None:
    theirs = zipped(
        {
            "predictions.csv": rows(folder, "One"),
            "failed.txt": b"9_bo_PhaseId7_2026-05-01:30-00_p.zip (HTTP 404)\n",
        }
    )
    put(folder, bulk_download([sent(1, "ana", theirs), sent(2, "bo", upload(folder, "Two"))]))
    competition = found(folder)
    assert competition.names == ("ana", "bo")
    assert not any("failed.txt" in text for text in told(competition.notes))


def test_a_files_name_founds_no_team(folder: Folder) -> None:
    name = "x_PhaseId9_2026-05-02_30-00_p.zip"
    uploads = [
        sent(1, "ana", upload(folder, "One"), file=name),
        sent(2, "b_o", upload(folder, "Two")),
    ]
    put(folder, bulk_download(uploads))
    assert found(folder).names == ("ana", "b_o")


# CodaLab's download of a leaderboard's submissions.


def _as_it_is(content: bytes, res: Path) -> None:
    (res / "Hate speech-12-results.zip").write_bytes(content)


def _unzipped(content: bytes, res: Path) -> None:
    extract(content, res)


def _unzipped_beside_it(content: bytes, res: Path) -> None:
    _as_it_is(content, res)
    extract(content, res / "Hate speech-12-results")


def _unzipped_to_the_last(content: bytes, res: Path) -> None:
    extract(content, res)
    for path in list(res.glob("*.zip")):
        extract(path.read_bytes(), path.with_suffix(""))
        path.unlink()


@pytest.mark.parametrize("lay", [_as_it_is, _unzipped, _unzipped_beside_it, _unzipped_to_the_last])
@pytest.mark.parametrize("detailed", [True, False])
def test_codalabs_download(
    folder: Folder, lay: Callable[[bytes, Path], None], *, detailed: bool
) -> None:
    results = [
        Result("ana", 3, upload(folder, "One", "answer.txt")),
        Result("ana", 12, upload(folder, "Two", "answer.txt")),
        Result("bo", 1, upload(folder, "Three", "scores.csv"), team="Los Ases"),
    ]
    lay(results_download(results, detailed=detailed), folder.input / "res")
    competition = found(folder)
    assert competition.names == ("Los Ases", "ana/12", "ana/3")
    assert competition.unusable == ()
    assert "Layout: teams, 2 found." in told(competition.notes)
    last = found(folder, "runs: last\n")
    assert (
        "Each team with several runs competes with the last one that can be scored: ana/12."
        in told(last.notes)
    )


def test_codalabs_download_of_one_submission(folder: Folder) -> None:
    content = results_download([Result("ana", 3, upload(folder, "One"))])
    put(folder, content, "T-1-results.zip")
    assert found(folder).names == ("submission",)


def test_codalabs_download_beside_a_baseline(folder: Folder) -> None:
    results = [Result(team, 1, upload(folder, team)) for team in ("One", "Two")]
    put(folder, results_download(results), "title-12-results.zip")
    put(folder, rows(folder, "Three"), "baseline.csv")
    assert found(folder).names == ("One", "Two", "baseline")


def test_codalabs_downloads_of_two_phases(folder: Folder) -> None:
    for phase in (12, 13):
        content = results_download([Result("One", 1, upload(folder, "One"))])
        put(folder, content, f"title-{phase}-results.zip")
    with pytest.raises(SettingsError, match=r"several phases: title-12-results, title-13-results"):
        found(folder)


def test_an_upload_named_like_codalabs_download_is_its_owners(folder: Folder) -> None:
    inside = zipped({"One - 9 submission.csv": rows(folder, "Two")})
    posing = sent(3, "Three", inside, file="title-12-results.zip")
    others = [sent(k, team, upload(folder, team)) for k, team in enumerate(("One", "Two"))]
    put(folder, bulk_download([*others, posing]))
    assert found(folder).names == ("One", "Three", "Two")


def test_names_like_codalabs_without_a_submission_are_teams(folder: Folder) -> None:
    for name in ("Run - 1 output", "Run - 2 output"):
        extract(zipped({"p.csv": rows(folder, "One")}), folder.input / "res" / name)
    assert found(folder).names == ("Run - 1 output", "Run - 2 output")


# A phase with two tasks gives both of them the same upload.


@pytest.mark.parametrize("name", ["gold.csv", "wrap/GOLD.json.csv", "wrap/Gold.txt"])
def test_the_file_that_is_called_like_the_gold(folder: Folder, name: str) -> None:
    if name.endswith(".json.csv"):
        gold = folder.input / "ref" / "gold.csv"
        gold.rename(gold.with_name("gold.json.csv"))
    content = zipped({name: rows(folder, "One"), f"{Path(name).parent}/other.csv": b"no,matter\n"})
    codalab_unpack(content, folder.input / "res")
    competition = found(folder, "layout: single\n")
    assert competition.names == ("submission",)
    assert any("Not read: other.csv." in text for text in told(competition.notes))


def test_no_file_is_called_like_the_gold(folder: Folder) -> None:
    content = zipped({"one.csv": rows(folder, "One"), "other.csv": b"no,matter\n"})
    codalab_unpack(content, folder.input / "res")
    with pytest.raises(SubmissionError, match=r"holds 2 data files \(one\.csv, other\.csv\)"):
        found(folder, "layout: single\n")


def test_two_files_are_called_like_the_gold(folder: Folder) -> None:
    content = zipped({"a/gold.csv": rows(folder, "One"), "b/gold.csv": rows(folder, "Two")})
    codalab_unpack(content, folder.input / "res")
    with pytest.raises(SubmissionError, match="holds 2 data files"):
        found(folder, "layout: single\n")


def test_every_teams_files_of_two_tasks(folder: Folder) -> None:
    def both(team: str) -> bytes:
        return zipped({"gold.csv": rows(folder, team), "other.csv": b"no,matter\n"})

    uploads = [sent(k, f"user{k}", both(team)) for k, team in enumerate(folder.teams, 1)]
    put(folder, bulk_download([*uploads, sent(4, "user4", upload(folder, "One"))]))
    competition = found(folder)
    assert competition.names == ("user1", "user2", "user3", "user4")
    assert sum("Not read: 1_user1_PhaseId7" in text for text in told(competition.notes)) == 1


def test_a_team_that_is_called_like_the_gold(folder: Folder) -> None:
    for name in ("gold.csv", "Two.csv"):
        put(folder, rows(folder, "One"), name)
    assert found(folder).names == ("Two", "gold")
