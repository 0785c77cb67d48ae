"""What the page says, in every form."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scoring_program import report as render
from scoring_program.alignment.competition import Unusable
from scoring_program.core.phrases import verbatim
from scoring_program.inference import Findings
from scoring_program.inference.analysis import Caution
from scoring_program.inference.closest import ComparedCompetition, closest
from scoring_program.report import Report, comparison
from scoring_program.report.results_json import results_json
from tests.report import kinds, made


def said(form: str) -> Report:
    return render.build(made.FORMS[form]())


def test_the_verdict_names_the_leader_and_the_ties() -> None:
    report = said("teams")
    assert report.verdict == (
        "NLPCIC leads with F1 0.7154; CIMATMTYGTO and DCCDINFOTEC are statistically tied with it."
    )
    assert report.consequence == (
        "These 3 entries are possible winners: the test set of 2,182 examples does not say which "
        "of them is best, and it does not show them to be equal.",
        "With about 95% confidence, the best entry is among them (max-T; see the method).",
    )


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("en", "does not say which of them is best, and it does not show them to be equal."),
        ("es", "no dice cuál de ellos es el mejor, y tampoco muestra que sean iguales."),
        ("pt", "não diz qual delas é a melhor, nem mostra que sejam iguais."),
    ],
)
def test_possible_winners_are_not_said_to_be_inseparable(code: str, words: str) -> None:
    """Some of them may be shown to be worse than others: each is only not shown not to be best."""
    for scores in (made.F1, (0.71, 0.70, 0.3)):
        page = made.result(scores, made.TEAMS[: len(scores)], settings={"language": code})
        assert render.build(page).consequence[0].endswith(words)


def test_a_submission_in_a_field_can_still_be_the_best() -> None:
    for focus, settings, words in (
        (0, {}, "it can still be the best, and so can CIMATMTYGTO and DCCDINFOTEC."),
        (1, {}, "it can still be the best. A lower"),
        (1, {"baselines": ("Timen",)}, "it can still be the best of those that compete. A lower"),
    ):
        page = made.result(form="field", focus=focus, settings=settings)
        assert words in " ".join(render.build(page).consequence)


def test_one_tie() -> None:
    report = render.build(made.result((0.7154, 0.7026, 0.6), made.TEAMS[:3]))
    assert report.verdict.endswith("; CIMATMTYGTO is statistically tied with it.")
    assert report.consequence[0].startswith("Both are possible winners: the test set of")


def test_a_clear_winner() -> None:
    report = render.build(made.result((0.9, 0.7, 0.6), made.TEAMS[:3]))
    assert "no other entry is statistically tied with it" in report.verdict
    assert report.consequence[0].startswith("NLPCIC can be named the winner")
    assert report.consequence[1:] == (
        "With about 95% confidence, no other entry is better (max-T; see the method).",
    )


def test_two_equal_scores_share_the_lead() -> None:
    report = render.build(made.result((0.7154, 0.7154, 0.5), made.TEAMS[:3]))
    assert report.verdict.startswith("CIMATMTYGTO and NLPCIC share the lead with F1 0.7154")
    assert [row.rank for row in report.metrics[0].ranking.rows] == ["1", "1", "3"]


def test_who_all_share_the_lead_is_tied_with_nobody_else() -> None:
    report = render.build(made.result((0.7,) * 3, made.TEAMS[:3]))
    assert report.verdict == (
        "CIMATMTYGTO, DCCDINFOTEC and NLPCIC share the lead with F1 0.7000; "
        "there is no other entry."
    )
    baseline = {"baselines": made.TEAMS[2:3]}
    report = render.build(made.result((0.7,) * 3, made.TEAMS[:3], settings=baseline))
    assert report.verdict.endswith("; there is no other competing entry.")


def test_the_first_screen_and_the_paper_name_who_could_not_be_scored() -> None:
    names = ("delta", "\u202eevil", *(f"team {number}" for number in range(9)))
    unusable = tuple(Unusable(name, verbatim("empty file")) for name in names)
    report = render.build(made.result(unusable=unusable[:2]))
    said = "2 submissions could not be scored: delta, \u2068\u202eevil\u2069."
    assert report.consequence[-1] == said
    assert made.content(report, "paper").text.endswith(said)
    report = render.build(made.result(unusable=unusable))
    assert report.consequence[-1].startswith("11 submissions could not be scored: delta, ")
    assert report.consequence[-1].endswith(", … and 1 more.")


def test_a_page_of_private_rows_says_so() -> None:
    report = said("usage")
    first, public = (section.subtitle for section in report.metrics)
    assert "ranking metric · private rows · higher is better" in first
    assert "private" not in public
    assert "private" not in said("teams").metrics[0].subtitle


def test_many_ties_are_counted_not_listed() -> None:
    scores = tuple(np.linspace(0.72, 0.715, 20).tolist())
    names = [f"team {index:02d}" for index in range(20)]
    report = render.build(made.result(scores, names))
    assert report.verdict == (
        "team 00 leads with F1 0.7200; team 01, team 02, team 03 and 16 more entries are "
        "statistically tied with it."
    )
    assert report.consequence[0].startswith("These 20 entries are possible winners")


def test_many_equal_leaders_are_counted_too() -> None:
    names = [f"team {index:02d}" for index in range(9)]
    report = render.build(made.result((0.7,) * 9, names))
    assert report.verdict.startswith(
        "team 00, team 01, team 02 and 6 more entries share the lead with F1 0.7000;"
    )


def test_one_entry_alone() -> None:
    report = said("one_team")
    assert report.verdict.startswith("NLPCIC is the only entry; its F1 is 0.6847, with a 95%")
    assert made.content(report, "competitiveness") is None
    section = report.metrics[0]
    parts = (section.differences, section.ties, section.pairs, section.ranks)
    assert parts == (None,) * 4


def test_a_submission_in_a_field() -> None:
    report = said("field")
    assert report.verdict == (
        "This submission takes rank 4 of 10 with F1 0.6792, behind the leader, NLPCIC (0.7154)."
    )
    rows = report.metrics[0].ranking.rows
    assert [row.focus for row in rows].index(True) == 3
    assert (report.facts[0].label, report.facts[0].value) == (
        "95% interval of the score",
        rows[3].interval,
    )
    differences = report.metrics[0].differences
    assert differences is not None
    of_leader = next(row for row in differences.rows if row.focus)
    assert report.consequence[0].endswith(f"(95% interval {of_leader.interval}).")
    tied = render.build(made.result(form="field", focus=1))
    assert "is statistically tied with the leader, NLPCIC (0.7154)" in tied.verdict
    leads = render.build(made.result(form="field", focus=0))
    assert leads.verdict.startswith("This submission would lead the field of 9 with F1 0.7154;")


def test_a_submission_alone() -> None:
    report = said("single")
    assert report.verdict.startswith(
        "This submission scores F1 0.6847, with a 95% interval of [0.6"
    )
    # Of scores on other test sets of this size, a 95% interval holds about 83%.
    assert "on another test set" not in render.page(report)


def test_a_submission_without_a_name_has_one_in_the_language() -> None:
    report = render.build(made.with_settings(made.single(), language="es"))
    assert report.metrics[0].ranking.rows[0].name == "envío"
    labels = [fact.label for fact in made.content(report, "signature").items]
    assert "Semilla" in labels


def test_what_the_program_noted_stands_with_the_signature() -> None:
    html = render.page(said("hostile"))
    assert html.index('id="signature"') < html.index("What the program noted")
    assert html.index("What the program noted") < html.index("predictions: &lt;two&gt;.pdf.")


def test_a_baseline_cannot_win() -> None:
    report = said("baselines")
    assert report.verdict.startswith("alpha leads with F1 0.700; beta is statistically tied")
    assert report.verdict.endswith(
        "A baseline, strong baseline, has a better score than the leader; baselines cannot win."
    )
    assert "Read the serious cautions before you name winners" in report.consequence[-1]
    assert [caution.level for caution in made.content(report, "cautions")] == ["red"]
    tags = {row.name: row.tags for row in report.metrics[0].ranking.rows}
    assert tags["strong baseline"] == ("baseline",)
    assert tags["alpha"] == ()
    section = report.metrics[0]
    ranks = {row.name: row.rank for row in section.ranking.rows}
    assert ranks == {"alpha": "1", "beta": "2", "strong baseline": "–", "weak baseline": "–"}
    assert "A baseline has no rank" in " ".join(section.ranking.footnote)
    assert section.ties is not None
    assert section.ties.totals[0] == "1"
    close = next(figure for figure in section.distributions if "strong" in figure.heading.title)
    assert "two-sided p" in close.heading.description
    assert {bar.tail for bar in close.bars} == {True, False}


def test_sentences_speak_of_those_that_compete() -> None:
    """Baselines ahead of a clear winner are neither beaten nor hidden."""
    about: dict[str, Any] = {"error": 0.01, "n": 2000}
    names = ("alpha", "one", "two", "beta")
    baselines: dict[str, Any] = {"settings": {"baselines": names[1:3]}}
    report = render.build(made.result((0.7, 0.8, 0.75, 0.5), names, **baselines, **about))
    assert report.verdict == (
        "alpha leads with F1 0.7000; no other competing entry is statistically tied with it. "
        "Baselines (one and two) have better scores than the leader; baselines cannot win."
    )
    assert report.consequence[0] == (
        "alpha can be named the winner: on the test set of 2,000 examples, no other competing "
        "entry can still be the best."
    )
    assert "no other competing entry is better" in report.consequence[1]
    words = {row.name: row.status and row.status.word for row in report.metrics[0].ranking.rows}
    assert words == {"alpha": "leads", "one": "ahead", "two": "ahead", "beta": "behind"}
    assert "one and two are baselines, which cannot win." in made.content(report, "paper").text
    assert (
        "no other competing system can still be the best (max-T, 95% confidence)"
        in made.content(report, "paper").text
    )
    assert "Baselines (one and two) have better scores" in made.content(report, "paper").text
    field = made.result((0.7, 0.8, 0.75, 0.5), names, form="field", focus=3, **baselines, **about)
    assert "takes rank 2 of 2" in render.build(field).verdict
    alone = made.result((0.7, 0.8), names[:2], **about, settings={"baselines": names[1:2]})
    report = render.build(alone)
    assert report.verdict.startswith("alpha is the only competing entry; its F1 is 0.7000. A ")
    assert report.consequence[0] == "There is no other competing entry to compare it with."
    report = render.build(replace(alone, form="field", focus=0))
    assert report.verdict.startswith("This submission scores F1 0.7000; the field holds only base")


def test_nobody_wins_by_one_submission() -> None:
    """The rivals are not in the field that an organizer packs."""
    page = made.result((0.7, 0.5), made.TEAMS[:2], form="field", focus=0)
    assert render.build(page).consequence[0] == (
        "On the test set of 2,182 examples, no other submission of the field can still be the best."
    )


def test_a_shared_first_rank_in_the_paper() -> None:
    names = ("NLPCIC", "DCCDINFOTEC", "CIMATMTYGTO")
    for scores, said in (
        ((0.7, 0.7), ", so we report 2 possible winners."),
        ((0.7, 0.7, 0.4), ", and no other system can still be the best (max-T, 95% confidence)"),
        ((0.7, 0.7, 0.699), "; CIMATMTYGTO is a possible winner as well (max-T, 95% confidence)"),
    ):
        report = render.build(made.result(scores, names[: len(scores)]))
        paper = made.content(report, "paper").text
        assert f"DCCDINFOTEC and NLPCIC share the first rank (F1 0.7000){said}" in paper


def test_a_score_without_interval_in_the_paper() -> None:
    result = made.result((1.0, 0.9, 0.4), ("NLPCIC", "DCCDINFOTEC", "CIMATMTYGTO"))
    (analysis,) = result.analyses
    low, high = analysis.low.copy(), analysis.high.copy()
    low[analysis.leader] = high[analysis.leader] = np.nan
    without = replace(analysis, low=low, high=high)
    report = render.build(replace(result, analyses=(without,)))
    paper = made.content(report, "paper").text
    assert "NLPCIC ranks first (F1 1.0000, no interval), and" in paper


def test_an_advantage_has_one_sign() -> None:
    section = said("reference").metrics[0]
    _, against = section.tests
    assert section.differences is not None
    shown = [row.difference for row in section.differences.rows]
    assert [row[1].text for row in against.rows] == shown
    assert {row.zero for row in section.differences.rows} == {"contains zero", "excludes zero"}
    (metric,) = json.loads(results_json(made.reference(), ""))["metrics"]
    (test,) = metric["reference_tests"]
    advantages = [entry["advantage"] for entry in test["entries"]]
    assert advantages == [entry["difference"]["observed"] for entry in metric["entries"]]
    assert min(advantages) < 0 < max(advantages)


def test_a_reference_named_in_advance() -> None:
    report = said("reference")
    assert report.verdict == (
        f"{said('teams').verdict} Every entry is compared with UMUTeam (F1 0.6706), which was "
        "named in advance."
    )
    assert report.consequence[0] == said("teams").consequence[0]
    assert "statistically tied with UMUTeam" in report.consequence[-1]
    assert "which of these 3 is best" in made.content(report, "paper").text
    ties = report.metrics[0].ties
    assert ties is not None
    assert ties.groups == ()
    assert "possible winners" not in ties.note
    differences = report.metrics[0].differences
    assert differences is not None
    assert differences.heading == "Differences from UMUTeam"
    (p_values, *_) = report.metrics[0].tests
    assert "UMUTeam was named in the settings, not chosen on these data" in p_values.note
    statuses = {row.name: row.status for row in report.metrics[0].ranking.rows}
    assert statuses["UMUTeam"].word == "reference"  # type: ignore[union-attr]


def test_p_values_against_a_chosen_leader_say_so() -> None:
    (p_values,) = said("teams").metrics[0].tests
    assert "NLPCIC is better; it was chosen as the leader on these data." in p_values.note
    assert [column.keys[0] for column in p_values.columns] == [
        "entry",
        "p_one_sided",
        "p_two_sided",
        "p_bonferroni",
        "p_holm",
        "p_fdr_bh",
    ]


@pytest.mark.parametrize("form", ["teams", "reference", "baselines"])
def test_no_p_value_stands_beside_an_interval(form: str) -> None:
    """An interval is two-sided, a p one-sided or corrected: side by side they would disagree."""
    report = said(form)
    for table in report.tables:
        keys = {key for column in table.columns for key in column.keys}
        assert not ({"ci_low"} <= keys and any(key.startswith("p_") for key in keys))
    (p_values, *_) = report.metrics[0].tests
    assert "one may exclude a difference of zero where the other does not" in p_values.note
    pairs = report.metrics[0].pairs
    assert pairs is not None
    titles = [cell.title for row in pairs.rows for cell in row.cells]
    assert titles
    assert all(", p " in title or ", p " in title for title in titles)
    assert not any("[" in title for title in titles)


def test_the_histograms_say_what_their_p_counts() -> None:
    (one_sided,) = {section.distributions_caption for section in said("teams").metrics}
    assert "beyond 2δ, is what the p counts" in one_sided
    assert "two-sided" not in one_sided
    for form in ("baselines", "reference"):
        assert "|δ| from the mean on either side" in said(form).metrics[0].distributions_caption


def test_baselines_are_said_to_be_corrected_apart() -> None:
    for form, apart in (("teams", False), ("baselines", True)):
        (p_values, *_) = said(form).metrics[0].tests
        assert ("Comparisons with baselines are corrected separately." in p_values.note) == apart


def test_the_overview_explains_itself() -> None:
    report = said("tasks")
    assert "a diamond marks the leader, a ring" in report.overview_caption
    assert [panel.axis_label for panel in report.overview] == [
        "mean rank, lower is better",
        "stance: F1, higher is better",
        "location: macro F1, higher is better",
    ]


def test_planning_says_its_assumptions_once_and_rounds() -> None:
    (smallest,) = made.content(said("teams"), "planning").paragraphs
    assert smallest.startswith("This test set separates a typical pair that differs by")
    numbers = re.findall(r"0\.\d+", smallest)
    assert len(numbers) == 3
    assert all(len(number.lstrip("0.")) <= 2 for number in numbers)
    html = render.page(said("teams"))
    assert html.count("80% power") == 1


def test_frequencies_are_never_called_probabilities() -> None:
    html = render.page(said("teams"))
    assert "Bootstrap frequency" in html
    assert "probability" not in html


@pytest.mark.parametrize(
    ("findings", "total"), [(kinds.identical(), "500%"), (made.result(), None)]
)
def test_a_sum_above_all_resamples_is_explained(findings: Findings, total: str | None) -> None:
    ranks = render.build(findings).metrics[0].ranks
    assert ranks is not None
    explained = "The frequencies of rank 1 add up to"
    assert (f"{explained} {total}, because" in ranks.caption) == (total is not None)
    assert (explained in ranks.caption) == (total is not None)


def test_all_possible_winners_are_named_before_the_paper_text() -> None:
    findings = kinds.all_tied()
    report = render.build(findings)
    winners = made.content(report, "paper").winners
    assert winners.startswith("Possible winners (20): team 001, team 002")
    assert all(name in winners for name in findings.names)
    page = render.page(report)
    assert page.index(winners) < page.index("<blockquote>")
    assert made.content(render.build(kinds.clear_winner()), "paper").winners == ""
    unsure = render.build(made.result(settings={"tie_rule": "none"}))
    assert made.content(unsure, "paper").winners == ""


def test_examples_are_counted_by_their_unit() -> None:
    report = render.build(made.result(kind="text"))
    (table,) = (table for table in report.tables if table.name == "competitiveness")
    assert table.rows[0][0].text == "Segments, n"
    facts = [fact.value for row in report.metrics[0].ranking.rows for fact in row.card]
    (needed,) = (value for value in facts if "would probably separate it" in value)
    assert re.fullmatch(r"about [\d,]+ segments would probably separate it from NLPCIC", needed)


@pytest.mark.parametrize(
    ("needed", "shown"), [(12_976, "13,000"), (2_182, "2,182"), (900, "2,182")]
)
def test_a_card_plans_with_the_number_of_the_section(needed: int, shown: str) -> None:
    page = made.teams()
    (first, *others) = page.analyses
    pairs = (replace(first.planning.pairs[0], examples_needed=needed),)
    planned = replace(first, planning=replace(first.planning, pairs=pairs))
    report = render.build(replace(page, analyses=(planned, *others)))
    facts = [fact.value for row in report.metrics[0].ranking.rows for fact in row.card]
    (said,) = (value for value in facts if "would probably separate it" in value)
    assert said.startswith(f"about {shown} test examples would")
    (row, *_) = made.content(report, "planning").table.rows
    assert row[3].text == (shown if needed > first.n else "about as many as now")


def test_every_rule_is_shown_and_the_valid_ones_come_first() -> None:
    ties = said("teams").metrics[0].ties
    assert ties is not None
    assert [rule.name for rule in ties.rules] == [
        "max-T",
        "Holm",
        "Bonferroni",
        "interval",
        "no correction",
        "Benjamini–Hochberg",
    ]
    assert [group.rules for group in ties.groups] == [3, 3]
    assert [rule.used for rule in ties.rules].index(True) == 0
    for place, total in enumerate(ties.totals):
        assert int(total) == sum(row.tied[place] for row in ties.rows)


def test_what_valid_rules_keep_has_its_conditions() -> None:
    html = render.page(said("teams"))
    assert "If the examples are independent and the differences have no heavy tails, max-T" in html


def test_the_method_says_what_groups_change() -> None:
    for form, grouped in (("teams", False), ("baselines", True)):
        method = " ".join(made.content(said(form), "method").paragraphs)
        assert ("p-values that are adjusted come from the t distribution" in method) == grouped


@pytest.mark.parametrize("rule", ["interval", "none", "fdr_bh"])
def test_a_rule_that_drops_possible_winners_says_so(rule: str) -> None:
    for scores in (made.F1, (0.9, 0.7, 0.6)):
        names = made.TEAMS[: len(scores)]
        report = render.build(made.result(scores, names, settings={"tie_rule": rule}))
        (consequence,) = report.consequence
        assert "leaves out possible winners" in consequence
        assert "may leave out possible winners" in made.content(report, "paper").text
        assert "confidence)" not in made.content(report, "paper").text


@pytest.mark.parametrize("rule", ["max_t", "holm", "bonferroni"])
def test_only_max_t_names_winners_where_teams_have_several_runs(rule: str) -> None:
    """The corrections do not know of the runs that were not selected."""
    findings = made.result(settings={"tie_rule": rule})
    runs = (replace(analysis, several_runs=True) for analysis in findings.analyses)
    report = render.build(replace(findings, analyses=tuple(runs)))
    confident = rule == "max_t"
    assert ("where teams have several runs" in " ".join(report.consequence)) != confident
    assert ("about 95% confidence" in " ".join(report.consequence)) == confident
    assert ("95% confidence)" in made.content(report, "paper").text) == confident
    ties = report.metrics[0].ties
    assert ties is not None
    assert [group.rules for group in ties.groups] == [1, 5]
    assert "max-T keeps a team" in ties.note


@pytest.mark.parametrize("rule", ["max_t", "holm", "bonferroni"])
@pytest.mark.parametrize(("n", "groups", "valid"), [(99, None, 1), (100, None, 3), (99, 99, 3)])
def test_only_max_t_names_winners_of_few_examples(
    rule: str, n: int, groups: int | None, valid: int
) -> None:
    """Counted p-values are too small there; those of groups are not counted."""
    settings = {"tie_rule": rule, "group": None if groups is None else "document"}
    report = render.build(made.result(n=n, groups=groups, settings=settings))
    confident = valid == 3 or rule == "max_t"
    assert ("decide a difference" in " ".join(report.consequence)) != confident
    assert ("about 95% confidence" in " ".join(report.consequence)) == confident
    assert ("95% confidence)" in made.content(report, "paper").text) == confident
    ties = report.metrics[0].ties
    assert ties is not None
    assert [group.rules for group in ties.groups] == [valid, 6 - valid]
    assert ("decide a difference, as here" in ties.note) == (valid == 1)


@pytest.mark.parametrize("code", ["heavy_tails", "skewed_differences"])
def test_only_max_t_names_winners_where_tails_are_heavy(code: str) -> None:
    """Counted p-values are too small there, too."""
    values: dict[str, Any] = {
        "reference": "NLPCIC",
        "entries": ("CENAmrita",),
        "kurtosis": 0.2,
        "skewness": 0.2,
        "limit": 0.1,
        "most": "CENAmrita",
    }
    for rule in ("max_t", "holm", "bonferroni"):
        findings = made.result(settings={"tie_rule": rule})
        cautions = (Caution("amber", code, 0.2, values),)
        analyses = (replace(analysis, cautions=cautions) for analysis in findings.analyses)
        report = render.build(replace(findings, analyses=tuple(analyses)))
        confident = rule == "max_t"
        assert ("about 95% confidence" in " ".join(report.consequence)) == confident
        assert ("95% confidence)" in made.content(report, "paper").text) == confident


def test_an_entry_named_in_advance_that_leads_is_tested_two_sided() -> None:
    report = render.build(made.result(settings={"reference_entry": "NLPCIC"}))
    (p_values, *_) = report.metrics[0].tests
    assert "so the two-sided p counts" in p_values.note


def test_marks_of_all_pairs_follow_their_p() -> None:
    page = made.teams()
    pairs = render.build(page).metrics[0].pairs
    a = page.analyses[0]
    assert pairs is not None
    levels = (0.1, 0.05, 0.01, 0.001)
    place = {int(entry): rank for rank, entry in enumerate(a.order)}
    marks = {
        (place[int(worse)], place[int(better)]): sum(p < level for level in levels)
        for better, worse, p in zip(a.pairs.better, a.pairs.worse, a.pairs.p_max_t, strict=True)
    }
    for row_number, row in enumerate(pairs.rows, start=1):
        for column, cell in enumerate(row.cells):
            expected = marks[(row_number, column)]
            assert cell.mark == ("", "†", "*", "**", "***")[expected]
    assert "max-T correction over all pairs" in pairs.legend


def test_a_large_field_has_maps_and_counts() -> None:
    section = said("many").metrics[0]
    assert section.pairs is not None
    assert section.ranks is not None
    assert section.pairs.rows == ()
    assert not section.ranks.few
    assert section.pairs.counts is not None
    for row in section.pairs.counts.rows:
        assert sum(int(cell.text) for cell in row[2:]) == 133


def test_an_error_metric_counts_downwards() -> None:
    report = said("errors")
    section = report.metrics[0]
    assert [row.score for row in section.ranking.rows] == ["1,203", "1,211", "1,290", "1,412"]
    assert section.differences is not None
    assert all(row.difference.startswith("+") for row in section.differences.rows)
    assert section.subtitle == "más bajo es mejor · desde 0 · ideal 0"


def test_cautions_speak_the_language_of_the_page() -> None:
    page = made.result()
    caution = Caution("amber", "few_examples", 60, {"count": 60, "limit": 100})
    page = replace(page, analyses=(replace(page.analyses[0], cautions=(caution,)),))
    english = made.content(render.build(page), "cautions")[0].message
    assert english.startswith("Only 60 examples, fewer than 100")
    report = render.build(made.with_settings(page, language="es"))
    spanish = made.content(report, "cautions")[0].message
    assert spanish.startswith("Solo 60 ejemplos, menos de 100")


def test_right_to_left_names_do_not_turn_the_sentence() -> None:
    report = render.build(made.result((0.9, 0.5), ("فريق", "b")))
    assert report.verdict.startswith("\u2068فريق\u2069 leads with F1")


def test_contents_lead_to_sections() -> None:
    html = render.page(said("hostile"))
    for link in said("hostile").contents:
        assert f'id="{link.id}"' in html


def test_no_two_columns_of_all_pairs_have_the_same_head() -> None:
    report = said("spanish")
    for section in report.metrics:
        assert section.pairs is not None
        heads = [*section.pairs.columns, section.pairs.rows[-1].rank]
        assert len(set(heads)) == len(heads)
    pairs = report.metrics[0].pairs
    assert pairs is not None
    assert pairs.columns == ("L1", "1a", "1b", "3")
    assert [row.rank for row in pairs.rows] == ["1a", "1b", "3", "L2"]
    assert [row.text for row in pairs.map.rows] == [
        "línea base fuerte L1",
        "alfa 1a",
        "beta 1b",
        "gama 3",
        "línea base débil L2",
    ]
    assert "letras distinguen a quienes comparten un lugar" in pairs.legend
    assert "L1, L2" in pairs.legend
    plain = said("teams").metrics[0].pairs
    assert plain is not None
    assert plain.columns == tuple(map(str, range(1, 10)))
    assert "letters" not in plain.legend


def test_long_names_in_sentences_are_told_apart() -> None:
    names = [f"{'long ' * 20}{k}{' long' * 20}" for k in "ABC"]
    report = render.build(made.result(made.F1[:3], names))
    titles = [figure.heading.title for figure in report.metrics[0].distributions]
    assert len(set(titles)) == len(titles) > 1
    tooltips = [row.strip.title.split(":")[0] for row in report.metrics[0].ranking.rows]
    assert len(set(tooltips)) == 3


def test_no_confidence_is_claimed_where_cautions_weaken_it() -> None:
    page = made.teams()
    (first, *others) = page.analyses
    values = {"count": 60, "limit": 100}
    for caution, claimed in (
        (Caution("amber", "few_examples", 60, values), True),
        (Caution("red", "few_examples", 60, values), False),
        (Caution("amber", "mean_rank", 0.95, {"confidence": "95"}), True),
    ):
        analyses = (replace(first, cautions=(caution,)), *others)
        report = render.build(replace(page, analyses=analyses))
        assert any("With about 95% confidence" in text for text in report.consequence) == claimed
        assert ("(max-T, 95% confidence)" in made.content(report, "paper").text) == claimed
        assert bool(made.content(report, "paper").note) != claimed


def test_one_of_a_thing_is_said_in_the_singular() -> None:
    page = made.result((0.72, 0.70), made.TEAMS[:2], n=1)
    report = render.build(page)
    assert "the test set of 1 example does not" in report.consequence[0]
    section = report.metrics[0]
    assert "the one comparison with NLPCIC" in section.tests[0].note
    assert section.pairs is not None
    assert section.pairs.map.heading.description.startswith("The lower triangle shows 1 pair; ")
    assert "1 test example)" in report.tables[0].caption
    assert "were scored on 1 test example." in made.content(report, "paper").text


def test_the_closest_competition_is_named_by_its_measures() -> None:
    measures = {"m": 5, "possible_comparisons": 10, "cv_percent": 10.0, "ppi_percent": 19.0}
    ties = {f"ties_with_winner.{rule}": 2 for rule in ("none", "bonferroni", "holm", "fdr_bh")}
    competitions = [
        ComparedCompetition("A", "f1", {**measures, **ties}),
        ComparedCompetition("B", "f1", {**measures, **ties, "cv_percent": 9.0}),
    ]
    report = comparison.build(competitions, closest(competitions))
    assert report.verdict == "B was the closest of 2 competitions by CV."
    assert report.most == ()
    led = {"cv_percent": [1], "ppi_percent": [1], "ties_with_winner.holm": [0, 1]}
    report = comparison.build(competitions, led)
    assert report.verdict == "B was the closest of 2 competitions by CV and PPI."
    assert report.most == ("A and B were the closest by ties with the winner.",)
    many = comparison.build(competitions * 4, {"cv_percent": range(7)})
    assert many.verdict == "A, B, A, B, A, … and 2 more were the closest of 8 competitions by CV."
    report = comparison.build(competitions[:1] * 2, {})
    assert report.verdict == "By no measure was one of these 2 competitions closer than the others."


def test_a_caution_calls_the_metric_as_the_page_does_and_names_it_once() -> None:
    page = made.usage()
    few: dict[str, Any] = {"examples": "16 errors", "limit": 30, "metric": "public: F1"}
    caution = Caution("amber", "few_minority_examples", 16, few)
    page = replace(
        page, analyses=(page.analyses[0], replace(page.analyses[1], cautions=(caution,)))
    )
    (found,) = made.content(render.build(page), "cautions")
    assert found.message.startswith("Only 16 errors, fewer than 30: the intervals of public: F1 ")


def test_where_no_test_set_in_reach_would_do_the_words_give_no_number() -> None:
    report = said("teams")
    table = made.content(report, "planning").table
    needed = [row[3].text for row in table.rows]
    assert needed[:2] == ["out of reach", "9,900"]
    assert "even 100 times as many examples would" in table.caption
    page = made.teams()
    (first, *others) = page.analyses
    pairs = (replace(first.planning.pairs[0], examples_needed=None),)
    planned = replace(first, planning=replace(first.planning, pairs=pairs))
    for code, words in (
        ("en", "even a test set 100 times as large might not separate it from"),
        ("es", "ni un conjunto de prueba cien veces mayor lo separaría necesariamente de"),
        ("pt", "nem um conjunto de teste cem vezes maior a separaria necessariamente de"),
    ):
        found = replace(page, analyses=(planned, *others))
        report = render.build(made.with_settings(found, language=code))
        facts = [fact.value for row in report.metrics[0].ranking.rows for fact in row.card]
        assert sum(value.startswith(words) for value in facts) == 1


def test_a_plan_blames_the_choice_of_the_leader_only_where_it_was_chosen() -> None:
    for code, words in (
        ("en", "Leaders are chosen on the same data"),
        ("es", "El líder se elige con los mismos datos"),
        ("pt", "A líder é escolhida com os mesmos dados"),
    ):
        for reference in (None, made.TEAMS[3]):
            page = made.result(settings={"reference_entry": reference, "language": code})
            table = made.content(render.build(page), "planning").table
            assert (words in table.caption) == (reference is None)


def test_an_entry_alone_has_no_mark_of_a_tie() -> None:
    report = said("single")
    assert {row.strip.shape for row in report.metrics[0].ranking.rows} == {"behind"}


def test_what_is_the_same_for_every_metric_is_explained_once() -> None:
    page = render.page(said("teams"))
    for words in (
        "Bootstrap frequency is the share of resamples",
        "Each panel shows the bootstrap distribution",
        "max-T, Holm and Bonferroni keep any given truly best entry",
        "Each cell compares the entry of its row",
    ):
        assert page.count(words) == 1, words
    assert page.count("How often each rank occurred") >= 3


def test_the_note_on_ranking_schemes_stands_once() -> None:
    page = render.page(render.build(kinds.score_table()))
    assert page.count("Ranking schemes: ") >= 3
    assert page.count("Significant wins: one-sided Wilcoxon") == 1
