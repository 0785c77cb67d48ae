"""Runs a packed program on a packed submission in a temporary folder, as a platform would."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from ..alignment.source import read_input
from ..core.errors import OrganizerError
from ..pipeline import evaluate
from ..scoring.score_entries import score_entries

#: Seconds after which a rehearsal is stopped: the platforms' default.
_LONGEST = 600
#: Resamples where only the scores and the metrics matter.
_FEW = 100


@dataclass(frozen=True)
class RehearsalResult:
    """The scores of a rehearsal, and what only the organizer may know about the entries."""

    scores: Mapping[str, float]
    greater_is_better: Mapping[str, bool]  # metric → its direction
    unusable: tuple[str, ...]  # submissions that cannot be scored, each with the reason


def rehearse(program: bytes, reference: bytes, submission: bytes) -> RehearsalResult:
    """Run the packed program on a packed submission.

    Raises
    ------
    OrganizerError
        The run fails, or writes no scores or no page.
    """
    with tempfile.TemporaryDirectory(prefix="deadheat-") as folder:
        app = Path(folder) / "app"
        unpack(program, app / "program")
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
        scores, page = output / "scores.json", output / "detailed_results.html"
        if done.returncode or not scores.is_file() or not page.is_file():
            raise OrganizerError(
                "the packed program fails on the packed submission (exit status "
                f"{done.returncode}):\n{done.stderr.strip()}"
            )
        written: dict[str, float] = json.loads(scores.read_text(encoding="utf-8"))
        return _with_what_it_withholds(written, app / "input")


def _with_what_it_withholds(scores: Mapping[str, float], folder: Path) -> RehearsalResult:
    """Return the result with what the run neither writes nor logs, because participants read it."""
    competition, settings = read_input(folder, lambda loaded: replace(loaded, resamples=_FEW))
    scored, _ = score_entries(competition, settings)
    analyses = evaluate(competition, settings).findings.analyses
    return RehearsalResult(
        scores,
        {each.metric.name: each.metric.greater_is_better for each in analyses},
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


def command_of(program: Path, app: Path) -> list[str]:
    """Return the command in a program's metadata, with variables replaced as the worker does."""
    names = ("metadata.yaml", "metadata")
    metadata = next(program / name for name in names if (program / name).is_file())
    command = str(yaml.safe_load(metadata.read_text(encoding="utf-8"))["command"])
    for name in ("program", "input", "output"):
        command = command.replace(f"${name}", str(app / name))
    return command.split(" ")
