"""What is stated of files decides what it names and nothing else; what names nothing is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from scoring_program.commands.score import main

TARGETS = [{"name": name, "function": "mae", "column": name} for name in ("valence", "arousal")]
_N = 24
VALENCE = [round(1 + i * 7 % 13 / 4, 2) for i in range(_N)]
AROUSAL = [round(5 + i * 5 % 11 / 3, 2) for i in range(_N)]
NEAR_VALENCE = [round(value + (-1) ** i * 0.1, 2) for i, value in enumerate(VALENCE)]
NEAR_AROUSAL = [round(value + (-1) ** i * 0.2, 2) for i, value in enumerate(AROUSAL)]


def csv_of(columns: Mapping[str, Any]) -> str:
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
    return "\n".join(lines) + "\n"


def run(
    folder: Path,
    gold: Mapping[str, Any],
    files: Mapping[str, Mapping[str, Any]],
    **settings: Any,
) -> int:
    (folder / "ref").mkdir(parents=True)
    (folder / "res").mkdir()
    (folder / "ref" / "gold.csv").write_text(csv_of(gold))
    (folder / "ref" / "scoring.yaml").write_text(json.dumps(settings))
    for name, columns in files.items():
        (folder / "res" / f"{name}.csv").write_text(csv_of(columns))
    return main([str(folder), str(folder / "out"), "--resamples", "100"])


IDS = [f"t{i}" for i in range(_N)]
GOLD = {"id": IDS, "valence": VALENCE, "arousal": AROUSAL}
SWAPPED = {"id": IDS, "pred_a": NEAR_AROUSAL, "pred_v": NEAR_VALENCE}


def scores_of(folder: Path) -> dict[str, float]:
    return json.loads((folder / "out" / "scores.json").read_text())


def test_one_stated_target_leaves_the_other_to_its_own_column(tmp_path: Path) -> None:
    stated = {"columns": {"valence": "pred_v"}}
    files = {"A": SWAPPED, "B": SWAPPED}
    assert run(tmp_path, GOLD, files, metrics=TARGETS, submissions=stated) == 0
    found = scores_of(tmp_path)
    assert found["valence.A"] == pytest.approx(0.1)
    assert found["arousal.A"] == pytest.approx(0.2)


@pytest.mark.parametrize("columns", [{"prediction": "pred_v"}, {"valense": "pred_v"}])
def test_a_prediction_of_no_target_or_of_all_is_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], columns: dict[str, str]
) -> None:
    files = {"A": SWAPPED, "B": SWAPPED}
    stated = {"columns": columns}
    assert run(tmp_path, GOLD, files, metrics=TARGETS, submissions=stated) == 2
    said = capsys.readouterr().err
    assert "The metrics score 'valence', 'arousal'" in said
    assert f"names {next(iter(columns))!r}: name the prediction of each" in said


def test_what_is_left_over_is_not_another_targets_prediction(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    both = {"id": IDS, "valence": NEAR_VALENCE, "arousal": NEAR_AROUSAL}
    odd = {"id": IDS, "arousal": NEAR_AROUSAL, "spread": NEAR_VALENCE}
    files = {"A": both, "B": both, "Odd": odd}
    assert run(tmp_path, GOLD, files, metrics=TARGETS) == 0
    assert "there is no column 'valence' among 'id', 'arousal', 'spread'" in capsys.readouterr().err
    assert "valence.Odd" not in scores_of(tmp_path)


LABELS = ["a", "b", "b", "a"] * 6


@pytest.mark.parametrize(
    ("reference", "says"),
    [
        (
            {"usage": {"leaderboard": "public"}},
            "'phase' of gold.csv holds 'final' beside the words",
        ),
        ({"usage": {"leaderbord": "public", "finals": "private"}}, "No column of gold.csv holds"),
        ({"not_scored": ["N/A"]}, "no cell of gold.csv is 'N/A'"),
    ],
)
def test_words_that_stand_nowhere_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], reference: dict[str, Any], says: str
) -> None:
    gold = {"id": IDS, "label": LABELS, "phase": ["leaderboard", "final"] * 12}
    sent = {"id": IDS, "label": LABELS}
    assert run(tmp_path, gold, {"A": sent, "B": sent}, reference=reference) == 2
    assert says in capsys.readouterr().err


def test_a_question_that_leads_to_another_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = {"id": IDS, "price": VALENCE, "size": AROUSAL}
    one = {"id": IDS, "value": NEAR_VALENCE, "spread": NEAR_AROUSAL}
    other = {"id": IDS, "value": NEAR_VALENCE, "note": ["x", "y"] * 12}
    assert run(tmp_path, gold, {"A": one, "C": one, "B": other}, metrics=["mae"]) == 2
    said = capsys.readouterr().err
    assert "Each of these lines leads to one more question." in said
    assert "reference: {columns: {answer: price}}" in said


def test_an_example_that_lacks_one_of_several_answers_counts_for_none_and_is_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = {**GOLD, "valence": ["NA", "NA", *VALENCE[2:]], "arousal": [*AROUSAL[:-1], "NA"]}
    sent = {"id": IDS, "valence": NEAR_VALENCE, "arousal": NEAR_AROUSAL}
    stated = {"not_scored": "NA"}
    assert run(tmp_path, gold, {"A": sent, "B": sent}, metrics=TARGETS, reference=stated) == 0
    said = capsys.readouterr().out
    assert "3 examples count for no metric, because they lack one of several answers." in said
    assert "Examples without an answer, by column: valence 2, arousal 1." in said
    assert f"2 entries on {_N - 3} examples." in said


def test_a_label_of_examples_that_do_not_count_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As in HaHackathon: only what is humorous has a rating of its humor."""
    humor = ["0" if i % 3 == 0 else "1" for i in range(_N)]
    ratings = ["" if label == "0" else value for label, value in zip(humor, VALENCE, strict=True)]
    gold = {"id": IDS, "is_humor": humor, "humor_rating": ratings}
    sent = {"id": IDS, "is_humor": humor[::-1], "humor_rating": NEAR_VALENCE}
    metrics = [
        {"name": "hits", "function": "accuracy_score", "column": "is_humor"},
        {"name": "error", "function": "mae", "column": "humor_rating"},
    ]
    files = {"A": sent, "B": sent}
    assert run(tmp_path, gold, files, metrics=metrics) == 2
    said = capsys.readouterr().err
    assert "state 'reference: {not_scored: \"\"}'; one that lacks an answer of several then" in said
    stated = {"metrics": metrics, "reference": {"not_scored": ""}}
    assert run(tmp_path / "stated", gold, files, **stated) == 2
    said = capsys.readouterr().err
    assert "answers of such examples alone: '0' in 'is_humor'" in said
    line = said.rpartition("put this line into ref/scoring.yaml: ")[2]
    assert run(tmp_path / "listed", gold, files, **stated, **yaml.safe_load(line)) == 0
    assert "8 examples count for no metric" in capsys.readouterr().out


def test_an_example_that_lacks_all_answers_does_not_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = {**GOLD, "valence": ["NA", *VALENCE[1:]], "arousal": ["NA", *AROUSAL[1:]]}
    sent = {"id": IDS, "valence": NEAR_VALENCE, "arousal": NEAR_AROUSAL}
    stated = {"not_scored": "NA"}
    assert run(tmp_path, gold, {"A": sent, "B": sent}, metrics=TARGETS, reference=stated) == 0
    assert "1 example without an answer does not count." in capsys.readouterr().out


WIDE = {"id": IDS, "A": LABELS, "B": LABELS[::-1]}


def test_a_wide_table_beside_a_gold_is_told_where_its_answers_belong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = {"id": IDS, "label": LABELS}
    accuracy = ["accuracy_score"]
    assert run(tmp_path, gold, {"all": WIDE}, metrics=accuracy, layout="wide") == 2
    said = capsys.readouterr().err
    assert "layout: 'wide' takes the correct answers from a column of the table" in said
    assert "does not read ref/gold.csv" in said
    assert "no reference data" not in said
    # Both remedies that it names.
    within = {"all": {**WIDE, "gold": LABELS}}
    assert run(tmp_path / "column", gold, within, metrics=accuracy, layout="wide") == 0
    apart = {name: {"id": IDS, "label": WIDE[name]} for name in ("A", "B")}
    assert run(tmp_path / "files", gold, apart, metrics=accuracy) == 0
    for folder in ("column", "files"):
        assert scores_of(tmp_path / folder)["accuracy_score.A"] == 1
