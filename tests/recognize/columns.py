"""Columns of small competitions, and what recognition says of them in one line."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from scoring_program.core.errors import SubmissionError
from scoring_program.core.phrases import Phrase
from scoring_program.reading.table import Table
from scoring_program.recognize.rows_rule import Recognition, recognize_rows
from scoring_program.recognize.statements import Need, Stated

N = 40
_RANDOM = random.Random(7)
IDS = [f"t{number:04d}" for number in _RANDOM.sample(range(9999), N)]
NUMBERED_IDS = [str(number) for number in _RANDOM.sample(range(1000, 9999), N)]
UUIDS = [f"{number:08x}" for number in _RANDOM.sample(range(16**7, 16**8), N)]
FROM_0 = [str(number) for number in range(N)]
FROM_1 = [str(number) for number in range(1, N + 1)]
RANK = [str(number) for number in _RANDOM.sample(range(1, N + 1), N)]
USERS = [f"u{number // 4}" for number in range(N)]
ITEMS = [f"i{number % 4}" for number in range(N)]
BINARY = [_RANDOM.choice("01") for _ in range(N)]
FLAG = [_RANDOM.choice("01") for _ in range(N)]
WORDS = ["yes" if label == "1" else "no" for label in BINARY]
COLORS = [_RANDOM.choice(["red", "green", "blue"]) for _ in range(N)]
TOPICS = [_RANDOM.choice(["sports", "politics"]) for _ in range(N)]
TEXTS = [f"the {_RANDOM.randrange(10**6)} of a long sentence" for _ in range(N)]
PRICES = [f"{_RANDOM.uniform(1, 90):.2f}" for _ in range(N)]
YEARS = [str(_RANDOM.randrange(1990, 2024)) for _ in range(N)]
COMMAS = [price.replace(".", ",") for price in PRICES]
THOUSANDS = [f"{_RANDOM.uniform(1000, 9000):,.2f}" for _ in range(N)]
HUGE = [f"{_RANDOM.uniform(1e11, 2e11):.1f}" for _ in range(N)]
SPLIT = [_RANDOM.choice(["Public", "Private", "Ignored"]) for _ in range(N)]
FOLDS = [str(number % 5) for number in range(N)]
CONSTANT = ["0"] * N
NOTHING = [""] * N


def noisy(labels: Sequence[str], seed: int = 1, share: float = 0.25) -> list[str]:
    """Return labels of which some are other labels."""
    chance = random.Random(seed)
    present = sorted({*labels})
    return [chance.choice(present) if chance.random() < share else label for label in labels]


def scores(labels: Sequence[str], positive: str, seed: int = 1) -> list[str]:
    """Return numbers between 0 and 1 that are larger for the positive label."""
    chance = random.Random(seed)
    return [
        f"{min(0.99, max(0.01, chance.gauss(0.65 if label == positive else 0.35, 0.2))):.4f}"
        for label in labels
    ]


def cut(numbers: Sequence[str], high: str = "1", low: str = "0", at: float = 0.5) -> list[str]:
    """Return the labels that numbers are when they are cut at a threshold."""
    return [high if float(number) >= at else low for number in numbers]


def confidences(numbers: Sequence[str]) -> list[str]:
    """Return the confidence in the label that is cut from probabilities."""
    return [f"{max(float(number), 1 - float(number)):.4f}" for number in numbers]


def other(numbers: Sequence[str]) -> list[str]:
    """Return the probabilities of the other class."""
    return [f"{1 - float(number):.4f}" for number in numbers]


def class_probabilities(labels: Sequence[str], seed: int = 1) -> dict[str, list[str]]:
    """Return a column of probabilities for each label."""
    chance = random.Random(seed)
    classes = sorted({*labels})
    columns: dict[str, list[str]] = {label: [] for label in classes}
    for label in labels:
        weights = [chance.random() + (label == name) for name in classes]
        for name, weight in zip(classes, weights, strict=True):
            columns[name].append(f"{weight / sum(weights):.5f}")
    return columns


def shuffled(columns: Mapping[str, Sequence[str]], seed: int = 3) -> dict[str, list[str]]:
    """Return the rows of columns in another order."""
    order = list(range(len(next(iter(columns.values())))))
    random.Random(seed).shuffle(order)
    return {name: [cells[row] for row in order] for name, cells in columns.items()}


def table(
    file: str, columns: Mapping[str, Sequence[str]], *, headed: bool = True, known: bool = False
) -> Table:
    """Return a raw table; its header is ``known``, as in JSON, or the first row, or none."""
    header = tuple(columns) if known else None
    first = list(columns) if headed and not known else None
    cells = [
        [*([first[place]] if first is not None else []), *column]
        for place, column in enumerate(columns.values())
    ]
    return Table(file, cells, range(1, len(cells[0]) + 1), header)


def nested(columns: Mapping[str, Sequence[str]], *names: str) -> Table:
    """Return a table of records that also hold lists, under some names."""
    errors = {name: SubmissionError(Phrase("a list")) for name in names}
    return replace(table("gold.csv", columns, known=True), nested=errors)


def recognized(
    gold: Mapping[str, Sequence[str]] | Table,
    files: Sequence[Mapping[str, Sequence[str]] | Table],
    *needs: Need,
    stated: Stated | None = None,
    participants_read: bool = False,
) -> Recognition:
    """Return what is recognized of columns; the files are called a, b, c."""
    uploads = {}
    for name, columns in zip("abcdefgh", files, strict=False):
        uploads[name] = columns if isinstance(columns, Table) else table(name, columns)
    reference = gold if isinstance(gold, Table) else table("gold.csv", gold)
    return recognize_rows(reference, uploads, needs, stated, participants_read=participants_read)


def told(outcome: Recognition) -> str:
    """Return the key, the answers and each file's predictions, or what is asked, as a text."""
    if outcome.reading is None:
        question = outcome.questions[0]
        options = "".join(f" [{option.line}]" for option in question.options)
        return f"asks {question.asks}{options}"
    gold = outcome.reading.reference
    key = gold.roles["id"].value if "id" in gold.roles else "position"
    answers = "+".join(_named(item.decision.value) for item in gold.predicted)
    lines = [f"{_named(key)} {answers}"]
    for name, binding in outcome.bindings.items():
        file_key = "+".join(_called(column) for column in binding.file_key) or "position"
        predictions = []
        for prediction in binding.predictions.values():
            columns = "+".join(_called(column) for column in prediction.columns.values())
            predictions.append(columns)
        lines.append(f"{name} {file_key} {' '.join(dict.fromkeys(predictions))}")
    lines += [f"{name} not: {reason}" for name, reason in outcome.unusable.items()]
    return "; ".join(lines)


def _called(column: object) -> str:
    name = getattr(column, "name", "")
    return name or str(getattr(column, "place", 0) + 1)


def _named(value: object) -> str:
    if isinstance(value, Mapping):
        return "+".join(map(str, value.values()))
    return "+".join(map(str, value)) if isinstance(value, list) else str(value)
