"""The competition with the labels of a regraded gold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ..alignment.competition import Competition, Part
from ..alignment.gold import Gold, read_gold
from ..core.errors import ReferenceDataError, listed
from ..inference.findings import Findings
from ..pipeline import EvaluatedCompetition, evaluate
from ..settings.model import Settings

#: Unknown ids that a message lists.
_SHOWN = 10
#: Scores that differ by less are equal.
_EQUAL = 1e-12


def _regraded(competition: Competition, path: Path, settings: Settings) -> tuple[Competition, int]:
    """Return the competition with the labels of ``path``, and the number of changed labels.

    Examples keep their order, so that the resamples before and after are the same.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ReferenceDataError(f"{path}: it cannot be read ({error.strerror})") from error
    new = read_gold(content, path.name, settings)
    parts, changed = [], 0
    known = {identity for part in competition.parts for identity in part.gold.ids or ()}
    if new.ids is None or not known:
        raise ReferenceDataError(
            f"{path.name}: regraded labels are joined by id, but there is no column of ids in the "
            "reference data and in this file; add one to both"
        )
    unknown = [identity for identity in new.ids if identity not in known]
    if unknown:
        raise ReferenceDataError(
            f"{path.name}: {len(unknown)} id(s) are not in the reference data: "
            f"{listed(unknown[:_SHOWN])}; remove them"
        )
    for part in competition.parts:
        again, count = _regraded_part(part, new)
        parts.append(again)
        changed += count
    return replace(competition, parts=tuple(parts)), changed


def _regraded_part(part: Part, new: Gold) -> tuple[Part, int]:
    place = {identity: row for row, identity in enumerate(part.gold.ids or ())}
    columns = {name: list(cells) for name, cells in part.gold.columns.items()}
    labels = {name: array.copy() for name, array in part.labels.items()}
    spelled = {
        name: {str(label): label for target, known in part.expected.targets.items()
               if target.column == name for label in known}
        for name in labels
    }  # fmt: skip
    changed: set[int] = set()
    for name, cells in new.columns.items():
        if name not in labels:
            continue
        for row, (identity, cell) in enumerate(zip(new.ids or (), cells, strict=True)):
            if identity not in place or columns[name][place[identity]] == cell:
                continue
            if cell not in spelled[name]:
                raise ReferenceDataError(
                    f"{new.file}: {new.places[row]}, column {name!r}: found {cell!r}, expected one "
                    f"of {listed(map(repr, spelled[name]))}"
                )
            columns[name][place[identity]] = cell
            labels[name][place[identity]] = spelled[name][cell]
            changed.add(place[identity])
    gold = replace(part.gold, columns=columns)
    return replace(part, gold=gold, labels=labels), len(changed)


@dataclass(frozen=True)
class Move:
    """An entry whose score, rank or tie with the leader changes."""

    entry: str
    rank: tuple[int, int]  # before and after
    score: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Regrade:
    """What changed labels change; the moves are in the order of the new ranking."""

    changed: int
    findings: Findings
    moves: tuple[Move, ...]


def regrade(evaluation: EvaluatedCompetition, path: Path) -> Regrade:
    """Evaluate the competition again with the labels of ``path``, on the same resamples.

    The file is a gold file: ids and labels, of all examples or only of those to change.

    Raises
    ------
    ReferenceDataError
        The file has no ids, an id is not in the reference data, or a label is unknown.
    """
    settings = evaluation.findings.settings
    competition, changed = _regraded(evaluation.competition, path, settings)
    findings = evaluate(competition, settings).findings
    return Regrade(changed, findings, tuple(_moves(evaluation.findings, findings)))


def _moves(before: Findings, after: Findings) -> Iterator[Move]:
    first, second = before.analyses[0], after.analyses[0]
    for entry in second.order.tolist():
        name = second.names[entry]
        if name not in first.names:
            continue
        old = first.names.index(name)
        score = float(first.score[old]), float(second.score[entry])
        rank = int(first.rank[old]), int(second.rank[entry])
        tied = bool(first.tied_with_leader[old]), bool(second.tied_with_leader[entry])
        if rank[0] != rank[1] or tied[0] != tied[1] or abs(score[0] - score[1]) > _EQUAL:
            yield Move(name, rank, score)
