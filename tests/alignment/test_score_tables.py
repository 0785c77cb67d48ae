"""Tables of scores that were made elsewhere, long and wide, from files and in Python."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import scoring_program as dh
from tests.competitions import Folder, write_csv

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
    ranks = table.assign(rank=table.groupby("case").hd95.rank(method="min"))
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
    assert written(folder, table, "resamples: 200\n", "table").run() == 0
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
CHALLENGER: dict[str, tuple[Any, bool, Any, list[int]]] = {
    "one case": ([[0.6], [0.8]], True, [0.6, 0.8], [1, 2]),
    "one case, large": ([[0.6], [0.8]], False, [0.6, 0.8], [2, 1]),
    "a tie": ([[0.6], [0.6]], True, [0.6, 0.6], [1, 1]),
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
    expected = stats.rankdata(table, method="min", axis=1).mean(axis=0)
    found = {row.entry: row.score for row in result["mean_unit_rank"].ranking}
    assert found == pytest.approx({f"s{k}": expected[k] for k in range(7)})


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
    assert "worst or drop_unit" in reasons["crop"]


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
        (DICE + "missing: wrong", "missing: 'wrong' is for predicted labels"),
        (DICE + "group: site5", "has no column 'site5'; did you mean 'site'?"),
    ],
)
def test_what_settings_must_say(
    settings: str, message: str, folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in refusal(written(folder, frame(), settings), capsys)


def test_names_state_directions(folder: Folder) -> None:
    table = frame().rename(columns={"dice": "Dice score", "hd95": "surface_error"})
    assert written(folder, table, "resamples: 100\n").run() == 0
    found = {m["name"]: m["greater_is_better"] for m in folder.results()["metrics"]}
    assert found == {"Dice_score": True, "surface_error": False}
    assert "leads with Dice score" in folder.results()["verdict"]


def test_a_layout_that_is_named_says_what_is_missing(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    table = frame().rename(columns={"alg_name": "who"})
    message = refusal(written(folder, table, DICE + "layout: long\n"), capsys)
    assert "is known to hold systems; call it 'system'" in message


def test_policies_of_score_tables_are_none_of_predictions(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.write("missing: worst\n")
    assert "missing: 'worst' is for tables of scores" in refusal(folder, capsys)


def test_a_wide_table_repeats_no_unit(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    table = pd.DataFrame({"case_id": [1, 2, 2], "A": [0.1, 0.2, 0.3], "B": [0.1, 0.2, 0.4]})
    message = refusal(written(folder, table, "", "wide"), capsys)
    assert "wide.csv: line 4: the case_id '2' was already on line 3" in message


def test_every_unit_with_a_gap_cannot_be_dropped(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    table = pd.DataFrame({"case": [1, 2], "A": [0.1, ""], "B": ["", 0.4], "C": [1, 1]})
    message = refusal(written(folder, table, "missing: drop_unit\n", "wide"), capsys)
    assert "on every case some system has no score" in message
    assert "A (1), B (1)" in message
