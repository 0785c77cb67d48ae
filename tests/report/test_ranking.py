"""The rank ranges and the distances from the best, on the page and in every output."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from scoring_program import report as render
from scoring_program.api import rows
from scoring_program.inference import Findings
from scoring_program.inference.analysis import PROJECTION, Caution
from scoring_program.report import language
from scoring_program.report.results_json import results_json
from scoring_program.report.scores import scores
from scoring_program.report.sections.entry_cards import cards_of
from scoring_program.report.sections.ranking import RankingSection, ranking_of
from scoring_program.report.view import MetricView

from . import made


def ranking(findings: Findings) -> RankingSection:
    """Return the ranking of the first metric as the page shows it."""
    return ranking_of(view_of(findings))


def view_of(findings: Findings) -> MetricView:
    return MetricView(findings, findings.analyses[0], 0, language.load("en"))


def test_the_footnote_says_whether_ranges_and_statuses_agree() -> None:
    assert "starts at 1 exactly where" in " ".join(ranking(made.result()).footnote)
    for settings in ({"tie_rule": "holm"}, {"reference_entry": "Timen"}):
        footnote = " ".join(ranking(made.result(settings=settings)).footnote)
        assert "starts at 1 exactly where" not in footnote
        assert "may differ" in footnote


def test_a_baseline_that_is_ahead_is_the_exception_of_a_range_from_1() -> None:
    scores = (0.75, 0.7, 0.66, 0.65)
    findings = made.result(scores, ("BASE", "A", "B", "C"), settings={"baselines": ("BASE",)})
    (analysis,) = findings.analyses
    assert analysis.rank_low[0] == 1
    assert not analysis.tied_with_leader[0]
    said = {
        "en": "The range of a competing entry starts at 1 exactly where",
        "es": "Los lugares posibles de un participante que compite empiezan en 1 exactamente donde",
        "pt": "A faixa de uma participação em disputa começa em 1 exatamente onde",
    }
    for code, words in said.items():
        view = replace(view_of(findings), language=language.load(code))
        assert words in " ".join(ranking_of(view).footnote)
    legend = {key.mark: key.text for key in ranking(findings).legend}
    assert legend["leader"] == "has the best score of those that compete"
    assert legend["ahead"] == "ahead of A and not tied with it"


def test_the_legend_says_who_a_ring_is_tied_with() -> None:
    against = made.result(settings={"reference_entry": "CIMATGTO"})
    legend = {key.mark: key.text for key in ranking(against).legend}
    assert legend["tied"] == "statistically tied with CIMATGTO"
    assert {"leader", "reference", "tied", "behind"} <= legend.keys()
    html = render.page(render.build(against))
    assert "tied with the leader</span>" not in html
    assert "statistically tied with CIMATGTO</span>" in html
    chosen = {key.mark: key.text for key in ranking(made.result()).legend}
    assert chosen == {"leader": "leads", "tied": "tied with the leader", "behind": "behind"}


@pytest.mark.parametrize(("level", "weakened"), [("amber", False), ("red", True)])
def test_serious_cautions_weaken_the_confidence_of_ranges(level: str, weakened: bool) -> None:
    findings = made.result()
    (first,) = findings.analyses
    caution = Caution(level, "few_examples", 60, {"count": 60, "limit": 100})
    cautious = replace(findings, analyses=(replace(first, cautions=(caution,)),))
    assert ("weaken these confidences" in " ".join(ranking(cautious).footnote)) == weakened


def test_tiers_and_joint_sets_are_in_results_json_only() -> None:
    findings = made.result()
    (entry, *_) = json.loads(results_json(findings, ""))["metrics"][0]["entries"]
    assert entry["tier"] == 1
    assert entry["rank_set"][0] == 1
    assert "tier" not in " ".join(ranking(findings).footnote).lower()


def test_an_entry_that_a_third_one_excludes_is_told_from_whom_it_is_separated() -> None:
    findings = made.result()
    (analysis,) = findings.analyses
    entry, third = 5, 2
    separated_from = analysis.separated_from.copy()
    assert separated_from[entry] == analysis.leader
    assert "separated from it" not in " ".join(ranking(findings).footnote)
    separated_from[entry] = third
    findings = replace(findings, analyses=(replace(analysis, separated_from=separated_from),))
    shown = ranking(findings)
    said = "unlikely to be the best (max-T): DCCDINFOTEC is separated from it"
    assert f"Timen is {said}" in " ".join(shown.footnote)
    titles = [row.status.title for row in shown.rows if row.status]
    assert titles[entry] == said
    assert titles[9].startswith("behind")
    alone = render.build(replace(findings, form="field", focus=entry))
    assert f"it is {said}" in " ".join(alone.consequence)


def test_the_rule_by_which_a_third_entry_excludes_is_named() -> None:
    findings = made.result()
    (analysis,) = findings.analyses
    by_third = np.where(analysis.separated_from == analysis.leader, 2, analysis.separated_from)
    changed = replace(analysis, separated_from=by_third, tie_rule=PROJECTION)
    footnote = " ".join(ranking(replace(findings, analyses=(changed,))).footnote)
    assert "Timen is unlikely to be the best (projection of all tasks): DCCDINFOTEC" in footnote
    assert "max-T" not in footnote


def test_a_distance_is_said_in_the_units_of_the_metric_wherever_ranks_are() -> None:
    findings = made.result()
    (analysis,) = findings.analyses
    row, view = ranking(findings).rows[1], view_of(findings)
    assert 0 <= float(row.distance) - analysis.distance[1] < 1e-4
    assert f"at most {row.distance}" in [fact.value for fact in cards_of([view])[1]]
    assert scores(findings)["distance_from_best.CIMATMTYGTO"] == analysis.distance[1]
    of_one = scores(replace(findings, form="field", focus=1))
    assert of_one["distance_from_best"] == analysis.distance[1]
    metric = json.loads(results_json(findings, ""))["metrics"][0]
    assert metric["entries"][1]["distance_from_best"] == pytest.approx(analysis.distance[1])
    assert rows.ranking(metric)[1].distance_from_best == pytest.approx(analysis.distance[1])


def test_a_baseline_has_no_distance() -> None:
    findings = made.result(settings={"baselines": ("UMUTeam",)})
    assert ranking(findings).rows[4].distance == "–"
    assert "distance_from_best.UMUTeam" not in scores(findings)
    metric = json.loads(results_json(findings, ""))["metrics"][0]
    assert metric["entries"][4]["distance_from_best"] is None


def test_a_margin_marks_who_is_practically_best() -> None:
    shown = ranking(made.result(settings={"margin": 0.06}))
    tagged = [row.name for row in shown.rows if "practically best" in row.tags]
    assert tagged[0] == "NLPCIC"
    assert 1 < len(tagged) < 5
    assert "at most 0.06" in " ".join(shown.footnote)


@pytest.mark.parametrize("absurd", [1, 3])
def test_the_headline_keeps_its_digits_beside_absurd_runs(absurd: int) -> None:
    findings = made.result()
    (analysis,) = findings.analyses
    keep = 10 - absurd if absurd == 1 else 2
    error = analysis.standard_error.copy()
    error[keep:] = 7e4
    differences = replace(analysis.differences, standard_error=error)
    analysis = replace(analysis, standard_error=error, differences=differences)
    assert view_of(replace(findings, analyses=(analysis,))).score(0.7154) in ("0.715", "0.7154")
