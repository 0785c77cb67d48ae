"""Tasks with a gold file each, and the public and private rows of one gold."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import scoring_program as dh
from scoring_program.commands.score import main
from scoring_program.core.errors import ReferenceDataError, SettingsError, SubmissionError
from scoring_program.core.executor import HERE
from scoring_program.data.source import read_input
from scoring_program.inference.evidence import Question
from scoring_program.inference.overall_units import OverallUnits
from scoring_program.scoring import overall as overall_module
from scoring_program.scoring.overall import Component, OverallScores
from scoring_program.scoring.score_entries import score_entries
from scoring_program.scoring.scorer import Replicates
from tests.arrays import made_metric
from tests.reading.variants import GOLD, SCORES, TEAMS, Case, N, case, rows_of, table
from tests.sweeps import swept, thinned

_QUICK = ("--resamples", "200", "--workers", "1")


def run(folder: Path, *options: str) -> tuple[dict[str, float], dict[str, Any]]:
    output = folder / "output"
    assert main([str(folder), str(output), *_QUICK, *options]) == 0
    flat = json.loads((output / "scores.json").read_text())
    return flat, json.loads((output / "results.json").read_text())


def usage_case(parts: tuple[str, ...] = ("Public", "Private", "Ignored")) -> Case:
    """Public rows have each team's labels, private ones another's; ignored rows have no label."""
    of = {"One": "Two", "Two": "Three", "Three": "One"}
    rows = [
        (f"{key}-{part}", "" if part == "Ignored" else label, part)
        for part in parts
        for key, label in rows_of(GOLD)
    ]
    res = {
        f"{team}.csv": table(
            [
                (f"{key}-{part}", label)
                for part in parts
                for key, label in rows_of(TEAMS[team if part == "Public" else of[team]])
            ]
        )
        for team in TEAMS
    }
    solution = table(rows, header=("id", "label", "Usage"))
    return case(res, gold={"solution.csv": solution})


def test_private_rows_rank_and_public_ones_are_scored_too(tmp_path: Path) -> None:
    flat, results = run(usage_case().write(tmp_path))
    assert flat["n_examples"] == N
    assert flat["accuracy_score.One"] == round(SCORES["Two"], 10)
    assert flat["public_accuracy_score.One"] == round(SCORES["One"], 10)
    assert flat["rank.Three"] == 1
    assert [metric["name"] for metric in results["metrics"]] == [
        "accuracy_score",
        "public_accuracy_score",
    ]
    assert (
        "Usage: 12 private and 12 public rows. The private rows decide the ranking."
        in results["notes"]
    )


@pytest.mark.parametrize("case_of", swept([str.lower, str.upper, str]))
def test_split_of_hugging_face_is_usage(case_of: Callable[[str], str], tmp_path: Path) -> None:
    made = usage_case()
    text = made.files["ref/solution.csv"].decode().replace("Usage", "split")
    for word in ("Public", "Private", "Ignored"):
        text = text.replace(f",{word}\n", f",{case_of(word)}\n")
    made.files["ref/solution.csv"] = text.encode()
    flat, results = run(made.write(tmp_path))
    assert flat["n_examples"] == N
    assert flat["accuracy_score.One"] == round(SCORES["Two"], 10)
    assert flat["public_accuracy_score.One"] == round(SCORES["One"], 10)
    found = dh.score(tmp_path, resamples=100, workers=1)
    assert [metric.name for metric in found.values()] == [m["name"] for m in results["metrics"]]


def test_a_split_that_the_settings_name_or_of_topics_is_no_usage(tmp_path: Path) -> None:
    made = usage_case(("Public", "Private"))
    made.files["ref/solution.csv"] = made.files["ref/solution.csv"].replace(b"Usage", b"split")
    folder = made.write(tmp_path)
    quick: dict[str, Any] = {"metrics": "accuracy", "resamples": 100, "workers": 1}
    assert [*dh.score(folder, slices=["split"], **quick)] == ["accuracy"]
    solution = folder / "ref" / "solution.csv"
    solution.write_bytes(solution.read_bytes().replace(b",Private", b",test"))
    with pytest.raises(dh.OrganizerError, match="the column 'split' tells parts of the data apart"):
        dh.score(folder, **quick)
    solution.write_bytes(solution.read_bytes().replace(b",test", b",north"))
    assert [*dh.score(folder, **quick)] == ["accuracy"]


@pytest.mark.parametrize("word", [b"dev", b""])
def test_a_split_with_some_other_words_is_asked_about(tmp_path: Path, word: bytes) -> None:
    made = usage_case(("Public", "Private"))
    text = made.files["ref/solution.csv"].replace(b"Usage", b"split")
    made.files["ref/solution.csv"] = text.replace(b",Private", b"," + word, 1)
    folder = made.write(tmp_path)
    with pytest.raises(dh.OrganizerError, match=f"found {word.decode()!r}; write public, private"):
        dh.score(folder, resamples=100, workers=1)
    assert [*dh.score(folder, slices=["split"], metrics="accuracy", resamples=100)] == ["accuracy"]


def test_page_has_the_shake_up(tmp_path: Path) -> None:
    _, results = run(usage_case().write(tmp_path))
    page = (tmp_path / "output" / "detailed_results.html").read_text(encoding="utf-8")
    assert 'href="#shake_up"' in page
    assert "within the ties" in page
    lines = (tmp_path / "output" / "tables" / "shake_up.csv").read_text().splitlines()
    assert lines[0] == (
        "entry,public_rank,private_rank,move,rank_low,rank_high,verdict,"
        "public_score,private_score,score_change"
    )
    ranks = {
        entry["entry"]: entry["rank"]
        for metric in results["metrics"][1:]
        for entry in metric["entries"]
    }
    for line in lines[1:]:
        entry, public, private, move, low, high, verdict, *_ = line.split(",")
        assert int(public) == ranks[entry]
        assert int(move) == int(public) - int(private)
        inside = int(low) <= int(public) <= int(high)
        assert verdict == ("unmoved" if move == "0" else "within" if inside else "beyond")


def test_baselines_have_no_place_in_the_shake_up(tmp_path: Path) -> None:
    run(usage_case().write(tmp_path), "--baselines", "[Two]")
    lines = (tmp_path / "output" / "tables" / "shake_up.csv").read_text().splitlines()
    assert {line.split(",")[0] for line in lines[1:]} == {"One", "Three"}


@pytest.mark.parametrize("part", ["Public", "Private"])
def test_one_usage_alone_is_an_ordinary_gold(tmp_path: Path, part: str) -> None:
    folder = usage_case((part, "Ignored")).write(tmp_path)
    competition, _ = read_input(folder, lambda settings: settings)
    assert [item.name for item in competition.parts] == [""]
    assert competition.parts[0].gold.n == N


def test_ignored_rows_may_stand_without_ids(tmp_path: Path) -> None:
    made = usage_case()
    lines = made.files["res/Two.csv"].decode().splitlines()[1:]
    made.files["res/Two.csv"] = "\n".join(line.split(",")[1] for line in lines).encode()
    competition, _ = read_input(made.write(tmp_path), lambda settings: settings)
    assert competition.unusable == ()
    _, scorers = score_entries(competition, read_input(tmp_path, lambda settings: settings)[1])
    assert scorers[1][0].observed.tolist() == [SCORES[team] for team in sorted(TEAMS)]


@pytest.mark.parametrize("part", ["Public", "Private", "Ignored"])
def test_missing_rows_of_a_single_upload_are_counted_whatever_their_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], part: str
) -> None:
    made = usage_case()
    for team in ("Two", "Three"):
        del made.files[f"res/{team}.csv"]
    kept = [line for line in made.files["res/One.csv"].splitlines() if part.encode() not in line]
    made.files["res/One.csv"] = b"\n".join(kept)
    folder = made.write(tmp_path)
    assert main([str(folder), str(folder / "output"), *_QUICK]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "The submission cannot be scored:",
        "One.csv: 1 gap",
        f"  - {N} of {3 * N} examples have no row",
        "Add a row for every example that has none.",
        f"Expected {3 * N} rows, one prediction per example, matched by id.",
    ]


def test_ignored_rows_count_for_nobody_where_ids_have_another_name(tmp_path: Path) -> None:
    """Whoever sends all rows, in any order, is scored as with a column ``id``."""
    made = usage_case()
    for name, content in made.files.items():
        if name.endswith(".csv"):
            head, *rows = content.replace(b"id,", b"filename,", 1).splitlines()
            backwards = rows[::-1] if name.startswith("res/") else rows
            made.files[name] = b"\n".join([head, *backwards])
    competition, settings = read_input(made.write(tmp_path), lambda settings: settings)
    assert competition.unusable == ()
    _, scorers = score_entries(competition, settings)
    assert scorers[1][0].observed.tolist() == [SCORES[team] for team in sorted(TEAMS)]


def test_unknown_usage_is_named(tmp_path: Path) -> None:
    made = usage_case()
    made.files["ref/solution.csv"] = made.files["ref/solution.csv"].replace(b"Ignored", b"Hidden")
    with pytest.raises(ReferenceDataError, match="line 26: the column 'Usage' must hold"):
        read_input(made.write(tmp_path), lambda settings: settings)


def test_the_private_rows_of_a_wide_table_rank_too(tmp_path: Path) -> None:
    rows = []
    for i in range(40):
        one, two = "ab"[(i + (i < 8)) % 2], "ab"[(i + (i > 16)) % 2]
        rows.append((f"x{i}", "ab"[i % 2], "Public" if i >= 20 else "Private", one, two))
    content = table(rows, header=("id", "y", "Usage", "One", "Two"))
    flat, _ = run(case({"table.csv": content}, gold={}).write(tmp_path))
    assert flat["n_examples"] == 20
    assert (flat["accuracy_score.One"], flat["accuracy_score.Two"]) == (0.6, 0.85)
    assert (flat["public_accuracy_score.One"], flat["public_accuracy_score.Two"]) == (1, 0)


def test_public_rows_of_a_task_are_refused(tmp_path: Path) -> None:
    made = tasks_case()
    rows = [(f"m{key}", label) for key, label in rows_of(GOLD)]
    usages = [["Private"] * N, ["Private", "Public"] * (N // 2)]
    private, both = (
        table(
            [(*row, usage) for row, usage in zip(rows, found, strict=True)],
            header=("id", "label", "Usage"),
        )
        for found in usages
    )
    made.files["ref/mood.csv"] = private
    assert read_input(made.write(tmp_path), lambda settings: settings)[0].has_tasks
    made.files["ref/mood.csv"] = both
    with pytest.raises(ReferenceDataError, match=r"mood\.csv: .* remove the public rows or"):
        read_input(made.write(tmp_path), lambda settings: settings)


@pytest.mark.parametrize(
    ("header", "settings"),
    [
        (("case", "One", "Two", "Usage"), "layout: wide\ngreater_is_better: true\n"),
        (("case", "system", "dice", "Usage"), "greater_is_better: true\n"),
    ],
)
def test_public_rows_of_scores_are_refused(
    header: tuple[str, ...], settings: str, tmp_path: Path
) -> None:
    usages = ["Private", "Public"] * 6
    first = ["0.1", "0.3"] * 6 if "One" in header else ["A"] * 6 + ["B"] * 6
    cases = [str(i if "One" in header else i % 6) for i in range(12)]
    scores = [str(i / 16) for i in range(12)]
    content = table(list(zip(cases, first, scores, usages, strict=True)), header=header)
    made = case({"table.csv": content}, gold={}, settings=settings)
    with pytest.raises(ReferenceDataError, match=r"table\.csv: .* remove the public rows or"):
        read_input(made.write(tmp_path), lambda settings: settings)


def tasks_case(settings: str = "metrics: [accuracy_score]\n") -> Case:
    """Two tasks with different examples; on the second, the teams swap their answers."""
    of = {"One": "Two", "Two": "One", "Three": "Three"}
    res = {}
    for team in TEAMS:
        res[f"{team}/stance.csv"] = table(rows_of(TEAMS[team]))
        res[f"{team}/mood.csv"] = table([(f"m{k}", v) for k, v in rows_of(TEAMS[of[team]])])
    gold = {
        "stance.csv": table(rows_of(GOLD)),
        "mood.csv": table([(f"m{k}", v) for k, v in rows_of(GOLD)]),
    }
    return case(res, gold=gold, settings=settings)


def test_tasks_are_ranked_each_and_by_mean_rank(tmp_path: Path) -> None:
    flat, results = run(
        tasks_case("metrics: [accuracy_score]\noverall: mean_rank\n").write(tmp_path)
    )
    names = [metric["name"] for metric in results["metrics"]]
    assert names == ["mean_rank", "mood_accuracy_score", "stance_accuracy_score"]
    assert [metric["task"] for metric in results["metrics"]] == [None, "mood", "stance"]
    order = sorted(TEAMS, key=lambda team: -SCORES[team])
    mean = {team: order.index(team) + 1.0 for team in TEAMS}
    mean["One"] = mean["Two"] = (mean["One"] + mean["Two"]) / 2
    assert {team: flat[f"mean_rank.{team}"] for team in TEAMS} == mean
    assert flat["mood_accuracy_score.Two"] == round(SCORES["One"], 10)
    assert flat["n_examples"] == 2 * N
    overall = results["metrics"][0]
    assert not overall["greater_is_better"]
    assert (overall["planning"], overall["pairs"], overall["tie_rule"]) == (None, [], "projection")
    for entry in overall["entries"]:
        assert entry["ci"] is entry["difference"] is None
        assert list(entry["tied"]) == ["projection"]
        assert (entry["rank_range"][0] == 1) == entry["tied_with_leader"]
    assert "Tasks, one file of reference data each: mood, stance." in results["notes"]
    assert "mean_rank" in {warning["code"] for warning in results["warnings"]}
    page = (tmp_path / "output" / "detailed_results.html").read_text(encoding="utf-8")
    first = page[page.index('<section id="ranking">') : page.index('<section id="overview">')]
    assert "The mean rank jumps where entries are close" in page
    assert "In a task, the places of an entry come from two step-down tests" in page
    assert "By the mean rank, places come from the test of all tasks" in page
    assert "one-sided" not in first


@pytest.mark.parametrize(
    "settings", ["[accuracy_score]\noverall: mean_rank", "[mean_absolute_error]"]
)
def test_a_mean_rank_takes_no_margin(tmp_path: Path, settings: str) -> None:
    """A mean rank is also what ranks tasks by default if their metric has no bounds."""
    made = tasks_case(f"metrics: {settings}\nmargin: 0.1\n")
    for path, content in made.files.items():
        made.files[path] = content.replace(b",a\n", b",1\n").replace(b",b\n", b",2\n")
    with pytest.raises(
        SettingsError, match=r"line [23]: margin: the tasks are ranked by their mean rank"
    ):
        read_input(made.write(tmp_path), lambda loaded: loaded)


def test_a_margin_is_for_the_score_over_tasks(tmp_path: Path) -> None:
    """Of 60 examples a task: 12 do not bound how far an entry is from the best."""
    made = tasks_case("metrics: [accuracy_score]\noverall: mean_standardized\nmargin: 100\n")
    for path, content in made.files.items():
        if path.endswith(".csv"):
            header, *rows = content.decode().splitlines()
            many = [f"{copy}{row}" for copy in "abcde" for row in rows]
            made.files[path] = "\n".join([header, *many]).encode()
    _, results = run(made.write(tmp_path))
    marked = [{entry["practically_best"] for entry in one["entries"]} for one in results["metrics"]]
    assert marked == [{True}, {None}, {None}]


def test_tasks_of_a_single_submission(tmp_path: Path) -> None:
    made = tasks_case()
    files = {
        name.replace("res/One/", "res/"): content
        for name, content in made.files.items()
        if "/Two/" not in name and "/Three/" not in name
    }
    flat, results = run(Case(files, made.settings).write(tmp_path))
    assert results["form"] == "single"
    assert flat["stance_accuracy_score"] == round(SCORES["One"], 10)
    assert flat["mood_accuracy_score"] == round(SCORES["Two"], 10)


@pytest.mark.parametrize("missing_task", ["drop", "worst"])
def test_a_team_without_a_task_is_ranked_in_the_others(tmp_path: Path, missing_task: str) -> None:
    made = tasks_case(f"metrics: [accuracy_score]\nmissing_task: {missing_task}\n")
    del made.files["res/Three/mood.csv"]
    flat, results = run(made.write(tmp_path))
    (unscored,) = results["unscored"]
    assert (unscored["entry"], unscored["where"]) == ("Three", "mood")
    assert "no predictions for the task 'mood'; add a file called mood.csv" in unscored["reason"]
    assert results["unusable"] == []
    overall, mood, stance = (
        {entry["entry"]: entry for entry in metric["entries"]} for metric in results["metrics"]
    )
    assert (sorted(mood), sorted(stance)) == (["One", "Two"], sorted(TEAMS))
    assert "mood_accuracy_score.Three" not in flat
    assert ("rank.Three" in flat) == (missing_task == "worst")
    if missing_task == "drop":
        assert sorted(overall) == ["One", "Two"]
    else:
        assert overall["Three"]["score"] == pytest.approx(SCORES["Three"] / 2)
    page = (tmp_path / "output" / "detailed_results.html").read_text(encoding="utf-8")
    assert "Entries without a score in a task or by a metric" in page
    assert "2 compared" not in page  # the third is compared, too, in one task


@pytest.mark.parametrize("runs", ["all", "best"])
def test_a_team_without_a_task_has_the_worst_value_whoever_takes_part(
    tmp_path: Path, runs: str
) -> None:
    """Another run of One has every answer of the task wrong, and level with it is who sent none."""
    made = tasks_case(f"metrics: [accuracy_score]\nmissing_task: worst\nruns: {runs}\n")
    del made.files["res/Three/mood.csv"]
    for task in ("mood", "stance"):
        good = made.files[f"res/One/1/{task}.csv"] = made.files.pop(f"res/One/{task}.csv")
        made.files[f"res/One/2/{task}.csv"] = good
    wrong = [(f"m{k}", "b" if label == "a" else "a") for k, label in rows_of(GOLD)]
    made.files["res/One/2/mood.csv"] = table(wrong)
    _, results = run(made.write(tmp_path))
    assert [item["entry"] for item in results["unscored"]] == ["Three"]
    overall = {entry["entry"]: entry["score"] for entry in results["metrics"][0]["entries"]}
    assert overall["Three"] == pytest.approx(SCORES["Three"] / 2)


@pytest.mark.parametrize(
    ("metric", "overall"),
    swept(
        [
            ("accuracy_score", "mean"),
            ("accuracy_score", "stance_NAME * (1 + mood_NAME)"),
            ("zero_one_loss", "mean"),
            ("{name: two, formula: 2 * accuracy_score}", "mean"),
            ("{name: two, formula: 2 * accuracy_score}", "min(stance_NAME, mood_NAME)"),
        ],
        fast=2,
    ),
)
def test_the_report_gives_who_lacks_a_task_what_the_platform_gives(
    tmp_path: Path, metric: str, overall: str
) -> None:
    name = "two" if "two" in metric else metric
    listed = metric if name == metric else f"accuracy_score, {metric}"
    settings = f"metrics: [{listed}]\nrank_by: {name}\noverall: {overall}\n"
    settings = settings.replace("NAME", name).replace("rank_by: two\n" * (name == metric), "")
    made = tasks_case(f"{settings}missing_task: worst\n")
    del made.files["res/Three/mood.csv"]
    _, report = run(made.write(tmp_path / "report"))
    files = {file: text for file, text in made.files.items() if "res/" not in file}
    for file in made.files.keys() - files.keys():
        own = "res/" if "Three" in file else "ref/submissions/"
        files[file.replace("res/Three/", own).replace("res/", own)] = made.files[file]
    _, platform = run(Case(files, f"{made.settings}layout: single\n").write(tmp_path / "single"))
    scores = [
        {
            entry["entry"].replace("submission", "Three"): entry["score"]
            for entry in results["metrics"][0]["entries"]
        }
        for results in (report, platform)
    ]
    assert scores[0] == pytest.approx(scores[1])
    assert min(scores[0].values()) == scores[0]["Three"] or "loss" in metric
    intervals = [
        {
            entry["entry"].replace("submission", "Three"): entry["ci"]
            for entry in results["metrics"][0]["entries"]
        }
        for results in (report, platform)
    ]
    assert intervals[0] == {name: pytest.approx(ends) for name, ends in intervals[1].items()}


#: What numbers each team predicts, one off by more than the other.
ERRORS = {"One": (0.1, 0.3), "Two": (0.2, 0.2), "Three": (0.3, 0.1), "Four": (0.05, 9.0)}


def numbers_case(settings: str, lacking: tuple[str, ...] = ()) -> Case:
    """Two tasks of numbers; errors have no worst value."""
    rng = np.random.default_rng(4)
    files = {}
    for place, task in enumerate(("size", "weight")):
        gold = rng.normal(size=120)
        files[f"ref/{task}.csv"] = table([(f"x{k}", f"{v:.6f}") for k, v in enumerate(gold)])
        for team, sizes in ERRORS.items():
            values = gold + sizes[place] * rng.normal(size=120)
            rows = [(f"x{k}", f"{value:.6f}") for k, value in enumerate(values)]
            files[f"res/{team}/{task}.csv"] = table(rows)
    for file in lacking:
        del files[f"res/{file}.csv"]
    return Case(files, f"missing_task: worst\n{settings}")


def test_without_a_worst_value_who_lacks_a_task_is_behind_all_who_took_part(tmp_path: Path) -> None:
    """Those who lack it share the place; an enormous error is still better."""
    made = numbers_case("metrics: [mean_absolute_error]\n", ("One/weight", "Two/weight"))
    flat, results = run(made.write(tmp_path))
    ranks = {team: flat[f"mean_rank.{team}"] for team in ERRORS}
    assert ranks == {
        "One": (2 + 3.5) / 2, "Two": (3 + 3.5) / 2, "Three": (4 + 1) / 2, "Four": (1 + 2) / 2
    }  # fmt: skip
    first = {entry["entry"]: entry for entry in results["metrics"][0]["entries"]}
    possible = {team for team in ERRORS if first[team]["rank_range"][0] == 1}
    assert possible == {"Four"}
    assert "weight_mean_absolute_error.One" not in flat
    head, *rows = (tmp_path / "output" / "tables" / "tasks.csv").read_text().splitlines()
    column = head.split(",").index("weight_mean_absolute_error_rank")
    assert {row.split(",")[0]: row.split(",")[column] for row in rows} == {
        "One": "3", "Two": "3", "Three": "1", "Four": "2"
    }  # fmt: skip


@pytest.mark.parametrize("lacking", [(), ("One/weight",)])
@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ("metrics: [mean_absolute_error]\noverall: mean", "size_mean_absolute_error"),
        ("metrics: [mean_absolute_error]\noverall: mean_standardized", "size_mean_absolute_error"),
        ("metrics: [r2_score]\noverall: size_r2_score + weight_r2_score", "size_r2_score"),
    ],
)
def test_other_methods_need_a_worst_value(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    settings: str,
    name: str,
    lacking: tuple[str, ...],
) -> None:
    """Before anybody lacks a task, as on the platform."""
    made = numbers_case(f"{settings}\n", lacking)
    for layout in ("", "layout: single\n"):
        files = made.files
        if layout:
            files = {
                file.replace("res/Three/", "res/"): text
                for file, text in files.items()
                if "ref/" in file or "Three" in file
            }
        folder = Case(files, made.settings + layout).write(tmp_path / (layout[:6] or "report"))
        assert main([str(folder), str(folder / "output"), *_QUICK]) == 2
        error = capsys.readouterr().err
        assert f"but '{name}' has none; choose a bounded metric, or 'drop', or" in error
        assert "'overall: mean_rank'" in error


def test_a_formula_that_may_be_good_at_its_worst_is_refused_in_the_report_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A mean rank puts who lacks the task behind all instead."""
    gap = (
        "metrics: [{name: gap, formula: 'max(acc, f1) - min(acc, f1)', greater_is_better: false}, "
        "{name: acc, function: accuracy_score}, "
        "{name: f1, function: f1_score, params: {average: macro}}]\nrank_by: gap\n"
        "missing_task: worst\noverall: "
    )
    made = tasks_case(f"{gap}mean\n")
    del made.files["res/Three/mood.csv"]
    folder = made.write(tmp_path / "mean")
    assert main([str(folder), str(folder / "output"), *_QUICK]) == 2
    assert "may be better with the worst value" in capsys.readouterr().err
    made = tasks_case(f"{gap}mean_rank\n")
    del made.files["res/Three/mood.csv"]
    flat, results = run(made.write(tmp_path / "ranks"))
    assert results["metrics"][0]["name"] == "mean_rank"
    places = (tmp_path / "ranks" / "output" / "tables" / "tasks.csv").read_text().splitlines()
    column = places[0].split(",").index("mood_gap_rank")
    assert next(row for row in places if row.startswith("Three")).split(",")[column] == "3"
    assert flat["mean_rank.Three"] >= 2


@pytest.mark.parametrize("has_field", [False, True])
def test_a_single_submission_without_a_task_scores_as_if_all_were_wrong(
    tmp_path: Path, *, has_field: bool
) -> None:
    made = tasks_case(
        "metrics: [accuracy_score, zero_one_loss, {name: both, formula: accuracy_score * 2}]\n"
        "missing_task: worst\noverall: mean\nlayout: single\n"
    )
    files = {name: text for name, text in made.files.items() if name.startswith("ref/")}
    for name in made.files.keys() - files.keys() if has_field else ():
        if "Three" not in name:
            files[name.replace("res/", "ref/submissions/")] = made.files[name]
    files["res/stance.csv"] = made.files["res/Three/stance.csv"]
    lacking, results = run(Case(files, made.settings).write(tmp_path / "lacking"))
    (unscored,) = results["unscored"]
    assert unscored["where"] == "mood"
    assert results["verdict"].count("so this submission counts as the worst there.") == 1
    first, second = sorted({*GOLD})
    swapped = {first: second, second: first}
    files["res/mood.csv"] = table([(f"m{k}", swapped[v]) for k, v in rows_of(GOLD)])
    wrong, _ = run(Case(files, made.settings).write(tmp_path / "wrong"))
    assert wrong.pop("mood_zero_one_loss") == lacking.pop("mood_zero_one_loss") == 1
    constant = {key for key in wrong if key.startswith("mood")}  # all-wrong files have intervals
    assert {lacking[key] for key in constant} == {0, 1}
    assert {key: lacking[key] for key in lacking if key not in constant} == {
        key: pytest.approx(wrong[key]) for key in wrong if key not in constant
    }
    assert ("rank" in lacking) == has_field


def test_the_label_of_scores_is_asked_for_though_one_submission_lacks_the_task(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = tasks_case(
        "metrics:\n- {name: area, function: roc_auc_score, task: mood}\n"
        "- {name: share, function: accuracy_score, task: stance}\n"
        "missing_task: worst\nlayout: single\noverall: mood_area + stance_share\n"
    )
    files = {name: text for name, text in made.files.items() if name.startswith("ref/")}
    for team in ("One", "Two"):
        files[f"ref/submissions/{team}/stance.csv"] = made.files[f"res/{team}/stance.csv"]
        scores = [(f"m{k}", f"0.{place}") for place, (k, _) in enumerate(rows_of(GOLD))]
        files[f"ref/submissions/{team}/mood.csv"] = table(scores, header=("id", "score"))
    files["res/stance.csv"] = made.files["res/Three/stance.csv"]
    folder = Case(files, made.settings).write(tmp_path)
    assert main([str(folder), str(folder / "output"), *_QUICK]) == 2
    assert "as in roc_auc_score: {pos_label: yes}" in capsys.readouterr().err


def test_a_positive_label_of_one_task_may_be_none_of_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = tasks_case("metrics: [{roc_auc_score: {pos_label: b}}]\n")
    scores = [(key, f"0.{place}") for place, (key, _) in enumerate(rows_of(GOLD))]
    for name in made.files:
        if name.startswith("res/"):
            of_mood = [(f"m{key}", score) for key, score in scores]
            made.files[name] = table(of_mood if "mood" in name else scores, header=("id", "score"))
    mood = [(f"m{key}", "yes" if label == "a" else "no") for key, label in rows_of(GOLD)]
    made.files["ref/mood.csv"] = table(mood)
    folder = made.write(tmp_path)
    assert main([str(folder), str(folder / "output"), *_QUICK]) == 2
    assert "need a metric of their own, with 'task'" in capsys.readouterr().err
    tasks = [
        "{name: one, function: roc_auc_score, params: {pos_label: b}, task: stance}",
        "{name: two, function: roc_auc_score, params: {pos_label: yes}, task: mood}",
    ]
    (folder / "ref" / "scoring.yaml").write_text(f"metrics: [{', '.join(tasks)}]\n")
    flat, _ = run(folder)
    assert flat["stance_one.One"] == pytest.approx(1 - flat["mood_two.One"])


def test_a_single_submission_has_a_value_by_every_overall_metric(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without one, the leaderboard would show it first."""
    made = tasks_case(
        "metrics: [accuracy_score]\nlayout: single\noverall: log(mood_accuracy_score)\n"
    )
    files = {name: text for name, text in made.files.items() if name.startswith("ref/")}
    files["res/stance.csv"] = made.files["res/Three/stance.csv"]
    first, second = sorted({*GOLD})
    swapped = {first: second, second: first}
    files["res/mood.csv"] = table([(f"m{k}", swapped[v]) for k, v in rows_of(GOLD)])
    folder = Case(files, made.settings).write(tmp_path)
    assert main([str(folder), str(folder / "output"), *_QUICK]) == 2
    assert "'log(mood_accuracy_score)' is infinite or undefined for this submission" in (
        capsys.readouterr().err
    )
    assert not (folder / "output").exists()


@pytest.mark.parametrize(
    ("metrics", "overall", "said"),
    [
        ("", "log(mood_acc)", "'overall' (log(mood_acc)) has no value where"),
        (
            ", {name: x, formula: mood_acc * (1 - stance_acc), greater_is_better: true}",
            "mean",
            "'x' (mood_acc * (1 - stance_acc)) may be better",
        ),
        (
            ", {name: h, formula: acc + f1}, "
            "{name: x, formula: mood_h / (1 + stance_h), greater_is_better: true}",
            "mean",
            "'x' (mood_h / (1 + stance_h)) may be better",
        ),
        (
            ", {name: h, formula: 2 * acc * f1 / (acc + f1), greater_is_better: true}",
            "mean",
            "'mood_h' (2 * acc * f1 / (acc + f1)) has no value where",
        ),
        (
            ', {name: gap, formula: "max(acc, f1) - min(acc, f1)", greater_is_better: false}',
            "mean",
            "may be better with the worst value",
        ),
        (
            ", {name: square, formula: mcc * mcc, greater_is_better: true}",
            "mean",
            "may be better with the worst value",
        ),
    ],
)
def test_formulas_without_a_certain_worst_value_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], metrics: str, overall: str, said: str
) -> None:
    """Who lacks a task must not gain by it; nor must others' scores depend on who lacks one."""
    own = (
        "{name: acc, function: accuracy_score}, {name: mcc, function: matthews_corrcoef}, "
        "{name: f1, function: f1_score, params: {average: macro}}"
    )
    made = tasks_case(
        f"metrics: [{own}{metrics}]\noverall: {overall}\nmissing_task: worst\nlayout: single\n"
    )
    files = {name: text for name, text in made.files.items() if name.startswith("ref/")}
    files["res/stance.csv"] = made.files["res/Three/stance.csv"]
    folder = Case(files, made.settings).write(tmp_path)
    assert main([str(folder), str(folder / "output"), *_QUICK]) == 2
    error = capsys.readouterr().err
    assert "missing_task: " in error
    assert said in error
    assert not (folder / "output").exists()


def test_formulas_that_rise_with_their_metrics_have_a_worst_value(tmp_path: Path) -> None:
    """Of eighteen metrics of two tasks, one of which is a loss without an ideal."""
    names = [f"a{k}" for k in range(8)]
    weights = " + ".join(f"0.1 * {task}_{name}" for task in ("mood", "stance") for name in names)
    metrics = [f"{{name: {name}, function: accuracy_score}}" for name in names]
    made = tasks_case(
        f"metrics: [{', '.join(metrics)}, {{name: loss, function: zero_one_loss}}, {{name: all, "
        f'formula: "sqrt({weights}) - 0.1 * exp(mood_loss) / (2 - max(stance_loss, mood_loss))", '
        "greater_is_better: true}]\noverall: mean\nmissing_task: worst\nlayout: single\n"
    )
    files = {name: text for name, text in made.files.items() if name.startswith("ref/")}
    files["res/stance.csv"] = made.files["res/Three/stance.csv"]
    flat, _ = run(Case(files, made.settings).write(tmp_path))
    share = flat["stance_a0"]
    assert flat["all"] == pytest.approx((0.8 * share) ** 0.5 - 0.1 * math.e)


def test_who_wins_is_the_same_whoever_of_a_field_is_scored(tmp_path: Path) -> None:
    """Two lack a task: the better one at the other must not win because the third is scored."""
    made = tasks_case("metrics: [accuracy_score]\noverall: mean\nmissing_task: worst\n")
    found = []
    for own in TEAMS:
        files = {name: text for name, text in made.files.items() if name.startswith("ref/")}
        for team in TEAMS:
            for task in ("stance", "mood"):
                folder = "res" if team == own else f"ref/submissions/{team}"
                if task == "stance" or team == "Three":
                    files[f"{folder}/{task}.csv"] = made.files[f"res/{team}/{task}.csv"]
        case_ = Case(files, f"{made.settings}layout: single\n")
        _, results = run(case_.write(tmp_path / own))
        scores = [
            {entry["entry"].replace("submission", own): entry["score"] for entry in one["entries"]}
            for one in results["metrics"]
        ]
        assert scores[1]["One"] == scores[1]["Two"] == 0
        found.append(scores)
    assert found[0] == found[1] == found[2]
    assert max(found[0][0], key=lambda team: found[0][0][team]) == "Three"


def test_a_task_that_nobody_took_part_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = tasks_case()
    for team in TEAMS:
        del made.files[f"res/{team}/mood.csv"]
    folder = made.write(tmp_path)
    assert main([str(folder), str(folder / "output"), *_QUICK]) == 1
    said = capsys.readouterr().err
    assert "no submission can be scored in the task 'mood'" in said
    for team in TEAMS:
        assert f"[{team}] there are no predictions for the task 'mood'" in said


def test_metrics_of_classes_beside_a_task_of_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody is blamed for numbers that the metrics take for classes."""
    made = tasks_case("metrics: [accuracy_score]\n")
    for path in ["ref/mood.csv", *(f"res/{team}/mood.csv" for team in TEAMS)]:
        ids = [line.split(b",")[0] for line in made.files[path].splitlines()[1:]]
        shift = 0 if path.startswith("ref") else 1000
        rows = (b"%s,%.1f" % (name, 1.5 * row + shift) for row, name in enumerate(ids))
        made.files[path] = b"\n".join([b"id,label", *rows])
    folder = made.write(tmp_path)
    assert main([str(folder), str(folder / "output"), *_QUICK]) == 2
    said = capsys.readouterr().err
    assert "mood.csv: column 'label' holds numbers" in said
    assert "(mood_accuracy_score)" in said
    assert "say with 'task:' which tasks" in said


def test_every_task_has_the_metrics_of_its_columns(tmp_path: Path) -> None:
    made = tasks_case(
        "metrics: [accuracy_score, {name: f, function: f1_score, params: {pos_label: a}, "
        "column: mood}, {name: mix, formula: 0 - f, greater_is_better: true}]\n"
    )
    made.files["ref/mood.csv"] = made.files["ref/mood.csv"].replace(b"id,label", b"id,mood")
    competition, _ = read_input(made.write(tmp_path), lambda settings: settings)
    assert [[metric.name for metric in part.metrics] for part in competition.parts] == [
        ["mood_accuracy_score", "mood_f", "mood_mix"],
        ["stance_accuracy_score"],
    ]


def test_tasks_whose_keys_would_be_the_same(tmp_path: Path) -> None:
    made = tasks_case()
    files = {
        name.replace("stance", "a b").replace("mood", "a-b"): made.files[name]
        for name in made.files
    }
    with pytest.raises(ReferenceDataError, match="give the same keys"):
        read_input(Case(files, made.settings).write(tmp_path), lambda settings: settings)


def test_a_file_that_is_no_gold(tmp_path: Path) -> None:
    made = tasks_case()
    made.files["ref/notes.txt"] = b"Made by hand.\nNot to be shared.\n"
    with pytest.raises(ReferenceDataError, match=r"mood.*stance.*if notes\.txt is not, move it"):
        read_input(made.write(tmp_path), lambda settings: settings)


def test_a_header_that_may_be_an_example_is_not_told(tmp_path: Path) -> None:
    gold = "x1,the quick brown fox\n" + "".join(f"y{i},{'ab'[i % 2]}\n" for i in range(6))
    made = case({"p.csv": b"y1 a\ny2=b\n"}, gold={"gold.csv": gold.encode()})
    competition, _ = read_input(
        made.write(tmp_path), lambda settings: replace(settings, layout="teams")
    )
    (unusable,) = competition.unusable
    assert "quick" not in unusable.reason
    assert "x1" not in unusable.reason


def test_broken_gold_is_told_before_an_empty_upload(tmp_path: Path) -> None:
    folder = case({}, gold={"gold.csv": b""}).write(tmp_path)
    with pytest.raises(ReferenceDataError, match="the file is empty"):
        read_input(folder, lambda settings: settings)


@pytest.mark.parametrize("label", ["A", "c", "1"])
def test_label_of_a_metric_that_the_settings_do_not_list(tmp_path: Path, label: str) -> None:
    """It would count as a class that everybody misses."""
    metric = f"metrics: [{{f1_score: {{average: macro, labels: [b, {label}]}}}}]\n"
    folder = case({}, settings=f"{metric}labels: [a, b]\n").write(tmp_path)
    with pytest.raises(
        SettingsError, match=f"the setting 'labels' does not list its label '?{label}'?"
    ):
        read_input(folder, lambda settings: settings)


def test_task_without_any_metric(tmp_path: Path) -> None:
    made = tasks_case("metrics: [{name: f, function: f1_score, column: mood}]\n")
    made.files["ref/mood.csv"] = made.files["ref/mood.csv"].replace(b"id,label", b"id,mood")
    with pytest.raises(SettingsError, match=r"no metric applies to stance\.csv"):
        read_input(made.write(tmp_path), lambda settings: settings)


def test_tasks_on_the_same_examples_are_resampled_together(tmp_path: Path) -> None:
    made = tasks_case()
    for name in list(made.files):
        if name.endswith("mood.csv"):
            made.files[name] = made.files[name.replace("mood", "stance")]
    _, results = run(made.write(tmp_path))
    assert results["n"] == N
    _, mood, stance = results["metrics"]
    assert [entry["ci"] for entry in mood["entries"]] == [
        entry["ci"] for entry in stance["entries"]
    ]


def test_tables_tell_the_examples_that_they_rest_on(tmp_path: Path) -> None:
    made = tasks_case()
    for name in list(made.files):
        if name.endswith("mood.csv"):
            made.files[name] = b"\n".join(made.files[name].splitlines()[:-2])
    run(made.write(tmp_path))
    tables = tmp_path / "output" / "tables"
    for metric, n in (
        ("", 2 * N - 2),
        ("_mood_accuracy_score", N - 2),
        ("_stance_accuracy_score", N),
    ):
        assert f"{n} test examples" in (tables / f"ranking{metric}.md").read_text()
    page = (tmp_path / "output" / "detailed_results.html").read_text(encoding="utf-8")
    assert "From the test set of each task, it draws as many examples as there are" in page
    assert f"It draws {2 * N - 2} examples" not in page


def test_same_examples_with_other_labels_are_resampled_together(tmp_path: Path) -> None:
    renamed = {"a": "c", "b": "a"}  # another order of labels
    made = tasks_case()
    for name in list(made.files):
        if name.endswith("mood.csv"):
            _, *lines = made.files[name.replace("mood", "stance")].decode().splitlines()
            cells = [line.split(",") for line in lines]
            made.files[name] = table([(id, renamed[label]) for id, label in cells])
    made = replace(made, settings=f"{made.settings}overall: mean_rank\n")
    flat, results = run(made.write(tmp_path))
    assert results["n"] == flat["n_examples"] == N
    mean, mood, stance = results["metrics"]
    for one, other in zip(mood["pairs"], stance["pairs"], strict=True):
        assert one == other
    for entry in mean["entries"]:
        alone = next(e for e in mood["entries"] if e["entry"] == entry["entry"])
        assert entry["rank_frequency"] == alone["rank_frequency"]


def test_mean_rank_on_the_resamples_on_which_every_task_is_defined() -> None:
    """A resample that one task lacks must not shift its later ones against those of the others."""
    rng = np.random.default_rng(5)
    of_one, of_other = rng.random((2, 50, 4))
    lacking = np.isin(np.arange(50), (3, 17, 18))
    replicates = (Replicates(of_one[~lacking], 3, defined=~lacking), Replicates(of_other, 0))
    items = [SimpleNamespace(replicates=own, rows_of_further_runs=[]) for own in replicates]
    drawn: Any = [SimpleNamespace(metrics=[item]) for item in items]
    everyone, observed = np.ones(4, np.bool_), np.arange(4.0)
    tasks = tuple(made_metric(name) for name in ("one", "other"))
    components = tuple(
        Component(part, 0, metric, np.arange(4)) for part, metric in enumerate(tasks)
    )
    overall = made_metric("mean_rank", function="mean_rank", greater_is_better=False)
    scores = OverallScores(
        replace(overall, components=tasks),
        (0, 1, 2, 3),
        components,
        everyone,
        observed,
        (observed, observed),
    )
    found = OverallUnits.from_tasks(scores, drawn, Question(), HERE).replicates
    whole = overall_module.mean_ranks([-of_one, -of_other], everyone)
    np.testing.assert_array_equal(found.values, whole[~lacking])
    assert found.undefined == 3


def test_broken_file_of_one_task_is_told_with_the_other(tmp_path: Path) -> None:
    made = tasks_case()
    for name in made.files:
        if name.startswith("res/"):
            made.files[name] = b""
    competition, _ = read_input(made.write(tmp_path), lambda settings: settings)
    assert competition.names == ()
    assert "mood.csv: the file is empty" in competition.unusable[0].reason
    assert "stance.csv: the file is empty" in competition.unusable[0].reason


@pytest.mark.parametrize("name", ["gold_old", "gold (1)", "gold-v2", "Gold.bak", "copy"])
def test_a_copy_of_the_gold_is_no_task(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    files = {f"{team}.csv": table(rows_of(TEAMS[team])) for team in TEAMS}
    gold = table(rows_of(GOLD))
    folder = case(files, gold={"gold.csv": gold, f"{name}.csv": gold}).write(tmp_path)
    assert main([str(folder), str(folder / "output"), *_QUICK]) == 2
    message = capsys.readouterr().err
    assert "gold.csv" in message
    assert f"{name}.csv" in message
    assert "hold the same ids" in message
    assert "remove " in message


def test_a_gold_too_many_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What lies beside the gold makes two tasks of one, and no submission knows of them."""
    files = {f"{team}.csv": table(rows_of(TEAMS[team])) for team in TEAMS}
    gold = {"gold.csv": table(rows_of(GOLD)), "one more.csv": table([("x", "a"), ("y", "b")])}
    folder = case(files, gold=gold).write(tmp_path)
    assert main([str(folder), str(folder / "output"), *_QUICK]) == 2
    message = capsys.readouterr().err
    assert "which would be tasks (gold, one more), but no submission is called like one" in message
    assert "Tried: 3 of 3 submissions are read." in message
    _, _, line = message.partition("reference data?\n")
    suggested = line.splitlines()[0].strip()
    assert suggested == "reference: {file: gold.csv}"
    settings = folder / "ref" / "scoring.yaml"
    text = settings.read_text() if settings.is_file() else ""
    settings.write_text(f"{text}{suggested}\n")
    _, results = run(folder)
    assert len(results["metrics"][0]["entries"]) == 3


def test_the_texts_of_the_examples_beside_the_gold_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They hold its ids and no answers, as the test set of OffensEval 2019 does."""
    files = {f"{team}.csv": table(rows_of(TEAMS[team])) for team in TEAMS}
    texts = [(row[0], f"a text about {number}") for number, row in enumerate(rows_of(GOLD))]
    gold = {"labels-a.csv": table(rows_of(GOLD)), "testset-a.csv": table(texts)}
    folder = case(files, gold=gold).write(tmp_path)
    assert main([str(folder), str(folder / "output"), *_QUICK]) == 2
    message = capsys.readouterr().err
    assert "  reference: {file: labels-a.csv}\n" in message
    assert "testset-a.csv}" not in message


def test_of_two_files_that_fit_nobody_chooses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Here each holds tags of the same tokens, and teams are called like none of the two."""
    sentences = [[f"w{sentence}{token}" for token in range(4)] for sentence in range(30)]

    def tagged(tag_of: Callable[[int, int], str]) -> str:
        lines = []
        for i, words in enumerate(sentences):
            lines += [f"{word} {tag_of(i, k)}" for k, word in enumerate(words)]
            lines.append("")
        return "\n".join(lines)

    ref, res = tmp_path / "ref", tmp_path / "res"
    for folder in (ref, res):
        folder.mkdir()
    (ref / "people.conll").write_text(tagged(lambda i, k: "B-PER" if (i + k) % 3 else "O"))
    (ref / "places.conll").write_text(tagged(lambda i, k: "O" if (i + k) % 3 else "B-PER"))
    other = tagged(lambda i, k: "B-PER" if (i + k) % 2 else "O").replace("w", "v")
    (ref / "other.conll").write_text(other)
    (res / "north.conll").write_text(tagged(lambda i, k: "B-PER" if (i + k) % 4 else "O"))
    (res / "south.conll").write_text(tagged(lambda i, k: "B-PER" if (i + k) % 5 else "O"))
    assert main([str(tmp_path), str(tmp_path / "output"), *_QUICK]) == 2
    message = capsys.readouterr().err
    assert "  reference: {file: people.conll}\n  reference: {file: places.conll}\n" in message
    assert "other.conll" not in message
    assert "one of these lines" in message


def test_parts_of_one_test_set_are_not_taken_for_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No file alone is the reference data of submissions that answer all of them."""
    files = {f"{team}.csv": table(rows_of(TEAMS[team])) for team in TEAMS}
    rows = rows_of(GOLD)
    gold = {"first.csv": table(rows[: len(rows) // 2]), "rest.csv": table(rows[len(rows) // 2 :])}
    folder = case(files, gold=gold).write(tmp_path)
    assert main([str(folder), str(folder / "output"), *_QUICK]) == 1
    message = capsys.readouterr().err
    assert "all 3 submissions fail alike" in message
    assert "every data file there is a task (first, rest)" in message
    assert "parts of one test set go into one file" in message
    assert message.count("states no task") == 1


def test_ties_share_the_average_rank() -> None:
    losses = np.array([[0.1, 0.3, 0.1, 0.2], [2.0, 1.0, 3.0, 4.0], [5.0, 5.0, 5.0, 5.0]])
    all_of_them = np.ones(4, np.bool_)
    assert overall_module.ranks(losses, all_of_them).tolist() == [
        [1.5, 4, 1.5, 3],
        [2, 1, 3, 4],
        [2.5, 2.5, 2.5, 2.5],
    ]
    found = overall_module.mean_ranks(list(losses), all_of_them)
    assert found.tolist() == [2.0, 2.5, 7 / 3, 9.5 / 3]


@pytest.mark.parametrize("competing", [[1, 1, 1, 1, 1], [1, 0, 1, 1, 0], [0, 0, 0, 1, 0]])
def test_ranks_count_rivals_only(competing: list[int]) -> None:
    rivals = np.array(competing, np.bool_)
    losses = np.random.default_rng(0).integers(0, 4, (200, 5)).astype(np.float64)
    others = losses[:, None, rivals]
    naive = 0.5 + (others < losses[:, :, None]).sum(axis=2)
    naive += 0.5 * (others == losses[:, :, None]).sum(axis=2)  # a rival is level with itself
    assert (overall_module.ranks(losses, rivals) == naive).all()


def test_a_team_has_one_vote_in_the_ranks_of_others() -> None:
    """By its best run; its own runs are no rivals, and baselines count nowhere."""
    rng = np.random.default_rng(0)
    losses = rng.integers(0, 5, (100, 7)).astype(np.float64)
    teams, rivals = np.array([3, 1, 1, 0, 0, 0, 2]), np.array([1, 1, 1, 1, 1, 1, 0], np.bool_)
    found = overall_module.ranks(losses, rivals, teams)
    for row, ranks in zip(losses, found, strict=True):
        best = {team: row[rivals & (teams == team)].min() for team in (0, 1, 3)}
        for run in range(6):
            others = [best[team] for team in best if team != teams[run]]
            level = sum(loss == row[run] for loss in others)
            assert ranks[run] == 1 + sum(loss < row[run] for loss in others) + level / 2
        level = sum(loss == row[6] for loss in best.values())
        assert ranks[6] == 0.5 + sum(loss < row[6] for loss in best.values()) + level / 2


def test_the_ranks_beside_a_mean_rank_are_those_that_it_averages(tmp_path: Path) -> None:
    """X is first in the task that it takes part in, and has no overall place."""
    right = {"A": (70, 90), "B": (90, 80), "X": (95, None)}
    ids = [f"x{i}" for i in range(100)]
    files = {}
    for task, name in enumerate(("one", "two")):
        files[f"ref/{name}.csv"] = table([(of, "yes") for of in ids])
        for team, correct in right.items():
            if (count := correct[task]) is not None:
                answers = [(of, "yes" if i < count else "no") for i, of in enumerate(ids)]
                files[f"res/{team}/{name}.csv"] = table(answers)
    settings = "metrics: [accuracy_score]\nlabels: [yes, no]\noverall: mean_rank\n"
    folder = Case(files, settings).write(tmp_path)
    flat, _ = run(folder)
    assert (flat["mean_rank.A"], flat["mean_rank.B"]) == (1.5, 1.5)
    lines = (folder / "output" / "tables" / "tasks.csv").read_text().splitlines()
    head, *rows = [line.split(",") for line in lines]
    place = head.index("one_accuracy_score_rank")
    assert {row[0]: row[place : place + 3] for row in rows} == {
        "A": ["2", "", ""],
        "B": ["1", "", ""],
    }
    place = head.index("two_accuracy_score_rank")
    assert {row[0]: row[place : place + 3] for row in rows} == {
        "A": ["1", "1", "1"],
        "B": ["2", "2", "2"],
    }
    page = (folder / "output" / "detailed_results.html").read_text()
    assert "A mean rank averages the ranks among the entries with an overall place, and" in page


def test_a_baseline_decides_no_mean_rank(tmp_path: Path) -> None:
    """A and B win a task each; a baseline between them in one of the tasks changes nothing."""
    right = {"A": (70, 90), "B": (90, 80), "Z": (80, 50)}
    files = {}
    for task, name in enumerate(("one", "two")):
        ids = [f"x{i}" for i in range(100)]
        files[f"ref/{name}.csv"] = table([(of, "yes") for of in ids])
        for team, correct in right.items():
            answers = [(of, "yes" if i < correct[task] else "no") for i, of in enumerate(ids)]
            files[f"res/{team}/{name}.csv"] = table(answers)
    settings = "metrics: [accuracy_score]\nlabels: [yes, no]\nbaselines: [Z]\noverall: mean_rank\n"
    flat, _ = run(Case(files, settings).write(tmp_path))
    found = {team: flat[f"mean_rank.{team}"] for team in right}
    assert found == {"A": 1.5, "B": 1.5, "Z": 2.0}
    assert [flat["rank.A"], flat["rank.B"]] == [1, 1]


def test_a_baseline_ahead_in_every_task_is_ahead(tmp_path: Path) -> None:
    right = {"A": 67, "B": 100, "C": 0}
    files = {}
    for name in ("one", "two"):
        ids = [f"x{i}" for i in range(100)]
        files[f"ref/{name}.csv"] = table([(of, "yes") for of in ids])
        for team, correct in right.items():
            answers = [(of, "yes" if i < correct else "no") for i, of in enumerate(ids)]
            files[f"res/{team}/{name}.csv"] = table(answers)
    settings = "metrics: [accuracy_score]\nlabels: [yes, no]\nbaselines: [B]\noverall: mean_rank\n"
    folder = Case(files, settings).write(tmp_path)
    flat, found = run(folder)
    assert [flat[f"mean_rank.{team}"] for team in "ABC"] == [1.0, 0.5, 2.0]
    assert [flat[f"tied_with_leader.{team}"] for team in "ABC"] == [1, 0, 0]
    page = (folder / "output" / "detailed_results.html").read_text(encoding="utf-8")
    assert "A baseline, B, scores better than the leader" in page
    codes = {warning["code"] for warning in found["warnings"]}
    assert "identical_predictions" not in codes


@pytest.mark.parametrize(
    ("formula", "why"),
    thinned(
        [
            ("accuracy_score - zero_one_loss", "combines scores and errors"),
            ("(1 / (1 + zero_one_loss) + accuracy_score) / 2", "combines scores and errors"),
            ("1 - accuracy_score", "subtracts or divides by 'accuracy_score'"),
            ("-1 * accuracy_score", "subtracts or divides by 'accuracy_score'"),
            ("2 / max(accuracy_score, 0.1)", "subtracts or divides by 'accuracy_score'"),
            ("accuracy_score ** -1", "subtracts or divides by 'accuracy_score'"),
            ("(accuracy_score - 0.9) ** 2", "may rise or fall where 'accuracy_score' rises"),
        ]
    ),
)
def test_a_formula_that_may_be_an_error_states_its_direction(
    formula: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    metrics = "metrics: [accuracy_score, zero_one_loss, {name: sum, formula: '%s'%s}]\n"
    files = {f"{team}.csv": table(rows_of(TEAMS[team])) for team in TEAMS}
    folder = case(files, settings=metrics % (formula, "")).write(tmp_path / "unsaid")
    assert main([str(folder), str(folder / "output"), *_QUICK]) == 2
    said = f"line 1: metric 'sum' {why}: say whether a higher value is better, with greater_is_b"
    assert said in capsys.readouterr().err
    with pytest.raises(dh.OrganizerError, match="say whether a higher value is better"):
        dh.score(folder, resamples=100)
    for better in (True, False):
        settings = metrics % (formula, f", greater_is_better: {str(better).lower()}")
        folder = case(files, settings=settings).write(tmp_path / str(better))
        assert dh.score(folder, resamples=100, workers=1)["sum"].greater_is_better == better


def test_a_formula_that_adds_up_scores_is_a_score(tmp_path: Path) -> None:
    files = {f"{team}.csv": table(rows_of(TEAMS[team])) for team in TEAMS}
    settings = (
        "metrics: [accuracy_score, {name: sum, formula: '2 * sqrt(accuracy_score) - -1 / 2'}]\n"
    )
    folder = case(files, settings=settings).write(tmp_path)
    assert dh.score(folder, resamples=100, workers=1)["sum"].greater_is_better


def _rest_mex(tmp_path: Path, formula: str, metrics: str) -> tuple[dict[str, float], Any]:
    rng = np.random.default_rng(3)
    n = 60
    gold = {"polarity": rng.integers(1, 6, n), "attraction": rng.choice(["H", "R", "A"], n)}
    files = {}
    for name, seed in (("gold", 0), ("One", 1), ("Two", 2)):
        noise = np.random.default_rng(seed).random((2, n)) < 0.2 * seed
        polarity = np.where(noise[0], 6 - gold["polarity"], gold["polarity"])
        attraction = np.where(noise[1], "H", gold["attraction"])
        rows = [(f"r{i}", str(polarity[i]), str(attraction[i])) for i in range(n)]
        content = table(rows, header=("id", "polarity", "attraction"))
        files["ref/gold.csv" if name == "gold" else f"res/{name}.csv"] = content
    settings = f"rank_by: composite\nmetrics:\n{metrics}  - {{name: composite, formula: {formula}, "
    settings += "greater_is_better: true}\n"
    flat, _ = run(Case(files, settings).write(tmp_path))
    return flat, gold


def test_measure_s_of_rest_mex_2022(tmp_path: Path) -> None:
    flat, _ = _rest_mex(
        tmp_path,
        "(1 / (1 + mae) + f1_a) / 2",
        "  - {name: mae, function: mean_absolute_error, column: polarity}\n"
        "  - {name: f1_a, function: f1_score, params: {average: macro}, column: attraction}\n",
    )
    for team in ("One", "Two"):
        expected = (1 / (1 + flat[f"mae.{team}"]) + flat[f"f1_a.{team}"]) / 2
        assert flat[f"composite.{team}"] == pytest.approx(expected, abs=1e-9)
    assert flat["rank.One"] == 1


def test_measure_c_of_rest_mex_2022(tmp_path: Path) -> None:
    weights = {0: 1, 2: 2, 4: 4, 8: 8}
    classes = dict(zip(weights, (1, 2, 3, 4), strict=True))
    flat, _ = _rest_mex(
        tmp_path,
        "(f1_w0 + 2 * f1_w2 + 4 * f1_w4 + 8 * f1_w8) / 15",
        "".join(
            f"  - {{name: f1_w{w}, function: f1_score, column: polarity, "
            f"params: {{labels: [{classes[w]}], average: macro}}}}\n"
            for w in weights
        ),
    )
    for team in ("One", "Two"):
        parts = sum(factor * flat[f"f1_w{w}.{team}"] for w, factor in weights.items())
        assert flat[f"composite.{team}"] == pytest.approx(parts / 15, abs=1e-9)


def test_no_scores_are_written_when_a_single_submission_misses_a_task(tmp_path: Path) -> None:
    made = tasks_case()
    files = {name: content for name, content in made.files.items() if name.startswith("ref/")}
    files["res/mood.csv"] = made.files["res/One/mood.csv"]
    folder = Case(files, made.settings).write(tmp_path)
    with pytest.raises(SubmissionError, match="no predictions for the task 'stance'"):
        read_input(folder, lambda settings: settings)
    assert main([str(folder), str(folder / "output"), *_QUICK]) == 1
    # The page says what the log says.
    assert [path.name for path in (folder / "output").iterdir()] == ["detailed_results.html"]


OF_KINDS = """
metrics:
  - {name: f1, function: f1_score, params: {average: macro}, task: labels}
  - {name: exact, function: exact_match, task: [texts]}
  - {name: tokens, function: token_f1, task: texts}
"""
BOTH = """  - {name: both, formula: "(f1 + tokens) / 2"}
"""


def tasks_of_kinds(folder: Path, settings: str) -> None:
    """Write a task of labels and one of texts; One is better at labels, Two at texts."""
    files = {
        "ref/labels.csv": "id,label\na1,x\na2,y\na3,x\na4,y\n",
        "ref/texts.txt": "a red house\nit rains\nno\ntwo old dogs\n",
        "res/One/labels.csv": "id,label\na1,x\na2,y\na3,x\na4,x\n",
        "res/One/texts.txt": "a blue house\nit rains\nyes\ntwo dogs\n",
        "res/Two/labels.csv": "id,label\na1,x\na2,x\na3,x\na4,x\n",
        "res/Two/texts.txt": "a red house\nit rains\nno\ntwo dogs\n",
        "ref/scoring.yaml": settings,
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_a_metric_scores_the_tasks_that_it_names(tmp_path: Path) -> None:
    tasks_of_kinds(tmp_path, OF_KINDS)
    flat, results = run(tmp_path)
    names = [metric["name"] for metric in results["metrics"]]
    assert names == ["mean_rank", "labels_f1", "texts_exact", "texts_tokens"]
    assert flat["texts_exact.Two"] == 0.75
    assert flat["labels_f1.One"] == pytest.approx((0.8 + 2 / 3) / 2)
    assert flat["mean_rank.One"] == flat["mean_rank.Two"] == 1.5


def test_the_overall_score_joins_metrics_of_different_tasks(tmp_path: Path) -> None:
    tasks_of_kinds(tmp_path, f"{OF_KINDS}{BOTH}overall: both\nrank_by: tokens\n")
    flat, results = run(tmp_path)
    names = [metric["name"] for metric in results["metrics"]]
    assert names == ["both", "labels_f1", "texts_tokens", "texts_exact"]
    half = (flat["labels_f1.Two"] + flat["texts_tokens.Two"]) / 2
    assert flat["both.Two"] == pytest.approx(half, abs=1e-9)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            OF_KINDS.replace("task: labels", "task: label"),
            "there is no task 'label' among labels, texts; did you mean 'labels'?",
        ),
        (
            OF_KINDS.replace("[texts]", "labels").replace("task: texts", "task: labels"),
            "no metric is for the task 'texts'; name one, or remove its reference data",
        ),
        (
            OF_KINDS.replace("task: texts", "task: texts, column: label"),
            "metric 'tokens': no task has its column 'label'",
        ),
        (OF_KINDS.replace("[texts]", "[1]"), "task: expected text; found 1"),
    ],
)
def test_tasks_of_metrics_that_are_refused(tmp_path: Path, settings: str, message: str) -> None:
    tasks_of_kinds(tmp_path, settings)
    with pytest.raises(SettingsError) as failure:
        read_input(tmp_path, lambda found: found)
    assert message in str(failure.value)


def test_a_task_where_there_are_none(tmp_path: Path) -> None:
    tasks_of_kinds(tmp_path, OF_KINDS)
    (tmp_path / "ref" / "texts.txt").unlink()
    with pytest.raises(SettingsError, match="'f1': there are no tasks, because labels"):
        read_input(tmp_path, lambda found: found)


def test_tests_and_cautions_leave_out_who_lacks_a_task(tmp_path: Path) -> None:
    """There is nothing to exchange, and nothing to look at before winners are named."""
    rng, n = np.random.default_rng(0), 150
    files: dict[str, bytes] = {}
    for task in ("mood", "stance"):
        gold = rng.integers(0, 2, n)
        files[f"ref/{task}.csv"] = table(
            [(f"{task}{k}", str(value)) for k, value in enumerate(gold)]
        )
        for team in ("One", "Two", "Three", "Four", "Five"):
            scores = np.abs(gold - rng.uniform(0, 0.1, n))
            wrong = rng.choice(n, 2, replace=False)
            scores[wrong] = 1 - gold[wrong]
            folder = "res" if team == "Five" else f"ref/submissions/{team}"
            if task == "stance" or team not in ("Four", "Five"):
                files[f"{folder}/{task}.csv"] = table(
                    [(f"{task}{k}", f"{value:.6f}") for k, value in enumerate(scores)]
                )
    settings = (
        "metrics: [brier_score_loss, roc_auc_score]\nmissing_task: worst\nlayout: single\n"
        "tests: [randomization]\noverall: mean\n"
    )
    _, results = run(Case(files, settings).write(tmp_path))
    mood = [metric for metric in results["metrics"] if metric["task"] == "mood"]
    assert [{entry["score"] for entry in one["entries"][-2:]} for one in mood] == [{1}, {0}]
    about = ("rare_errors", "reversed", "no_interval", "identical_predictions")
    assert not [one for one in results["warnings"] if one["code"] in about]
    heavy = [one for one in results["warnings"] if "submission" in one["message"]]
    assert {one["metric"].split("_")[0] for one in heavy} <= {"stance", "mean"}
    tests = {one["name"]: "randomization" in json.dumps(one) for one in results["metrics"]}
    assert tests["stance_brier_score_loss"]
    assert not tests["mood_brier_score_loss"]


def test_a_mean_over_runs_counts_no_run_that_lacks_a_task(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It would cost the team nothing; who sends one run per team is not concerned."""
    made = tasks_case("metrics: [accuracy_score]\nmissing_task: worst\nruns: mean\n")
    run(made.write(tmp_path / "one"))
    for task in ("stance", "mood"):
        own = made.files.pop(f"res/One/{task}.csv")
        made.files[f"res/One/a/{task}.csv"] = made.files[f"res/One/b/{task}.csv"] = own
    run(made.write(tmp_path / "two"))
    del made.files["res/One/b/mood.csv"]
    folder = made.write(tmp_path / "lacking")
    assert main([str(folder), str(folder / "output"), *_QUICK]) == 2
    assert "runs: with 'mean', a run that lacks a task" in capsys.readouterr().err
    files = {name.replace("res/", "ref/submissions/"): made.files[name] for name in made.files}
    files["res/stance.csv"] = made.files["res/Three/stance.csv"]
    folder = Case(files, f"{made.settings}layout: single\n").write(tmp_path / "field")
    assert main([str(folder), str(folder / "output"), *_QUICK]) == 2
    assert "runs: with 'mean', a run that lacks a task" in capsys.readouterr().err
    del files["ref/submissions/One/a/mood.csv"]  # as no run of the team has the task, all are equal
    folder = Case(files, f"{made.settings}layout: single\n").write(tmp_path / "none")
    _, results = run(folder)
    assert [entry["score"] for entry in results["metrics"][1]["entries"]].count(0) == 2
