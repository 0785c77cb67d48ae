"""How close the competition was: the papers' measures, and how many examples would settle it."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator

import numpy as np

from ...core.phrases import MISSING, THINGS, Language, gettext_noop
from ...document.blocks import Block, Section, passage
from ...document.take_away import Cell, TableColumn, cell
from ...inference.analyze import shortened
from ...inference.evidence import PairPlan
from ...inference.planning import POWER
from ...reading.formats.kind import ROWS
from ..numbers import planned_size
from ..results_json import flat
from ..view import CORRECTIONS, MANY_ROWS, RULES, FilledColumn, MetricView, Views, Writer

#: What the measures are called.
_MEASURES = {
    "ties_with_winner": gettext_noop("Ties with the winner, {correction}"),
    "possible_comparisons": gettext_noop("Possible comparisons"),
    "ties_between_competitors": gettext_noop("Ties between competitors, {correction}"),
    "winner_minus_median": gettext_noop("Winner − median"),
    "cv_percent": gettext_noop("Coefficient of variation, CV (%)"),
    "ppi_percent": gettext_noop("Possible improvement, PPI (%)"),
    "ppi_unbounded": gettext_noop(
        "Possible improvement, PPI (% of the range; without a range, the winner's error)"
    ),
}
#: Whose measures they are, and how to read them.
CAPTION = gettext_noop(
    "These are the measures of Nava-Muñoz, Graff and Escalante (2024). Many ties, a small distance "
    "from winner to median, a small CV and a small PPI mean a close competition. A small PPI also "
    "means that little room is left for improvement. For an error metric without an upper bound, "
    "PPI is the winner's own error."
)


def measures(views: Views) -> Iterator[Section]:
    """Yield the measures where there are several entries, one column per metric."""
    first = views[0]
    say = views[0].language.say
    if len(first.result.names) == 1:
        return
    bounded = all(math.isfinite(view.metric.high - view.metric.low) for view in views)

    def column(view: MetricView) -> FilledColumn:
        values = dict(flat(vars(view.evidence.competitiveness), "."))
        heading = TableColumn((view.metric.name,), view.label, numeric=True)
        return heading, lambda measure: measure_cell(view, measure[0], values.get(measure[0]))

    table = first.table(
        "competitiveness",
        first.say("Competitiveness of the competition."),
        competitiveness_measures(first.language, kinds=(first.kind,), bounded=bounded),
        (measures_column(first), *map(column, views)),
    )
    blocks = passage(caption=say(CAPTION), table=table)
    yield Section("competitiveness", say("How close was it?"), blocks)


def competitiveness_measures(
    language: Language, *, kinds: Collection[str] = (ROWS,), bounded: bool = True
) -> Iterator[tuple[str, str]]:
    """Yield (key, heading) of every measure of competitiveness in the order of the papers.

    ``kinds`` are those of the examples, which n counts. Unless all metrics are ``bounded``, PPI may
    be an error in the metric's own units.
    """
    (kind, *more) = sorted({language.known(kind) for kind in kinds})
    examples = language.say("Examples or units") if more else language.say(THINGS[kind].heading)
    yield "n", language.say("{examples}, n", examples=examples)
    yield "m", language.say("Entries, m")
    for key, heading in _MEASURES.items():
        if "{correction}" in heading:
            for correction, word in CORRECTIONS.items():
                yield f"{key}.{correction}", language.say(heading, correction=language.say(word))
        elif key not in ("ppi_percent", "ppi_unbounded"):
            yield key, language.say(heading)
    yield "ppi_percent", language.say(_MEASURES["ppi_percent" if bounded else "ppi_unbounded"])


def measure_cell(writer: Writer, key: str, value: float | int | None) -> Cell:
    """Return the cell of one measure: counts whole, percentages with two decimals."""
    if value is None or not math.isfinite(value):
        return cell(MISSING, None)
    if key == "winner_minus_median" or key.endswith("_percent"):
        decimals = writer.decimals if key == "winner_minus_median" else 2
        return cell(writer.numerals.fixed(float(value), decimals), float(value))
    return cell(writer.count(int(value)), int(value))


def measures_column(writer: Writer) -> FilledColumn:
    """Return what heads the rows of a table of measures, which are given as (key, heading)."""
    heading = TableColumn(("measure",), writer.say("Measure"))
    return heading, lambda measure: cell(measure[1], measure[0])


# How many examples would settle it ----------------------------------------------------------------


def sample_size(views: Views) -> Iterator[Section]:
    """Yield what this test set separates, and what would separate the tied entries."""
    first = views[0]
    say = views[0].say
    rows = [(view, pair) for view in views for pair in view.evidence.plan]
    smallest = [
        view.say("{difference} in {metric}", difference=_about(view, least))
        for view in views
        if (least := _smallest(view)) is not None
    ]
    if not rows and not smallest:
        return
    caption = " ".join(_caption(first))
    ahead = say("Resamples in which it is ahead")
    percent = first.numerals.percent
    runs_needed = []
    if first.evidence.seed_share is not None:
        heading = say("Or runs of each method")
        runs_needed.append(first.words("runs_needed", heading, _runs_needed, numeric=True))
        heading = say("Or both: {things} and runs")
        runs_needed.append(first.words("both_needed", heading, _both_needed, numeric=True))
    columns = (
        first.words("metric", say("Metric"), lambda row: row[0].label),
        first.words("entry", say("Entry"), lambda row: row[0].evidence.names[row[1].entry]),
        first.words("difference", say("Difference"), _ahead, numeric=True),
        first.words("needed", say("{Things} needed"), lambda row: _needed(*row), numeric=True),
        *runs_needed,
        first.words("ahead", ahead, lambda row: percent(row[1].other_ahead), numeric=True),
    )
    several = len({view.label for view, _ in rows}) > 1  # one metric needs no column
    used_columns = columns if several else columns[1:]
    table: Block = first.table("", caption, rows, used_columns)
    if len(rows) > MANY_ROWS:
        table = Section("", say("Entry by entry"), (table,), folded=True)
    rule = first.question.tie_rule
    assumed = first.say(
        "These numbers assume {power} power and {test} tests by the rule “{rule}” at "
        "significance level {alpha}.",
        power=first.numerals.exact_percent(POWER),
        test=say("two-sided" if rule == "interval" else "one-sided"),
        rule=say(RULES[rule]),
    )
    separable = say(
        "A true difference of about {differences} would be found in 8 of 10 such test sets; "
        "smaller ones only with luck.",
        differences=first.language.listed(smallest),
    )
    paragraphs = [*([separable] if smallest else []), *_of_samples(views)]
    blocks = passage(paragraphs, caption if rows else "", table if rows else None, note=assumed)
    yield Section("planning", say("How many {things} would be needed"), blocks)


def _smallest(view: MetricView) -> float | None:
    """Return the difference that such test sets would find with the planned power, if it is said.

    It is not where the page tells apart entries that lie nearer to each other: by luck, or because
    their pair is judged more precisely than most.
    """
    smallest = view.evidence.smallest_separable
    if smallest is None or not math.isfinite(smallest):
        return None
    standing = view.standing
    score = view.scores.score
    better, worse = np.nonzero(standing.better)
    ranked = (standing.rank_low[better] > 0) & (standing.rank_low[worse] > 0)
    apart = np.abs(score[better] - score[worse])[ranked]
    winners = view.evidence.verdict.possible_winners
    behind = np.abs(score - view.best)[(standing.rank_low > 0) & ~winners]
    nearest = min((float(gap) for gap in (*apart, *behind)), default=math.inf)
    return smallest if smallest <= nearest else None


def _caption(view: MetricView) -> Iterator[str]:
    """Say what the table shows, and what its numbers mean."""
    yield view.say(
        "For each possible winner besides {reference}, the table shows how many {things} of "
        "the same kind would probably show which of the two is better."
        if view.calls_winners
        else "For each entry tied with {reference}, the table shows how many {things} of the same "
        "kind would probably show which of the two is better.",
        reference=view.say("the leader by its metric"),
    )
    yield view.say(
        "The true difference is not known, so the power is the mean over the resampled "
        "differences, whoever is ahead in them. “Out of reach” means that not even 100 times as "
        "many {things} would give that power."
    )
    people = view.evidence.people
    if people is not None:
        yield view.say(
            "People are taken to judge as large a share of more {things} as of these ({share}).",
            share=view.numerals.percent(people.judged / people.units),
        )
    if view.evidence.seed_share is not None:
        yield view.say(
            "More {things} shorten one part of the uncertainty, more runs of each method the "
            "other. So the table says how many {things} would do with these runs, how many runs "
            "with these {things}, and how many of both."
        )


def _ahead(row: tuple[MetricView, PairPlan]) -> str:
    """Return how far the leader is ahead of the entry."""
    view, pair = row
    return view.difference(pair.difference)


def _of_samples(views: Views) -> Iterator[str]:
    """Say whether more samples or more examples would shorten the interval of the closest rival."""
    for view in views:
        samples = view.evidence.samples
        rivals = view.all_but_reference()
        if samples is None or not rivals:
            continue
        rival = rivals[0]
        share = float(samples[1][rival])
        percent = view.numerals.percent
        if math.isnan(share):
            continue
        yield view.say(
            "By {metric}, {share} of the variance of the difference between {reference} and "
            "{rival} comes from the samples of each {thing}, and the rest from the {things}. "
            "Twice as many samples of each {thing} would make its interval shorter by {samples}, "
            "twice as many {things} by {examples}.",
            rival=view.names[rival],
            share=percent(share),
            samples=percent(shortened(share)),
            examples=percent(shortened(1.0)),
        )


def _needed(view: MetricView, pair: PairPlan) -> str:
    """Return a planned size in digits, or words where it is out of reach or not above this one."""
    if pair.examples_needed is None:
        return view.say("out of reach")
    if pair.examples_needed <= view.evidence.n:
        return view.say("about as many as now")
    return view.count(planned_size(pair.examples_needed))


def _runs_needed(row: tuple[MetricView, PairPlan]) -> str:
    """Return how many runs of each method would do with as many examples as now."""
    view, pair = row
    if pair.runs_needed is None:
        return view.say("out of reach")
    return view.count(pair.runs_needed)


def _both_needed(row: tuple[MetricView, PairPlan]) -> str:
    """Return how many examples and runs of each method would do together."""
    view, pair = row
    if pair.both_needed is None:
        return view.say("out of reach")
    examples, runs = pair.both_needed
    return view.say(
        "{examples} and {runs}",
        examples=view.count(planned_size(examples)),
        runs=view.count(runs),
    )


def _about(view: MetricView, value: float) -> str:
    """Return a positive number with two significant digits."""
    decimals = 1 - math.floor(math.log10(value)) if value > 0 else 0
    return view.numerals.fixed(round(value, decimals), max(decimals, 0))
