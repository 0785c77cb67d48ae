"""Lists of runs under one name: which method is better, not which file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scoring_program as dh
from scoring_program.api.several_runs import are_runs
from tests.competitions import write_csv

N = 120
Y = (np.arange(N) % 2).tolist()
ACCURACY = "accuracy_score"


def run(share: float, seed: int) -> list[int]:
    rng = np.random.default_rng(seed)
    right = rng.random(N) < share
    return np.where(right, Y, 1 - np.array(Y)).tolist()


def methods() -> dict[str, list[list[int]]]:
    return {
        "A": [run(0.8, seed) for seed in range(3)],
        "B": [run(0.78, seed) for seed in range(10, 14)],
        "C": [run(0.6, seed) for seed in range(20, 23)],
    }


def test_lists_of_runs_are_what_folders_of_files_are(tmp_path: Path) -> None:
    write_csv(tmp_path / "ref" / "gold.csv", {"id": range(N), "label": Y})
    for method, runs in methods().items():
        for place, labels in enumerate(runs, 1):
            columns = {"id": range(N), "label": labels}
            write_csv(tmp_path / "res" / method / f"{place}.csv", columns)
    (tmp_path / "ref" / "scoring.yaml").write_text("metrics: [accuracy_score]\nruns: mean\n")
    of_files = dh.score(tmp_path, None).to_dict()["metrics"][0]
    result = dh.compare(Y, methods(), metrics=ACCURACY)
    of_lists = result.to_dict()["metrics"][0]
    for key in ("entries", "verdict", "pairs", "planning", "seed_share"):
        assert of_lists[key] == of_files[key], key
    first = next(one for one in of_lists["entries"] if one["entry"] == "B")
    assert len(first["runs"]) == 4
    assert np.mean(first["runs"]) == pytest.approx(first["score"])
    page = result.to_html()
    assert "these methods with other seeds" in page
    assert "Each small dot is the score of one run." in page
    assert page.count('class="run"') == 10


def test_a_list_with_as_many_items_as_answers_holds_predictions() -> None:
    three = [0, 1, 1]
    assert not are_runs([three, three, three], three)
    assert are_runs([three, three], three)
    assert are_runs((np.array(three),), three)
    assert not are_runs(np.array([three, three]), three), "an array is no list"
    assert not are_runs([0, 1], three)
    assert not are_runs(["cat", "dog"], three), "texts have letters, not predictions"
    assert not are_runs([[0, 1], [1, 0]], three), "none has as many"


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ({"runs": "all"}, {"A/1", "A/2", "A/3", "B"}),
        ({"runs": "best"}, {"A", "B"}),
        ({"runs": "last"}, {"A", "B"}),
        ({}, {"A", "B"}),
    ],
)
def test_the_argument_says_which_runs_compete(arguments: dict[str, Any], names: set[str]) -> None:
    runs_of_a = methods()["A"]
    given: dict[str, Any] = {"A": runs_of_a, "B": run(0.7, 5)}
    found = dh.compare(Y, given, metrics=ACCURACY, resamples=200, **arguments)
    assert {row.entry for row in found[ACCURACY].ranking} == names
    if arguments == {"runs": "last"}:
        (last,) = (row for row in found[ACCURACY].ranking if row.entry == "A")
        assert last.score == pytest.approx(np.mean(np.array(runs_of_a[2]) == Y))


def test_seeds_are_ignored_where_that_is_asked() -> None:
    crossed, alone = (
        dh.compare(Y, methods(), metrics=ACCURACY, resamples=200, **said)  # type: ignore[arg-type]
        for said in ({}, {"seeds": "ignore"})
    )
    assert "seed_share" in crossed.to_dict()["metrics"][0]
    assert "seed_share" not in alone.to_dict()["metrics"][0]
    assert [one.code for one in alone.warnings if one.code == "these_runs"] == ["these_runs"]


def test_single_runs_keep_their_name_and_all_numbers() -> None:
    plain = {"A": run(0.8, 1), "B": run(0.7, 2)}
    listed = {name: [labels] for name, labels in plain.items()}
    expected = dh.compare(Y, plain, metrics=ACCURACY, resamples=200)
    found = dh.compare(Y, listed, metrics=ACCURACY, resamples=200)
    assert found.to_dict()["metrics"] == expected.to_dict()["metrics"]


def test_a_run_of_another_length_is_named() -> None:
    given = {"A": [*methods()["A"][:2], [0, 1]], "B": run(0.7, 5)}
    with pytest.raises(dh.SubmissionError, match=r"A/3: .*2"):
        dh.compare(Y, given, metrics=ACCURACY)


def test_a_run_and_an_entry_of_the_same_name_are_refused() -> None:
    given = {"A": methods()["A"], "A/2": run(0.7, 5)}
    with pytest.raises(dh.SubmissionError, match="'A/2' is a run of 'A' and a name of its own"):
        dh.compare(Y, given, metrics=ACCURACY)
