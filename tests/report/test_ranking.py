"""The rank ranges and the distances from the best, on the page and in every output."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from scoring_program import report as render
from scoring_program.api import rows
from scoring_program.core.catalogs import load
from scoring_program.core.phrases import Phrase
from scoring_program.document.take_away import ResultTable
from scoring_program.inference.evidence import PROJECTION, Caution
from scoring_program.report.findings import Findings
from scoring_program.report.results_json import results_json
from scoring_program.report.scores import scores
from scoring_program.report.sections.entry_cards import cards_of
from scoring_program.report.sections.intervals import intervals_of
from scoring_program.report.sections.ranking import footnote, ranking_table
from scoring_program.report.view import MetricView

from . import made


def ranking(findings: Findings) -> ResultTable:
    """Return the ranking by the first metric."""
    return ranking_table(view_of(findings))


def explained(findings: Findings) -> str:
    """Return how to read the ranking, in words."""
    return " ".join(footnote(view_of(findings)))


def view_of(findings: Findings) -> MetricView:
    return MetricView(findings, findings.evidence[0], 0, load("en"))


def intervals_legend(findings: Findings) -> dict[str, str]:
    """Return what the marks of the single scores mean; the ranking needs no legend."""
    assert not ranking(findings).keys
    section = intervals_of(view_of(findings))
    (table,) = (block for block in section.blocks if isinstance(block, ResultTable))
    return {key.mark: key.text for key in table.keys}


def test_the_footnote_says_whether_ranges_and_statuses_agree() -> None:
    assert "and only those, start at 1" in explained(made.result())
    for settings in ({"tie_rule": "none"}, {"reference_entry": "Timen"}):
        said = explained(made.result(settings=settings))
        assert "start at 1" not in said
        assert "may differ" in said


def test_a_view_fills_in_what_a_sentence_names_unless_it_is_given() -> None:
    view = view_of(made.result(settings={"reference_entry": "CIMATGTO"}))
    said = view.say("{metric}, {direction}; {reference}, {leader}; {confidence}, {rule}")
    assert said == "F1, higher is better; CIMATGTO, NLPCIC; 95%, max-T"
    assert view.say("{metric} {reference}", metric="{rule}") == "{rule} CIMATGTO"


def test_a_baseline_that_is_ahead_is_the_exception_of_a_range_from_1() -> None:
    scores = (0.75, 0.7, 0.66, 0.65)
    findings = made.result(scores, ("BASE", "A", "B", "C"), settings={"baselines": ("BASE",)})
    (evidence,) = findings.evidence
    assert evidence.standing.rank_low[0] == 0, "a baseline has no place"
    assert not evidence.verdict.possible_winners[0]
    said = {
        "en": "Among the competing entries, the places of possible winners, and only those,",
        "es": "Los lugares posibles de un concursante empiezan en 1 si y solo si",
        "pt": "As posições possíveis de uma submissão em disputa começam em 1 se e somente se",
    }
    for code, words in said.items():
        view = MetricView(findings, evidence, 0, load(code))
        assert words in " ".join(footnote(view))
    legend = intervals_legend(findings)
    assert legend["leader"] == "has the best score of those that compete"
    assert legend["ahead"] == "ahead of A and separated from it"


def test_the_legend_says_who_a_ring_is_tied_with() -> None:
    against = made.result(settings={"reference_entry": "CIMATGTO"})
    legend = intervals_legend(against)
    assert legend["tied"] == "may be as good as CIMATGTO, or better"
    assert {"leader", "reference", "tied", "behind"} <= legend.keys()
    html = render.page(render.build(against))
    assert "possible winner</span>" not in html
    assert "may be as good as CIMATGTO, or better</span>" in html
    chosen = intervals_legend(made.result())
    assert chosen == {"leader": "leads", "tied": "possible winner", "behind": "behind"}
    uncorrected = intervals_legend(made.result(settings={"tie_rule": "none"}))
    assert uncorrected["tied"] == "tied with the leader"


@pytest.mark.parametrize(("level", "weakened"), [("amber", False), ("red", True)])
def test_serious_cautions_weaken_the_confidence_of_ranges(level: str, weakened: bool) -> None:
    findings = made.result()
    (first,) = findings.evidence
    caution = Caution(level, "few_examples", 60, Phrase("Only {count:n} {things}.", count=60))
    cautious = replace(findings, evidence=(replace(first, cautions=(caution,)),))
    assert ("95% confidence" in explained(cautious)) != weakened


def test_tiers_and_joint_sets_are_in_results_json_only() -> None:
    findings = made.result()
    (entry, *_) = json.loads(results_json(findings, ""))["metrics"][0]["entries"]
    assert entry["tier"] == 1
    assert entry["rank_set"][0] == 1
    assert "tier" not in explained(findings).lower()


def test_an_entry_that_a_third_one_excludes_is_told_from_whom_it_is_separated() -> None:
    findings = made.result()
    (evidence,) = findings.evidence
    entry, third = 5, 2
    separated_from = evidence.standing.separated_from.copy()
    assert separated_from[entry] == evidence.scores.leader
    assert "separated from it" not in explained(findings)
    separated_from[entry] = third
    findings = replace(
        findings, evidence=(made.with_parts(evidence, standing={"separated_from": separated_from}),)
    )
    said = "unlikely to be the best (max-T): DCCDINFOTEC is too far ahead of it"
    assert f"Timen is {said}" in explained(findings)
    alone = render.build(replace(findings, form="field", focus=entry))
    assert f"it is {said}" in " ".join(alone.consequence)


def test_the_rule_by_which_a_third_entry_excludes_is_named() -> None:
    findings = made.result()
    (evidence,) = findings.evidence
    by_third = np.where(
        evidence.standing.separated_from == evidence.scores.leader,
        2,
        evidence.standing.separated_from,
    )
    tied = {PROJECTION: evidence.tied_with_reference}
    standing = {"separated_from": by_third, "rule": PROJECTION, "tied": tied}
    changed = made.with_parts(evidence, standing=standing)
    said = explained(replace(findings, evidence=(changed,)))
    assert "Timen is unlikely to be the best (projection of all tasks): DCCDINFOTEC" in said
    assert "max-T" not in said


def test_a_distance_is_said_in_the_units_of_the_metric_wherever_ranks_are() -> None:
    findings = made.result()
    (evidence,) = findings.evidence
    distance, view = ranking(findings).rows[1][-1].text, view_of(findings)
    assert 0 <= float(distance) - evidence.distances.from_best[1] < 1e-4
    assert f"at most {distance}" in [fact.value for fact in cards_of([view])[1]]
    assert scores(findings)["distance_from_best.CIMATMTYGTO"] == evidence.distances.from_best[1]
    of_one = scores(replace(findings, form="field", focus=1))
    assert of_one["distance_from_best"] == evidence.distances.from_best[1]
    metric = json.loads(results_json(findings, ""))["metrics"][0]
    assert metric["entries"][1]["distance_from_best"] == pytest.approx(
        evidence.distances.from_best[1]
    )
    assert rows.ranking(metric)[1].distance_from_best == pytest.approx(
        evidence.distances.from_best[1]
    )


def test_a_baseline_has_no_distance() -> None:
    findings = made.result(settings={"baselines": ("UMUTeam",)})
    assert ranking(findings).rows[4][-1].text == "–"
    assert "distance_from_best.UMUTeam" not in scores(findings)
    metric = json.loads(results_json(findings, ""))["metrics"][0]
    assert metric["entries"][4]["distance_from_best"] is None


def test_a_margin_marks_who_is_practically_best() -> None:
    findings = made.result(settings={"margin": 0.06})
    names = [row[1] for row in ranking(findings).rows]
    tagged = [name.text for name in names if "practically best" in name.tags]
    assert tagged[0] == "NLPCIC"
    assert 1 < len(tagged) < 5
    assert "at most 0.06" in explained(findings)


@pytest.mark.parametrize("absurd", [1, 3])
def test_the_headline_keeps_its_digits_beside_absurd_runs(absurd: int) -> None:
    findings = made.result()
    (evidence,) = findings.evidence
    keep = 10 - absurd if absurd == 1 else 2
    error = evidence.intervals.standard_error.copy()
    error[keep:] = 7e4
    changed = {"standard_error": error}
    evidence = made.with_parts(evidence, intervals=changed, differences=changed)
    assert view_of(replace(findings, evidence=(evidence,))).score(0.7154) in ("0.715", "0.7154")


def test_tags_stand_beside_the_link_of_a_name() -> None:
    """A line under the link of a name does not run on to its tags."""
    page = render.page(made.built(made.baselines()))
    cells = re.findall(r'<th scope="row"[^>]*>.*?</th>', page, flags=re.DOTALL)
    tagged = [cell for cell in cells if "<a " in cell and 'class="tag"' in cell]
    assert tagged
    for cell in tagged:
        (link,) = re.findall(r"<a .*?</a>", cell, flags=re.DOTALL)
        assert "tag" not in link
        assert link.endswith("</bdi></a>")
