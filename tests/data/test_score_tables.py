"""Tables of scores that were made elsewhere, long and wide, from files and in Python."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import scoring_program as dh
from tests.competitions import Folder, write_csv
from tests.sweeps import thinned

SYSTEMS = ("atlas", "blend", "crop")
#: Two metrics with opposite directions, in four ways.
METRICS = """\
resamples: 200
metrics:
  - {name: dice, function: mean_score, greater_is_better: true}
  - {name: hd95, function: mean_score, greater_is_better: false}
  - {name: dice_median, function: median_score, column: dice, greater_is_better: true}
  - {name: hd95_rank, function: mean_unit_rank, column: hd95, greater_is_better: false}
"""


def frame(cases: int = 30) -> pd.DataFrame:
    """A long table of two metrics, with ties within cases, in no order."""
    rng = np.random.default_rng(3)
    rows = [
        (
            f"c{case:02d}",
            system,
            f"site{case % 5}",
            round(rng.beta(6 - k, 2), 2),
            rng.integers(1, 9),
        )
        for case in range(cases)
        for k, system in enumerate(SYSTEMS)
    ]
    table = pd.DataFrame(rows, columns=["case", "alg_name", "site", "dice", "hd95"])
    return table.sample(frac=1, random_state=1)


def written(folder: Folder, table: pd.DataFrame, settings: str = "", name: str = "long") -> Folder:
    write_csv(folder.input / "res" / f"{name}.csv", {key: list(table[key]) for key in table})
    folder.settings(settings)
    return folder


def scores_of(results: dict[str, Any]) -> dict[str, dict[str, float]]:
    return {
        metric["name"]: {item["entry"]: item["score"] for item in metric["entries"]}
        for metric in results["metrics"]
    }


def test_a_long_table_gives_means_medians_and_ranks(folder: Folder) -> None:
    table = frame()
    assert written(folder, table, METRICS).run() == 0
    found = scores_of(folder.results())
    by_system = table.groupby("alg_name")
    ranks = table.assign(rank=table.groupby("case").hd95.rank(method="average"))
    for name, expected in {
        "dice": by_system.dice.mean(),
        "hd95": by_system.hd95.mean(),
        "dice_median": by_system.dice.median(),
        "hd95_rank": ranks.groupby("alg_name")["rank"].mean(),
    }.items():
        assert found[name] == pytest.approx(expected.to_dict(), rel=1e-11)
    directions = [metric["greater_is_better"] for metric in folder.results()["metrics"]]
    assert directions == [True, False, True, False]
    page = (folder.output / "detailed_results.html").read_text(encoding="utf-8")
    assert "dice_median" in page


@pytest.mark.parametrize("name", ["mae", "accuracy", "qwk"])
def test_a_column_may_have_the_name_of_a_metric(folder: Folder, name: str) -> None:
    table = frame().rename(columns={"dice": name})[["case", "alg_name", name]]
    better = "true" if name == "qwk" else "null"  # of the others, the name says so
    settings = f"metrics: [{name}]\ngreater_is_better: {better}\nresamples: 100\n"
    assert written(folder, table, settings).run() == 0
    means = table.groupby("alg_name")[name].mean()
    found = scores_of(folder.results())[name]
    assert found == {system: pytest.approx(score) for system, score in means.items()}


def test_a_column_is_stated_once(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    stated = "submissions: {columns: {unit: case, system: alg_name, dice: hd95, hd95: hd95}}\n"
    assert written(folder, frame(), METRICS + stated).run() == 2
    assert "'columns' states 'hd95' of long.csv twice" in capsys.readouterr().err


@pytest.mark.parametrize("last", ["dice", "other"])
def test_a_stated_column_comes_before_one_of_its_name(folder: Folder, last: str) -> None:
    table = frame().assign(other=lambda rows: rows.dice / 2)
    table = table[[*table.columns.drop(last), last]]
    stated = "submissions: {columns: {unit: case, system: alg_name, dice: other, hd95: hd95}}\n"
    assert written(folder, table, METRICS + stated).run() == 0
    expected = table.groupby("alg_name").other.mean()
    assert scores_of(folder.results())["dice"] == pytest.approx(expected.to_dict(), rel=1e-11)


def test_spaces_may_separate_the_columns(folder: Folder) -> None:
    table = frame()
    written(folder, table, METRICS).run()
    commas = scores_of(folder.results())
    path = folder.input / "res" / "long.csv"
    path.write_text(path.read_text().replace(",", " "))
    assert folder.run() == 0
    assert scores_of(folder.results()) == commas


def test_an_error_that_all_systems_share_is_explained_for_three(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [(f"c{case}", f"s{k}", 0.5 if case else "None") for case in range(6) for k in range(9)]
    table = pd.DataFrame(rows, columns=["case", "system", "score"])
    assert written(folder, table, "").run() == 2
    said = capsys.readouterr().err
    assert said.count("Give every system a finite number on every unit") == 3
    assert "and 6 more systems that cannot be compared" in said


def sampled(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table with two samples of each score, whose mean it is."""
    apart = [table.assign(sample=n, dice=table.dice + n / 64 - 1.5 / 64) for n in (1, 2)]
    return pd.concat(apart).sample(frac=1, random_state=2)


def test_the_mean_of_several_samples_is_the_score_of_a_unit(folder: Folder) -> None:
    written(folder, frame(), METRICS).run()
    once = folder.results()
    assert written(folder, sampled(frame()), METRICS).run() == 0
    twice = folder.results()
    assert twice["n"] == once["n"] == 30
    for name, scores in scores_of(once).items():
        assert scores_of(twice)[name] == pytest.approx(scores, rel=1e-11)
    intervals = [
        [item["ci"] for item in results["metrics"][0]["entries"]] for results in (once, twice)
    ]
    assert intervals[1] == [pytest.approx(interval, rel=1e-11) for interval in intervals[0]]
    result = dh.compare_scores(
        sampled(frame()), greater_is_better={"dice": True, "hd95": False}, resamples=200
    )
    ranking = {row.entry: row.score for row in result["dice"].ranking}
    assert ranking == pytest.approx(scores_of(once)["dice"], rel=1e-11)


def test_a_sample_without_a_score_or_given_twice_is_named_by_its_line(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [
        f"c{case},{system},{n},{case % 7}.5"
        for case in range(9)
        for system in "abc"
        for n in (1, 2)
    ]
    gap, again = lines.index("c4,a,2,4.5"), lines.index("c5,b,2,5.5")
    lines[gap], lines[again] = "c4,a,2,", "c5,b,1,5.5"
    text = "\n".join(["case,system,sample,dice", *lines])
    (folder.input / "res").mkdir(parents=True, exist_ok=True)
    (folder.input / "res" / "long.csv").write_text(text)
    folder.settings("metrics: [{name: dice, function: mean_score, greater_is_better: true}]")
    assert folder.run("--resamples", "100") == 2
    told = capsys.readouterr().err
    assert f"line {gap + 2}, column 'dice' (case 'c4'): found ''" in told
    assert f"line {again + 2}: case 'c5' was already on line {again + 1}" in told
    assert "Give every system one score on a unit: remove the other lines" in told


def test_a_sample_that_counts_as_the_worst_leaves_the_others_as_they_are(folder: Folder) -> None:
    table = sampled(frame())
    lost = table.index[(table.case == "c03") & (table.alg_name == "crop") & (table["sample"] == 1)]
    gone = table.alg_name.eq("atlas") & table.case.eq("c05")
    table.loc[gone | table.index.isin(lost) & table["sample"].eq(1), "dice"] = np.nan
    assert written(folder, table, DICE + "missing: worst\n").run() == 0
    worst = table.dice.min()
    alone = table.assign(dice=table.dice.fillna(worst))
    expected = alone.groupby(["alg_name", "case"]).dice.mean()
    # A unit without any sample counts as the worst mean.
    expected["atlas", "c05"] = expected.drop(("atlas", "c05")).min()
    score = expected.groupby("alg_name").mean().to_dict()
    assert scores_of(folder.results())["dice"] == pytest.approx(score)


def test_rows_and_columns_in_any_order_give_the_same(folder: Folder) -> None:
    table = frame()
    written(folder, table, METRICS).run()
    first = folder.results()
    written(folder, table[::-1][["hd95", "alg_name", "dice", "site", "case"]], METRICS).run()
    again = folder.results()
    assert first["metrics"] == again["metrics"]


def test_wide_long_and_python_give_the_same_numbers(folder: Folder) -> None:
    table = frame()
    settings = (
        "resamples: 200\nmetrics: [{name: dice, function: mean_score, greater_is_better: true}]"
    )
    written(folder, table, settings).run()
    long = folder.results()["metrics"]
    wide = table.pivot(index="case", columns="alg_name", values="dice").reset_index()
    (folder.input / "res" / "long.csv").unlink()
    written(folder, wide, settings, "wide").run()
    assert without_definition(folder.results()["metrics"]) == without_definition(long)
    for given in (table[["case", "alg_name", "dice"]], wide):
        result = dh.compare_scores(given, greater_is_better=True, resamples=200)
        ranking = next(iter(result.values())).ranking
        expected = [(item["score"], *item["ci"]) for item in long[0]["entries"]]
        assert [(row.score, row.low, row.high) for row in ranking] == [
            pytest.approx(item, rel=1e-11) for item in expected
        ]


def without_definition(metrics: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**metric, "definition": ""} for metric in metrics]


def test_each_column_of_a_data_frame_has_its_direction() -> None:
    better = {"dice": True, "hd95": False}
    result = dh.compare_scores(frame(), greater_is_better=better, resamples=200)
    assert result["dice"].greater_is_better
    assert not result["hd95"].greater_is_better
    ranked = dh.compare_scores(
        frame(),
        [{"name": "r", "function": "mean_unit_rank", "column": "hd95"}, "dice"],
        greater_is_better=better,
        resamples=200,
    )
    assert not ranked["r"].greater_is_better
    with pytest.raises(dh.OrganizerError, match="have no column 'dise'; did you mean 'dice'"):
        dh.compare_scores(frame(), greater_is_better={"dise": True})


def test_groups_of_a_long_table_are_drawn_whole(folder: Folder) -> None:
    settings = METRICS + "group: site\n"
    assert written(folder, frame(), settings).run() == 0
    page = (folder.output / "detailed_results.html").read_text(encoding="utf-8")
    assert "5 groups" in page
    broken = frame()
    broken.loc[broken.case == "c04", "site"] = ["site1", "site2", "site2"]
    assert written(folder, broken, settings).run() == 2


@pytest.mark.parametrize("header", ["case", "case_no", "number", "Bild"])
def test_whole_numbers_in_front_are_never_a_system(folder: Folder, header: str) -> None:
    table = pd.DataFrame({header: range(1003, 1033), "A": np.linspace(0, 1, 30), "B": 0.5})
    settings = "resamples: 200\ngreater_is_better: true\n"
    assert written(folder, table, settings, "table").run() == 0
    names = {item["entry"] for item in folder.results()["metrics"][0]["entries"]}
    assert names == {"A", "B"}


def test_two_columns_of_units_name_a_unit_together(folder: Folder) -> None:
    rows = [
        (repeat, fold, system, 0.5 + 0.01 * fold + 0.02 * k + 0.003 * repeat)
        for repeat, fold, (k, system) in itertools.product((1, 2), range(5), enumerate("AB"))
    ]
    table = pd.DataFrame(rows, columns=["repeat", "fold", "model", "accuracy"])
    settings = "resamples: 200\ngroup: fold\n"
    assert written(folder, table, settings).run() == 0
    assert folder.results()["n"] == 10


def test_each_task_of_a_long_table_has_its_ranking(folder: Folder) -> None:
    table = pd.concat([frame(12).assign(task=task) for task in ("liver", "spleen")])
    assert written(folder, table, METRICS).run() == 0
    names = [metric["name"] for metric in folder.results()["metrics"]]
    assert names[:3] == ["mean_rank", "liver_dice", "liver_hd95"]
    assert "spleen_hd95_rank" in names


#: The published tests and examples of challengeR 1.0.5 (tests/testthat, README): a table of
#: values, one row a system, whether small values are better, and the results of aggregate-then-rank
#: by mean and of rank-then-aggregate by mean.
CHALLENGER: dict[str, tuple[Any, bool, Any, list[float]]] = {
    "one case": ([[0.6], [0.8]], True, [0.6, 0.8], [1, 2]),
    "one case, large": ([[0.6], [0.8]], False, [0.6, 0.8], [2, 1]),
    # challengeR gives rank 1 to each: there, ties share the better rank.
    "a tie": ([[0.6], [0.6]], True, [0.6, 0.6], [1.5, 1.5]),
    "two cases": ([[0.6, 0.4], [0.8, 1.0]], True, [0.5, 0.9], [1, 2]),
    "a case without a value": ([[None], [0.8]], False, None, [2, 1]),
}


@pytest.mark.parametrize("name", CHALLENGER)
def test_challenger_agrees(name: str) -> None:
    values, small, means, ranks = CHALLENGER[name]
    rows = [
        {"algo": f"A{k + 1}", "case": f"C{case + 1}", "value": value}
        for k, of in enumerate(values)
        for case, value in enumerate(of)
    ]
    result = dh.compare_scores(
        pd.DataFrame([*rows, *({**row, "case": row["case"] + "b"} for row in rows)]),
        [
            {"name": "mean", "function": "mean_score"},
            {"name": "rank_mean", "function": "mean_unit_rank"},
        ],
        greater_is_better=not small,
        missing="worst",
        resamples=100,
    )
    found = {row.entry: row.score for row in result["rank_mean"].ranking}
    assert [found["A1"], found["A2"]] == ranks
    if means is not None:
        found = {row.entry: row.score for row in result["mean"].ranking}
        assert [found["A1"], found["A2"]] == pytest.approx(means)


def test_challengers_worst_case_is_a_tie_of_all() -> None:
    # README of challengeR: all 120 orders of five values; every algorithm gets each value as often.
    values = np.linspace(0.8, 1, 5)
    rows = [
        {"alg_name": f"A{k + 1}", "case": case, "value": value}
        for case, order in enumerate(itertools.permutations(values))
        for k, value in enumerate(order)
    ]
    functions = ("mean_score", "median_score", "mean_unit_rank")
    result = dh.compare_scores(pd.DataFrame(rows), functions, greater_is_better=True, resamples=200)
    for function, expected in zip(functions, (0.9, 0.9, 3.0), strict=True):
        assert [row.rank for row in result[function].ranking] == [1] * 5
        assert [row.score for row in result[function].ranking] == pytest.approx([expected] * 5)


def test_ranks_within_units_are_scipys() -> None:
    rng = np.random.default_rng(8)
    table = rng.integers(0, 6, (50, 7))
    scores = {f"s{k}": table[:, k] for k in range(7)}
    result = dh.compare_scores(scores, "mean_unit_rank", greater_is_better=False, resamples=100)
    expected = stats.rankdata(table, method="average", axis=1).mean(axis=0)
    found = {row.entry: row.score for row in result["mean_unit_rank"].ranking}
    assert found == pytest.approx({f"s{k}": expected[k] for k in range(7)})


def test_ties_within_units_share_the_average_rank_and_the_page_says_who_would_lead_otherwise(
    folder: Folder,
) -> None:
    """With the better rank, B, C and D would have 1.6 and lead."""
    rows = [(0.9, 0.8, 0.8, 0.8)] * 60 + [(0.1, 0.7, 0.7, 0.7)] * 40
    table = pd.DataFrame(rows, columns=list("ABCD"))
    table.insert(0, "unit", [f"u{k}" for k in range(100)])
    settings = (
        "metrics: [{name: r, function: mean_unit_rank, greater_is_better: true}]\nresamples: 200\n"
    )
    for baselines, leaders in ((), "B, C and D"), (("D",), "B and C"):
        named = f"baselines: [{', '.join(baselines)}]\n"
        assert written(folder, table, settings + named).run() == 0
        found = folder.results()
        scores = {item["entry"]: item["score"] for item in found["metrics"][0]["entries"]}
        assert scores == pytest.approx({"A": 2.2, "B": 2.6, "C": 2.6, "D": 2.6})
        (said,) = (item for item in found["warnings"] if item["code"] == "tied_ranks")
        assert said["message"] == (
            "Ties share the average rank. If they shared the better rank, as in challengeR, "
            f"{leaders} would be first by r."
        )
    assert written(folder, table.assign(B=0.95, C=0.94), settings).run() == 0
    assert not [item for item in folder.results()["warnings"] if item["code"] == "tied_ranks"]


def gaps() -> pd.DataFrame:
    """Scores with an empty cell, "NA" and a line that is missing, of two systems."""
    table = frame(10).astype({"dice": object}).sort_values(["case", "alg_name"])
    table.loc[(table.case == "c02") & (table.alg_name == "blend"), "dice"] = ""
    table.loc[(table.case == "c03") & (table.alg_name == "blend"), "dice"] = "NA"
    return table[(table.case != "c07") | (table.alg_name != "crop")]


DICE = "resamples: 100\nmetrics: [{name: dice, function: mean_score, greater_is_better: true}]\n"


def test_missing_scores_make_a_system_unusable(folder: Folder) -> None:
    assert written(folder, gaps(), DICE).run() == 2  # one of three systems is left
    extra = gaps().query("alg_name == 'atlas'").assign(alg_name="dual")
    assert written(folder, pd.concat([gaps(), extra]), DICE).run() == 0
    reasons = {item["entry"]: item["reason"] for item in folder.results()["unusable"]}
    assert "long.csv: 2 missing scores" in reasons["blend"]
    assert "line 9, column 'dice' (case 'c02'): found ''" in reasons["blend"]
    assert "found 'NA'" in reasons["blend"]
    assert "case 'c07': no line" in reasons["crop"]
    assert "worst, drop_unit or judged" in reasons["crop"]


def test_missing_scores_count_as_the_worst_of_the_table(folder: Folder) -> None:
    assert written(folder, gaps(), DICE + "missing: worst\n").run() == 0
    table = gaps().assign(dice=pd.to_numeric(gaps().dice, errors="coerce"))
    grid = table.pivot(index="case", columns="alg_name", values="dice")
    expected = grid.fillna(table.dice.min()).mean().to_dict()
    assert scores_of(folder.results())["dice"] == pytest.approx(expected)
    assert "3 missing scores count as the worst" in " ".join(folder.results()["notes"])
    assert "blend (2), crop (1)" in " ".join(folder.results()["notes"])
    said = "3 missing scores count as the worst that the table holds. By entry: blend (2), crop (1)"
    page = (folder.output / "detailed_results.html").read_text()
    assert page.count(said) == 3  # below the verdict, in the text for the paper, among the notes


def test_units_with_missing_scores_are_dropped(folder: Folder) -> None:
    assert written(folder, gaps(), DICE + "missing: drop_unit\n").run() == 0
    table = gaps().assign(dice=pd.to_numeric(gaps().dice, errors="coerce"))
    grid = table.pivot(index="case", columns="alg_name", values="dice").dropna()
    assert folder.results()["n"] == len(grid) == 7
    assert scores_of(folder.results())["dice"] == pytest.approx(grid.mean().to_dict())
    assert "3 units are left out" in " ".join(folder.results()["notes"])


def refusal(folder: Folder, capsys: pytest.CaptureFixture[str]) -> str:
    assert folder.run() == 2
    return capsys.readouterr().err


def changed(column: str, value: Any, rows: Sequence[int] = (0,)) -> pd.DataFrame:
    table = frame(6).astype({"dice": object, "hd95": object})
    table.iloc[list(rows), list(table.columns).index(column)] = value
    return table


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (changed("case", ""), "long.csv: line 2: the case is empty; fill it in"),
        (changed("alg_name", "", [3]), "long.csv: line 5: the alg_name is empty"),
    ],
)
def test_a_line_without_a_name_is_refused(
    table: pd.DataFrame, message: str, folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in refusal(written(folder, table, DICE), capsys)


def test_a_unit_twice_and_a_text_are_named_by_line(folder: Folder) -> None:
    table = frame(6).astype({"dice": object}).sort_values(["alg_name", "case"])
    table.iloc[7, 3] = "0,93"
    table = pd.concat(
        [table, table.iloc[[0]], table[table.alg_name == "crop"].assign(alg_name="d")]
    )
    assert written(folder, table, DICE).run() == 0
    reasons = {item["entry"]: item["reason"] for item in folder.results()["unusable"]}
    assert "1 score given twice" in reasons["atlas"]
    assert "line 20: case 'c00' was already on line 2" in reasons["atlas"]
    assert "line 9, column 'dice': found '0,93', expected a finite number" in reasons["blend"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("", "long.csv: is a higher score better in 'dice', 'hd95'?"),
        ("", "  - name: hd95\n    function: mean_score\n    greater_is_better: true   # or false"),
        ("metrics: [dice]", "line 1: metric 'dice': say whether a higher score is better"),
        (
            "metrics: [{name: m, function: mean_score, greater_is_better: true}]",
            "name one of the columns of scores of long.csv (dice, hd95) with 'column:'",
        ),
        (
            METRICS + "  - {name: x, function: mean_score, column: dice, greater_is_better: false}",
            "metric 'x': another metric of the same scores says the opposite",
        ),
        ("metrics: [accuracy_score]", "accuracy_score compares predictions with reference data"),
        ("metrics: [is_right]", "'is_right': long.csv has no column of scores of this name; use"),
        (DICE + "missing: wrong", "missing: 'wrong' is for predicted labels"),
        (DICE + "group: site5", "has no column 'site5'; did you mean 'site'?"),
    ],
)
def test_what_settings_must_say(
    settings: str, message: str, folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in refusal(written(folder, frame(), settings), capsys)


def test_names_state_directions(folder: Folder) -> None:
    table = frame().rename(columns={"dice": "Accuracy score", "hd95": "surface_error"})
    assert written(folder, table, "resamples: 100\n").run() == 0
    found = {m["name"]: m["greater_is_better"] for m in folder.results()["metrics"]}
    assert found == {"Accuracy_score": True, "surface_error": False}
    assert "is first (Accuracy score" in folder.results()["verdict"]


def table_of(columns: str, *rows: Sequence[Any]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=columns.split())


def wide(**more: Sequence[Any]) -> pd.DataFrame:
    """Ten folds of the systems A and B, and further columns."""
    numbers = np.random.default_rng(4).uniform(0.6, 0.9, (10, 2)).round(3)
    return pd.DataFrame({"fold": range(1, 11), "A": numbers[:, 0], "B": numbers[:, 1], **more})


#: Ratings of three systems by two annotators of each item, and how long they took.
RATINGS = table_of(
    "item annotator_id fluency adequacy seconds system",
    *(
        (f"i{i}", f"a{a}", 1 + (i + a + k) % 5, 1 + (i * k) % 5, 30.5 + i * a, system)
        for i, a, (k, system) in itertools.product(range(6), range(2), enumerate("ABC"))
    ),
)
#: Tables whose layout is not certain: what the message says of them, and whether it has settings to
#: paste, of which the directions may be open.
UNCERTAIN: dict[str, tuple[pd.DataFrame, str, bool]] = {
    "ratings": (RATINGS, "'annotator_id' looks like an annotator; 'seconds' looks like a t", True),
    "one rating of each item": (
        RATINGS.drop_duplicates("item").assign(system=["A", "B", "C"] * 2),
        "'system' may name systems",
        False,
    ),
    "judgments of WMT": (
        table_of(
            "annotator segmentId srcIndex system score timestamp",
            *(
                ("ann", i, i, system, 10 * k + i, 1650000000 + i + k)
                for i, (k, system) in itertools.product(range(676, 690), enumerate("ABC"))
            ),
        ),
        "'timestamp' looks like a time",
        True,
    ),
    "segments by number": (
        table_of(
            "SYS SID RAW Z N",
            *(
                (system, i, 40.5 + 10 * k + i % 7, 0.1 * k + i % 7 / 10, 1 + (i + k) % 2)
                for i, (k, system) in itertools.product(range(676, 706), enumerate("ABC"))
            ),
        ),
        "'SYS' holds texts; 'N' looks like a counter",
        True,
    ),
    "units and systems of other names": (
        table_of(
            "classifier_name archive dataset_name iteration accuracy duration",
            *(
                (
                    f"c{c}",
                    "UCR",
                    f"d{d:02d}",
                    f"{i}.0",
                    0.5 + 0.1 * c + 0.01 * i,
                    1.5 * d + c + i / 7,
                )
                for c, d, i in itertools.product(range(3), range(40), range(2))
            ),
        ),
        "'classifier_name' holds texts",
        True,
    ),
    "texts and a count beside the systems": (
        wide(selection=list("xxxxxyyyyy"), mutants=range(900, 1000, 10)).assign(
            fold=[f"assay{i}" for i in range(10)]
        ),
        "'selection' holds texts",
        True,
    ),
    "times": (wide(seconds=[31.5] * 10), "'seconds' looks like a time", True),
    "ranks": (wide(rank=[1, 2] * 5), "'rank' looks like a rank", True),
    "counters": (wide(n_tokens=[31, 12] * 5), "'n_tokens' looks like a counter", True),
    "ids": (wide(srcIndex=[3, 9] * 5), "'srcIndex' looks like an id", True),
    "annotators": (wide(judge=[1, 2] * 5), "'judge' looks like an annotator", True),
    "p-values": (wide(p_value=[0.3] * 10), "'p_value' looks like a statistic", True),
    "metrics": (
        wide().rename(columns={"A": "accuracy", "B": "auc"}),
        "'accuracy' looks like a metric",
        False,
    ),
    "two metrics of one system": (
        wide().rename(columns={"A": "A_acc", "B": "A_f1"}),
        "'A_acc' and 'A_f1' look like two metrics of one system",
        True,
    ),
    "folds as columns": (
        table_of("name fold1 fold2", ("a", 0.8, 0.9), ("b", 0.7, 0.8), ("c", 0.6, 0.9)),
        "'fold1' looks like a unit; 'fold2' looks like a unit",
        False,
    ),
    "texts": (wide(comment=["good", "bad"] * 5), "'comment' holds texts", True),
    "users": (wide(user=["ann", "bob"] * 5).drop(columns="fold"), "'user' repeats its cells", True),
    "percentages": (wide(C=[81.5] * 10), "' and 'C' are not on one scale", True),
    "numbered lines": (
        wide(C=range(4, 14)).assign(A=range(3, 23, 2), B=5),
        "'C' numbers the lines",
        True,
    ),
    "whole numbers in front": (
        table_of("A B C", *((7 * i % 23, 5 * i % 17, 3 * i % 13) for i in range(1, 9))),
        "'A' may hold ids, or scores",
        True,
    ),
    "systems as lines": (
        table_of("model mnli sst2", ("a", 0.8, 0.9), ("b", 0.7, 0.8), ("c", 0.6, 0.9)),
        "'model' may name systems",
        False,
    ),
    "two columns of systems": (
        frame(6).assign(team=lambda table: table.alg_name.map({"atlas": "T"}).fillna("U")),
        "'team' may name the systems, too",
        True,
    ),
    "runs": (
        table_of(
            "dataset model run accuracy",
            *(
                (d, m, run, 0.5 + run / 7)
                for d, m, run in itertools.product("wxyz", "AB", range(3))
            ),
        ),
        "'run' looks like a counter",
        True,
    ),
    "language pairs": (
        table_of(
            "lp seg_id system score",
            *((lp, i, k, i) for lp, ks in (("de", "AB"), ("fr", "CD")) for i in "1234" for k in ks),
        ),
        "'lp' may name tasks, and then has to be called 'task'",
        True,
    ),
    "times of systems": (
        frame(6).assign(runtime_s=np.arange(18) / 7).rename(columns={"hd95": "dice_score"}),
        "'runtime_s' looks like a time",
        True,
    ),
    "facts about systems": (
        frame(6).assign(parameters=lambda table: table.alg_name.map(len)),
        "'parameters' has one value for each system",
        True,
    ),
    "systems of another name": (
        frame(6).rename(columns={"alg_name": "who"}),
        "'case' repeats its cells; 'who' holds texts",
        True,
    ),
}


@pytest.mark.parametrize("name", thinned(UNCERTAIN))
def test_a_table_whose_layout_is_not_certain_stops(
    name: str, folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    table, why, pasted = UNCERTAIN[name]
    message = refusal(written(folder, table, "", "table"), capsys)
    assert "table.csv: it is not certain which columns hold scores of systems: " in message
    assert why in message
    _, found, answer = message.partition("in ref/scoring.yaml:\n")
    assert bool(found) == pasted
    assert not folder.output.exists()
    if pasted:
        first = answer.partition("If the table holds")[0].partition("\nIf ")[0]
        first = first.replace("greater_is_better: true   # or false", "greater_is_better: true")
        folder.settings("resamples: 100\n" + first)
        assert folder.run() == 0
        assert "parameters" not in {metric["name"] for metric in folder.results()["metrics"]}
    with pytest.raises(dh.OrganizerError, match="it is not certain which columns hold scores"):
        dh.compare_scores(table, greater_is_better=True)


def test_both_ways_are_shown_where_two_columns_may_name_the_systems(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    table, _, _ = UNCERTAIN["units and systems of other names"]
    message = refusal(written(folder, table, "", "table"), capsys)
    for unit, system in (("dataset_name", "classifier_name"), ("classifier_name", "dataset_name")):
        assert f"unit: {unit}\nsystem: {system}\nsample: iteration\n" in message
    assert "name: iteration" not in message


def test_a_stated_sample_is_not_proposed_as_a_metric(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    table, _, _ = UNCERTAIN["units and systems of other names"]
    stated = "unit: dataset_name\nsystem: classifier_name\nsample: iteration\n"
    message = refusal(written(folder, table, stated, "table"), capsys)
    assert "name: accuracy" in message
    assert "name: iteration" not in message


def test_a_column_on_another_scale_is_not_proposed_as_a_system(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    table, _, _ = UNCERTAIN["texts and a count beside the systems"]
    message = refusal(written(folder, table, "", "table"), capsys)
    assert "system: [A, B]" in message


def test_the_systems_that_are_stated_are_no_question(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    """Which numbers count is open: that they might be the systems is out of the question."""
    table, _, _ = UNCERTAIN["segments by number"]
    assert "unit: SID\nsystem: SYS\n" in refusal(written(folder, table, "", "table"), capsys)
    stated = "metrics: [mean_score]\nunit: SID\nsystem: SYS\n"
    message = refusal(written(folder, table, stated, "table"), capsys)
    assert "Say in 'metrics' which column each metric scores, such as 'column: RAW'." in message
    assert "are the systems" not in message


@pytest.mark.parametrize(
    ("more", "why"),
    thinned(
        [
            ({"time": [1.5, 2.5] * 6}, "'time' looks like a time"),
            ({"Version": [1, 2] * 6, "Stderr": [0.1, 0.2] * 6}, "'Stderr' looks like a statistic"),
            ({"annotator": ["ann", "bob"] * 6}, "'annotator' looks like an annotator"),
            ({"Fold": [1, 2] * 6}, "'Fold' looks like a unit"),
            ({"correct_answer": [1, 2] * 6}, "'correct_answer' looks like correct answers"),
            ({"category": [1, 2] * 6}, "'category' looks like correct answers"),
        ],
        2,
    ),
)
def test_beside_a_gold_only_predictions_are_teams(
    more: dict[str, Any], why: str, folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers = [0.5 + i / 7 for i in range(12)]
    table = pd.DataFrame({"id": range(12), "value": numbers, "A": numbers, "B": numbers[::-1]})
    written(folder, table.assign(**more), "resamples: 100\n", "table")
    message = refusal(folder, capsys)
    assert "table.csv: it is not certain which columns hold predictions of teams: " in message
    assert why in message
    with pytest.raises(dh.OrganizerError, match="which columns hold predictions of teams"):
        dh.score(folder.input, resamples=100)
    folder.settings(f"resamples: 100\nslices: [{', '.join(more)}]\n")
    assert folder.run() == 0
    assert {item["entry"] for item in folder.results()["metrics"][0]["entries"]} == {"A", "B"}
    folder.settings("resamples: 100\n" + message.partition("in ref/scoring.yaml:\n")[2])
    assert folder.run() == 0


def test_what_a_message_proposes_in_python_works() -> None:
    with pytest.raises(dh.OrganizerError) as caught:
        dh.compare_scores(RATINGS)
    start, end = "name the columns with ", "; write False where"
    arguments = str(caught.value).partition(start)[2].partition(end)[0]
    result = eval(f"dh.compare_scores(RATINGS, {arguments}, resamples=100)")
    assert [*result] == ["fluency", "adequacy"]
    assert len(result["fluency"].ranking) == 3
    with pytest.raises(dh.OrganizerError, match=r"table\[name\] for name in \['A', 'B'\]"):
        dh.compare_scores(wide(seconds=[3.5] * 10), greater_is_better=True)


def test_a_layout_that_is_stated_ends_the_doubt(folder: Folder) -> None:
    settings = "resamples: 100\nlayout: wide\ngreater_is_better: true\n"
    assert written(folder, wide(judge=[0.5] * 10), settings, "table").run() == 0
    assert {item["entry"] for item in folder.results()["metrics"][0]["entries"]} == {
        "A",
        "B",
        "judge",
    }


def test_the_log_and_the_page_say_what_was_understood(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    table = frame().rename(columns={"dice": "acc", "hd95": "neg_mean_absolute_error"})
    table.neg_mean_absolute_error *= -1
    assert written(folder, table, "resamples: 100\n").run() == 0
    page = (folder.output / "detailed_results.html").read_text(encoding="utf-8")
    for said in (capsys.readouterr().out, page):
        assert "Systems: atlas, blend, crop." in said
        assert "a higher acc is better, as its name says" in said
        assert "a higher neg_mean_absolute_error is better, as its name says" in said
    folder.settings("resamples: 100\nanonymize: true\n")
    assert folder.run() == 0
    assert "atlas" not in capsys.readouterr().out


def test_a_line_that_sums_up_the_others_is_no_unit(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    means = pd.concat([wide(), wide().mean().to_frame().T.assign(fold="mean")])
    settings = "resamples: 100\ngreater_is_better: true\n"
    message = refusal(written(folder, means, settings, "table"), capsys)
    assert "the fold 'mean', 11 below the header, looks like a line that sums up" in message
    for stated in ("unit: fold\n", "unit: fold\nlayout: wide\n"):
        folder.settings(settings + stated)
        assert "'mean', 11 below the header, holds the mean of the lines" in refusal(folder, capsys)
    written(folder, means.assign(A=means.A.round(1)), f"{settings}unit: fold\n", "table")
    assert folder.run() == 0
    with pytest.raises(dh.OrganizerError, match="unit='fold'"):
        dh.compare_scores(means, greater_is_better=True)


def test_a_line_that_sums_up_the_others_is_no_unit_of_a_long_table(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    table = frame(6).drop(columns=["site", "hd95"])
    for unit in ("all", "Mean", "macro avg", "best"):
        means = table.groupby("alg_name", as_index=False)["dice"].mean().assign(case=unit)
        written(folder, pd.concat([table, means]), "resamples: 100\n")
        message = refusal(folder, capsys)
        assert f"the case '{unit}', 19 below the header, looks like a line that sums" in message
    stated = "resamples: 100\nunit: case\ngreater_is_better: true\n"
    folder.settings(stated)
    assert "'best', 19 below the header, holds the mean of the lines" in refusal(folder, capsys)
    assert written(folder, pd.concat([table, means.assign(dice=0.5)]), stated).run() == 0


#: Six benchmarks, of which the means are 64.5, 67.67 and 65.
BENCHMARKS = """\
ARC,73,73,61
HellaSwag,64,56,53
MMLU,47,76,61
TruthfulQA,55,77,83
Winogrande,86,74,83
GSM8K,62,50,49
"""
MEANS_OF_BENCHMARKS: dict[str, Any] = {
    "gpt4": 64.5,
    "llama": pytest.approx(406 / 6),
    "mistral": 65.0,
}


def leaderboard(folder: Folder, table: str) -> None:
    path = folder.input / "res" / "leaderboard.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(table, encoding="utf-8")


@pytest.mark.parametrize(
    ("unit", "line", "more"),
    [
        ("task", "Average", ""),
        ("benchmark", "Avg.", ""),
        ("benchmark", "avg_score", "layout: wide\n"),
    ],
)
def test_a_line_called_a_summary_is_asked_about(
    unit: str, line: str, more: str, folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also among tasks. The numbers are no means. The settings that the message proposes work."""
    leaderboard(folder, f"{unit},gpt4,llama,mistral\n{BENCHMARKS}{line},70,40,41\n")
    settings = f"resamples: 100\ngreater_is_better: true\n{more}"
    folder.settings(settings)
    message = refusal(folder, capsys)
    assert f"the {unit} '{line}', 7 below the header, looks like a line that sums up" in message
    folder.settings(settings + message.partition("in ref/scoring.yaml:\n")[2])
    assert folder.run() == 0
    assert "3 entries on 7 units" in capsys.readouterr().out


#: A line that is a summary by its name, or by its numbers alone.
SUMMARIES = [
    *((line, "70,40,41") for line in ("Macro-Avg", "MMLU-avg", "Average (all)", "GEOMEAN")),
    *((line, "64.5,67.7,65.0") for line in ("Promedio", "Mittelwert", "\u5e73\u5747", "macro")),
    ("x", "64.50,67.67,65.00"),
    ("x", "64.5,,65"),
]


@pytest.mark.parametrize(("line", "scores"), SUMMARIES)
def test_a_line_of_means_is_asked_about_by_its_name_or_its_numbers(line: str, scores: str) -> None:
    rows = [text.split(",") for text in [*BENCHMARKS.splitlines(), f"{line},{scores}"]]
    wide = pd.DataFrame(rows, columns=["set", "gpt4", "llama", "mistral"])
    long = wide.melt("set", var_name="model", value_name="acc").rename(columns={"set": "item"})
    for table in (wide, long):
        with pytest.raises(dh.OrganizerError, match="looks like a line that sums up the others"):
            dh.compare_scores(table, greater_is_better=True, missing="worst", resamples=100)
    dh.compare_scores(long, unit="item", greater_is_better=True, missing="worst", resamples=100)


def test_lines_near_the_means_of_the_others_are_units(folder: Folder) -> None:
    """One number is another one, or few digits and systems show nothing."""
    folder.settings("resamples: 100\ngreater_is_better: true\n")
    for systems, line in (("gpt4,llama,mistral", "64.5,67.7,65.1"), ("gpt4,llama", "64,68")):
        kept = systems.count(",") + 2
        lines = [",".join(text.split(",")[:kept]) for text in BENCHMARKS.splitlines()]
        leaderboard(folder, "\n".join([f"set,{systems}", *lines, f"TQA,{line}"]))
        assert folder.run() == 0


def test_lines_that_the_settings_call_units_are_no_tasks(folder: Folder) -> None:
    table = f"task,gpt4,llama,mistral\n{BENCHMARKS}"
    leaderboard(folder, table)
    folder.settings("resamples: 100\ngreater_is_better: true\nunit: task\n")
    assert folder.run() == 0
    assert scores_of(folder.results()) == {"mean_score": MEANS_OF_BENCHMARKS}
    rows = [text.split(",") for text in BENCHMARKS.splitlines()]
    systems = MEANS_OF_BENCHMARKS.keys()
    pairs = [
        (row[0], name, cell) for row in rows for name, cell in zip(systems, row[1:], strict=True)
    ]
    leaderboard(folder, "task,model,acc\n" + "".join(f"{','.join(of)}\n" for of in pairs))
    folder.settings("resamples: 100\nunit: task\nsystem: model\n")
    assert folder.run() == 0
    assert scores_of(folder.results()) == {"acc": MEANS_OF_BENCHMARKS}


def test_a_task_that_sums_up_the_others_is_none(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    table = frame(6).drop(columns=["site", "hd95"])
    means = table.assign(task="overall")
    written(folder, pd.concat([table.assign(task="a"), table.assign(task="b"), means]))
    folder.settings("resamples: 100\ngreater_is_better: true\n")
    message = refusal(folder, capsys)
    assert "the task 'overall', 37 below the header, looks like a line" in message
    assert "if it is one of the tasks, give it another name" in message
    written(
        folder, pd.concat([table.assign(task="a"), table.assign(task="b"), means.assign(task="c")])
    )
    folder.settings("resamples: 100\ngreater_is_better: true\n")
    assert folder.run() == 0


def test_metrics_below_each_other_are_asked_about(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    """A mean over them would be of no metric."""
    table = frame(6).drop(columns="site").rename(columns={"alg_name": "system"})
    molten = table.melt(["case", "system"], var_name="metric", value_name="score")
    for more in ("", "sample: metric\n"):
        settings = f"resamples: 100\ngreater_is_better: true\n{more}"
        message = refusal(written(folder, molten, settings), capsys)
        assert "the column 'metric' names several metrics" in message
    written(folder, molten[molten.metric == "dice"], "resamples: 100\n")
    assert folder.run() == 0


def test_models_may_have_numbers(folder: Folder) -> None:
    table = wide().rename(columns={"A": "CLIP-32", "B": "Q4"}).assign(user1=0.7)
    assert written(folder, table, "resamples: 100\ngreater_is_better: true\n", "table").run() == 0


def test_a_system_that_sums_up_the_others_is_none(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    table = frame(6).drop(columns=["site", "hd95"])
    means = table.groupby("case", as_index=False)["dice"].max().assign(alg_name="Max")
    settings = "resamples: 100\ngreater_is_better: true\n"
    message = refusal(written(folder, pd.concat([table, means]), settings), capsys)
    assert "the alg_name 'Max', 19 below the header, looks like lines that sum up those" in message
    folder.settings(f"{settings}baselines: [Max]\n")
    assert folder.run() == 0


def test_parts_of_the_data_are_no_units_of_one_table(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    table = frame(6).drop(columns=["site", "hd95"])
    both = pd.concat([table.assign(split="test"), table.assign(split="train", dice=0.99)])
    settings = "resamples: 100\ngreater_is_better: true\n"
    message = refusal(written(folder, both, settings), capsys)
    assert "the column 'split' tells parts of the data apart" in message
    with pytest.raises(dh.OrganizerError, match="'split' tells parts of the data apart"):
        dh.compare_scores(both, greater_is_better=True)
    folder.settings(f"{settings}unit: [case, split]\n")
    assert folder.run() == 0


@pytest.mark.parametrize(
    ("name", "look"),
    [
        ("max", "a summary of other columns"),
        ("Average", "a summary of other columns"),
        ("oracle", "a summary of other columns"),
        ("difference", "a summary of other columns"),
        ("Weight", "a fact about units"),
        ("correct_label", "correct answers"),
        ("true_answer", "correct answers"),
    ],
)
def test_a_column_made_from_others_or_of_answers_is_no_system(
    name: str, look: str, folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    table = wide(**{name: [0.875] * 10})
    settings = "resamples: 100\ngreater_is_better: true\n"
    message = refusal(written(folder, table, settings, "table"), capsys)
    assert f"{name!r} looks like {look}" in message
    folder.settings(f"{settings}layout: wide\n")
    assert folder.run() == 0


@pytest.mark.parametrize("name", ["label_smoothing", "GoldNet", "%", "neg", "neg_", "\N{FOX FACE}"])
def test_systems_may_have_any_other_name(name: str, folder: Folder) -> None:
    settings = "resamples: 100\ngreater_is_better: true\n"
    assert written(folder, wide(**{name: [0.875] * 10}), settings, "table").run() == 0


def test_a_line_that_sums_up_names_all_columns_of_units(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [(d, f, s, 0.5 + f / 10) for d in ("x", "all") for f in range(3) for s in "AB"]
    table = table_of("dataset fold system acc", *rows)
    message = refusal(written(folder, table, "resamples: 100\n"), capsys)
    folder.settings("resamples: 100\n" + message.partition("in ref/scoring.yaml:\n")[2])
    assert "unit: [dataset, fold]" in message
    assert folder.run() == 0


def test_an_ingredient_of_a_formula_needs_no_direction(folder: Folder) -> None:
    table = frame(6).drop(columns="site").rename(columns={"hd95": "mse"})
    settings = (
        "resamples: 100\nmetrics: [{name: x, formula: dice + mse, greater_is_better: true}]\n"
    )
    assert written(folder, table.assign(mse=-table.mse), settings).run() == 0


@pytest.mark.parametrize(
    ("column", "changed", "why"),
    [
        ("acc", lambda x: x * (100 if x > 0.74 else 1), "both fractions and percentages"),
        ("acc", lambda x: x - 3, "-"),
        ("rmse", lambda x: -x, ", and none above 0"),
        ("loss", lambda x: -x, ", and none above 0"),
        ("neg_mean_squared_error", lambda x: x, "found 0."),
        ("kappa", lambda x: 300 * x - 1000, "found -"),
    ],
)
def test_numbers_that_are_not_what_their_name_says_have_no_direction(
    column: str,
    changed: Callable[[float], float],
    why: str,
    folder: Folder,
    capsys: pytest.CaptureFixture[str],
) -> None:
    table = frame(6).drop(columns=["site", "hd95"]).rename(columns={"dice": column})
    means = table.groupby("alg_name")[column].transform("mean")
    table[column] = [changed(x) if why != "both fractions and percentages" else changed(m) / m * x
                     for x, m in zip(table[column], means, strict=True)]  # fmt: skip
    message = refusal(written(folder, table, "resamples: 100\n"), capsys)
    assert f"the numbers of {column!r} are not what its name says: found " in message
    assert why in message
    folder.settings("resamples: 100\n" + message.partition("in ref/scoring.yaml:\n")[2])
    assert folder.run() == 0


def test_percentages_of_all_systems_and_signed_losses_are_what_their_names_say(
    folder: Folder,
) -> None:
    table = frame(6).drop(columns="site").rename(columns={"dice": "acc", "hd95": "nll"})
    table = table.assign(acc=100 * table.acc, nll=table.nll - 4)
    assert written(folder, table, "resamples: 100\n").run() == 0


@pytest.mark.parametrize("name", ["toxicity_score", "latency_score", "z_score", "interval_score"])
def test_a_score_of_something_unknown_has_no_direction(
    name: str, folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    table = frame(6).drop(columns=["site", "hd95"]).rename(columns={"dice": name})
    message = refusal(written(folder, table, "resamples: 100\n"), capsys)
    assert f"is a higher score better in '{name}'?" in message


@pytest.mark.parametrize("layout", ["long", "wide"])
def test_a_number_that_stands_for_a_missing_score_is_none(
    layout: str, folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = "resamples: 100\ngreater_is_better: true\nmissing: worst\n"
    long = frame(6).drop(columns=["site", "hd95"])
    table, name = (long, "dice") if layout == "long" else (wide(), "B")
    table.iloc[2, list(table).index(name)] = -999
    message = refusal(written(folder, table, settings, "table"), capsys)
    assert f"table.csv: line 4, column '{name}': '-999" in message
    assert "looks like a missing score; leave such cells empty" in message
    table.iloc[3, list(table).index(name)] = -0.5  # others are negative
    assert written(folder, table, settings, "table").run() == 0


LOSSES = wide().assign(A=lambda table: table.A / 9)


@pytest.mark.parametrize("option", [(), ("--greater-is-better", "false")])
def test_scores_without_a_direction_name_no_winner(
    option: tuple[str, ...], folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    written(folder, LOSSES, "resamples: 100\n", "table")
    message = refusal(folder, capsys)
    assert "is a higher score better, or a lower one? The systems are A, B." in message
    assert "ref/scoring.yaml:\ngreater_is_better: true   # or false\n" in message
    if not option:
        folder.settings("resamples: 100\ngreater_is_better: false\n")
    assert folder.run(*option) == 0
    assert "Directions: a lower score is better." in capsys.readouterr().out
    assert folder.results()["metrics"][0]["leader"] == "A"


@pytest.mark.parametrize("given", [LOSSES, LOSSES.drop(columns="fold").to_dict("list")])
@pytest.mark.parametrize("metrics", [None, "mean_score", ["median_score", "mean_unit_rank"]])
def test_scores_in_python_need_a_direction(given: Any, metrics: Any) -> None:
    with pytest.raises(dh.OrganizerError, match="with greater_is_better=True; write False where"):
        dh.compare_scores(given, metrics)
    result = dh.compare_scores(given, metrics, greater_is_better=False, resamples=100)
    assert result.leader == "A"
    named = dh.compare_scores(given, {"name": "loss", "function": "mean_score"}, resamples=100)
    assert named.leader == "A"


def test_the_name_of_an_aggregate_states_no_direction(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    message = refusal(written(folder, LOSSES, "metrics: [mean_score]\n", "table"), capsys)
    assert "line 1: metric 'mean_score': say whether a higher score is better" in message
    folder.settings("metrics: [mean_score]\ngreater_is_better: false\nresamples: 100\n")
    assert folder.run() == 0
    assert folder.results()["metrics"][0]["leader"] == "A"


def test_a_direction_against_a_name_is_asked_for(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    table = frame().rename(columns={"dice": "acc", "hd95": "loss"})
    settings = "resamples: 100\ngreater_is_better: true\n"
    message = refusal(written(folder, table, settings), capsys)
    assert "by its name, a lower 'loss' is better, but the setting says higher" in message
    folder.settings(settings + message.partition("in ref/scoring.yaml:\n")[2])
    assert folder.run() == 0
    better = {one["name"]: one["greater_is_better"] for one in folder.results()["metrics"]}
    assert better == {"acc": True, "loss": False}
    with pytest.raises(dh.OrganizerError, match=r"better=\{'acc': True, 'loss': False\}"):
        dh.compare_scores(table, greater_is_better=True)
    with pytest.raises(dh.OrganizerError, match=r"better=\{'loss': True\}"):
        dh.compare_scores(table.drop(columns="acc"), greater_is_better=True)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("unit: kase", "line 1: unit: long.csv has no column 'kase'; did you mean 'case'?"),
        ("unit: case\nid_column: case", "line 2: id_column: 'unit' names the same columns"),
        ("layout: wide\nsample: site", "line 2: sample: only a long table has samples"),
    ],
)
def test_roles_that_cannot_be(
    settings: str, message: str, folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in refusal(written(folder, frame(), f"{settings}\n"), capsys)


@pytest.mark.parametrize("setting", ["unit: id", "system: label", "greater_is_better: true"])
def test_settings_of_score_tables_are_none_of_predictions(
    setting: str, folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.write(f"{setting}\n")
    assert "the setting is for tables of scores, but ref holds correct" in refusal(folder, capsys)


def test_a_mapping_has_no_columns_to_name() -> None:
    with pytest.raises(dh.OrganizerError, match="unit: 'fold' is a column of a data frame"):
        dh.compare_scores({"A": [1, 2], "B": [2, 3]}, unit="fold", greater_is_better=True)
    with pytest.raises(dh.OrganizerError, match="compare predictions with correct answers"):
        dh.compare_scores(wide(y=[1.5] * 10), greater_is_better=True)


def test_a_layout_that_is_named_says_what_is_missing(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    table = frame().rename(columns={"alg_name": "who"})
    message = refusal(written(folder, table, DICE + "layout: long\n"), capsys)
    assert "is known to hold systems; call it 'system'" in message


def test_a_first_column_that_may_be_a_system_is_asked_about(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whether the table is called wide or not, and also where the others have fractions."""
    table = table_of("A B C", *((700 + 7 * i % 23, 705.5 + i, 711 - i) for i in range(9)))
    settings = "greater_is_better: false\nresamples: 100\n"
    for more in ("", "layout: wide\n"):
        message = refusal(written(folder, table, settings + more, "table"), capsys)
        assert "'A' may hold ids, or scores, and then needs a column of ids in front" in message
        assert "unit: A" in message
    runs = table.add_suffix("_run")
    message = refusal(written(folder, runs, f"{settings}layout: wide\n", "table"), capsys)
    assert "'A_run' may hold ids, or scores" in message
    table.insert(0, "case", range(9))
    assert written(folder, table, f"{settings}layout: wide\n", "table").run() == 0
    assert {entry["entry"] for entry in folder.results()["metrics"][0]["entries"]} == {*"ABC"}
    serial = table.assign(case=[900 * i for i in range(1, 10)]).rename(columns={"case": "serial"})
    serial[["A", "B", "C"]] /= 1000
    assert written(folder, serial, f"{settings}layout: wide\n", "table").run() == 0


def test_policies_of_score_tables_are_none_of_predictions(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.write("missing: worst\n")
    assert "missing: 'worst' is for tables of scores" in refusal(folder, capsys)


def test_a_wide_table_repeats_no_unit(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    table = pd.DataFrame({"case_id": [1, 2, 2], "A": [0.1, 0.2, 0.3], "B": [0.1, 0.2, 0.4]})
    message = refusal(written(folder, table, "greater_is_better: true\n", "wide"), capsys)
    assert "wide.csv: line 4: the case_id '2' was already on line 3" in message


def test_every_unit_with_a_gap_cannot_be_dropped(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    table = pd.DataFrame({"case": [1, 2], "A": [0.1, ""], "B": ["", 0.4], "C": [1, 1]})
    settings = "missing: drop_unit\ngreater_is_better: true\n"
    message = refusal(written(folder, table, settings, "wide"), capsys)
    assert "on every case some system has no score" in message
    assert "A (1), B (1)" in message


def test_lists_in_a_table_of_scores_are_left_out(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    """As in MT-Bench's judgments. In a wide table, every column may be a system."""
    rows = [
        {"question_id": q, "model": name, "judge": ["gpt-4", "v1"], "turn": turn, "score": q + turn}
        for q in range(8)
        for turn in (1, 2)
        for name in "AB"
    ]
    path = folder.input / "res" / "judgments.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    settings = "resamples: 100\ngreater_is_better: true\nunit: question_id\n"
    folder.settings(f"{settings}system: model\nsample: turn\n")
    assert folder.run() == 0
    assert scores_of(folder.results()) == {"score": {"A": 5.0, "B": 5.0}}
    folder.settings(f"{settings}system: model\nsample: judge\n")
    assert "'judge' holds a nested value" in refusal(folder, capsys)
    wide_rows = [{"question_id": f"q{q}", "A": q, "B": q + 1, "C": [q]} for q in range(8)]
    path.write_text("".join(json.dumps(row) + "\n" for row in wide_rows), encoding="utf-8")
    folder.settings(settings)
    assert "'C' holds a nested value" in refusal(folder, capsys)
