"""Drawings as SVG: figures of a page, and what its tables hold of them."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup, escape

from .marks import Drawing, Mark, key_mark, mark, shape
from .scales import STRIP_HEIGHT, Axis, Strip, gap, grid, tick_labels

#: These end their lines, so that people can compare files.
_LINES = ("desc", "g", "rect")


def svg(one: Mark) -> Markup:
    """Return a mark as an element; numbers have up to two decimals."""
    given = "".join(f' {name}="{escape(_said(value))}"' for name, value in one.attributes.items())
    inside = "".join(svg(part) if isinstance(part, Mark) else escape(part) for part in one.inside)
    closed = f">{inside}</{one.tag}>" if one.inside else "/>"
    closed += "\n" if one.tag in _LINES else ""
    return Markup(f"<{one.tag}{given}{closed}")


def _said(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")


def figure(drawing: Drawing) -> Markup:
    """Return a figure of the page, which has the styles."""
    return svg(element(drawing))


def element(drawing: Drawing, style: str = "") -> Mark:
    """Return a drawing as an element, with a ``style`` of its own if it stands alone."""
    said, width, height = drawing.heading, _said(drawing.width), _said(drawing.height)
    return mark(
        "svg",
        "figure",
        mark("title", "", said.title, id=f"{said.id}-title"),
        mark("desc", "", said.description, id=f"{said.id}-text"),
        *([mark("style", "", style)] if style else []),
        *drawing.marks,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=width + drawing.unit,
        height=height + drawing.unit,
        role="img",
        aria_labelledby=f"{said.id}-title {said.id}-text",
    )


def flag(kind: str) -> Markup:
    """Return the shape of entries of a kind beside a name."""
    return svg(mark("svg", f"flag {kind}", shape(kind), viewBox="-8 -8 16 16", aria_hidden="true"))


def keys(drawing: Drawing) -> Markup:
    """Return the legend of a figure on the page, above it."""
    spans = []
    for key in drawing.heading.legend:
        shown = key_mark(key)
        held = (
            ""
            if shown is None
            else svg(mark("svg", "key", shown, viewBox="-11 -11 22 22", aria_hidden="true")) + " "
        )
        spans.append(Markup("<span>{}{}</span> ").format(held, key.text))
    return Markup('<p class="legend">{}</p>').format(Markup("").join(spans))


def strip_marks(kinds: Iterable[str]) -> Markup:
    """Return the marks of strips, drawn once: a large field has thousands of them."""
    shapes = (mark("g", kind, shape(kind), id=f"mark-{kind}") for kind in kinds)
    return svg(mark("svg", "unseen", mark("defs", "", *shapes), aria_hidden="true"))


def strip(one: Strip | Mark) -> Markup:
    """Return a strip in a table; the cells beside it, or another table, say the same."""
    if isinstance(one, Mark):
        return svg(one)
    use = [mark("use", href=f"#{one.axis.id}")]
    if one.low is not None:
        use.append(mark("line", "bar", x1=f"{one.low}%", x2=f"{one.high}%"))
    use.append(mark("use", href=f"#mark-{one.shape}", x=f"{one.point}%"))
    if one.axis.broken is not None:
        use.append(mark("use", href=f"#{one.axis.id}-gap"))
    return svg(mark("svg", f"strip {one.shape}", *use, aria_hidden="true"))


def axis(shared: Axis | Mark) -> Markup:
    """Return the axis of a column of strips, which holds what they share."""
    if isinstance(shared, Mark):
        return svg(shared)
    defs, note = [mark("g", "", *grid(shared, STRIP_HEIGHT), id=shared.id)], Markup("")
    if shared.broken is not None:
        place, said = shared.broken
        note = Markup('<span class="broken">{}</span>').format(said)
        defs.append(mark("g", "", gap(place, STRIP_HEIGHT), id=f"{shared.id}-gap"))
    ticks = tick_labels(shared, 12)
    return note + svg(
        mark("svg", "ticks strip", mark("defs", "", *defs), *ticks, aria_hidden="true")
    )
