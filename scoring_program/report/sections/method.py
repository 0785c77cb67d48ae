"""The method in plain words, how to cite the results, and what to write in the overview paper."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ...core.folds import Folds
from ...core.phrases import MISSING, gettext_noop, ngettext_noop
from ...core.templates import templates_folder
from ...core.version import __version__
from ...document.blocks import Fact, Facts, Paragraph, Section
from ...document.latex import latex_text
from ...document.take_away import figure_to_latex, text_to_latex, text_to_markdown
from ...inference.evidence import PROJECTION
from ...inference.judge_and_people import JudgeAndPeople
from ...inference.normal import CROSSED, FOLDS, SEEDS
from ..view import MetricView, Views
from . import on_front, on_prizes
from .account import cautions_of
from .ranking import finish_caption, finish_note
from .verdict import (
    baselines_ahead,
    beaten,
    gaps,
    not_scored,
    of_generality,
    of_selection,
)

#: As a text says it → its key in `papers.bib`.
CITES = (
    ("(Efron and Tibshirani, 1994)", "efron1994"),
    ("(Mogstad et al., 2024)", "mogstad2024"),
    ("(The Deadheat authors, 2026)", "deadheat"),
)
#: The same in `people.bib`, for a judge's scores that people's correct.
PEOPLE_CITE = ("(Angelopoulos et al., 2023)", "angelopoulos2023")
#: How each interval is made.
_INTERVALS = {
    "percentile": gettext_noop(
        "The interval of a score holds the middle {confidence} of its resampled values."
    ),
    "standard_error": gettext_noop(
        "The interval of a score is the mean of its resampled values plus or minus the normal "
        "quantile times their standard deviation, as in the tables of the papers."
    ),
    "bca": gettext_noop(
        "The interval of a score is bias-corrected and accelerated (BCa). The interval of a "
        "difference holds the middle {confidence} of its resampled values."
    ),
    "t": gettext_noop(
        "The interval of a score is the score plus or minus its standard error times the quantile "
        "of the t distribution; so is that of a difference."
    ),
}
#: How each tie rule decides.
_RULES = {
    "max_t": gettext_noop(
        "An entry is a possible winner if it could be the best. The rule takes the entry's "
        "largest shortfall behind any other entry, in standard errors, and compares it with what "
        "resampling alone produces at the {confidence} level (max-T; Mogstad and others, 2024)."
    ),
    "projection": gettext_noop(
        "The mean rank jumps where entries are close, so its values on the resamples give no "
        "interval and no p-value. Instead, one step-down max-T test compares all pairs of entries "
        "in all tasks. What it shows bounds how far two entries can lie apart in each task, and "
        "the bounds of the tasks add up. An entry is a possible winner unless this shows that "
        "some other entry has a better mean rank."
    ),
    "withheld": gettext_noop(
        "The metric can score no resample, so nothing is tested: there are scores and their order, "
        "and every entry may be the best."
    ),
    "holm": gettext_noop(
        "An entry is tied if its one-sided p, corrected by Holm's step-down method for the "
        "comparisons with the leader, is at least {alpha}."
    ),
    "bonferroni": gettext_noop(
        "An entry is tied if its one-sided p, times the number of comparisons with the leader "
        "(Bonferroni), is at least {alpha}."
    ),
    "interval": gettext_noop(
        "An entry is tied if the {confidence} interval of the paired difference contains zero. "
        "There is no correction for the number of entries."
    ),
    "none": gettext_noop(
        "An entry is tied if its one-sided p is at least {alpha}. There is no correction for the "
        "number of entries."
    ),
    "fdr_bh": gettext_noop(
        "An entry is tied if its one-sided p, corrected by Benjamini and Hochberg's method for the "
        "comparisons with the leader, is at least {alpha}. This limits the share of false "
        "findings, not the risk of dropping a possible winner."
    ),
}
#: Why draws are studentized.
_STUDENTIZED = {
    "always": gettext_noop("As the settings ask"),
    "few_units": gettext_noop("Because the test set is small"),
    "few_groups": gettext_noop("Because the groups are few or uneven"),
    "heavy_tails": gettext_noop("Because few {things} decide some differences (heavy tails)"),
}


def method(views: Views) -> Iterator[Section]:
    """Yield the method of this run, and the literature."""
    say = views[0].say
    listed = _read("sources.txt").splitlines()
    if views[0].evidence.people is not None:
        listed += _read("people.txt").splitlines()
    sources = tuple(Fact("", source) for source in listed)
    blocks = (
        *map(Paragraph, _method(views[0])),
        Paragraph(say("Sources"), "heading"),
        Facts(sources, "sources", listed=True, english=True),
    )
    yield Section("method", say("Method in plain words"), blocks)


def in_short(view: MetricView) -> Iterator[str]:
    """Say how the run resamples, makes intervals and decides: it follows from its settings."""
    yield next(_on_resamples(view))
    yield view.say(_INTERVALS[_kind_of_interval(view)])
    if view.competing > 1:
        yield view.say(_RULES[view.standing.rule])


def _kind_of_interval(view: MetricView) -> str:
    """Return how intervals are made: by the t distribution where draws are normal."""
    return view.question.interval if view.evidence.normal_source is None else "t"


def _method(view: MetricView) -> Iterator[str]:
    """Yield the paragraphs that apply to this run."""
    if view.withheld:
        yield view.say(_RULES[view.standing.rule])
        return
    yield " ".join(_on_resamples(view))
    yield view.say(_INTERVALS[_kind_of_interval(view)])
    if len(view.result.names) == 1:
        return
    yield " ".join(_on_p(view))
    yield view.say(
        "Many comparisons make chance findings likely. Bonferroni, Holm and "
        "Benjamini–Hochberg adjust the p-values for the number of comparisons."
    )
    yield " ".join(_on_ties(view))
    yield from _on_draws(view)
    if not view.chosen_leader:
        yield view.say(
            "{reference} was named in the settings before the data were seen, so "
            "every comparison with it is two-sided. The rule “{rule}” separates two "
            "entries, or does not, at significance level {alpha}."
        )
    yield " ".join(_on_ranges(view))


def _on_resamples(view: MetricView) -> Iterator[str]:
    """Say how resamples are drawn, and which are left out; or why draws are normal."""
    say = view.say
    result = view.result
    if view.evidence.normal_source is not None:
        yield _on_normal_draws(view, view.evidence.normal_source)
        return
    yield say(
        "The paired bootstrap measures uncertainty. From the test set of each task, it draws "
        "as many {things} as there are, with replacement, and repeats this {resamples} times. "
        "Every entry is scored on the same drawn {things}, so easy and hard draws favor nobody."
        if result.public is None and any(evidence.n != result.n for evidence in result.evidence)
        else "The paired bootstrap measures uncertainty. It draws {n} {things} with replacement "
        "from the {n} of the test set, and repeats this {resamples} times. Every entry is "
        "scored on the same drawn {things}, so easy and hard draws favor nobody.",
        n=view.count(result.n),
    )
    if result.settings.group is not None:
        yield say(
            "Two kinds of groups cross ({column}). Those of both are drawn independently, and "
            "what belongs to two groups counts as often as both were drawn, multiplied (Owen, "
            "2007). Intervals thus allow for other groups of both kinds. They are too wide: "
            "standard errors are about 1.5 times too large. The kind that counts for fewer groups "
            "has {groups}."
            if len(result.settings.group_columns) > 1
            else "The {things} come in {groups} groups ({column}). Whole groups are drawn, because "
            "{things} of one group resemble each other. Intervals are then wider than said below "
            "(Hesterberg, 2015), and adjusted p-values come from the t distribution.",
            groups=MISSING if result.groups is None else view.count(result.groups),
            column=result.settings.group_name,
        )
    if view.evidence.people is not None:
        yield from _on_people(view, view.evidence.people)
    if result.settings.stratify is not None:
        yield say(
            "Every draw keeps the number of {things} in each stratum ({column}).",
            column=result.settings.stratify,
        )
    if undefined := max(evidence.undefined for evidence in result.evidence):
        yield say(
            "On {count:n} resample, a metric was undefined for some entry. That resample was "
            "left out for all entries.",
            "On {count:n} resamples, a metric was undefined for some entry. Those resamples "
            "were left out for all entries.",
            count=undefined,
        )


def _on_people(view: MetricView, people: JudgeAndPeople) -> Iterator[str]:
    """Say how people's scores correct the judge's, and what the judge is worth."""
    yield view.say(
        "People scored {judged:n} of {units:n} {things}, drawn at random. The judge's scores are "
        "corrected by how far the two are apart (weight {weight}; Angelopoulos et al., 2023). What "
        "people scored and the rest are drawn apart, and tests take the t distribution.",
        judged=people.judged,
        units=people.units,
        weight=view.numerals.fixed(people.weight, 2),
    )
    if people.worth is not None:
        yield view.say(
            "For the differences from the leader, this is worth about {worth:n} human judgments.",
            worth=round(people.worth),
        )


def _on_normal_draws(view: MetricView, source: str) -> str:
    """Say where the variance of normal draws comes from (`inference.normal`)."""
    say = view.say
    result = view.result
    folds = result.settings.folds
    if source == FOLDS and isinstance(folds, Folds):
        return say(
            "The {things} are folds of a cross-validation ({folds}), which share training data. So "
            "the variance of a mean is larger than that of independent scores (Nadeau and Bengio, "
            "2003), draws are normal with this variance, and tests take the t distribution with "
            "{freedom:n} degrees of freedom. This is approximate: in simulations with five kinds "
            "of learners, a given best entry was kept in .93 to 1.00 of the competitions.",
            folds=", ".join(f"{key}: {value:g}" for key, value in folds.stated.items()),
            freedom=folds.degrees_of_freedom,
        )
    if source == CROSSED:
        return say(
            "Two kinds of groups cross ({column}). What each kind makes vary is added up, and what "
            "single {things} make vary is taken off once (Cameron, Gelbach and Miller, 2011). "
            "Draws are normal with this variance, and tests take the t distribution. The kind that "
            "counts for fewer groups has {groups}.",
            groups=MISSING if result.groups is None else view.count(result.groups),
            column=result.settings.group_name,
        )
    return say(
        "Scores are means over runs, of which there are few. So the variance of the scores is "
        "estimated from {things} and from seeds; draws are normal with this variance, and "
        "intervals and tests use the t distribution."
    )


def _on_ranges(view: MetricView) -> Iterator[str]:
    """Say where rank ranges come from, and what they promise unless a caution forbids it."""
    yield view.say(
        "In a task, the places of an entry come from two step-down tests of it against "
        "all others: which are shown to be better, and which worse (Romano and Wolf, 2005; "
        "Mogstad and others, 2024)."
        if view.only_ranks
        else "The places of an entry come from two step-down tests of it against all others: which "
        "are shown to be better, and which worse (Romano and Wolf, 2005; Mogstad and others, 2024)."
    )
    if not view.serious:
        yield view.say(
            "Each end holds with {confidence} confidence for an entry that was chosen beforehand; "
            "for whoever came first, with less. By the mean rank, places come from the test of "
            "all tasks, and hold for all entries at once."
            if view.only_ranks
            else "Each end holds with {confidence} confidence for an entry that was chosen "
            "beforehand; for whoever came first, with less. Joint rank sets, which hold for all "
            "entries at once, are in results.json."
        )


def _on_p(view: MetricView) -> Iterator[str]:
    """Say what the p-values count: one-sided, and two-sided where they are shown."""
    yield view.say(
        "The one-sided p of a difference δ is the share of resamples in which the resampled "
        "difference is at least 2δ; the data themselves count as one resample. It says how often "
        "resampling moves the difference by as much as was observed (Berg-Kirkpatrick and others, "
        "2012)."
    )
    if view.chosen_leader:
        yield view.say(
            "The leader was chosen on the same data, so an uncorrected p of .05 against it means "
            "less than it says. With two teams, it is a test at about .10; with 20 close teams, it "
            "loses a truly best one in a third of competitions."
        )
    if any(view.two_sided(i) for i in view.all_but_reference()):
        yield view.say(
            "The two-sided p is the share of resamples in which the resampled difference lies at "
            "least |δ| from the mean of all resampled differences, on either side; the data "
            "themselves count as one resample (bootstrap-shift)."
        )


def _on_ties(view: MetricView) -> Iterator[str]:
    """Say how the tie rule decides, and what it promises unless a caution forbids it."""
    yield view.say(_RULES[view.standing.rule])
    if view.standing.rule in ("max_t", PROJECTION) and not view.serious:
        yield view.say(
            "A truly best entry stays a possible winner with at least {confidence} confidence, "
            "provided that the {things} are independent and the differences have no heavy "
            "tails; entries that are not best often stay too."
            if view.only_ranks
            else "It keeps any given truly best entry in about {confidence} of competitions, "
            "provided that the {things} are independent and the differences have no heavy tails."
        )


def _on_draws(view: MetricView) -> Iterator[str]:
    """Say why draws are studentized, if they are."""
    if view.standing.studentized is not None:
        m = len(view.names)
        tests = len(view.metric.components) if view.only_ranks else 1
        yield view.say(
            "{why}, the rank tests studentize their draws for {count} of {total} pairs of "
            "entries: each draw is also divided by the standard error that its own resample "
            "shows, and the larger result counts (Hall, 1992).",
            why=view.say(_STUDENTIZED[view.standing.studentized]),
            count=view.count(view.standing.studentized_pairs),
            total=view.count(m * (m - 1) // 2 * tests),
        )


def citation(views: Views) -> Iterator[Section]:
    """Yield how to cite the results where the competition has a title.

    A line names the competition, its host, date and address, and the program; so does an entry of
    BibTeX. What the settings do not say is left out.
    """
    view = views[0]
    settings = views[0].result.settings
    if not settings.title:
        return
    scored = view.say("Scored with Deadheat {version}.", version=__version__)
    named = ", ".join(part for part in (settings.title, settings.host, settings.date) if part)
    year = re.search(r"\b[12][0-9]{3}\b", settings.date)
    fields = {
        "title": f"{{{latex_text(settings.title)}}}",
        "author": f"{{{latex_text(settings.host)}}}" if settings.host else "",
        "year": year[0] if year else "",
        "url": settings.url,
        "note": latex_text(scored),
    }
    lines = [f"  {key} = {{{value}}}" for key, value in fields.items() if value]
    bibtex = "\n".join(["@misc{results,", ",\n".join(lines), "}"])
    blocks = (
        Paragraph(f"{named}. {scored} {settings.url}".strip(), "quote"),
        Paragraph(f"{bibtex}\n\n{_bibliography(view)}", "code"),
    )
    yield Section("citation", view.say("How to cite the results"), blocks)


def _read(name: str) -> str:
    """Return the literature behind the methods, or the papers that decide, as `CITATION.cff`."""
    return (templates_folder() / name).read_text(encoding="utf-8").rstrip()


def _bibliography(view: MetricView) -> str:
    """Return the papers that decide and the program of this version, as BibTeX."""
    papers = _read("papers.bib").replace("VERSION", __version__)
    return papers if view.evidence.people is None else f"{papers}\n\n{_read('people.bib')}"


# Overview paper -----------------------------------------------------------------------------------


#: What the paper says of who is first.
_PAPER = {
    "alone": gettext_noop(
        "{leader} ranks first ({metric} {score}, {interval}); this test set rules out that any "
        "other entry is better ({rule})."
    ),
    "alone_competing": gettext_noop(
        "{leader} ranks first ({metric} {score}, {interval}); this test set rules out that any "
        "other competing entry is better ({rule})."
    ),
    "alone_teams": gettext_noop(
        "{leader} ranks first ({metric} {score}, {interval}); this test set rules out that any "
        "other team is better ({rule})."
    ),
    "alone_verified": gettext_noop(
        "{leader} ranks first ({metric} {score}, {interval}); this test set separates it from "
        "every other entry. In this way, a wrong winner is named in at most {error} of "
        "competitions."
    ),
    "alone_verified_competing": gettext_noop(
        "{leader} ranks first ({metric} {score}, {interval}); this test set separates it from "
        "every other competing entry. In this way, a wrong winner is named in at most {error} of "
        "competitions."
    ),
    "alone_verified_teams": gettext_noop(
        "{leader} ranks first ({metric} {score}, {interval}); this test set separates it from "
        "every other team. In this way, a wrong winner is named in at most {error} of competitions."
    ),
    "alone_unsure": gettext_noop(
        "{leader} ranks first ({metric} {score}, {interval}). The rule “{rule}”, which may leave "
        "out possible winners, ties no other entry with it."
    ),
    "alone_unsure_competing": gettext_noop(
        "{leader} ranks first ({metric} {score}, {interval}). The rule “{rule}”, which may leave "
        "out possible winners, ties no other competing entry with it."
    ),
    "shared": gettext_noop(
        "{leaders} share first place ({metric} {score}), and no other entry is a possible "
        "winner ({rule})."
    ),
    "shared_competing": gettext_noop(
        "{leaders} share first place ({metric} {score}), and no other competing entry is a "
        "possible winner ({rule})."
    ),
    "shared_unsure": gettext_noop(
        "{leaders} share first place ({metric} {score}). The rule “{rule}”, which may leave out "
        "possible winners, ties no other entry with them."
    ),
    "shared_unsure_competing": gettext_noop(
        "{leaders} share first place ({metric} {score}). The rule “{rule}”, which may leave out "
        "possible winners, ties no other competing entry with them."
    ),
}
_PAPER_TIED = {
    "tied": ngettext_noop(
        "{leader} ranks first ({metric} {score}, {interval}); {tied} is a possible winner as well "
        "({rule}). The data do not say which of these {joint} is best.",
        "{leader} ranks first ({metric} {score}, {interval}); {tied} are possible winners as well "
        "({rule}). The data do not say which of these {joint} is best.",
    ),
    "tied_unsure": ngettext_noop(
        "{leader} ranks first ({metric} {score}, {interval}); {tied} is tied with it by "
        "the rule “{rule}”, which may leave out possible winners.",
        "{leader} ranks first ({metric} {score}, {interval}); {tied} are tied with it by "
        "the rule “{rule}”, which may leave out possible winners.",
    ),
    "shared_tied": ngettext_noop(
        "{leaders} share first place ({metric} {score}); {tied} is a possible winner as well "
        "({rule}). The data do not say which of these {joint} is best.",
        "{leaders} share first place ({metric} {score}); {tied} are possible winners as well "
        "({rule}). The data do not say which of these {joint} is best.",
    ),
    "shared_tied_unsure": ngettext_noop(
        "{leaders} share first place ({metric} {score}); {tied} is tied with them by "
        "the rule “{rule}”, which may leave out possible winners.",
        "{leaders} share first place ({metric} {score}); {tied} are tied with them by "
        "the rule “{rule}”, which may leave out possible winners.",
    ),
}
#: The same where another run, which does not stand for its team, beats the leader.
_BEATEN = ngettext_noop(
    "{leader} ranks first ({metric} {score}, {interval}), but the tie rule puts another run of "
    "{third} ahead ({rule}); possible winners: {winners}.",
    "{leaders} share first place ({metric} {score}), but the tie rule puts another run of "
    "{third} ahead of {beaten} ({rule}); possible winners: {winners}.",
)
#: What each interval is called.
_DRAWN = {
    "percentile": gettext_noop("percentile"),
    "standard_error": gettext_noop("standard-error"),
    "bca": gettext_noop("BCa"),
}

#: How scores were compared, by the source of normal draws.
_COMPARED = {
    None: gettext_noop(
        "{m} entries were scored on {test_examples}. Scores were compared on the same {resamples} "
        "bootstrap resamples of the {things} (paired), with {confidence} {interval} intervals."
    ),
    SEEDS: gettext_noop(
        "{m} methods were scored on {test_examples} by the mean over their runs. Scores were "
        "compared by {resamples} normal draws that allow for seeds as well as {things}, with "
        "{confidence} intervals by the t distribution."
    ),
    FOLDS: gettext_noop(
        "{m} entries were scored on {test_examples}. Scores were compared by {resamples} normal "
        "draws that allow for the training data that folds share, with {confidence} intervals by "
        "the t distribution."
    ),
    CROSSED: gettext_noop(
        "{m} entries were scored on {test_examples}. Scores were compared by {resamples} normal "
        "draws that allow for both kinds of groups, with {confidence} intervals by the t "
        "distribution."
    ),
}

#: Why there is no interval that allows for the selection (`Verdict.uncorrected_because`).
_UNCORRECTED = {
    "heavy_tails": gettext_noop("few {things} decide the scores"),
    "not_smooth": gettext_noop("there is none for quantiles"),
    "few_units": gettext_noop("the test set is too small"),
    "undefined": gettext_noop("the metric is undefined on some resamples"),
    "few_resamples": gettext_noop("{resamples} resamples are too few"),
    "seeds": gettext_noop("few runs say how much seeds matter"),
    "folds": gettext_noop("few folds say how much the scores vary"),
    "constant": gettext_noop("the score is the same on every resample"),
    "close": gettext_noop("the second entry is too close"),
    "rule": gettext_noop("the tie rule states no confidence"),
    "caution": gettext_noop("a serious caution withdraws the confidence"),
}


def paper(views: Views) -> Iterator[Section]:
    """Yield what organizers may write in their overview paper where every team was scored."""
    view = views[0]
    say = views[0].say
    if len(view.evidence.names) == 1 or view.result.form != "teams":
        return
    on_files = say(
        "The folder tables holds this text as LaTeX and Markdown, and the ranking, differences, "
        "pairs and competitiveness also as CSV. The folder figures holds every figure as SVG."
    )
    blocks = (
        *(Paragraph(text, "quote") for _, text in _paragraphs(view)),
        *([Paragraph(say("Repeat the cautions above in the paper."))] if view.weakened else []),
        Paragraph(on_files, "note"),
    )
    yield Section("paper", say("What to write in the overview paper"), blocks)


def paper_files(views: Views) -> dict[str, str]:
    """Return the same as files: name → content; no page stands by them.

    So serious cautions are among the limitations.
    """
    view = views[0]
    if len(view.evidence.names) == 1 or view.result.form != "teams":
        return {}
    cautions = cautions_of(views).items()
    serious = [sentence for sentence, caution in cautions if caution.level == "red"]
    paragraphs = list(_paragraphs(view, serious))
    figure = {}
    if "pdf" in view.result.settings.figures:
        caption = (
            f"{view.say('Photo finish by {metric}')}. {finish_note(view) or finish_caption(view)}"
        )
        figure["photo_finish.tex"] = figure_to_latex("photo_finish_column", caption)
    return {
        **figure,
        "paper.tex": text_to_latex(paragraphs, (*CITES, PEOPLE_CITE)),
        "paper.md": text_to_markdown(paragraphs),
        "paper.bib": f"{_bibliography(view)}\n",
    }


def _paragraphs(view: MetricView, cautions: Sequence[str] = ()) -> Iterator[tuple[str, str]]:
    """Yield what organizers may put into their paper, each paragraph after its heading.

    It claims no confidence that is withdrawn.
    """
    yield view.say("Method"), " ".join(_on_method(view))
    yield view.say("Results"), " ".join(_on_results(view))
    if limits := " ".join([*_on_limits(view), *cautions]):
        yield view.say("Limitations"), limits


def _on_method(view: MetricView) -> Iterator[str]:
    """Say what was scored and how it was compared."""
    say = view.say
    if view.withheld:
        yield say(
            "{m} entries were scored on {test_examples}. The metric can score no resample, so "
            "nothing was tested.",
            m=view.count(len(view.order)),
        )
        return
    yield say(
        _COMPARED[view.evidence.normal_source],
        m=view.count(len(view.order)),
        interval=say(_DRAWN[view.question.interval]),
    )
    people = view.evidence.people
    if people is not None:
        yield say(
            "People scored {judged:n} of the {units:n} {things}, drawn at random; a judge's scores "
            "of all {things} were corrected by how far the two are apart (weight {weight}) "
            "{source}.",
            judged=people.judged,
            units=people.units,
            weight=view.numerals.fixed(people.weight, 2),
            source=PEOPLE_CITE[0],
        )
    if view.scores.baselines:
        yield say(
            "{names} is a baseline, which cannot win.",
            "{names} are baselines, which cannot win.",
            count=len(view.scores.baselines),
            names=view.listed(view.scores.baselines, in_full=True),
        )
    if not view.chosen_leader:
        yield say(
            "Every entry is compared with {reference}, which was named before the data were seen."
        )
    bootstrap, ranges, program = (source for source, _ in CITES)
    yield say(
        "The bootstrap {bootstrap} and the places {ranges} were computed with Deadheat "
        "{version} {program}."
        if view.evidence.normal_source is None
        else "The places {ranges} were computed with Deadheat {version} {program}.",
        bootstrap=bootstrap,
        ranges=ranges,
        version=__version__,
        program=program,
    )


def _on_results(view: MetricView) -> Iterator[str]:
    """Say who is first, who may be, and where the leader's true score lies."""
    say = view.say
    interval = view.interval_of(view.scores.leader)
    values = {
        "interval": say("no interval") if interval == MISSING else interval,
        "leader": view.listed([view.scores.leader], in_full=True),
        "leaders": view.listed(view.scores.leaders, in_full=True),
        "score": view.score_of(view.scores.leader),
        "tied": view.listed(view.tied(), in_full=True),
        "joint": view.count(len(view.possible_winners)),
    }
    # A confidence is stated only for a rule that keeps a truly best entry with that confidence.
    if view.names_winners and not view.weakened and not view.withheld:
        values["rule"] = say("{rule}, {confidence} confidence")
    yield _who_won(view, values)
    if not view.withheld:
        yield from (*on_prizes.for_paper(view), *on_front.for_paper(view))
        yield from of_selection(view, in_full=True)
    yield from baselines_ahead(view)


def _on_limits(view: MetricView) -> Iterator[str]:
    """Say what the result does not show, and what was not scored."""
    if not view.withheld:
        yield from _uncorrected(view)
        yield from of_generality(view)
    yield from (*gaps(view), *not_scored(view))


def _uncorrected(view: MetricView) -> Iterator[str]:
    """Say why nobody knows where the leader's score truly lies, allowing for its selection."""
    verdict = view.evidence.verdict
    # Where several lead, no interval of one leader is printed.
    alone = not view.only_ranks and view.competing > 1 and len(verdict.leaders) == 1
    if verdict.corrected is None and alone:
        why = "caution" if view.weakened else verdict.uncorrected_because
        yield view.say(
            "The interval does not allow for the selection of the leader on the same data; no "
            "interval that does can be given, because {reason}.",
            reason=view.say(_UNCORRECTED[why if why in _UNCORRECTED else "rule"]),
        )


def _who_won(view: MetricView, values: Mapping[str, str]) -> str:
    """Return the paper's sentence on the leader or leaders and who is tied with them."""
    shared = len(view.scores.leaders) > 1
    tied = view.tied()
    if view.beaten_leaders:
        return beaten(view, _BEATEN, values, in_full=True)
    if len(view.scores.leaders) == view.competing:
        return view.say(
            "{leaders} share first place ({metric} {score}), so we report {joint} possible winners."
            if shared
            else "The {metric} of {leader} is {score} ({interval}).",
            **values,
        )
    sure = "" if view.names_winners else "_unsure"
    if tied:
        key = f"{'shared_' if shared else ''}tied{sure}"
        return view.say(*_PAPER_TIED[key], count=len(tied), **values)
    if view.evidence.verdict.verified:
        sure = "_verified"
    elif view.weakened:  # nothing is ruled out
        sure = "_unsure"
    key = f"{'shared' if shared else 'alone'}{sure}"
    return view.of_others(_PAPER, key, **values)
