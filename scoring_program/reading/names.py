"""Names of uploads: made printable, parsed for team, run and phase, ignored, not read, look alike.

Names look alike in most fonts by Unicode's table of confusable characters (UTS #39). Names that are
the same but for what nobody reads are worse: `same_when_read` finds them.
"""

from __future__ import annotations

import itertools
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

from ..core.cells import grouped
from ..core.legible import visible
from ..core.phrases import Phrase, joined
from ..recognize.file_names import without_word_of_predictions
from .formats import offered_extensions
from .table import compose_accents

#: Codabench: {id}_{owner}_PhaseId{n}_{day}:{minute}-{second}_{file}. Saving the file
#: replaces the colon. Owners have at most 15 of these letters on the public site, so the first
#: date is the platform's: the owner picks the file's name. Downloads of results have the prefix
#: res_.
_CODABENCH = re.compile(
    r"""(?:res_)? (?P<run>\d+) _ (?P<team>.+?) _PhaseId(?P<phase>\d+)
        _ (?P<upload> (?P<day>\d{4}-\d\d-\d\d) (?: \D | %3A )? \d\d-\d\d _ .+)""",
    re.DOTALL | re.VERBOSE,
)
#: CodaLab: "{user} - {n} submission" and "Team {team}  - {n} submission". Users have no spaces in
#: their names. Some programs join the spaces; a third one is the end of a team's name.
_CODALAB_USER = re.compile(r"(?P<team>[\w.@+\u0300-\u036F-]+) - (?P<run>\d+) submission")
_CODALAB_TEAM = re.compile(r"Team (?P<team>.+?) {1,2}- (?P<run>\d+) submission", re.DOTALL)
#: The files that CodaLab's download adds to every "{whose} submission.zip".
_ACCOMPANYING = re.compile(r"(?P<whose>.+ - \d+) (?:output|profile\.txt|method\.txt)", re.DOTALL)
#: The name of the example that Kaggle gives to participants: "sample_submission.csv".
_SAMPLE = re.compile(r"sample[ _-]?submissions?(?:[ _-]?\(?\d+\)?)?", re.IGNORECASE)
_UNSEEN_SPACES = re.compile(r"^ | $|(?<= ) ")
#: Looks like a character that `visible` has spelled out, and is none.
_LIKE_CODE = re.compile(r"<(?=U\+[0-9A-F]{4,6}>)")


def printable(name: str) -> str:
    """Return a name in which every character is visible. Accents are composed, as in cells."""
    return visible(compose_accents(name))


def exact(name: str) -> str:
    """Return a name in which every character is visible. Two names that differ still differ."""
    return visible(_LIKE_CODE.sub("<U+003C>", name))


def shown(owners_of_uploads: Collection[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Return what the owners of uploads are called: (space, exact name) → a name of its own.

    Accents are composed, so that a name looks as its owner wrote it on any system. Where names then
    are the same, the one that is written so keeps the name; the letters of the others are spelled
    out. So are spaces that do not show; those at the ends are left out if no other name differs
    in them alone.
    """
    in_order = sorted(set(owners_of_uploads))  # those that the organizer gave come first
    alike = grouped((compose_accents(name), (space, name)) for space, name in in_order)
    trimmed = Counter(usual.strip(" ") for usual in alike)
    names: dict[tuple[str, str], str] = {}
    for usual, owners in alike.items():
        for space, name in owners:
            is_other = name != usual and len({name for _, name in owners}) > 1
            spelled = (c if c.isascii() else f"<U+{ord(c):04X}>" for c in name)
            called = "".join(spelled) if is_other else usual
            if trimmed[bare := usual.strip(" ")] == 1 and bare:
                called = called.strip(" ")
            called = _UNSEEN_SPACES.sub("<U+0020>", called)
            spaces = {owner[0] for owner in owners if owner[1] == name}
            names[space, name] = f"{called} ({space})" if space and len(spaces) > 1 else called
    taken: set[str] = set()
    for owner in sorted(names, key=lambda owner: (owner[0] != "", owner)):
        while names[owner] in taken:
            names[owner] += "*"
        taken.add(names[owner])
    return names


@dataclass(frozen=True)
class Owner:
    """What the name of an upload says: the team and, in a platform's download, more.

    ``upload`` is the same for all runs of one upload: Codabench can run an upload again. Teams of
    one name are different if they come from different name ``space``s.
    """

    team: str
    run: str | None = None
    phase: int | None = None
    day: str = ""  # YYYY-MM-DD; the names do not contain the hour
    upload: str | None = None
    space: str = ""  # "CodaLab team" and the like; empty for a name that the organizer gave

    @property
    def key(self) -> tuple[str, str]:
        """Whose an upload is. Names that differ in any character are of different teams."""
        return self.space, self.team

    @property
    def runs(self) -> tuple[str, ...]:
        """The run that the name of the upload states, if any."""
        return () if self.run is None else (self.run,)


def parse_owner(name: str, pattern: str | None = None) -> Owner | None:
    """Return the owner that the name of a file or folder (without extension) states.

    ``pattern`` is the organizer's, such as ``{team}_run{run}``. Without a pattern, the names of the
    platforms' bulk downloads are recognized, and any other name is a team's. None means that the
    name does not follow the pattern.
    """
    if pattern is not None:
        match = compile_pattern(pattern).fullmatch(name)
        return Owner(match["team"], match.groupdict().get("run")) if match else None
    return parse_platform_name(name) or Owner(name)


def parse_platform_name(name: str) -> Owner | None:
    """Parse a name in a platform's bulk download; None if it is not such a name."""
    for pattern, space in ((_CODALAB_TEAM, "CodaLab team"), (_CODALAB_USER, "CodaLab user")):
        if match := pattern.fullmatch(name):
            return Owner(match["team"], match["run"], space=space)
    return parse_codabench_name(name)


def parse_codabench_name(name: str) -> Owner | None:
    """Parse a name in Codabench's bulk download; None if it is not such a name."""
    if (match := _CODABENCH.fullmatch(name)) is None:
        return None
    team, run, phase, day, upload = match.group("team", "run", "phase", "day", "upload")
    return Owner(team, run, int(phase), day, upload, "Codabench user")


def accompanies_submission(name: str, siblings: Collection[str]) -> bool:
    """Whether CodaLab's download added a file or folder of this name to a submission.

    ``siblings`` are the names in the same folder. Archives are listed without ".zip".
    """
    match = _ACCOMPANYING.fullmatch(name)
    return match is not None and f"{match['whose']} submission" in siblings


@lru_cache(maxsize=1)
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Return the regular expression of a pattern.

    Raises ValueError if the pattern lacks ``{team}``, or repeats ``{team}`` or ``{run}``.
    """
    if pattern.count("{team}") != 1 or pattern.count("{run}") > 1:
        raise ValueError("a pattern with one {team} and at most one {run}, such as {team}_run{run}")
    escaped = re.escape(pattern)
    escaped = escaped.replace(re.escape("{team}"), "(?P<team>.+)")
    return re.compile(escaped.replace(re.escape("{run}"), "(?P<run>.+?)"), re.DOTALL)


def split_task(stems: tuple[str, ...], tasks: Iterable[str]) -> tuple[str, tuple[str, ...]] | None:
    """Return the task that a path names, and the path without it; None if it names no task.

    The task is a whole part of the path (``TEAM/stance.csv``, ``stance/TEAM.csv``) or a word of the
    file's name (``TEAM_stance.csv``). The parts may be `exact`: accents make no other task.
    """
    for task in tasks:
        for i, part in enumerate(stems):
            if compose_accents(part).casefold() == task.casefold():
                return task, (*stems[:i], *stems[i + 1 :])
    for task in sorted(tasks, key=len, reverse=True):
        word = re.compile(rf"(?:^|[ _.-]+){re.escape(task)}(?=$|[ _.-])", re.IGNORECASE)
        last = stems[-1] if word.search(stems[-1]) else compose_accents(stems[-1])
        if word.search(last):
            name = without_word_of_predictions(word.sub("", last)).strip(" _.-")
            return task, (*stems[:-1], name) if name else stems[:-1]
    return None


def shared_depth(
    paths: Collection[Sequence[Any]],
    depth: int = 0,
    stops: Callable[[Any], object] = lambda part: False,
) -> int:
    """Return the depth from which on paths differ or end, or a part ``stops``; ``depth`` at least.

    With all paths in one folder, that is how many folders wrap them.
    """
    while (
        all(len(path) > depth + 1 for path in paths)
        and len(parts := {path[depth] for path in paths}) == 1
        and not stops(*parts)
    ):
        depth += 1
    return depth


def is_sample(path: Sequence[str]) -> bool:
    """Whether a file is called a sample submission. Folders may be called so, too, or be teams'."""
    return _SAMPLE.fullmatch(path[-1]) is not None


def natural_key(text: str) -> list[tuple[int, int | str]]:
    """Return a sort key that puts run10 after run9."""
    parts = filter(None, re.split(r"(\d+)", text))
    return [(0, int(part)) if part.isdecimal() else (1, part) for part in parts]


_ISO_DATE = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")


def are_in_time(runs: Sequence[str]) -> bool:
    """Whether names of runs say their order: they differ in one number, or hold ISO dates."""
    places = [{*parts} for parts in itertools.zip_longest(*map(natural_key, runs))]
    differ = [parts for parts in places if len(parts) > 1]
    if len(differ) == 1 and all(part is not None and part[0] == 0 for part in differ[0]):
        return True
    dates = map(_ISO_DATE.search, runs)
    shapes = {
        (run[: date.start()], re.sub(r"\d", "0", run[date.start() :])) if date else None
        for run, date in zip(runs, dates, strict=True)
    }
    return len(shapes) == 1 and None not in shapes


# Ignored names ------------------------------------------------------------------------------------


# What is said of files is never said of folders and archives, because these may be named for teams:
# "License to Kill", "metadata" and ".NET team" compete.
#: Folders of systems and tools. Other hidden folders may be teams'.
_FOLDERS = re.compile(
    r"""__MACOSX | __pycache__ | \$RECYCLE\.BIN | System\ Volume\ Information | node_modules
    | \.(?: git | hg | svn | github | idea | vscode | ipynb_checkpoints | venv | env | tox | cache
          | config | [a-z]+_cache | Trash.* | Trashes | Spotlight-V100 | fseventsd
          | TemporaryItems | AppleDouble | Rproj\.user )""",
    re.VERBOSE | re.IGNORECASE,
)
_FILES = re.compile(
    r"""\..* | ~\$.* | Thumbs\.db | desktop\.ini | .*\.py[co]
    | metadata(?:\.(?:yaml|txt))? | detailed_results\.html | team_names_and_members\.txt
    | (?: README | LICEN[CS]E | COPYING )
      (?: [-_.](?! csv | tsv | np[yz] | gz | zip )[a-z]{2,3} )? (?: [ ]?\(?\d+\)? )?
      (?: \.(?: md | markdown | rst | txt | html? | pdf | docx? | rtf | tex ) )?
    | requirements [-_.\w]* \.txt""",
    re.VERBOSE | re.IGNORECASE,
)
#: Copies that systems and editors keep of a file, whatever its extension: ._A.zip, .~lock.A.csv#,
#: ~$A.csv.
_SHADOWS = re.compile(r"\.[_~#].*|~\$.*")


def ignored_folder(name: str) -> bool:
    """Whether a folder of this name never holds a submission."""
    return _FOLDERS.fullmatch(name) is not None


def ignored_file(name: str, *, may_be_team: bool = False) -> bool:
    """Whether a file of this name is never read.

    ``may_be_team``: the name may be a team's, as that of an archive, or of a file at the top.
    """
    return (_SHADOWS if may_be_team else _FILES).fullmatch(name) is not None


def ignored_member(path: str) -> bool:
    """Whether a file in an archive is never read; ``path`` has slashes."""
    *folders, name = path.split("/")
    may_be_team = name.lower().endswith(".zip")
    return any(map(ignored_folder, folders)) or ignored_file(name, may_be_team=may_be_team)


# Unread names -------------------------------------------------------------------------------------


# What people send instead of predictions and beside them, by extension, and what to send.
_ARCHIVES = frozenset(
    (".rar", ".7z", ".tar", ".tgz", ".tbz2", ".txz", ".gz", ".bz2", ".xz", ".zst")
)
_SPREADSHEETS = frozenset((".xlsx", ".xls", ".xlsm", ".ods", ".numbers"))
_TABLES = frozenset((".mat", ".rds"))
_CODE = frozenset(
    (".py", ".ipynb", ".r", ".rmd", ".jl", ".java", ".c", ".cc", ".cpp", ".h", ".js", ".ts", ".sh",
     ".bat", ".ps1", ".m", ".go", ".rs", ".rb", ".pl", ".scala", ".sql", ".yaml", ".yml", ".toml",
     ".ini", ".cfg", ".css")
)  # fmt: skip
_MODELS = frozenset(
    (".pkl", ".pickle", ".joblib", ".pt", ".pth", ".h5", ".keras", ".ckpt", ".safetensors",
     ".onnx", ".bin", ".model")
)  # fmt: skip
_DOCUMENTS = frozenset(
    (".pdf", ".doc", ".docx", ".odt", ".rtf", ".ppt", ".pptx", ".odp", ".key", ".md", ".html",
     ".htm", ".tex", ".bib", ".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp",
     ".svg", ".eps", ".ico", ".mp3", ".mp4", ".wav", ".webm")
)  # fmt: skip
_REMEDIES = {
    _ARCHIVES: Phrase(
        "the only archives that can be read are .zip files: send a .zip, or the file itself"
    ),
    _SPREADSHEETS: Phrase("a spreadsheet cannot be read: save the sheet as CSV"),
    _TABLES: Phrase("save the predictions as CSV"),
    _CODE: Phrase("this is program code: run it, and send the predictions that it writes"),
    _MODELS: Phrase(
        "a model cannot be scored: send the predictions that it makes for the test set"
    ),
    _DOCUMENTS: Phrase("a document cannot be scored: send the predictions"),
}
#: Files at the top that may hold a team's predictions, but cannot be read.
UNREAD = _ARCHIVES | _SPREADSHEETS | _TABLES | _MODELS
_CHECKSUMS = frozenset((".md5", ".sha1", ".sha256", ".sig", ".asc"))
#: Names that editors and version control give to the last version of a file.
LAST_VERSION = re.compile(r".*(~|\.(bak|backup|old|orig|save|swp|tmp))|#.*#", re.IGNORECASE)


def is_companion(name: str) -> bool:
    """Whether a file of this name lies beside submissions and is none: a copy, a picture, code."""
    is_other_kind = PurePosixPath(name).suffix.lower() in _CODE | _DOCUMENTS | _CHECKSUMS
    return is_other_kind or LAST_VERSION.fullmatch(name) is not None


def remedy(unread: Iterable[PurePosixPath]) -> Phrase:
    """Return which files can be read, and what to do instead of sending these, for a message."""
    extensions = {path.suffix.lower() for path in unread}
    remedies = [text for kinds, text in _REMEDIES.items() if extensions & kinds]
    expected = Phrase("expected one of {extensions}", extensions=", ".join(offered_extensions()))
    return joined([expected, *remedies], "; ")


# Names that look alike ----------------------------------------------------------------------------


#: File beside this one that holds `prototypes`, which whoever packs the program adds: the package
#: that they come from is ten times as large.
PROTOTYPES = "prototypes.json"
#: How `visible` spells out a character.
_SPELLED_OUT = re.compile(r"<U\+([0-9A-F]{4,6})>")
#: What is added to a name to tell whose it is.
_ADDED = re.compile(r"(?: \((?:codalab user|codalab team|codabench user)\))?\**$")


def same_when_read(names: Iterable[str]) -> list[tuple[str, ...]]:
    """Return the groups of names that differ only in case, spaces, accents' encoding and the like.

    One of them may be another team's, whose author would like to be taken for the first.
    """
    groups = grouped((_read(name), name) for name in dict.fromkeys(names))
    return [tuple(alike) for alike in groups.values() if len(alike) > 1]


def _read(name: str) -> str:
    """Return what a hasty reader sees of a name."""
    written = _SPELLED_OUT.sub(lambda code: chr(int(code[1], 16)), name)
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", written).casefold())
    bare = _ADDED.sub("", folded)
    hidden = ("Cc", "Cf", "Cs", "Co")
    visible = (c for c in bare if not c.isspace() and unicodedata.category(c) not in hidden)
    return "".join(visible) or folded


def lookalikes(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the groups of names that look alike, in the order of the names.

    Names of ASCII letters alone are not compared with each other: people tell O from 0.
    """
    if all(map(str.isascii, names)):
        return []
    packed = Path(__file__).with_name(PROTOTYPES)
    look_of = json.loads(packed.read_text(encoding="utf-8")) if packed.is_file() else prototypes()
    groups = grouped((_skeleton(name, look_of), name) for name in names).values()
    return [(*group,) for group in groups if len(group) > 1 and not all(map(str.isascii, group))]


def _skeleton(name: str, look_of: Mapping[str, str]) -> str:
    """Return what all names that look like a name have in common."""
    decomposed = unicodedata.normalize("NFKD", name)
    return unicodedata.normalize("NFKD", "".join(look_of.get(item, item) for item in decomposed))


def prototypes() -> dict[str, str]:
    """Return letter → the first of all letters that look like it, of letters that NFKD keeps.

    The table of the package confusable-homoglyphs gives the prototype of a letter and, of a
    prototype, all letters that look like it.
    """
    from confusable_homoglyphs.confusables import confusables_data as table

    first_of_letter = {}
    for letter in table:
        if len(letter) > 1 or not unicodedata.is_normalized("NFKD", letter):
            continue
        alike = [item["c"] for item in table[letter]]
        if len(alike) == 1:
            alike += [item["c"] for item in table.get(alike[0], ())]
        first_of_letter[letter] = min((letter, *alike))
    return {letter: first for letter, first in first_of_letter.items() if first != letter}
