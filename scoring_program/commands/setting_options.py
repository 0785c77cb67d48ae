"""Settings as options of a command; each overrides the key of the same name in scoring.yaml."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import Field
from typing import Any

from ..settings.loading import FILE_NAME, values_of
from ..settings.model import OPTIONS


def add_settings(parser: argparse.ArgumentParser, names: Iterable[str] | None = None) -> None:
    """Add an option for each of the settings called ``names``, by default for all."""
    group = parser.add_argument_group(
        "settings", f"each option overrides the key of the same name in {FILE_NAME}"
    )
    for option in OPTIONS:
        if names is not None and option.name not in names:
            continue
        is_flag = isinstance(option.default, bool)
        group.add_argument(
            f"--{option.name.replace('_', '-')}",
            metavar=option.metadata["metavar"],
            nargs="?" if is_flag else None,
            const="true" if is_flag else None,
            help=_help(option).replace("%", "%%"),
        )


def given_settings(
    options: argparse.Namespace, names: Iterable[str] | None = None
) -> dict[str, Any]:
    """Return the values of the settings that the command line gives."""
    wanted = [option.name for option in OPTIONS] if names is None else names
    texts = {name: text for name in wanted if (text := getattr(options, name)) is not None}
    return values_of(texts)


def _help(option: Field[Any]) -> str:
    notes, choices = [], option.metadata["choices"]
    if choices:
        several = isinstance(option.default, tuple)
        which = "any of {}, with commas between them" if several else "one of {}"
        notes.append(which.format(", ".join(choices)))
    if option.default not in (None, "", ()):
        shown = str(option.default).lower() if option.default is False else option.default
        notes.append(f"default: {shown}")
    text: str = option.metadata["help"]
    return f"{text} ({'; '.join(notes)})" if notes else text
