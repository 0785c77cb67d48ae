"""What is asked of a file of spans of which several columns, or keys, may be the same role."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ...core.errors import SubmissionError, listed, quoted
from .span_columns import ways_to_read

#: A word that YAML reads as a text.
_PLAIN = re.compile(r"(?i)(?!(y|n|yes|no|on|off|true|false|null)$)[a-z_]\w*")


def ask_which_are_spans(
    file: str,
    columns: Mapping[str, Sequence[str]],
    read: Mapping[str, str],
    stated: Mapping[str, Any],
    *,
    gold: bool,
) -> None:
    """Ask which columns or keys are the start, the end and the type, if several fit.

    ``read`` and ``stated`` map roles to what is read by names, and to what the settings state.

    Raises
    ------
    SubmissionError
        Several fit. The lines that decide it are part of the message.
    """
    ways = ways_to_read(columns, read, stated)
    if not ways:
        return
    side = "reference" if gold else "submissions"
    lines = [_line(side, {**stated, **way}) for way in ways]
    roles = listed(map(repr, ways[0]))
    if gold:
        raise SubmissionError(
            "{file}: several columns or keys may be the {roles} of spans. Which are? Put one of "
            "these lines into ref/scoring.yaml: {lines}",
            file=file,
            roles=roles,
            lines="".join(f"\n  {line}" for line in lines),
        )
    names: dict[str, None] = {}
    for way in ways:
        names.update(dict.fromkeys(way.values()))
    raise SubmissionError(
        "{file}: several columns or keys may be the {roles} of spans: {names}; leave out those "
        "that are not (organizers: say which are meant by one of these lines in scoring.yaml: "
        "{lines})",
        file=file,
        roles=roles,
        names=listed(map(quoted, names)),
        lines=listed(map(repr, lines)),
    )


def _line(side: str, columns: Mapping[str, str | int]) -> str:
    """Return columns as a line of settings. The starting kit has no library of YAML."""
    names = ", ".join(f"{role}: {_scalar(name)}" for role, name in columns.items())
    return f"{side}: {{columns: {{{names}}}}}"


def _scalar(name: str | int) -> str:
    """Return a name or a number in YAML; in quotes, as JSON has them, where it is no plain word."""
    is_plain = isinstance(name, int) or _PLAIN.fullmatch(name) is not None
    return str(name) if is_plain else json.dumps(name, ensure_ascii=False)
