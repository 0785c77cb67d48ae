"""The method in plain words, where it comes from, and how to cite the results."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...core.phrases import MISSING, gettext_noop
from ...core.version import __version__
from ...document.blocks import Fact, Facts, Paragraph, Section
from ...document.take_away import latex_text
from ...inference.evidence import PROJECTION
from ..view import MetricView
from .paper import PAPERS

#: The literature behind the methods; titles stay in their own language.
SOURCES = (
    "S. Nava-Muñoz, M. Graff, H. J. Escalante (2023). Comparison of Classifiers in Challenge "
    "Scheme. MCPR 2023. doi:10.1007/978-3-031-33783-3_9",
    "S. Nava-Muñoz, M. Graff, H. J. Escalante (2024). Analysis of systems’ performance in natural "
    "language processing competitions. Pattern Recognition Letters.",
    "T. Berg-Kirkpatrick, D. Burkett, D. Klein (2012). An Empirical Investigation of Statistical "
    "Significance in NLP. EMNLP-CoNLL.",
    "M. Mogstad, J. P. Romano, A. M. Shaikh, D. Wilhelm (2024). Inference for Ranks with "
    "Applications to Mobility across Neighbourhoods and Academic Achievement across Countries. "
    "Review of Economic Studies. doi:10.1093/restud/rdad006",
    "J. P. Romano, M. Wolf (2005). Exact and Approximate Stepdown Methods for Multiple Hypothesis "
    "Testing. Journal of the American Statistical Association. doi:10.1198/016214504000000539",
    "B. Efron, R. J. Tibshirani (1994). An Introduction to the Bootstrap. Chapman & Hall.",
)

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


def method(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield the method of this run, and the literature."""
    say = views[0].say
    sources = tuple(Fact("", source) for source in SOURCES)
    blocks = (
        *map(Paragraph, _method(views[0])),
        Paragraph(say("Sources"), "heading"),
        Facts(sources, "sources", listed=True, english=True),
    )
    yield Section("method", say("Method in plain words"), blocks)


def in_short(view: MetricView) -> Iterator[str]:
    """Say how the run resamples, makes intervals and decides: it follows from its settings."""
    yield next(_on_resamples(view))
    yield view.say(_INTERVALS[view.question.interval])
    if view.competing > 1:
        yield view.say(_RULES[view.standing.rule])


def _method(view: MetricView) -> Iterator[str]:
    """Yield the paragraphs that apply to this run."""
    say = view.say
    yield " ".join(_on_resamples(view))
    yield say(_INTERVALS[view.question.interval])
    if len(view.result.names) == 1:
        return
    yield " ".join(_on_p(view))
    yield say(
        "Many comparisons make chance findings likely. Bonferroni, Holm and "
        "Benjamini–Hochberg adjust the p-values for the number of comparisons."
    )
    yield " ".join(_on_ties(view))
    yield from _on_draws(view)
    if not view.chosen_leader:
        yield say(
            "{reference} was named in the settings before the data were seen, so "
            "every comparison with it is two-sided. The rule “{rule}” separates two "
            "entries, or does not, at significance level {alpha}."
        )
    yield " ".join(_on_ranges(view))


def _on_resamples(view: MetricView) -> Iterator[str]:
    """Say how resamples are drawn, and which are left out."""
    say, result = view.say, view.result
    of_tasks = result.public is None and any(other.n != result.n for other in result.evidence)
    yield say(
        "The paired bootstrap measures uncertainty. From the test set of each task, it draws "
        "as many {things} as there are, with replacement, and repeats this {resamples} times. "
        "Every entry is scored on the same drawn {things}, so easy and hard draws favor nobody."
        if of_tasks
        else (
            "The paired bootstrap measures uncertainty. It draws {n} {things} with replacement "
            "from the {n} of the test set, and repeats this {resamples} times. Every entry is "
            "scored on the same drawn {things}, so easy and hard draws favor nobody."
        ),
        n=view.count(result.n),
    )
    if result.settings.group is not None:
        yield say(
            "Two kinds of groups cross ({column}). Those of both are drawn independently, and "
            "what belongs to two groups counts as often as both were drawn, multiplied (Owen, "
            "2007). Intervals thus allow for other groups of both kinds, and are too wide "
            "rather than too narrow. The kind that counts for fewer groups has {groups}."
            if len(result.settings.group_columns) > 1
            else "The {things} come in {groups} groups ({column}). Whole groups are drawn, "
            "because {things} of one group resemble each other. Intervals are then wider than "
            "said below (Hesterberg, 2015), and adjusted p-values come from the t "
            "distribution.",
            groups=MISSING if result.groups is None else view.count(result.groups),
            column=result.settings.group_name,
        )
    if result.settings.stratify is not None:
        yield say(
            "Every draw keeps the number of {things} in each stratum ({column}).",
            column=result.settings.stratify,
        )
    if undefined := max(other.undefined for other in result.evidence):
        yield say(
            "On {count:n} resample, a metric was undefined for some entry. That resample was "
            "left out for all entries.",
            "On {count:n} resamples, a metric was undefined for some entry. Those resamples "
            "were left out for all entries.",
            count=undefined,
        )


def _on_ranges(view: MetricView) -> Iterator[str]:
    """Say where rank ranges come from, and what they promise unless a caution forbids it."""
    say = view.say
    yield say(
        view.if_only_ranks(
            "A rank range comes from two step-down tests of its entry against all others: which "
            "are shown to be better, and which worse (Romano and Wolf, 2005; Mogstad and others, "
            "2024).",
            "In a task, a rank range comes from two step-down tests of its entry against all "
            "others: which are shown to be better, and which worse (Romano and Wolf, 2005; "
            "Mogstad and others, 2024).",
        )
    )
    if not view.serious:
        yield say(
            view.if_only_ranks(
                "Each end holds with {confidence} confidence for that entry. Joint rank sets, "
                "which hold for all entries at once, are in results.json.",
                "Each end holds with {confidence} confidence for that entry. By the mean rank, "
                "rank ranges come from the test of all tasks, and hold for all entries at once.",
            )
        )


def _on_p(view: MetricView) -> Iterator[str]:
    """Say what the p-values count: one-sided, and two-sided where they are shown."""
    say = view.say
    yield say(
        "The one-sided p of a difference δ is the share of resamples in which the resampled "
        "difference is at least 2δ; the data themselves count as one resample. It says how often "
        "resampling moves the difference by as much as was observed (Berg-Kirkpatrick and others, "
        "2012)."
    )
    if view.chosen_leader:
        yield say(
            "The leader was chosen on the same data, so an uncorrected p of .05 against it means "
            "less than it says. With two teams, it is a test at about .10; with 20 close teams, it "
            "loses a truly best one in a third of competitions."
        )
    if any(view.two_sided(i) for i in view.others()):
        yield say(
            "The two-sided p is the share of resamples in which the resampled difference lies at "
            "least |δ| from the mean of all resampled differences, on either side; the data "
            "themselves count as one resample (bootstrap-shift)."
        )


def _on_ties(view: MetricView) -> Iterator[str]:
    """Say how the tie rule decides, and what it promises unless a caution forbids it."""
    say = view.say
    yield say(_RULES[view.standing.rule])
    if view.standing.rule in ("max_t", PROJECTION) and not view.serious:
        yield say(
            view.if_only_ranks(
                "It keeps any given truly best entry in about {confidence} of competitions, "
                "provided that the {things} are independent and the differences have no heavy "
                "tails.",
                "A truly best entry stays a possible winner with at least {confidence} confidence, "
                "provided that the {things} are independent and the differences have no heavy "
                "tails; entries that are not best often stay too.",
            )
        )


def _on_draws(view: MetricView) -> Iterator[str]:
    """Say why draws are studentized, if they are."""
    evidence, numerals = view.evidence, view.numerals
    if view.standing.studentized is not None:
        m = len(evidence.names)
        tests = len(evidence.metric.components) if view.only_ranks else 1
        yield view.say(
            "{why}, the rank tests studentize their draws for {count} of {total} pairs of "
            "entries: each draw is also divided by the standard error that its own resample "
            "shows, and the larger result counts (Hall, 1992).",
            why=view.say(_STUDENTIZED[view.standing.studentized]),
            count=numerals.count(view.standing.studentized_pairs),
            total=numerals.count(m * (m - 1) // 2 * tests),
        )


def citation(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield how to cite the results where the competition has a title."""
    view = views[0]
    if view.result.settings.title:
        bibtex = Paragraph(f"{_bibtex(view)}\n\n{PAPERS}", "code")
        blocks = (Paragraph(_citation(view), "quote"), bibtex)
        yield Section("citation", view.say("How to cite the results"), blocks)


def _citation(view: MetricView) -> str:
    """Return one line that names the competition, its host, date and address, and the program."""
    settings = view.result.settings
    named = [part for part in (settings.title, settings.host, settings.date) if part]
    scored = view.say("Scored with Deadheat {version}.", version=__version__)
    return " ".join([f"{', '.join(named)}.", scored, settings.url]).strip()


def _bibtex(view: MetricView) -> str:
    """Return the BibTeX entry of the results; what the settings do not say is left out."""
    settings = view.result.settings
    year = re.search(r"\b[12][0-9]{3}\b", settings.date)
    fields = {
        "title": f"{{{latex_text(settings.title)}}}",
        "author": f"{{{latex_text(settings.host)}}}" if settings.host else "",
        "year": year[0] if year else "",
        "url": settings.url,
        "note": latex_text(view.say("Scored with Deadheat {version}.", version=__version__)),
    }
    lines = [f"  {key} = {{{value}}}" for key, value in fields.items() if value]
    return "\n".join(["@misc{results,", ",\n".join(lines), "}"])
