"""How far behind the best every entry may truly be: what the photo finish shows of a metric."""

from __future__ import annotations

import math
from collections.abc import Iterable

from ...core.phrases import Language
from ...document.figures.photo_finish import (
    COLUMN,
    PAGE,
    Runner,
    card,
    foremost,
    in_letters,
    photo_finish,
)
from ...document.marks import Drawing, Heading
from ..view import RULES, MetricView
from .verdict import verdict

#: A figure of a paper has all possible winners, and further entries up to so many rows.
ROWS_OF_FIGURE = 12
#: A card has room for no more entries.
_MOST = 6


def runners_of(view: MetricView, entries: Iterable[int] | None = None) -> list[Runner]:
    """Return entries, all in the order of the ranking if they are not named."""
    evidence, winners = view.evidence, set(view.possible_winners)
    sign = 1 if view.metric.greater_is_better else -1
    best, bars = float(view.scores.score[view.scores.leader]), evidence.distances
    runners = []
    for i in view.order if entries is None else entries:
        observed = sign * (best - float(view.scores.score[i]))
        runners.append(
            Runner(
                name=evidence.names[i],
                observed=observed,
                near=math.nan if bars is None else float(bars.near[i]),
                far=evidence.distance(i),
                winner=i in winners,
                distance=view.score(observed),
                score=view.score_of(i),
                places=view.rank_range(i),
                focus=view.focused(i),
            )
        )
    return runners


def headings_of(language: Language, label: str) -> tuple[str, str, str]:
    """Return what stands above the distances, the scores and the places by a metric."""
    return language.say("{metric} behind the best", metric=label), label, language.say("Places")


def finish_caption(view: MetricView) -> str:
    """Say what a bar is, with its confidence unless serious cautions withdraw it."""
    if view.evidence.verdict.confidence is None:
        return view.language.say(
            "A bar shows how far behind the best the rule takes an entry to be; the dot is the "
            "distance observed. A bar reaches the finish line if and only if its entry is a "
            "possible winner."
        )
    return view.language.say(
        "A bar shows how far behind the best an entry may truly be, with {confidence} confidence; "
        "the dot is the distance observed. A bar reaches the finish line if and only if its entry "
        "may be the best.",
        confidence=view.confidence,
    )


def finish_note(view: MetricView) -> str:
    """Say what is drawn instead where there are no bars; nothing where there are."""
    if view.evidence.distances is not None or view.competing < 2:
        return ""
    only_ranks = view.evidence.intervals is None
    return without_bars(view.language, view.standing.rule, only_ranks=only_ranks)


def without_bars(language: Language, rule: str, *, only_ranks: bool) -> str:
    """Say what is drawn where a rule, or a metric that only ranks, gives no bars."""
    if only_ranks:
        return language.say(
            "Dots are the distances observed; a mean rank has no bars. Blue: possible winners."
        )
    return language.say(
        "Dots are the distances observed; the rule “{rule}” gives no bars. Blue: possible winners.",
        rule=language.say(RULES[rule]),
    )


def finish_figures(view: MetricView) -> dict[str, Drawing]:
    """Return the figures of a paper, by name: as wide as a column, and as a page."""
    if len(view.evidence.names) < 2:
        return {}
    runners = foremost(runners_of(view), ROWS_OF_FIGURE)
    more = left_out(view.language, len(view.evidence.names) - len(runners))
    said = " ".join(filter(None, [finish_note(view), more]))
    title = view.language.say("Photo finish by {metric}", metric=view.label)
    about = f"{verdict(view)} {finish_note(view) or finish_caption(view)}"
    drawings, headings = {}, headings_of(view.language, view.label)
    for name, width in (("column", COLUMN), ("page", PAGE)):
        heading = Heading(f"finish-{view.index + 1}-{name}", title, about)
        drawings[f"photo_finish{view.suffix}_{name}"] = photo_finish(
            heading, runners, headings, view.numerals.fixed, said, width
        )
    return drawings


def finish_text(view: MetricView) -> list[str]:
    """Return the picture as lines of text for a terminal."""
    if len(view.evidence.names) < 2:
        return []
    runners = foremost(runners_of(view), ROWS_OF_FIGURE)
    lines = in_letters(runners)
    more = left_out(view.language, len(view.evidence.names) - len(runners))
    return [*lines, more] if more else lines


def left_out(language: Language, count: int) -> str:
    """Say how many entries are not shown, if any."""
    if not count:
        return ""
    return language.say(
        "{count:n} more entry is not shown.", "{count:n} more entries are not shown.", count=count
    )


def card_of(view: MetricView, title: str, verdict: str, source: str) -> Drawing:
    """Return the card: the verdict, verified places, and the photo finish of the first entries."""
    first = view.order[:_MOST]
    if view.focus is not None and view.focus not in first:
        first[-1] = view.focus
    several = len(view.evidence.names) > 1
    headings = headings_of(view.language, view.label) if several else ("", view.label, "")
    runners = runners_of(view, first)
    places, note = view.evidence.verdict.places, ""
    if places is not None:
        count = view.numerals.count(places)
        note = view.language.say(
            "The test set settles which entries are the first {count}.", count=count
        )
    heading = Heading("card", title, f"{verdict} {note}".strip())
    return card(heading, (verdict, note), source, headings, runners)
