"""The program as people and platforms call it: outputs, exit statuses, messages."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
import yaml

from scoring_program.commands.score import main
from tests.competitions import EXAMPLE, REPOSITORY, Folder, numeric, write_csv
from tests.sweeps import thinned

OUTPUTS = {
    "scores.txt",
    "scores.json",
    "results.json",
    "detailed_results.html",
    "tables",
    "figures",
}


def test_writes_every_output(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    assert folder.write().run() == 0
    assert {path.name for path in folder.output.iterdir()} == OUTPUTS
    assert "The settings name no metric" in capsys.readouterr().out
    kinds = ("ranking", "differences", "pairwise", "competitiveness")
    names = {path.name for path in (folder.output / "tables").iterdir()}
    assert {f"{kind}.{ending}" for kind in kinds for ending in ("csv", "tex", "md")} <= names


def test_a_warning_about_several_metrics_is_one_line(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    assert folder.write("metrics: [accuracy_score, matthews_corrcoef]\n").run() == 0
    lines = capsys.readouterr().out.splitlines()
    found = [line for line in lines if "Only 60 examples" in line]
    assert found == [
        "Warning (amber), accuracy, MCC: Only 60 examples, fewer than 100: intervals and p-values "
        "are approximate."
    ]


def test_runs_as_a_module_from_the_repository_root(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "scoring_program", str(EXAMPLE), str(tmp_path / "out")],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    verdict, *picture, luck, page = done.stdout.splitlines()[-13:]
    assert [verdict, page] == [
        "NLPCIC is first (F1 0.7154), but CIMATMTYGTO and DCCDINFOTEC may be as good or better.",
        f"Page: {tmp_path / 'out' / 'detailed_results.html'}",
    ]
    assert luck.startswith("Whoever comes first was partly lucky.")
    # The bars of possible winners, and only those, reach the finish line.
    reach = [line.split()[0] for line in picture if "o|" in line or "-|" in line]
    assert reach == ["NLPCIC", "CIMATMTYGTO", "DCCDINFOTEC"]
    assert max(map(len, picture)) <= 60


@pytest.mark.parametrize("installed", [True, False])
def test_a_page_without_its_card_says_why(
    folder: Folder,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    installed: bool,
) -> None:
    """Where links to the page cannot show its card, the log says what to do about it."""
    find = importlib.util.find_spec

    def found(name: str, package: str | None = None) -> object:
        if name == "vl_convert":
            return object() if installed else None
        return find(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", found)
    address = "https://example.org/results.html"
    assert folder.write(f"page_url: {address}\n").run() == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "page_url" in line]
    assert "figures: [png]" in line
    assert ("deadheat[figures]" in line or ".[figures]" in line) is not installed
    page = (folder.output / "detailed_results.html").read_text(encoding="utf-8")
    assert "og:url" in page
    assert "og:image" not in page


def test_help_names_every_setting(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--help"])
    assert stopped.value.code == 0
    text = capsys.readouterr().out
    assert all(f"--{name}" in text for name in ("tie-rule", "resamples", "time-budget", "strict"))


def test_usage_errors_are_the_organizers(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["only-one-folder"])
    assert stopped.value.code == 2


@pytest.mark.parametrize("layout", ["teams", "single", "field"])
def test_both_platforms_read_the_scores(folder: Folder, layout: str) -> None:
    folder.write("metrics: [accuracy_score, {f1_score: {average: macro}}]\n")
    if layout != "teams":
        _make_single(folder, field=layout == "field")
    assert folder.run() == 0
    text = (folder.output / "scores.txt").read_text(encoding="utf-8")
    codalab = folder.scores()  # splits each line on the colon and calls float
    codabench = yaml.safe_load(text)  # loads YAML and stores Decimal(20, 10)
    assert codalab == codabench == json.loads((folder.output / "scores.json").read_bytes())
    for value in text.split()[1::2]:
        assert len(value.split(".")[1]) == 10
        assert Decimal(value).adjusted() < 10
    assert text.isascii()
    assert all(len(key) <= 36 for key in codalab)
    always = {"accuracy_score", "accuracy_score_ci_low", "f1_score_ci_high", "n_teams"}
    assert always <= set(codalab)
    expected = {
        "teams": {
            "n_tied_with_leader",
            "accuracy_score.One",
            "rank.Two",
            "tied_with_leader.One",
            "distance_from_best.Two",
        },
        "field": {
            "rank",
            "tied_with_leader",
            "distance_from_best",
            "difference_from_leader",
            "p_value",
        },
        "single": set(),
    }[layout]
    assert expected <= set(codalab)
    assert ("rank" in codalab) == (layout == "field")


def test_figures_are_written_for_latex_where_asked(folder: Folder) -> None:
    pytest.importorskip("vl_convert")
    folder.write("metrics: [accuracy_score]\n")
    assert folder.run("--figures", "pdf") == 0
    drawn = {path.name for path in (folder.output / "figures").iterdir()}
    assert {"intervals.svg", "intervals.pdf"} <= drawn
    assert (folder.output / "figures" / "intervals.pdf").read_bytes().startswith(b"%PDF")


def test_figures_that_cannot_be_converted_stop_a_run_before_its_work(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "vl_convert" else found(name)
    )
    folder.write("metrics: [accuracy_score]\nfigures: [pdf, png]\n")
    assert folder.run() == 2
    printed = capsys.readouterr()
    assert 'pip install ".[figures]"' in printed.err
    assert "entries on" not in printed.out
    assert not folder.output.exists()


#: What Codabench's worker writes beside the predictions.
METADATA = "elapsedTime: 1.25\nexitCode: 0\ningestionElapsedTime: null\ningestionExitCode: null\n"


def _make_single(folder: Folder, *, field: bool) -> None:
    if field:
        (folder.input / "res").rename(folder.input / "ref" / "submissions")
    else:
        for path in sorted((folder.input / "res").glob("*/*")):
            path.unlink()
            path.parent.rmdir()
    write_csv(
        folder.input / "res" / "predictions.csv",
        {"id": folder.ids, "label": folder.teams["Two"]},
    )
    (folder.input / "res" / "metadata").write_text(METADATA)


@pytest.mark.parametrize(
    ("metadata", "duration"),
    [
        (METADATA, 1.25),
        (METADATA.replace("1.25", "2.5e-05"), 2.5e-05),
        (METADATA.replace("1.25", "null"), None),  # nothing of the participant's was run
        ("elapsedTime: 1.25\n", None),
        ("exitCode: 0\nelapsedTime: 1.25\n", None),
        ("elapsedTime: 0.001\n" + METADATA, None),  # CodaLab's worker adds to what is there
        (METADATA + "more: 1\n", None),
        (METADATA.replace("\n", "\r\n"), None),
        (METADATA.replace("1.25", "-1"), None),
        (METADATA.replace("1.25", "1e400"), None),
    ],
)
def test_only_the_platform_says_how_long_a_submission_took(
    folder: Folder, metadata: str, duration: float | None
) -> None:
    folder.write("metrics: [accuracy_score]\n")
    _make_single(folder, field=False)
    (folder.input / "res" / "metadata").write_bytes(metadata.encode())
    assert folder.run() == 0
    assert folder.scores().get("duration") == duration
    (folder.input / "metadata").write_text("res: https://codalab.example/res.zip\n")
    assert folder.run() == 0
    assert "duration" not in folder.scores()


def test_a_single_submission_stands_in_the_field(folder: Folder) -> None:
    folder.write("metrics: [accuracy_score]\n")
    assert folder.run() == 0
    together = folder.scores()
    _make_single(folder, field=True)
    assert folder.run() == 0
    scores = folder.scores()
    assert scores["n_teams"] == 4
    assert scores["accuracy_score"] == together["accuracy_score.Two"]
    assert scores["rank"] == together["rank.Two"]
    assert scores["duration"] == 1.25
    assert folder.results()["form"] == "field"


def test_one_csv_a_team(folder: Folder) -> None:
    folder.write()
    assert folder.run() == 0
    expected = (folder.output / "results.json").read_text(encoding="utf-8")
    for path in (folder.input / "res").iterdir():
        (path / "predictions.csv").rename(folder.input / "res" / f"{path.name}.csv")
        path.rmdir()
    assert folder.run() == 0
    assert (folder.output / "results.json").read_text(encoding="utf-8") == expected


def test_a_broken_submission_is_listed_and_the_others_scored(folder: Folder) -> None:
    folder.write()
    folder.team("Four", {"id": folder.ids[:-2], "label": ["a"] * 57 + ["z"]})
    assert folder.run() == 0
    (unusable,) = folder.results()["unusable"]
    assert unusable["entry"] == "Four"
    for part in ("Four/predictions.csv", "2 missing ids", "'x058'", "1 unknown label", "line 59"):
        assert part in unusable["reason"]
    page = (folder.output / "detailed_results.html").read_text(encoding="utf-8")
    assert "2 missing ids" in page
    assert folder.results()["m"] == 3
    assert folder.run("--strict") == 1


Break = Callable[[Folder], object]


def _rows(folder: Folder, ids: list[str], labels: list[str]) -> None:
    write_csv(folder.input / "res" / "predictions.csv", {"id": ids, "label": labels})


def _numeric(folder: Folder, cell: str) -> None:
    values = [str(i / 7) for i in range(len(folder.ids))]
    write_csv(folder.input / "ref" / "gold.csv", {"id": folder.ids, "y": values})
    values[4] = cell
    write_csv(folder.input / "res" / "predictions.csv", {"id": folder.ids, "y": values})


def _text(path: str, content: str | bytes) -> Break:
    def write(folder: Folder) -> None:
        target = folder.input / path
        target.write_bytes(content if isinstance(content, bytes) else content.encode())

    return write


def _remove(path: str) -> Break:
    return lambda folder: (folder.input / path).unlink()


CASES: dict[str, tuple[Break, int, list[str]]] = {
    "missing ids": (
        lambda f: _rows(f, f.ids[3:], f.labels[3:]),
        1,
        ["predictions.csv", "3 missing ids", "'x000'", "Expected 60 rows"],
    ),
    "extra ids": (
        lambda f: _rows(f, [*f.ids, "new"], [*f.labels, "a"]),
        1,
        ["predictions.csv", "1 extra id", "line 62", "'new'"],
    ),
    "duplicate ids": (
        lambda f: _rows(f, [*f.ids, "x007"], [*f.labels, "a"]),
        1,
        ["predictions.csv", "1 duplicate id", "line 62", "line 9"],
    ),
    "wrong number of rows": (
        _text("res/predictions.csv", "label\na\nb\n"),
        1,
        ["predictions.csv", "line 3", "2 rows", "60 expected", "one row per example"],
    ),
    "unknown label": (
        lambda f: _rows(f, f.ids, ["A", *f.labels[1:]]),
        1,
        ["predictions.csv", "1 unknown label", "line 2", "'A'"],
    ),
    "empty cell": (
        lambda f: _rows(f, f.ids, ["", *f.labels[1:]]),
        1,
        ["predictions.csv", "1 empty value", "line 2"],
    ),
    "empty file": (_text("res/predictions.csv", ""), 1, ["predictions.csv", "is empty"]),
    "nan": (
        lambda f: _numeric(f, "NaN"),
        1,
        ["predictions.csv", "line 6", "'NaN'", "finite number"],
    ),
    "infinity": (lambda f: _numeric(f, "1e999"), 1, ["line 6", "'1e999'", "finite number"]),
    "decimal comma": (lambda f: _numeric(f, "0,5"), 1, ["line 6", "decimal point as '.'"]),
    "empty res": (_remove("res/predictions.csv"), 1, ["the upload holds no data", "expected one"]),
    "no gold": (_remove("ref/gold.csv"), 2, ["there are no reference data", "put a gold.csv"]),
    "duplicate gold ids": (
        _text("ref/gold.csv", "id,label\nx,a\nx,b\n"),
        2,
        ["gold.csv: line 3", "already on line 2", "must be unique"],
    ),
    "empty gold label": (
        _text("ref/gold.csv", "id,label\nx,a\ny,\n"),
        2,
        ["gold.csv: line 3", "give every example a label"],
    ),
    "unknown settings key": (
        lambda f: f.settings("seed: 1\nrank_bye: f1\n"),
        2,
        ["scoring.yaml, line 2", "'rank_bye'", "did you mean 'rank_by'"],
    ),
    "unknown metric": (
        lambda f: f.settings("metrics:\n  - f1_scor: {average: macro}\n"),
        2,
        ["scoring.yaml, line 2", "'f1_scor'", "did you mean 'f1_score'"],
    ),
    "unreadable settings": (
        lambda f: f.settings("metrics: [f1_score\n"),
        2,
        ["scoring.yaml, line 2", "not valid YAML"],
    ),
    "unknown column": (
        lambda f: f.settings("group: documents\n"),
        2,
        ["scoring.yaml, line 1", "no column 'documents'"],
    ),
    "unknown ranking metric": (
        lambda f: f.settings("metrics: [accuracy_score]\nrank_by: accuracy\n"),
        2,
        ["scoring.yaml, line 2", "did you mean 'accuracy_score'"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_wrong_input_is_explained_and_writes_no_scores(
    folder: Folder, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    spoil, status, parts = CASES[name]
    folder.write("metrics: [accuracy_score]\n")
    if name in ("nan", "infinity", "decimal comma"):
        folder.settings("metrics: [mean_absolute_error]\n")
    _make_single(folder, field=False)
    spoil(folder)
    folder.output.mkdir()
    (folder.output / "kept.txt").write_text("from before")
    assert folder.run() == status
    message = capsys.readouterr().err
    for part in parts:
        assert part in message
    assert "Traceback" not in message
    page = ["detailed_results.html"] if status == 1 else []  # for the participant
    assert sorted(path.name for path in folder.output.iterdir()) == [*page, "kept.txt"]


@pytest.mark.parametrize("below", ["", "new/er"])
def test_output_is_no_file(folder: Folder, capsys: pytest.CaptureFixture[str], below: str) -> None:
    """It is said before anything is scored."""
    file = folder.root / "file"
    file.touch()
    assert main([str(folder.write().input), str(file / below)]) == 2
    said = capsys.readouterr()
    assert f"{file}: this is a file; choose a folder as OUTPUT" in said.err
    assert "Layout" not in said.out


@pytest.mark.parametrize("below", ["ref", "res", "res/One/new"])
def test_output_is_no_part_of_the_input(
    folder: Folder, capsys: pytest.CaptureFixture[str], below: str
) -> None:
    folder.write()
    before = sorted(folder.input.rglob("*"))
    assert main([str(folder.input), str(folder.input / below)]) == 2
    assert (
        f"as files of INPUT/{below[:3]}; choose another folder as OUTPUT" in capsys.readouterr().err
    )
    assert sorted(folder.input.rglob("*")) == before


def test_input_that_is_none(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    folder.write()
    for path, defect in (
        (folder.root, "the folder has neither ref/ nor res/"),
        (folder.root / "none", "there is no such folder"),
    ):
        assert main([str(path), str(folder.output)]) == 2
        assert (
            f"{path}: {defect}; name the folder that holds ref/ and res/" in capsys.readouterr().err
        )


def test_fewer_than_two_usable_teams_is_an_error(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.write()
    for team in ("One", "Two"):
        folder.team(team, {"id": folder.ids, "label": ["z"] * 60})
    assert folder.run() == 1
    error = capsys.readouterr().err
    assert "1 usable submission; at least two" in error
    assert "if this is one submission, send exactly one data file\n" in error
    assert not folder.output.exists()
    assert folder.run("--layout", "teams") == 1
    assert "if this is one submission" not in capsys.readouterr().err


def test_an_unknown_baseline_is_a_settings_error(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.write("baselines: [Thre]\n")
    assert folder.run() == 2
    assert "scoring.yaml, line 1: baselines" in capsys.readouterr().err


def test_missing_predictions_can_count_as_wrong(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.write("metrics: [accuracy_score]\nmissing: wrong\n")
    folder.team("One", {"id": folder.ids[:30], "label": folder.labels[:30]})
    assert folder.run() == 0
    assert folder.scores()["accuracy_score.One"] == 0.5
    told = "30 missing predictions count as wrong."
    assert f"{told} By entry: One (30)." in capsys.readouterr().out
    assert folder.run("--anonymize") == 0
    shown = capsys.readouterr().out
    assert told in shown
    assert "One" not in shown


@pytest.mark.parametrize(
    "metric", ["cohen_kappa_score", "matthews_corrcoef", "adjusted_rand_score"]
)
def test_missing_predictions_are_not_rewarded_as_regular_mistakes(
    folder: Folder, capsys: pytest.CaptureFixture[str], metric: str
) -> None:
    folder.write(f"metrics: [accuracy_score, {metric}]\nmissing: wrong\n")
    folder.team("One", {"id": folder.ids[:1], "label": folder.labels[:1]})
    assert folder.run() == 2
    err = capsys.readouterr().err
    assert "scoring.yaml, line 2: missing: 'wrong' is for metrics that count" in err
    assert f"under {metric} a missing answer might raise the score" in err


def test_runs_of_a_team(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    folder.write("metrics: [accuracy_score]\n")
    second = folder.input / "res" / "One" / "second.csv"
    write_csv(second, {"id": folder.ids, "label": folder.labels})
    assert folder.run() == 0
    assert folder.scores()["accuracy_score.One_second"] == 1
    assert folder.results()["m"] == 4
    # Of a team of two runs, one is a possible winner or none.
    html = (folder.output / "detailed_results.html").read_text(encoding="utf-8")
    page = re.sub(r"<[^>]+>", " ", html)
    assert re.search(r"Entries\s+4\s+Competing teams\s+3\s+Possible winners\s+[123] of 3", page)
    assert folder.run("--runs", "best") == 0
    assert folder.scores()["accuracy_score.One"] == 1
    assert folder.results()["runs"] == {"One": 2, "Three": 1, "Two": 1}
    assert "several runs competes with its best one: One/second." in capsys.readouterr().out
    assert folder.run("--runs", "best", "--anonymize") == 0
    assert "several runs" not in capsys.readouterr().out
    second.rename(second.with_name("run1.csv"))
    assert folder.run("--runs", "last") == 2
    assert "do not say which one is the last (One/" in capsys.readouterr().err
    first = folder.input / "res" / "One" / "predictions.csv"
    first.rename(first.with_name("run2.csv"))
    assert folder.run("--runs", "last") == 0
    assert folder.scores()["accuracy_score.One"] < 1
    assert (
        "several runs competes with the last one that can be scored: One/run2."
        in capsys.readouterr().out
    )


def _broken_rows(folder: Folder) -> None:
    folder.team("SecretBroken", {"id": ["x"], "label": ["a"]})


def _no_data_file(folder: Folder) -> None:
    path = folder.input / "res" / "SecretBroken" / "SecretBroken.docx"
    path.parent.mkdir()
    path.write_bytes(b"PK")


def _undefined(folder: Folder) -> None:
    numeric(folder)
    folder.settings("metrics: [pearsonr]\nanonymize: true\n")
    folder.team("SecretBroken", {"id": folder.ids, "y": [1] * 60})


@pytest.mark.parametrize("spoil", [_broken_rows, _no_data_file, _undefined])
def test_anonymous_results_name_no_team(folder: Folder, spoil: Break) -> None:
    folder.teams = {f"Secret{name}": labels for name, labels in folder.teams.items()}
    folder.write("anonymize: true\n")
    spoil(folder)
    assert folder.run() == 0
    (unusable,) = folder.results()["unusable"]
    assert unusable["entry"] == "Unusable 1"
    _assert_secret(folder)
    entries = folder.results()["metrics"][0]["entries"]
    assert [entry["entry"] for entry in entries] == ["Team 1", "Team 2", "Team 3"]


def test_an_anonymous_field_names_no_rival(folder: Folder) -> None:
    folder.teams = {f"Secret{name}": labels for name, labels in folder.teams.items()}
    folder.write("anonymize: true\n")
    (folder.input / "res").rename(folder.input / "ref" / "submissions")
    _rows(folder, folder.ids, folder.teams["SecretTwo"])
    assert folder.run() == 0
    _assert_secret(folder)
    names = {entry["entry"] for entry in folder.results()["metrics"][0]["entries"]}
    assert names == {"Team 1", "Team 2", "Team 3", "submission"}
    own = [a == b for a, b in zip(folder.labels, folder.teams["SecretTwo"], strict=True)]
    assert folder.scores()["accuracy"] == sum(own) / 60


def _assert_secret(folder: Folder) -> None:
    for path in folder.output.rglob("*.*"):
        assert b"Secret" not in path.read_bytes(), path.name


def test_a_wide_table_keeps_secrets_too(folder: Folder) -> None:
    columns = {f"Secret{name}": labels for name, labels in folder.teams.items()}
    columns["SecretBroken"] = ["z", *folder.labels[1:]]
    write_csv(folder.input / "res" / "table.csv", {"y": folder.labels, **columns})
    folder.settings("anonymize: true\n")
    assert folder.run() == 0
    assert len(folder.results()["unusable"]) == 1
    _assert_secret(folder)


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        ("title", "Task 3: stance", "Task 3: stance"),
        ("title", "2026", "2026"),
        ("title", "", ""),
        ("name_pattern", "{team}", "{team}"),
        ("baselines", "1.0", ["1.0"]),
        ("group", "null", None),
        ("confidence", ".9", 0.9),
    ],
)
def test_option_is_what_its_setting_may_be(
    tmp_path: Path, option: str, text: str, value: object
) -> None:
    """YAML's numbers and mappings are texts where only a text will do."""
    folder = Folder(tmp_path, teams=("One", "Two", "1.0")).write("resamples: 100\n")
    assert folder.run(f"--{option.replace('_', '-')}", text) == 0
    assert folder.results()["settings"][option] == value


def test_own_runs_are_no_rivals_in_what_is_said(folder: Folder) -> None:
    """A run that differs in one example is not separated from the leader, and no other team's."""
    folder.write("metrics: [accuracy_score]\n")
    wrong = {"One": 30, "Two": 32, "Three": 34, "Best/a": 0, "Best/b": 1}
    for entry, number in wrong.items():
        labels = ["a" if label != "a" else "b" for label in folder.labels[:number]]
        folder.team(entry, {"id": folder.ids, "label": labels + folder.labels[number:]})
    assert folder.run("--resamples", "1000") == 0
    page = (folder.output / "detailed_results.html").read_text(encoding="utf-8")
    paper = (folder.output / "tables" / "paper.tex").read_text(encoding="utf-8")
    for said in (page, paper):
        assert re.search(r"separates\s+it\s+from\s+every\s+other\s+team\.", said)
        assert not re.search(r"every\s+other\s+(entry|system)\.", said)


def test_a_baseline_with_several_runs(folder: Folder) -> None:
    folder.write("metrics: [accuracy_score]\n")
    second = folder.input / "res" / "One" / "second.csv"
    write_csv(second, {"id": folder.ids, "label": folder.labels})
    assert folder.run("--runs", "best", "--baselines", "One") == 0
    metric = folder.results()["metrics"][0]
    assert [entry["entry"] for entry in metric["entries"] if entry["baseline"]] == ["One"]
    assert metric["leader"] != "One"
    assert folder.run("--baselines", "[One/second]") == 0
    scores = folder.scores()
    assert (
        scores["n_tied_with_leader"]
        == sum(value for key, value in scores.items() if key.startswith("tied_with_leader."))
        - 1
        - scores["tied_with_leader.One_second"]
    )


def test_the_reference_entry_leaves_the_leaders_keys_alone(folder: Folder) -> None:
    folder.write("metrics: [accuracy_score]\n")
    assert folder.run() == 0
    before = folder.scores()
    assert folder.run("--reference-entry", "Three") == 0
    assert folder.scores() == before


def test_a_table_of_scores_per_unit(folder: Folder) -> None:
    # Arguello, lecture on significance tests: ten folds, System B − System A = 0.07.
    first = [0.2, 0.3, 0.1, 0.4, 1.0, 0.8, 0.3, 0.1, 0, 0.9]
    second = [0.5, 0.3, 0.1, 0.4, 1, 0.9, 0.1, 0.2, 0.5, 0.8]
    table: dict[str, Sequence[float]] = {"fold": list(range(10)), "A": first, "B": second}
    write_csv(folder.input / "res" / "table.csv", table)
    tests = ["--tests", "randomization", "--resamples", "10000"]  # all 2^10 swaps
    assert folder.run(*tests, "--greater-is-better", "true") == 0
    (metric,) = folder.results()["metrics"]
    best, worst = metric["entries"]
    assert (best["entry"], worst["entry"]) == ("B", "A")
    assert best["score"] == pytest.approx(0.48)
    assert worst["difference"]["observed"] == pytest.approx(0.07)
    assert worst["difference"]["randomization_one_sided"] == pytest.approx(13 / 64)
    assert worst["difference"]["randomization_two_sided"] == pytest.approx(26 / 64)


def test_the_mean_score_is_no_metric_of_a_gold(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    numeric(folder)
    folder.settings("metrics: [mean_score]\n")
    assert folder.run() == 2
    assert (
        "gold.csv holds reference data; name a metric that compares with them"
        in capsys.readouterr().err
    )


@pytest.mark.parametrize("function", ["mean_absolute_error", "median_absolute_error"])
def test_bca_of_one_example(tmp_path: Path, function: str) -> None:
    folder = Folder(tmp_path, n=1)
    numeric(folder)
    folder.settings(f"metrics: [{function}]\ninterval: bca\nresamples: 100\n")
    assert folder.run() == 0
    (metric,) = folder.results()["metrics"]
    assert {entry["ci_method"] for entry in metric["entries"]} == {"none"}


_NUMBERS = [f"{i % 7 + 0.5}" for i in range(30)]
_LABELS = list("abc" * 10)
_SEVERAL = "metrics: [{roc_auc_score: {multi_class: ovr}}]\n"


@pytest.mark.parametrize(
    ("settings", "gold", "predicted", "message"),
    [
        ("metrics: [mean_gamma_deviance]\n", _NUMBERS, [["0"] * 30], "line 2, column 'y': found 0"),
        ("metrics: [pearsonr]\n", _NUMBERS, [["2"] * 30], "all of its predictions are equal"),
        (
            "metrics: [{mean_tweedie_deviance: {power: 1.5}}]\n",
            _NUMBERS,
            [["-1"] * 30],
            "no value for these",
        ),
        (_SEVERAL, _LABELS, [["0.5"] * 30, ["0.6"] * 30, ["0.2"] * 30], "sum to 1"),
    ],
)
@pytest.mark.parametrize("field", [False, True])
def test_what_a_metric_cannot_score_is_the_submissions_fault(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    settings: str,
    gold: list[str],
    predicted: list[list[str]],
    message: str,
    field: bool,
) -> None:
    """Where it could score other predictions, such as the gold."""
    ref, res = tmp_path / "input" / "ref", tmp_path / "input" / "res"
    ids = [f"x{i}" for i in range(30)]
    write_csv(ref / "gold.csv", {"id": ids, "y": gold})
    header = ("id", "y") if len(predicted) == 1 else ("id", *"abc")
    write_csv(res / "p.csv", dict(zip(header, (ids, *predicted), strict=True)))
    if field:
        each = [[str(1.0 * (label == of)) for label in gold] for of in "abc"]
        for team in ("one", "two"):
            good = [gold] if len(predicted) == 1 else each
            columns = dict(zip(header, (ids, *good), strict=True))
            write_csv(ref / "submissions" / f"{team}.csv", columns)
    (ref / "scoring.yaml").write_text(settings + "layout: single\nresamples: 100\n")
    assert main([str(tmp_path / "input"), str(tmp_path / "output")]) == 1
    told = capsys.readouterr().err
    assert told.startswith("The submission cannot be scored:")
    assert message in told


def test_a_gold_that_a_metric_cannot_score_is_the_organizers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ref, res = tmp_path / "input" / "ref", tmp_path / "input" / "res"
    ids = [f"x{i}" for i in range(30)]
    write_csv(ref / "gold.csv", {"id": ids, "y": ["2.5"] * 30})
    write_csv(res / "p.csv", {"id": ids, "y": _NUMBERS})
    (ref / "scoring.yaml").write_text("metrics: [pearsonr]\nlayout: single\n")
    assert main([str(tmp_path / "input"), str(tmp_path / "output")]) == 2
    told = capsys.readouterr().err
    assert "gold.csv holds the same number for every example, so Pearson's r has no value" in told
    assert "this submission" not in told


@pytest.mark.parametrize(
    "code",
    [
        "import os\nos.chdir('/')\ndef score(y_true, y_pred):\n    return 0.5\n",
        "import os\ndef score(y_true, y_pred):\n    os.chdir('/')\n    return 0.5\n",
    ],
    ids=["loaded", "called"],
)
def test_a_metric_that_changes_the_working_directory(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    folder.write("metrics: [{name: own, function: own.py:score, greater_is_better: true}]\n")
    (folder.input / "ref" / "own.py").write_text(code)
    monkeypatch.chdir(folder.root)  # and back in the end
    assert main(["input", "output", "--resamples", "100"]) == 0
    assert {path.name for path in folder.output.iterdir()} == OUTPUTS


@pytest.mark.full
@pytest.mark.parametrize(
    "backend",
    ["threads", *(pytest.param(name, marks=pytest.mark.full) for name in ("auto", "processes"))],
)
def test_a_metric_that_needs_scipy_in_threads_after_the_inference_was_imported(
    tmp_path: Path, backend: str
) -> None:
    # The time budget imports it first; nothing of SciPy may be half there for the threads then.
    ref, res = tmp_path / "input" / "ref", tmp_path / "input" / "res"
    ids, gold = list(range(12)), [0.0] * 11 + [5.0]  # constant in a third of the resamples
    write_csv(ref / "gold.csv", {"id": ids, "y": gold})
    rng = np.random.default_rng(1)
    for team in "abc":
        write_csv(res / team / "p.csv", {"id": ids, "y": (gold + rng.random(12)).tolist()})
    (ref / "scoring.yaml").write_text("metrics: [pearsonr]\ntime_budget: 60\n")
    arguments = [str(tmp_path / "input"), str(tmp_path / "output"), "--backend", backend]
    # In a process of its own: here another test may have imported SciPy's statistics.
    done = subprocess.run(
        [sys.executable, "-m", "scoring_program", *arguments],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
    )
    assert (done.stderr, done.returncode) == ("", 0)


def test_a_scheduler_without_its_backend(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.write("metrics: [accuracy_score]\nscheduler: tcp://127.0.0.1:8786\n")
    assert folder.run() == 2
    message = capsys.readouterr().err
    assert "scoring.yaml, line 2: scheduler: add 'backend: dask'" in message
    assert folder.run("--backend", "threads", "--resamples", "100") == 0


def test_a_system_without_owners_of_files(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows has none."""
    monkeypatch.delattr("os.chown")
    assert folder.write().run("--resamples", "100") == 0
    assert folder.run("--resamples", "100") == 0


@pytest.mark.internal_error
def test_an_internal_error_shows_no_data(
    folder: Folder, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the gold of x001 is b")

    monkeypatch.setattr("scoring_program.pipeline.read_input", fail)
    assert folder.write().run() == 3
    message = capsys.readouterr().err
    assert "Internal error (RuntimeError" in message
    assert "x001" not in message


@pytest.mark.internal_error
def test_an_internal_error_of_a_process_is_noticed() -> None:
    done = subprocess.run([sys.executable, "-c", "raise SystemExit(3)"], check=False)
    assert done.returncode == 3


def test_more_tests_on_request(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    folder.write("metrics: [accuracy_score, {f1_score: {average: macro}}]\nresamples: 500\n")
    assert folder.run("--tests", "[randomization, mcnemar]") == 0
    accuracy, f1 = folder.results()["metrics"]
    worst = accuracy["entries"][-1]["difference"]
    assert 0 < worst["mcnemar_mid_p"] < worst["mcnemar_exact"] < 0.5
    assert 0 < worst["randomization_one_sided"] < worst["randomization_two_sided"] < 0.5
    assert "mcnemar_exact" not in f1["entries"][-1]["difference"]
    folder.settings("metrics: [{f1_score: {average: macro}}]\ntests: [mcnemar]\n")
    assert folder.run() == 2
    assert "McNemar's test compares right and wrong predictions" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ("stratify: same\n", "holds only one value"),
        ("group: same\n", "holds only one value"),
        ("group: document\nstratify: odd\n", "belongs to several strata"),
        ("stratify: id\n", "'id' differs in every row, like ids"),
        ("stratify: first\n", "in 1 of 2 strata of 'first' there is only one of the examples"),
        (
            "group: document\nstratify: document\n",
            "in 20 of 20 strata of 'document' there is only one of the groups",
        ),
    ],
)
def test_designs_that_do_not_apply(
    folder: Folder, capsys: pytest.CaptureFixture[str], settings: str, found: str
) -> None:
    folder.write(settings)
    _add_design(folder)
    assert folder.run() == 2
    assert found in capsys.readouterr().err


def _add_design(folder: Folder) -> None:
    columns = {
        "id": folder.ids,
        "label": folder.labels,
        "document": [i // 3 for i in range(60)],
        "odd": [i % 2 for i in range(60)],
        "half": [i // 30 for i in range(60)],
        "same": [1] * 60,
        "first": [min(i, 1) for i in range(60)],
    }
    write_csv(folder.input / "ref" / "gold.csv", columns)


def test_groups_and_strata(folder: Folder) -> None:
    folder.write("metrics: [accuracy_score]\n")
    _add_design(folder)
    assert folder.run() == 0
    rows = folder.results()["metrics"][0]
    assert folder.run("--group", "document", "--stratify", "half") == 0
    groups = folder.results()["metrics"][0]
    assert [e["score"] for e in rows["entries"]] == [e["score"] for e in groups["entries"]]
    assert [e["ci"] for e in rows["entries"]] != [e["ci"] for e in groups["entries"]]
    assert "20 groups" in " ".join(w["message"] for w in folder.results()["warnings"])


def test_a_score_without_an_interval_still_has_finite_ends(folder: Folder) -> None:
    folder.teams["One"] = folder.labels
    folder.write("metrics: [{f1_score: {average: macro, labels: [a, b, c]}}]\n")
    assert folder.run() == 0
    scores = folder.scores()
    assert scores["f1_score"] == scores["f1_score_ci_low"] == scores["f1_score_ci_high"] == 1
    best = folder.results()["metrics"][0]["entries"][0]
    assert best["ci"] == [None, None]
    assert best["ci_method"] == "none"


def test_strata_of_the_classes(folder: Folder) -> None:
    folder.write("metrics: [accuracy_score]\nstratify: label\n")
    assert folder.run() == 0
    assert folder.results()["signature"]["stratify"] == "label"


@pytest.mark.parametrize(
    "design", [(), ("--group", "document"), ("--stratify", "half"),
               ("--group", "document", "--stratify", "half")],
)  # fmt: skip
def test_a_function_and_a_formula_are_drawn_alike_in_every_design(
    folder: Folder, design: tuple[str, ...]
) -> None:
    folder.write(OWN_AND_FORMULA)
    _add_own(folder)
    _add_design(folder)
    assert folder.run(*design) == 0
    _check_alike(folder)


@pytest.mark.parametrize("layout", thinned(["field", "wide", "bulk", "tasks", "usage"], 2))
def test_a_function_and_a_formula_are_drawn_alike_in_every_layout(
    folder: Folder, layout: str
) -> None:
    folder.write(OWN_AND_FORMULA)
    _add_own(folder)
    ref, res = folder.input / "ref", folder.input / "res"
    if layout == "field":
        _make_single(folder, field=True)
    elif layout == "wide":
        (ref / "gold.csv").unlink()
        shutil.rmtree(res)
        write_csv(res / "table.csv", {"y": folder.labels, **folder.teams})
    elif layout == "bulk":
        for k, team in enumerate(folder.teams):
            (res / team).rename(res / f"{k}_{team}_PhaseId3_2026-01-01_00-00_x")
    elif layout == "tasks":
        shutil.copy(ref / "gold.csv", ref / "second.csv")
        for team in folder.teams:
            (res / team / "predictions.csv").rename(res / team / "gold.csv")
            shutil.copy(res / team / "gold.csv", res / team / "second.csv")
    else:
        usage = ["Public", "Private"] * 30
        gold = {"id": folder.ids, "label": folder.labels, "Usage": usage}
        write_csv(ref / "gold.csv", gold)
    assert folder.run() == 0
    _check_alike(folder)


OWN_AND_FORMULA = (
    "metrics:\n  - accuracy_score\n"
    "  - {name: own, function: 'own.py:score', greater_is_better: true}\n"
    "  - {name: mix, formula: (accuracy_score + own) / 2}\nresamples: 100\nworkers: 1\n"
)


def _add_own(folder: Folder) -> None:
    (folder.input / "ref" / "own.py").write_text(
        "def score(y_true, y_pred):\n    return float((y_true == y_pred).mean())\n"
    )


def _check_alike(folder: Folder) -> None:
    """Check that the three metrics of each part of the gold agree in everything."""
    found = folder.results()["metrics"]
    metrics = [metric for metric in found if metric["name"] != "mean"]
    assert metrics
    for first in range(0, len(metrics), 3):
        known, *others = metrics[first : first + 3]
        for other in others:
            for one, same in zip(known["entries"], other["entries"], strict=True):
                assert one["entry"] == same["entry"]
                assert one["score"] == pytest.approx(same["score"])
                assert one["ci"] == pytest.approx(same["ci"])


def test_a_formula_of_an_error_and_a_score_says_its_direction(folder: Folder) -> None:
    folder.write(
        """
metrics:
  - name: measure_s
    formula: (1 / (1 + mae) + attraction_f1) / 2
    greater_is_better: true
  - name: mae
    function: mean_absolute_error
    column: rating
  - name: attraction_f1
    function: f1_score
    params: {average: macro}
    column: label
"""
    )
    ratings = [0.5 + i for i in range(60)]
    columns = {"id": folder.ids, "label": folder.labels, "rating": ratings}
    write_csv(folder.input / "ref" / "gold.csv", columns)
    for team, labels in folder.teams.items():
        moved = [rating + len(team) for rating in ratings]
        folder.team(team, {"id": folder.ids, "label": labels, "rating": moved})
    assert folder.run() == 0
    scores = folder.scores()
    assert folder.results()["metrics"][0]["greater_is_better"] is True
    for team in folder.teams:
        mae, f1 = scores[f"mae.{team}"], scores[f"attraction_f1.{team}"]
        expected = (1 / (1 + mae) + f1) / 2
        assert scores[f"measure_s.{team}"] == pytest.approx(expected, abs=1e-9)


def test_a_score_that_no_table_holds_is_no_score(folder: Folder) -> None:
    folder.write("metrics: [mean_squared_error]\n")
    numeric(folder)
    folder.team("Huge", {"id": folder.ids, "y": ["9e9"] * 60})
    assert folder.run() == 0
    (unusable,) = folder.results()["unusable"]
    assert "too large to be right" in unusable["reason"]


def test_a_failed_upload_holds_no_digit_of_its_score(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where failed uploads cost nothing, each digit would tell something about a correct answer."""
    folder.write("metrics: [mean_squared_error]\n")
    numeric(folder)
    shutil.rmtree(folder.input / "res")
    said = set()
    for guess in ("9e9", "7.123e6"):
        write_csv(folder.input / "res" / "p.csv", {"id": folder.ids, "y": [guess] * 60})
        assert folder.run() == 1
        said.add(capsys.readouterr().err)
    assert said == {
        "The submission cannot be scored:\n"
        "the MSE of this submission is too large to be right, beyond ±1e+10: look for numbers in a "
        "wrong unit\n"
    }


@pytest.fixture
def five(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """Five entries, of which three can be compared; Base is the worst."""
    monkeypatch.setattr("scoring_program.scoring.contenders.MOST_ENTRIES", 3)
    one = folder.teams["One"]
    folder.teams["Four"] = ["a"] * 20 + one[20:]
    folder.teams["Base"] = ["b"] * len(one)
    return folder.write("metrics: [accuracy_score, {f1_score: {average: macro}}]\n")


def test_of_too_many_entries_the_best_are_compared(
    five: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    assert five.run("--resamples", "100") == 0
    note = "5 entries compete. 3 of them are compared with each other"
    assert note in capsys.readouterr().out
    assert note in (five.output / "detailed_results.html").read_text(encoding="utf-8")
    found, scores = five.results(), five.scores()
    compared = [item["entry"] for item in found["metrics"][0]["entries"]]
    others = found["not_compared"]
    assert sorted(compared + [item["entry"] for item in others]) == sorted(five.teams)
    assert [item["rank"] for item in others] == [4, 5]
    assert others[1]["entry"] == "Base"
    assert found["m"] == 3
    assert scores["n_teams"] == 5
    for item in others:
        right = np.mean(np.array(five.teams[item["entry"]]) == np.array(five.labels))
        assert item["scores"]["accuracy_score"] == pytest.approx(right)
        assert scores[f"accuracy_score.{item['entry']}"] == pytest.approx(right)
        assert scores[f"rank.{item['entry']}"] == item["rank"]
        assert f"tied_with_leader.{item['entry']}" not in scores
    assert scores["rank." + compared[-1]] == 3


def test_one_teams_runs_take_no_other_teams_places(five: Folder) -> None:
    """Twelve runs better than the others, with copies of the best one: every team has a turn."""
    right = five.labels
    for number in range(12):
        wrong = 0 if number < 3 else number  # the first three are the same file
        labels = ["a" if label != "a" else "b" for label in right[:wrong]] + right[wrong:]
        five.team(f"Many/r{number:02}", {"id": five.ids, "label": labels})
    assert five.run("--resamples", "100") == 0
    found = five.results()
    compared = [item["entry"] for item in found["metrics"][0]["entries"]]
    assert compared[0] == "Many/r00/predictions"
    assert sum(name.startswith("Many/") for name in compared) == 1
    assert len(found["not_compared"]) == 14


def test_a_team_has_so_many_runs_compared_at_most(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scoring_program.scoring.contenders.MOST_RUNS", 2)
    folder.write("metrics: [accuracy_score]\n")
    for number, wrong in enumerate((0, 0, 2, 1)):
        labels = ["a" if label != "a" else "b" for label in folder.labels[:wrong]]
        columns = {"id": folder.ids, "label": labels + folder.labels[wrong:]}
        folder.team(f"Many/r{number}", columns)
    assert folder.run("--resamples", "100") == 0
    found = folder.results()
    compared = {item["entry"] for item in found["metrics"][0]["entries"]}
    assert compared == {
        "One", "Two", "Three", "Many/r0/predictions", "Many/r3/predictions",
    }  # fmt: skip
    # The copy of the best run has its rank, but no place of its own.
    ranks = {item["entry"]: item["rank"] for item in found["not_compared"]}
    assert ranks == {"Many/r1/predictions": 1, "Many/r2/predictions": 4}


def test_baselines_are_compared_whatever_their_rank(five: Folder) -> None:
    assert five.run("--resamples", "100", "--baselines", "Base", "--anonymize") == 0
    found = five.results()
    compared = {item["entry"] for item in found["metrics"][0]["entries"]}
    assert compared == {"Base", "Team 1", "Team 2", "Team 3"}
    assert [(item["entry"], item["rank"]) for item in found["not_compared"]] == [("Team 4", 4)]
    assert five.run("--resamples", "100", "--reference-entry", "Base") == 0
    assert five.results()["metrics"][0]["reference"] == "Base"


def test_a_field_of_too_many_entries(five: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    _make_single(five, field=True)
    assert five.run() == 2
    assert "6 entries compete, but at most 3 can be compared" in capsys.readouterr().err


@pytest.mark.parametrize("header", ["tweet,label", "key,label", "name,prediction", ",label"])
def test_ids_under_any_name_are_joined(folder: Folder, header: str) -> None:
    folder.write("metrics: [accuracy_score]\n")
    assert folder.run() == 0
    before = folder.scores()
    rows = list(zip(folder.ids, folder.teams["Two"], strict=True))[::-1]
    path = folder.input / "res" / "Two" / "predictions.csv"
    path.write_text("\n".join([header, *map(",".join, rows)]), encoding="utf-8")
    assert folder.run() == 0
    assert folder.scores() == before


def test_the_summary_says_who_was_not_scored_and_why(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.write("metrics: [accuracy_score]\nresamples: 100\n")
    folder.team("Four", {"id": folder.ids[:-2], "label": ["a"] * 57 + ["z"]})
    folder.team("Five", {"id": [], "label": []})
    assert folder.run() == 0
    out, err = capsys.readouterr()
    five, four = err.splitlines()
    assert five.startswith("Not scored: Five: ")
    assert four.startswith(
        "Not scored: Four: Four/predictions.csv: 2 missing ids - id 'x058' has no row …; "
        "Four/predictions.csv: 1 unknown label - line 59, column 'label': found 'z', expected "
    )
    assert "x059" not in four
    assert ". Expected 60 rows" in four
    assert ".; " not in err
    *_, verdict, _, _, _, page, scored = out.splitlines()
    assert verdict.startswith("One is first (accuracy")
    assert page == f"Page: {folder.output / 'detailed_results.html'}"
    assert scored == "3 of 5 scored; not scored: Five, Four"
    assert "sha256" not in out


def test_hashes_and_versions_on_demand(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    assert folder.write("resamples: 100\n").run("--verbose") == 0
    out = capsys.readouterr().out.splitlines()
    signature = folder.results()["signature"]
    assert signature["seed"] == "0"
    assert [line for line in out if line in {f"{k}: {v}" for k, v in signature.items()}] == [
        f"{key}: {value}" for key, value in signature.items()
    ]


def test_a_huge_number_of_one_entry_ends_no_run(tmp_path: Path) -> None:
    """Its interval does not fit the platforms' tables, although its score does."""
    folder = Folder(tmp_path, n=30).write("metrics: [mean_squared_error]\n")
    numeric(folder)
    folder.team("One", {"id": folder.ids, "label": ["7e4", "1.15e5"] * 15})
    assert folder.run("--resamples", "200", "--workers", "1") == 0
    assert folder.scores()["distance_from_best.One"] == 9_999_999_999


def test_json_prints_the_record_of_the_verdict_and_nothing_else(tmp_path: Path) -> None:
    """What people read goes to standard error."""
    command = [sys.executable, "-m", "scoring_program", "example/input", str(tmp_path / "out")]
    done = subprocess.run(
        [*command, "--resamples", "200", "--json"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    )
    record = json.loads(done.stdout)
    written = json.loads((tmp_path / "out/results.json").read_text(encoding="utf-8"))
    assert record == written["metrics"][0]["verdict"]
    assert record["sentence"] in done.stderr


def test_json_tells_a_participant_of_scores_only_no_more_than_the_page(
    folder: Folder, capfd: pytest.CaptureFixture[str]
) -> None:
    folder.write("metrics: [accuracy_score]\nresamples: 100\nparticipants: score\n")
    _make_single(folder, field=True)
    assert main([str(folder.input), str(folder.output), "--json"]) == 0
    assert list(json.loads(capfd.readouterr().out)) == ["sentence"]
