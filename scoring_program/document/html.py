"""Documents as HTML, by the templates, and drawings as SVG: on a page, in tables, and alone.

A figure that stands alone has its styles within and, framed, its title, its legend and its source.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import Any, NamedTuple

from jinja2 import Environment
from markupsafe import Markup, escape

from ..core import templates
from ..core.legible import legible
from .blocks import Block, Fact, Picture, Section, every
from .marks import Drawing, Mark, group, key_mark, legend, lines_of_text, mark, shape
from .take_away import ResultTable

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
_TITLE_LETTER = 9.0
_SOURCE_LETTER = 6.5
_TITLE_LINE = 20.0
_SOURCE_LINE = 16.0
#: Room on all sides, and between title, legend, figure and source.
_MARGIN = 12.0
#: Narrower figures get this width, so that their titles have room.
_NARROWEST = 340.0


@dataclass(frozen=True)
class Announced:
    """What may be announced, with its sign: a glyph and a word, of one ``kind`` in style sheets."""

    sentence: str
    kind: str
    glyph: str
    word: str


@dataclass(frozen=True)
class Document:
    """A page, and what is taken away from it: texts, and the tables and figures of its blocks.

    The first screen has the verdict, what may be ``announced``, the ``first_answers`` to what the
    organizer asked for, and a line of ``links``.
    """

    language: Any
    overline: str
    title: str
    verdict: str
    consequence: tuple[str, ...]
    blocks: tuple[Block, ...]
    made_by: str
    color_scheme: str = "auto"
    prints_folds: bool = False  # whether paper shows what is folded away on a screen
    contains_gold: bool = False
    answers: tuple[Fact, ...] = ()  # to what the organizer asked for
    announced: Announced | None = None
    first_answers: tuple[Fact, ...] = ()
    links: tuple[Fact, ...] = ()
    # How much of the consequence stands below the verdict, where a section has it all.
    under_verdict: int | None = None
    how_address: str = ""  # the address at which the page says how the verdict is known
    about: str = ""  # the host and the date of the results
    url: str = ""  # of the competition
    page_url: str = ""  # where the page will be published
    picture_url: str = ""  # of its card as PNG
    read_by_script: Any = None  # as JSON; without it the page has no script
    card: Any = None
    texts: Mapping[str, str] = field(default_factory=dict)  # file name → what goes into a paper
    # The photo finish as lines of letters, and what they leave open, for a terminal.
    finish: tuple[str, ...] = ()

    @property
    def source(self) -> str:
        """Where a figure of the page comes from."""
        return " · ".join(part for part in (self.title, self.about, self.made_by) if part)

    @property
    def made_of(self) -> str:
        """Where the page says what made it, and of what, or else how; empty where it does not."""
        sections = (section.id for section in every(self.blocks, Section))
        return next((id for id in sections if id == "signature"), self.how_address)

    @property
    def tables(self) -> list[ResultTable]:
        """The tables to take away."""
        return [table for table in every(self.blocks, ResultTable) if table.name]

    @property
    def has_strips(self) -> bool:
        """Whether a table of the page has strips."""
        columns = (column for table in every(self.blocks, ResultTable) for column in table.columns)
        return any(column.axis for column in columns)

    @property
    def figures(self) -> dict[str, Any]:
        """File name without extension → figure."""
        pictures = every(self.blocks, Picture)
        return {picture.name: picture.figure for picture in pictures if picture.name}


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
    jinja = templates.environment()
    drawing = (element, flag, items_of, keys, parts_of_heading, strip_marks, svg, whole_words)
    jinja.globals["draw"] = SimpleNamespace(**{draw.__name__: draw for draw in drawing})
    return jinja


def page(document: Document) -> str:
    """Return a document as one self-contained HTML file.

    The hash of the one script, where there is one, is that of the very bytes on the page.
    """
    script = ""
    allowed = ""
    if document.read_by_script is not None:
        script = (templates.templates_folder() / "interactive.js").read_text(encoding="utf-8")
        digest = hashlib.sha256(script.encode()).digest()
        allowed = f"sha256-{base64.b64encode(digest).decode()}"
    template = environment().get_template("document.html.j2")
    return template.render(
        report=document,
        language=document.language,
        _=document.language.say,
        ink=PAGE_INK,
        scheme=SCHEMES[document.color_scheme],
        place=Context(),
        script=Markup(script),
        allowed=allowed,
    )


def bare(drawing: Drawing, style: str = "card.css.j2") -> str:
    """Return a figure that has all it needs within, with the styles of a template."""
    return f"{svg(element(drawing, _style(style)))}\n"


def framed(drawing: Drawing, source: str) -> str:
    """Return a figure that is complete in itself; ``source`` says where it comes from."""
    width = max(drawing.width, _NARROWEST)
    room = width - 2 * _MARGIN
    title = lines_of_text(
        "heading", _MARGIN, 22, drawing.title,
        height=_TITLE_LINE, letters=int(room / _TITLE_LETTER),
    )  # fmt: skip
    under = 22 + _TITLE_LINE * (len(title) - 1) + 8
    keys, deep = legend(drawing.legend, _MARGIN, under, width - _MARGIN)
    top = under + deep + 6
    first = top + drawing.height + _SOURCE_LINE
    sources = lines_of_text(
        "start", _MARGIN, first, source, height=_SOURCE_LINE, letters=int(room / _SOURCE_LETTER)
    )
    height = round(first + _SOURCE_LINE * (len(sources) - 1) + _MARGIN, 2)
    outer = mark(
        "svg",
        "figure",
        mark("title", "", drawing.title),
        mark("rect", "paper", width="100%", height="100%"),
        *title,
        *keys,
        group("", element(drawing, _style("framed.css.j2")), origin=(0, top)),
        *sources,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
    )
    return f"{svg(outer)}\n"


@cache
def _style(template: str) -> str:
    return environment().get_template(template).render(ink=INK)


# Lines --------------------------------------------------------------------------------------------


#: Where a heading that is one word may go on in a further line.
_JOINT = "_"
#: What stands between the items of a note.
_BETWEEN_ITEMS = " · "


def parts_of_heading(heading: str) -> list[str]:
    """Return the parts of a heading that may stand in a line each, as the names of columns have."""
    *first, last = heading.split(_JOINT)
    return [*(f"{part}{_JOINT}" for part in first), last]


#: A word with a hyphen is not broken after it, unless it is longer than this: a phone has the room.
_WHOLE_WORD = 26
_HYPHENATED = re.compile(r"\S*\w-\w\S*")


class Stretch(NamedTuple):
    """A part of a sentence, and whether it stands on one line in any case."""

    text: str
    is_whole: bool


def whole_words(sentence: str) -> Iterator[Stretch]:
    """Yield a sentence in parts: its words with a hyphen, such as names, stand on one line each."""
    visible = legible(sentence)
    end = 0
    for word in _HYPHENATED.finditer(visible):
        if len(word[0]) <= _WHOLE_WORD:
            yield Stretch(visible[end : word.start()], False)
            yield Stretch(word[0], True)
            end = word.end()
    yield Stretch(visible[end:], False)


def items_of(note: str) -> list[str]:
    """Return the items of a note, each with what follows it: a line ends between two of them."""
    *first, last = note.split(_BETWEEN_ITEMS)
    return [*(f"{item}{_BETWEEN_ITEMS.rstrip()}" for item in first), last]


# SVG ----------------------------------------------------------------------------------------------


#: These end their lines, so that people can compare files.
_LINES = ("desc", "g", "rect")


def svg(drawn: Mark) -> Markup:
    """Return a mark as an element; numbers have up to two decimals."""
    return Markup(_written(drawn))


def _written(node: Mark) -> str:
    attributes = [f' {name}="{_escaped(value)}"' for name, value in node.attributes.items()]
    inside = [_written(part) if isinstance(part, Mark) else _escaped(part) for part in node.inside]
    closed = f">{''.join(inside)}</{node.tag}>" if inside else "/>"
    end = "\n" if node.tag in _LINES else ""
    return f"<{node.tag}{''.join(attributes)}{closed}{end}"


def _escaped(value: float | str) -> str:
    """Return a value as it stands in a mark; the digits of a number are what they are."""
    return _escaped_text(value) if isinstance(value, str) else _number(value)


@lru_cache(maxsize=4096)  # classes and names come again and again
def _escaped_text(text: str) -> str:
    return str(escape(legible(text)))


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def element(drawing: Drawing, style: str = "") -> Mark:
    """Return a drawing as an element, with a ``style`` of its own if it stands alone."""
    id = drawing.id
    width = _number(drawing.width)
    height = _number(drawing.height)
    return mark(
        "svg",
        "figure",
        mark("title", "", drawing.title, id=f"{id}-title"),
        mark("desc", "", drawing.description, id=f"{id}-text"),
        *([mark("style", "", style)] if style else []),
        *drawing.marks,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=width + drawing.unit,
        height=height + drawing.unit,
        role="img",
        aria_labelledby=f"{id}-title {id}-text",
    )


def flag(kind: str) -> Markup:
    """Return the shape of entries of a kind beside a name."""
    return svg(mark("svg", f"flag {kind}", shape(kind), viewBox="-8 -8 16 16", aria_hidden="true"))


def keys(drawing: Drawing) -> Iterator[tuple[Markup, str]]:
    """Yield the mark and the text of every key of a figure's legend; a key may have no mark."""
    for key in drawing.legend:
        drawn = key_mark(key)
        picture = Markup("")
        if drawn is not None:
            picture = svg(mark("svg", "key", drawn, viewBox="-11 -11 22 22", aria_hidden="true"))
        yield picture, key.text


def strip_marks(kinds: Iterable[str]) -> Markup:
    """Return the marks of strips, drawn once: a large field has thousands of them."""
    shapes = (mark("g", kind, shape(kind), id=f"mark-{kind}") for kind in kinds)
    return svg(mark("svg", "unseen", mark("defs", "", *shapes), aria_hidden="true"))
