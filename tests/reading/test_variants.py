"""Whatever the layout and the format, the same competition has the same scores."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring_program.data.competition import Competition
from scoring_program.data.source import read_input
from scoring_program.scoring.score_entries import score_entries
from tests.reading.variants import CASES, SCORES, TEAMS, Case


def scores(case: Case, folder: Path) -> tuple[Competition, dict[str, float]]:
    competition, chosen = read_input(case.write(folder), lambda settings: settings)
    competition, scorers = score_entries(competition, chosen)
    ranking = scorers[0][0]
    return competition, dict(zip(competition.names, ranking.observed.tolist(), strict=True))


def test_there_are_at_least_60_of_them() -> None:
    assert len(CASES) >= 60
    assert len(set(SCORES.values())) == len(TEAMS)


@pytest.mark.parametrize("name", CASES)
def test_scores_are_those_of_the_plain_form(tmp_path: Path, name: str) -> None:
    competition, found = scores(CASES[name], tmp_path)
    assert competition.unusable == ()
    assert found == pytest.approx(CASES[name].scores, abs=0)
