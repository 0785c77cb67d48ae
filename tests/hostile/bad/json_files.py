"""JSON and JSON Lines."""

from __future__ import annotations

from collections.abc import Iterator

from tests.hostile.bad.case import Bad
from tests.hostile.bad.makers import upload


def cases() -> Iterator[Bad]:
    cases: dict[str, str | bytes] = {
        "not JSON": "predictions = [1]",
        "cut short": '[{"id": "x000", "label": "a"}, {"id"',
        "a number": "3",
        "a text": '"a"',
        "null": "null",
        "an empty list": "[]",
        "an empty object": "{}",
        "a list of lists": '[["x000", "a"]]',
        "a list of nulls": "[null, null]",
        "records of different keys": '[{"id": "x000", "label": "a"}, {"key": "x001"}]',
        "a nested value": '[{"id": "x000", "label": {"a": 1}}]',
        "a list as a value": '[{"id": "x000", "label": ["a"]}]',
        "null as a value": '[{"id": "x000", "label": null}]',
        "NaN": '[{"id": "x000", "label": NaN}]',
        "1e999": '[{"id": "x000", "label": 1e999}]',
        "a key twice": '[{"id": "x000", "id": "x001", "label": "a"}]',
        "an integer of 10,000 digits": '[{"id": "x000", "label": ' + "9" * 10_000 + "}]",
        "nested 100,000 deep": "[" * 100_000 + "]" * 100_000,
        "objects nested 100,000 deep": '{"a":' * 100_000 + "1" + "}" * 100_000,
        "predictions in predictions, 970 deep": '{"predictions":' * 970 + "1" + "}" * 970,
        "a key of a million letters": '[{"id": "x000", "' + "k" * 10**6 + '": [1]}]',
        "a lone surrogate": '[{"id": "x000", "label": "\\ud800"}]',
        "a lone surrogate in a key": '[{"id": "x000", "label\\ud800": "a"}]',
        "a lone surrogate in a key beside the predictions": (
            '[{"id": "x000", "label": "a", "note\\ud800": "b"}]'
        ),
        "a lone surrogate as an id": '{"x000\\ud800": "a", "x001": "b"}',
        "a key twice, once in an object": '[{"id": "x000", "label": "a", "x": {"label": "b"}}]',
        "a notebook": '{"cells": [{"cell_type": "code", "source": []}], "nbformat": 4}',
        "a NUL escape": '[{"id": "x\\u0000", "label": "a"}]',
        "two documents": '[{"id": "x000", "label": "a"}]\n[{"id": "x001", "label": "a"}]',
        "a trailing comma": '[{"id": "x000", "label": "a"},]',
        "comments": '// predictions\n[{"id": "x000", "label": "a"}]',
        "single quotes": "[{'id': 'x000', 'label': 'a'}]",
        "no bytes": "",
        "Latin-1": b'[{"id": "x000", "label": "\xe9"}]',
    }
    for name, content in cases.items():
        yield Bad("JSON", name, upload(content, "predictions.json"), 1, ("predictions.json",))
        if name not in ("not JSON", "two documents"):
            yield Bad(
                "JSON Lines", name, upload(content, "predictions.jsonl"), 1, ("predictions.jsonl",)
            )
