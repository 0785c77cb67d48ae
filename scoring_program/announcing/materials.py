"""Writes everything for the announcement into a folder: all of it, or nothing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..api.reports import briefly
from ..core.catalogs import languages
from ..core.errors import OrganizerError, nearest
from ..report.results_json import read_document
from ..report.write import write
from .checklist import checklist
from .letters import letters
from .post import post
from .record import AnnouncedResults
from .rules import rules
from .slide import slide
from .widget import widget

#: What an announcement leaves in its folder, which the next one replaces.
OUTPUTS = (
    "letters", "rules.md", "widget.html", "post.txt", "slide.svg", "checklist.md",
)  # fmt: skip


@briefly
def announce(
    output: str | Path, folder: str | Path, language: str | None = None
) -> tuple[Path, ...]:
    """Write what an organizer needs to announce the results of a run, and return the files.

    These are a checklist for the evening before, a slide, a post, a letter to every team, a widget
    for a web page, and a text for the rules of the next competition. Only results.json is read.

    Parameters
    ----------
    output : str or Path
        The folder of a run, or its results.json.
    folder : str or Path
        Where to write. It must not lie inside the folder of the run, which the next run replaces.
    language : str, optional
        "en", "es" or "pt"; by default the language of the results.

    Raises
    ------
    OrganizerError
        The results cannot be read, are those of a single submission, or are of an earlier version;
        or the folder lies inside that of the run, or cannot be written.
    """
    source = Path(output)
    target = Path(folder)
    _refuse_inside(source, target)
    if language is not None and language not in languages():
        raise OrganizerError(f"language: there is no {language!r}{nearest(language, languages())}")
    view = read_announced(source, language)
    contents = files(view)
    write(target, contents, OUTPUTS)
    return tuple(target / name for name in contents)


def read_announced(path: Path, language: str | None = None) -> AnnouncedResults:
    """Return what results.json, or that in the folder of a run, lets an organizer announce.

    Raises
    ------
    OrganizerError
        It cannot be read, is of a single submission, or of an earlier version.
    """
    document = read_document(path)
    _refuse_unfit(path, document)
    return AnnouncedResults(document, language)


def files(view: AnnouncedResults) -> dict[str, str]:
    """Return path below the folder → content."""
    texts = {
        "checklist.md": checklist(view),
        "slide.svg": slide(view),
        "post.txt": post(view),
        "widget.html": widget(view),
        "rules.md": rules(view),
    }
    return {**texts, **{f"letters/{name}": text for name, text in letters(view).items()}}


def _refuse_inside(source: Path, target: Path) -> None:
    """Raise OrganizerError if the announcement would lie in the folder of the run."""
    run = (source.parent if source.is_file() else source).resolve()
    inside = target.resolve()
    if inside == run or run in inside.parents:
        raise OrganizerError(
            f"{target}: this lies inside {run}, the folder of the results, which the next run "
            "replaces and which may be published as it is; choose another folder"
        )


def _refuse_unfit(path: Path, document: Mapping[str, Any]) -> None:
    """Raise OrganizerError if the results are not those of all teams, or lack what is announced."""
    if document["form"] != "teams":
        raise OrganizerError(
            f"{path}: these are the results of a single submission, so there is nothing to "
            "announce; score the submissions of all teams, and name the folder of those results"
        )
    has_teams = "keys" in document and all(
        "team" in row for row in document["metrics"][0]["entries"]
    )
    if not has_teams or "verdict" not in document["metrics"][0]:
        raise OrganizerError(
            f"{path}: an earlier version of the program wrote these results, and they do not say "
            "who is whose; score the competition again"
        )
