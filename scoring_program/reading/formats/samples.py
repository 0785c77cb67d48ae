"""Repeated samples: several answers of one system to each example, such as a language model's.

Predictions have a column "sample" beside the ids, or give an id several times: CSV, JSON, JSON
Lines. JSON may also hold a list of samples for each id. Every cell is the tuple of an example's
samples, as texts. A gold holds the correct answers or, if the samples are outcomes such as
"passed", only the ids. Then its cells are empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from ...core.errors import Problems, listed, quoted
from ...core.phrases import Phrase, counted
from ...recognize.of_kinds.roles_by_name import is_id, roles
from ...recognize.of_kinds.sample_columns import (
    ANSWERS,
    FIELDS,
    VALUES,
    is_certain,
    list_of_samples,
    only_value,
    outcome,
    says_failure,
)
from ..table import OfFile, Table, empty_file_error, place_of, text
from . import delimited, fields, records
from .kind import Content, ExampleKind, is_texts

_EXPECTED = Phrase(
    "expected records such as {records}, or lists of samples such as {mapping}",
    records='[{"id": "q1", "sample": 1, "label": "a"}, …]',
    mapping='{"q1": ["a", "b"], …}',
)
_TWICE = Phrase("duplicate sample", "duplicate samples")
_HEADER = "'id,sample,label'"
#: What the column of correct answers is called where a gold has none.
ANSWER = "label"
#: The shape of an example without a correct answer.
_OUTCOME = "outcome"
#: Its row, which sample of its example it is, or None if the file does not say, the id, the value.
_Sample: TypeAlias = tuple[int, str | None, str, str]


def read(content: Content) -> Table:
    """Read samples: one row per example, with the tuple of its samples in the order of the numbers.

    Of a gold, read ids, and correct answers if there are any.

    Raises
    ------
    SubmissionError
        The roles of the columns are unclear, or a sample is given twice.
    """
    return _read_gold(content) if content.gold else _read_predictions(content)


def _read_gold(content: Content) -> Table:
    is_json = content.is_json
    table = records.read_rows(content, ANSWERS.fits) if is_json else delimited.read(content)
    table = _headed(table, "'id,label'")
    if ANSWERS.among(table.named):
        return table
    outcomes = table.with_columns({ANSWER: [""] * len(table.numbers), **table.named})
    return replace(outcomes, fields={ANSWER: ()})


def _read_predictions(content: Content) -> Table:
    samples, numbers, noun, columns, left_out = _samples(content)
    problems = Problems(content.file)
    of_id: dict[str, dict[str, tuple[int, str]]] = {}  # id → sample → row, answer
    for row, number, key, value in samples:
        samples_of_id = of_id.setdefault(key, {})
        number = str(len(samples_of_id)) if number is None else number
        first, _ = samples_of_id.setdefault(number, (row, value))
        if first != row:
            problems.add(
                _TWICE,
                "{place}: sample {sample} of id {id} was already on {earlier}",
                place=partial(place_of, noun, numbers[row]),
                sample=quoted(number),
                id=quoted(key),
                earlier=partial(place_of, noun, numbers[first]),
            )
    problems.raise_if_any(Phrase("Give every sample of an example its own number."))
    if not of_id:
        raise empty_file_error(content.file)
    cells: list[tuple[str, ...]] = []
    first_rows: list[int] = []
    for samples_of_id in of_id.values():
        in_order = sorted(samples_of_id, key=lambda n: (len(n), n))  # their order as numbers
        cells.append(tuple(samples_of_id[number][1] for number in in_order))
        first_rows.append(numbers[min(samples_of_id.values())[0]])
    return Table(
        content.file,
        [list(of_id), cells],
        first_rows,
        ("id", "label"),
        noun,
        fields=columns,
        left_out=left_out,
    )


class _SamplesRead(NamedTuple):
    """The samples of a file, and how they stand in it."""

    samples: list[_Sample]
    numbers: Sequence[int]  # of each row
    noun: Phrase  # what messages call a row
    columns: Mapping[str, Any]  # role → name
    left_out: tuple[str, ...]  # columns that are not read


def _samples(content: Content) -> _SamplesRead:
    """Return every sample of a file."""
    if content.is_json:
        document = records.read(content, "samples", _EXPECTED)
        if (of_lists := _list_of_samples(document)) is not None:
            key = next(filter(is_id, document.rows[0]), "id")
            keys = {"id": key, "label": of_lists}
            samples = list(_from_lists(document, of_lists))
            return _SamplesRead(samples, document.numbers, document.noun, keys, document.left_out)
        table = records.read_rows(content, VALUES.fits)
    else:
        table = delimited.read(content)
    table = _headed(table, _HEADER)
    stated = content.described.stated
    columns = roles(table.named, FIELDS, stated)
    if "label" not in columns:
        table.refuse_nested(table.nested)
    value = only_value(table.named, stated)
    if value is not None:
        columns["label"] = value
        _refuse_failures(value, table)
    if not {"id", "label"} <= columns.keys():
        raise content.refusal(
            "{file}: expected columns of ids, samples and answers, such as {header}; found {names}",
            header=_HEADER,
            names=listed(map(quoted, table.named)),
        )
    rows = enumerate(fields.cells_of(table, columns, FIELDS, None))
    samples = [(row, *cells) for row, cells in rows]
    in_file = table.in_file
    names = {role: in_file[name] for role, name in columns.items()}
    return _SamplesRead(samples, table.numbers, table.row_noun, names, table.left_out)


def _headed(table: Table, example: str) -> Table:
    """Return a table whose header is known; the first row must be one."""
    fields.refuse_ragged(table)
    return fields.headed(table, lambda first: any(map(is_id, first)), example)


def _list_of_samples(document: records.Records) -> str | None:
    """Return the key under which records hold a list of samples; None if none has one."""
    keys = dict.fromkeys(name for record in document.rows for name in record)

    def holds_lists(name: str) -> bool:
        return any(isinstance(record.get(name), list) for record in document.rows)

    lists = list(filter(holds_lists, keys))
    return list_of_samples(lists, [name for name in keys if name not in lists])


def _from_lists(document: records.Records, name: str) -> Iterator[_Sample]:
    """Yield the samples of records that hold a list of them under a ``name``."""
    _refuse_failures(name, document)
    for row, record in enumerate(document.rows):
        lists = [key for key, value in record.items() if isinstance(value, list)]
        samples = record.get(name)
        key = next((value for key, value in record.items() if is_id(key)), None)
        if key is None or not is_certain(name, lists) or not isinstance(samples, list):
            raise document.refused(row)
        if any(isinstance(item, (dict, list)) for item in samples):
            raise document.refused(row)
        for number, value in enumerate(samples, 1):
            yield row, str(number), text(key), text(value)


def _refuse_failures(name: str, source: OfFile) -> None:
    """Refuse outcomes under a name that says that 1 is a failure."""
    if says_failure(name):
        raise source.refusal(
            "{file}: by its name, {name} holds 1 for a sample that failed; write 1 for one that "
            "passed, and call it 'passed'",
            name=quoted(name),
        )


def asked(shape: Any) -> tuple[bool, int]:
    """Return whether samples are outcomes, and the fewest that pass@k needs; 0 without it."""
    outcome_only, least = shape if isinstance(shape, (list, tuple)) else (shape == _OUTCOME, 0)
    return outcome_only, least


def _problem(samples: Any, shape: Any, labels: Any) -> Phrase | None:
    outcome_only, least = asked(shape)
    if "" in samples:
        return Phrase("found an empty sample, expected an answer in every row")
    if outcome_only:
        for sample in samples:
            value = outcome(sample)
            if value is None or (least and value not in (0, 1)):
                return Phrase(
                    "found {sample}, expected an outcome such as 0, 1, true or false",
                    sample=quoted(sample),
                )
    if len(samples) < least:
        return Phrase(
            "found {samples}, expected at least {least}, which pass@{least} needs",
            samples=counted(len(samples), Phrase("sample", "samples")),
            least=least,
        )
    return None


def _wanted(value: Any, is_gold: bool) -> str | None:
    if isinstance(value, str) if is_gold else is_texts(value):
        return None
    return "a text, the correct answer" if is_gold else "a list of texts, the answers"


def _samples_of(value: str | Sequence[str]) -> int:
    """Return the number of samples; the correct answer is one."""
    return 1 if isinstance(value, str) else len(value)


KIND = ExampleKind(
    name="samples",
    read=read,
    example=(Phrase("example"), Phrase("examples")),
    delimiters=delimited.DELIMITERS,
    made_of=("sample",),
    asked={"sample": "sample"},
    absent=(),
    shape=lambda answer: None if answer else _OUTCOME,
    problem=_problem,
    wanted=_wanted,
    sizes={Phrase("sample", "samples"): (_samples_of, 1 << 14)},
)
