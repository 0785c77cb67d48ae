"""Costs in a column of a long table of scores: which column it is, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from scoring_program import DeadheatError, Result, compare_scores
from tests.competitions import write_csv

UNITS = 200


def table(**changes: Any) -> pd.DataFrame:
    """Return a long table of three systems, of which C is worse and dearer than B."""
    rng = np.random.default_rng(4)
    hard = rng.normal(size=UNITS)
    frames = []
    for system, level, price in (("A", 0.0, 1.0), ("B", 1.0, 2.0), ("C", 0.4, 6.0)):
        columns = {
            "case": [f"u{unit}" for unit in range(UNITS)],
            "system": system,
            "quality": level - hard + 0.3 * rng.normal(size=UNITS),
            "price": price * np.exp(0.2 * hard + 0.1 * rng.normal(size=UNITS)),
        }
        frames.append(pd.DataFrame({**columns, **changes}))
    return pd.concat(frames, ignore_index=True)


def compared(frame: Any, **arguments: Any) -> Result:
    return compare_scores(
        frame, greater_is_better=True, resamples=999, **{"costs": "price", **arguments}
    )


def test_a_column_of_costs_is_resampled_with_the_scores_and_is_no_metric() -> None:
    result = compared(table())
    assert list(result) == ["quality"]
    front = result.front
    assert front is not None
    assert front.measured
    assert front.on == ("B", "A")
    assert front.excluded == {"C": "B"}
    means = table().groupby("system")["price"].mean()
    assert front.costs == pytest.approx(means.to_dict())


def test_the_scores_are_those_of_a_table_without_costs() -> None:
    priced, alone = compared(table()), compared(table().drop(columns="price"), costs=None)
    for key in ("entries", "pairs", "verdict"):
        assert priced["quality"].to_dict()[key] == alone["quality"].to_dict()[key]


def test_a_column_of_prices_that_never_vary_is_a_mapping() -> None:
    frame = table()
    prices = {"A": 1.0, "B": 2.0, "C": 6.0}
    frame["price"] = frame["system"].map(prices)
    by_column, by_mapping = compared(frame), compared(frame.drop(columns="price"), costs=prices)
    assert by_column.front is not None
    assert by_mapping.front is not None
    assert by_column.front.on == by_mapping.front.on == ("B", "A")
    assert by_column.front.costs == by_mapping.front.costs


def test_a_metric_may_score_the_same_column() -> None:
    metrics = [
        {"name": "quality", "function": "mean_score", "greater_is_better": True},
        {"name": "price", "function": "mean_score", "greater_is_better": False},
    ]
    result = compare_scores(table(), metrics=metrics, resamples=499, costs="price")
    assert list(result) == ["quality", "price"]
    assert result.front is not None
    assert result.front.measured


def test_whole_groups_are_resampled_with_their_costs() -> None:
    frame = table()
    frame["document"] = [f"d{int(case[1:]) // 2}" for case in frame["case"]]
    front = compared(frame, groups="document").front
    assert front is not None
    assert front.on == ("B", "A")


def test_a_baseline_has_its_cost_and_excludes_nobody() -> None:
    front = compared(table(), baselines=["B"]).front
    assert front is not None
    assert front.on == ("C", "A")
    assert set(front.costs) == {"A", "B", "C"}


def test_a_command_reads_the_column(tmp_path: Any) -> None:
    from scoring_program import score

    (tmp_path / "ref").mkdir()
    (tmp_path / "ref" / "scoring.yaml").write_text(
        "costs: price\ngreater_is_better: true\nresamples: 999\n", encoding="utf-8"
    )
    columns = {name: values.tolist() for name, values in table().items()}
    write_csv(tmp_path / "res" / "table.csv", columns)
    result = score(tmp_path)
    assert result.front is not None
    assert result.front.excluded == {"C": "B"}
    assert "Costs: column price." in result.to_dict()["notes"]


@pytest.mark.parametrize(
    ("frame", "arguments", "told"),
    [
        (table(), {"costs": "pricey"}, "no column 'pricey'; did you mean 'price'"),
        (
            table(),
            {"costs": "price", "folds": {"repeats": 20, "folds": 10}},
            "a column of costs needs units that are drawn with replacement",
        ),
        (
            table().assign(price=lambda made: -made["price"]),
            {},
            "in the column 'price' is negative; give costs of 0 or more",
        ),
        (
            table().assign(task=lambda made: np.where(made.index % 2, "x", "y")),
            {"missing": "judged"},
            "a column of costs is for one task and one run of each system, but 'task' tells tasks",
        ),
        (
            {"A": [1.0, 2.0, 4.0] * 20, "B": [2.0, 3.0, 3.0] * 20},
            {},
            "'price' would be a column of a long table of scores, and there is none",
        ),
        (
            table().pivot(index="case", columns="system", values="quality").reset_index(),
            {"costs": "A"},
            "'A' would be a column of a long table of scores, and there is none",
        ),
    ],
)
def test_what_is_no_column_of_costs_is_refused(
    frame: Any, arguments: dict[str, Any], told: str
) -> None:
    with pytest.raises(DeadheatError, match=told.replace("(", r"\(")):
        compared(frame, **arguments)


def test_costs_of_a_judges_systems_are_a_mapping() -> None:
    rng = np.random.default_rng(2)
    judge = {name: level + rng.normal(size=400) for name, level in (("A", 0.0), ("B", 1.0))}
    people = {name: np.where(np.arange(400) % 4 == 0, own, np.nan) for name, own in judge.items()}
    arguments = {"human": people, "human_sample": "random", "missing": "judged"}
    front = compared(judge, costs={"A": 2, "B": 1}, **arguments).front
    assert front is not None
    assert front.on == ("B",)


def test_a_cost_that_is_missing_is_a_missing_score() -> None:
    frame = table()
    frame.loc[3, "price"] = np.nan
    with pytest.raises(DeadheatError, match="missing score"):
        compared(frame)
    front = compared(frame, missing="drop_unit").front
    assert front is not None
    assert front.on == ("B", "A")
