"""What the platforms hand to organizers and how CodaLab's worker unpacks, stated once more.

Codabench: ``download_many`` in src/apps/api/views/submissions.py, and ``bulk_download`` of the
submission manager, which packs the files in the browser; ``re_run`` of a submission. CodaLab:
``download_leaderboard_results`` in its views; ``get_bundle`` of its compute worker.
"""

from __future__ import annotations

import io
import re
import shutil
import warnings
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path


def zipped(members: Mapping[str, bytes] | Iterable[tuple[str, bytes]]) -> bytes:
    """Pack a zip archive, in which a name may stand twice."""
    stream = io.BytesIO()
    pairs = members.items() if isinstance(members, Mapping) else members
    with warnings.catch_warnings(), zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        warnings.filterwarnings("ignore", "Duplicate name", UserWarning)
        for name, content in pairs:
            archive.writestr(name, content)
    return stream.getvalue()


@dataclass(frozen=True)
class Submission:
    """A submission on Codabench, whose data were created when they were uploaded."""

    id: int
    owner: str
    phase: int
    created: datetime
    file: str
    content: bytes

    @property
    def name(self) -> str:
        """What the site calls it in a bulk download: minutes and seconds follow on the day."""
        moment = self.created.strftime("%Y-%m-%d:%M-%S")
        return f"{self.id}_{self.owner}_PhaseId{self.phase}_{moment}_{self.file}"

    def again(self, id: int) -> Submission:
        """Return what running it again adds: another submission of the same data."""
        return replace(self, id=id)


def bulk_download(submissions: Sequence[Submission], lost: Sequence[Submission] = ()) -> bytes:
    """Return bulk_submissions.zip; those that are ``lost`` could not be fetched."""
    members = {
        re.sub(r"[:/\\]", "_", submission.name): submission.content for submission in submissions
    }
    if lost:
        told = "\n".join(f"{submission.name} (HTTP 404)" for submission in lost)
        text = f"The following submissions failed to download:\n\n{told}"
        members["failed.txt"] = text.encode()
    return zipped(members)


@dataclass(frozen=True)
class Result:
    """A submission on CodaLab's leaderboard."""

    user: str
    number: int
    content: bytes
    team: str = ""


def results_download(results: Sequence[Result], *, detailed: bool = True) -> bytes:
    """Return CodaLab's ``{title}-{id}-results.zip``; the page's name stands in it repeatedly."""
    members: list[tuple[str, bytes]] = []
    if any(result.team for result in results):
        text = "".join(f"Team: {one.team}; members: x\n" for one in results if one.team)
        members.append(("team_names_and_members.txt", text.encode()))
    for result in results:
        whose = f"Team {result.team} " if result.team else result.user
        whose = f"{whose} - {result.number}"
        output = {"scores.txt": b"f1: 0.5\n", "metadata": b"exitCode: 0\n"}
        members += [
            (f"{whose} submission.zip", result.content),
            (f"{whose} output.zip", zipped(output)),
            (f"{whose} profile.txt", b"Organization: None\nTeam Name: None\n"),
            (f"{whose} method.txt", b"method_name: \nmethod_description: \n"),
        ]
        if detailed:
            members.append(("detailed_results.html", b"<html></html>"))
    return zipped(members)


def codalab_unpack(content: bytes, folder: Path) -> None:
    """Unpack as CodaLab's worker does: every archive at the top too, which stays beside it."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(folder)
    _move_up(folder)
    for path in folder.glob("*.zip"):
        with zipfile.ZipFile(path) as archive:
            archive.extractall(path.with_suffix(""))


def _move_up(folder: Path) -> None:
    """Put the first folder that holds a ``metadata`` in the place of everything."""
    names = [path.name for path in folder.iterdir()]
    if len(names) > 2 and "metadata" in names:
        return
    for path in folder.iterdir():
        if path.is_dir() and (path / "metadata").exists():
            aside = folder.with_name(f"{folder.name}_tmp")
            shutil.copytree(path, aside)
            shutil.rmtree(folder)
            shutil.move(aside, folder)
            return
