"""Which file is whose."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from scoring_program.commands.score import main
from scoring_program.core.errors import (
    OrganizerError,
    ReferenceDataError,
    SettingsError,
    SubmissionError,
)
from scoring_program.data.source import read_input
from scoring_program.reading import names
from scoring_program.reading.files import DataFile
from scoring_program.reading.layout import Conventions, Source, Upload, arrange, find_submissions
from scoring_program.reading.names import Owner
from scoring_program.reading.reference import find_reference
from scoring_program.settings.loading import update
from scoring_program.settings.model import Settings
from tests.competitions import told
from tests.reading.variants import TEAMS, archive, case, every, rows_of, table


def arranged(*paths: str, layout: str = "auto", **conventions: Any) -> Upload:
    files = [DataFile(PurePosixPath(path), lambda path=path: path.encode()) for path in paths]  # type: ignore[misc]
    return arrange(files, layout, Conventions(**conventions))


def entries(upload: Upload) -> list[str]:
    return [source.entry for source in upload.sources]


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["A/r1.csv", "A/r10.csv", "A/r9.csv", "B.csv"], ["A/r1", "A/r9", "A/r10", "B"]),
        (["A/x/run1.csv", "A/x/run2.csv", "B/p.csv"], ["A/run1", "A/run2", "B"]),
        (["A.csv", "A.json", "B.csv"], ["A/A", "A/A.json", "B"]),
        (["A/p.csv", "A.csv"], ["A/A", "A/p"]),
        (["A/A.csv", "A.csv"], ["A/A", "A/A.csv"]),
        ([f"{k}_PhaseId3_2026-05-01_30-00_x/p.csv" for k in ("1_a_b", "12_a_b", "2_c")],
         ["a_b/1", "a_b/12", "c"]),
        ([*(f"1_a_PhaseId3_2026-05-01_30-00_x/{k}.csv" for k in (1, 2)), "B.csv"],
         ["B", "a/1", "a/2"]),
        (["u - 1 submission/p.csv", "u - 2 submission/p.csv", "Team X  - 1 submission/p.csv"],
         ["X", "u/1", "u/2"]),
        (["Team Spirit/p.csv", "Other/p.csv"], ["Other", "Team Spirit"]),
    ],
)  # fmt: skip
def test_teams_and_runs(paths: list[str], expected: list[str]) -> None:
    assert entries(arranged(*paths, layout="teams")) == expected


def test_one_file_is_a_single_submission_and_several_are_teams() -> None:
    assert arranged("wrap/deep/p.csv", "wrap/plot.png").layout == "single"
    assert arranged("a.csv", "b.csv").layout == "teams"
    assert arranged("a.csv", layout="teams").layout == "teams"


def test_single_refuses_several_files_and_lists_them() -> None:
    with pytest.raises(SubmissionError, match=r"2 data files \(a\.csv, b/c\.csv\)"):
        arranged("a.csv", "b/c.csv", layout="single")


def test_nothing_and_nothing_useful() -> None:
    with pytest.raises(SubmissionError, match="the upload holds no data"):
        arranged()
    with pytest.raises(SubmissionError, match=r"no predictions file among plot\.png"):
        arranged("plot.png")


def noted(folder: Path) -> tuple[list[str], tuple[str, ...]]:
    """The entries, and the names that were left aside."""
    upload = find_submissions(folder / "res")
    return entries(upload), upload.aside


@pytest.mark.parametrize(
    ("beside", "aside"),
    [
        ({"src/train.py": b""}, ("src/train.py",)),
        ({"src/train.pyc": b""}, ("src",)),
        ({"src/train.R": b"", "src/a/model.bin": b""}, ("src/a/model.bin", "src/train.R")),
        ({"code.zip": archive({"train.py": b""})}, ("code/train.py",)),
        ({"requirements.txt": b"numpy", "LICENSE.txt": b"", "README.txt": b""}, ()),
        ({"sample_submission.csv": b""}, ("sample_submission.csv",)),
        ({"failed.txt": b"none", "detailed_results.html": b""}, ()),
        ({"SampleSubmission.csv": b"", "plot.png": b""}, ("SampleSubmission.csv", "plot.png")),
    ],
)
@pytest.mark.parametrize("wrap", ["", "upload/"])
def test_what_is_no_prediction_is_set_aside(
    tmp_path: Path, beside: dict[str, bytes], aside: tuple[str, ...], wrap: str
) -> None:
    one = {wrap + name: content for name, content in {"p.csv": b"", **beside}.items()}
    assert noted(case(one).write(tmp_path / "one")) == (
        ["submission"],
        tuple(wrap + name for name in aside),
    )
    team = {f"A/{name}": content for name, content in one.items()}
    found, _ = noted(case({**team, "B.csv": b""}).write(tmp_path / "two"))
    assert found == ["A", "B"]


def test_empty_folders_beside_a_submission(tmp_path: Path) -> None:
    folder = case({"final/p.csv": b""}).write(tmp_path)
    (folder / "res" / "final" / "empty").mkdir()
    (folder / "res" / "images").mkdir()
    assert noted(folder) == (["submission"], ("final/empty", "images"))
    (folder / "res" / "q.csv").touch()
    upload = find_submissions(folder / "res")
    assert entries(upload) == ["final", "images", "q"]
    with pytest.raises(SubmissionError, match="images: the folder holds no data"):
        upload.sources[1].files[""].read()


def test_a_team_that_sent_what_is_not_read_is_not_forgotten() -> None:
    sent = ("A.csv", "B/p.csv", "C.xlsx", "D.tar.gz", "v1.2.RAR")
    upload = arranged(*sent, "A.xlsx", "B.7z", "photo.png")
    assert entries(upload) == ["A", "B", "C", "D", "v1.2"]
    assert upload.aside == ("A.xlsx", "B.7z", "photo.png")
    with pytest.raises(SubmissionError, match=r"^D\.tar\.gz: expected one of \.csv"):
        upload.sources[3].file("").read()
    assert arranged("p.csv", "code.tar.gz").layout == "single"
    in_folders = arranged("A.csv", "B.csv", "E/p.tar.gz", "F/p.xlsx")
    for team, arranged_as in (("D", upload), ("E", in_folders)):
        source = next(source for source in arranged_as.sources if source.team == team)
        with pytest.raises(SubmissionError, match=r"send a \.zip, or the file itself$"):
            source.file("").read()
    with pytest.raises(SubmissionError, match=r"read: save the sheet as CSV$"):
        in_folders.sources[3].file("").read()


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["A.csv", "B.csv", "D.dat", "E", "F.pred"], ["A", "B", "D.dat", "E", "F.pred"]),
        (["w/A.csv", "w/B.csv", "w/D.hyp.en-de"], ["A", "B", "D.hyp.en-de"]),
        (["A.dat", "B.dat"], ["A.dat", "B.dat"]),
        (["predictions"], ["submission"]),
        (["x/predictions"], ["submission"]),
        (["A/predictions", "B/predictions.csv"], ["A", "B"]),
        (["A/out.en", "B/p.csv", "C/p.csv"], ["A", "B", "C"]),
        (["A/1.en", "A/2.en", "B/p.csv", "C/p.csv"], ["A/1.en", "A/2.en", "B", "C"]),
        (["A.csv", "B.csv", "C.bin"], ["A", "B", "C"]),
        # Beside the only file of a usual name there may be copies and logs.
        (["p.csv", "log.out"], ["submission"]),
        (["p.csv", "logs/log.out"], ["submission"]),
    ],
)
def test_files_of_unusual_names(paths: list[str], expected: list[str]) -> None:
    assert entries(arranged(*paths)) == expected


@pytest.mark.parametrize("name", ["news.hyp.{}.en", "news.{}", "{}.m2", "{}.conllu", "{}"])
def test_any_number_of_files_may_share_an_extension_that_nobody_knows(name: str) -> None:
    systems = [name.format(f"S{k:02}") for k in range(30)]
    assert entries(arranged(*systems)) == systems
    with pytest.raises(SubmissionError, match="no predictions file among"):
        arranged(*(f"a{k}.b{k}" for k in range(30)))


@pytest.mark.parametrize("wrap", [False, True])
def test_files_of_unusual_names_in_archives(tmp_path: Path, wrap: bool) -> None:
    uploads = {
        "1_a_PhaseId3_2026-05-01_30-01_x.zip": archive({"predictions": b""}),
        "2_b_PhaseId3_2026-05-01_30-02_x.zip": archive({"p.csv": b"", "log.out": b""}),
        "3_c_PhaseId3_2026-05-01_30-03_x.zip": archive({"x/p.dat": b"", "model.pt": b""}),
    }
    files = {"bulk_submissions.zip": archive(uploads)} if wrap else uploads
    found, aside = noted(case(files).write(tmp_path))
    assert found == ["a", "b", "c"]
    assert [name.rpartition("/")[2] for name in aside] == ["log.out", "model.pt"]


def test_what_lies_beside_submissions_and_is_none() -> None:
    aside = ("a.png", "b.PDF", "c.docx", "d.pptx", "e.sh", "f.R", "A.csv.bak", "A.csv.md5", "g.yml")
    upload = arranged("A.csv", "B.csv", *aside)
    assert (entries(upload), upload.aside) == (["A", "B"], aside)
    # Inside a folder, a file is a run only if its name says that it holds data.
    upload = arranged("A/p.csv", "A/log.dat", "A/plot.png", "B.csv")
    assert (entries(upload), upload.aside) == (["A", "B"], ("A/log.dat", "A/plot.png"))
    many = [f"A/step{k}.out" for k in range(11)]
    source, *_ = arranged(*many, "B.csv", "C.csv").sources
    with pytest.raises(SubmissionError, match="A: no predictions file among"):
        source.file("").read()


@pytest.mark.parametrize(
    ("name", "content", "layout", "expected"),
    [
        ("D.dat", table(rows_of(TEAMS["One"])), "auto", "Uploads: 2 = 2 compared"),
        ("D", table(rows_of(TEAMS["One"])).partition(b"\n")[2], "auto", "Uploads: 2 = 2 compared"),
        ("D.dat", table(rows_of(TEAMS["One"])), "single", "Not read as predictions: D.dat."),
        ("D.dat", b"epoch 1\nepoch 2\n", "auto", "Not read as predictions: D.dat."),
        ("D.dat", b"epoch 1\nepoch 2\n", "teams", "[D.dat] D.dat: 2 rows"),
    ],
)
def test_a_file_of_an_unusual_name_beside_the_only_other(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    content: bytes,
    layout: str,
    expected: str,
) -> None:
    folder = case({"A.csv": table(rows_of(TEAMS["Two"])), name: content}).write(tmp_path)
    main([str(folder), str(tmp_path / "out"), "--resamples", "100", "--layout", layout])
    shown = capsys.readouterr()
    assert expected in shown.out + shown.err


def test_tasks_in_files_of_unusual_names() -> None:
    upload = arranged("A/stance.en", "A/mood.en", "B/stance.csv", "B/mood.csv",
                      tasks=("mood", "stance"))  # fmt: skip
    assert [(source.entry, sorted(source.files)) for source in upload.sources] == [
        ("A", ["mood", "stance"]), ("B", ["mood", "stance"]),
    ]  # fmt: skip


@pytest.mark.usefixtures("reads_here")
def test_every_file_beside_submissions_is_in_the_account(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"id": key, "label": label} for key, label in rows_of(TEAMS["One"])]
    one = table(rows_of(TEAMS["One"]))
    beside = {
        "A.csv": one, "B.csv": one, "D.dat": one, "E": one, "F.pred": one,
        "G.out": "".join(f"{json.dumps(row)}\n" for row in rows).encode(),
        "H.out": json.dumps(rows).encode(), "I.csv.gz": gzip.compress(one),
        "J.raw": bytes(range(256)), "K.pt": b"", "a.png": b"", "b.pdf": b"",
    }  # fmt: skip
    folder = case(beside).write(tmp_path)
    assert main([str(folder), str(tmp_path / "out"), "--resamples", "100"]) == 0
    shown = capsys.readouterr()
    assert "Uploads: 10 = 8 compared + 2 unusable." in shown.out
    assert "Not read as predictions: a.png, b.pdf." in shown.out
    assert "8 of 10 scored; not scored: J.raw, K" in shown.out
    assert "K: K.pt: expected one of .csv" in shown.err
    assert "a model cannot be scored" in shown.err
    scores = json.loads((tmp_path / "out" / "scores.json").read_text())
    assert [value for key, value in scores.items() if key.startswith("rank.")] == 8 * [1]
    # Pictures and documents do not count against `strict`; what is unusable does.
    assert main([str(folder), str(tmp_path / "strict"), "--resamples", "100", "--strict"]) == 1
    for name in ("J.raw", "K.pt"):
        (folder / "res" / name).unlink()
    assert main([str(folder), str(tmp_path / "strict"), "--resamples", "100", "--strict"]) == 0


def test_nothing_but_an_empty_folder_is_named(tmp_path: Path) -> None:
    folder = case({"src/train.pyc": b""}).write(tmp_path)
    with pytest.raises(SubmissionError, match="src: the folder holds no data; add the predictions"):
        find_submissions(folder / "res")


def test_a_sample_competes_only_where_nothing_else_does() -> None:
    assert entries(arranged("sample_submission.csv")) == ["submission"]
    upload = arranged("A/sample_submission.csv", "B/sample_submission.csv", "B/p.csv", "C.csv")
    assert entries(upload) == ["A", "B", "C"]
    assert upload.aside == ("B/sample_submission.csv",)
    assert entries(arranged("x/sample_submission.csv", "x/A.csv", "x/B.csv")) == ["A", "B"]


def test_what_was_set_aside_is_told(tmp_path: Path) -> None:
    rows = table(rows_of(TEAMS["One"]))
    more = {f"{i}.png": b"" for i in range(12)}
    competition, _ = read_input(
        case({"p.csv": rows, **more}).write(tmp_path), lambda settings: settings
    )
    (aside,) = (
        text for text in told(competition.notes) if text.startswith("Not read as predictions")
    )
    assert aside.count(".png") == 10
    assert aside.endswith(", … and 2 more.")


def test_names_that_differ_only_in_how_unicode_writes_them(tmp_path: Path) -> None:
    one, other = "Nand\u00fa", "Nandu\u0301"
    spelled = "Nandu<U+0301>"
    folder = case({f"{other}/p.csv": b"1", "B.csv": b""}).write(tmp_path)
    assert entries(find_submissions(folder / "res")) == ["B", one]
    (folder / "res" / f"{one}.csv").write_bytes(b"2")
    assert entries(find_submissions(folder / "res")) == ["B", spelled, one]
    (folder / "res" / one).mkdir()
    (folder / "res" / one / "p.csv").write_bytes(b"3")
    upload = find_submissions(folder / "res")
    assert entries(upload) == ["B", spelled, f"{one}/{one}", f"{one}/p"]
    assert [source.files[""].read() for source in upload.sources] == [b"", b"1", b"2", b"3"]
    (folder / "res" / f"{spelled}.csv").write_bytes(b"4")
    assert entries(find_submissions(folder / "res"))[1:3] == ["Nandu<U+003C>U+0301>", spelled]


def test_runs_whose_names_differ_only_in_how_unicode_writes_them() -> None:
    upload = arranged("A/Nand\u00fa.csv", "A/Nandu\u0301.csv", "B.csv")
    assert entries(upload) == ["A/Nandu<U+0301>", "A/Nand\u00fa", "B"]


@pytest.mark.parametrize(
    ("victim", "other", "expected"),
    [
        ("1_Jos\u00e9_PhaseId3_2026-05-01_30-00_x.csv",
         "2_Jose\u0301_PhaseId3_2026-05-01_30-00_x.csv", ["Jose<U+0301>", "Jos\u00e9"]),
        ("1_Jos\u00e9_PhaseId3_2026-05-01_30-00_x.csv",
         "2_Jos\u00e9 _PhaseId3_2026-05-01_30-00_x.csv", ["Jos\u00e9", "Jos\u00e9<U+0020>"]),
        ("Team Jos\u00e9  - 1 submission.csv", "Team Jos\u00e9   - 2 submission.csv",
         ["Jos\u00e9", "Jos\u00e9<U+0020>"]),
        ("Jos\u00e9 - 1 submission.csv", "Jose\u0301 - 2 submission.csv",
         ["Jose<U+0301>", "Jos\u00e9"]),
        ("Team T  - 1 submission.csv", "T (CodaLab team).csv", ["T", "T (CodaLab team)"]),
        ("stance_Jos\u00e9.csv", "stance_Jose\u0301.csv",
         ["stance_Jose<U+0301>", "stance_Jos\u00e9"]),
    ],
)  # fmt: skip
def test_whose_an_upload_is_follows_its_exact_name(
    victim: str, other: str, expected: list[str]
) -> None:
    assert entries(arranged(victim, other, layout="teams")) == expected


def test_a_folder_that_is_called_like_what_tells_two_teams_apart() -> None:
    paths = ("alice - 1 submission/p.csv", "alice/p.csv", "alice (CodaLab user)/p.csv")
    assert entries(arranged(*paths)) == ["alice", "alice (CodaLab user)", "alice (CodaLab user)*"]


def test_spaces_that_do_not_show_are_spelt_out() -> None:
    paths = ("Alice.csv", "Alice .csv", " Alice.csv", "A B.csv", "A  B.csv", "A   B/p.csv")
    assert entries(arranged(*paths)) == [
        "<U+0020>Alice",
        "A <U+0020><U+0020>B",
        "A <U+0020>B",
        "A B",
        "Alice",
        "Alice<U+0020>",
    ]


def test_spaces_at_the_ends_are_left_out_where_no_other_name_differs_in_them() -> None:
    paths = (" Alice /p.csv", "Team Bob   - 1 submission/p.csv", "A  B .csv", "Al.csv")
    assert entries(arranged(*paths)) == ["A <U+0020>B", "Al", "Alice", "Bob"]


def test_names_of_different_name_spaces_are_of_different_teams() -> None:
    paths = [f"{name} - 1 submission/p.csv" for name in ("T", "Team T ")]
    assert entries(arranged(*paths)) == ["T (CodaLab team)", "T (CodaLab user)"]
    theirs = (*paths, "4_T_PhaseId3_2026-05-01_30-00_x/p.csv", "T.csv", "U - 1 submission.csv")
    assert entries(arranged(*theirs)) == [
        "T",
        "T (CodaLab team)",
        "T (CodaLab user)",
        "T (Codabench user)",
        "U",
    ]
    squeezed = ("Team A B - 2 submission/p.csv", "A B.csv")  # some programs join the spaces
    assert entries(arranged(*squeezed)) == ["A B", "A B (CodaLab team)"]


def test_runs_of_one_name_are_kept_apart() -> None:
    paths = [f"Team T{spaces} - 1 submission/p.csv" for spaces in (" ", "")]
    assert entries(arranged(*paths)) == ["T/1", "T/p.csv"]
    assert len(arranged(*paths, "Team  T  - 1 submission/p.csv").sources) == 3


#: Names of teams that are also names of files, or begin like them.
TEAMS_LIKE_FILES = (
    "License to Kill", "LICENSE", ".NET team", ".config fans", "metadata", "metadata.yaml",
    "README masters", "README", "Sample Submission United", "sample_submission", "Thumbs.db",
    "requirements", "monty.py", "train", "failed.txt", "detailed_results.html",
)  # fmt: skip


@pytest.mark.parametrize("team", TEAMS_LIKE_FILES)
@pytest.mark.parametrize(
    "lay",
    [
        lambda team, rows: {f"{team}/predictions.csv": rows},
        lambda team, rows: {f"{team}.zip": archive({"predictions.csv": rows})},
        lambda team, rows: {
            "teams.zip": archive({f"{t}/p.csv": r for t, r in ((team, rows), ("B", b""))})
        },
        lambda team, rows: {
            f"T-1-results/Team {team}  - 3 submission.zip": archive({"p.csv": rows}),
            "T-1-results/B - 3 submission.zip": archive({"p.csv": rows}),
        },
    ],
    ids=["folder", "archive", "archive of folders", "CodaLab"],
)
def test_what_is_ignored_among_files_is_not_applied_to_teams(
    tmp_path: Path, team: str, lay: Callable[[str, bytes], dict[str, bytes]]
) -> None:
    rows = b"id,label\n"
    made = lay(team, rows)
    others = {} if len(made) > 1 or "teams.zip" in made else {"B/p.csv": rows}
    upload = find_submissions(case({**made, **others}).write(tmp_path) / "res")
    assert entries(upload) == sorted([team, "B"])
    assert upload.aside == ()


@pytest.mark.parametrize(
    "team", ["License to Kill", ".NET team", "metadata", "README masters", "Sample Submission Utd"]
)
def test_files_may_be_called_after_teams(tmp_path: Path, team: str) -> None:
    files = {f"{name}.csv": b"id,label\n" for name in (team, "B", "C")}
    folder = case(files).write(tmp_path) / "res"
    assert entries(find_submissions(folder)) == sorted([team, "B", "C"])
    (folder / "B.csv").unlink()
    assert entries(find_submissions(folder, "teams")) == sorted([team, "C"])


def test_a_hidden_file_makes_no_team_of_a_single_submission(tmp_path: Path) -> None:
    folder = case({"p.csv": b"", ".p.csv": b""}).write(tmp_path)
    assert noted(folder) == (["submission"], (".p.csv",))


def test_files_of_several_teams_that_are_no_data_are_not_called_one_upload() -> None:
    with pytest.raises(SubmissionError, match="the 2 files and folders: no predictions file among"):
        arranged("A.xlsx", "B.xlsx")


def test_metadata_are_not_read_in_the_place_of_predictions(tmp_path: Path) -> None:
    zipped = archive({"metadata.txt": b"x: 1\n", "sentence.submission": b"1\n"})
    for name, files in {
        "teams": {"A.zip": zipped, "B.zip": zipped},
        "platform": {"metadata.txt": b"x: 1\n", "sentence.submission": b"1\n"},
    }.items():
        upload = find_submissions(case(files).write(tmp_path / name) / "res")
        read = [file.path.name for source in upload.sources for file in source.files.values()]
        assert {*read} == {"sentence.submission"}


def test_files_of_systems_and_programmers_are_ignored(tmp_path: Path) -> None:
    left = (
        "._A.zip", "._p.csv", ".~lock.p.csv#", "A/~$p.csv", "~$A.zip", "__MACOSX/A/._p.csv",
        "A/.p.csv", "A/README.txt",
        "A/readme_en.md", "A/LICENSE.txt", "A/requirements-dev.txt", "A/.ipynb_checkpoints/p.csv",
        "A/.git/p.txt", "A/setup.pyc", "README", "LICENSE (1).md", "metadata", "Thumbs.db",
        "A/metadata.txt",
    )  # fmt: skip
    files = {
        **dict.fromkeys(left, b"x"),
        "A/readme_predictions.csv": b"",
        "B.csv": b"",
        "README.csv": b"",
    }
    assert noted(case(files).write(tmp_path)) == (["A", "B", "README"], ())


@pytest.mark.parametrize("folder", ["alice/", "alice - 9 submission/", "alice/bob - 1 submission/"])
def test_the_names_that_participants_give_found_no_team_and_no_phase(folder: str) -> None:
    inside = [f"{folder}{k}_bob_PhaseId{k}_2026-05-01_30-00_p.csv" for k in (1, 2)]
    upload = arranged(*inside, "bob.csv")
    assert {source.team for source in upload.sources} == {"alice", "bob"}
    assert upload.notes == ()


def test_wrapped_downloads_are_downloads() -> None:
    uploads = [f"{k}_{who}_PhaseId3_2026-05-01_30-00_x.zip" for k, who in ((1, "a"), (2, "b"))]
    for folder in ("", "mine/", "mine/bulk_submissions/"):
        upload = arranged(*(f"{folder}{name[:-4]}/p.csv" for name in uploads), f"{folder}3.png")
        assert entries(upload) == ["a", "b"]


def test_lists_of_names_are_cut() -> None:
    many = [f"file{i:02d}.csv" for i in range(40)]
    for found, layout in ((many, "single"), ([f"{name}.png" for name in many], "auto")):
        with pytest.raises(SubmissionError, match=r"file09.*, … and 30 more") as caught:
            arranged(*found, layout=layout)
        assert "file10" not in str(caught.value)
    (source,) = arranged(*(f"A/{i}.png" for i in range(12)), "B.csv", layout="teams").sources[:1]
    with pytest.raises(SubmissionError, match="… and 2 more"):
        source.files[""].read()


@pytest.mark.parametrize(
    ("pattern", "name", "expected"),
    [
        ("{team}_run{run}", "UMU_Team_run12", ("UMU_Team", "12")),
        ("{team}_{run}", "A_B_C", ("A_B", "C")),
        ("T1.{team}", "T1.x", ("x", None)),
        ("{run}-{team}", "2-x", ("x", "2")),
        ("{team}_run{run}", "UMU", None),
        ("T1.{team}", "T1-x", None),
    ],
)
def test_name_pattern(pattern: str, name: str, expected: tuple[str, str | None] | None) -> None:
    owner = names.parse_owner(name, pattern)
    assert (owner and (owner.team, owner.run)) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("12_ana_PhaseId7_2026-05-01_30-00_p", Owner("ana", "12", 7, "2026-05-01")),
        ("res_12_a_b_PhaseId7_2026-05-01:30-00_p", Owner("a_b", "12", 7, "2026-05-01")),
        ("1_ana_PhaseId7_2026-05-01_30-00_2_bo_PhaseId9_x", Owner("ana", "1", 7, "2026-05-01")),
        ("1_ana_PhaseId7_p", None),
        ("1_ana_PhaseId7_2026-05-01_p", None),
        ("1_ana_phaseid7_p", None),
        ("ana_PhaseId7_2026-05-01_30-00_p", None),
    ],
)
def test_names_in_codabenchs_download(name: str, expected: Owner | None) -> None:
    owner = names.parse_codabench_name(name)
    assert (owner and replace(owner, upload=None, space="")) == expected


def test_one_uploads_runs_are_known_by_the_rest_of_the_name() -> None:
    first, again, other = (
        names.parse_codabench_name(f"{name}_p")
        for name in (
            "1_ana_PhaseId7_2026-05-01_30-00",
            "9_ana_PhaseId7_2026-05-01_30-00",
            "2_ana_PhaseId7_2026-05-01_30-01",
        )
    )
    assert first is not None
    assert again is not None
    assert other is not None
    assert first.upload == again.upload != other.upload


def test_file_that_does_not_follow_the_pattern_is_unusable() -> None:
    sources = arranged("A_run1.csv", "B.csv", layout="teams", pattern="{team}_run{run}").sources
    assert [source.entry for source in sources] == ["A", "B"]
    with pytest.raises(SubmissionError, match="does not follow the pattern"):
        sources[1].files[""].read()


@pytest.mark.parametrize("pattern", ["{run}", "team", "{team}{team}", "{team}{run}{run}"])
def test_pattern_without_team(pattern: str) -> None:
    with pytest.raises(SettingsError, match="name_pattern: expected a pattern with one"):
        update(Settings(), {"name_pattern": pattern}, {})


TASKS = ("stance", "mood")


@pytest.mark.parametrize(
    "paths",
    [
        ["A/stance.csv", "A/mood.csv", "B/stance.csv", "B/mood.csv"],
        ["stance/A.csv", "mood/A.csv", "stance/B.csv", "mood/B.csv"],
        ["A_stance.csv", "A_mood.csv", "B_stance.csv", "B-Mood.csv"],
        ["stance_A.csv", "mood_A.csv", "stance_B.csv", "mood_B.csv"],
        ["A/final/STANCE.json", "A/final/mood.csv", "B/w/stance.csv", "B/w/mood.csv"],
    ],
)
def test_tasks_of_every_team(paths: list[str]) -> None:
    upload = arranged(*paths, tasks=TASKS)
    assert upload.layout == "teams"
    assert entries(upload) == ["A", "B"]
    assert all(list(source.files) and set(source.files) == set(TASKS) for source in upload.sources)


def test_tasks_of_one_submission() -> None:
    upload = arranged("w/stance.csv", "w/mood.csv", tasks=TASKS)
    assert upload.layout == "single"
    assert [sorted(source.files) for source in upload.sources] == [["mood", "stance"]]


def test_runs_with_tasks() -> None:
    upload = arranged(
        *(f"A/run{r}/{t}.csv" for r in (1, 2) for t in TASKS), "B/mood.csv", tasks=TASKS
    )
    assert entries(upload) == ["A/run1", "A/run2", "B"]


def test_file_of_no_task() -> None:
    (source,) = arranged("labels.csv", tasks=TASKS, layout="teams").sources
    with pytest.raises(SubmissionError, match=r"the name states no task; .* stance, mood"):
        source.files["stance"].read()


def test_reference_finds_gold_settings_and_field(tmp_path: Path) -> None:
    for name in ("gold.csv", "scoring.yaml", "metric.py", "README.md", "submissions/A.csv"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    reference = find_reference(tmp_path, "scoring.yaml")
    assert [str(file.path) for file in reference.gold.values()] == ["gold.csv"]
    assert reference.settings == tmp_path / "scoring.yaml"
    assert [source.entry for source in reference.rivals(Conventions())] == ["A"]


@pytest.mark.parametrize("name", ["gold.en", "gold", "gold.conllu"])
def test_the_only_reference_may_have_an_unusual_name(tmp_path: Path, name: str) -> None:
    folder = case({"A.csv": b"", "B.csv": b""}, gold={name: b"", "plot.png": b""}).write(tmp_path)
    assert [str(file.path) for file in find_reference(folder / "ref", "s.yaml").gold.values()] == [
        name
    ]


def test_what_kaggle_gives_to_participants_is_no_gold(tmp_path: Path) -> None:
    for name in ("solution.csv", "train.csv", "Test.csv", "sample_submission.csv"):
        (tmp_path / name).touch()
    assert find_reference(tmp_path, "scoring.yaml").tasks == ("",)
    (tmp_path / "solution.csv").rename(tmp_path / "dev.csv")
    assert len(find_reference(tmp_path, "scoring.yaml").tasks) == 3


@pytest.mark.parametrize("name", ["scoring.yml", "Scoring.YAML", "scoring.yaml.txt"])
def test_settings_by_another_name_are_not_passed_over(tmp_path: Path, name: str) -> None:
    (tmp_path / "gold.csv").touch()
    (tmp_path / name).touch()
    with pytest.raises(SettingsError, match=f"must be in scoring.yaml; rename {name}"):
        find_reference(tmp_path, "scoring.yaml")
    (tmp_path / "scoring.yaml").touch()
    (tmp_path / name).unlink()
    assert find_reference(tmp_path, "scoring.yaml").settings == tmp_path / "scoring.yaml"


def test_field_may_be_an_archive(tmp_path: Path) -> None:
    (tmp_path / "gold.csv").touch()
    (tmp_path / "submissions.zip").write_bytes(archive({"A.csv": b"", "B/p.csv": b""}))
    reference = find_reference(tmp_path, "scoring.yaml")
    assert [source.entry for source in reference.rivals(Conventions())] == ["A", "B"]
    assert reference.tasks == ("",)


def test_two_gold_files_of_one_task(tmp_path: Path) -> None:
    (tmp_path / "a.csv").touch()
    (tmp_path / "a.json").touch()
    with pytest.raises(
        ReferenceDataError, match=r"a\.csv and a\.json are both reference data of the task"
    ):
        find_reference(tmp_path, "scoring.yaml")


def test_field_without_a_data_file(tmp_path: Path) -> None:
    folder = case({"p.csv": table(rows_of(TEAMS["One"]))}).write(tmp_path)
    (folder / "ref" / "submissions").mkdir()
    with pytest.raises(OrganizerError, match="ref/submissions holds no submission"):
        read_input(folder, lambda settings: settings)


def test_a_field_beside_several_teams_is_not_read(tmp_path: Path) -> None:
    folder = case(every("{}.csv".format)).write(tmp_path)
    (folder / "ref/submissions").mkdir()
    (folder / "ref/submissions/Nine.csv").write_bytes(table(rows_of(TEAMS["One"])))
    competition, _ = read_input(folder, lambda settings: settings)
    assert competition.names == ("One", "Three", "Two")
    assert "ref/submissions was not read: a single submission is compared with it" in " ".join(
        told(competition.notes)
    )


def test_source_is_named_after_team_and_run() -> None:
    assert Source("T", "r", {}).entry == "T/r"
    assert Source("T", None, {}).entry == "T"


def test_what_was_detected_is_told(tmp_path: Path) -> None:
    competition, _ = read_input(
        case(every("{}.csv".format)).write(tmp_path), lambda settings: settings
    )
    assert told(competition.notes) == ["Layout: teams, 3 found.", "Format: 3 CSV."]


def test_baselines_follow_no_pattern() -> None:
    paths = ("A_run1.csv", "B_run1.csv", "baseline_svm.tsv", "odd.csv")
    upload = arranged(*paths, pattern="{team}_run{run}", organizers_entries=("baseline_svm",))
    assert entries(upload) == ["A", "B", "baseline_svm", "odd"]
    assert upload.sources[2].file("").read() == b"baseline_svm.tsv"
    with pytest.raises(SubmissionError, match="list its name in the setting 'baselines'"):
        upload.sources[3].file("").read()


@pytest.mark.parametrize(
    ("ref", "tasks"),
    [
        (("stance-gold.csv", "mood_gold.csv"), ("mood", "stance")),
        (("gold.txt", "source.txt"), ("",)),
        (("one.csv", "two.csv", "src.txt"), ("one", "two")),
        (("reference.de.txt", "source.en.txt"), ("",)),
    ],
)
def test_names_of_tasks(tmp_path: Path, ref: tuple[str, ...], tasks: tuple[str, ...]) -> None:
    for name in ref:
        (tmp_path / name).write_bytes(b"id,label\n")
    assert tuple(sorted(find_reference(tmp_path, "scoring.yaml").tasks)) == tasks
    sent = [f"A_{task}-pred.csv" for task in tasks] + [
        f"B-{task}.predictions.csv" for task in tasks
    ]
    if len(tasks) > 1:
        assert entries(arranged(*sent, layout="teams", tasks=tasks)) == ["A", "B"]


@pytest.mark.parametrize("name", ["config.yaml", "settings.yml", "Settings.yaml"])
def test_settings_by_another_name_are_not_ignored(tmp_path: Path, name: str) -> None:
    for file in ("gold.csv", name):
        (tmp_path / file).write_bytes(b"")
    with pytest.raises(SettingsError, match=f"must be in scoring.yaml; rename {name}, or remove"):
        find_reference(tmp_path, "scoring.yaml")


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["stance/A.csv", "stance/B.csv", "mood/A.csv", "mood/B.csv"], {"A": 2, "B": 2}),
        (["stance/A_stance.csv", "mood/A_mood.csv", "stance/B.csv"], None),
        (["A/stance.csv", "A/mood.csv", "stance/stance.csv", "stance/mood.csv"],
         {"A": 2, "stance": 2}),
        (["A/stance.csv", "A/mood.csv", "Stance/mood.csv"], {"A": 2, "Stance": 1}),
        (["A/stance.csv", "A/mood.csv", "stance/A.csv"], {"A": 2, "stance": 1}),
        (["A/stance.csv", "A/mood.csv", "A_stance.csv", "stance/B_mood.csv"], None),
    ],
)  # fmt: skip
def test_a_folder_that_is_called_like_a_task(
    paths: list[str], expected: dict[str, int] | None
) -> None:
    sources = arranged(*paths, tasks=TASKS).sources
    if expected is not None:
        assert {source.entry: len(source.files) for source in sources} == expected
    assert all(source.files for source in sources)


@pytest.mark.parametrize("folders", [("stance", "mood"), ("Stance", "mood")])
def test_a_folder_that_may_be_a_teams_or_a_tasks(folders: tuple[str, str]) -> None:
    paths = [f"{folder}/{task}.csv" for folder in folders for task in TASKS]
    with pytest.raises(SettingsError, match="may be a team's, or hold all") as error:
        arranged(*paths, tasks=TASKS)
    assert f"rename it, such as to 'team {error.value.args[0].split(chr(39))[1]}'" in str(
        error.value
    )


def test_folders_of_other_tasks_are_no_runs_of_the_gold_s() -> None:
    tasks = ("english", "german")
    both = [f"{{}}/answer/{name}/{task}.txt" for name in ("Task-1", "task_2") for task in tasks]
    sent = [path.format(team) for team in "AB" for path in both]
    upload = arranged(*sent, tasks=tasks, folder="task2")
    assert entries(upload) == ["A", "B"]
    read = [file.path.parts[-2] for source in upload.sources for file in source.files.values()]
    assert {*read} == {"task_2"}
    assert "Only task2 was read" in upload.notes[0]
    assert "A/answer/Task-1/english.txt" in upload.notes[0]
    alone = arranged(*(path.format("A") for path in both), tasks=tasks, folder="task2")
    assert (alone.layout, entries(alone)) == ("single", ["submission"])
    lacks = arranged("A/task1/english.txt", "B/english.txt", tasks=tasks, folder="task2")
    with pytest.raises(SubmissionError, match="no predictions for this task, only for others"):
        lacks.sources[0].file("english").read()


def test_folders_of_several_tasks_are_asked_about_where_the_gold_s_names_none() -> None:
    tasks = ("english", "german")
    for team in ("A", "x/A"):
        sent = [f"{team}/task{n}/{name}.txt" for n in (1, 2) for name in tasks]
        for source in arranged(*sent, "B/english.txt", tasks=tasks).sources:
            if source.team != "B":
                with pytest.raises(SubmissionError, match="there are folders of several tasks"):
                    source.file("english").read()
        stated = arranged(*sent, "B/english.txt", tasks=tasks, other_tasks=["task1"])
        assert all("task1" not in str(f.path) for s in stated.sources for f in s.files.values())
        assert entries(stated) in (["A", "B"], ["B", "x"])
    # Folders of the tasks that are scored are none of others.
    own = arranged("task1/A.txt", "task2/A.txt", "task1/B.txt", tasks=("task1", "task2"))
    assert entries(own) == ["A", "B"]


def test_what_lies_beside_a_folder_called_like_the_gold_s_is_asked_about() -> None:
    sent = ["A/lexical/english.txt", "A/other/english.txt", "B/lexical/english.txt"]
    one, other = (source for source in arranged(*sent, folder="lexical").sources[:2])
    assert one.file("").read()
    with pytest.raises(SubmissionError, match="beside a folder that is called like that of"):
        other.file("").read()
    stated = arranged(*sent, folder="lexical", other_tasks=["other"])
    assert entries(stated) == ["A", "B"]
    # A team may be called like the gold's folder.
    teams = arranged("sent/lexical/x.txt", "sent/B/x.txt", "sent/C.txt", folder="lexical")
    assert entries(teams) == ["B", "C", "lexical"]
    assert all(source.file("").read() for source in teams.sources)
