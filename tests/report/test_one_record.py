"""Everything that people read follows from the verdict: change it, and all of that changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scoring_program.report.assemble import files, summaries
from scoring_program.report.findings import Findings
from tests.report import made

PAGE = {"detailed_results.html", "consequence", "results.json"}
PAPER = {"tables/paper.md", "tables/paper.tex"}
FIGURES = {
    f"figures/{name}.svg"
    for name in ("card", "intervals", "photo_finish_column", "photo_finish_page", "rank_ranges")
}
RINGS = {
    *("scores.txt", "scores.json", "sentence", "terminal"),
    *("tables/ranking.csv", "tables/ranking.md"),
    *("tables/differences.csv", "tables/differences.md", "tables/differences.tex"),
}

PRIZES = {
    *("figures/card.svg", "scores.txt", "scores.json", "terminal"),
    *("tables/prizes.csv", "tables/prizes.md", "tables/prizes.tex"),
}


def outputs(findings: Findings) -> dict[str, Any]:
    document = made.built(findings)
    told = (*document.consequence, *document.answers)
    said = {"consequence": told, "terminal": document.finish}
    return {**files(findings, document, ()), **said, "sentence": summaries(findings)}


def with_fewer_winners() -> tuple[Findings, Mapping[str, Any]]:
    findings = made.result()
    winners = findings.evidence[0].verdict.possible_winners.copy()
    assert winners[:3].all()
    winners[2] = False
    return findings, {"possible_winners": winners}


def without_the_verification() -> tuple[Findings, Mapping[str, Any]]:
    findings = made.result((0.725, 0.6, 0.59), made.TEAMS[:3], error=0.0105)
    assert findings.evidence[0].verdict.verified
    return findings, {"verified": False}


def without_the_places() -> tuple[Findings, Mapping[str, Any]]:
    findings = made.result(
        (0.71, 0.7, 0.6, 0.59), made.TEAMS[:4], error=0.0105, settings={"prizes": 2}
    )
    verdict = findings.evidence[0].verdict
    assert verdict.places == 2
    assert verdict.prizes is not None
    nobody, everybody = np.zeros(4, np.bool_), np.ones(4, np.bool_)
    opened = replace(verdict.prizes, sure=nobody, open=everybody, out=nobody)
    return findings, {"places": None, "prizes": opened}


def without_confidence() -> tuple[Findings, Mapping[str, Any]]:
    findings = made.result()
    assert findings.evidence[0].verdict.confidence is not None
    return findings, {"confidence": None, "withdrawn_because": "few_groups"}


@pytest.mark.parametrize(
    ("case", "change"),
    [
        (with_fewer_winners, PAGE | PAPER | FIGURES | RINGS),
        (without_the_verification, PAGE | PAPER),
        (without_the_places, PAGE | PAPER | PRIZES),
        (without_confidence, PAGE | PAPER),
    ],
)
def test_whatever_is_read_follows_from_the_verdict(case: Any, change: set[str]) -> None:
    findings, verdict = case()
    changed = made.with_parts(findings.evidence[0], verdict=verdict)
    before, after = outputs(findings), outputs(replace(findings, evidence=(changed,)))
    assert change <= {name for name, shown in before.items() if shown != after[name]}
