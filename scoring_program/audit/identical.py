"""Entries that give the same predictions, whatever their files look like."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import dataclass

from ..data.competition import Competition
from ..data.entry import Entry


@dataclass(frozen=True)
class IdenticalEntries:
    """Entries with the same predictions in all parts; ``files`` says whether their files are, too.

    At least two teams are among them.
    """

    names: tuple[str, ...]
    files: bool


def identical_entries(competition: Competition) -> tuple[IdenticalEntries, ...]:
    """Return the groups of entries with identical predictions, in the order of the entries."""
    predictions: dict[str, tuple[tuple[str, str], ...]] = defaultdict(tuple)
    files: dict[str, tuple[str, ...]] = defaultdict(tuple)
    for part in competition.parts:
        for entry in filter(None, part.entries):
            predictions[entry.name] += ((part.name, _digest(entry)),)
            files[entry.name] += (entry.sha256,)
    groups = defaultdict(list)
    for name, content in predictions.items():
        groups[content].append(name)
    return tuple(
        IdenticalEntries(tuple(names), len({files[name] for name in names}) == 1)
        for names in groups.values()
        if len({competition.teams.get(name, name) for name in names}) > 1
    )


def _digest(entry: Entry) -> str:
    """Return a hash of what an entry predicts; one of its columns if no target is read."""
    found = hashlib.sha256()
    for target, array in entry.predictions.items():
        found.update(repr((target.column, target.kind, array.tolist())).encode())
    for name, texts in sorted(entry.columns.items()):
        found.update(repr((name, list(texts))).encode())
    return found.hexdigest()
