"""What workers do with the parts of a folder: describe them, and count rows of equal labels.

Every task reads its files itself, from paths that all machines share, and returns little. pyarrow
is imported in workers only: a participant's file may end the process that reads it.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Array, Ints
from ..core.cells import Label, label_reader
from ..core.errors import (
    DeadheatError,
    ReferenceDataError,
    SettingsError,
    SubmissionError,
    internal_of_upload,
    quoted,
)
from ..core.phrases import Phrase
from ..core.version import install_line
from ..reading.table import ROW, Table
from ..recognize.expected import Expected
from .entry import align
from .inputs import texts_of

#: What reading parts loads.
LIBRARIES = ("pyarrow.parquet", "pyarrow.compute")
#: Labels that a byte tells apart, but for the one that stands for none.
MOST_LABELS = 255
_WORD = 64
#: Rows that are gathered before equal ones are put together.
_GATHERED = 1 << 21

_Words = NDArray[np.uint64]
#: The least and the greatest id of a part.
_Ends: TypeAlias = tuple[Any, Any]


@dataclass(frozen=True, eq=False)
class LabelCounts:
    """K rows of codes, packed into words [K, W], and how often each occurs, [K].

    The first code is in the highest bits of the first word, so that rows are sorted by it first.
    Rows are distinct, unless they have ``ids`` and stay by themselves.
    """

    words: _Words
    counts: Ints
    labels: int
    ids: Sequence[str] = ()  # [K], if rows have some

    @classmethod
    def of_columns(
        cls,
        columns: Sequence[Array],
        labels: int,
        counts: Ints | None = None,
        ids: Sequence[str] = (),
    ) -> LabelCounts:
        """Pack rows of codes [c][n] below ``labels``, each with its count; once by default."""
        bits, per_word = _layout(labels)
        words = np.zeros((len(columns[0]), -(-len(columns) // per_word)), np.uint64)
        for place, codes in enumerate(columns):
            shift = np.uint64(_WORD - bits * (place % per_word + 1))
            words[:, place // per_word] |= codes.astype(np.uint64) << shift
        counts = np.ones(len(words), np.intp) if counts is None else counts
        return cls(words, counts, labels, ids)

    @classmethod
    def sum(cls, several: Iterable[LabelCounts]) -> LabelCounts:
        """Add up counts of the same columns, holding few of them at a time, or sort rows by id."""
        gathered: list[LabelCounts] = []
        for counts in several:
            gathered.append(counts)
            if sum(len(item.counts) for item in gathered[1:]) > _GATHERED:
                gathered = [cls._together(gathered)]
        return cls._together(gathered)

    @classmethod
    def _together(cls, parts: Sequence[LabelCounts]) -> LabelCounts:
        words = np.concatenate([part.words for part in parts])
        counts = np.concatenate([part.counts for part in parts])
        if ids := [id_of_part for part in parts for id_of_part in part.ids]:
            by_id = sorted(range(len(ids)), key=ids.__getitem__)
            words = words[by_id]
            counts = counts[by_id]
            ids = [ids[row] for row in by_id]
        return cls(words, counts, parts[0].labels, ids).merged()

    def merged(self) -> LabelCounts:
        """Sort the rows, and put equal ones together; rows with ids stay as they are."""
        if self.ids:
            return self
        words = self.words
        is_single = self.words.shape[1] == 1
        order = np.argsort(words[:, 0], kind="stable") if is_single else np.lexsort(words.T[::-1])
        words = words[order]
        starts = np.ones(len(words), np.bool_)
        starts[1:] = (words[1:] != words[:-1]).any(axis=1)
        first = np.flatnonzero(starts)
        counts = np.add.reduceat(self.counts[order], first) if first.size else self.counts
        return LabelCounts(words[first], counts, self.labels)

    def codes(self, place: int) -> NDArray[np.uint8]:
        """Return the codes of one column, [K]."""
        bits, per_word = _layout(self.labels)
        shift = np.uint64(_WORD - bits * (place % per_word + 1))
        codes: Any = (self.words[:, place // per_word] >> shift) & np.uint64((1 << bits) - 1)
        return np.asarray(codes, np.uint8)

    def keep(self, columns: Sequence[int]) -> LabelCounts:
        """Return the counts of the rows of some columns, `merged`."""
        codes = [self.codes(place) for place in columns]
        return LabelCounts.of_columns(codes, self.labels, self.counts, self.ids).merged()


def _layout(labels: int) -> tuple[int, int]:
    """Return the bits of a code, and how many codes a word holds."""
    bits = max(1, (labels - 1).bit_length())
    return bits, _WORD // bits


# Parts --------------------------------------------------------------------------------------------


#: Rows of a folder that are looked at for what its columns hold.
HEAD = 3
#: No label, among the codes.
_NONE = 255
_DAMAGED = Phrase("a part is no Parquet file that can be read; write it again")
_OTHER_TYPES = Phrase(
    "the ids or the labels are lists, objects or values that have no usual text; write a number "
    "or a text into each row"
)
#: Bytes of a file that are hashed at a time.
_PIECE = 1 << 20


#: Rows of a file that are read together: their number, and the least and greatest of columns.
_RowGroup = tuple[int, Mapping[str, tuple[Any, Any]]]


@dataclass(frozen=True)
class Folder:
    """The parts of the reference data or of one submission; ``types`` are those of the columns.

    ``ids`` and ``labels`` are the names of two of these, once they are known.
    """

    name: str  # in messages
    parts: Mapping[str, tuple[_RowGroup, ...]]  # path → what its footer says
    types: Mapping[str, str]
    head: Mapping[str, tuple[str, ...]]  # column → its first cells
    sha256: str
    ids: str = ""
    labels: str = ""

    @property
    def rows(self) -> int:
        """Number of rows in all parts."""
        return sum(rows for groups in self.parts.values() for rows, _ in groups)

    @property
    def ranges(self) -> dict[str, list[tuple[Any, Any] | None]]:
        """Column → the least and the greatest value of each row group; None if it does not tell."""
        of_columns: dict[str, list[tuple[Any, Any] | None]] = {name: [] for name in self.types}
        for groups in self.parts.values():
            for _, ranges in groups:
                for name, of_groups in of_columns.items():
                    of_groups.append(ranges.get(name))
        return of_columns


def describe(folder: str, paths: Sequence[str]) -> Folder:
    """Return what the footers of a folder's parts say; raise SubmissionError."""
    parts = {}
    types = None
    hashes = []
    head: dict[str, tuple[str, ...]] = {}
    for path in paths:
        with _readable(folder), _opened(path) as file:
            schema = {field.name: str(field.type) for field in file.schema_arrow}
            names = file.schema_arrow.names
            if twice := next((name for name in names if names.count(name) > 1), None):
                raise SubmissionError(
                    "several columns are called {name}; give each its own name",
                    folder,
                    name=quoted(twice),
                )
            parts[path] = tuple(_row_groups(file.metadata))
            first = next(file.iter_batches(HEAD, use_threads=False), None) if not head else None
        if types is None:
            types = schema
        if schema != types:
            raise SubmissionError(
                "the parts differ in their columns; write all of them with the same schema", folder
            )
        if first is not None:
            with _readable(folder, _OTHER_TYPES):
                head = {name: tuple(texts_of(first[name].to_pylist())) for name in schema}
        hashes.append(_digest(path))
    sha256 = hashlib.sha256("\n".join(hashes).encode()).hexdigest()
    return Folder(folder, parts, types or {}, head, sha256)


def _digest(path: str) -> str:
    """Return the SHA-256 of a file, of which little is held at a time."""
    digest = hashlib.sha256()
    with open(path, "rb") as stream:
        while piece := stream.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()


def _row_groups(metadata: Any) -> Iterator[_RowGroup]:
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        ranges = {}
        for place in range(group.num_columns):
            column = group.column(place)
            bounds = column.statistics
            if bounds is not None and bounds.has_min_max:
                ranges[column.path_in_schema] = (bounds.min, bounds.max)
        yield group.num_rows, ranges


@contextlib.contextmanager
def _opened(path: str) -> Iterator[Any]:
    try:
        from pyarrow import parquet  # type: ignore[import-untyped,unused-ignore]
    except ImportError as missing:
        raise SettingsError(
            f"format: Parquet needs pyarrow on every worker: {install_line('arrow')}"
        ) from missing
    with parquet.ParquetFile(path) as file:
        yield file


@contextlib.contextmanager
def _readable(name: str, fault: Phrase = _DAMAGED) -> Iterator[None]:
    """Turn whatever pyarrow stumbles over in a damaged file, in English, into SubmissionError."""
    try:
        yield
    except (DeadheatError, MemoryError):
        raise
    except FileNotFoundError as error:
        raise SettingsError(
            f"{error.filename or error}: a worker has no such file; put the parts on a disk that "
            "all workers see under the same path"
        ) from error
    except Exception as error:
        raise SubmissionError(fault, name) from error


def look_at_gold(gold: Folder, path: str) -> tuple[Any, Any, Counter[str]]:
    """Return the least and the greatest id in a part of the gold, and how often it has each label.

    Raises ReferenceDataError.
    """
    try:
        with _readable(gold.name), _opened(path) as file:
            table = file.read([gold.ids, gold.labels], use_threads=False)
        from pyarrow import compute

        with _readable(gold.name, _OTHER_TYPES):
            ids = _decoded(table[gold.ids]).combine_chunks()
            numbers = np.asarray(ids.dictionary_encode().indices)
            limits = compute.min_max(ids).as_py()
            codes, texts = _coded(table[gold.labels])
    except SubmissionError as error:
        raise ReferenceDataError(str(error)) from error
    where = f"{gold.name}: {_file_name(path)}"
    if ids.null_count:
        row = ids.is_null().to_pylist().index(True)
        raise ReferenceDataError(f"{where}: row {row + 1}: the id is empty; fill it in")
    repeated = np.flatnonzero(np.bincount(numbers)[numbers] > 1)
    if repeated.size:
        raise ReferenceDataError(
            f"{where}: row {repeated[1] + 1}: the id was already on another row; ids must be unique"
        )
    if len(texts) > MOST_LABELS:
        raise ReferenceDataError(
            f"{gold.name}: the column {gold.labels!r} holds {len(texts)} labels; counted parts may "
            f"hold {MOST_LABELS}"
        )
    if (codes == 0).any():
        raise ReferenceDataError(
            f"{where}: row {int((codes == 0).argmax()) + 1}: column {gold.labels!r} is empty; give "
            "every example a label"
        )
    counts: Counter[str] = Counter()  # two values may be written alike
    for text, count in zip(texts, np.bincount(codes, minlength=len(texts) + 1)[1:], strict=True):
        counts[text] += int(count)
    return limits["min"], limits["max"], counts


def _file_name(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


def _decoded(ids: Any) -> Any:
    """Return ids by their values, also if a frame has stored them as categories."""
    import pyarrow

    return ids.cast(ids.type.value_type) if pyarrow.types.is_dictionary(ids.type) else ids


def _coded(column: Any) -> tuple[Ints, list[str]]:
    """Return from 1 the number of each row's text, 0 if it is null; and these texts."""
    import pyarrow

    values = column.combine_chunks() if isinstance(column, pyarrow.ChunkedArray) else column
    if isinstance(values, pyarrow.ChunkedArray):  # of several dictionaries
        values = values.unify_dictionaries().combine_chunks()
    if not pyarrow.types.is_dictionary(values.type):
        values = values.dictionary_encode()
    numbers = values.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.intp) + 1
    return numbers, texts_of(values.dictionary.to_pylist())


#: How many of a submission's rows have ids of a part, or why it cannot be counted.
Matched: TypeAlias = "int | SubmissionError"


def count_part(
    gold: Folder,
    path: str,
    ends: _Ends,
    submissions: Sequence[Folder | SubmissionError],
    expected: Expected,
    *,
    keeps_rows: bool,
) -> tuple[LabelCounts, Sequence[Matched]]:
    """Count the distinct rows of labels, the gold's and all submissions', beside one gold part.

    ``ends`` are the part's least and greatest id: row groups of submissions without ids between
    them are not read. If it ``keeps_rows``, every row stays by itself, with its id. Of what is
    ``expected``, the ids and numbers of examples are the part's.

    Beside the counts, return what is `Matched` of each submission.
    """
    columns, matched, ids = codes_beside(
        gold, path, ends, submissions, expected, keeps_rows=keeps_rows
    )
    return counted(columns, expected, ids), matched


def counted(columns: Sequence[Array], expected: Expected, ids: Sequence[str]) -> LabelCounts:
    """Count the distinct rows of codes, the gold's first; rows with ``ids`` stay by themselves."""
    (labels,) = expected.targets.values()
    return LabelCounts.of_columns(columns, len(labels), ids=ids).merged()


def codes_beside(
    gold: Folder,
    path: str,
    ends: _Ends,
    submissions: Sequence[Folder | SubmissionError],
    expected: Expected,
    *,
    keeps_rows: bool,
) -> tuple[list[Array], list[Matched], list[str]]:
    """Return the codes of the gold and of submissions beside a part, what matched, and kept ids.

    See `count_part`. The codes of a submission that cannot be counted are zeros: whatever goes
    wrong while it is read concerns it alone, but for memory that is short.
    """
    (labels,) = expected.targets.values()
    with _opened(path) as file:
        table = file.read([gold.ids, gold.labels], use_threads=False)
    ids = _decoded(table[gold.ids]).combine_chunks()
    numbers, texts = _coded(table[gold.labels])
    columns: list[Array] = [_of_texts(texts, labels)[numbers]]
    matches: list[Matched] = []
    for submission in submissions:
        codes: Array = np.zeros(len(ids), np.uint8)
        matched: Matched
        if isinstance(submission, SubmissionError):
            matched = submission
        else:
            try:
                comparable = submission.types[submission.ids] == gold.types[gold.ids]
                codes, matched = _codes(
                    submission, ids, ends if comparable else None, path, expected
                )
            except SubmissionError as error:
                matched = error
            except Exception as error:
                matched = SubmissionError(internal_of_upload(error).reason, submission.name)
        columns.append(codes)
        matches.append(matched)
    return columns, matches, texts_of(ids.to_pylist()) if keeps_rows else []


def _of_texts(texts: Sequence[str], labels: Sequence[Label]) -> Array:
    """Return the codes of labels as texts, after the one of none."""
    read = label_reader(labels)
    code = {label_text: k for k, label_text in enumerate(labels)}
    codes = (None if label is None else code.get(label) for label in map(read, texts))
    return np.array([_NONE, *(_NONE if k is None else k for k in codes)], np.uint8)


def _codes(
    folder: Folder, ids: Any, ends: _Ends | None, path: str, expected: Expected
) -> tuple[Array, int]:
    """Return the codes [n] of a submission's labels, and how many of its rows have these ids.

    What is unusual is read with care, as any other file is. Raises SubmissionError with the
    problems that `align` finds, or if a part is damaged.
    """
    ((target, labels),) = expected.targets.items()
    with _readable(folder.name):
        ids_sent, values, rows = _rows_between(ends, folder, ids.type)
    with _readable(folder.name, _OTHER_TYPES):
        ids_sent = _decoded(ids_sent)
        place = _places(ids_sent, ids)
        numbers, texts = _coded(values)
    here = np.flatnonzero(place >= 0)
    label_codes = _of_texts(texts, labels)[numbers[here]]
    codes = np.full(len(ids), _NONE, np.uint8)
    codes[place[here]] = label_codes
    if here.size == len(ids) and _NONE not in codes and _NONE not in label_codes:
        return codes, here.size
    beside = f"{folder.name} / {_file_name(path)}"
    cells = [texts_of(column.take(here).to_pylist()) for column in (ids_sent, values)]
    table = Table(beside, cells, (rows[here] + 1).tolist(), (folder.ids, folder.labels), ROW)
    texts_of_ids = tuple(texts_of(ids.to_pylist()))
    n = len(ids)
    expected = replace(expected, ids=texts_of_ids, positions=range(n), total=n)
    predicted = align(table, folder.name, expected, {}, folder.sha256).predictions[target]
    code = {label: k for k, label in enumerate(labels)}
    return np.array([code[label] for label in predicted.tolist()], np.uint8), here.size


def _rows_between(ends: _Ends | None, folder: Folder, id_type: Any) -> tuple[Any, Any, Ints]:
    """Return ids and predictions of the row groups that may matter, and the rows' numbers.

    They matter if they may have ids between the ``ends``, which are None if nothing tells.
    """
    import pyarrow

    tables = []
    numbers = [np.zeros(0, np.intp)]
    first = 0
    for path, groups in folder.parts.items():
        wanted = []
        for number, (rows, ranges) in enumerate(groups):
            low, high = ranges.get(folder.ids, (None, None))
            if ends is None or low is None or not (high < ends[0] or low > ends[1]):
                wanted.append(number)
                numbers.append(np.arange(first, first + rows))
            first += rows
        if wanted:
            with _opened(path) as file:
                columns = [folder.ids, folder.labels]
                tables.append(file.read_row_groups(wanted, columns, use_threads=False))
    if not tables:
        return pyarrow.array([], id_type), pyarrow.array([], pyarrow.string()), numbers[0]
    table = pyarrow.concat_tables(tables)
    return table[folder.ids], table[folder.labels], np.concatenate(numbers)


def _places(ids_sent: Any, ids: Any) -> Ints:
    """Return the place of each of a submission's ids among those of a part, [rows]; −1 for none."""
    import pyarrow
    from pyarrow import compute

    if (
        len(ids_sent) == len(ids)
        and ids_sent.type == ids.type
        and pyarrow.chunked_array([ids]).equals(ids_sent)
    ):
        return np.arange(len(ids))
    if ids_sent.type != ids.type:
        ids_sent, ids = (pyarrow.array(texts_of(column.to_pylist())) for column in (ids_sent, ids))
    places = compute.index_in(ids_sent, value_set=ids, skip_nulls=True)
    places = places.combine_chunks() if isinstance(places, pyarrow.ChunkedArray) else places
    return np.asarray(places.fill_null(-1).to_numpy(zero_copy_only=False), np.intp)
