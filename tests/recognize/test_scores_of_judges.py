"""Columns that are called like annotators, and hold a judge's scores: cells decide, or a question.

An annotator is a text or a whole number that tells lines of a system on a unit apart.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import scoring_program as dh
from scoring_program.core.errors import OrganizerError

_SYSTEMS = ("north", "south")
_UNITS = 40


def _folder(tmp_path: Path, header: str, cells: list[str], settings: str = "") -> Path:
    for name in ("ref", "res"):
        (tmp_path / name).mkdir(exist_ok=True)
    lines = [f"question,system,{header}"]
    for unit in range(_UNITS):
        for number, system in enumerate(_SYSTEMS):
            lines.append(f"q{unit},{system},{cells[(7 * unit + number) % len(cells)]}")
    (tmp_path / "res/judge.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "ref/scoring.yaml").write_text(f"resamples: 200\n{settings}")
    return tmp_path


def _asked(folder: Path) -> str:
    with pytest.raises(OrganizerError) as asked:
        dh.score(folder, None)
    return str(asked.value)


@pytest.mark.parametrize("name", ["judge_score", "judge", "RaterScore"])
@pytest.mark.parametrize("cells", [["0.25", "0.5", "0.75"], ["1", "4", "5", "2"], ["0", "1", "1"]])
def test_the_only_column_of_numbers_holds_the_scores_whatever_it_is_called(
    tmp_path: Path, name: str, cells: list[str]
) -> None:
    folder = _folder(tmp_path, name, cells, "greater_is_better: true\n")
    result = dh.score(folder, None)
    assert list(result) == [name]


def test_fractions_name_no_annotator(tmp_path: Path) -> None:
    cells = ["0.25,3.5", "0.5,1.5", "0.75,4"]
    folder = _folder(tmp_path, "judge_score,human_score", cells, "greater_is_better: true\n")
    assert list(dh.score(folder, None)) == ["judge_score", "human_score"]


def test_of_whole_numbers_both_ways_are_offered_and_work(tmp_path: Path) -> None:
    folder = _folder(tmp_path, "judge,quality", ["1,4", "2,5", "3,1", "4,2", "5,5"])
    message = _asked(folder)
    assert "'judge' looks like an annotator" in message
    assert "If 'judge' holds scores of the systems, too, say so" in message
    parts = message.split(" in ref/scoring.yaml:\n")[1:]
    read = []
    for part in parts:
        lines = [line for line in part.splitlines() if not line.startswith("If ")]
        settings = "\n".join(lines) + "\n"
        read.append(
            list(
                dh.score(_folder(tmp_path, "judge,quality", ["1,4", "2,5", "3,1"], settings), None)
            )
        )
    assert read == [["quality"], ["quality", "judge"]]


def test_whole_numbers_that_tell_lines_apart_stay_annotators(tmp_path: Path) -> None:
    folder = _folder(tmp_path, "judge,quality", ["1,0.5"])
    table = folder / "res/judge.csv"
    header, *lines = table.read_text().splitlines()
    second = [line.replace(",1,0.5", ",2,0.75") for line in lines]
    table.write_text("\n".join([header, *lines, *second]) + "\n")
    message = _asked(folder)
    assert "sample: judge" in message
    assert "scores of the systems, too" not in message
