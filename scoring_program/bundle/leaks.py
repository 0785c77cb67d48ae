"""Looks for the gold, the field and the rehearsals in what a platform shows to participants.

Codabench shows everything except the reference data and the programs: pages, starting kits and
public data to participants, and solutions to whoever has the link (March 2026).

A file is secret by its lines (`_File`), and the gold also by what its labels say, whatever the
format: what is shown is read as submissions are, and its columns are compared with the labels, by
id or in the order of the gold. Labels under other names are not looked for.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import math
import re
import tarfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from pathlib import PurePosixPath
from typing import Any
from xml.etree import ElementTree

from ..core.cells import grouped, is_number
from ..core.errors import DeadheatError, SubmissionError
from ..data.competition import Part
from ..reading import files
from ..reading.files import DataFile
from ..reading.formats import read_examples, read_table
from ..reading.formats.kind import ROWS, decode
from ..reading.reference import find_reference
from ..reading.table import Table
from ..settings import loading
from . import kit
from .defaults import DEADHEAT_KEY
from .description import Description, Item
from .rehearsal import unpacked

#: Members that are meant for the container of a scoring run only.
_HIDDEN = ("reference_data", "scoring_program")
_GOLD = "gold"
_PIECE = "file of the gold"
#: The templates that make audits, too.
_TEMPLATES = "scoring_program.zip/scoring_program/templates/"
#: What audit.html and audit.json say of themselves, and how its tables of examples begin.
_AUDITS = (b'<meta name="contains-gold" content="true">', b'"contains_gold": true')
_AUDIT_TABLES = (b"id,gold,entries_right", b"id,gold,answer,contradicting")
#: Names of the audit's other tables and figures.
_AUDIT_NAME = re.compile(
    r"gold_(alike|certificate|confusion|copies|examples|labels_to_check|near_copies|optimism"
    r"|recall_per_class|regraded|schemes|slices|withdrawn)\w*\.(csv|md|tex|svg|pdf|png)"
)
#: Labels are told by a column that agrees with them on so many rows or more, and on such a share.
_ROWS = 20
_SHARE = 0.99
#: Standard errors above chance from which agreement is more than that of unrelated columns.
_BEYOND_CHANCE = 4
_DELIMITERS = ",;\t| "
#: What ends a row and stands between words in markup, code and JSON without line breaks.
_ROW_ENDS = re.compile(r"\n|\\n|,|</tr>|/>")
_BETWEEN_WORDS = re.compile(r"[^\w./+-]+")
#: What begins a compressed file, its extension, and what unpacks it.
_COMPRESSED: tuple[tuple[bytes, str, Callable[[bytes], bytes]], ...] = (
    (b"\x1f\x8b", ".gz", gzip.decompress),
    (b"BZh", ".bz2", bz2.decompress),
    (b"\xfd7zXZ\0", ".xz", lzma.decompress),
)
#: A file with fewer lines must match as a whole, because single rows also occur in examples.
_FEW = 10
#: How programs that save a table again change it: delimiters become commas, and what may stand
#: around a value is left out.
_COMMAS = bytes.maketrans(b";\t|", b",,,")
_UNTOLD = b"\"' "
#: The header of a table, if it has one, and its columns.
_Table = tuple[Sequence[str] | None, Sequence[Sequence[Any]]]
#: How many rows have a cell and a label.
_Pairs = Counter[tuple[Any, Any]]


def problems(
    competition: Description, document: Item, members: Mapping[str, bytes]
) -> Iterator[str]:
    """Say which members of a bundle show secrets to participants.

    ``document`` is the competition.yaml that names the members. A secret file is recognized by its
    lines, in any order and among other lines; quotes and delimiters make no difference. With equal
    lines in it, it must match exactly. Labels of the gold are recognized in any form (`_Labels`).
    """
    hidden = {task[key] for task in document["tasks"] for key in _HIDDEN}
    of_kit = frozenset(kit.modules().values())
    public_files = []
    for member in sorted(members):
        for name, content in _unfolded(member, members[member]):
            if _is_audit(name, content) and not name.startswith(_TEMPLATES):
                yield f"{name}: it is the organizer's audit, which no bundle holds; leave it out"
            if member not in hidden and content not in of_kit:
                public_files.append(_File(name, content))
    yield from _of_all_teams(competition)
    told: set[str] = set()
    secrets = list(_secrets(competition))
    golds = {task["index"]: _parts(members[task["reference_data"]]) for task in document["tasks"]}
    yield from _of_folders([secret for secret in secrets if secret.kind == _PIECE], public_files)
    for secret in (secret for secret in secrets if secret.kind != _PIECE):
        unnamed = (file for file in public_files if file.name not in told)
        holding = [file.name for file in unnamed if file.holds(secret)]
        if holding and secret.kind == _GOLD and _only_ids(secret, golds[secret.task]):
            continue
        for name in holding:
            told.add(name)
            yield (
                f"{name}: participants can read it, and it holds {secret.name} ({secret.kind} of "
                f"task {secret.task}); leave it out"
            )
    columns: list[_Labels] = []
    for task, parts in golds.items():
        for part in parts:
            columns += _labels(part, task)
    best = _best_shares(columns, secrets)
    for file in public_files:
        if file.name not in told:
            pairs = zip(columns, best, strict=True)
            telling = (labels.told_by(file, share) for labels, share in pairs)
            if what := next(filter(None, telling), None):
                yield f"{file.name}: participants can read it, and {what}; leave it out"


def _best_shares(
    columns: Sequence[_Labels], secrets: Iterable[_File]
) -> list[float | None]:  # [columns]
    """Return for each column of labels the share that the best packed submission has right."""
    packed = (secret for secret in secrets if secret.kind not in (_GOLD, _PIECE))
    # Tasks may share a field.
    tasks_of = grouped(((secret.name, secret.content), secret.task) for secret in packed)
    best: list[float | None] = [None] * len(columns)
    for (path, content), tasks in tasks_of.items():
        file = _File(path, content)
        for place, labels in enumerate(columns):
            if labels.task in tasks and (share := labels.share_of(file)):
                best[place] = max(share, best[place] or 0)
    return best


def _of_folders(pieces: Sequence[_File], public_files: Sequence[_File]) -> Iterator[str]:
    """Say of each task whose gold is a folder that much of it is shown.

    One file of a sample may be right: many documents hold little, or nothing.
    """
    for task in sorted({piece.task for piece in pieces}):
        of_task = [piece for piece in pieces if piece.task == task]
        holding = [name for piece in of_task if (name := _holder(piece, public_files))]
        if 2 * len(holding) >= len(of_task):
            yield (
                f"{holding[0]}: participants can read it, and it and others hold {len(holding)} of "
                f"{len(of_task)} files of the gold of task {task}; leave them out, or take what is "
                "no secret out of the gold"
            )


def _holder(secret: _File, public_files: Sequence[_File]) -> str | None:
    """Return the first file that participants can read and that holds a secret one."""
    return next((file.name for file in public_files if file.holds(secret)), None)


def _of_all_teams(competition: Description) -> Iterator[str]:
    for i, solution in enumerate(competition.document["solutions"]):
        for task in competition.tasks(solution):
            if competition.layout(task) != "single":
                yield (
                    f"solutions[{i}]: participants can read it, and task {task['index']} scores "
                    "the submissions of all teams; name the folder under "
                    f"'{DEADHEAT_KEY}: rehearsal' of the task, which is not packed"
                )


def _is_audit(name: str, content: bytes) -> bool:
    return (
        any(mark in content for mark in _AUDITS)
        or content.startswith(_AUDIT_TABLES)
        or _AUDIT_NAME.fullmatch(PurePosixPath(name).name) is not None
    )


def _parts(reference: bytes) -> tuple[Part, ...]:
    """Return what packed reference data hold, without entries; a table of scores has no gold."""
    with unpacked(reference) as folder:
        return kit.golds_of(folder)[0]


def _only_ids(gold: _File, tasks: Iterable[Part]) -> bool:
    """Return whether a gold holds the ids of the examples and nothing else, as of resolved lists.

    Participants know the ids.
    """
    expected = [part.expected for part in tasks]
    names = {name for task in expected for name in (task.id_column, *(task.every.ids or ()))}
    public_lines = {line for name in names for line in _File("", name.encode()).lines}
    return public_lines.issuperset(filter(None, (line.strip(b"[,]") for line in gold.lines)))


def _published(competition: Description, name: str | None) -> bool:
    """Whether a file or folder lies in one that a phase gives to participants as it is."""
    if not name:
        return False
    path = competition.path(name).resolve()
    for phase in competition.phases:
        for key in ("starting_kit", "public_data"):
            if key in phase and path.is_relative_to(competition.path(phase[key]).resolve()):
                return True
    return False


def _secrets(competition: Description) -> Iterator[_File]:
    for task in competition.document["tasks"]:
        reference = find_reference(competition.reference(task), loading.FILE_NAME)
        settings = competition.own(task)
        rehearsal = settings.get("rehearsal")
        if _published(competition, rehearsal):
            rehearsal = None
        kinds = {
            _GOLD: list(reference.gold.values()),
            _PIECE: [],
            "field": [*(reference.field or ()), *_below(competition, settings.get("field"))],
            "rehearsal": _below(competition, rehearsal),
        }
        if reference.whole and competition.all_settings(task).get("reader"):
            kinds |= {_GOLD: [], _PIECE: list(reference.whole.holds)}
        for kind, secret_files in kinds.items():
            for file in secret_files:
                if file.is_data and (content := _content(file)):
                    yield _File(str(file.path), content, kind, task["index"])


def _below(competition: Description, name: str | None) -> list[DataFile]:
    if not name:
        return []
    path = competition.path(name)
    return list(files.walk(path) if path.is_dir() else files.walk_file(path))


def _content(file: DataFile) -> bytes:
    """Return a file's bytes; none if it cannot be read, which a rehearsal reports."""
    try:
        return file.read()
    except DeadheatError:
        return b""


def _unfolded(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield a file and, if it is an archive or compressed, what is in it, nested ones included.

    The sheets of a workbook of Excel are also yielded, as CSV.
    """
    yield name, content
    # What is no archive, or an encrypted one, is compared as it is.
    with (
        suppress(zipfile.BadZipFile, zlib.error, RuntimeError, ElementTree.ParseError),
        zipfile.ZipFile(io.BytesIO(content)) as archive,
    ):
        if "xl/workbook.xml" in archive.namelist():
            yield from _sheets(name, archive)
        for inside in archive.namelist():
            yield from _unfolded(str(PurePosixPath(name, inside)), archive.read(inside))
    for begins, extension, open_it in _COMPRESSED:
        if content.startswith(begins):
            inside = PurePosixPath(name).name.removesuffix(extension)
            with suppress(OSError, EOFError, zlib.error, lzma.LZMAError):  # it only begins so
                yield from _unfolded(str(PurePosixPath(name, inside)), open_it(content))
    if content[257:262] == b"ustar":
        with tarfile.open(fileobj=io.BytesIO(content)) as bundle:
            for item in bundle:
                if (stream := bundle.extractfile(item)) is not None:
                    yield from _unfolded(str(PurePosixPath(name, item.name)), stream.read())


def _sheets(name: str, workbook: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    """Yield every sheet of a workbook of Excel as a CSV file."""
    texts: list[str] = []
    if "xl/sharedStrings.xml" in workbook.namelist():
        texts = list(map(_text_of, ElementTree.fromstring(workbook.read("xl/sharedStrings.xml"))))
    for inside in workbook.namelist():
        if not re.fullmatch(r"xl/worksheets/[^/]*\.xml", inside):
            continue
        written = io.StringIO()
        writer = csv.writer(written)
        for row in ElementTree.fromstring(workbook.read(inside)).iterfind(".//{*}row"):
            cells = []
            for cell in row.iterfind("{*}c"):
                text = "".join(
                    part.text or "" for part in cell.iter() if part.tag[-2:] in ("}v", "}t")
                )
                cells.append(texts[int(text)] if cell.get("t") == "s" and text else text)
            writer.writerow(cells)
        yield f"{name}/{PurePosixPath(inside).stem}.csv", written.getvalue().encode()


def _text_of(shared: ElementTree.Element) -> str:
    """Return one of the texts that the cells of a workbook share, from all its runs."""
    return "".join(run.text or "" for run in shared.iterfind(".//{*}t"))


@dataclass(frozen=True, eq=False)
class _File:
    """A file as its lines and as its tables, which are read once; a secret one has a kind."""

    name: str
    content: bytes
    kind: str = ""
    task: int = 0
    _read: dict[str, list[Table]] = field(default_factory=dict)

    @cached_property
    def lines(self) -> Sequence[bytes]:
        """The lines that say something, as if all tables were written in one way."""
        plain = (line.strip().translate(_COMMAS, _UNTOLD) for line in io.BytesIO(self.content))
        return [line for line in plain if line]

    @cached_property
    def _distinct(self) -> frozenset[bytes]:
        return frozenset(self.lines)

    def holds(self, secret: _File) -> bool:
        """Return whether this file holds a secret file."""
        lines = secret.lines
        if not self._distinct.issuperset(lines):
            return False
        if len(set(lines)) < len(lines):  # labels by position, where the order matters
            return lines == self.lines
        return len(lines) >= _FEW or len(lines) == len(self._distinct) > 0

    def tables(self, kind: str) -> list[Table]:
        """Return the file as submissions and golds of a kind are read; none if it is no table."""
        if kind not in self._read:
            readers: list[Callable[[], Table]] = [partial(read_table, self.content, self.name)]
            if kind != ROWS:
                readers += [
                    partial(read_examples, self.content, self.name, kind, gold=gold)
                    for gold in (False, True)
                ]
            self._read[kind] = []
            for read in readers:
                with suppress(DeadheatError):
                    self._read[kind].append(read())
        return self._read[kind]

    @cached_property
    def text(self) -> str:
        """The content; empty if it is no text."""
        try:
            return decode(self.content, self.name)
        except SubmissionError:
            return ""


@dataclass(frozen=True, eq=False)
class _Labels:
    """The labels of one column of a gold, by id and in the order of its file.

    They are told by a column of a table that is shown: beside the ids, or alone in the order of the
    gold. It agrees with `_SHARE` of `_ROWS` labels or more, or with more than the best packed
    submission. A constant column, which may be a template to fill in, tells nothing.
    """

    where: str  # the file and the task, for messages
    task: int
    kind: str
    of_id: Mapping[str, Any]
    in_file: Sequence[Any]  # [total]; None for rows that are ignored

    def told_by(self, file: _File, best: float | None) -> str | None:
        """Return what a file tells of the labels, for messages; None if it tells nothing.

        ``best`` is the share of labels that the best packed submission has right.
        """
        for what, in_order, pairs in self._compared(file):
            right = _right(pairs)
            rows = pairs.total()
            if right <= max(_counts(pairs, 1).values()):
                continue
            order = ", in their order" if in_order else ""
            message = f"{what} holds {right} of {rows} labels of {self.where}{order}"
            if right >= _SHARE * rows:
                return message
            if best is not None and right > best * rows and _beyond_chance(right, pairs):
                return f"{message}, more than the best packed submission has right"
        return None

    def share_of(self, packed: _File) -> float | None:
        """Return the share of labels that a submission has right; None if it holds them all."""
        shares = [_right(pairs) / pairs.total() for _, _, pairs in self._compared(packed)]
        return max((share for share in shares if share < _SHARE), default=None)

    def _compared(self, file: _File) -> Iterator[tuple[str, bool, _Pairs]]:
        """Yield each column that may hold labels, whether by order, and its cells with labels."""
        for header, columns in self._columns(file):
            labels_by_row = {}  # the place of a column of ids → the labels of its rows
            for place, cells in enumerate(columns):
                labels = {
                    row: self.of_id[cell] for row, cell in enumerate(cells) if cell in self.of_id
                }
                if len(labels) >= _ROWS:
                    labels_by_row[place] = labels
            for place, cells in enumerate(columns):
                what = f"its column {header[place]!r}" if header else f"its column {place + 1}"
                for id_place, labels in labels_by_row.items():
                    if id_place != place:
                        pairs = Counter((cells[row], label) for row, label in labels.items())
                        yield what, False, pairs
                for first in (0, 1):  # there may be a header
                    if len(cells) - first == len(self.in_file):
                        aligned = zip(cells[first:], self.in_file, strict=True)
                        pairs = Counter(pair for pair in aligned if pair[1] is not None)
                        if pairs.total() >= _ROWS:
                            yield what, True, pairs

    def _columns(self, file: _File) -> Iterator[_Table]:
        """Yield a file's columns as submissions are read or, without ids, of its lines with ids."""
        has_ids = False
        for table in file.tables(self.kind):
            yield table.header, table.columns
            numbers_of_ids = (sum(map(self.of_id.__contains__, cells)) for cells in table.columns)
            has_ids |= max(numbers_of_ids, default=0) >= _ROWS
            names = list(table.header or table.first_row)
            classes = [place for place, name in enumerate(names) if name in self._classes]
            if len(classes) == len(self._classes) > 1:
                rows = zip(*(table.columns[place] for place in classes), strict=True)
                chosen = [names[classes[_place_of_highest(row)]] for row in rows]
                yield (*names, "the class"), [*table.columns, chosen]
        if self.kind == ROWS and not has_ids:
            yield from self._rows_of_text(file.text)

    @cached_property
    def _classes(self) -> frozenset[str]:
        return frozenset(label for label in self.in_file if isinstance(label, str))

    def _rows_of_text(self, text: str) -> Iterator[_Table]:
        """Yield the columns of the lines of a text that hold an id, whatever else is in it."""
        lines = text.splitlines()
        for delimiter in filter(text.__contains__, _DELIMITERS):
            rows = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
            with suppress(csv.Error):  # a text with an open quote
                yield from self._columns_of(map(_stripped, rows))
        yield from self._columns_of(map(_BETWEEN_WORDS.split, _ROW_ENDS.split(text)))

    def _columns_of(self, rows: Iterable[Sequence[str]]) -> Iterator[_Table]:
        """Yield the columns of the rows that hold an id, those of one width together."""
        with_id = (row for row in rows if not self.of_id.keys().isdisjoint(row))
        for alike in grouped((len(row), row) for row in with_id).values():
            if len(alike) >= _ROWS:
                yield None, list(zip(*alike, strict=True))


def _place_of_highest(cells: Sequence[str]) -> int:
    """Return the place of the highest number; what is no number is the lowest."""
    numbers = [float(cell) if is_number(cell) else -math.inf for cell in cells]
    return numbers.index(max(numbers))


def _stripped(cells: Sequence[str]) -> list[str]:
    return [cell.strip() for cell in cells]


def _labels(part: Part, task: int) -> Iterator[_Labels]:
    """Yield the labels of every column of a gold that metrics score."""
    gold = part.gold
    scored = dict.fromkeys(target.column for target in part.expected.targets)
    for column in scored or gold.targets[:1]:
        values = gold.columns[column]
        in_file: list[Any] = [None] * gold.total
        for position, value in zip(gold.positions, values, strict=True):
            in_file[position] = value
        of_id = dict(zip(gold.ids or (), values, strict=False))
        yield _Labels(f"{gold.file} ({_GOLD} of task {task})", task, gold.kind, of_id, in_file)


def _right(pairs: _Pairs) -> int:
    return sum(rows for pair, rows in pairs.items() if _agree(pair))


def _counts(pairs: _Pairs, side: int) -> Counter[object]:
    """Return how often each cell (side 0) or label (side 1) occurs."""
    counts: Counter[object] = Counter()
    for pair, rows in pairs.items():
        counts[_hashed(pair[side])] += rows
    return counts


def _agree(pair: tuple[Any, Any]) -> bool:
    """Whether a cell is a label, or one of several references, in any spelling of numbers."""
    cell, label = pair
    if cell == label or (isinstance(label, tuple) and cell in label):
        return True
    return isinstance(cell, str) and isinstance(label, str) and _plain(cell) == _plain(label)


@lru_cache(maxsize=1 << 12)
def _plain(cell: str) -> object:
    return float(cell) if is_number(cell) else cell.strip().casefold()


def _beyond_chance(right: int, pairs: _Pairs) -> bool:
    """Whether cells agree with labels more often than unrelated ones that are as frequent."""
    n = pairs.total()
    cells = _counts(pairs, 0)
    labels = _counts(pairs, 1)
    chance = sum(count * labels[value] for value, count in cells.items()) / n**2
    return bool(right / n > chance + _BEYOND_CHANCE * (chance * (1 - chance) / n) ** 0.5)


def _hashed(value: Any) -> object:
    return _plain(value) if isinstance(value, str) else value
