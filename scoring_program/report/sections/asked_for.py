"""What the organizer asked for, answered under the verdict: prizes, a margin, slices."""

from __future__ import annotations

from collections.abc import Iterator

from ...document.blocks import Link
from ..view import MetricView
from .verdict import error


def answers(view: MetricView) -> Iterator[Link]:
    """Yield each answer with its place on the page and the setting in words, for the contents.

    Slices have tables of their own, which the contents lead to.
    """
    if view.result.form != "teams" or view.competing < 2:
        return
    for sentence in places(view):
        yield Link("prizes", view.language.say("Prizes"), said=sentence)
    for sentence in _practically_best(view):
        yield Link("margin", view.language.say("Margin"), said=sentence)
    for sentence in _slices(view):
        yield Link("", "", said=sentence)


def places(view: MetricView) -> Iterator[str]:
    """Say whether the test set settles which entries are the first K."""
    prizes = view.evidence.question.prizes
    if prizes is None or not 1 < prizes < view.competing or not view.names_winners:
        return
    yield view.language.say(
        "The test set does not settle which entries are the first {count}."
        if view.evidence.verdict.places is None
        else (
            "The test set settles which entries are the first {count}: a wrong set is named in at "
            "most {error} of competitions. Nothing is said about their order."
        ),
        count=view.numerals.count(prizes),
        error=error(view),
    )


def _practically_best(view: MetricView) -> Iterator[str]:
    """Say who is at most a margin behind the best."""
    distances, margin = view.evidence.distances, view.evidence.question.margin
    near = None if distances is None else distances.practically_best
    if near is None or margin is None or view.weakened:
        return
    best = [i for i in view.scores.order.tolist() if near[i]]
    yield view.language.say(
        "At most {margin} behind the best: {names}."
        if best
        else "No entry can be said to be at most {margin} behind the best.",
        margin=view.numerals.plain(margin),
        names=view.listed(best),
    )


def _slices(view: MetricView) -> Iterator[str]:
    """Say of each column of slices where the overall leader is no possible winner."""
    columns: dict[str, list[str]] = {}
    for one in view.evidence.slices:
        others = columns.setdefault(one.column, [])
        if one.other_leader is not None:
            others.append(f"{one.value} ({view.names[one.other_leader]})")
    for column, others in columns.items():
        yield view.language.say(
            "{column}: the overall leader is no possible winner in {slices}."
            if others
            else "{column}: in no slice is another entry shown to be best.",
            column=column,
            slices=view.language.joined(others),
        )
