"""Which column of the gold a metric reads, and as what."""

from __future__ import annotations

from collections.abc import Iterable

from ..core import cells
from ..core.errors import OrganizerError, ReferenceDataError, SettingsError, listed
from ..metrics import Metric
from ..metrics.families.unit_scores import UNIT_RANK
from ..metrics.registry import scores
from ..reading.formats import KINDS, texts
from ..reading.formats.kind import ROWS
from ..recognize.by_names.gold_columns import are_flags, hold_texts, one_hot
from ..recognize.expected import BY_CLASS, Target
from ..recognize.usual_names import WINNER
from .gold import Gold, other_columns


def target_column(gold: Gold, column: str | None, where: str) -> str:
    """Return the target of a metric: the one it names, the only one, or one with a usual name.

    Raises
    ------
    ReferenceDataError
        There is no column except the ids.
    SettingsError
        The named column does not exist, or there are several and none has a usual name.
    """
    if column is not None:
        if column not in gold.targets:
            hint = other_columns(column, gold.targets) if gold.names_are_public else ""
            raise SettingsError(f"{where}: {gold.file} has no target column {column!r}{hint}")
        return column
    if gold.roles.unnamed_answers is not None:
        return gold.roles.unnamed_answers
    raise _no_answers(gold, where)


def _no_answers(gold: Gold, where: str) -> OrganizerError:
    """Return why it is not clear which column a metric scores that names none, and what to do."""
    if not gold.targets:
        return ReferenceDataError(f"{gold.file}: there is no column with labels; add one")
    if hold_texts(gold.targets, gold.columns, gold.kind):
        return ReferenceDataError(
            f"{gold.file}: there is no column of labels: {gold.name_for_messages(gold.targets[0])} "
            "holds another text in nearly every row; call the column of labels 'label', or name it "
            f"with 'column:'; {cells.AS_TEXTS}"
        )
    from ..recognize.tables_of_scores.preference_columns import name_preferences  # late: on failure

    if name_preferences(gold.targets):
        return preferences_in_ref(gold.file)
    names = f" ({listed(gold.targets)})" if gold.names_are_public else ""
    columns = [gold.columns[name] for name in gold.targets] if gold.kind == ROWS else []
    flags = [values for values in columns if are_flags(values)]
    if len(flags) > 1 and one_hot(flags):
        return SettingsError(
            f"{where}: {gold.file} has several columns{names}. Exactly one column of zeros and "
            "ones holds 1 on every row, as if each column were a class. Write the name of the "
            "class into one column 'label' instead; submissions may have one column for each "
            "class. Or, to score one class against the rest, name its column with 'column:'"
        )
    otherwise = ""
    if gold.kind == texts.KIND.name:
        otherwise = (
            ". Or, if they are references of one text, call them reference_1, reference_2, …"
        )
    elif len(flags) == len(gold.targets):
        otherwise = (
            ". Or, if each column is a label and an example may have several, say so, as in "
            "'{function: f1_score, params: {average: macro}, kind: label_sets}'"
        )
    return SettingsError(
        f"{where}: {gold.file} has several columns{names}; choose the one to score with 'column:', "
        "beside 'function:' and not among the parameters, as in '{function: accuracy, column: "
        f"label}}'{otherwise}"
    )


def several_columns_are_labels(file: str, names: Iterable[str]) -> SettingsError:
    """Return the error that asks whether columns of zeros and ones are labels of one example."""
    return SettingsError(
        f"{file} has several columns of zeros and ones among {listed(names)}; choose the one to "
        "score with 'column:', beside 'function:' and not among the parameters, as in '{function: "
        "accuracy, column: label}'. Or, if each column is a label and an example may have several, "
        "say so, as in '{function: f1_score, params: {average: macro}, kind: label_sets}'"
    )


def preferences_in_ref(file: str) -> ReferenceDataError:
    """Return the error for preferences that lie where correct answers belong."""
    return ReferenceDataError(
        f"{file}: these are preferences between two systems, which have no correct answers; "
        "move the file from ref/ to res/, and join several into one. If the winner is to be "
        f"predicted, say so: 'column: {WINNER}' in a metric"
    )


#: What a metric reads of an example that has one value.
_OF_ROWS = ("labels", "numbers", *BY_CLASS)


def target_of(metric: Metric, gold: Gold) -> Target | None:
    """Return what a metric reads; None if it reads the whole table."""
    if metric.kind == "table":
        return None
    if metric.per_unit:
        return Target(metric.column or "", "ranks" if metric.function == UNIT_RANK else "numbers")
    if not gold.targets:
        raise ReferenceDataError(f"{gold.file}: there is no column with labels; add one")
    column = target_column(gold, metric.column, f"metric {metric.name!r}")
    needed = metric.kind
    if needed in KINDS and gold.kind != needed:
        raise SettingsError(
            f"metric {metric.name!r} scores data of the kind {needed!r}, but {gold.file} holds "
            f"{gold.kind!r}; name a metric for these"
        )
    if needed in _OF_ROWS and not gold.holds_texts(column):
        instead = "name a metric for these"
        if scores(metric.function, gold.kind):
            instead = "remove 'kind:' or, to compare each cell as a whole, name string_match alone"
        raise SettingsError(
            f"metric {metric.name!r} scores {needed}, one an example, but {gold.file} holds "
            f"{gold.kind!r}; {instead}"
        )
    if needed == "numbers" and gold.classes:
        raise SettingsError(
            f"metric {metric.name!r} scores numbers, but every row of {gold.file} holds one 1 "
            "among zeros, as if each column were a class; name a metric of classes, such as "
            "log_loss or accuracy_score"
        )
    if needed == "gold" and gold.kind != ROWS:
        needed = gold.kind
    elif needed == "gold":
        needed = "numbers" if cells.is_quantity(gold.columns[column]) else "labels"
    return Target(column, needed)
