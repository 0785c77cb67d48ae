"""The only names and thresholds that say what columns mean. Everything else is read off the cells.

Names order what the contents allow, and never replace it: the Reading says "by name" where one of
them decided. Words of data sets (answer, class, category, value) are no names of answers of rows:
with them in the list, inputs with several candidates were read wrong.

This module imports nothing of the package, so that the readers of formats know the names, too.
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
IDS = re.compile(r"ids?|qid|idx|index|test_case|.*[_ -]ids?", re.IGNORECASE)
#: What data frames call an index that they wrote without a name.
_INDEX = re.compile(r"unnamed: ?\d+")
#: Words of cells that hold nothing.
_MISSING = ("", "na", "nan", "null", "none")
#: How people say in a prediction, in small letters, that there is none.
SAYS_MISSING = frozenset((*_MISSING, "n/a", "?", "-"))
#: The same as the words of cells, in any letters.
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

#: Column of a Kaggle solution that assigns a row to a part of the leaderboard.
USAGE = "Usage"
#: What Kaggle and Hugging Face call it, in small letters.
USAGE_NAMES = (USAGE.casefold(), "split")
#: Column of preferences that says which of two systems won.
WINNER = "winner"

# Kinds of data that are not rows. All names are in small letters, best first.

_CORRECT = ("label", "labels", "y", "y_true", "gold", "target", "class", "truth")
_EITHER = ("value", "answer", "category")
#: Columns of correct answers, and of either answers or predictions.
ANSWER_NAMES = (*_CORRECT, *_EITHER)
#: Names that only predictions have. Next to one of these, "label" may be the truth or empty.
PREDICTED_NAMES = ("prediction", "predictions", "predicted", "pred", "y_pred")
#: Columns that hold the gold or a prediction.
TARGET_NAMES = (*_CORRECT, *PREDICTED_NAMES, *_EITHER)
#: Columns that hold a score or the probability of the positive class.
SCORE_NAMES = ("score", "scores", "probability", "proba", "prob", "confidence", "decision")
#: Columns of texts beside these.
TEXT_NAMES = (
    "reference", "references", "ref", "refs", "answers", "text", "texts", "translation",
    "hypothesis", "hyp", "summary", "transcript", "transcription", "prediction_text", "output",
)  # fmt: skip
#: Columns of a header of texts.
HEADERS_OF_TEXTS = frozenset((*TEXT_NAMES, *TARGET_NAMES, "source", "src", "question"))
#: Columns of several labels.
LABEL_SET_NAMES = (*TARGET_NAMES, "values", "categories", "classes", "tags", "topics")
#: What numbers samples. A completion or a generation alone is what a model wrote.
SAMPLE_NUMBERS = re.compile(
    r"(sample|attempt|trial)s?|(sample|attempt|trial|generation|completion)s?[_ -](id|no|number)",
    re.IGNORECASE,
)
#: What says of a sample that it failed.
FAILURES = re.compile(r"(?i)(is[_ -])?(fail(s|ed|ure|ures)?|errors?|wrong|incorrect|un(re)?solved)")
#: What a sample says, or how it did.
SAMPLE_VALUES = (
    *PREDICTED_NAMES, *ANSWER_NAMES, "passed", "correct", "success", "resolved", "score",
    "outcome", "samples",
)  # fmt: skip
#: How outcomes are written beside numbers.
OUTCOMES = {"true": 1.0, "false": 0.0, "passed": 1.0, "failed": 0.0, "yes": 1.0, "no": 0.0}
#: What a cell of events says, as files and data frames write it.
EVENTS = {"1": True, "1.0": True, "true": True, "0": False, "0.0": False, "false": False}
#: Columns of spans: the document, where the span begins and ends, and what it is.
DOCUMENT_NAMES = ("id", "ids", "doc", "document", "file", "name", "key")
SPAN_STARTS = ("start", "begin", "start_offset", "start_char", "from")
SPAN_ENDS = ("end", "stop", "end_offset", "end_char", "to")
SPAN_TYPES = (
    "type", "label", "tag", "category", "class", "entity", "entity_type", "entity_group",
)  # fmt: skip
#: All spans of a document, in place of starts, ends and types.
SPAN_LISTS = ("spans", "entities", "labels", "label", "annotations", "predictions")
#: Keys of records of sentences that hold lists.
TAG_NAMES = ("tags", "ner_tags", "labels", "label", "ner", "predictions", "prediction", "y")
TOKEN_NAMES = ("tokens", "words", "text")
#: Keys that hold lists of ids: of what is resolved, of what is not, and of all examples.
RESOLVED_NAMES = ("resolved", "resolved_ids")
UNRESOLVED_NAMES = ("unresolved", "unresolved_ids")
INSTANCE_NAMES = ("instance_ids", "ids", "instances", "submitted_ids", "total_ids")
#: Keys that hold the predictions in a document that also holds facts about them.
WRAPPERS = (
    "predictions", "prediction", "data", "results", "labels", "answers", "submission", "output",
)  # fmt: skip

# Files.

#: What the reference data of a single task are called, and files next to them that are given.
GOLD_FILES = ("solution", "gold")
_GIVEN_FILES = ("train", "test")
#: Files that lie next to the reference data of texts and are what was translated or summarized.
INPUT_FILES = ("source", "sources", "src", "input", "inputs")
#: Files that are copies of the reference data.
COPIES_OF_GOLD = frozenset(
    ("true", "truth", "y_true", "gold", "gt", "ground_truth", "groundtruth", "reference")
)
#: What names of gold files add to the name of the task.
GOLD_ENDINGS = re.compile(r"[-_. ](gold|truth|reference|ref|labels|solution)$", re.IGNORECASE)
#: Files of several references of one task.
NUMBERED_REFERENCES = re.compile(
    r"(?i)(?P<task>.*?)[-_. ]?(?P<word>ref(?:erence)?s?)[-_. ]?(?:\d+|[A-Z])"
)
#: What names of files add to those of the team and the task: "TEAM_stance-pred".
PREDICTION_ENDINGS = re.compile(
    r"(?:^|[-_. ])(?:preds?|predictions?|predicted|outputs?|system|answers?|results?)$",
    re.IGNORECASE,
)

# Thresholds.

#: The share of cells that must be as a kind of predictions demands.
ENOUGH = 0.9
#: The share of cells from which a column nearly is of a kind, so that it may not be passed over.
NEARLY = 0.5
#: The share of ids that a file must have in common with the gold, and that of each column of a key
#: of several.
COMMON = 0.5
COMMON_OF_SEVERAL = 0.8
#: The most columns that name a row together.
LONGEST_KEY_OF_COLUMNS = 3
#: Labels repeat: at most this share of the rows are different, or so few.
MOST_DIFFERENT = 0.5
FEW_DIFFERENT = 3
#: Whole numbers of so many different values that repeat are labels, where no metric says what.
MOST_CLASSES_OF_NUMBERS = 20
#: Scores have answers of two values; with so many, further ones may say "no answer".
MOST_SPOILED_CLASSES = 4
#: Beside a score, so few different words are labels.
FEW_WORDS = 5
#: So many first cells show the shape of a column.
SHAPED = 1000
#: A column of so many different cells, or whose cells all differ, tells which row is which.
TELL_ROWS = 10
#: Of two rows of different labels, the positive one has the higher score in so large a share, if a
#: threshold made the labels.
APART_BY_A_THRESHOLD = 0.75
#: Longer cells are no ids whose order says anything.
LONGEST_ORDERED_ID = 1000
#: So few classes, or groups, have names that the organizer chose.
FEW_CHOSEN_NAMES = 50
#: A first cell of more words may be an example, even if the last one is a rare label.
WORDS_OF_A_NAME = 3
#: What hardly any word looks like, but an id does: letters beside a digit, slash, underscore or
#: dot, or a long hexadecimal number. The fewest texts that show it, if all begin so.
UNLIKE_WORDS = re.compile(r"(?=.*[^\W\d])(?=.*[\d/_.]).+|[\da-fA-F]{8,}")
FEWEST_BEGINNINGS = 10
#: By so much, sums of rounded probabilities of the task's classes may differ from 1.
ROUNDING_OF_SUMS = 0.01
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
    return IDS.fullmatch(plain_name(name)) is not None


def is_name_of_given_data(stem: str) -> bool:
    """Whether a file of the data that participants are given may be called so, but for its end."""
    return stem.casefold() in _GIVEN_FILES


def is_nameless(name: str) -> bool:
    """Whether a column has no name, or that of a data frame's index."""
    return not name.strip() or _INDEX.fullmatch(name.strip().casefold()) is not None
