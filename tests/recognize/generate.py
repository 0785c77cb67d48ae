"""Random competitions of rows with known truth, well formed or with up to three troubles.

A competition is drawn from a seed: a kind of task, a gold with columns beside the answers, and
files whose predictions are known. Each trouble is a function that spoils files or the gold as
people do. Where nothing in the files tells the truth any more, the truth of a file is None: then
it may be asked about or refused, and a score is wrong whatever it is.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring_program.reading.table import Table
from scoring_program.recognize.facts import label_of, number_of
from scoring_program.recognize.rows_rule import Recognition, recognize_rows
from scoring_program.recognize.statements import NUMBERS, Need, Stated

from .columns import cut, table

Cells = list[str]
Columns = dict[str, Cells]
#: Of one example after the other; of class probabilities or label sets, name → these.
Truth = Any

_CLASSES = (
    ("no", "yes"), ("0", "1"), ("False", "True"), ("neg", "neu", "pos"), ("A1", "A2", "B1", "B2"),
    ("0", "1", "2"), ("cat", "dog", "bird", "fish", "cow"),
)  # fmt: skip
_LISTED = ("label", "target", "y", "y_true", "gold", "truth", "labels")
_DOMAIN = ("class", "stance", "diagnosis", "price", "is_fraud", "species", "answer", "outcome")
_LABEL_NAMES = ("pred", "prediction", "y_pred", "label", "output", "decision", "y_hat", "guess")
_SCORE_NAMES = (
    "score",
    "prob",
    "y_prob",
    "p",
    "confidence",
    "logit",
    "prediction",
    "risk",
    "value",
)
#: The group of competitions without troubles whose gold has further columns that may fit.
SEVERAL = "several candidates"
_IDS = ("id", "ID", "tweet_id", "image", "name", "doc", "row", "Id", "key")


@dataclass
class GeneratedCase:
    """A competition, what its metrics need, and the truth about each file.

    ``truth`` maps file → need → predictions in the gold's order, or None where nobody can tell.
    """

    kind: str
    needs: tuple[Need, ...]
    gold: Columns
    answers: dict[str, Truth]
    files: dict[str, Columns]
    truth: dict[str, dict[str, Truth] | None]
    stated: Stated = field(default_factory=Stated)
    troubles: list[str] = field(default_factory=list)
    several: bool = False
    headless: set[str] = field(default_factory=set)
    ids: tuple[str, ...] = ("id",)

    @property
    def group(self) -> str:
        """The group in which it is counted."""
        if self.troubles:
            return "troubled"
        return SEVERAL if self.several else "plain"

    def tables(self) -> tuple[Table, dict[str, Table]]:
        """Return the raw tables of the gold and of the files."""
        uploads = {}
        for name, columns in self.files.items():
            uploads[name] = table(name, columns, headed=name not in self.headless)
        return table("gold.csv", self.gold), uploads


# Competitions -------------------------------------------------------------------------------------


def make(seed: int) -> GeneratedCase:
    """Return the competition of a seed."""
    chance = random.Random(seed)
    kind = chance.choice(list(_KINDS))
    case = _KINDS[kind](chance, chance.choice((24, 60, 150)))
    _add_context(chance, case)
    if chance.random() < 0.55:
        for trouble in chance.sample(list(_TROUBLES), chance.choice((1, 1, 2, 3))):
            if _TROUBLES[trouble](chance, case):
                case.troubles.append(trouble)
    for name in case.files:
        if chance.random() < 0.5 and all(key in case.files[name] for key in case.ids):
            case.files[name] = _in_another_order(chance, case.files[name])
    return case


def rows_of(columns: Columns) -> int:
    """Return how many rows columns have."""
    return len(next(iter(columns.values())))


def _in_another_order(chance: random.Random, columns: Columns) -> Columns:
    rows = list(range(rows_of(columns)))
    chance.shuffle(rows)
    return {name: [cells[row] for row in rows] for name, cells in columns.items()}


def _ids(chance: random.Random, n: int) -> Columns:
    """Return a key: one column, or two columns that name a row together."""
    form = chance.choice(("text", "text", "number", "padded", "from 0", "from 1", "pair"))
    name = chance.choice(_IDS)
    if form == "pair":
        pairs = chance.sample([(f"u{i}", f"i{k}") for i in range(n // 4 + 1) for k in range(8)], n)
        return {"user": [user for user, _ in pairs], "item": [item for _, item in pairs]}
    if form == "text":
        return {name: [f"e{number}" for number in chance.sample(range(9 * n), n)]}
    if form == "number":
        return {name: [str(number) for number in chance.sample(range(10**6), n)]}
    if form == "padded":
        return {name: [f"{number:06d}" for number in chance.sample(range(10**5), n)]}
    numbers = [str(number + (form == "from 1")) for number in range(n)]
    if chance.random() < 0.5:
        chance.shuffle(numbers)
    return {name: numbers}


def _labels(chance: random.Random, classes: Sequence[str], n: int) -> Cells:
    labels = [*classes, *classes, *chance.choices(classes, k=n - 2 * len(classes))]
    chance.shuffle(labels)
    return labels


def _guess(chance: random.Random, truth: Cells, classes: Sequence[str]) -> Cells:
    skill = chance.uniform(0.4, 0.95)
    return [label if chance.random() < skill else chance.choice(classes) for label in truth]


def _probabilities(chance: random.Random, truth: Cells, classes: Sequence[str]) -> Columns:
    columns: Columns = {name: [] for name in classes}
    skill = chance.uniform(0.3, 1.5)
    for label in truth:
        weights = [chance.random() + 0.01 + skill * (name == label) for name in classes]
        for name, weight in zip(classes, weights, strict=True):
            columns[name].append(f"{weight / sum(weights):.5f}")
    return columns


def _start(
    chance: random.Random, n: int, kind: str, needs: Sequence[Need], answers: Columns
) -> GeneratedCase:
    """Return a competition without files."""
    ids = _ids(chance, n)
    truth: dict[str, Truth] = {}
    for need in needs:
        truth[need.name] = (
            answers[str(need.answer)] if need.answer else next(iter(answers.values()))
        )
    return GeneratedCase(kind, tuple(needs), {**ids, **answers}, truth, {}, {}, ids=tuple(ids))


#: Makes the columns of a file beside its key, and the truth about each need.
_Predict = Callable[[], tuple[Columns, dict[str, Truth]]]


def _answer_name(chance: random.Random) -> str:
    return chance.choice(_LISTED if chance.random() < 0.65 else _DOMAIN)


def _add_files(chance: random.Random, case: GeneratedCase, predict: _Predict) -> GeneratedCase:
    keys = {name: case.gold[name] for name in case.ids}
    for number in range(chance.choice((1, 2, 3, 4))):
        columns, truth = predict()
        columns = {name: cells for name, cells in columns.items() if name not in keys}
        case.files[f"{number}.csv"] = {**keys, **columns}
        case.truth[f"{number}.csv"] = truth
    return case


def _label_task(chance: random.Random, n: int) -> GeneratedCase:
    classes = chance.choice(_CLASSES)
    need = Need("accuracy_score", "labels" if chance.random() < 0.8 else None)
    labels = _labels(chance, classes, n)
    case = _start(chance, n, "labels", [need], {_answer_name(chance): labels})
    name = chance.choice(_LABEL_NAMES)

    def predict() -> tuple[Columns, dict[str, Truth]]:
        guess = _guess(chance, labels, classes)
        return {name: guess}, {need.name: guess}

    return _add_files(chance, case, predict)


def _number_task(chance: random.Random, n: int) -> GeneratedCase:
    need = Need("mean_absolute_error", "numbers" if chance.random() < 0.8 else None)
    digits = chance.choice((1, 2, 4))
    numbers = [f"{chance.lognormvariate(chance.choice((2, 25)), 0.8):.{digits}f}" for _ in range(n)]
    case = _start(chance, n, "numbers", [need], {_answer_name(chance): numbers})
    name = chance.choice(("prediction", "yhat", "estimate", "value", "forecast"))

    def predict() -> tuple[Columns, dict[str, Truth]]:
        guess = [f"{float(number) * chance.lognormvariate(0, 0.2):.3f}" for number in numbers]
        return {name: guess}, {need.name: guess}

    return _add_files(chance, case, predict)


def _score_task(chance: random.Random, n: int) -> GeneratedCase:
    classes = chance.choice([classes for classes in _CLASSES if len(classes) == 2])
    auc = Need("roc_auc_score", "scores", positive=classes[1])
    labels = _labels(chance, classes, n)
    needs = [auc]
    with_labels = chance.random() < 0.3
    if with_labels:
        needs.append(Need("accuracy_score", "labels"))
    case = _start(chance, n, "scores", needs, {_answer_name(chance): labels})
    name = chance.choice(_SCORE_NAMES)
    label_name = chance.choice([other for other in _LABEL_NAMES if other != name])

    def predict() -> tuple[Columns, dict[str, Truth]]:
        score = _probabilities(chance, labels, classes)[classes[1]]
        if not with_labels:
            return {name: score}, {auc.name: score}
        guess = cut(score, classes[1], classes[0], at=chance.choice((0.4, 0.5)))
        truth = {auc.name: score, "accuracy_score": guess}
        return {label_name: guess, name: score}, truth

    return _add_files(chance, case, predict)


def _probability_task(chance: random.Random, n: int) -> GeneratedCase:
    classes = chance.choice([classes for classes in _CLASSES if len(classes) > 2])
    need = Need("log_loss", "probabilities")
    labels = _labels(chance, classes, n)
    one_hot = chance.random() < 0.25 and not classes[0].isdigit()
    answers = {_answer_name(chance): labels}
    if one_hot:
        answers = {name: [str(int(label == name)) for label in labels] for name in classes}
    case = _start(chance, n, "probabilities", [need], answers)
    case.answers[need.name] = labels
    form = chance.choice(("{}", "p_{}", "{}_prob"))

    def predict() -> tuple[Columns, dict[str, Truth]]:
        columns = _probabilities(chance, labels, classes)
        named = {form.format(name): cells for name, cells in columns.items()}
        return named, {need.name: {label_of(name): cells for name, cells in columns.items()}}

    return _add_files(chance, case, predict)


def _target_task(chance: random.Random, n: int) -> GeneratedCase:
    names = chance.sample(("valence", "arousal", "price", "anger", "area"), chance.choice((2, 3)))
    needs = [Need(f"mean_absolute_error of {name}", "numbers", name) for name in names]
    answers = {name: [f"{chance.gauss(5, 2):.3f}" for _ in range(n)] for name in names}
    case = _start(chance, n, "targets", needs, answers)

    def predict() -> tuple[Columns, dict[str, Truth]]:
        columns = {}
        for name in names:
            columns[name] = [f"{float(cell) + chance.gauss(0, 1):.3f}" for cell in answers[name]]
        return columns, {need.name: columns[str(need.answer)] for need in needs}

    return _add_files(chance, case, predict)


_KINDS: dict[str, Callable[[random.Random, int], GeneratedCase]] = {
    "labels": _label_task,
    "numbers": _number_task,
    "scores": _score_task,
    "probabilities": _probability_task,
    "targets": _target_task,
}


def _add_context(chance: random.Random, case: GeneratedCase) -> None:
    """Add columns to the gold that are no answers; some could be."""
    n = rows_of(case.gold)
    rivals: dict[str, Callable[[], Cells]] = {
        "flag": lambda: chance.choices("01", k=n),
        "topic": lambda: chance.choices(("sports", "politics", "music"), k=n),
        "year": lambda: [str(chance.randrange(1990, 2024)) for _ in range(n)],
        "annotator_2": lambda: _like(chance, case, n),
    }
    harmless: dict[str, Callable[[], Cells]] = {
        "text": lambda: [f"{chance.random()} of a long sentence" for _ in range(n)],
        "part": lambda: chance.choices(("Public", "Private"), k=n),
        "uuid": lambda: [f"x{number:07x}" for number in chance.sample(range(16**7), n)],
        "date": lambda: [f"2024-{chance.randrange(10, 13)}-{row:03d}" for row in range(n)],
    }
    drawn = chance.sample(list(harmless), chance.choice((0, 0, 1, 2)))
    for name in drawn:
        case.gold.setdefault(name, harmless[name]())
    if chance.random() < 0.5:
        return
    case.several = True
    for name in chance.sample(list(rivals), chance.choice((1, 2))):
        case.gold.setdefault(name, rivals[name]())


def _like(chance: random.Random, case: GeneratedCase, n: int) -> Cells:
    """Return a second column of the answers' kind."""
    answers = next(iter(case.answers.values()))
    if case.kind in ("numbers", "targets"):
        return [f"{float(cell) * chance.uniform(0.8, 1.2):.2f}" for cell in answers]
    present = sorted({*answers})
    return [cell if chance.random() < 0.7 else chance.choice(present) for cell in answers]


# Troubles -----------------------------------------------------------------------------------------

_Trouble = Callable[[random.Random, GeneratedCase], bool]
_TROUBLES: dict[str, _Trouble] = {}


def _trouble(name: str) -> Callable[[_Trouble], _Trouble]:
    def register(function: _Trouble) -> _Trouble:
        _TROUBLES[name] = function
        return function

    return register


def _some_files(chance: random.Random, case: GeneratedCase) -> list[str]:
    names = list(case.files)
    return names if chance.random() < 0.5 else chance.sample(names, 1)


def _is_in_order(case: GeneratedCase, file: str) -> bool:
    """Whether a file has the gold's rows in the gold's order, and says so."""
    columns = case.files[file]
    return all(columns.get(name) == case.gold[name] for name in case.ids)


def _add_column(
    chance: random.Random, case: GeneratedCase, name: str, cells: Callable[[int], Cells]
) -> bool:
    """Add a column to some files, in front or behind; its name is new."""
    for file in _some_files(chance, case):
        columns = case.files[file]
        if name in columns:
            continue
        new = {name: cells(rows_of(columns))}
        case.files[file] = {**new, **columns} if chance.random() < 0.5 else {**columns, **new}
    return True


@_trouble("index")
def _index(chance: random.Random, case: GeneratedCase) -> bool:
    for file in _some_files(chance, case):
        columns = case.files[file]
        if chance.random() < 0.5 and all(name in columns for name in case.ids):
            columns = _in_another_order(chance, columns)
        n = rows_of(columns)
        case.files[file] = {chance.choice(("", "Unnamed: 0")): [*map(str, range(n))], **columns}
    return True


@_trouble("index in the gold")
def _gold_index(chance: random.Random, case: GeneratedCase) -> bool:
    n = rows_of(case.gold)
    case.gold = {"": [*map(str, range(n))], **case.gold}
    return True


@_trouble("rank")
def _rank(chance: random.Random, case: GeneratedCase) -> bool:
    return _add_column(
        chance, case, "rank", lambda n: [*map(str, chance.sample(range(1, n + 1), n))]
    )


@_trouble("rank with gaps")
def _gappy_rank(chance: random.Random, case: GeneratedCase) -> bool:
    return _add_column(
        chance, case, "rank", lambda n: [*map(str, sorted(chance.sample(range(1, n + 9), n)))]
    )


@_trouble("constant sample")
def _constant(chance: random.Random, case: GeneratedCase) -> bool:
    constant = str(next(iter(case.answers.values()))[0])
    if case.kind == "scores":
        constant = "0.5"
    return _add_column(chance, case, chance.choice(_LISTED), lambda n: [constant] * n)


@_trouble("further numbers")
def _numbers(chance: random.Random, case: GeneratedCase) -> bool:
    name = chance.choice(("std", "seconds", "lower"))
    return _add_column(chance, case, name, lambda n: [f"{chance.random():.3f}" for _ in range(n)])


@_trouble("fold")
def _fold(chance: random.Random, case: GeneratedCase) -> bool:
    return _add_column(chance, case, "fold", lambda n: [str(row % 5) for row in range(n)])


@_trouble("empty column")
def _empty(chance: random.Random, case: GeneratedCase) -> bool:
    return _add_column(chance, case, "note", lambda n: [""] * n)


@_trouble("second key")
def _second_key(chance: random.Random, case: GeneratedCase) -> bool:
    return _add_column(
        chance, case, "hash", lambda n: [f"h{number}" for number in chance.sample(range(9**6), n)]
    )


@_trouble("answers copied")
def _copied(chance: random.Random, case: GeneratedCase) -> bool:
    name = chance.choice(("truth", "gold", "label", "y_true"))
    answers = next(iter(case.answers.values()))
    for file in _some_files(chance, case):
        if name not in case.files[file] and _is_in_order(case, file):
            case.files[file] = {**case.files[file], name: list(answers)}
    return True


@_trouble("gold columns copied")
def _context_copied(chance: random.Random, case: GeneratedCase) -> bool:
    first = len(case.ids) + len(case.answers)
    extras = [name for name in [*case.gold][first:] if name]
    for file in _some_files(chance, case):
        if not _is_in_order(case, file):
            continue
        for name in extras:
            case.files[file].setdefault(name, list(case.gold[name]))
    return bool(extras)


@_trouble("twin")
def _twin(chance: random.Random, case: GeneratedCase) -> bool:
    for file in _some_files(chance, case):
        last = [*case.files[file]][-1]
        case.files[file].setdefault(f"{last}_copy", list(case.files[file][last]))
    return True


@_trouble("missing rows")
def _missing(chance: random.Random, case: GeneratedCase) -> bool:
    for file in _some_files(chance, case):
        columns = case.files[file]
        n = rows_of(columns)
        if not _is_in_order(case, file):
            continue
        keep = sorted(chance.sample(range(n), n - max(1, n // 20)))
        case.files[file] = {name: [cells[row] for row in keep] for name, cells in columns.items()}
        case.truth[file] = _without(case.truth[file], {*range(n)} - {*keep})
    return True


def _without(truth: Truth, rows: set[int]) -> Truth:
    if truth is None or isinstance(truth, list):
        return truth and [None if row in rows else cell for row, cell in enumerate(truth)]
    return {name: _without(value, rows) for name, value in truth.items()}


@_trouble("no ids")
def _no_ids(chance: random.Random, case: GeneratedCase) -> bool:
    for file in _some_files(chance, case):
        if _is_in_order(case, file):
            for name in case.ids:
                case.files[file].pop(name, None)
            break
    return True


@_trouble("ids by another name")
def _other_id(chance: random.Random, case: GeneratedCase) -> bool:
    if len(case.ids) > 1:
        return False
    for file in _some_files(chance, case):
        columns = case.files[file]
        if case.ids[0] in columns and "example_no" not in columns:
            renamed = {"example_no": columns.pop(case.ids[0])}
            case.files[file] = {**renamed, **columns}
    return True


@_trouble("no header")
def _no_header(chance: random.Random, case: GeneratedCase) -> bool:
    case.headless |= {*_some_files(chance, case)}
    if case.kind == "probabilities":
        for file in case.headless:
            case.truth[file] = None  # nothing says which class is which
    return True


@_trouble("confidence of the label")
def _confidence(chance: random.Random, case: GeneratedCase) -> bool:
    if case.kind != "scores":
        return False
    need = next(need for need in case.needs if need.kind == "scores")
    classes = sorted({*case.answers[need.name]})
    negative = next(label for label in classes if label != need.positive)
    for file in _some_files(chance, case):
        truth = case.truth[file]
        if truth is None or None in truth[need.name]:
            continue
        score = truth[need.name]
        name = next((name for name, cells in case.files[file].items() if cells == score), None)
        if name is None:
            continue  # another trouble has it
        certain = [f"{max(float(cell), 1 - float(cell)):.5f}" for cell in score]
        case.files[file][name] = certain
        case.files[file].setdefault("predicted", cut(score, str(need.positive), negative))
        case.truth[file] = None
    return True


@_trouble("label beside the score")
def _beside(chance: random.Random, case: GeneratedCase) -> bool:
    if case.kind != "scores":
        return False
    need = next(need for need in case.needs if need.kind == "scores")
    for file in _some_files(chance, case):
        truth = case.truth[file]
        if truth is not None and None not in truth[need.name]:
            case.files[file].setdefault("hard", cut(truth[need.name], at=0.5))
    return True


@_trouble("spelled otherwise")
def _spelled(chance: random.Random, case: GeneratedCase) -> bool:
    spoil: Callable[[str], str] = chance.choice((str.upper, lambda cell: cell.replace(".", ",")))
    if chance.random() < 0.3:
        spoil = lambda cell: f"{cell} %"  # noqa: E731
    for file in _some_files(chance, case):
        truth = case.truth[file]
        if truth is None:
            continue
        present = [
            value.values() if isinstance(value, dict) else [value] for value in truth.values()
        ]
        predicted = {cell for values in present for cells in values for cell in cells if cell}
        if all(label_of(spoil(cell)) == label_of(cell) for cell in predicted):
            continue  # nothing in it changes so
        for name, cells in case.files[file].items():
            if {*cells} <= predicted:
                case.files[file][name] = [*map(spoil, cells)]
        case.truth[file] = None
    return True


@_trouble("gold spoiled")
def _gold_spoiled(chance: random.Random, case: GeneratedCase) -> bool:
    if case.kind not in ("numbers", "targets"):
        return False
    for need in case.needs:
        name = next(n for n, cells in case.gold.items() if cells == case.answers[need.name])
        word = chance.choice(("n/a", "?", "-"))
        case.gold[name] = [word if chance.random() < 0.1 else cell for cell in case.gold[name]]
        case.gold[name][0] = word
    case.truth = dict.fromkeys(case.truth)
    return True


# Verdicts -----------------------------------------------------------------------------------------


def recognition_of(case: GeneratedCase) -> Recognition:
    """Return what the rule says."""
    gold, uploads = case.tables()
    return recognize_rows(gold, uploads, case.needs, case.stated)


#: What the engine asks about that the rule proves, because a column is the only one.
LINE_OF_WORD = "the line of the first answer that is no number"


def _cells_that_are_no_numbers(case: GeneratedCase, outcome: Recognition) -> bool:
    """Whether answers that are bound as numbers hold words, which the engine refuses by line."""
    gold, _ = case.tables()
    assert outcome.reading is not None
    below = 1 if outcome.reading.reference.roles["header"].value else 0
    for binding in outcome.bindings.values():
        for need in case.needs:
            if need.kind != NUMBERS:
                continue
            for column in binding.answers[need.name]:
                cells = gold.columns[column.place][below:]
                if any(number_of(str(cell)) is None for cell in cells):
                    return True
    return False


def verdict(case: GeneratedCase, outcome: Recognition) -> tuple[str, str]:
    """Return right, asked, unusable or WRONG, and why."""
    if outcome.reading is None:
        return "asked", outcome.questions[0].asks.sentence
    if _cells_that_are_no_numbers(case, outcome):
        return "asked", LINE_OF_WORD
    gold, uploads = case.tables()
    below = 1 if outcome.reading.reference.roles["header"].value else 0
    for name, binding in outcome.bindings.items():
        if case.truth[name] is None:
            return "WRONG", f"{name} cannot be read by anybody"
        for need in case.needs:
            columns = binding.answers[need.name]
            cells = [gold.columns[column.place][below:] for column in columns]
            if len(columns) == 1 and not _equal(cells[0], case.answers[need.name]):
                return "WRONG", f"answers of {need.name} in {columns[0].name}"
            if len(columns) > 1 and case.kind != "probabilities":
                return "WRONG", "several columns of answers"
            got = {}
            first = 1 if binding.header else 0
            for label, column in binding.predictions[need.name].columns.items():
                of_file = uploads[name].columns[column.place][first:]
                got[label] = [of_file[row] if row >= 0 else None for row in binding.rows.tolist()]
            if not _as_predicted(got, case.truth[name][need.name]):  # type: ignore[index]
                return "WRONG", f"{name}: {need.name} in {binding.predictions[need.name]}"
    lost = [name for name in outcome.unusable if case.truth[name] is not None]
    if lost:
        return "unusable", outcome.unusable[lost[0]].sentence
    return "right", ""


def _as_predicted(got: dict[str, Any], truth: Truth) -> bool:
    if isinstance(truth, dict):
        return got.keys() == truth.keys() and all(_equal(got[name], truth[name]) for name in truth)
    return got.keys() == {""} and _equal(got[""], truth)


def _equal(cells: Sequence[str | None], others: Sequence[str | None]) -> bool:
    return list(map(_meaning, cells)) == list(map(_meaning, others))


def _meaning(cell: str | None) -> str | None:
    return None if cell is None else label_of(cell)
