"""What the marks of figures that stand alone mean, and captions that a page says only once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...core.phrases import gettext_noop
from ...document.blocks import Paragraph
from ...document.figures.distributions import blob_radius
from ...document.marks import Key
from ..view import STATUS, MetricView

#: The shapes of entries, in the order of a legend.
_SHAPES = ("leader", "reference", "ahead", "tied", "behind")
#: What the color of the leader means in a rank chart.
_RANGES = {
    "range_tied": gettext_noop("leader or tied with it: rank range, rank as a dot"),
    "range_tied_winners": gettext_noop("leader or possible winner: rank range, rank as a dot"),
    "range_tied_reference": gettext_noop(
        "{reference}, not separated from it, or leader: rank range, rank as a dot"
    ),
}
#: What the shapes of scores within slices mean.
_SLICES = {
    "leader": gettext_noop("overall leader"),
    "ahead": gettext_noop("leads in the slice instead"),
    "plain": gettext_noop("score of another entry"),
}


def status_keys(view: MetricView, shapes: Iterable[str]) -> tuple[Key, ...]:
    """Return how entries stand against the reference, of the shapes that a figure has."""
    present = set(shapes)
    name = view.reference_heading
    return tuple(Key(shape, view.stands(shape, name)) for shape in _SHAPES if shape in present)


def score_bar(view: MetricView) -> Key:
    """Return the key of the interval of a score."""
    return Key("bar", view.say("{confidence} interval of the score", context="legend"))


def score_keys(view: MetricView, shapes: Iterable[str]) -> tuple[Key, ...]:
    """Return the keys of scores with their intervals, and of the line through the reference's."""
    say, several = view.say, len(view.evidence.names) > 1
    keys = [*status_keys(view, shapes if several else ())]
    if view.has_intervals:
        keys.append(score_bar(view))
    if several:
        keys.append(Key("rule", say("score of {reference}", reference=view.reference_heading)))
    return tuple(keys)


def range_keys(view: MetricView, shapes: Iterable[str]) -> tuple[Key, ...]:
    """Return the keys of the lines of a rank chart, one for each color."""
    say, present = view.say, set(shapes)
    tied = "range_tied" if view.chosen_leader else "range_tied_reference"
    tied += "_winners" if view.rings_are_winners else ""
    others = [key for key in standing_keys(view, present) if key.mark in ("ahead", "behind")]
    return (
        Key("range-tied", say(_RANGES[tied], reference=view.reference_heading)),
        *(Key(f"range-{key.mark}", key.text) for key in others),
    )


def standing_keys(view: MetricView, shapes: Iterable[str]) -> tuple[Key, ...]:
    """Return how entries stand, in few words where they stand against a possible winner."""
    present = set(shapes)
    if not view.chosen_leader or view.beaten_leaders or not present <= {"leader", "tied", "behind"}:
        return status_keys(view, present)
    tied = STATUS["winner"] if view.rings_are_winners else gettext_noop("tied with the leader")
    say, words = view.say, {**STATUS, "tied": tied}
    return tuple(Key(shape, say(words[shape])) for shape in _SHAPES if shape in present)


def slice_keys(view: MetricView, shapes: Iterable[str]) -> tuple[Key, ...]:
    """Return the keys of scores within slices."""
    say, present = view.say, set(shapes)
    return (
        *(Key(shape, say(words)) for shape, words in _SLICES.items() if shape in present),
        Key(
            "bar",
            say("{confidence} intervals, for all entries and slices at once"),
        ),
        Key("rule", say("score of the overall leader in the slice")),
    )


def difference_keys(view: MetricView) -> tuple[Key, ...]:
    """Return the keys of differences with their intervals, and of the line of no difference."""
    say = view.say
    return (
        Key("plain", say("difference")),
        Key("bar", say("{confidence} interval of the difference")),
        Key("rule", say("no difference")),
    )


def note_keys(note: str) -> tuple[Key, ...]:
    """Return a key that has no mark: what a figure leaves out, if anything."""
    return (Key("note", note),) if note else ()


def histogram_keys(view: MetricView) -> tuple[Key, ...]:
    """Return the keys of a bootstrap distribution."""
    say = view.say
    return Key("bin", say("resampled differences")), Key("tail", say("what the p counts"))


def share_keys(view: MetricView) -> tuple[Key, ...]:
    """Return the keys of circles whose areas are shares of the resamples."""
    m = len(view.evidence.names)
    return tuple(
        Key(
            "blob",
            view.say("{share} of the resamples", share=view.numerals.percent(share)),
            size=blob_radius(m, share),
        )
        for share in (0.5, 0.1)
    )


def once(told: set[str], *texts: str) -> Iterator[Paragraph]:
    """Yield a caption of these texts, unless another metric has told the same."""
    text = " ".join(texts)
    if text not in told:
        told.add(text)
        yield Paragraph(text, "caption")
