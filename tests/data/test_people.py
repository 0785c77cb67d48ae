"""People's scores of some units beside a judge's of all, as files and from Python."""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import scoring_program as dh
from scoring_program.core.errors import OrganizerError

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


@pytest.mark.parametrize("by_metrics", [True, False])
def test_columns_of_several_directions_are_read_in_those_of_the_judges(by_metrics: bool) -> None:
    judge, people, chosen = _scores()

    def both(scores: np.ndarray, rows: np.ndarray) -> pd.DataFrame:
        frame = pd.read_csv(io.StringIO(_long(scores, rows, "quality")))
        return frame.assign(error=1 - frame["quality"])

    better = {"quality": True, "error": False}
    metrics = [
        {"name": name, "function": "mean_score", "greater_is_better": direction}
        for name, direction in better.items()
    ]
    stated: Any = {"metrics": metrics} if by_metrics else {"greater_is_better": better}
    result = dh.compare_scores(
        both(judge, np.arange(_UNITS)),
        human=both(people, chosen),
        human_sample="random",
        resamples=300,
        **stated,
    )
    of_quality, of_error = (
        [row.entry for row in result[name].ranking] for name in ("quality", "error")
    )
    assert of_quality == of_error
    assert not result["error"].greater_is_better
    with pytest.raises(OrganizerError, match="there is no column 'quality'"):
        dh.compare_scores(
            both(judge, np.arange(_UNITS)),
            human=both(people, chosen)[["question", "system"]].assign(rating=1.0),
            human_sample="random",
            **stated,
        )
    with pytest.raises(OrganizerError, match="a line for each unit and system, with that column"):
        dh.compare_scores(
            both(judge, np.arange(_UNITS)),
            human=pd.read_csv(io.StringIO(_wide(people, chosen))),
            human_sample="random",
            **stated,
        )


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


def _refused(folder: Path) -> str:
    with pytest.raises(OrganizerError) as refused:
        dh.score(folder, None)
    return str(refused.value)


def test_every_wrong_table_of_people_is_refused_with_line_and_remedy(tmp_path: Path) -> None:
    judge, people, _ = _scores()
    by_judge = _wide(judge, np.arange(_UNITS))
    folder = _folder(tmp_path, by_judge, "", "human_sample: random\n")
    table = folder / "ref/people.csv"
    good = _wide(people, np.arange(40))
    infinite = people.copy()
    infinite[7, 0] = np.inf
    twice = f"{good}q003,0.1,0.2,0.3\n"
    named = good.replace("west", "east")
    for text, message in (
        ("", "people.csv: the file is empty"),
        (twice, "people.csv: line 42: the question 'q003' was already on line 5"),
        (_wide(infinite, np.arange(40)), "line 9, column 'north': found 'inf', expected a finite"),
        (good.splitlines()[0] + "\n", "people.csv: line 1: there is a header but no example"),
        (named, "people did not score west, which the judge scored; give both the same systems"),
    ):
        table.write_text(text)
        assert message in _refused(folder)
    table.unlink()
    assert "human: there is no file 'people.csv' in ref/; put it there" in _refused(folder)
    table.write_text(good)
    gap = judge.copy()
    gap[4, 1] = np.nan
    (folder / "res/judge.csv").write_text(_wide(gap, np.arange(_UNITS)).replace("nan", ""))
    settings = folder / "ref/scoring.yaml"
    settings.write_text(f"{settings.read_text()}missing: judged\n")
    message = "people scored south on 'q004', but the judge did not; give the judge's score there"
    assert message in _refused(folder)


def test_few_of_peoples_units_are_one_cause_and_one_caution() -> None:
    judge, people, chosen = _scores()
    human = {
        name: np.where(np.isin(np.arange(_UNITS), chosen), people[:, i], np.nan)
        for i, name in enumerate(_SYSTEMS)
    }
    result = dh.compare_scores(
        {name: judge[:, i] for i, name in enumerate(_SYSTEMS)},
        greater_is_better=True, human=human, human_sample="random", resamples=200,
    )  # fmt: skip
    said = [str(warning) for warning in result.warnings]
    assert len([text for text in said if "fewer than 100" in text]) == 1, said


def test_groups_of_the_judges_table_hold_for_people_whose_table_names_none(
    tmp_path: Path,
) -> None:
    judge, people, _ = _scores()
    lines = _wide(judge, np.arange(_UNITS)).splitlines()
    grouped = ["question,document,north,south,west"]
    for number, line in enumerate(lines[1:]):
        unit, _, scores = line.partition(",")
        grouped.append(f"{unit},d{number // 4},{scores}")
    table = _wide(people, np.arange(120))
    folder = _folder(tmp_path, "\n".join(grouped) + "\n", table,
                     "human_sample: random\ngroup: document\n")  # fmt: skip
    result = dh.score(folder, None)
    assert any("People scored only 30 groups" in str(warning) for warning in result.warnings)
    (folder / "ref/people.csv").write_text(_wide(people, np.arange(122)))
    assert "people scored 2 of the 4 units of document 'd30'" in _refused(folder)


def test_a_single_group_of_people_says_nothing_of_others(tmp_path: Path) -> None:
    judge, people, _ = _scores()
    frame = {name: judge[:, i] for i, name in enumerate(_SYSTEMS)}
    chosen = np.arange(_UNITS) < 40
    human = {n: np.where(chosen, people[:, i], np.nan) for i, n in enumerate(_SYSTEMS)}
    with pytest.raises(OrganizerError, match=r"of one .* only; .* let them score several groups"):
        dh.compare_scores(
            frame, greater_is_better=True, human=human, human_sample="random", resamples=200,
            groups=(np.arange(_UNITS) // 40).astype(str),
        )  # fmt: skip


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


def test_a_judge_in_logs_has_people_beside_it(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    lines = ["doc_id,system,score"]
    for system in _SYSTEMS:
        folder = tmp_path / "res" / system
        folder.mkdir(parents=True)
        samples = []
        for unit in range(80):
            score = int(rng.random() < 0.7)
            samples.append(json.dumps({
                "doc_id": unit, "doc": {"q": f"q{unit}"}, "target": "1", "arguments": [["x"]],
                "resps": [["1"]], "filtered_resps": ["1"], "doc_hash": f"h{unit}",
                "filter": "none", "metrics": ["exact_match"], "exact_match": float(score),
            }))  # fmt: skip
            if unit % 2 == 0:
                lines.append(f"{unit},{system},{int(rng.random() < 0.2 + 0.6 * score)}")
        name = "samples_gsm8k_2026-01-01T00-00-00.000000.jsonl"
        (folder / name).write_text("\n".join(samples) + "\n")
    (tmp_path / "ref").mkdir()
    (tmp_path / "ref/people.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "ref/scoring.yaml").write_text(
        "human: people.csv\nhuman_sample: random\nresamples: 200\n"
    )
    (metric,) = dh.score(tmp_path, None).to_dict()["metrics"]
    assert (metric["people"]["judged"], metric["people"]["units"]) == (40, 80)
    assert metric["people"]["weight"] > 0.3


def _rated(people: np.ndarray, chosen: np.ndarray) -> str:
    """Return people's long table in which three raters score each unit; their mean is people's."""
    lines = ["question,system,rater,score"]
    for row in chosen:
        for system, score in zip(_SYSTEMS, people[row], strict=True):
            for rater, off in enumerate((-0.5, 0.0, 0.5)):
                lines.append(f"q{row:03},{system},r{rater},{score + off:.6f}")
    return "\n".join(lines) + "\n"


def test_several_people_may_rate_what_the_judge_scores_once(tmp_path: Path) -> None:
    """What the question suggests is pasted, and read."""
    judge, people, chosen = _scores()
    of_judge = _long(judge, np.arange(_UNITS), "score")
    folder = _folder(tmp_path, of_judge, _rated(people, chosen), "human_sample: random\n")
    with pytest.raises(OrganizerError) as caught:
        dh.score(folder, None)
    suggested = str(caught.value).partition("name the columns in ref/scoring.yaml:\n")[2]
    assert "sample: rater" in suggested
    path = folder / "ref/scoring.yaml"
    path.write_text(path.read_text() + suggested + "\n")
    of_files = dh.score(folder, None)
    alone = _folder(
        _new(tmp_path), of_judge, _long(people, chosen, "score"), "human_sample: random\n"
    )
    expected = pytest.approx(_ranked(dh.score(alone, None)))
    assert _ranked(of_files) == expected
    of_frames = dh.compare_scores(
        pd.read_csv(io.StringIO(of_judge)),
        greater_is_better=True,
        human=pd.read_csv(io.StringIO(_rated(people, chosen))),
        human_sample="random",
        unit="question",
        system="system",
        sample="rater",
        resamples=300,
    )
    assert _ranked(of_frames) == expected


def test_a_sample_that_neither_table_has_is_refused(tmp_path: Path) -> None:
    judge, people, chosen = _scores()
    of_judge = _long(judge, np.arange(_UNITS), "score")
    stated = "human_sample: random\nunit: question\nsystem: system\nsample: expert\n"
    folder = _folder(tmp_path, of_judge, _rated(people, chosen), stated)
    with pytest.raises(OrganizerError, match=r"sample: judge.csv has no column 'expert'"):
        dh.score(folder, None)


@pytest.mark.parametrize(
    "sent",
    [
        {"north.csv": "question,score\n"},
        {"north.csv": "question,north\n"},
        {"north.csv": "question,score\n", "south.csv": "question,score\n"},
    ],
)
def test_beside_people_nobody_is_told_to_add_correct_answers(
    tmp_path: Path, sent: dict[str, str]
) -> None:
    judge, people, chosen = _scores()
    folder = _folder(tmp_path, "", _wide(people, chosen), "human_sample: random\n")
    (folder / "res/judge.csv").unlink()
    for name, header in sent.items():
        lines = [f"q{row:03},{judge[row, 0]:.6f}\n" for row in range(_UNITS)]
        (folder / "res" / name).write_text(header + "".join(lines))
    with pytest.raises(OrganizerError, match="people's scores go beside a judge's") as caught:
        dh.score(folder, None)
    assert "gold.csv" not in str(caught.value)


def _frame(scores: np.ndarray, rows: np.ndarray) -> pd.DataFrame:
    names = pd.Index([f"q{row:03}" for row in rows], name="question")
    return pd.DataFrame(scores[rows], columns=list(_SYSTEMS), index=names)


@pytest.mark.parametrize("of_judge", [pd.DataFrame.copy, pd.DataFrame.reset_index])
@pytest.mark.parametrize("of_people", [pd.DataFrame.copy, pd.DataFrame.reset_index])
def test_the_index_of_a_frame_names_its_units(of_judge: Any, of_people: Any) -> None:
    judge, people, chosen = _scores()
    given: dict[str, Any] = {"greater_is_better": True, "resamples": 300, "human_sample": "random"}
    every = np.arange(_UNITS)
    expected = dh.compare_scores(
        _frame(judge, every).reset_index(), human=_frame(people, chosen).reset_index(), **given
    )
    result = dh.compare_scores(
        of_judge(_frame(judge, every)), human=of_people(_frame(people, chosen[::-1])), **given
    )
    assert _ranked(result) == _ranked(expected)
