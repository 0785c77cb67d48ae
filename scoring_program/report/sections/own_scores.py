"""What a participant sees who may see the scores only: the verdict, a few facts, the scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..numbers import MISSING
from ..precision import ShownScore, shown_score
from ..tables import ResultTable, TableColumn, cell
from ..view import Fact, MetricView
from .section import Passage, Section


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
            view.if_only_ranks("own_scores.caption"), confidence=view.confidence, metric=view.label
        ),
        columns=(
            TableColumn(("metric",), say("own_scores.metric")),
            TableColumn(("score",), say("own_scores.score"), numeric=True),
            TableColumn(("interval",), say("own_scores.interval", confidence=view.confidence)),
        ),
        rows=tuple(rows),
    )
    note = say(f"own_scores.{view.result.settings.precision}", examples=view.examples)
    content = Passage(caption=table.caption, table=table, note=note)
    yield Section("scores", say("own_scores.heading"), content)


def own_verdict(view: MetricView) -> str:
    """Return the sentence that says the score and, in a field, the rank and the tie."""
    own, analysis, focus = _own(view), view.analysis, view.focus or 0
    interval = _interval(view, own)
    values = {
        "metric": view.label,
        "score": _score(view, own),
        "confidence": view.confidence,
        "interval": interval,
        "rank": view.numerals.count(int(analysis.rank[focus])),
        "m": view.numerals.count(view.competing),
    }
    if view.result.form == "single":
        key = "single" if interval == MISSING else "single_interval"
    elif focus in analysis.leaders:
        key = "own_leads"
    else:
        key = "own_tied" if analysis.tied_with_leader[focus] else "own_behind"
    return view.language.say(f"verdict.{key}", **values)


def own_facts(view: MetricView) -> tuple[Fact, ...]:
    """Return the figures under the verdict, none of which depends on the gold."""
    say, count, result = view.language.say, view.numerals.count, view.result
    facts = [Fact(say(f"kinds.{result.kind}.name"), count(result.n))]
    if result.form == "field":
        facts.append(Fact(say("facts.submissions"), count(len(result.names) - 1)))
    return (*facts, Fact(say("facts.confidence"), view.confidence))


def _own(view: MetricView) -> ShownScore:
    return shown_score(view.result, view.analysis, view.focus or 0)


def _score(view: MetricView, own: ShownScore) -> str:
    return view.numerals.fixed(own.score, _decimals(own))


def _interval(view: MetricView, own: ShownScore) -> str:
    return view.numerals.interval(own.low, own.high, _decimals(own))


def _decimals(own: ShownScore) -> int:
    return 0 if own.grid is None else max(own.grid.decimals, 0)
