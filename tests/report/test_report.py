"""What the page says, in every form."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scoring_program import report as render
from scoring_program.core.errors import LeftOut
from scoring_program.core.phrases import Phrase, verbatim
from scoring_program.document.blocks import Fact, Facts, every
from scoring_program.document.html import Document
from scoring_program.document.take_away import ResultTable
from scoring_program.inference.descriptive import ComparedCompetition, closest
from scoring_program.inference.evidence import OF_UPLOADS, Caution, Evidence
from scoring_program.report import comparison
from scoring_program.report.findings import Findings
from scoring_program.report.results_json import results_json
from tests.report import drawn, kinds, made
from tests.report.drawn import marks
from tests.report.visible import nothing_contradicts
from tests.sweeps import swept


def said(form: str) -> Document:
    return made.built(made.FORMS[form]())


def table(report: Document, name: str) -> ResultTable:
    """Return a table of the files."""
    (found,) = (table for table in report.tables if table.name == name)
    return found


def cautions(report: Document) -> tuple[Fact, ...]:
    """Return the cautions of the page."""
    facts: Facts = made.content(report, "cautions").blocks[-1]
    return facts.items


def card_facts(report: Document) -> list[str]:
    """Return what the cards say."""
    return [fact.value for row in made.rows(report, "ranking") for fact in row["entry"].card]


def test_the_verdict_names_the_leader_and_the_ties() -> None:
    report = said("teams")
    assert report.verdict == (
        "NLPCIC is first (F1 0.7154), but CIMATMTYGTO and DCCDINFOTEC may be as good or better."
    )
    assert report.consequence == (
        "Any of these three may be the best. 2,182 examples are too few to tell them apart.",
        "The best entry is among them, with about 95% confidence.",
        "This result holds for these submissions on more such examples, not for retrained systems, "
        "other annotators or other topics.",
    )


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("en", " examples are too few to tell them apart."),
        ("es", " ejemplos no bastan para distinguirlos."),
        ("pt", " exemplos não bastam para distingui-las."),
    ],
)
def test_the_test_set_is_said_to_be_too_small(code: str, words: str) -> None:
    for scores in (made.F1, (0.71, 0.70, 0.3)):
        page = made.result(scores, made.TEAMS[: len(scores)], settings={"language": code})
        assert render.build(page).consequence[0].endswith(words)


def test_a_submission_in_a_field_can_still_be_the_best() -> None:
    for focus, settings, words in (
        (0, {}, "It may be the best, and so may CIMATMTYGTO and DCCDINFOTEC."),
        (1, {}, "too small to tell it from the leader. A lower"),
        (1, {"baselines": ("Timen",)}, "It may be the best of those that compete: a test set of"),
    ):
        page = made.result(form="field", focus=focus, settings=settings)
        assert words in " ".join(render.build(page).consequence)


def test_one_tie() -> None:
    report = render.build(made.result((0.7154, 0.7026, 0.6), made.TEAMS[:3]))
    assert report.verdict.endswith(", but CIMATMTYGTO may be as good or better.")
    assert report.consequence[0].startswith("Either of these two may be the best. ")


def test_a_clear_winner() -> None:
    report = render.build(made.result((0.9, 0.7, 0.6), made.TEAMS[:3]))
    assert report.verdict.endswith(", and the only possible winner.")
    assert report.consequence[0].startswith("NLPCIC can be named the winner")
    assert report.consequence[1:-1] == (
        "The test set of 2,182 examples separates it from every other entry. In this way, a wrong "
        "winner is named in at most 5% of competitions.",
    )


def test_two_equal_scores_share_the_lead() -> None:
    report = render.build(made.result((0.7154, 0.7154, 0.5), made.TEAMS[:3]))
    assert report.verdict.startswith("CIMATMTYGTO and NLPCIC share first place (F1 0.7154)")
    assert [row["rank"].text for row in made.rows(report, "ranking")] == ["1", "1", "3"]


def test_who_all_share_the_lead_is_tied_with_nobody_else() -> None:
    report = render.build(made.result((0.7,) * 3, made.TEAMS[:3]))
    assert report.verdict == (
        "CIMATMTYGTO, DCCDINFOTEC and NLPCIC share first place (F1 0.7000); "
        "there is no other entry."
    )
    baseline = {"baselines": made.TEAMS[2:3]}
    report = render.build(made.result((0.7,) * 3, made.TEAMS[:3], settings=baseline))
    assert report.verdict.endswith("; there is no other competing entry.")


def test_the_first_screen_and_the_paper_name_who_could_not_be_scored() -> None:
    names = ("delta", "\u05d0\u202eevil", *(f"team {number}" for number in range(9)))
    unusable = tuple(LeftOut(name, verbatim("empty file")) for name in names)
    report = render.build(made.result(unusable=unusable[:2]))
    said = "2 submissions could not be scored: delta, \u2068\u05d0<U+202E>evil\u2069."
    assert report.consequence[-1] == said
    assert said in made.words(report, "paper")
    report = render.build(made.result(unusable=unusable))
    assert report.consequence[-1].startswith("11 submissions could not be scored: delta, ")
    assert report.consequence[-1].endswith(", … and 1 more.")


def test_a_page_of_private_rows_says_so() -> None:
    report = said("usage")
    first, public = (made.words(report, f"metric-{k}-evidence") for k in (1, 2))
    assert "ranking metric · private rows · higher is better" in first
    assert "private" not in public
    assert "private" not in made.words(said("teams"), "metric-1-evidence")


def test_many_ties_are_counted_not_listed() -> None:
    scores = tuple(np.linspace(0.72, 0.715, 20).tolist())
    names = [f"team {index:02d}" for index in range(20)]
    report = render.build(made.result(scores, names))
    assert report.verdict == (
        "team 00 is first (F1 0.7200), but team 01, team 02, team 03 and 16 more entries may be "
        "as good or better."
    )
    assert report.consequence[0].startswith("Any of these 20 may be the best. ")


def test_many_equal_leaders_are_counted_too() -> None:
    names = [f"team {index:02d}" for index in range(9)]
    report = render.build(made.result((0.7,) * 9, names))
    assert report.verdict.startswith(
        "team 00, team 01, team 02 and 6 more entries share first place (F1 0.7000);"
    )


def test_one_entry_alone() -> None:
    report = said("one_team")
    assert report.verdict.startswith("NLPCIC is the only entry; its F1 is 0.6847, with a 95%")
    assert made.content(report, "competitiveness") is None
    for part in ("differences", "ties", "pairs", "ranks"):
        assert made.content(report, f"metric-1-{part}") is None


def test_a_submission_in_a_field() -> None:
    report = said("field")
    assert report.verdict == (
        "This submission takes rank 4 of 10 with F1 0.6792, behind the leader, NLPCIC (0.7154)."
    )
    rows = made.rows(report, "ranking")
    assert [row["entry"].row for row in rows].index("focus") == 3
    fact = next(every(report.blocks, Facts)).items[0]
    assert (fact.label, fact.value) == ("95% interval of the score", rows[3]["ci_low"].text)
    differences = made.rows(report, "differences")
    (of_leader,) = (row for row in differences if row["entry"].row == "focus")
    assert report.consequence[0].endswith(f"(95% interval {of_leader['ci_low'].text}).")
    tied = render.build(made.result(form="field", focus=1))
    assert "but may be as good as the leader, NLPCIC (0.7154), or better" in tied.verdict
    leads = render.build(made.result(form="field", focus=0))
    assert leads.verdict.startswith("This submission would lead the field of 9 with F1 0.7154,")


def test_a_submission_alone() -> None:
    report = said("single")
    assert report.verdict.startswith(
        "This submission scores F1 0.6847, with a 95% interval of [0.6"
    )
    # Of scores on other test sets of this size, a 95% interval holds about 83%.
    assert "on another test set" not in render.page(report)


def test_a_submission_without_a_name_has_one_in_the_language() -> None:
    report = render.build(made.with_settings(made.single(), language="es"))
    assert made.rows(report, "ranking")[0]["entry"].text == "envío"
    blocks = made.content(report, "signature").blocks
    labels = [fact.label for facts in every(blocks, Facts) for fact in facts.items]
    assert "Semilla" in labels


def test_what_the_program_noted_stands_with_the_signature() -> None:
    html = render.page(said("hostile"))
    assert html.index('id="signature"') < html.index("What the program noted")
    assert html.index("What the program noted") < html.index("predictions: &lt;two&gt;.pdf.")


def test_a_baseline_cannot_win() -> None:
    report = said("baselines")
    assert report.verdict.startswith(
        "alpha is first among the competing entries (F1 0.700), but beta may"
    )
    assert report.verdict.endswith(
        "A baseline, strong baseline, scores better than the leader (0.710 against 0.700); "
        "baselines cannot win."
    )
    assert "Read the serious caution before you name winners" in report.consequence[-1]
    assert [fact.mark for fact in cautions(report)] == ["red"]
    rows = made.rows(report, "ranking")
    tags = {row["entry"].text: row["entry"].tags for row in rows}
    assert tags["strong baseline"] == ("baseline",)
    assert tags["alpha"] == ()
    ranks = {row["entry"].text: row["rank"].text for row in rows}
    assert ranks == {"alpha": "1", "beta": "2", "strong baseline": "–", "weak baseline": "–"}
    assert "A baseline has no rank" in made.words(report, "how")
    (ties,) = made.tables(report, "metric-1-ties")
    assert ties.foot[1] == "1"
    found = made.pictures(report, "metric-1-distributions")
    close = next(figure for figure in found if "strong" in figure.title)
    assert "two-sided p" in close.description
    assert {bar.attributes["class"] for bar in marks(close, tag="rect")} == {"bin", "tail"}


def test_sentences_speak_of_those_that_compete() -> None:
    """Baselines ahead of a clear winner are neither beaten nor hidden."""
    about: dict[str, Any] = {"error": 0.01, "n": 2000}
    names = ("alpha", "one", "two", "beta")
    baselines: dict[str, Any] = {"settings": {"baselines": names[1:3]}}
    report = render.build(made.result((0.7, 0.8, 0.75, 0.5), names, **baselines, **about))
    assert report.verdict == (
        "alpha is first among the competing entries (F1 0.7000), and the only possible winner. "
        "Baselines (one and two) score better than the leader (the best 0.8000 against 0.7000); "
        "baselines cannot win."
    )
    assert report.consequence[:2] == (
        "alpha can be named the winner of the competing entries.",
        "The test set of 2,000 examples separates it from every other competing entry. In this "
        "way, a wrong winner is named in at most 5% of competitions.",
    )
    rows = made.rows(report, "ranking")
    words = {row["entry"].text: row["status"].text for row in rows}
    assert words == {"alpha": "leads", "one": "ahead", "two": "ahead", "beta": "behind"}
    assert "one and two are baselines, which cannot win." in made.words(report, "paper")
    assert (
        "separates it from every other competing entry. In this way, a wrong winner is named"
        in made.words(report, "paper")
    )
    assert "Baselines (one and two) score better" in made.words(report, "paper")
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
        "No other submission of the field is a possible winner."
    )


def test_a_shared_first_rank_in_the_paper() -> None:
    names = ("NLPCIC", "DCCDINFOTEC", "CIMATMTYGTO")
    for scores, said in (
        ((0.7, 0.7), ", so we report 2 possible winners."),
        ((0.7, 0.7, 0.4), ", and no other entry is a possible winner (max-T, 95% confidence)"),
        ((0.7, 0.7, 0.699), "; CIMATMTYGTO is a possible winner as well (max-T, 95% confidence)"),
    ):
        report = render.build(made.result(scores, names[: len(scores)]))
        paper = made.words(report, "paper")
        assert f"DCCDINFOTEC and NLPCIC share first place (F1 0.7000){said}" in paper


def test_a_score_without_interval_in_the_paper() -> None:
    result = made.result((1.0, 0.9, 0.4), ("NLPCIC", "DCCDINFOTEC", "CIMATMTYGTO"))
    (evidence,) = result.evidence
    low, high = evidence.intervals.low.copy(), evidence.intervals.high.copy()
    low[evidence.scores.leader] = high[evidence.scores.leader] = np.nan
    without = made.with_parts(evidence, intervals={"low": low, "high": high})
    report = render.build(replace(result, evidence=(without,)))
    paper = made.words(report, "paper")
    assert "NLPCIC ranks first (F1 1.0000, no interval); " in paper


def test_an_advantage_has_one_sign() -> None:
    report = said("reference")
    rows = made.rows(report, "differences")
    shown = [row["difference"].text for row in rows]
    assert [row["difference"].text for row in made.rows(report, "against_1")] == shown
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
    assert "not separated from UMUTeam" in report.consequence[-1]
    planned = made.words(report, "planning")
    assert planned == made.words(said("teams"), "planning")
    assert "For each possible winner besides the leader by its metric" in planned
    assert "tied with" not in planned
    assert "which of these 3 is best" in made.words(report, "paper")
    (ties,) = made.tables(report, "metric-1-ties")
    assert ties.groups == ()
    assert "possible winners" not in made.words(report, "metric-1-ties")
    differences = made.content(report, "metric-1-differences")
    assert differences.heading == "Differences from UMUTeam"
    p_values = table(report, "p_values")
    assert "UMUTeam was named in the settings, not chosen on these data" in p_values.note
    statuses = {row["entry"].text: row["status"].text for row in made.rows(report, "ranking")}
    assert statuses["UMUTeam"] == "reference"


def test_p_values_against_a_chosen_leader_say_so() -> None:
    p_values = table(said("teams"), "p_values")
    assert "NLPCIC, chosen as the leader on these data, is better." in p_values.note
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
    for shown in report.tables:
        keys = {key for column in shown.columns if column.read for key in column.keys}
        assert not ({"ci_low"} <= keys and any(key.startswith("p_") for key in keys))
    p_values = table(report, "p_values")
    assert "one may exclude a difference of zero where the other does not" in p_values.note
    pairs = table(report, "pairwise")
    titles = [cell.title for row in pairs.rows for cell in row if cell.title]
    assert titles
    assert all(", p " in title or ", p " in title for title in titles)
    assert not any("[" in title for title in titles)


def test_the_histograms_say_what_their_p_counts() -> None:
    one_sided = made.words(said("teams"), "metric-1-distributions")
    assert "beyond 2δ, is what the p counts" in one_sided
    assert "two-sided" not in one_sided
    for form in ("baselines", "reference"):
        assert "|δ| from the mean on either side" in made.words(
            said(form), "metric-1-distributions"
        )


def test_baselines_are_said_to_be_corrected_apart() -> None:
    for form, apart in (("teams", False), ("baselines", True)):
        p_values = table(said(form), "p_values")
        assert ("Comparisons with baselines are corrected separately." in p_values.note) == apart


def test_the_overview_explains_itself() -> None:
    report = said("tasks")
    assert "Diamond: leader. Ring: possible winner." in made.words(report, "overview")
    panels = [figure for name, figure in report.figures.items() if name.startswith("overview")]
    assert [drawn.said(marks(panel, "tick")[-1]) for panel in panels] == [
        "mean rank, lower is better",
        "F1 on stance, higher is better",
        "macro F1 on location, higher is better",
    ]


def test_planning_says_its_assumptions_once() -> None:
    assert render.page(said("teams")).count("80% power") == 1


def test_what_such_test_sets_would_find_is_said_with_two_digits() -> None:
    report = render.build(made.result((0.72, 0.7, 0.5), made.TEAMS[:3]))
    smallest = made.content(report, "planning").blocks[0].text
    found = re.fullmatch(
        r"A true difference of about (0\.0\d\d) in F1 would be found in 8 of 10 such test sets; "
        r"smaller ones only with luck\.",
        smallest,
    )
    assert found is not None, smallest


@pytest.mark.parametrize(("third", "is_said"), [(0.5, True), (0.682, False)])
def test_it_is_no_more_than_what_the_page_tells_apart(third: float, is_said: bool) -> None:
    """The third entry is no possible winner, by luck, although it is as near as that."""
    findings = made.result((0.72, 0.71, third), made.TEAMS[:3])
    evidence = findings.evidence[0]
    assert evidence.smallest_separable is not None
    assert not evidence.verdict.possible_winners[2]
    assert (evidence.smallest_separable < 0.72 - third) == is_said
    planning = made.words(render.build(findings), "planning")
    assert ("A true difference" in planning) == is_said


def test_frequencies_are_never_called_probabilities() -> None:
    html = render.page(said("teams"))
    assert "Bootstrap frequency" in html
    assert "probability" not in html


@pytest.mark.parametrize(
    ("findings", "total"), [(kinds.identical(), "500%"), (made.result(), None)]
)
def test_a_sum_above_all_resamples_is_explained(findings: Findings, total: str | None) -> None:
    caption = made.words(made.built(findings), "metric-1-ranks")
    explained = "The frequencies of rank 1 add up to"
    assert (f"{explained} {total}, because" in caption) == (total is not None)
    assert (explained in caption) == (total is not None)


def test_all_possible_winners_are_named_for_the_paper() -> None:
    """Once, by the sentence that says who is first."""
    findings = kinds.all_tied()
    report = made.built(findings)
    page = made.words(report, "paper")
    file = report.texts["paper.md"]
    selection = page.index("Whoever comes first was partly lucky.")
    assert all(page.count(name, 0, selection) == 1 for name in findings.names)
    end = file.index("Whoever comes first was partly lucky.")
    assert all(file.count(name, 0, end) == 1 for name in findings.names)


def test_examples_are_counted_by_their_unit() -> None:
    report = render.build(made.result(kind="text"))
    assert table(report, "competitiveness").rows[0][0].text == "Segments, n"
    facts = card_facts(report)
    planned = [value for value in facts if "would probably separate it" in value]
    assert planned
    sentence = (
        r"about [\d,]+ segments would probably separate it from NLPCIC, "
        r"whoever is ahead \(it is ahead in \d+% of the resamples\)"
    )
    assert all(re.fullmatch(sentence, value) for value in planned)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("en", "whoever is ahead (it is ahead in {share} of the resamples)"),
        ("es", "vaya quien vaya por delante (él va por delante en el {share} de las remuestras)"),
        ("pt", "seja qual for a que está à frente (ela está à frente em {share} das reamostras)"),
    ],
)
def test_a_plan_says_in_how_many_resamples_the_other_is_ahead(code: str, words: str) -> None:
    page = made.result(settings={"language": code})
    (first, *_), report = page.evidence, render.build(page)
    shares = {pair.entry: f"{round(100 * pair.other_ahead)}" for pair in first.plan}
    assert shares
    (planning,) = made.tables(report, "planning")
    facts = card_facts(report)
    for row, share in zip(planning.rows, shares.values(), strict=False):
        assert row[-1].text.startswith(share)
        assert any(value.endswith(words.format(share=row[-1].text)) for value in facts)


@pytest.mark.parametrize(
    ("needed", "shown"), [(12_976, "13,000"), (2_182, "2,182"), (900, "2,182")]
)
def test_a_card_plans_with_the_number_of_the_section(needed: int, shown: str) -> None:
    page = made.teams()
    (first, *others) = page.evidence
    pairs = (replace(first.plan[0], examples_needed=needed),)
    planned = replace(first, plan=pairs)
    report = render.build(replace(page, evidence=(planned, *others)))
    facts = card_facts(report)
    (said,) = (value for value in facts if "would probably separate it" in value)
    assert said.startswith(f"about {shown} test examples would")
    (row, *_) = made.tables(report, "planning")[0].rows
    assert row[-2].text == (shown if needed > first.n else "about as many as now")


def test_every_rule_is_shown_and_the_valid_ones_come_first() -> None:
    (ties,) = made.tables(said("teams"), "metric-1-ties")
    assert [column.heading for column in ties.columns[1:]] == [
        "max-T",
        "Holm",
        "Bonferroni",
        "interval",
        "no correction",
        "Benjamini–Hochberg",
    ]
    assert [span for _, span in ties.groups] == [3, 3]
    assert [bool(column.small) for column in ties.columns[1:]].index(True) == 0
    for place, total in enumerate(ties.foot[1:], start=1):
        assert int(total) == sum(row[place].style == "status tied" for row in ties.rows)


def test_what_valid_rules_keep_has_its_conditions() -> None:
    html = render.page(said("teams"))
    assert "If the examples are independent and the differences have no heavy tails, max-T" in html


def test_the_method_says_what_groups_change() -> None:
    for form, grouped in (("teams", False), ("baselines", True)):
        method = made.words(said(form), "method")
        assert ("adjusted p-values come from the t distribution" in method) == grouped


@pytest.mark.parametrize("rule", ["interval", "none", "fdr_bh"])
def test_a_rule_that_drops_possible_winners_says_so(rule: str) -> None:
    for scores in (made.F1, (0.9, 0.7, 0.6)):
        names = made.TEAMS[: len(scores)]
        report = render.build(made.result(scores, names, settings={"tie_rule": rule}))
        (consequence,) = report.consequence
        assert "leaves out possible winners" in consequence
        assert "may leave out possible winners" in made.words(report, "paper")
        assert "confidence)" not in made.words(report, "paper")


@pytest.mark.parametrize("rule", ["max_t", "holm", "bonferroni"])
def test_only_max_t_names_winners_where_teams_have_several_runs(rule: str) -> None:
    """The corrections do not know of the runs that were not selected."""
    findings = made.result(settings={"tie_rule": rule})
    confident = rule == "max_t"
    verdict = {} if confident else {"confidence": None, "withdrawn_because": "runs"}
    parts: dict[str, Any] = {"scores": {"several_runs": True}, "verdict": verdict}
    runs = (made.with_parts(one, **parts) for one in findings.evidence)
    report = render.build(replace(findings, evidence=tuple(runs)))
    assert ("where teams have several runs" in " ".join(report.consequence)) != confident
    assert ("about 95% confidence" in " ".join(report.consequence)) == confident
    assert ("95% confidence)" in made.words(report, "paper")) == confident
    (ties,) = made.tables(report, "metric-1-ties")
    assert [span for _, span in ties.groups] == [1, 5]
    assert "max-T keeps a team" in made.words(report, "metric-1-ties")


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
    assert ("95% confidence)" in made.words(report, "paper")) == confident
    (ties,) = made.tables(report, "metric-1-ties")
    assert [span for _, span in ties.groups] == [valid, 6 - valid]
    assert ("decide a difference, as here" in made.words(report, "metric-1-ties")) == (valid == 1)


def test_only_max_t_names_winners_where_tails_are_heavy() -> None:
    """Counted p-values are too small there, too."""
    for rule in ("max_t", "holm", "bonferroni"):
        findings = made.result(settings={"tie_rule": rule})
        cautions = (Caution("amber", "heavy_tails", 0.2, Phrase("A few decide.")),)
        confident = rule == "max_t"
        verdict = {} if confident else {"confidence": None, "withdrawn_because": "few"}
        evidence = (
            replace(made.with_parts(one, verdict=verdict), cautions=cautions)
            for one in findings.evidence
        )
        report = render.build(replace(findings, evidence=tuple(evidence)))
        assert ("about 95% confidence" in " ".join(report.consequence)) == confident
        assert ("95% confidence)" in made.words(report, "paper")) == confident


def test_a_possible_winner_that_scores_far_worse_is_named_beside_the_verdict() -> None:
    entries = (Phrase("{entry} ({score:n})", entry="CENAmrita", score=781.0),)
    far = Phrase("{entries} scores far worse than {leader}.", entries=entries, leader="NLPCIC")
    findings = made.result()
    first, *others = findings.evidence
    first = replace(first, cautions=(Caution("amber", "far_winner", 781.0, far),))
    report = render.build(replace(findings, evidence=(first, *others)))
    assert "CENAmrita (781) scores far worse than NLPCIC." in report.consequence


@pytest.mark.parametrize("group", [None, "user"])
def test_a_page_about_groups_asks_for_no_group_column(group: str | None) -> None:
    findings = made.result(groups=None if group is None else 900, settings={"group": group})
    evidence = tuple(replace(one, cautions=()) for one in findings.evidence)
    words = made.words(render.build(replace(findings, evidence=evidence)), "cautions")
    assert ("unless you name a group column" in words) == (group is None)
    of_groups = "They cannot detect that examples of different groups depend on each other."
    assert (of_groups in words) == (group is not None)


def test_an_entry_named_in_advance_that_leads_is_tested_two_sided() -> None:
    report = render.build(made.result(settings={"reference_entry": "NLPCIC"}))
    p_values = table(report, "p_values")
    assert "so the two-sided p counts" in p_values.note


def test_marks_of_all_pairs_follow_their_p() -> None:
    page = made.teams()
    a, report = page.evidence[0], render.build(page)
    levels = (0.1, 0.05, 0.01, 0.001)
    place = {int(entry): rank for rank, entry in enumerate(a.scores.order)}
    marks = {
        (place[int(worse)], place[int(better)]): sum(p < level for level in levels)
        for better, worse, p in zip(a.pairs.better, a.pairs.worse, a.pairs.p_max_t, strict=True)
    }
    for row_number, row in enumerate(table(report, "pairwise").rows, start=1):
        for column, cell in enumerate(row[2 : 2 + row_number]):
            expected = marks[(row_number, column)]
            assert cell.mark == ("", "·", "*", "**", "***")[expected]
    assert "max-T correction over all pairs" in made.words(report, "metric-1-pairs")


def test_a_large_field_has_maps_and_counts() -> None:
    report = said("many")
    for part in ("pairs", "ranks"):
        assert len(made.pictures(report, f"metric-1-{part}")) == 1
    for row in table(report, "pairwise").rows:
        assert sum(int(cell.text) for cell in row[2:]) == 133


def test_an_error_metric_counts_downwards() -> None:
    report = said("errors")
    assert [row["score"].text for row in made.rows(report, "ranking")] == [
        "1203",
        "1211",
        "1290",
        "1412",
    ]
    differences = made.rows(report, "differences")
    assert all(row["difference"].text.startswith("+") for row in differences)
    assert "más bajo es mejor · desde 0 · ideal 0" in made.words(report, "metric-1-evidence")


def test_cautions_speak_the_language_of_the_page() -> None:
    page = made.result()
    caution = Caution(
        "amber",
        "few_examples",
        60,
        Phrase(
            "Only {count:n} {thing}, fewer than {limit:n}: intervals and p-values are approximate.",
            "Only {count:n} {things}, fewer than {limit:n}: intervals and p-values are "
            "approximate.",
            count=60,
            limit=100,
        ),
    )
    page = replace(page, evidence=(replace(page.evidence[0], cautions=(caution,)),))
    english = cautions(render.build(page))[0].value
    assert english.startswith("Only 60 examples, fewer than 100")
    report = render.build(made.with_settings(page, language="es"))
    spanish = cautions(report)[0].value
    assert spanish.startswith("Solo 60 ejemplos, menos de 100")


def test_right_to_left_names_do_not_turn_the_sentence() -> None:
    report = render.build(made.result((0.9, 0.5), ("فريق", "b")))
    assert report.verdict.startswith("\u2068فريق\u2069 is first (F1")


def test_contents_lead_to_sections() -> None:
    html = render.page(said("hostile"))
    for links in every(said("hostile").blocks, Facts):
        for link in links.items if links.links else ():
            assert f'id="{link.address}"' in html


def test_no_two_columns_of_all_pairs_have_the_same_head() -> None:
    report = said("spanish")
    for name in ("pairwise", "pairwise_metric_1"):
        pairs = table(report, name)
        heads = [*(column.heading for column in pairs.columns[2:]), pairs.rows[-1][0].text]
        assert len(set(heads)) == len(heads)
    pairs = table(report, "pairwise")
    assert [column.heading for column in pairs.columns[2:]] == ["L1", "1a", "1b", "3"]
    assert [row[0].text for row in pairs.rows] == ["1a", "1b", "3", "L2"]
    assert [drawn.said(row) for row in marks(report.figures["pairs"], "name")] == [
        "línea base fuerte L1",
        "alfa 1a",
        "beta 1b",
        "gama 3",
        "línea base débil L2",
    ]
    assert "letras distinguen a quienes comparten un lugar" in pairs.note
    assert "L1, L2" in pairs.note
    plain = table(said("teams"), "pairwise")
    assert [column.heading for column in plain.columns[2:]] == list(map(str, range(1, 10)))
    assert "letters" not in plain.note


def test_long_names_in_sentences_are_told_apart() -> None:
    names = [f"{'long ' * 20}{k}{' long' * 20}" for k in "ABC"]
    report = render.build(made.result(made.F1[:3], names))
    titles = [figure.title for figure in made.pictures(report, "metric-1-distributions")]
    assert len(set(titles)) == len(titles) > 1
    titles = [drawn.said(title) for title in marks(report.figures["intervals"], tag="title")]
    tooltips = [title.split(":")[0] for title in titles]
    assert len(set(tooltips)) == 3


def test_no_confidence_is_claimed_where_cautions_weaken_it() -> None:
    page = made.teams()
    (first, *others) = page.evidence
    few = Phrase("Only {count:n} {things}.", count=60)
    for caution, claimed in (
        (Caution("amber", "few_examples", 60, few), True),
        (Caution("red", "few_examples", 60, few), False),
        (
            Caution(
                "amber",
                "mean_rank",
                0.95,
                Phrase("It jumps."),
            ),
            True,
        ),
    ):
        verdict = {} if claimed else {"confidence": None, "withdrawn_because": caution.code}
        weak = made.with_parts(replace(first, cautions=(caution,)), verdict=verdict)
        report = render.build(replace(page, evidence=(weak, *others)))
        assert any("with about 95% confidence" in text for text in report.consequence) == claimed
        assert ("(max-T, 95% confidence)" in made.words(report, "paper")) == claimed
        assert ("Repeat the cautions" in made.words(report, "paper")) != claimed


def test_who_is_first_beside_a_serious_caution_is_not_called_the_only_possible_winner() -> None:
    page = made.result((0.9, 0.7, 0.6), made.TEAMS[:3])
    (first,) = page.evidence
    few = Caution("red", "few_examples", 60, Phrase("Only {count:n} {things}.", count=60))
    verdict = {"confidence": None, "withdrawn_because": few.code}
    weak = made.with_parts(replace(first, cautions=(few,)), verdict=verdict)
    report = render.build(replace(page, evidence=(weak,)))
    assert report.verdict.startswith("NLPCIC is first (F1 0.9000), but the evidence is weak")
    assert "only possible winner" not in report.verdict


def test_one_of_a_thing_is_said_in_the_singular() -> None:
    page = made.result((0.72, 0.70), made.TEAMS[:2], n=1)
    report = render.build(page)
    assert report.consequence[0].endswith(" 1 example is too few to tell them apart.")
    assert "the one comparison with NLPCIC" in table(report, "p_values").note
    described = report.figures["pairs"].description
    assert described.startswith("The lower triangle shows 1 pair; ")
    assert "1 test example)" in table(report, "ranking").caption
    assert "were scored on 1 test example." in made.words(report, "paper")


def test_the_closest_competition_is_named_by_its_measures() -> None:
    measures = {"m": 5, "possible_comparisons": 10, "cv_percent": 10.0, "ppi_percent": 19.0}
    measures["standard_errors.cv_percent"] = 0.1
    ties = {f"ties_with_winner.{rule}": 2 for rule in ("none", "bonferroni", "holm", "fdr_bh")}
    competitions = [
        ComparedCompetition("A", "f1", {**measures, **ties}),
        ComparedCompetition("B", "f1", {**measures, **ties, "cv_percent": 9.0}),
    ]
    report = comparison.build(competitions, closest(competitions))
    assert report.verdict == "B was closer than A by CV."
    assert report.consequence == ()
    led = {"cv_percent": [1], "tied_with_leader": [0, 1]}
    third = ComparedCompetition("C", "f1", {**measures, **ties})
    report = comparison.build([*competitions, third], led)
    said = "A and B were the closest of 3 competitions by entries tied with the leader."
    assert report.verdict == said
    assert report.consequence == ("B was the closest by CV.",)
    many = comparison.build(competitions * 4, {"cv_percent": range(7)})
    assert many.verdict == "A, B, A, B, A, … and 2 more were the closest of 8 competitions by CV."
    report = comparison.build(competitions[:1] * 2, {})
    assert report.verdict == "By no measure was one of these 2 competitions closer than the others."


def test_a_caution_calls_the_metric_as_the_page_does_and_names_it_once() -> None:
    page = made.usage()
    few = Phrase("The intervals of {metric} may be narrow.", metric="F1 on the public rows")
    caution = Caution("amber", "few_minority_examples", 16, few)
    page = replace(
        page, evidence=(page.evidence[0], replace(page.evidence[1], cautions=(caution,)))
    )
    (found,) = cautions(render.build(page))
    assert found.value == "The intervals of F1 on the public rows may be narrow."


def test_where_no_test_set_in_reach_would_do_the_words_give_no_number() -> None:
    report = said("teams")
    (planning,) = made.tables(report, "planning")
    needed = [row[-2].text for row in planning.rows]
    assert needed[:2] == ["120,000", "9,300"]
    assert "even 100 times as many examples would" in planning.caption
    page = made.teams()
    (first, *others) = page.evidence
    pairs = (replace(first.plan[0], examples_needed=None),)
    planned = replace(first, plan=pairs)
    report = render.build(replace(page, evidence=(planned, *others)))
    assert made.tables(report, "planning")[0].rows[0][-2].text == "out of reach"
    for code, words in (
        ("en", "even a test set 100 times as large might not separate it from"),
        ("es", "ni un conjunto de prueba cien veces mayor lo separaría necesariamente de"),
        ("pt", "nem um conjunto de teste cem vezes maior a separaria necessariamente de"),
    ):
        found = replace(page, evidence=(planned, *others))
        report = render.build(made.with_settings(found, language=code))
        facts = card_facts(report)
        assert sum(value.startswith(words) for value in facts) == 1


def test_a_plan_does_not_doubt_its_own_numbers() -> None:
    """How much power it delivers is said on the page about the method."""
    for code, words in (
        ("en", "Plan for a little more"),
        ("es", "Planee un poco más"),
        ("pt", "Planeje um pouco mais"),
    ):
        for reference in (None, made.TEAMS[3]):
            page = made.result(settings={"reference_entry": reference, "language": code})
            (planning,) = made.tables(render.build(page), "planning")
            assert words not in planning.caption
            assert "75" not in planning.caption


def test_an_entry_alone_has_no_mark_of_a_tie() -> None:
    report = said("single")
    assert {row["plot"].strip.attributes["class"] for row in made.rows(report, "ranking")} == {
        "strip behind"
    }


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


def test_schemes_disagree_only_where_different_entries_stand_first() -> None:
    """One table of metrics by schemes; a shared first place is none to disagree about."""
    findings = kinds.score_table()
    one = findings.evidence[0]
    assert one.schemes is not None
    ranks = {scheme: np.array([1, 2, 3, 4, 5]) for scheme in one.schemes.ranks}
    for second, word in (([1, 1, 3, 4, 5], "agree"), ([2, 1, 3, 4, 5], "disagree")):
        schemes = replace(one.schemes, ranks={**ranks, "median": np.array(second)})
        page = replace(findings, evidence=(replace(one, schemes=schemes),))
        report = render.build(page)
        assert made.rows(report, "schemes_compared")[0]["agree"].text == word
        assert (">disagree<" in render.page(report)) == (word == "disagree")
    assert len(made.rows(made.built(findings), "schemes_compared")) == 3


def test_the_note_on_ranking_schemes_stands_once() -> None:
    page = render.page(render.build(kinds.score_table()))
    assert page.count("Ranking schemes: ") >= 3
    assert page.count("Significant wins: one-sided Wilcoxon") == 1


def test_a_cause_is_one_sentence_that_lists_the_metrics() -> None:
    page = made.teams()

    def warned(evidence: Evidence, place: int) -> Evidence:
        values: dict[str, Any] = {"metric": evidence.metric.label, "count": 7, "limit": 10}
        few = Phrase("Only {count:n} in {metric}, of {limit:n}.", **values)
        tails = Phrase("By {entries}.", entries=("A", "B")[:place], limit=0.1)
        cautions = (
            Caution("red", "few_class_examples", 7, few),
            Caution("amber", "heavy_tails", place / 8, tails),
        )
        return replace(evidence, cautions=cautions)

    several = tuple(warned(one, place) for place, one in enumerate(page.evidence, start=1))
    found = [fact.value for fact in cautions(render.build(replace(page, evidence=several)))]
    assert found == [
        "Only 7 in F1, precision, recall, of 10.",
        "A few examples decide some differences by F1, precision, recall (skewness or excess "
        "kurtosis up to 0.38; it matters from 0.1 on): intervals and p-values that rest on them "
        "are approximate.",
    ]
    (alone,) = [fact.value for fact in cautions(render.build(replace(page, evidence=several[:1])))][
        1:
    ]
    assert alone == "By A."


_LARGE = ("many", "40 teams, 5 metrics", "134 teams", "300 teams")
_PAGES = sorted([*made.FORMS, *kinds.KINDS], key=lambda name: name in _LARGE)


@pytest.mark.parametrize("name", swept(_PAGES, fast=len(_PAGES) - len(_LARGE)))
def test_nothing_on_a_page_contradicts_the_verdict(name: str) -> None:
    """Every output of every page that the tests make is read as its readers do."""
    nothing_contradicts(made.FORMS[name]() if name in made.FORMS else kinds.KINDS[name]())


@pytest.mark.parametrize("name", ["teams", "two", "one_team", "baselines", "tasks", "usage"])
@pytest.mark.parametrize("code", OF_UPLOADS)
def test_nothing_contradicts_what_is_to_be_settled_about_uploads(name: str, code: str) -> None:
    findings = made.FORMS[name]()
    first, *more = findings.evidence
    caution = Caution("red", code, 1, Phrase("Look at these uploads."))
    waiting = replace(first, cautions=(caution, *first.cautions))
    nothing_contradicts(replace(findings, evidence=(waiting, *more)))


def test_the_ties_say_where_the_verdict_rules_out_more() -> None:
    """Of 40 entries, one is ahead of each by more than two standard errors, but not of all."""
    names = tuple(f"team {k:02}" for k in range(40))
    for lead, said in ((0.025, True), (0.001, False), (0.2, False)):
        scores = (0.7 + lead, *np.linspace(0.7, 0.699, 39).tolist())
        findings = made.result(scores, names, error=0.0105)
        verdict = findings.evidence[0].verdict
        ties = made.words(made.built(findings), "metric-1-ties")
        assert ("says more than the rule max-T" in ties) == said
        assert verdict.verified == (lead > 0.01)
        nothing_contradicts(findings)


@pytest.mark.parametrize(("second", "verified"), [(0.7, True), (0.61, False)])
def test_verified_places_are_said_wherever_the_verdict_is(second: float, verified: bool) -> None:
    scores = (0.71, second, 0.6, 0.59)
    findings = made.result(scores, made.TEAMS[:4], error=0.0105, settings={"prizes": 2})
    assert findings.evidence[0].verdict.places == (2 if verified else None)
    nothing_contradicts(findings)
    card = made.built(findings).card
    assert card is not None
    lines = [drawn.said(line) for line in marks(card, "says")]
    settled = "NLPCIC and CIMATMTYGTO take the first two places."
    assert (settled in " ".join(lines)) == verified


@pytest.mark.parametrize(("resamples", "said"), [(500, True), (10_000, False)])
def test_a_score_is_not_corrected_on_too_few_resamples(resamples: int, said: bool) -> None:
    settings = {"confidence": 0.999}
    findings = made.result(made.F1[:6], made.TEAMS[:6], resamples=resamples, settings=settings)
    reason = findings.evidence[0].verdict.uncorrected_because
    assert reason == ("few_resamples" if said else None)
    paper = made.words(made.built(findings), "paper")
    assert ("because 500 resamples are too few." in paper) == said


def test_the_paper_rules_out_nothing_beside_a_serious_caution() -> None:
    findings = made.result((0.9, 0.5, 0.4), made.TEAMS[:3], groups=8)
    assert findings.evidence[0].verdict.withdrawn_because == "few_groups"
    assert findings.evidence[0].verdict.possible_winners.sum() == 1
    nothing_contradicts(findings)


@pytest.mark.parametrize("form", ["single", "teams", "one_team"])
def test_nothing_is_said_under_the_verdict_and_again(form: str) -> None:
    report = made.built(made.FORMS[form]())
    under = report.consequence[: report.under_verdict]
    follows = made.words(report, "follows")
    assert (form == "single") == bool(under)
    assert not [sentence for sentence in under if sentence in follows]
    assert all(sentence in follows for sentence in report.consequence[report.under_verdict :])


def test_who_hears_the_page_reads_of_possible_winners_too() -> None:
    html = render.page(made.built(made.teams()))
    heard = re.findall(r'<span class="unseen">([^<]+)</span>', html)
    assert heard.count("possible winner") >= 2
    assert "tied" not in heard


def test_an_entry_with_one_possible_place_has_a_place() -> None:
    findings = made.result((0.9, 0.7, 0.45, 0.4), tuple("LABC"))
    html = render.page(made.built(findings))
    assert "rank 1 of 4; place 1" in html
    assert not re.search(r"places \d+(?![\d–])", html)
