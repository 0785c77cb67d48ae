"""Names of uploads: made visible, and read for whose they are (platforms' and organizers' ways)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from .table import composed

#: Codabench: {id}_{owner}_PhaseId{n}_{day}:{minute}-{second}_{file}, a colon replaced when it is
#: saved. The owner picks the file's name, so the first PhaseId is the platform's. With the prefix
#: res_ for downloads of results.
_CODABENCH = re.compile(
    r"""(?:res_)? (?P<run>\d+) _ (?P<team>.+?) _PhaseId(?P<phase>\d+)
        _ (?P<upload> (?P<day>\d{4}-\d\d-\d\d)? .*)""",
    re.DOTALL | re.VERBOSE,
)
#: CodaLab: "{user} - {n} submission" and "Team {team}  - {n} submission".
_CODALAB = re.compile(r"(?:Team (?=.*  - ))?(?P<team>.+?) +- (?P<run>\d+) submission", re.DOTALL)
#: What CodaLab's download puts beside every "{whose} submission.zip".
_BESIDE = re.compile(r"(?P<whose>.+ - \d+) (?:output|profile\.txt|method\.txt)", re.DOTALL)
#: What Kaggle gives to participants beside the test set: "sample_submission.csv".
_SAMPLE = re.compile(r"sample[ _-]?submission", re.IGNORECASE)
_UNSEEN_SPACES = re.compile(r"^ | $|(?<= ) ")


def printable(name: str) -> str:
    """Return a name in which every character can be seen: others become <U+202E> and the like.

    Accents are composed, as in cells. Control characters would act on terminals, bidirectional ones
    change what a line seems to say, invisible ones make two names look alike, and bytes that are no
    text cannot be written.
    """
    name = composed(name)
    if name.isprintable():
        return name
    return "".join(letter if letter.isprintable() else f"<U+{ord(letter):04X}>" for letter in name)


def with_spaces(team: str) -> str:
    """Return a team's name in which spaces that nobody sees are spelt out.

    At the ends and beside each other they make two names look alike on the page and in tables.
    """
    return _UNSEEN_SPACES.sub("<U+0020>", team)


@dataclass(frozen=True)
class Owner:
    """What the name of an upload says: whose it is and, in a platform's download, more.

    ``upload`` is the same for all runs of one upload (Codabench can run one again).
    """

    team: str
    run: str | None = None
    phase: int | None = None
    day: str = ""  # YYYY-MM-DD; the names do not hold the hour
    upload: str | None = None


def owner(name: str, pattern: str | None = None) -> Owner | None:
    """Return what a file or folder called ``name`` (without extension) says of its owner.

    ``pattern`` is the organizer's, such as ``{team}_run{run}``; without one the platforms' bulk
    downloads are recognised and any other name is a team's. None means that the pattern does not
    fit.
    """
    if pattern is not None:
        found = compiled(pattern).fullmatch(name)
        return Owner(found["team"], found.groupdict().get("run")) if found else None
    return uploaded(name) or Owner(name)


def uploaded(name: str) -> Owner | None:
    """Return what a name in a platform's bulk download says; None if it is no such name."""
    if found := _CODALAB.fullmatch(name):
        return Owner(found["team"], found["run"])
    return codabench(name)


def codabench(name: str) -> Owner | None:
    """Return what a name in Codabench's bulk download says; None if it is no such name."""
    found = _CODABENCH.fullmatch(name)
    if found is None:
        return None
    return Owner(
        found["team"], found["run"], int(found["phase"]), found["day"] or "", found["upload"]
    )


def beside_submission(name: str, siblings: Collection[str]) -> bool:
    """Whether CodaLab's download put a file or folder of this name beside a submission.

    ``siblings`` are the names in the same folder, those of archives without ".zip".
    """
    found = _BESIDE.fullmatch(name)
    return found is not None and f"{found['whose']} submission" in siblings


@lru_cache(maxsize=1)
def compiled(pattern: str) -> re.Pattern[str]:
    """Return the regular expression of a pattern; ValueError if it lacks or repeats ``{team}``."""
    if pattern.count("{team}") != 1 or pattern.count("{run}") > 1:
        raise ValueError("a pattern with one {team} and at most one {run}, such as {team}_run{run}")
    escaped = re.escape(pattern)
    escaped = escaped.replace(re.escape("{team}"), "(?P<team>.+)")
    return re.compile(escaped.replace(re.escape("{run}"), "(?P<run>.+?)"), re.DOTALL)


def task_of(stems: tuple[str, ...], tasks: Iterable[str]) -> tuple[str, tuple[str, ...]] | None:
    """Return the task that a path names and the path without it; None if it names none.

    The task is a whole part of the path (``TEAM/stance.csv``, ``stance/TEAM.csv``) or a word of the
    file's name (``TEAM_stance.csv``).
    """
    for task in tasks:
        for i, part in enumerate(stems):
            if part.casefold() == task.casefold():
                return task, (*stems[:i], *stems[i + 1 :])
    for task in sorted(tasks, key=len, reverse=True):
        word = re.compile(rf"(?:^|[ _.-]+){re.escape(task)}(?=$|[ _.-])", re.IGNORECASE)
        if word.search(stems[-1]):
            rest = word.sub("", stems[-1]).strip(" _.-")
            return task, (*stems[:-1], rest) if rest else stems[:-1]
    return None


def sample(path: Sequence[str]) -> int | None:
    """Return which part of a path says that it is a sample submission, None if none does."""
    return next((i for i, part in enumerate(path) if _SAMPLE.match(part)), None)


def natural(text: str) -> list[tuple[int, int | str]]:
    """Sort key in which run10 comes after run9."""
    return [
        (0, int(part)) if part.isdecimal() else (1, part)
        for part in re.split(r"(\d+)", text)
        if part
    ]
