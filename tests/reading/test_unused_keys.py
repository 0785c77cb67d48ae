"""A key of JSON that nobody uses is never read, whatever stands under it, in every kind of data."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scoring_program.core.errors import ReferenceDataError, SubmissionError
from scoring_program.reading.formats import read_examples

#: Of each kind, the records of a gold and of a submission.
RECORDS: dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]]]] = {
    "rows": (
        [{"id": "a", "label": "x"}, {"id": "b", "label": "y"}],
        [{"id": "a", "label": "y"}, {"id": "b", "label": "y"}],
    ),
    "text": (
        [{"id": "a", "reference": "one two"}, {"id": "b", "reference": ["three", "four"]}],
        [{"id": "a", "prediction": "one"}, {"id": "b", "prediction": "three"}],
    ),
    "label_sets": (
        [{"id": "a", "labels": ["x", "y"]}, {"id": "b", "labels": ["y"]}],
        [{"id": "a", "labels": ["x"]}, {"id": "b", "labels": []}],
    ),
    "samples": (
        [{"id": "a", "answer": "4"}, {"id": "b", "answer": "5"}],
        [{"id": "a", "samples": ["4", "3"]}, {"id": "b", "samples": ["5", "5"]}],
    ),
    "spans": (
        [{"id": "a", "spans": [[0, 3, "PER"]]}, {"id": "b", "spans": []}],
        [{"id": "a", "spans": [[0, 2, "PER"]]}, {"id": "b", "spans": []}],
    ),
    "tags": (
        [{"id": "a", "tags": ["B-PER", "O"]}, {"id": "b", "tags": ["O"]}],
        [{"id": "a", "tags": ["O", "O"]}, {"id": "b", "tags": ["O"]}],
    ),
    "resolved": ([{"id": "a"}, {"id": "b"}], []),
}
UNUSED: dict[str, Any] = {
    "null": None,
    "object": {"split": "test", "year": 2020},
    "object of objects": {"by": {"name": "N."}},
    "object with an id": {"id": 7},
    "empty object": {},
    "list": ["p", "q"],
    "list of objects": [{"p": 1}],
}


def _columns(records: list[dict[str, Any]], kind: str, *, gold: bool) -> dict[str, list[Any]]:
    table = read_examples(json.dumps(records).encode(), "p.json", kind, gold=gold)
    return {name: list(cells) for name, cells in table.named.items()}


@pytest.mark.parametrize("unused", UNUSED)
@pytest.mark.parametrize("side", ["gold", "submission"])
@pytest.mark.parametrize("kind", RECORDS)
def test_what_stands_under_an_unused_key_changes_nothing(kind: str, side: str, unused: str) -> None:
    gold = side == "gold"
    records = RECORDS[kind][0 if gold else 1]
    if not records:
        return
    plain = _columns(records, kind, gold=gold)
    first = {**records[0], "meta": UNUSED[unused]}
    for more in ([first, *records[1:]], [{**record, "meta": first["meta"]} for record in records]):
        found = _columns(more, kind, gold=gold)
        assert {name: found[name] for name in plain} == plain


def test_a_key_at_several_places_is_called_by_its_path() -> None:
    records = [
        {"id": key, "doc": {"id": place, "lang": "en"}, "a": {"x": 0.1}, "b": {"x": 0.2}}
        for place, key in enumerate("pq")
    ]
    assert _columns(records, "rows", gold=True) == {
        "id": ["p", "q"], "doc.id": ["0", "1"], "lang": ["en", "en"],
        "a.x": ["0.1", "0.1"], "b.x": ["0.2", "0.2"],
    }  # fmt: skip


@pytest.mark.parametrize("value", [None, {"text": {"of": 1}}])
def test_a_key_that_is_used_is_refused_with_its_own_reason(value: Any) -> None:
    records = [{"id": "a", "text": "one", "meta": {}}, {"id": "b", "text": value, "meta": {}}]
    with pytest.raises((SubmissionError, ReferenceDataError), match="record 2: 'text' "):
        _columns(records, "text", gold=True)
