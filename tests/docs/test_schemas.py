"""The schemas: that of scoring.yaml is the settings' own, that of results.json its reference's.

`Folder.results` validates what the tests' own runs write.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest
import yaml

from docs.generate import results_schema, schemas
from scoring_program.settings.model import OPTIONS
from tests.competitions import REPOSITORY, Folder
from tests.docs.test_pages import untitled_settings

SCHEMA = json.loads((schemas.SCHEMAS / "scoring.json").read_text(encoding="utf-8"))
VALID = jsonschema.Draft202012Validator(SCHEMA)
FILES = [
    path.read_text(encoding="utf-8")
    for folder in ("example", "templates")
    for path in sorted((REPOSITORY / folder).rglob("scoring.yaml"))
]


def test_the_file_is_made_from_the_settings() -> None:
    """After a change of the settings: python -m docs.generate.schemas."""
    assert schemas.settings() == SCHEMA
    VALID.check_schema(SCHEMA)
    assert SCHEMA["properties"].keys() == {"metrics", *(option.name for option in OPTIONS)}


def test_the_schema_of_results_has_the_keys_and_meanings_of_their_reference() -> None:
    """After a change of the reference or the results: python -m docs.generate.schemas."""
    found = json.loads((schemas.SCHEMAS / "results.json").read_text(encoding="utf-8"))
    assert found == results_schema.results()
    jsonschema.Draft202012Validator.check_schema(found)
    assert found["$defs"]["entries"]["properties"]["tier"]["description"] == "1 for the best"


@pytest.mark.parametrize(
    "change",
    [
        lambda document: document.update(schema_version=2),
        lambda document: document["metrics"][0]["entries"][0].pop("rank_range"),
        lambda document: document["metrics"][0]["verdict"].update(possible_winners="A"),
    ],
)
def test_results_of_another_structure_are_not_valid(
    folder: Folder, change: Callable[[dict[str, Any]], object]
) -> None:
    folder.write("metrics: [accuracy_score]\nresamples: 100\n").run()
    document = folder.results()
    change(document)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, results_schema.results())


@pytest.mark.parametrize("text", [*FILES, *untitled_settings()])
def test_what_the_program_takes_is_valid(text: str) -> None:
    VALID.validate(yaml.safe_load(text) or {})


@pytest.mark.parametrize(
    "text",
    [
        "resample: 1000",
        "resamples: many",
        "tie_rule: tukey",
        "baselines: {a: b}",
        "greater_is_better: 1",
        "metrics: []",
        "metrics: [{f1_score: 7}]",
    ],
)
def test_what_the_program_refuses_is_not(text: str) -> None:
    with pytest.raises(jsonschema.ValidationError):
        VALID.validate(yaml.safe_load(text))
