"""What the files of other data than rows mean, as it was decided when they were read.

Label sets, tags, spans, texts, rankings, samples and records are recognized by their formats, and
their columns by name. So the Reading says how each came about, and asks nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.phrases import Phrase
from ..metrics import Metric, without_formulas
from ..reading.formats import KINDS
from ..reading.names import printable
from ..recognize.of_kinds.roles_by_name import is_id
from ..recognize.reading_record import BY_NAME, PROVEN, STATED, Decision, Predicted, Reading, Side
from ..recognize.statements import ANSWER, ID
from ..recognize.usual_names import USAGE
from ..settings.model import Settings
from .competition import Part
from .gold import Gold

_SAID = Phrase("the settings say so")
_NAMED = Phrase("it is called so")
_FORMAT = Phrase("the format of the file says it")
_CELLS = Phrase("its cells show it")


def reading_of_part(
    part: Part, settings: Settings, systems: Sequence[str] = (), answers: str | None = None
) -> Reading:
    """Return what the gold of a part means; columns of predictions of ``systems`` stand beside it.

    Metrics that name no column read the ``answers``, if these are known.
    Its format is documented, or its columns have their usual names: nothing has to be stated.
    """
    gold = part.gold
    roles = {}
    if gold.id_column is not None:
        roles[ID] = _id(gold, settings)
    scored = _scored(part.metrics, gold, answers)
    predicted = [_answers(gold, column, names, settings) for column, names in scored.items()]
    if gold.usage is not None:
        roles["split"] = Decision(USAGE, BY_NAME, _NAMED)
    context = {name for _, name in settings.design_columns}
    context |= {spec.weight_column for spec in settings.metrics if spec.weight_column}
    beside = [name for name in gold.columns if name not in scored]
    unread = [name for name in beside if name not in context and name not in systems]
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
    return Reading(gold.kind, reference, sides, documented=True)


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
