"""What the files of other data than rows mean, as it was decided when they were read.

Label sets, tags, spans, texts, rankings, samples and records are recognized by their formats, and
their columns by name. So the Reading says how each came about, and asks nothing. Frozen, it states
the columns by their roles or, where a documented format says which they are, this format.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..core.phrases import Phrase
from ..metrics import Metric, without_formulas
from ..reading.formats import KINDS
from ..reading.formats.kind import FileDescription
from ..reading.names import printable
from ..recognize.expected import Expected, SentColumns, SentPrediction
from ..recognize.of_kinds.roles_by_name import is_id
from ..recognize.reading_record import BY_NAME, PROVEN, STATED, Decision, Predicted, Reading, Side
from ..recognize.statements import ANSWER, BY_KEY, BY_POSITION, ID, PREDICTION
from ..recognize.usual_names import USAGE
from ..settings.model import Settings
from .competition import Part
from .gold import Gold
from .joining.submission import ColumnsRead, Entry, columns_in_file

_SAID = Phrase("the settings say so")
_NAMED = Phrase("it is called so")
_FORMAT = Phrase("the format of the file says it")
_CELLS = Phrase("its cells show it")
_TO_SEND = Phrase("participants are asked to send it")
_REPEATED = Phrase("it repeats the ids of the test set")
_IN_ORDER = Phrase("no column holds ids, and the rows are as many")
#: The formats whose columns, or keys, have names or numbers.
_WITH_COLUMNS = ("csv", "json", "jsonl")
#: Returns the decision about a column that has a role.
_Decide = Callable[[str, Any], Decision]


def reading_of_part(
    part: Part, settings: Settings, systems: Sequence[str] = (), answers: str | None = None
) -> Reading:
    """Return what the gold of a part means; columns of predictions of ``systems`` stand beside it.

    Metrics that name no column read the ``answers``, if these are known.
    """
    gold = part.gold
    scored = _scored(part.metrics, gold, answers)
    context = {name for _, name in settings.design_columns}
    context |= {spec.weight_column for spec in settings.metrics if spec.weight_column}
    beside = [name for name in gold.columns if name not in scored]
    unread = [name for name in beside if name not in context and name not in systems]
    roles, predicted = _of_gold(gold, scored, settings)
    if gold.usage is not None:
        roles["split"] = Decision(USAGE, BY_NAME, _NAMED)
    reference = Side(
        (gold.file,),
        roles,
        tuple(predicted),
        tuple(name for name in beside if name in context),
        dict.fromkeys(_names_in_file(gold, unread), 1),
    )
    sides: tuple[Side, ...] = ()
    if systems:
        sides = (_side_of_systems(systems, gold.file, anonymous=settings.anonymize),)
    reading = Reading(gold.kind, reference, sides, documented=not _is_of_kind(gold))
    if systems or reading.documented:
        return reading
    to_send = side_to_send(part, settings.described())
    return reading if to_send is None else replace(reading, submissions=(to_send,))


def _is_of_kind(gold: Gold) -> bool:
    """Whether a file was read by the reader of a kind of data, and not by one of the organizer."""
    return gold.kind in KINDS and gold.roles.form != ""


def _of_gold(
    gold: Gold, scored: Mapping[str, Sequence[str]], settings: Settings
) -> tuple[dict[str, Decision], list[Predicted]]:
    """Return the decisions about a gold, and its answers: column → the metrics that score it."""
    described = settings.described(gold=True)
    if not _is_of_kind(gold):
        roles = {} if gold.id_column is None else {ID: _id(gold, settings)}
        answers = [_answers(gold, column, names, settings) for column, names in scored.items()]
        return roles, answers
    columns = columns_in_file(
        gold.roles.fields, gold.roles.in_file, gold.id_column, {name: name for name in scored}
    )
    read = ColumnsRead(gold.roles.form, columns)
    named = frozenset(spec.column for spec in settings.metrics if spec.column)

    def decide(role: str, column: Any) -> Decision:
        if role == ID and settings.id_column is not None:
            return Decision(column, STATED, _SAID)
        if role == ID and gold.roles.ids_by_cells and ID not in described.named:
            return Decision(column, PROVEN, _CELLS)
        if role in named or (isinstance(column, tuple) and described.references):
            return Decision(column, STATED, _SAID)
        return _decided(described, role, column)

    roles = _roles_of_file(read, described, gold.kind, decide)
    if not gold.names_are_public and "header" in roles:
        roles["header"] = replace(roles["header"], value=True)
    if gold.id_column is not None and ID not in roles:
        roles[ID] = Decision(ID, PROVEN, _FORMAT)
    predicted = [*_predicted(read, described, gold.kind, scored, ANSWER, decide)]
    for column in columns.values():
        if isinstance(column, tuple):
            roles["references"] = replace(decide(ANSWER, column), value=[*column])
    return roles, predicted


def side_of_entry(entry: Entry, expected: Expected, settings: Settings) -> Side | None:
    """Return what was read of one submission; None if a reader of the organizer's has read it."""
    read = entry.read
    if read is None or not read.form:
        return None
    described = settings.described()

    def decide(role: str, column: Any) -> Decision:
        return _decided(described, role, column)

    by_key = expected.ids is not None and not entry.by_position
    roles = _roles_of_file(read, described, expected.kind, decide)
    if not by_key:
        roles.pop(ID, None)
    join = Decision(BY_POSITION, PROVEN, _IN_ORDER)
    if by_key:
        join = Decision(BY_KEY, PROVEN, _REPEATED)
    roles["join"] = join if described.join is None else Decision(join.value, STATED, _SAID)
    targets = {target.column: () for target in expected.targets}
    predicted = _predicted(read, described, expected.kind, targets, PREDICTION, decide)
    unread = dict.fromkeys(map(str, entry.not_read), 1)
    return Side((entry.name,), roles, tuple(predicted), (), unread)


def side_to_send(part: Part, described: FileDescription) -> Side | None:
    """Return what participants are to send, where no submission shows it; None if nobody can say.

    They are asked for the columns that the gold has, or for its format.
    """
    gold = part.gold
    kind = KINDS[gold.kind]
    form = gold.roles.form
    examples = {target.column: target.column for target in part.expected.targets}
    columns = columns_in_file(gold.roles.fields, gold.roles.in_file, gold.id_column, examples)
    by_key = gold.ids is not None
    if not gold.names_are_public:
        return None
    if form in _WITH_COLUMNS and (columns or kind.asked):
        for name in examples:
            is_made = any(role in columns for role in kind.made_of)
            if kind.column in kind.asked or not (name in columns or is_made):
                columns[name] = kind.column
        for role, name in kind.asked.items():
            if role in kind.made_of:
                columns[role] = name
        if kind.lists_ids:
            columns.pop(ID, None)

    def decide(role: str, column: Any) -> Decision:
        stated = described.roles.get(role, column)
        return Decision(stated, PROVEN, _TO_SEND)

    read = ColumnsRead(form, columns)
    roles = _roles_of_file(read, described, kind.name, decide)
    roles["join"] = Decision(BY_KEY if by_key else BY_POSITION, PROVEN, _TO_SEND)
    targets = dict.fromkeys(examples, ())
    predicted = _predicted(read, described, kind.name, targets, PREDICTION, decide)
    return Side((), roles, tuple(predicted))


def sent_columns_of_kind(part: Part, described: FileDescription) -> SentColumns | None:
    """Return what submissions of a kind are called to hold, if it is stated in full."""
    if not described.is_frozen or not _is_of_kind(part.gold):
        return None
    by_key = described.join == BY_KEY and ID in described.roles
    taken = {ID} if by_key else set()
    predictions = {}
    for target in part.expected.targets:
        roles = [role for role in (target.column, PREDICTION) if role in described.roles]
        column = described.roles[roles[0]] if roles else {}
        predictions[target] = SentPrediction(
            {str(label): name for label, name in column.items()}
            if isinstance(column, Mapping)
            else {"": column}
        )
        taken.update(roles[:1])
    beside = [column for role, column in described.roles.items() if role not in taken]
    return SentColumns(
        bool(described.header),
        (described.roles[ID],) if by_key else (),
        predictions,
        described.holds,
        described.others,
        "" if described.names_all else described.format,
        tuple(beside),
    )


def _decided(described: FileDescription, role: str, column: Any) -> Decision:
    """Return the decision about a column: the settings state it, or its name says it."""
    if role in described.named or column in described.roles.values():
        return Decision(column, STATED, _SAID)
    return Decision(column, BY_NAME, _NAMED)


def _roles_of_file(
    read: ColumnsRead, described: FileDescription, kind: str, decide: _Decide
) -> dict[str, Decision]:
    """Return role → decision for one file of a kind: its format, or its header and columns."""
    roles: dict[str, Decision] = {}
    columns = read.columns if _names_columns(read) else {}
    if columns:
        is_numbered = any(isinstance(column, int) for column in _each(columns.values()))
        header = Decision(not is_numbered, PROVEN, _CELLS)
        if described.header is not None:
            header = Decision(header.value, STATED, _SAID)
        roles["header"] = header
    else:
        is_stated = described.format != "auto"
        format_said = Decision(read.form, PROVEN, _FORMAT)
        roles["format"] = Decision(read.form, STATED, _SAID) if is_stated else format_said
    for role in (ID, *KINDS[kind].made_of):
        if role in columns:
            roles[role] = decide(role, columns[role])
    if read.holds:
        is_stated = described.holds is not None
        holds = Decision(read.holds, PROVEN, _CELLS)
        roles["holds"] = Decision(read.holds, STATED, _SAID) if is_stated else holds
    return roles


def _names_columns(read: ColumnsRead) -> bool:
    """Whether columns or keys have names or numbers, and the format does not say which is which."""
    return read.form in _WITH_COLUMNS and bool(read.columns)


def _each(columns: Iterable[Any]) -> Iterator[Any]:
    """Yield every column of roles that have one, several, or one of each label."""
    for column in columns:
        if isinstance(column, Mapping):
            yield from column.values()
        elif isinstance(column, tuple):
            yield from column
        else:
            yield column


def _predicted(
    read: ColumnsRead,
    described: FileDescription,
    kind: str,
    targets: Mapping[str, Sequence[str]],
    default_role: str,
    decide: _Decide,
) -> Iterator[Predicted]:
    """Yield what holds the examples of each target: a column, or what they are made of."""
    names_columns = _names_columns(read)
    made_of = [read.columns[role] for role in KINDS[kind].made_of if role in read.columns]
    for target, metrics in targets.items():
        role = default_role if len(targets) == 1 else target
        column = read.columns.get(target)
        if not names_columns:
            yield Predicted(tuple(metrics), role, Decision(target, PROVEN, _FORMAT), kind)
        elif column is not None:
            for stated_role, stated in described.roles.items():
                if stated == column and stated_role != ID:
                    role = stated_role
            value = [*column] if isinstance(column, tuple) else column
            yield Predicted(tuple(metrics), role, replace(decide(role, column), value=value), kind)
        elif made_of:
            decision = replace(decide(KINDS[kind].made_of[0], made_of[0]), value=made_of)
            yield Predicted(tuple(metrics), role, decision, kind)


def _side_of_systems(systems: Sequence[str], file: str, *, anonymous: bool) -> Side:
    """Return the side of a table with a column of predictions for each system."""
    value: Any = len(systems) if anonymous else [*map(printable, systems)]
    why = Phrase("these are the other columns")
    return Side((file,), {"systems": Decision(value, PROVEN, why)}, ())


def _id(gold: Gold, settings: Settings) -> Decision:
    name = str(gold.roles.called.get(gold.id_column or "", gold.id_column))
    described = settings.described(gold=True).stated
    if settings.id_column is not None or ID in described or settings.reader is not None:
        return Decision(name, STATED, _SAID)
    if gold.roles.ids_by_cells:
        return Decision(name, PROVEN, _CELLS)
    if is_id(name) and gold.kind not in KINDS:
        return Decision(name, BY_NAME, _NAMED)
    return Decision(name, PROVEN, _FORMAT)


def _scored(metrics: Sequence[Metric], gold: Gold, answers: str | None) -> dict[str, list[str]]:
    """Return column of the gold → the metrics that score it."""
    scored: dict[str, list[str]] = {}
    for metric in without_formulas(metrics):
        column = metric.column
        if column is None:
            column = answers or gold.roles.unnamed_answers or next(iter(gold.targets), None)
        if column is not None and column in gold.columns:
            scored.setdefault(column, []).append(metric.name)
    return scored


def _answers(gold: Gold, column: str, metrics: Sequence[str], settings: Settings) -> Predicted:
    how = BY_NAME
    why = _NAMED
    described = settings.described(gold=True).stated
    is_stated = column in described or described.get(ANSWER) == column
    is_stated = is_stated or settings.reader is not None
    if is_stated or any(spec.column == column for spec in settings.metrics):
        how = STATED
        why = _SAID
    elif gold.kind in KINDS:
        how = PROVEN
        why = _FORMAT
    (name_in_file,) = _names_in_file(gold, [column])
    holds = gold.kind if gold.kind in KINDS else "label"
    return Predicted(tuple(metrics), ANSWER, Decision(name_in_file, how, why), holds)


def _names_in_file(gold: Gold, columns: Sequence[str]) -> list[Any]:
    """Return what columns are called; by their numbers, where a name may be an answer."""
    if not gold.names_are_public:
        places = {name: place for place, name in enumerate(gold.columns, 1)}
        return [places[name] for name in columns]
    return [gold.roles.called.get(name, name) for name in columns]
