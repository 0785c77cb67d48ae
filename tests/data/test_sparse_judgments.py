"""Scores of judges who saw some systems on each unit, as in direct assessment (WMT)."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

import scoring_program as dh
from scoring_program.bootstrap.design import draw_counts
from scoring_program.core.arrays import Array, Floats
from scoring_program.metrics import Data
from scoring_program.scoring.scorers import SumsScorer
from tests.competitions import Folder, write_csv
from tests.metrics.cases import metric

JUDGED = "missing: judged\ngreater_is_better: true\nresamples: 200\n"


def table(
    shares: tuple[float, ...] = (0.8, 0.5, 0.5, 0.4), units: int = 200, seed: int = 1
) -> pd.DataFrame:
    """A long table of what was judged, each system worse than the one before it."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(units, 1)) + rng.normal(size=(units, len(shares)))
    scores -= 0.6 * np.arange(len(shares))
    unit, system = np.nonzero(rng.random(scores.shape) < shares)
    names = np.array(list("abcdefghij"))
    return pd.DataFrame(
        {"segment": unit, "system": names[system], "score": scores[unit, system].round(3)}
    )


def wide(given: pd.DataFrame) -> pd.DataFrame:
    return given.pivot(index="segment", columns="system", values="score").reset_index()


def compared(given: Any, **more: Any) -> dh.Result:
    return dh.compare_scores(
        given, greater_is_better=True, missing="judged", **{"resamples": 200, **more}
    )


def scores_of(result: Any) -> dict[str, float]:
    return {row.entry: row.score for row in result.ranking}


def written(folder: Folder, given: pd.DataFrame, settings: str = JUDGED) -> Folder:
    texts = given.astype(object).where(given.notna(), "")
    write_csv(folder.input / "res" / "judged.csv", {key: list(texts[key]) for key in texts})
    folder.settings(settings)
    return folder


def codes(result: dh.Result) -> set[str]:
    return {one["code"] for one in result.to_dict()["warnings"]}


def by_a_loop(values: Floats, counts: Array) -> Floats:
    """Return each system's mean [R, m] over what it was judged on in each resample, slowly."""
    found = np.full((len(counts), values.shape[1]), np.nan)
    for b, drawn in enumerate(counts):
        for system in range(values.shape[1]):
            own = [
                values[unit, system]
                for unit, times in enumerate(drawn)
                for _ in range(times)
                if not np.isnan(values[unit, system])
            ]
            if own:
                found[b, system] = sum(own) / len(own)
    return found


def test_resamples_are_those_of_a_naive_loop() -> None:
    values = wide(table(units=40, shares=(0.9, 0.5, 1.0, 0.03))).set_index("segment").to_numpy()
    data = Data(np.zeros(len(values)), tuple(values.T))
    names = [str(system) for system in range(values.shape[1])]
    scorer = SumsScorer(metric("mean_score", {}), data, names)
    counts = draw_counts(np.random.default_rng(3), len(values), 300)
    expected = by_a_loop(values, counts)
    found = scorer.replicate(counts)
    assert np.isnan(expected).any()
    assert (found.undefined == np.isnan(expected)).all()
    np.testing.assert_allclose(found.values, expected, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(scorer.observed, np.nanmean(values, axis=0), rtol=1e-12)
    left_out = by_a_loop(values, 1 - np.eye(len(values), dtype=int))
    np.testing.assert_allclose(scorer.jackknife(), left_out, rtol=1e-10)


def test_a_mean_is_over_the_units_that_were_judged(folder: Folder) -> None:
    given = table()
    assert written(folder, given).run() == 0
    document = folder.results()
    found = {item["entry"]: item["score"] for item in document["metrics"][0]["entries"]}
    assert found == pytest.approx(given.groupby("system").score.mean().to_dict(), rel=1e-11)
    page = (folder.output / "detailed_results.html").read_text(encoding="utf-8")
    gaps = given.segment.nunique() * 4 - len(given)
    said = f"{gaps} missing scores do not count: the mean of an entry is over the units on which"
    assert page.count(said) >= 2
    assert "scheme" not in json.dumps(document["metrics"][0]["verdict"])


def test_wide_long_and_python_agree(folder: Folder) -> None:
    written(folder, table()).run()
    long = [(item["score"], *item["ci"]) for item in folder.results()["metrics"][0]["entries"]]
    written(folder, wide(table()).astype(object)).run()
    of_wide = folder.results()["metrics"][0]["entries"]
    assert [(item["score"], *item["ci"]) for item in of_wide] == long
    for given in (table().sample(frac=1, random_state=1), wide(table())):
        rows = next(iter(compared(given).values())).ranking
        assert [(row.score, row.low, row.high) for row in rows] == [
            pytest.approx(item, rel=1e-11) for item in long
        ]


def test_without_the_setting_gaps_are_refused_with_it_as_a_remedy(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    written(folder, table(), "greater_is_better: true\n")
    assert folder.run() == 2
    said = capsys.readouterr().err
    assert "judged.csv" in said
    assert "no line" in said
    assert "worst, drop_unit or judged" in said
    gap = wide(table())
    written(folder, gap, "greater_is_better: true\n")
    assert folder.run() == 2
    row = int(np.flatnonzero(gap["a"].isna())[0])
    assert f"line {row + 2}, column 'a'" in capsys.readouterr().err


def test_a_complete_table_is_the_same_under_every_policy() -> None:
    complete = table(shares=(1.0, 1.0, 1.0))
    found = [
        dh.compare_scores(complete, greater_is_better=True, missing=policy, resamples=200)
        for policy in ("error", "judged")
    ]
    first, second = (result.to_dict()["metrics"] for result in found)
    assert first == second


def test_units_that_nobody_judged_are_none() -> None:
    given = wide(table())
    more = pd.concat([given, pd.DataFrame({"segment": range(900, 980)})])
    assert compared(more).to_dict()["n"] == compared(given).to_dict()["n"] == len(given)


def test_several_judges_of_a_unit_are_averaged_within_it() -> None:
    given = table()
    again = pd.concat(
        [given.assign(judge="x"), given.assign(judge="y", score=given.score + 1).iloc[::2]]
    )
    found = compared(again, sample="judge")
    expected = again.groupby(["system", "segment"]).score.mean().groupby("system").mean()
    assert scores_of(found) == pytest.approx(expected.to_dict(), rel=1e-11)
    gaps = again.assign(score=again.score.where(again.index % 5 > 0))
    with_gaps = compared(gaps, sample="judge")
    expected = gaps.groupby(["system", "segment"]).score.mean().groupby("system").mean()
    assert scores_of(with_gaps) == pytest.approx(expected.to_dict(), rel=1e-11)


def test_a_column_of_judges_is_told_with_the_setting_that_names_it(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    given = table()
    again = pd.concat([given.assign(judge="x"), given.assign(judge="y").iloc[::2]])
    assert written(folder, again).run() == 2
    said = capsys.readouterr().err
    assert "'judge' looks like an annotator" in said
    assert "\nsample: judge" in said
    assert written(folder, again, f"{JUDGED}sample: judge\n").run() == 0


def test_few_shared_units_are_a_caution() -> None:
    assert "few_shared_units" not in codes(compared(table(shares=(0.9, 0.9, 0.9))))
    result = compared(table(shares=(0.9, 0.9, 0.3)))
    assert {"few_shared_units", "few_judged_units"} <= codes(result)
    told = next(one for one in result.to_dict()["warnings"] if one["code"] == "few_shared_units")
    assert told["level"] == "amber"
    own = wide(table(shares=(0.9, 0.9, 0.3))).notna()
    assert f"share {(own.b & own.c).sum()} of {own.b.sum()}" in told["message"] or (
        f"share {(own.a & own.c).sum()} of {own.a.sum()}" in told["message"]
    )


def test_systems_without_a_shared_unit_are_not_compared() -> None:
    given = table(shares=(1.0, 1.0, 1.0, 1.0), units=300)
    apart = given[(given.segment < 150) == given.system.isin(["a", "b"])]
    result = compared(apart, resamples=2000)
    assert "not_compared" in codes(result)
    # Each half has a winner of its own, and nothing tells which of the two is better.
    assert set(result.possible_winners) == {"a", "c"}
    together = compared(given, resamples=2000)
    assert result.leader == together.leader == "a"
    assert "c" not in together.possible_winners


def test_a_system_without_a_score_on_some_resamples_takes_none_from_the_others() -> None:
    given = table(shares=(0.8, 0.7, 0.7, 0.7))
    few = given[(given.system != "a") | (given.segment < 4)]
    with_it, without = compared(few), compared(few[few.system != "a"])
    assert [row.entry for row in with_it.ranking] == ["b", "c", "d"]
    (told,) = with_it.to_dict()["unscored"]
    assert told["entry"] == "a"
    assert "none on" in told["reason"]
    assert [(row.score, row.low, row.high) for row in with_it.ranking] == [
        (row.score, row.low, row.high) for row in without.ranking
    ]


def test_a_system_without_any_score_is_named(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    given = wide(table()).assign(e="")
    written(folder, given)
    assert folder.run() == 0
    assert "Not scored: e: judged.csv: there is not one score; add some" in capsys.readouterr().err
    with pytest.raises(dh.OrganizerError, match="there is not one score"):
        compared(wide(table()).assign(e=np.nan))


@pytest.mark.parametrize("function", ["median_score", "mean_unit_rank"])
def test_other_aggregates_need_every_score(function: str) -> None:
    with pytest.raises(dh.OrganizerError, match="'judged' is for means"):
        compared(table(), metrics=function)


def test_groups_slices_formulas_tests_and_tasks_take_gaps(folder: Folder) -> None:
    given = table()
    given["document"] = [f"d{unit % 40}" for unit in given.segment]
    given["domain"] = np.where(given.segment % 40 < 20, "news", "talk")
    given["fluency"] = (given.score + 1).where(given.index % 3 > 0)
    metrics = (
        "metrics:\n"
        "  - {name: score, function: mean_score, greater_is_better: true}\n"
        "  - {name: fluency, function: mean_score, greater_is_better: true}\n"
        "  - {name: both, formula: (score + fluency) / 2, greater_is_better: true}\n"
        "group: document\nslices: [domain]\ntests: [randomization]\n"
    )
    written(folder, given, "missing: judged\nresamples: 200\n" + metrics)
    assert folder.run() == 0
    found = {
        metric["name"]: {item["entry"]: item["score"] for item in metric["entries"]}
        for metric in folder.results()["metrics"]
    }
    means = given.groupby("system")[["score", "fluency"]].mean()
    assert found["both"] == pytest.approx(means.mean(axis=1).to_dict(), rel=1e-11)
    tasks = pd.concat([given.assign(task=task) for task in ("one", "two")])[
        ["task", "segment", "system", "score"]
    ]
    assert compared(tasks).leader == "a"


def test_a_task_that_a_system_lacks_takes_nothing_from_the_others(folder: Folder) -> None:
    given = table()
    tasks = pd.concat([given.assign(task=task) for task in ("one", "two")])
    lacking = tasks[(tasks.task == "one") | (tasks.system != "d")]
    written(folder, lacking)
    assert folder.run() == 0
    assert folder.results()["unscored"][0]["entry"] == "d"


def test_predictions_have_no_judges(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    folder.write("missing: judged\n")
    assert folder.run() == 2
    assert "'judged' is for tables of scores" in capsys.readouterr().err
