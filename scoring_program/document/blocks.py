"""What every document is made of: sections, which hold blocks.

Functions from evidence to sections fill them; a writer for each format prints them. A cell has the
text that people read and, where it differs, the values that machines read (an interval is one text
and two values).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

#: What machines read in a cell.
CellValue = str | float | int | None
#: Columns of a table that a phone shows without scrolling, that of the names included, and how many
#: of them may be words.
_STACKED, _WORDS = 6, 2


@dataclass(frozen=True)
class Block:
    """What sections hold; what is not ``shown`` stands in the files only."""

    shown: bool = field(default=True, kw_only=True)

    @property
    def kind(self) -> str:
        """The name by which a writer tells the blocks apart."""
        return type(self).__name__


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
    the label.
    """

    label: str
    value: str = ""
    address: str = ""
    more: str = ""
    mark: str = ""
    tags: tuple[str, ...] = ()


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
class TableColumn:
    """A column: its heading for people, its key or keys for machines, and how it is aligned.

    Without keys it stands on the page only, and in the files only if it is not ``shown``.
    ``address`` is where its heading leads on the page, ``axis`` the one of the strips below it,
    ``small`` stands after the heading, and ``style`` is what the style sheet calls it. LaTeX leaves
    out what is not for a ``paper``, and what people do not ``read`` is in CSV only.
    """

    keys: tuple[str, ...]
    heading: str
    numeric: bool = False
    address: str = ""
    style: str = ""
    axis: Any = None
    small: str = ""
    unseen: bool = False  # whether the heading is only for those who listen
    shown: bool = True
    paper: bool = True
    read: bool = True

    @property
    def names(self) -> bool:
        """Whether it holds names of entries or teams, which head their rows."""
        return self.keys in (("entry",), ("team",))


@dataclass(frozen=True)
class Cell:
    """What stands in a cell: a text for people and one value for each key of its column.

    The first cell of its row, or that with a name, says what the row has: its address ``id``, its
    class ``row``, and the ``card`` below it, open from the start unless the cell leads to it.
    """

    text: str
    values: tuple[CellValue, ...]
    strong: bool = False
    mark: str = ""  # of a possible winner, after the text
    cut: str = ""  # the text as far as the page shows it
    note: str = ""  # small, after the text
    style: str = ""
    title: str = ""
    strip: Any = None
    unseen: str = ""  # before the text, for those who listen
    tags: tuple[str, ...] = ()
    address: str = ""
    link: str = ""  # to another page
    id: str = ""
    row: str = ""
    card: tuple[Fact, ...] = ()

    @property
    def whole(self) -> str:
        """The text with its mark."""
        return f"{self.text}{self.mark}"


def cell(text: str, *values: CellValue, **more: Any) -> Cell:
    """Return a cell; without ``values`` machines read the text."""
    return Cell(text, values or (text,), **more)


@dataclass(frozen=True)
class ResultTable(Block):
    """A table of the page and of the files; ``name`` is its file name without extension, if any.

    ``records`` (header first) replaces the rows for machines where a paper wants another shape.
    ``groups`` (heading, number of columns) stand above the headings but the first, ``foot`` below
    all rows. ``keys`` explain its marks. ``choices`` (key, label) leave some of its rows.
    ``excerpt`` has the numbers of the rows that the page shows of a long table, and ``labels`` what
    the style sheet says before the cells of a style (style, text).
    """

    name: str
    caption: str
    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    records: tuple[tuple[CellValue, ...], ...] = ()
    groups: tuple[tuple[str, int], ...] = ()
    foot: tuple[str, ...] = ()
    style: str = ""
    label: str = ""
    keys: tuple[Any, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()
    excerpt: tuple[int, ...] | None = None
    labels: tuple[tuple[str, str], ...] = ()

    @property
    def page_rows(self) -> Sequence[tuple[Cell, ...]]:
        """The rows of the page."""
        return self.rows if self.excerpt is None else [self.rows[place] for place in self.excerpt]

    @property
    def page_columns(self) -> list[int]:
        """The numbers of the columns of the page."""
        return [place for place, column in enumerate(self.columns) if column.shown and column.read]

    @property
    def labeled(self) -> bool:
        """Whether a phone, which shows no headings, says them before the cells."""
        return "compared" in self.style.split()

    @property
    def stacked(self) -> bool:
        """Whether a phone shows each row's name above its numbers; several words would pile up."""
        words = sum(not column.numeric for column in self.columns)
        return not self.style and len(self.columns) <= _STACKED and words <= _WORDS

    @property
    def beside(self) -> int:
        """How many numbers a phone shows beside each other, below the name of their row."""
        return max(1, min(sum(column.numeric for column in self.columns), _STACKED - 1))

    @property
    def head(self) -> int:
        """The column that heads the rows: the names, or else the first."""
        return next((place for place, column in enumerate(self.columns) if column.names), 0)

    @property
    def linked(self) -> bool:
        """Whether a cell or a heading is a link, which the keyboard reaches."""
        cells = (item.address for row in self.rows for item in row)
        return any((*cells, *(column.address for column in self.columns)))


@dataclass(frozen=True)
class ResultText(Block):
    """A text of the take-away; ``name`` is its file name without extension."""

    name: str
    paragraphs: tuple[str, ...]
    cites: tuple[tuple[str, str], ...] = ()  # (as a text says it, key in the bibliography)
    bibliography: str = ""
    shown: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class Picture(Block):
    """A figure; ``name`` is its file name without extension, if it is one.

    ``style`` is titled (with its title and its legend above it), bare, or panel (one of several
    beside each other).
    """

    name: str
    figure: Any
    style: str = "titled"
    note: str = ""


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


@dataclass(frozen=True)
class Document:
    """A page, and what is taken away from it: the tables, texts and figures of its blocks."""

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
    answers: tuple[Fact, ...] = ()  # to what the organizer asked for, below what follows
    known: str = ""  # the address at which the page says how the verdict is known
    about: str = ""  # the host and the date of the results
    url: str = ""  # of the competition
    page_url: str = ""  # where the page will be published
    picture_url: str = ""  # of its card as PNG
    read_by_script: Any = None  # as JSON; without it the page has no script
    card: Any = None
    finish: tuple[str, ...] = ()  # the photo finish as lines of letters, for a terminal

    @property
    def source(self) -> str:
        """Where a figure of the page comes from."""
        return " · ".join(part for part in (self.title, self.about, self.made_by) if part)

    @property
    def made_of(self) -> str:
        """Where the page says what made it, and of what, or else how; empty where it does not."""
        sections = (section.id for section in every(self.blocks, Section))
        return next((id for id in sections if id == "signature"), self.known)

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
    def texts(self) -> list[ResultText]:
        """The texts to take away."""
        return list(every(self.blocks, ResultText))

    @property
    def figures(self) -> dict[str, Any]:
        """File name without extension → figure."""
        pictures = every(self.blocks, Picture)
        return {picture.name: picture.figure for picture in pictures if picture.name}


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
    caption: str = "",
    table: Block | None = None,
    pictures: Iterable[Picture] = (),
    note: str = "",
) -> tuple[Block, ...]:
    """Return the blocks of most sections, in the order of the page; all of it may be missing."""
    return (
        *map(Paragraph, paragraphs),
        *([Paragraph(caption, "caption")] if caption else []),
        *([] if table is None else [table]),
        *pictures,
        *([Paragraph(note, "note")] if note else []),
    )
