"""Documents as HTML, by the templates, and figures that stand alone as SVG.

Such a figure has its styles within and, framed, its title, its legend and its source.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from typing import NamedTuple

from jinja2 import Environment
from markupsafe import Markup

from ..core import templates
from . import svg
from .blocks import Document
from .marks import Drawing, group, legend, lines_of_text, mark

#: Headings that name what scrolls.
_HEADINGS = 3
#: Colors of a figure that stands alone, by role.
INK = {
    "text": "#1d2125",
    "muted": "#565d64",
    "rule": "#dcd8cf",
    "paper": "#ffffff",
    "accent": "#15588f",
    "quiet": "#6c737a",
    "warm": "#9a4308",
    "s1": "#bcd4e9",
    "s2": "#9bbfdf",
    "s3": "#6fa2cd",
    "s4": "#2f6ba0",
    "s5": "#15588f",
    "on_dark": "#ffffff",
}
#: The same roles on the page, whose style sheet gives them their colors, light and dark.
PAGE_INK = {role: f"var(--{role.replace('_', '-')})" for role in INK}


#: What a style sheet says of light and dark, by the value of the setting ``color_scheme``: CSS's
#: color-scheme, and the media to which the dark colors apply; paper is never dark.
SCHEMES = {
    "auto": {"property": "light dark", "dark": "screen and (prefers-color-scheme: dark)"},
    "light": {"property": "light", "dark": "not all"},
    "dark": {"property": "dark", "dark": "screen"},
}
#: Letters of a title and of a source line are at most this wide on average.
_TITLE_LETTER, _SOURCE_LETTER = 9.0, 6.5
_TITLE_LINE, _SOURCE_LINE = 20.0, 16.0
#: Room on all sides, and between title, legend, figure and source.
_MARGIN = 12.0
#: Narrower figures get this width, so that their titles have room.
_NARROWEST = 340.0


class Context(NamedTuple):
    """Where a block stands on a page: below these headings."""

    headings: tuple[str, ...] = ()

    @property
    def level(self) -> int:
        """The level of a heading here: that of the page is 1."""
        return len(self.headings) + 2

    def below(self, heading: str) -> Context:
        """Return the place of the blocks of a section or fold."""
        return Context((*self.headings, heading))

    def named(self, last: str = "") -> str:
        """Return a name for what scrolls here, from the nearest headings."""
        return " · ".join([*self.headings, *([last] if last else [])][-_HEADINGS:])


@cache
def environment() -> Environment:
    """Return the templates' environment, with what draws figures."""
    made = templates.environment()
    made.globals["draw"] = svg
    return made


def page(document: Document) -> str:
    """Return a document as one self-contained HTML file.

    The hash of the one script, where there is one, is that of the very bytes on the page.
    """
    script, allowed = "", ""
    if document.read_by_script is not None:
        path = templates.templates_folder() / "interactive.js"
        script = path.read_text(encoding="utf-8")
        digest = hashlib.sha256(script.encode()).digest()
        allowed = f"sha256-{base64.b64encode(digest).decode()}"
    return (
        environment()
        .get_template("document.html.j2")
        .render(
            report=document,
            language=document.language,
            _=document.language.say,
            ink=PAGE_INK,
            scheme=SCHEMES[document.color_scheme],
            place=Context(),
            script=Markup(script),
            allowed=allowed,
        )
    )


def bare(drawing: Drawing, style: str = "card.css.j2") -> str:
    """Return a figure that has all it needs within, with the styles of a template."""
    return f"{svg.svg(svg.element(drawing, _style(style)))}\n"


def framed(drawing: Drawing, source: str) -> str:
    """Return a figure that is complete in itself; ``source`` says where it comes from."""
    width = max(drawing.width, _NARROWEST)
    room = width - 2 * _MARGIN
    title = lines_of_text(
        "heading", _MARGIN, 22, drawing.heading.title,
        height=_TITLE_LINE, letters=int(room / _TITLE_LETTER),
    )  # fmt: skip
    under = 22 + _TITLE_LINE * (len(title) - 1) + 8
    keys, deep = legend(drawing.heading.legend, _MARGIN, under, width - _MARGIN)
    top = under + deep + 6
    first = top + drawing.height + _SOURCE_LINE
    sources = lines_of_text(
        "start", _MARGIN, first, source, height=_SOURCE_LINE, letters=int(room / _SOURCE_LETTER)
    )
    height = round(first + _SOURCE_LINE * (len(sources) - 1) + _MARGIN, 2)
    outer = mark(
        "svg",
        "figure",
        mark("title", "", drawing.heading.title),
        mark("rect", "paper", width="100%", height="100%"),
        *title,
        *keys,
        group("", svg.element(drawing, _style("framed.css.j2")), at=(0, top)),
        *sources,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
    )
    return f"{svg.svg(outer)}\n"


@cache
def _style(template: str) -> str:
    return environment().get_template(template).render(ink=INK)
