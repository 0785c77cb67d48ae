"""The command ``deadheat new``: a competition to start from."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ..core.errors import OrganizerError
from .boundary import EXIT_STATUSES, guarded, say
from .parser import Parser, one_of

#: What lies in a new competition, by the first part of its path.
_CONTENTS = {
    "competition.yaml": "titles, dates, leaderboard: what the platform shows",
    "pages": "what participants read",
    "ref": "the reference data, and the settings in scoring.yaml",
    "res": "what is scored here: your baselines, or tables of scores",
    "sample_solution": "a submission that participants may see",
    "starting_kit": "what participants download; the bundle adds the checker",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write a competition to start from and return the exit status."""
    from ..bundle import starter

    kinds = "\n".join(f"  {name:<10} {data}" for name, data in starter.kinds().items())
    parser = Parser(
        "new",
        "Write a small competition to start from: it can be scored and packed at once.",
        examples={
            "mine": "labels; then: cd mine, deadheat score . output",
            "mine --kind ranking": "queries with ranked documents",
        },
        epilog=f"kinds of data:\n{kinds}\n\n{EXIT_STATUSES}",
    )
    parser.path("folder", "DIR", "the folder to make")
    kind = f"the kind of data, see below (default: {starter.USUAL})"
    parser.value("--kind", "KIND", kind, type=one_of(starter.kinds()), default=starter.USUAL)
    parser.flag("--debug", "show tracebacks")
    options = parser.read(arguments)
    return guarded(lambda _: _new(options.folder, options.kind), debug=options.debug)


def _new(folder: Path, kind: str) -> None:
    from ..bundle import starter

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise OrganizerError(f"{folder}: exists and is not empty; name a new folder")
    files = starter.files(kind)
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Moved as a whole, so that nothing half-written is left behind.
    with tempfile.TemporaryDirectory(prefix=".deadheat-", dir=folder.parent) as made:
        for name, content in files.items():
            path = Path(made) / "new" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        folder.mkdir(exist_ok=True)
        for path in (Path(made) / "new").iterdir():
            shutil.move(path, folder / path.name)
    say(f"{folder}: a competition to start from, with {starter.kinds()[kind]}.")
    for name, what in _CONTENTS.items():
        if (folder / name).exists():
            say(f"  {name:<17} {what}")
    say("All of it is made up. Try it, then put your own files in their places:")
    if folder.resolve() != Path.cwd():
        say(f"  cd {folder}")
    say("  deadheat score . output")
    if "competition.yaml" in files:
        say("  deadheat bundle")
