"""The command ``deadheat new``: a competition to start from, of the templates in ``templates/new``.

A kind of data is a folder in ``kinds``: made-up data, settings, and ``kind.yaml`` with the words
and the leaderboard's columns. Its ``frame`` is the folder of what the competition has besides:
pages, competition.yaml and, for participants, a starting kit. A kind without one is for no
platform.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from ..bundle.archive import tree
from ..core.errors import OrganizerError
from ..core.templates import environment_of_texts, templates_folder
from .boundary import EXIT_STATUSES, Parser, guarded, one_of, say

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
    described = "\n".join(f"  {name:<10} {data}" for name, data in kinds().items())
    parser = Parser(
        "new",
        "Write a small competition to start from: it can be scored and packed at once.",
        examples={
            "mine": "labels; then: cd mine, deadheat score . output",
            "mine --kind ranking": "queries with ranked documents",
        },
        epilog=f"kinds of data:\n{described}\n\n{EXIT_STATUSES}",
    )
    parser.path("folder", "DIR", "the folder to make")
    kind = f"the kind of data, see below (default: {USUAL})"
    parser.value("--kind", "KIND", kind, type=one_of(kinds()), default=USUAL)
    parser.flag("--debug", "show tracebacks")
    options = parser.read(arguments)
    return guarded(lambda _: _new(options.folder, options.kind), debug=options.debug)


def _new(folder: Path, kind: str) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise OrganizerError(f"{folder}: exists and is not empty; name a new folder")
    content_of = files(kind)
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Moved as a whole, so that nothing half-written is left behind.
    with tempfile.TemporaryDirectory(prefix=".deadheat-", dir=folder.parent) as temporary:
        for name, content in content_of.items():
            path = Path(temporary) / "new" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        folder.mkdir(exist_ok=True)
        for path in (Path(temporary) / "new").iterdir():
            shutil.move(path, folder / path.name)
    say(f"{folder}: a competition to start from, with {kinds()[kind]}.")
    for name, what in _CONTENTS.items():
        if (folder / name).exists():
            say(f"  {name:<17} {what}")
    say("All of it is made up. Try it, then put your own files in their places:")
    if folder.resolve() != Path.cwd():
        say(f"  cd {folder}")
    say("  deadheat score . output")
    if "competition.yaml" in content_of:
        say("  deadheat bundle")


# The templates ------------------------------------------------------------------------------------


#: The folder in which `bundle.rehearsal` and the pages find what a participant may send.
SAMPLE = "sample_solution"
#: The kind that most competitions are of.
USUAL = "rows"
_ABOUT = "kind.yaml"
_TEMPLATE = ".j2"
#: Columns beside the metrics' own, by frame: (key, title, sorting).
_FURTHER = {
    "participants": [
        ("tied_with_leader", "Possible winner", "desc"),
        ("rank", "Rank in the field", "asc"),
    ],
    "organizers": [("n_tied_with_leader", "Possible winners besides the leader", "asc")],
}


def folder() -> Path:
    """Return the folder of these templates; bundles do not carry it."""
    return templates_folder() / "new"


@cache
def kinds() -> Mapping[str, str]:
    """Return name → what its data are, for every kind that a competition can start from."""
    names = sorted(path.parent.name for path in folder().glob(f"kinds/*/{_ABOUT}"))
    return {name: str(_about(name)["data"]) for name in names}


def files(kind: str) -> dict[str, bytes]:
    """Return a competition of a kind, as path → content; it scores and bundles as it is."""
    about = _about(kind)
    of_kind = tree(folder() / "kinds" / kind)
    del of_kind[_ABOUT]
    if "frame" not in about:  # for the organizer's own machine
        return of_kind
    frame = tree(folder() / "common") | tree(folder() / about["frame"]) | of_kind
    sample = next((name for name in of_kind if name.startswith(f"{SAMPLE}/")), "")
    predictions = sample.removeprefix(f"{SAMPLE}/")
    words = {"predictions": predictions, "columns": list(_columns(about)), **about}
    contents = {}
    for name, content in frame.items():
        is_template = name.endswith(_TEMPLATE)
        contents[name.removesuffix(_TEMPLATE)] = _filled(content, words) if is_template else content
    return contents


def _about(kind: str) -> dict[str, Any]:
    text = (folder() / "kinds" / kind / _ABOUT).read_text(encoding="utf-8")
    about: dict[str, Any] = yaml.safe_load(text)
    return about


def _columns(about: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the leaderboard's columns: the ranking metric, who is tied, the intervals, the rest."""
    further = [
        {"key": key, "title": title, "sorting": sorting, "precision": 0}
        for key, title, sorting in _FURTHER[about["frame"]]
    ]
    for place, metric in enumerate(about["metrics"]):
        sorting = "desc" if metric["greater_is_better"] else "asc"
        display = {"sorting": sorting, "precision": metric["precision"]}
        yield {"key": metric["key"], "title": metric["title"], **display}
        if place:
            continue
        # The first one ranks, and has an interval.
        yield further.pop(0)
        for end, word in (("low", "from"), ("high", "to")):
            title = f"{metric['title']} {word}"
            yield {"key": f"{metric['key']}_ci_{end}", "title": title, **display}
    yield from further


def _filled(template: bytes, words: Mapping[str, Any]) -> bytes:
    return environment_of_texts().from_string(template.decode()).render(words).encode()
