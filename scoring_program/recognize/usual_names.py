"""The only names and thresholds that say what columns mean. Everything else is read off the cells.

Names order what the contents allow, and never replace it: the Reading says "by name" where one of
them decided. Words of data sets (answer, class, category, value) are no names of answers: with them
in the list, inputs with several candidates were read wrong.
"""

from __future__ import annotations

import re
from itertools import product

#: What the gold may call its answers, in the form of `plain_name`.
ANSWERS = frozenset(
    {
        "label", "labels", "target", "targets", "y", "y_true", "gold", "gold_label", "truth",
        "ground_truth",
    }
)  # fmt: skip
#: What identifies examples, where nothing but a name can tell.
_IDS = re.compile(r"ids?|qid|idx|index|test_case|.*_ids?")
#: What data frames call an index that they wrote without a name.
_INDEX = re.compile(r"unnamed: ?\d+")
#: Words of cells that hold nothing.
_MISSING = ("", "na", "nan", "null", "none")
#: The same in any letters.
MISSING_TEXTS = frozenset(
    "".join(letters)
    for word in _MISSING
    for letters in product(*((small, small.upper()) for small in word))
)
#: Words of a column that splits the test set → the part, in small letters.
SPLIT_WORDS = {
    "public": "public",
    "private": "private",
    "ignored": "ignored",
    "publictest": "public",
    "privatetest": "private",
}

#: The share of cells that must be as a kind of predictions demands.
ENOUGH = 0.9
#: The share of cells from which a column nearly is of a kind, so that it may not be passed over.
NEARLY = 0.5
#: The share of ids that a file must have in common with the gold, and that of each column of a key
#: of several.
COMMON, COMMON_OF_SEVERAL = 0.5, 0.8
#: The most columns that name a row together.
LONGEST_KEY_OF_COLUMNS = 3
#: Labels repeat: at most this share of the rows are different, or so few.
MOST_DIFFERENT, FEW_DIFFERENT = 0.5, 3
#: Whole numbers of so many different values that repeat are labels, where no metric says what.
MOST_CLASSES_OF_NUMBERS = 20
#: Scores have answers of two values; with so many, further ones may say "no answer".
MOST_SPOILED_CLASSES = 4
#: Beside a score, so few different words are labels.
FEW_WORDS = 5
#: So many first cells show the shape of a column.
SHAPED = 1000
#: How far a row of probabilities may be from 1.
SUM_TOLERANCE = 0.02


def plain_name(name: str) -> str:
    """Return a column's name in small letters, with one underscore between words."""
    return re.sub(r"[\s_-]+", "_", name.strip().casefold())


def is_name_of_answers(name: str) -> bool:
    """Whether the gold may call its answers so."""
    return plain_name(name) in ANSWERS


def is_name_of_ids(name: str) -> bool:
    """Whether a column that identifies examples may be called so."""
    return _IDS.fullmatch(plain_name(name)) is not None


def is_nameless(name: str) -> bool:
    """Whether a column has no name, or that of a data frame's index."""
    return not name.strip() or _INDEX.fullmatch(name.strip().casefold()) is not None
