"""What a participant sees who may see the scores only: the verdict, its own bar, the scores."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ...core.phrases import MISSING, THINGS, gettext_noop
from ...document.blocks import Fact, Facts, Section, passage
from ...document.figures.photo_finish import Runner
from ..scores import ShownScore, shown_bar, shown_score
from ..view import MetricView, Views
from .ranking import lanes_of
from .verdict import VERDICT, of_place

#: Below such a score, most spans of a submission that is any good may count positions otherwise.
_HARDLY = 0.05
_VERDICT = {
    **VERDICT,
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


def sections(views: Views) -> Iterator[Section]:
    """Yield the submission's bar, and its scores by all metrics, the ranking metric first."""
    view = views[0]
    say = views[0].say
    yield from _finish(view)
    caption = say(
        "Your scores, with {confidence} intervals but for {metric}, which has none."
        if view.only_ranks or view.withheld
        else "Your scores, each with its {confidence} interval."
    )
    heading = view.interval_heading

    def score_of(of_metric: MetricView) -> str:
        return _score(of_metric, _shown_score(of_metric))

    def interval_of(of_metric: MetricView) -> str:
        return _interval(of_metric, _shown_score(of_metric))

    columns = (
        view.words("metric", say("Metric"), lambda of_metric: of_metric.label),
        view.words("score", say("Score"), score_of, numeric=True),
        view.words("interval", heading, interval_of, numeric=True),
    )
    table = view.table("scores", caption, views, columns)
    note = say(
        "The organizers chose to show scores only. They are rounded to four digits."
        if view.result.settings.precision == "digits"
        else "The organizers chose to show scores only. They are rounded to what a test set of "
        "{examples} can tell."
    )
    yield Section("scores", say("Scores"), passage(table=table, note=note))


def _finish(view: MetricView) -> Iterator[Section]:
    """Yield how far behind the best the submission may be, rounded outward, where that is known.

    There is no dot: the distance observed is a rival's score.
    """
    say = view.say
    focus = view.focus or 0
    near, far = shown_bar(view.result, view.evidence, focus)
    if view.result.form != "field" or math.isnan(near) or not math.isfinite(far):
        return
    decimals = _decimals(_shown_score(view))
    winner = focus in view.possible_winners
    # A bar that is rounded to the line stops short of it all the same.
    drawn_near = 0.0 if winner else near or math.ulp(0.0)
    runner = Runner(view.names[focus], math.nan, drawn_near, far, "", "", "", winner, focus=True)
    lanes = lanes_of(view, {focus: runner})
    least, most = (view.numerals.fixed(end, decimals) for end in (near, far))
    limits = say("at most {distance}", distance=most)
    if near > 0:
        limits = say("at least {least}, at most {most}", least=least, most=most)
    caption = say(
        "How far behind the best your submission may truly be, rounded outward. The bar "
        "reaches the finish line if and only if the tie rule cannot rule it out as the best."
    )
    columns = (
        view.words("entry", say("Entry"), lambda _: say("your submission")),
        lanes,
        view.words("behind", say("Behind the best"), lambda _: limits, numeric=True),
    )
    table = view.table("finish", caption, [focus], columns, style="cards ranking")
    yield Section("finish", lanes[0].heading, passage(table=table))


def own_verdict(view: MetricView) -> str:
    """Return the sentence that says the score and, in a field, the rank and the tie."""
    score = _shown_score(view)
    focus = view.focus or 0
    interval = _interval(view, score)
    key = "own_tied" if view.evidence.verdict.possible_winners[focus] else "own_behind"
    if view.result.form == "single":
        key = "single" if interval == MISSING else "single_interval"
    elif view.competing == 1:
        key = "field_only"
    elif focus in view.scores.leaders:
        key = "own_leads"
    rank = view.count(int(view.scores.rank[focus]))
    m = view.count(view.competing)
    sentence = view.say(_VERDICT[key], score=_score(view, score), interval=interval, rank=rank, m=m)
    return " ".join(
        [sentence, *view.among_all(focus), *map(view.say, view.result.unscored.values())]
    )


def own_place(view: MetricView) -> tuple[str, ...]:
    """Return what the place means and what would change it; only the own score enters."""
    return tuple(of_place(view, _interval(view, _shown_score(view))))


def own_hint(views: Views) -> tuple[str, ...]:
    """Return how spans that hardly match may be meant, from nothing but the score that is shown.

    The caution about spans that match if they are moved tells something about the gold.
    """
    spans = [view for view in views if str(view.metric.function).startswith("span_")]
    hint = views[0].say(
        "Hardly any of your spans match. If this surprises you, ask the organizers how they count "
        "positions: is the last character part of a span, and is the first one 0 or 1?"
    )
    return (hint,) if any(_shown_score(view).score < _HARDLY for view in spans) else ()


def own_facts(view: MetricView) -> Facts:
    """Return the figures under the verdict, none of which depends on the gold."""
    say = view.say
    count = view.count
    result = view.result
    facts = [Fact(say(THINGS[view.language.known(result.kind)].heading), count(result.n))]
    if result.form == "field":
        facts.append(Fact(say("Other submissions in the field"), count(len(result.names) - 1)))
    return Facts((*facts, Fact(say("Confidence"), view.confidence)))


def _shown_score(view: MetricView) -> ShownScore:
    return shown_score(view.result, view.evidence, view.focus or 0)


def _score(view: MetricView, score: ShownScore) -> str:
    return view.numerals.fixed(score.score, _decimals(score))


def _interval(view: MetricView, score: ShownScore) -> str:
    return view.numerals.interval(score.low, score.high, _decimals(score))


def _decimals(score: ShownScore) -> int:
    return 0 if score.grid is None else max(score.grid[1], 0)
