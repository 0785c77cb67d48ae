"""Runs a packed program as a platform would, and compares the leaderboard with its scores."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from ..core.errors import OrganizerError, listed, nearest
from ..data.source import read_input
from ..metrics.registry import find
from ..pipeline import evaluate
from ..scoring.score_entries import score_entries
from ..settings.checks import keys_of, read_metrics
from ..settings.loading import FILE_NAME
from .defaults import misspelt
from .description import Item

#: Seconds after which a rehearsal is stopped: the platforms' default.
_LONGEST = 600
#: Resamples where only the scores and the metrics matter.
_FEW = 100
#: How many keys a message lists at most; enough for one submission and four metrics.
_KEYS_SHOWN = 20
#: Key that a submission in a field lacks if its distance from the best has no upper limit.
_NO_LIMIT = "distance_from_best"
#: Key of the seconds that submitted code ran, which the platform tells the program.
_DURATION = "duration"
#: Which end of a column is the best, the greatest value (True) or the smallest, and why. Both if
#: tasks disagree; empty if neither end is best.
Best = Mapping[bool, str]
#: Best ends of keys that belong to no metric. P-values, times and counts have none.
_BEST: Mapping[str, Best] = {
    "rank": {False: "1 is the best rank"},
    "difference_from_leader": {False: "it is how far behind the leader a submission lies"},
    "distance_from_best": {False: "it is how far below the best a submission may lie"},
    "tied_with_leader": {True: "1 is a possible winner, 0 is not"},
}


@dataclass(frozen=True)
class RehearsalResult:
    """The scores of a rehearsal, and what only the organizer may know about the entries."""

    scores: Mapping[str, float]
    greater_is_better: Mapping[str, bool]  # metric → its direction
    unusable: tuple[str, ...]  # submissions that cannot be scored, each with the reason


def rehearse(
    program: bytes, reference: bytes, submission: bytes, leave_out: str = ""
) -> RehearsalResult:
    """Run the packed program, but for the folder to ``leave_out``, on a packed submission.

    Raises
    ------
    OrganizerError
        The run fails, or writes no scores or no page.
    """
    with tempfile.TemporaryDirectory(prefix="deadheat-") as folder:
        app = Path(folder) / "app"
        unpack(program, app / "program")
        if leave_out:
            shutil.rmtree(app / "program" / leave_out)
        unpack(reference, app / "input" / "ref")
        unpack(submission, app / "input" / "res")
        (app / "output").mkdir()
        command = command_of(app / "program", app)
        try:
            done = subprocess.run(
                [sys.executable, *command[1:]],
                cwd=app / "program",
                capture_output=True,
                text=True,
                encoding="utf-8",
                errors="replace",
                timeout=_LONGEST,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise OrganizerError(
                f"the packed program needs more than {_LONGEST} s for the packed submission; "
                "lower 'resamples'"
            ) from error
        output = app / "output"
        scores = output / "scores.json"
        page = output / "detailed_results.html"
        if done.returncode or not scores.is_file() or not page.is_file():
            raise OrganizerError(
                "the packed program fails on the packed submission (exit status "
                f"{done.returncode}):\n{done.stderr.strip()}"
            )
        written: dict[str, float] = json.loads(scores.read_text(encoding="utf-8"))
        if "accepted" in written:  # without the gold
            return RehearsalResult(written, {"accepted": True}, ())
        # What the run neither writes nor logs, because participants read it.
        of_run = read_input(app / "input", lambda loaded: replace(loaded, resamples=_FEW))
        scored, _ = score_entries(*of_run)
        evidence = evaluate(*of_run).findings.evidence
    return RehearsalResult(
        written,
        {about.metric.name: about.metric.greater_is_better for about in evidence},
        tuple(f"[{item.name}] {item.reason}" for item in (*scored.withheld, *scored.unusable)),
    )


def unpack(content: bytes, folder: Path) -> None:
    """Unpack as Codabench's worker does: folders stay folders.

    For a week of July 2025, the worker moved the content of the first folder to the top. Workers
    that were set up in that week still do. So a bundle holds no folder that this would break.
    """
    folder.mkdir(parents=True)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(folder)


@contextmanager
def unpacked(reference: bytes) -> Iterator[Path]:
    """Unpack packed reference data for a while, as the platform's run will find them."""
    with tempfile.TemporaryDirectory(prefix="deadheat-") as folder:
        unpack(reference, Path(folder) / "ref")
        yield Path(folder) / "ref"


def command_of(program: Path, app: Path) -> list[str]:
    """Return the command in a program's metadata, with variables replaced as the worker does."""
    names = ("metadata.yaml", "metadata")
    metadata = next(program / name for name in names if (program / name).is_file())
    command = str(yaml.safe_load(metadata.read_text(encoding="utf-8"))["command"])
    for name in ("program", "input", "output"):
        command = command.replace(f"${name}", str(app / name))
    return command.split(" ")


def misleading_columns(
    boards: Sequence[Item], tried: Sequence[RehearsalResult], *, timed: bool = False
) -> Iterator[str]:
    """Say which columns would stay empty, and which would show the worst value on top.

    Both platforms sort by `sorting`, whatever the numbers mean. Codabench also uses it to choose
    the submission that Force_Best keeps, and uses all columns after the first to break ties.
    ``tried`` holds at least one rehearsal per task. The platform measures how long submitted code
    runs: where it is ``timed``, a column may hold what no rehearsal writes.
    """
    best_ends: dict[str, dict[bool, str]] = {key: dict(best) for key, best in _BEST.items()}
    for done in tried:
        for metric, greater in done.greater_is_better.items():
            why = f"{'greater' if greater else 'smaller'} values of {metric!r} are better"
            for key in keys_of(metric):
                best_ends.setdefault(key, {})[greater] = why
    for board in boards:
        columns = sorted(board["columns"], key=lambda item: int(item["index"]))
        unwritten = _UnwrittenKeys(columns, tried, timed=timed)
        for column in columns:
            if "computation" in column:  # the platform computes it from other columns
                yield from _sorting(column, _of_computed(column, columns, best_ends))
            else:
                refused = list(unwritten.problems(column))
                yield from refused or _sorting(column, best_ends.get(column["key"], {}))


class _UnwrittenKeys:
    """Finds the columns of a leaderboard whose key the program does not write.

    Which metric a column is to show, only the organizer knows: one is named where no other is left.
    """

    def __init__(
        self, columns: Sequence[Item], tried: Sequence[RehearsalResult], *, timed: bool
    ) -> None:
        self.timed = timed
        self.in_a_field = any("rank" in done.scores for done in tried)
        self.anywhere = list(dict.fromkeys(key for done in tried for key in done.scores))
        always = set(self.anywhere)
        for done in tried:
            always &= done.scores.keys()
        self.everywhere = [key for key in self.anywhere if key in always]
        shown_keys = {column["key"] for column in columns}
        metrics = dict.fromkeys(name for done in tried for name in done.greater_is_better)
        free_metrics = [name for name in metrics if name not in shown_keys]
        unwritten = [
            column
            for column in columns
            if "computation" not in column and column["key"] not in self.anywhere
        ]
        is_pair = len(free_metrics) == len(unwritten) == 1
        self.only_metric = free_metrics[0] if is_pair else None

    def problems(self, column: Item) -> Iterator[str]:
        """Say what to write if the program does not write the column's key."""
        key = column["key"]
        primary = not column["index"]
        possible = self.everywhere if primary else self.anywhere
        if key in possible:
            return
        if not primary and key == _NO_LIMIT and self.in_a_field:
            return  # the sample solution's distance has no upper limit, others may have one
        if not primary and key == _DURATION and self.timed:
            return
        needed = " for every task, which the first column needs" if key in self.anywhere else ""
        line = "" if misspelt(key, possible) else self._line(key)
        remedy = line or nearest(key, possible)
        yield (
            f"leaderboards: the program does not write {key!r}{needed}; use one of "
            f"{listed(possible, _KEYS_SHOWN)}{remedy}"
        )

    def _line(self, key: str) -> str:
        """Return the lines that make the column and a metric agree."""
        if key in self.anywhere:
            return ""
        metric = self.only_metric
        if metric is None:
            return (
                ". Write the name of the metric that this column shows as its key; or keep its "
                f"key, and write 'metrics: [{{name: {key}, function: FUNCTION}}]' in {FILE_NAME}"
            )
        named = (
            f"'metrics: [{{name: {key}, function: {metric}}}]'"
            if _is_function(metric)
            else f"'name: {key}' for the metric {metric!r}"
        )
        return (
            f". If this column shows {metric!r}, write 'key: {metric}' in it; or keep its key, and "
            f"write {named} in {FILE_NAME}"
        )


def _is_function(metric: str) -> bool:
    """Whether settings may name a function by a metric's name, as of metrics that nobody named."""
    (spec,) = read_metrics(metric, {})
    return spec.function is not None and find(spec.function) is not None


def _sorting(column: Item, best: Best) -> Iterator[str]:
    place = f"leaderboards: {column['key']!r}: sorting:"
    if len(best) > 1:
        yield (
            f"{place} neither order fits, because {best[True]} in one task and {best[False]} in "
            "another; give one of the two metrics another 'name'"
        )
        return
    for greatest, why in best.items():
        right, wrong = ("desc", "smallest") if greatest else ("asc", "greatest")
        if column["sorting"] != right:
            yield (
                f"{place} is {column['sorting']}, which puts the {wrong} value on top; must be "
                f"{right}, because {why}"
            )


def _of_computed(column: Item, columns: Sequence[Item], best_ends: Mapping[str, Best]) -> Best:
    """Return the best end of a computed column if all columns that it is made from share one.

    Average, sum, minimum and maximum keep the direction.
    """
    indexes = column.get("computation_indexes", ())
    parts = [part for part in columns if part["index"] in indexes]
    if any("computation" in part for part in parts):
        return {}
    ends = {frozenset(best_ends.get(part["key"], {})) for part in parts}
    if len(ends) != 1 or len(end := ends.pop()) != 1:
        return {}
    made_of = listed(repr(part["key"]) for part in parts)
    right = "desc" if end == {True} else "asc"
    return dict.fromkeys(
        end, f"it is the {column['computation']} of {made_of}, which must be {right} too"
    )
