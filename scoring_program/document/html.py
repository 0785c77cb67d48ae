"""Documents as HTML, by the templates."""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache
from typing import NamedTuple

from jinja2 import Environment
from markupsafe import Markup

from ..core import templates
from . import svg
from .blocks import Document

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


@lru_cache(maxsize=1)
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
