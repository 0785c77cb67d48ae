"""People's scores of some units beside a judge's of all, as files and from Python."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import deadheat as dh
import numpy as np
import pytest
from deadheat.core.errors import OrganizerError

_SYSTEMS = ("north", "south", "west")
_UNITS, _JUDGED = 200, 50


def _scores(seed: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a judge's scores and people's, [N, m], and which units people score."""
    rng = np.random.default_rng(seed)
    people = rng.normal(size=(_UNITS, 1)) + rng.normal(size=(_UNITS, 3)) + [0.6, 0.3, 0.0]
    judge = 0.5 * people + 0.4 * rng.normal(size=people.shape) + [0.0, 0.5, 0.0]
    chosen = np.sort(rng.choice(_UNITS, _JUDGED, replace=False))
    return judge, people, chosen


def _wide(scores: np.ndarray, rows: np.ndarray) -> str:
    lines = [",".join(("question", *_SYSTEMS))]
    lines += [f"q{row:03}," + ",".join(f"{x:.6f}" for x in scores[row]) for row in rows]
    return "\n".join(lines) + "\n"


def _long(scores: np.ndarray, rows: np.ndarray, column: str) -> str:
    lines = [f"question,system,{column}"]
    for row in rows:
        lines += [f"q{row:03},{s},{x:.6f}" for s, x in zip(_SYSTEMS, scores[row], strict=True)]
    return "\n".join(lines) + "\n"


def _folder(tmp_path: Path, judge: str, people: str, more: str = "") -> Path:
    for name in ("ref", "res"):
        (tmp_path / name).mkdir()
    (tmp_path / "res/judge.csv").write_text(judge)
    (tmp_path / "ref/people.csv").write_text(people)
    (tmp_path / "ref/scoring.yaml").write_text(
        f"human: people.csv\ngreater_is_better: true\nresamples: 300\n{more}"
    )
    return tmp_path


def _ranked(result: Any) -> dict[str, float]:
    (metric,) = result.values() if hasattr(result, "values") else [result]
    return {row.entry: row.score for row in metric.ranking}


def test_files_and_python_agree_and_lines_may_come_in_any_order(tmp_path: Path) -> None:
    judge, people, chosen = _scores()
    wide = _folder(tmp_path, _wide(judge, np.arange(_UNITS)), _wide(people, chosen[::-1]),
                   "human_sample: random\n")  # fmt: skip
    of_files = dh.score(wide, None)
    of_arrays = dh.compare_scores(
        {name: judge[:, i].round(6) for i, name in enumerate(_SYSTEMS)},
        greater_is_better=True,
        human={
            name: np.where(np.isin(np.arange(_UNITS), chosen), people[:, i].round(6), np.nan)
            for i, name in enumerate(_SYSTEMS)
        },
        human_sample="random",
        resamples=300,
    )
    assert _ranked(of_files) == pytest.approx(_ranked(of_arrays), abs=1e-12)
    rows = {row.entry: row for row in of_files["mean_score"].ranking}
    again = {row.entry: row for row in of_arrays["mean_score"].ranking}
    ends = {name: (row.low, row.high) for name, row in rows.items()}
    assert ends == {name: (row.low, row.high) for name, row in again.items()}


def test_a_long_table_of_people_may_call_its_only_column_otherwise(tmp_path: Path) -> None:
    judge, people, chosen = _scores()
    folder = _folder(
        tmp_path,
        _long(judge, np.arange(_UNITS), "score"),
        _long(people, chosen, "rating"),
        "human_sample: random\n",
    )
    wide = _folder(_new(tmp_path), _wide(judge, np.arange(_UNITS)), _wide(people, chosen),
                   "human_sample: random\n")  # fmt: skip
    assert _ranked(dh.score(folder, None)) == _ranked(dh.score(wide, None))


def _new(tmp_path: Path) -> Path:
    (tmp_path / "other").mkdir()
    return tmp_path / "other"


@pytest.mark.parametrize(
    ("people_rows", "more", "said"),
    [
        (range(50), "", "human_sample: random"),
        (range(29), "human_sample: random\n", "at least 30"),
        (range(_UNITS), "human_sample: random\n", "scored all 200 units"),
        ([*range(40), 300], "human_sample: random\n", "line 42: the judge has no score of"),
        (range(40), "human_sample: random\nslices: [question]\n", "does not go together"),
        (range(40), "human_sample: random\nmetrics: [median_score]\n", "choose mean_score"),
        (range(40), "human_sample: disagreement\n", "random"),
    ],
)
def test_what_cannot_be_true_is_refused(
    tmp_path: Path, people_rows: Any, more: str, said: str
) -> None:
    judge, people, _ = _scores()
    people = np.concatenate([people, people])
    rows = np.array([*people_rows])
    folder = _folder(tmp_path, _wide(judge, np.arange(_UNITS)), _wide(people, rows), more)
    with pytest.raises(OrganizerError) as refused:
        dh.score(folder, None)
    assert said in str(refused.value)


def test_other_systems_and_missing_cells_are_refused(tmp_path: Path) -> None:
    judge, people, chosen = _scores()
    frame = {name: judge[:, i] for i, name in enumerate(_SYSTEMS)}
    human = {
        name: np.where(np.isin(np.arange(_UNITS), chosen), people[:, i], np.nan)
        for i, name in enumerate(_SYSTEMS)
    }

    def compared(given: Any, **more: Any) -> Any:
        return dh.compare_scores(
            frame, greater_is_better=True, human=given, human_sample="random", resamples=200, **more
        )

    with pytest.raises(OrganizerError, match="people did not score west"):
        compared({name: human[name] for name in _SYSTEMS[:2]})
    with pytest.raises(OrganizerError, match="the judge did not score east"):
        compared({**human, "east": human["west"]})
    gaps = {**human, "west": human["west"].copy()}
    gaps["west"][chosen[0]] = np.nan
    with pytest.raises(OrganizerError, match="missing: judged"):
        compared(gaps)
    assert compared(gaps, missing="judged").leader == "north"
    with pytest.raises(OrganizerError, match="human_sample"):
        dh.compare_scores(frame, greater_is_better=True, human=human)
    with pytest.raises(OrganizerError, match="give them as 'human'"):
        dh.compare_scores(frame, greater_is_better=True, human_sample="random")


def test_people_sample_whole_groups_where_groups_are_resampled() -> None:
    judge, people, _ = _scores()
    documents = np.arange(_UNITS) // 4
    frame = {name: judge[:, i] for i, name in enumerate(_SYSTEMS)}

    def compared(chosen: np.ndarray) -> Any:
        human = {n: np.where(chosen, people[:, i], np.nan) for i, n in enumerate(_SYSTEMS)}
        return dh.compare_scores(
            frame, greater_is_better=True, human=human, human_sample="random", resamples=200,
            groups=documents.astype(str),
        )  # fmt: skip

    assert compared(documents % 3 == 0).leader == "north"
    with pytest.raises(OrganizerError, match="2 of the 4 units"):
        compared(np.arange(_UNITS) % 2 == 0)


def test_correct_answers_leave_no_place_for_people(tmp_path: Path) -> None:
    judge, people, chosen = _scores()
    folder = _folder(tmp_path, _wide(judge, np.arange(_UNITS)), _wide(people, chosen),
                     "human_sample: random\n")  # fmt: skip
    (folder / "ref/gold.csv").write_text("id,label\nq000,a\nq001,b\n")
    with pytest.raises(OrganizerError, match="ref/ holds correct answers"):
        dh.score(folder, None)


def test_the_page_and_the_record_say_what_the_judge_is_worth(tmp_path: Path) -> None:
    judge, people, chosen = _scores()
    (tmp_path / "in").mkdir()
    folder = _folder(tmp_path / "in", _wide(judge, np.arange(_UNITS)), _wide(people, chosen),
                     "human_sample: random\n")  # fmt: skip
    dh.score(folder, tmp_path / "out")
    (record,) = json.loads((tmp_path / "out/results.json").read_text())["metrics"]
    told = record["people"]
    assert (told["judged"], told["units"]) == (_JUDGED, _UNITS)
    assert told["worth"] > _JUDGED
    means = {row["entry"]: row["people"] for row in told["entries"]}
    assert means == pytest.approx(
        {name: people[chosen, i].round(6).mean() for i, name in enumerate(_SYSTEMS)}
    )
    page = (tmp_path / "out/detailed_results.html").read_text()
    assert f"People scored {_JUDGED} of {_UNITS}" in page
    assert f"worth about {round(told['worth'])} human judgments" in page


def test_the_signature_changes_with_what_people_said(tmp_path: Path) -> None:
    judge, people, chosen = _scores()

    def signed(scores: np.ndarray, name: str) -> Any:
        (tmp_path / name).mkdir()
        folder = _folder(tmp_path / name, _wide(judge, np.arange(_UNITS)), _wide(scores, chosen),
                         "human_sample: random\n")  # fmt: skip
        return dh.score(folder, None).signature

    before = signed(people, "before")
    after = signed(people + 0.25, "after")
    file = (tmp_path / "before/ref/people.csv").read_bytes()
    assert before["sha256 of people's scores"] == hashlib.sha256(file).hexdigest()
    assert before["human_sample"] == "random"
    differing = {key for key in before if before[key] != after[key]}
    assert differing == {"sha256 of people's scores"}
    hashed = before["sha256 of people's scores"]
    assert f"|people:{hashed[:12]}" in str(before)
