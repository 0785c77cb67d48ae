"""Packs the scoring program for an image: this package, an entry point, and missing packages.

A lock file in ``locks`` names the one wheel of each package that bundles for an image carry, by its
hash. Its lines are pip's requirements; those after ``# [EXTRA]`` are for competitions whose metrics
need this extra of the package. `python -m tests.bundle.relock` writes them. The versions that
bundles carry are pinned there and nowhere else.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from ..core.errors import OrganizerError, SettingsError, listed, nearest
from ..core.templates import COMPILED, compiled, templates_folder
from ..metrics.registry import find
from ..reading.formats import KINDS, kind_of
from ..reading.names import PROTOTYPES, prototypes
from ..reading.reference import find_reference
from ..settings import loading
from ..settings.checks import read_metrics
from .archive import blanked, bytecode, tree
from .defaults import DEADHEAT_KEY
from .description import PYTHONS, Description, Item
from .interpreter import THIS_PYTHON, interpreter

#: Folder of the program that holds the carried packages.
CARRIED = "carried"
ENTRY = "score.py"
#: Both platforms read it, Codabench from metadata.yaml first, and run the command without a shell.
METADATA = f"command: python3 $program/{ENTRY} $input $output\n"

#: Parts of the package that run only on the organizer's machine. No known image has pyarrow.
_ORGANIZER_ONLY = re.compile(
    r"(announcing/|audit/|bundle/|(commands/)?compare\.py$|"
    r"commands/(announce|audit|bundle|main|new|read)\.py$|"
    r"api/(arguments|how_read|record_view)\.py$|reading/formats/arrow_files\.py$|"
    r"report/comparison\.py$|"
    r"data/(freezing_readings|from_arrays|inputs|part_files|parquet_source|tool_frames)\.py$|"
    r"settings/freezing\.py$|templates/)"
)
#: Of the templates: those of announcements, the competitions to start from, schemas for editors,
#: the script, which platforms' pages lack, and where programs begin.
_NOT_CARRIED = re.compile(
    r"/templates/(announcing/|new/|schemas/|interactive\.js$|(entry|check)\.txt$)"
)
#: Modules whose bytecode is packed: those that every run loads, but for folders that also hold much
#: that few runs need, and some that are soon compiled. More would not fit into a bundle of 2 MB.
_READY = re.compile(
    r"scoring_program/(?!"
    r".*\b(api|families|figures|formats|kinds|score_tables|sections|settings|tables_of_scores)/|"
    r".*\b(__\w+__|bounds|cautions|check|combined|companions|contenders|contradictions|diagnostics|"
    r"distributions|doubtful_golds|downloads|executor|filled_readings|format_check|gold_headers|"
    r"latex|log_tools|logs|meanings|mean_ranks|overall|overall_units|parts_rule|plain_files|pool|"
    r"quick_reader|results_form|scores_alone|sent_columns|shortening|slice_evidence|sums_of_lines|"
    r"texts_rule)\.py$).*\.py$"
)
#: Parts of wheels that no program imports. What is left can be checked by the wheels' RECORD.
_UNUSED = re.compile(
    r"(^|/)(tests?|sandbox/tests)/|\.data/|\.(pyx|pxd|c|h)$|^jinja2/(ext|meta|nativetypes|sandbox)\.py$"
)
_LOCKS = Path(__file__).with_name("locks")
#: A line of a lock file that names a package, and one that begins an extra.
_PINNED = re.compile(r"([a-z0-9-]+)==(\S+) --hash=sha256:([0-9a-f]{64})")
_EXTRA = re.compile(r"# \[([a-z]+)\]")
#: What organizers' metrics may import: pandas, which the known image holds.
_FRAMES = "frames"
#: What the images' C libraries can load, for pip.
_PLATFORMS = ("manylinux2014_x86_64", "manylinux_2_27_x86_64", "manylinux_2_28_x86_64")


class Locked(NamedTuple):
    """A package in one version, and the SHA-256 of its wheel."""

    name: str
    version: str
    sha256: str

    @property
    def requirement(self) -> str:
        """The package as pip is asked for it."""
        return f"{self.name}=={self.version}"

    @property
    def line(self) -> str:
        """The line of the lock file."""
        return f"{self.requirement} --hash=sha256:{self.sha256}"


@dataclass(frozen=True)
class Image:
    """A platform's image: its Python, what bundles for it carry, and whose packages win.

    Of an image that ``holds_nothing``, a bundle carries everything, and its own packages win:
    packages of two origins need not fit each other.
    """

    python: str
    lock: Path
    holds_nothing: bool = False

    @property
    def runs_here(self) -> bool:
        """Whether this machine can run what a bundle for the image carries."""
        here = THIS_PYTHON, platform.system(), platform.machine()
        return not self.holds_nothing or here == (self.python, "Linux", "x86_64")


IMAGES = {
    # Holds numpy 1.26.4, scipy 1.11.4, scikit-learn 1.5.1, pandas 2.2.3 and PyYAML 6.0.2.
    "codalab/codalab-legacy:py312": Image("3.12", _LOCKS / "codalab-legacy-py312.txt")
}
#: Images of organizers, of which only the Python is known.
OWN_IMAGES = {python: Image(python, _LOCKS / f"python-{python}.txt", True) for python in PYTHONS}


def image_of(document: Item) -> Image:
    """Return what is known about the image of a competition.yaml.

    Raises
    ------
    SettingsError
        It is not known which packages the image holds.
    """
    if stated := document.get(DEADHEAT_KEY):
        return OWN_IMAGES[stated["python"]]
    name = document["docker_image"]
    if name not in IMAGES:
        raise SettingsError(
            f"competition.yaml: docker_image: the packages of {name!r} are not known"
            f"{nearest(name, IMAGES)}; choose a known image: {', '.join(IMAGES)}; or say which "
            f"Python yours has, and the bundle carries all packages: add a line '{DEADHEAT_KEY}: "
            f'{{python: "3.12", image_holds: nothing}}\''
        )
    return IMAGES[name]


def needed_extras(competition: Description) -> tuple[str, ...]:
    """Return the sections of lock files that the metrics of all tasks need, sorted."""
    functions = {
        name for task in competition.document["tasks"] for name in _functions(competition, task)
    }
    definitions = (find(name) for name in functions)
    counted = (definition.statistics for definition in definitions if definition is not None)
    needed = {
        statistics.extra for statistics in counted if statistics is not None and statistics.extra
    }
    if any(".py:" in name for name in functions):
        needed.add(_FRAMES)
    return tuple(sorted(needed))


def _functions(competition: Description, task: Item) -> Iterator[str]:
    """Yield the functions that a task's settings name, or those of its kind of data."""
    if metrics := competition.all_settings(task).get("metrics"):
        yield from (str(spec.function) for spec in read_metrics(metrics, {}))
        return
    reference = find_reference(competition.reference(task), loading.FILE_NAME)
    for file in reference.gold.values():
        if (kind := kind_of(file.read(), str(file.path))) in KINDS:
            yield from KINDS[kind].metrics


def files(
    image: Image,
    folder: Path | None = None,
    extras: Collection[str] = (),
    languages: Collection[str] = (),
) -> dict[str, bytes]:
    """Return the program's files; ``folder`` holds the carried packages' wheels.

    ``extras`` names the extras of this package, and ``languages`` the catalogs, that the settings
    need.

    Raises
    ------
    OrganizerError
        A wheel is not the one that was tested, or it is missing and cannot be downloaded.
    """
    package = Path(__file__).parents[1]
    contents = {
        f"scoring_program/{name}": blanked(content) if name.endswith(".py") else content
        for name, content in tree(package).items()
        if not _ORGANIZER_ONLY.match(name)
    }
    templates = tree(templates_folder(), "scoring_program/templates")
    contents |= {
        name: text
        for name, text in templates.items()
        if not _NOT_CARRIED.search(name)
        and (not name.endswith(".po") or PurePosixPath(name).stem in languages)
    }
    # The table of letters that look alike, with the license of what it is made from.
    license_text = distribution("confusable-homoglyphs").read_text("LICENSE") or ""
    table = json.dumps(prototypes(), ensure_ascii=False)
    for name, text in ((PROTOTYPES, table), (f"{PROTOTYPES}.LICENSE", license_text)):
        contents[f"scoring_program/reading/{name}"] = text.encode()
    folder_of_templates = f"scoring_program/templates/{COMPILED}"
    contents |= {f"{folder_of_templates}/{name}": text for name, text in compiled().items()}
    if python := interpreter(image.python):
        ready = {name: contents[name] for name in filter(_READY.match, contents)}
        contents |= bytecode(ready, python)
    contents |= {"metadata": METADATA.encode(), "metadata.yaml": METADATA.encode()}
    contents[ENTRY] = _entry(image).encode()
    for wheel in wheels(carried(image, extras), image, folder or cache()):
        with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
            for name in archive.namelist():
                if not name.endswith("/") and not _UNUSED.search(name):
                    contents[f"{CARRIED}/{name}"] = archive.read(name)
    return contents


def holds_bytecode(contents: Iterable[str]) -> bool:
    """Whether bytecode is among the files of a program."""
    return any(name.endswith(".pyc") for name in contents)


def _entry(image: Image) -> str:
    """Return the entry point, which refuses a Python that cannot run the program.

    Rehearsals on another Python leave out carried packages that are for the image's alone.
    """
    which = "the image's own"
    place = "len(sys.path)"
    refused = "sys.version_info < (3, 10)"
    needed = "3.10 or newer"
    if image.holds_nothing:
        which = "the carried"
        place = "1"
        needed = image.python
        exactly = tuple(map(int, needed.split(".")))
        refused = f"os.path.isdir(carried) and sys.version_info[:2] != {exactly}"
    # Any Python can read it up to the sentence that says that the image's Python is another one.
    template = (templates_folder() / "entry.txt").read_text(encoding="utf-8")
    return template.format(
        which=which, place=place, carried=CARRIED, refused=refused, needed=needed
    )


def cache() -> Path:
    """Return the folder in which downloaded wheels are kept."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "deadheat" / "wheels"


def read_lock(path: Path) -> dict[str, tuple[Locked, ...]]:
    """Return the packages of a lock file: extra → packages, those of every bundle under "".

    Raises
    ------
    ValueError
        A line is not of the form ``name==version --hash=sha256:…``.
    """
    extra = ""
    sections: dict[str, tuple[Locked, ...]] = {extra: ()}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if begins := _EXTRA.fullmatch(line):
            extra = begins[1]
        elif pinned := _PINNED.fullmatch(line):
            sections[extra] = (*sections.get(extra, ()), Locked(*pinned.groups()))
        elif line and not line.startswith("#"):
            raise ValueError(f"{path}, line {number}: expected name==version --hash=sha256:…")
    return sections


def carried(image: Image, extras: Collection[str] = ()) -> tuple[Locked, ...]:
    """Return the packages that a bundle with these extras carries, each once."""
    locked = read_lock(image.lock)
    return tuple(dict.fromkeys(item for extra in ("", *extras) for item in locked.get(extra, ())))


def wheels(locked: Sequence[Locked], image: Image, folder: Path) -> list[bytes]:
    """Return the content of the packages' wheels; download missing ones into ``folder``.

    Their hashes have been checked, and nobody can change the content afterwards.

    Raises
    ------
    OrganizerError
        pip cannot get one of them, or a wheel is not the one that the lock names.
    """
    if missing := [item for item in locked if not any(_wheels_of(item, image, folder))]:
        _download(missing, image, folder)
    return [_checked(item, image, folder) for item in locked]


def _wheels_of(item: Locked, image: Image, folder: Path) -> Iterator[Path]:
    """Yield the wheels of a package in ``folder`` that the image's Python could install."""
    tag = "cp" + image.python.replace(".", "")
    name = re.escape(item.name).replace(r"\-", "[-_.]")
    version = re.escape(item.version)
    tags = rf"(py3-|py2\.py3-|{tag}-|cp3\d+-abi3-).*"
    pattern = re.compile(rf"{name}-{version}-{tags}\.whl", re.IGNORECASE)
    return (path for path in sorted(folder.glob("*.whl")) if pattern.fullmatch(path.name))


def _checked(item: Locked, image: Image, folder: Path) -> bytes:
    refused = []
    for path in _wheels_of(item, image, folder):
        content = path.read_bytes()
        if (sha256 := hashlib.sha256(content).hexdigest()) == item.sha256:
            return content
        refused.append(f"{path} has the SHA-256 {sha256}")
    if not refused:
        raise OrganizerError(
            f"{folder}: there is no wheel of {item.requirement} for Python {image.python}; delete "
            "the folder to download it again"
        )
    raise OrganizerError(
        f"{'; '.join(refused)}, but the wheel of {item.requirement} that was tested with this "
        f"program has {item.sha256}: the file is damaged, or somebody changed it; delete it, and "
        "the right one is downloaded"
    )


def _download(missing: Sequence[Locked], image: Image, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="deadheat-") as temporary:
        lines = Path(temporary) / "requirements.txt"
        lines.write_text("".join(f"{item.line}\n" for item in missing), encoding="utf-8")
        command = [*pip_download(image.python, folder), "--no-deps", "--require-hashes"]
        command += ["--requirement", str(lines)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no message from pip"])[-1]
        raise OrganizerError(
            f"the packages that the image lacks cannot be downloaded ({reason}); connect to the "
            f"network, or put wheels of {listed(item.requirement for item in missing)} into a "
            "folder and name it with --wheels"
        )


def pip_download(python: str, folder: Path) -> list[str]:
    """Return the command, but for the packages, that downloads wheels for a version of Python."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--only-binary", ":all:"]
    command += ["--implementation", "cp", "--dest", str(folder), "--python-version", python]
    return [*command, *(word for name in _PLATFORMS for word in ("--platform", name))]
