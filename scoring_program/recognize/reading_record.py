"""The Reading: what every column and file is, how that was decided, and why. It guesses nothing.

A Reading can be written as YAML (`Reading.frozen`), stated again, printed and kept with its reasons
(`Reading.record`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..core.arrays import Ints
from ..core.errors import listed
from ..core.phrases import Phrase, gettext_noop, joined
from .statements import BY_KEY, ID

#: How a decision came about.
STATED = "stated"
PROVEN = "proven"
BY_NAME = "by name"
#: The most lines that the log shows.
_MOST_LINES = 5
#: The most labels that the log lists.
_MOST_LABELS = 6


@dataclass(frozen=True)
class Decision:
    """A value, how it came about (`STATED`, `PROVEN`, `BY_NAME`), why, and what else it could be.

    The value is what settings would state: a column's name or its number from 1, several of them, a
    mapping from classes to columns, or a word.
    """

    value: Any
    how: str
    why: Phrase
    rivals: tuple[str, ...] = ()

    def record(self) -> dict[str, Any]:
        """Return it as plain data."""
        plain: dict[str, Any] = {"value": _plain(self.value), "how": self.how, "why": str(self.why)}
        return plain | ({"rivals": [*self.rivals]} if self.rivals else {})


@dataclass(frozen=True)
class Predicted:
    """What some metrics score: answers in the gold or predictions in the files.

    ``holds`` is what it is: "label", "number", "score", "probability of each class", "label set".
    ``labels`` are the classes of answers, where there are any. ``better`` says in tables of scores
    whether a higher one is better; the decision then is about this direction.
    """

    metrics: tuple[str, ...]
    role: str
    decision: Decision
    holds: str
    labels: tuple[str, ...] = ()
    better: bool | None = None

    def record(self) -> dict[str, Any]:
        """Return it as plain data, without the answers' labels."""
        plain: dict[str, Any] = {"metrics": [*self.metrics]} if any(self.metrics) else {}
        plain |= {**self.decision.record(), "holds": self.holds}
        return plain if self.better is None else {**plain, "greater_is_better": self.better}


@dataclass(frozen=True)
class Side:
    """The gold, or the submissions of which the same is read.

    ``roles`` are the decisions about ``header`` and ``id``, of submissions ``join``, of the gold
    ``split`` if there is one. ``context`` are columns that settings use, or that repeat the gold;
    ``unread`` maps every other column to the number of files that have it.
    """

    files: tuple[str, ...]
    roles: Mapping[str, Decision]
    predicted: tuple[Predicted, ...]
    context: tuple[str, ...] = ()
    unread: Mapping[str, int] = field(default_factory=dict)
    label: str = ""

    @property
    def columns(self) -> dict[str, Any]:
        """Role → column, as ``columns`` of scoring.yaml states them."""
        columns = {
            role: _plain(decision.value)
            for role, decision in self.roles.items()
            if role in _ROLES_OF_COLUMNS
        }
        for item in self.predicted:
            if not isinstance(item.decision.value, list):  # then it is made of other columns
                columns[item.role] = _plain(item.decision.value)
        return columns

    @property
    def words(self) -> dict[str, Any]:
        """What scoring.yaml states of these files, but for the name of a submissions' format.

        Where a documented format says which column is which, none is named.
        """
        words: dict[str, Any] = {}
        if (columns := self.columns) and _FORMAT not in self.roles:
            words["columns"] = columns
        for role in _WORDS_OF_FILES:
            if role in self.roles:
                words[role] = self.roles[role].value
        return words

    def record(self) -> dict[str, Any]:
        """Return it as plain data, with how and why."""
        roles = {role: decision.record() for role, decision in self.roles.items()}
        plain: dict[str, Any] = {"files": [*self.files], **roles}
        plain["columns"] = [item.record() for item in self.predicted]
        plain["context"] = [*self.context]
        plain["not_read"] = dict(self.unread)
        return plain


def merged_sides(sides: Iterable[Side]) -> tuple[Side, ...]:
    """Return one side for all submissions of which the same is read, most frequent first.

    Of their decisions about one thing, one by name is kept before others: it is the least certain.
    """
    alike: dict[str, list[Side]] = {}
    for side in sides:
        values = {role: decision.value for role, decision in side.roles.items()}
        read = [(item.metrics, item.role, item.decision.value) for item in side.predicted]
        alike.setdefault(repr((values, read)), []).append(side)
    merged = [_merged(of_values) for of_values in alike.values()]
    return tuple(sorted(merged, key=lambda side: -len(side.files)))


def _merged(sides: Sequence[Side]) -> Side:
    files: list[str] = []
    unread: Counter[str] = Counter()
    context: dict[str, None] = {}
    for side in sides:
        files += side.files
        unread.update(side.unread)
        context |= dict.fromkeys(side.context)
    roles = {}
    for role in sides[0].roles:
        roles[role] = _least_certain([side.roles[role] for side in sides])
    predicted = []
    for place, item in enumerate(sides[0].predicted):
        decision = _least_certain([side.predicted[place].decision for side in sides])
        predicted.append(replace(item, decision=decision))
    return Side(tuple(files), roles, tuple(predicted), tuple(context), dict(unread))


def _least_certain(decisions: Sequence[Decision]) -> Decision:
    by_name = [decision for decision in decisions if decision.how == BY_NAME]
    return (by_name or decisions)[0]


@dataclass(frozen=True)
class Reading:
    """What the files of a competition mean.

    ``submissions`` holds one side for all of which the same is read, most frequent first.
    ``words`` are further statements of the settings about submissions, which the frozen form
    repeats. Tables of scores and of preferences have no ``reference``: the only table stands in the
    place of submissions, and people's scores beside a judge's stand after it.
    ``directions`` are keys of scoring.yaml that state in which direction scores are better, and
    which column groups preferences. Files that are ``documented``, such as the logs of a tool, need
    no other statement.
    """

    kind: str
    reference: Side | None
    submissions: tuple[Side, ...] = ()
    words: Mapping[str, Any] = field(default_factory=dict)
    directions: Mapping[str, Any] = field(default_factory=dict)
    documented: bool = False

    @property
    def sides(self) -> tuple[Side, ...]:
        """The reference, if there is one, and the submissions."""
        return (*(() if self.reference is None else (self.reference,)), *self.submissions)

    def frozen(self) -> dict[str, Any]:
        """Return the keys of scoring.yaml with which nothing is left to be recognized.

        Of submissions they are those of the most frequent side.
        """
        if self.documented:
            return dict(self.directions)
        frozen: dict[str, Any] = {}
        if (gold := self.reference) is not None:
            frozen["reference"] = {"file": gold.files[0], **gold.words}
            if _FORMAT in gold.roles:
                frozen["reference"][_FORMAT] = gold.roles[_FORMAT].value
        if self.submissions:
            side = self.submissions[0]
            if _FORMAT in side.roles:
                frozen[_FORMAT] = side.roles[_FORMAT].value
            frozen["submissions"] = {**side.words, **self.words}
        return {**frozen, **self.directions}

    def record(self, *, anonymous: bool = False) -> dict[str, Any]:
        """Return the same with how each decision came about and why, and what is not read.

        Where entries are ``anonymous``, their files are counted, not named.
        """
        submissions = []
        for side in self.submissions:
            record = side.record()
            if anonymous:
                record["files"] = len(side.files)
            submissions.append(record)
        return {
            "kind": self.kind,
            "reference": None if self.reference is None else self.reference.record(),
            "submissions": submissions,
        }

    def without_rare_names(self) -> Reading:
        """Return the same without columns of one file alone, whose names may tell whose it is."""
        sides = []
        for side in self.submissions:
            if len(side.files) > 1:
                unread = {name: files for name, files in side.unread.items() if files > 1}
                sides.append(replace(side, unread=unread))
        return replace(self, submissions=tuple(sides))

    @property
    def doubtful(self) -> tuple[tuple[Decision, tuple[str, ...]], ...]:
        """The decisions that only a name made among several columns.

        Each has the metrics that it concerns, none where it concerns all.
        """
        decisions: list[tuple[Decision, tuple[str, ...]]] = []
        for side in self.sides:
            decisions.extend((decision, ()) for decision in side.roles.values())
            decisions.extend(
                (item.decision, tuple(filter(None, item.metrics))) for item in side.predicted
            )
        return tuple(
            (decision, metrics)
            for decision, metrics in decisions
            if decision.how == BY_NAME and decision.rivals
        )

    def lines(self, *, participants_read: bool = False) -> list[Phrase]:
        """Return at most five lines for the log: the gold, then the submissions, most first.

        Where participants read them, they hold names and kinds of columns, no value of the gold.
        """
        if self.reference is None:
            return [_line_of_table(side) for side in self.submissions[:_MOST_LINES]]
        lines = [_line_of_gold(self.reference, participants_read=participants_read)]
        room = _MOST_LINES - 1
        sides = self.submissions if len(self.submissions) <= room else self.submissions[: room - 1]
        lines += map(_line_of_submissions, sides)
        if len(sides) < len(self.submissions):
            left_out = self.submissions[len(sides) :]
            lines.append(
                Phrase(
                    "{count} more submission, of which other columns are read.",
                    "{count} more submissions, of which other columns are read.",
                    count=sum(len(side.files) for side in left_out),
                )
            )
        return lines


@dataclass(frozen=True)
class ColumnPlace:
    """A column of a file: its place from 0, and its name, "" without a header."""

    place: int
    name: str


@dataclass(frozen=True)
class BoundPrediction:
    """The columns of a file that hold the prediction of one metric.

    ``columns`` maps "" to the only column, or each class to its own. ``holds`` is as in
    `Predicted`.
    """

    columns: Mapping[str, ColumnPlace]
    holds: str
    how: str
    why: Phrase


@dataclass(frozen=True, eq=False)
class Binding:
    """What is read of one file: ``rows`` [n] is its row of each example, −1 if it has none.

    ``header`` says whether the first row is one. Rows count from 0 below it. ``predictions`` maps
    the name of a need to its columns, ``answers`` to those of the gold. ``side`` says the same, and
    how it came about.
    """

    file: str
    header: bool
    gold_key: tuple[ColumnPlace, ...]
    file_key: tuple[ColumnPlace, ...]
    rows: Ints
    answers: Mapping[str, tuple[ColumnPlace, ...]]
    predictions: Mapping[str, BoundPrediction]
    context: tuple[ColumnPlace, ...] = ()
    unread: tuple[ColumnPlace, ...] = ()
    side: Side | None = None


def _line_of_gold(side: Side, *, participants_read: bool) -> Phrase:
    parts = []
    if ID in side.roles:
        parts.append(Phrase("key {columns}", columns=_named(side.roles[ID].value)))
    for item in side.predicted:
        column = _named(item.decision.value)
        labels = () if participants_read else item.labels
        is_short = 0 < len(labels) <= _MOST_LABELS
        values = listed(labels) if is_short else _WORDS.get(item.holds, item.holds)
        parts.append(Phrase("answers {column} ({values})", column=column, values=values))
    if "split" in side.roles:
        parts.append(Phrase("split {column}", column=_named(side.roles["split"].value)))
    roles = joined(parts, ", ")
    line = Phrase("Read: {file}: {roles}", file=side.files[0], roles=roles)
    if not side.unread:
        return Phrase("{line}.", line=line)
    return Phrase("{line}; not read: {columns}.", line=line, columns=listed(side.unread))


def _line_of_table(side: Side) -> Phrase:
    """Return the line of a table of scores or of preferences."""
    parts = []
    for role, sentence in _SENTENCES.items():
        if role in side.roles:
            value = side.roles[role].value
            columns = value if role == "systems" else _named(value)
            parts.append(Phrase(sentence, columns=columns))
    if "greater_is_better" in side.roles:
        better = side.roles["greater_is_better"].value
        parts.append(Phrase("higher is better") if better else Phrase("lower is better"))
    scores = [
        Phrase(_COLUMN_OF[item.better], column=_named(item.decision.value))
        for item in side.predicted
    ]
    if scores:
        parts.append(Phrase("scores {columns}", columns=joined(scores, ", ")))
    line = Phrase("Read: {file}: {roles}", file=side.files[0], roles=joined(parts, ", "))
    if not side.unread:
        return Phrase("{line}.", line=line)
    return Phrase("{line}; not read: {columns}.", line=line, columns=listed(side.unread))


def _line_of_submissions(side: Side) -> Phrase:
    if "systems" in side.roles:
        systems = side.roles["systems"].value
        if isinstance(systems, int):
            return Phrase(
                "{count} column of predictions.", "{count} columns of predictions.", count=systems
            )
        return Phrase("Predictions in {columns}.", columns=listed(systems))
    join = side.roles["join"].value
    key: str = Phrase("position")
    if join == BY_KEY:
        key = _named(side.roles[ID].value) if ID in side.roles else ID
    columns = dict.fromkeys(_named(item.decision.value) for item in side.predicted)
    if not side.files:
        return Phrase(
            "Participants are to send predictions in {columns}, joined by {key}.",
            columns=listed(columns),
            key=key,
        )
    line = Phrase(
        "{count} submission joined by {key}; predictions in {columns}.",
        "{count} submissions joined by {key}; predictions in {columns}.",
        count=len(side.files),
        key=key,
        columns=listed(columns),
    )
    if not side.unread:
        return line
    unread = []
    for name, files in side.unread.items():
        if files == len(side.files):
            unread.append(name)
        else:
            number = Phrase("{count} file", "{count} files", count=files)
            unread.append(Phrase("{name} ({number})", name=name, number=number))
    return Phrase("{line} Not read: {columns}.", line=line, columns=listed(unread))


def _named(value: Any) -> str:
    """Return the columns of a decision as text."""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, Mapping):
        return listed(dict.fromkeys(map(str, value.values())))
    if isinstance(value, (list, tuple)):
        return listed(map(str, value))
    if isinstance(value, int):
        return Phrase("column {number}", number=value)
    return str(value)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


#: Role in a table of scores or of preferences → how the log tells its columns.
_SENTENCES = {
    "unit": gettext_noop("units {columns}"),
    "system": gettext_noop("systems {columns}"),
    "systems": gettext_noop("{columns} systems"),
    "sample": gettext_noop("samples {columns}"),
    "seed": gettext_noop("seeds of runs {columns}"),
    "task": gettext_noop("tasks {columns}"),
    "left": gettext_noop("left {columns}"),
    "right": gettext_noop("right {columns}"),
    "winner": gettext_noop("winner {columns}"),
    "prompt": gettext_noop("prompts {columns}"),
}
_COLUMN_OF = {
    True: gettext_noop("{column} (higher is better)"),
    False: gettext_noop("{column} (lower is better)"),
    None: gettext_noop("{column}"),
}
#: Roles that name columns.
_ROLES_OF_COLUMNS = (
    ID, "unit", "system", "sample", "task", "seed", "left", "right", "winner", "start", "end",
    "type", "tokens",
)  # fmt: skip
#: Role of the format whose name is stated: of submissions it is a setting of its own.
_FORMAT = "format"
#: Roles that are words of `reference` or `submissions` themselves.
_WORDS_OF_FILES = ("header", "join", "references", "holds")
#: What a column holds → its word in the log.
_WORDS = {
    "label": Phrase("labels"),
    "number": Phrase("numbers"),
    "score": Phrase("scores"),
    "probability of each class": Phrase("probabilities"),
    "label set": Phrase("label sets"),
    "label_sets": Phrase("label sets"),
    "ranking": Phrase("rankings"),
    "resolved": Phrase("outcomes"),
    "samples": Phrase("samples"),
    "spans": Phrase("spans"),
    "tags": Phrase("tags"),
    "text": Phrase("texts"),
    "record": Phrase("records"),
}
