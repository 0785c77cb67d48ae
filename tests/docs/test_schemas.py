"""The schema of scoring.yaml: it is the settings' own, and takes what the program takes."""

from __future__ import annotations

import json

import jsonschema
import pytest
import yaml

from docs.generate import schemas
from scoring_program.settings.model import OPTIONS
from tests.competitions import REPOSITORY
from tests.docs.test_pages import untitled_settings

SCHEMA = json.loads((schemas.SCHEMAS / "scoring.json").read_text(encoding="utf-8"))
FILES = [
    path.read_text(encoding="utf-8")
    for folder in ("example", "templates")
    for path in sorted((REPOSITORY / folder).rglob("scoring.yaml"))
]


def test_the_file_is_made_from_the_settings() -> None:
    """After a change of the settings: python -m docs.generate.schemas."""
    assert schemas.settings() == SCHEMA
    assert SCHEMA["properties"].keys() == {"metrics", *(option.name for option in OPTIONS)}


@pytest.mark.parametrize("text", [*FILES, *untitled_settings()])
def test_what_the_program_takes_is_valid(text: str) -> None:
    jsonschema.validate(yaml.safe_load(text) or {}, SCHEMA)


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
        jsonschema.validate(yaml.safe_load(text), SCHEMA)
