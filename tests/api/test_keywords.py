"""The types of arguments: those of the settings are the settings' own, and any frame will do."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

import scoring_program as dh
from docs.generate.schemas import settings
from scoring_program.api import types
from scoring_program.api.types import Keywords, Metrics
from scoring_program.settings.model import Settings
from tests.competitions import EXAMPLE

HINTS = get_type_hints(Keywords)
SCHEMA = settings()["properties"]
WORDS = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}


def test_there_is_a_keyword_for_every_setting() -> None:
    assert HINTS.keys() == SCHEMA.keys()
    assert HINTS["metrics"] == Metrics


@pytest.mark.parametrize("name", sorted({*HINTS} - {"metrics"}))
def test_a_keyword_takes_what_its_setting_takes(name: str) -> None:
    """Choices and null are those of the schema for editors, and so are the words for values."""
    schema = SCHEMA[name]
    if not {"type", "enum", "anyOf"} & schema.keys():
        return  # a description or pairs, of which the schema says nothing either
    parts = schema.get("anyOf", [schema])
    kinds = get_args(HINTS[name]) or (HINTS[name],)
    kinds = (HINTS[name],) if get_origin(HINTS[name]) is Literal else kinds
    choices = [get_args(kind) for kind in kinds if get_origin(kind) is Literal]
    wanted = [tuple(part["enum"]) for part in parts if "enum" in part]
    if name != "language":  # a catalog more is a language more
        assert choices == wanted
    assert (NoneType in kinds) == ({"type": "null"} in parts)
    collections = {get_origin(kind) for kind in kinds} - {None, Literal}
    words = {word for part in parts for word in _words(part)}
    assert (Mapping in collections) == ("object" in words)
    assert bool(collections - {Mapping}) == ("array" in words)
    words -= {"array", "object"}
    own = {WORDS[kind] for kind in kinds if kind in WORDS}
    assert own <= words | {"null", "string"}
    assert not words - own - {"integer", "null"}


def _words(part: dict[str, Any]) -> list[str]:
    found = part.get("type", [])
    return [found] if isinstance(found, str) else list(found)


def test_literals_are_the_choices() -> None:
    for name, literal in (("tie_rule", types.TieRule), ("interval", types.Interval)):
        assert set(get_args(literal)) == set(get_args(HINTS[name]))


def test_metrics_of_python_are_keywords_too() -> None:
    chosen: Keywords = {"metrics": ["f1_macro"], "resamples": 100, "tie_rule": "holm"}
    assert list(dh.score(EXAMPLE, None, **chosen)) == ["f1_macro"]
    assert Settings().tie_rule == "max_t"
