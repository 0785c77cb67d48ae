"""Instances that all systems solve, or none, are counted on the page of logs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from scoring_program.core import catalogs
from scoring_program.core.grouping import Grouping
from scoring_program.pipeline import run
from scoring_program.scoring.diagnostics import (
    AnswerLayer,
    ComparedAnswers,
    solved_by_all_and_none,
)
from tests.competitions import EXAMPLE

#: Of forty instances, which each system resolves: eleven by all, twelve by none.
RESOLVED = {
    "a": [*range(10), *range(10, 36, 2)],
    "b": [*range(10), *range(10, 36, 3)],
    "c": [*range(12)],
}


def swe_bench(folder: Path) -> Path:
    """Write a report of SWE-bench for each system."""
    (folder / "res").mkdir()
    instances = [f"owner__name-{number}" for number in range(40)]
    for system, numbers in RESOLVED.items():
        resolved = [instances[number] for number in numbers]
        report = {
            "total_instances": len(instances),
            "submitted_ids": instances,
            "completed_ids": instances,
            "incomplete_ids": [],
            "empty_patch_ids": [],
            "error_ids": [],
            "resolved_ids": resolved,
            "unresolved_ids": [name for name in instances if name not in resolved],
            "schema_version": 2,
        }
        (folder / f"res/{system}.run.json").write_text(json.dumps(report))
    return folder


def notes(folder: Path, language: str = "en") -> list[str]:
    evaluation, _ = run(folder)
    say = catalogs.load(language).say
    return [say(note) for note in evaluation.findings.notes]


def test_the_page_of_logs_counts_them(tmp_path: Path) -> None:
    folder = swe_bench(tmp_path)
    run(folder, tmp_path / "out")
    told = (
        "By resolved, every system solves 11 of 40 units, and none solves 12. These units separate "
        "no two systems."
    )
    assert told in (tmp_path / "out/detailed_results.html").read_text(encoding="utf-8")
    assert told in notes(folder)
    for language, word in {"es": "todos los sistemas resuelven 11", "pt": "resolvem 11"}.items():
        assert any(word in note for note in notes(folder, language))


def test_nothing_is_said_where_nothing_is_right_or_wrong(tmp_path: Path) -> None:
    (tmp_path / "ref").mkdir()
    (tmp_path / "res").mkdir()
    rows = [f"u{number},{number % 3 / 2},{number % 5 / 4}" for number in range(40)]
    (tmp_path / "res/scores.csv").write_text("\n".join(["unit,a,b", *rows]))
    (tmp_path / "ref/scoring.yaml").write_text("layout: wide\ngreater_is_better: true\n")
    assert not any("separate no two" in note for note in notes(tmp_path))
    assert not any("separate no two" in note for note in notes(EXAMPLE))


@pytest.mark.parametrize("sizes", [None, np.array([3, 1, 5, 2])])
def test_equal_examples_count_as_often_as_they_stand_for(sizes: np.ndarray | None) -> None:
    right = np.array([[1, 1, 1], [1, 0, 1], [0, 0, 0], [1, 1, 1]], np.bool_)
    layer = AnswerLayer(list(right.T.astype(float)))
    of_rows = Grouping(len(right), sizes=sizes)
    answers = ComparedAnswers((layer,), right, of_rows)
    assert solved_by_all_and_none(answers) == ((2, 1) if sizes is None else (5, 5))
    assert solved_by_all_and_none(answers.keep([0])) is None
    assert solved_by_all_and_none(ComparedAnswers((layer,))) is None
