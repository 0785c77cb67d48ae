"""What every document is made of: sections, which hold blocks.

Functions from evidence to sections fill them; a writer for each format prints them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar


@dataclass(frozen=True)
class Block:
    """What sections hold; what is not ``on_page`` stands in the files only."""

    on_page: bool = field(default=True, kw_only=True)

    @property
    def kind(self) -> str:
        """The name by which a writer tells the blocks apart."""
        return type(self).__name__


Blocks = tuple[Block, ...]


@dataclass(frozen=True)
class Paragraph(Block):
    """A paragraph; ``style`` is caption, note, quote, code, heading or a class of the style sheet.

    ``english`` says that it is English on a page in any language.
    """

    text: str
    style: str = ""
    id: str = ""
    english: bool = False


@dataclass(frozen=True)
class Fact:
    """A label with its value, which stands at an ``address`` of the page or, in links, leads there.

    ``more`` is the whole of a long value, ``mark`` a flag before it, and ``tags`` are noted after
    the label. What is ``first`` stands on the first screen.
    """

    label: str
    value: str = ""
    address: str = ""
    more: str = ""
    mark: str = ""
    tags: tuple[str, ...] = ()
    first: bool = False


@dataclass(frozen=True)
class Facts(Block):
    """Labels with their values, or a list where ``listed``, or ``links`` to places of the page.

    Links with a ``label`` are a landmark.
    """

    items: tuple[Fact, ...]
    style: str = "facts"
    label: str = ""
    listed: bool = False
    links: bool = False
    english: bool = False


@dataclass(frozen=True)
class Picture(Block):
    """A figure; ``name`` is its file name without extension, if it is one.

    ``style`` is titled (with its title and its legend above it), bare, or panel (one of several
    beside each other). On a phone, ``narrow`` stands in its place, if there is one: the same in
    another size. Files have the ``figure``.
    """

    name: str
    figure: Any
    style: str = "titled"
    note: str = ""
    narrow: Any = None


@dataclass(frozen=True)
class Section(Block):
    """Blocks with their heading, after which ``small`` may stand; sections may hold others.

    They may be ``folded`` away below it. Without a heading they only stand together.
    """

    id: str
    heading: str
    blocks: tuple[Any, ...]
    style: str = ""
    small: str = ""
    folded: bool = False


_Kind = TypeVar("_Kind")


def every(blocks: Iterable[Any], kind: type[_Kind] | tuple[type[_Kind], ...]) -> Iterator[_Kind]:
    """Yield all blocks of a kind, or of some, those within others, too."""
    for block in blocks:
        if isinstance(block, kind):
            yield block
        yield from every(getattr(block, "blocks", ()), kind)


def together(*blocks: Any, style: str = "") -> Section:
    """Return blocks that stand beside each other, or together, without a heading."""
    return Section("", "", blocks, style)


def passage(
    paragraphs: Iterable[str] = (),
    caption: str | None = None,
    table: Any = None,
    pictures: Iterable[Picture] = (),
    note: str = "",
) -> Blocks:
    """Return the blocks of most sections, in the order of the page; all of it may be missing.

    The caption is that of the table if it is not another.
    """
    if caption is None and table is not None:
        caption = table.caption
    return (
        *map(Paragraph, paragraphs),
        *([Paragraph(caption, "caption")] if caption else []),
        *([] if table is None else [table]),
        *pictures,
        *([Paragraph(note, "note")] if note else []),
    )
