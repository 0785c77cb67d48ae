"""What Codabench passes over in a competition.yaml, and what it fills in.

The defaults are those of Codabench 1.25 (March 2026), except where its own would not fit this
program: Python 3.7 as the image, and no page of detailed results.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

#: Key, of a task and at the top, whose content is for this program only.
DEADHEAT_KEY = "deadheat"
#: The image of a competition that names none.
DEFAULT_IMAGE = "codalab/codalab-legacy:py312"
#: What Codabench assumes of a column that does not say it.
COLUMN_DEFAULTS = {"sorting": "desc", "precision": 2}
#: How alike an unknown key and one that is not set must be for a slip of the keyboard.
_SLIP = 0.85
#: More values than any competition.yaml holds, once its aliases are written out.
_MOST_VALUES = 10_000


def unfolded(value: Any) -> Any:
    """Return a document in which every YAML alias is written out as the value that it names.

    Raises
    ------
    ValueError
        An alias stands within the value that it names, or a few of them expand to very many values.
    """
    return _Unfolding().copy(value, ())


class _Unfolding:
    """Copies a document, and counts its values."""

    def __init__(self) -> None:
        self.values = 0

    def copy(self, value: Any, inside: tuple[int, ...]) -> Any:
        """Copy a value; ``inside`` holds the identities of the values around it."""
        self.values += 1
        if self.values > _MOST_VALUES:
            raise ValueError(
                f"its aliases (*name) expand to more than {_MOST_VALUES} values; write the values "
                "themselves"
            )
        if not isinstance(value, (dict, list)):
            return value
        if id(value) in inside:
            raise ValueError("an alias (*name) stands within the value that it names; remove it")
        around = (*inside, id(value))
        if isinstance(value, list):
            return [self.copy(item, around) for item in value]
        return {key: self.copy(item, around) for key, item in value.items()}


def passed_over(value: Any, shape: Any, place: str = "") -> Iterator[str]:
    """Take the keys that Codabench does not read out of a document, and yield their places.

    A key that looks like a misspelling of one that is not set stays, and is refused later: its
    default would decide in its place. What this program reads under ``deadheat`` stays, too.
    """
    if isinstance(shape, list) and isinstance(value, list):
        for number, item in enumerate(value):
            yield from passed_over(item, shape[0], f"{place}[{number}]")
    if not isinstance(shape, Mapping) or not isinstance(value, dict):
        return
    shapes = {key.rstrip("?*"): inner for key, inner in shape.items()}
    for key in list(value):
        inner_place = f"{place}.{key}" if place else str(key)
        if key in shapes:
            if key != DEADHEAT_KEY:
                yield from passed_over(value[key], shapes[key], inner_place)
        elif not misspelt(str(key), shapes.keys() - value.keys()):
            del value[key]
            yield inner_place


def misspelt(key: str, words: Iterable[str]) -> bool:
    """Whether a key differs from one of some words by a slip of the keyboard."""
    return bool(difflib.get_close_matches(key.casefold(), words, n=1, cutoff=_SLIP))


def filled_in(document: dict[str, Any]) -> Iterator[str]:
    """Set what a checked competition.yaml leaves to defaults, and say where this is not obvious."""
    if "docker_image" not in document:
        document["docker_image"] = DEFAULT_IMAGE
        yield (
            f"docker_image: is not set; the bundle names {DEFAULT_IMAGE}, because Codabench's "
            "default has Python 3.7 (version 1.25, March 2026)"
        )
    if "enable_detailed_results" not in document:
        document["enable_detailed_results"] = True
        yield (
            "enable_detailed_results: is not set; the bundle says true, because nobody sees the "
            "page otherwise"
        )
    document.setdefault("solutions", [])
    for number, phase in enumerate(document["phases"]):
        phase.setdefault("index", number)
    for board in document["leaderboards"]:
        for column in board["columns"]:
            for key, default in COLUMN_DEFAULTS.items():
                column.setdefault(key, default)
