"""What a participant sees who may see the scores only: the verdict, a few facts, the scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core.numerals import MISSING
from ...core.phrases import THINGS, gettext_noop
from ...document.blocks import Fact, Facts, ResultTable, Section, TableColumn, cell, passage
from ..precision import ShownScore, shown_score
from ..view import MetricView

#: What is said of the precision that the settings choose.
_SHOWN = {
    "digits": gettext_noop(
        "The organizers chose to show scores only. They are rounded to four digits."
    ),
    "standard_error": gettext_noop(
        "The organizers chose to show scores only. They are rounded to what a test set of "
        "{examples} can tell."
    ),
}
_VERDICT = {
    "single": gettext_noop("This submission scores {metric} {score}."),
    "single_interval": gettext_noop(
        "This submission scores {metric} {score}, with a {confidence} interval of {interval}."
    ),
    "own_leads": gettext_noop(
        "This submission takes rank {rank} of {m} with {metric} {score}: no competing entry has a "
        "better score."
    ),
    "own_tied": gettext_noop(
        "This submission takes rank {rank} of {m} with {metric} {score}, but may be as good as the "
        "leader, or better."
    ),
    "own_behind": gettext_noop(
        "This submission takes rank {rank} of {m} with {metric} {score}; it is not a possible "
        "winner."
    ),
}


def sections(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield the submission's scores by all metrics, the ranking metric first."""
    view, say = views[0], views[0].language.say
    rows = []
    for each in views:
        own = _own(each)
        rows.append((cell(each.label), cell(_score(each, own)), cell(_interval(each, own))))
    table = ResultTable(
        name="scores",
        caption=say(
            view.if_only_ranks(
                "Your scores, each with its {confidence} interval.",
                "Your scores, with {confidence} intervals but for {metric}, which has none.",
            ),
            confidence=view.confidence,
            metric=view.label,
        ),
        columns=(
            TableColumn(("metric",), say("Metric")),
            TableColumn(("score",), say("Score"), numeric=True),
            TableColumn(("interval",), say("{confidence} interval", confidence=view.confidence)),
        ),
        rows=tuple(rows),
    )
    note = say(_SHOWN[view.result.settings.precision], examples=view.examples)
    blocks = passage(caption=table.caption, table=table, note=note)
    yield Section("scores", say("Scores"), blocks)


def own_verdict(view: MetricView) -> str:
    """Return the sentence that says the score and, in a field, the rank and the tie."""
    own, focus = _own(view), view.focus or 0
    interval = _interval(view, own)
    values = {
        "metric": view.label,
        "score": _score(view, own),
        "confidence": view.confidence,
        "interval": interval,
        "rank": view.numerals.count(int(view.scores.rank[focus])),
        "m": view.numerals.count(view.competing),
    }
    if view.result.form == "single":
        key = "single" if interval == MISSING else "single_interval"
    elif focus in view.scores.leaders:
        key = "own_leads"
    else:
        key = "own_tied" if view.standing.tied_with_leader[focus] else "own_behind"
    return view.language.say(_VERDICT[key], **values)


def own_facts(view: MetricView) -> Facts:
    """Return the figures under the verdict, none of which depends on the gold."""
    say, count, result = view.language.say, view.numerals.count, view.result
    facts = [Fact(say(THINGS[view.language.known(result.kind)].heading), count(result.n))]
    if result.form == "field":
        facts.append(Fact(say("Other submissions in the field"), count(len(result.names) - 1)))
    return Facts((*facts, Fact(say("Confidence"), view.confidence)))


def _own(view: MetricView) -> ShownScore:
    return shown_score(view.result, view.evidence, view.focus or 0)


def _score(view: MetricView, own: ShownScore) -> str:
    return view.numerals.fixed(own.score, _decimals(own))


def _interval(view: MetricView, own: ShownScore) -> str:
    return view.numerals.interval(own.low, own.high, _decimals(own))


def _decimals(own: ShownScore) -> int:
    return 0 if own.grid is None else max(own.grid.decimals, 0)
