"""The reference of the settings: what --help and the documentation are made from."""

from __future__ import annotations

from dataclasses import Field, fields
from typing import Any

import pytest

from scoring_program.settings.groups import GROUPS
from scoring_program.settings.model import OPTIONS, Settings


def test_every_setting_has_its_place_in_one_group() -> None:
    """A setting is found in the help, the reference and the schema by what it is about."""
    placed = [key for keys in GROUPS.values() for key in keys]
    assert len(placed) == len(set(placed))
    assert set(placed) == {"metrics", *(option.name for option in OPTIONS)}


def test_every_setting_is_an_option() -> None:
    assert [option.name for option in OPTIONS] == [
        item.name for item in fields(Settings) if item.name not in ("metrics", "lines")
    ]


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_an_option_explains_itself(option: Field[Any]) -> None:
    said, metavar = option.metadata["help"], option.metadata["metavar"]
    assert len(said.split()) >= 3
    assert said[0].islower()
    assert not said.endswith(".")
    assert metavar == "true|false" or metavar.isupper()


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_defaults_pass_their_checks(option: Field[Any]) -> None:
    assert option.default == getattr(Settings(), option.name)
    default = list(option.default) if isinstance(option.default, tuple) else option.default
    assert option.metadata["check"](default) == option.default


@pytest.mark.parametrize(
    "option", [item for item in OPTIONS if item.metadata["choices"]], ids=lambda option: option.name
)
def test_choices_are_all_that_passes(option: Field[Any]) -> None:
    check, choices = option.metadata["check"], option.metadata["choices"]
    for choice in choices:
        assert check(choice) in (choice, (choice,))
    values: tuple[object, ...] = ("none of them", {}, 1)
    for wrong in values:
        with pytest.raises(ValueError, match=f"one of {', '.join(choices)}"):
            check(wrong)
