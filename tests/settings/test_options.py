"""The reference of the settings: what --help and the documentation are made from."""

from __future__ import annotations

from dataclasses import fields

import pytest

from scoring_program.settings.model import OPTIONS, Option, Settings


def test_every_setting_is_an_option() -> None:
    assert [option.name for option in OPTIONS] == [
        item.name for item in fields(Settings) if item.name not in ("metrics", "lines")
    ]


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_an_option_explains_itself(option: Option) -> None:
    assert len(option.help.split()) >= 3
    assert option.help[0].islower()
    assert not option.help.endswith(".")
    assert option.metavar == "true|false" or option.metavar.isupper()


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_defaults_pass_their_checks(option: Option) -> None:
    assert option.default == getattr(Settings(), option.name)
    default = list(option.default) if isinstance(option.default, tuple) else option.default
    assert option.check(default) == option.default


@pytest.mark.parametrize(
    "option", [item for item in OPTIONS if item.choices], ids=lambda option: option.name
)
def test_choices_are_all_that_passes(option: Option) -> None:
    for choice in option.choices:
        assert option.check(choice) in (choice, (choice,))
    values: tuple[object, ...] = ("none of them", {}, 1)
    for wrong in values:
        with pytest.raises(ValueError, match=f"one of {', '.join(option.choices)}"):
            option.check(wrong)
