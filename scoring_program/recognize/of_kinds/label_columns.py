"""Several labels per example: which columns hold them, and in what form.

Labels stand in one column, or are columns of ones and zeros. Cells are texts, or tuples of labels
where a file holds lists.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any

from ...core.cells import are_integers, are_texts, is_number
from ...core.phrases import Phrase
from ..usual_names import LABEL_SET_NAMES, USAGE
from .roles_by_name import ID, DataField

#: Columns of labels, best first.
LABELS = DataField("labels", LABEL_SET_NAMES)
#: What identifies examples, and Kaggle's column beside the labels of its solutions.
_BESIDE = (ID, DataField("usage", (USAGE.casefold(),)))
#: How a column says that its label applies, or does not.
FLAGS = {"0": False, "1": True, "0.0": False, "1.0": True}
#: The same in lists, as JSON, Python and NumPy write them, in small letters.
_FLAGS_OF_LISTS = {**FLAGS, "0.": False, "1.": True, "false": False, "true": True}
_BETWEEN_FLAGS = re.compile(r"[\s,;|]+")
_SEPARATORS = "|;,"
#: So many columns of ones and zeros hold labels also beside columns of texts, or of ids.
_BESIDE_TEXTS = 3
#: More labels than most tasks have: they may be items or documents.
_MANY = 50

#: Columns by their names.
_Columns = Mapping[str, Sequence[Any]]


# Headers ------------------------------------------------------------------------------------------


def is_header_of_labels(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether a first row names the columns ``below`` it.

    It stands above ones and zeros or above lists, or holds a usual name.
    """
    if any(map(are_flags, below)) and not {*first} & FLAGS.keys():
        return True
    return _has_usual(first) or any(map(_is_over_lists, first, below))


def is_table_of_labels(
    first: Sequence[str],
    below: Sequence[Sequence[str]],
    ids: Sequence[str],
    *,
    divided_by_tabs: bool,
) -> bool:
    """Whether lines that a delimiter divides are rows of columns, and not labels of an example.

    They are where ones and zeros stand ``below`` the first line. Else only tabs divide columns:
    below names, which are no labels, or behind ``ids``, with which no two lines begin.
    """
    if any(map(are_flags, below)):
        return True
    if not divided_by_tabs:
        return False
    if _has_usual(first) and not {*first} & {*chain(*below)}:
        return True
    return 2 * len({*ids}) > len(ids)  # a mistake may repeat some


def _has_usual(names: Sequence[str]) -> bool:
    return any(field.among(names) is not None for field in (LABELS, *_BESIDE))


def _is_over_lists(name: str, cells: Sequence[str]) -> bool:
    """Whether a cell is no list, and all below it are."""
    are_lists = all(cell.startswith("[") for cell in cells)
    return bool(cells) and are_lists and not name.startswith("[")


# Columns ------------------------------------------------------------------------------------------


def column_of_labels(columns: _Columns, stated: Collection[str]) -> str | None:
    """Return the column that holds labels: a stated one, one of a usual name, or the only one.

    None if none does, so that each of several columns is a label.
    """
    named = LABELS.among([name for name in columns if name in stated]) or LABELS.among(columns)
    candidates = _beside_ids(columns)
    if named is None and len(candidates) == 1:
        return candidates[0]
    return named


def columns_that_are_labels(columns: _Columns, *, gold: bool) -> list[str]:
    """Return the columns that are labels, of ones and zeros.

    What else a ``gold``'s column of mostly ones and zeros holds is a mistake. Beside predictions
    may be ids, and sentences, such as the inputs of the task.
    """

    def may_be(cells: Sequence[Any]) -> bool:
        return _are_mostly_flags(cells) if gold else not _are_beside(cells)

    return [name for name in _beside_ids(columns) if may_be(columns[name])]


def lists_elsewhere(columns: _Columns, column: str) -> str | None:
    """Return the first column of a usual name with lists, if the ``column`` of labels has none."""
    lists = []
    for name, cells in columns.items():
        if LABELS.fits(name) and any(isinstance(cell, tuple) for cell in cells):
            lists.append(name)
    return lists[0] if lists and column not in lists else None


def are_in_several_orders(lists: Sequence[Sequence[str]]) -> bool:
    """Whether the order of lists of many labels may count, as in rankings: pairs come in both."""
    pairs = {pair for row in lists for pair in pairwise(row) if pair[0] != pair[1]}
    return any(pair[::-1] in pairs for pair in pairs) and len({*chain(*pairs)}) > _MANY


def _beside_ids(header: Iterable[str]) -> list[str]:
    """Return the names of columns that are neither ids nor others of a usual meaning."""

    def is_beside(name: str) -> bool:
        return any(field.fits(name) for field in _BESIDE)

    return [name for name in header if not is_beside(name)]


def are_flags(cells: Sequence[Any]) -> bool:
    """Whether all cells are ones and zeros, and there are some."""
    return len(cells) > 0 and {*cells} <= FLAGS.keys()


def _are_mostly_flags(cells: Sequence[Any]) -> bool:
    return 2 * sum(cell in FLAGS for cell in cells) > len(cells)


def _are_beside(cells: Sequence[Any]) -> bool:
    """Whether cells are lists, sentences, or ids: most differ, and they are no fractions."""
    if any(isinstance(cell, tuple) for cell in cells):
        return True
    if are_texts(cells):
        return True
    differ = 2 * len({*cells}) > len(cells) > 1 and not _are_mostly_flags(cells)
    return differ and (are_integers(cells) or not any(map(is_number, cells)))


# Several labels -----------------------------------------------------------------------------------


def hold_several_labels(columns: _Columns) -> bool:
    """Whether examples certainly have several labels: some have several, and labels come again."""
    usual = list(filter(LABELS.fits, columns))
    candidates = _beside_ids(columns)
    if usual or len(candidates) <= 1:
        return any(_come_again(columns[name]) for name in (usual[:1] or candidates))
    classes = [name for name in candidates if are_flags(columns[name])]
    further = [columns[name] for name in candidates if name not in classes]
    beside = all(_are_beside(cells) and not are_integers(cells) for cells in further)
    enough = len(classes) == len(candidates) or (beside and len(classes) >= _BESIDE_TEXTS)
    rows = zip(*(map(FLAGS.__getitem__, columns[name]) for name in classes), strict=True)
    return enough and any(sum(row) != 1 for row in rows)


def have_lists_of_labels(columns: _Columns) -> bool:
    """Whether the column of labels, or any, has lists whose items come again."""
    column = LABELS.among(columns)
    for cells in columns.values() if column is None else [columns[column]]:
        if any(isinstance(cell, tuple) for cell in cells):
            items = list(chain.from_iterable(parts_of(cells)))
            return len(items) >= 2 * len({*items}) > 0
    return False


def parts_of(cells: Sequence[Any]) -> list[Sequence[str]]:
    """Return the labels of every cell of a column, as they stand."""
    if any(isinstance(cell, tuple) for cell in cells):
        return [cell if isinstance(cell, tuple) else (cell,) for cell in cells]
    mark = _separator(cells)
    return [_stripped_parts(cell, mark) for cell in cells]


def _separator(cells: Sequence[str]) -> str | None:
    """Return what separates the labels within the cells of a column; None for spaces."""
    for mark in _SEPARATORS:
        if any(mark in cell for cell in cells):
            return mark
    return None


def _stripped_parts(cell: str, mark: str | None) -> list[str]:
    """Return what a separator divides; None divides at spaces."""
    return [part.strip() for part in cell.split(mark)]


def _come_again(cells: Sequence[str]) -> bool:
    """Whether the parts of cells are labels: fewer than there are different cells."""
    if any(cell.startswith("[") and cell.endswith("]") for cell in cells):
        return True
    mark = _separator(cells)
    lists = [_stripped_parts(cell, mark) for cell in cells]
    labels = {label for parts in lists for label in parts if label}
    if max(map(len, lists), default=0) < 2:
        return False
    if any(len({*parts}) < len(parts) for parts in lists):
        return False
    if mark == "," and all(label.replace("-", "").isdigit() for label in labels):
        return False  # these may be numbers with decimal commas
    # A sentence has parts, too, and so has a label of two words.
    different_cells = len({*cells})
    if mark is None:
        return 2 * len(labels) < different_cells
    if mark in "|;":
        return len(labels) <= different_cells
    return len(labels) < different_cells


# Flags in one cell --------------------------------------------------------------------------------


def of_cells(cells: Iterable[str]) -> Phrase | None:
    """Return what to write instead of cells such as 0,0,1,0 and [0 0 1 0], see `of_vectors`."""
    return of_vectors([_BETWEEN_FLAGS.split(cell.strip("[] ")) for cell in cells])


def of_vectors(lists: Iterable[Sequence[str]]) -> Phrase | None:
    """Return what to write instead of lists of flags, one for each label; None for other lists.

    No label comes twice in a list of labels, and not all lists hold the same two in other orders.
    Flags may also be the digits of a single text, such as 0010.
    """
    rows = [row for row in lists if any(row)]
    if any(len(row) == 1 and len(row[0]) > 2 and row[0][0] == "0" for row in rows):
        rows = [[*row[0]] if len(row) == 1 else row for row in rows]
    same_length = len({*map(len, rows)}) == 1
    if not same_length or not all(c.casefold() in _FLAGS_OF_LISTS for row in rows for c in row):
        return None
    if all([*row] == sorted({*row}) for row in rows):
        return None
    if all(map(_has_one_flag, rows)):
        return Phrase("write the label of each example")
    return Phrase(
        "write CSV with a column of zeros and ones for each label, called like it, or write the "
        "labels of each example"
    )


def _has_one_flag(row: Sequence[str]) -> bool:
    """Whether one label is set, as of examples that have one label each."""
    return sum(_FLAGS_OF_LISTS[cell.casefold()] for cell in row) == 1
