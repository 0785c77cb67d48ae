"""No statement of an output stands against another, of generated and of made ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring_program import report as render
from scoring_program.report.assemble import files
from tests.report.generated import competition
from tests.report.kinds import KINDS
from tests.report.statements import CHECKS, main, read

#: Competitions of the fast suite, one of each form at least, and those of the slow one.
FEW, MANY = 8, 60
#: A competition in which a possible winner scores far worse than the leader.
FAR_WINNER = 39
#: Kinds of pages in English that rank teams whose names a sentence does not cut.
KINDS_OF_TEAMS = (
    "ten teams", "40 teams, 5 metrics", "134 teams", "300 teams", "public and private rows",
    "unusable submissions", "baselines", "runs", "identical submissions", "all tied",
    "clear winner", "far baseline", "outlier", "25 examples", "groups", "segments",
    "scores made elsewhere", "margin, prizes and slices",
)  # fmt: skip


@pytest.mark.parametrize("number", [*range(FEW), FAR_WINNER])
def test_no_statement_stands_against_another(number: int) -> None:
    outputs = read(competition(number))
    for check in CHECKS:
        check(outputs)


def test_a_generated_competition_has_a_far_winner() -> None:
    (evidence,) = competition(FAR_WINNER).evidence
    assert "far_winner" in {caution.code for caution in evidence.cautions}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS_OF_TEAMS)
def test_no_statement_of_a_kind_of_page_stands_against_another(kind: str) -> None:
    outputs = read(KINDS[kind]())
    for check in CHECKS:
        check(outputs)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(FEW, MANY))
def test_no_statement_of_many_competitions_stands_against_another(number: int) -> None:
    test_no_statement_stands_against_another(number)


def test_outputs_in_a_folder_are_asked_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    findings = competition(0)
    for name, content in files(findings, render.build(findings), ()).items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    assert main([str(tmp_path)]) == 0
    assert "nothing stands against anything else" in capsys.readouterr().out
    scores = tmp_path / "scores.txt"
    lines = scores.read_text(encoding="utf-8").splitlines()
    wrong = [line for line in lines if not line.startswith("tied_with_leader.")]
    scores.write_text("\n".join(wrong), encoding="utf-8")
    assert main([str(tmp_path)]) == 1
    assert "winners are one set: assert sum(flags[key]" in capsys.readouterr().out
