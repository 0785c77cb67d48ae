"""What a bundle carries: what the settings need, each package by its hash and with its RECORD."""

from __future__ import annotations

import ast
import base64
import csv
import hashlib
import importlib.util
import json
import os
import subprocess
import sys
from dataclasses import replace
from datetime import date
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import yaml

from scoring_program.bundle import description, program
from scoring_program.bundle.archive import blanked, bytecode, pack
from scoring_program.bundle.build import build
from scoring_program.bundle.interpreter import THIS_PYTHON, interpreter
from scoring_program.bundle.program import IMAGES, OWN_IMAGES, Image, Locked
from scoring_program.core.errors import OrganizerError, SettingsError
from scoring_program.metrics import REGISTRY
from scoring_program.metrics.registry import find
from scoring_program.reading.formats import KINDS
from tests.bundle.made import NOTHING_CARRIED, edited, members, put
from tests.competitions import EXAMPLE
from tests.platform import unpackers
from tests.sweeps import swept

SETTINGS = ("tasks", 0, "deadheat", "settings")

RECORD = "pkg-1.0.dist-info/RECORD"
#: Of all images, as they are before fixtures change them.
REAL = (*IMAGES.values(), *OWN_IMAGES.values())
PLAIN = "pkg-1.0-py3-none-any.whl"
#: A version that this Python does not have, and what names of wheels call both.
OTHER_PYTHON = "3.11" if sys.version_info[:2] == (3, 10) else "3.10"
TAG = "cp" + THIS_PYTHON.replace(".", "")
OTHER_TAG = "cp" + OTHER_PYTHON.replace(".", "")


def wheel(folder: Path, name: str, **changed: bytes) -> Locked:
    """Write a wheel with a RECORD and return it as a lock file names it."""
    package, version, *_ = name.split("-")
    about = f"{package}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n"
    content = {
        "pkg/__init__.py": changed.get("code", b"NAME = 1\n"),
        "pkg/tests/test_a.py": b"",
        f"{about}/WHEEL": b"Wheel-Version: 1.0\nTag: py3-none-any\n",
        f"{about}/METADATA": metadata.encode(),
    }
    lines = (f"{path},sha256={digest(data)},{len(data)}\n" for path, data in content.items())
    content[f"{about}/RECORD"] = "".join([*lines, f"{about}/RECORD,,\n"]).encode()
    (folder / name).write_bytes(pack(content))
    return locked(package, version, folder / name)


def digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def locked(package: str, version: str, path: Path) -> Locked:
    return Locked(package, version, hashlib.sha256(path.read_bytes()).hexdigest())


def image(folder: Path, *carried: Locked, **extras: Locked) -> Image:
    """Return an image of this Python whose lock file names these packages."""
    lines = ["# A comment.", "", *(item.line for item in carried)]
    lines += [line for name, item in extras.items() for line in (f"# [{name}]", item.line)]
    (folder / "lock.txt").write_text("\n".join(lines))
    return Image(THIS_PYTHON, folder / "lock.txt")


def carried(files: dict[str, bytes]) -> dict[str, bytes]:
    return {
        name.removeprefix("carried/"): content
        for name, content in files.items()
        if name.startswith("carried/")
    }


def test_wheels_for_the_image_are_carried(tmp_path: Path) -> None:
    plain = wheel(tmp_path, "pkg-1.0-py3-none-any.whl")
    fast = wheel(tmp_path, f"fast-2-{TAG}-{TAG}-manylinux2014_x86_64.whl", code=b"FAST = 1\n")
    wheel(tmp_path, f"fast-2-{OTHER_TAG}-{OTHER_TAG}-manylinux2014_x86_64.whl")
    of = image(tmp_path, plain, text=fast)
    assert program.carried(of) == (plain,)
    assert program.carried(of, ["text"]) == (plain, fast)
    found = carried(program.files(of, tmp_path, ["text"]))
    assert found["pkg/__init__.py"] == b"FAST = 1\n"
    assert program.carried(image(tmp_path, plain, text=plain), ["text"]) == (plain,)


def test_what_is_carried_can_be_checked_by_its_record(tmp_path: Path) -> None:
    found = carried(program.files(image(tmp_path, wheel(tmp_path, PLAIN)), tmp_path))
    assert set(found) == {
        "pkg/__init__.py", "pkg-1.0.dist-info/METADATA", "pkg-1.0.dist-info/WHEEL", RECORD,
    }  # fmt: skip
    recorded = {row[0]: row[1] for row in csv.reader(found.pop(RECORD).decode().splitlines())}
    for name, content in found.items():
        assert recorded[name] == f"sha256={digest(content)}"


def test_compiled_templates_are_carried(tmp_path: Path) -> None:
    found = program.files(image(tmp_path))
    assert found == program.files(image(tmp_path))  # byte for byte
    ready = "scoring_program/templates/compiled/"
    assert found[f"{ready}made_by.txt"].decode() == metadata.version("jinja2")


PACKAGE = Path(program.__file__).parents[1]


def parsed(source: bytes) -> tuple[str, list[int]]:
    """Return a module without docstrings and annotations, and the lines of all that is in it."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        if isinstance(node, documented) and ast.get_docstring(node) is not None:
            del node.body[0]
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None
    return ast.dump(tree), [node.lineno for node in ast.walk(tree) if hasattr(node, "lineno")]


@pytest.mark.parametrize("every", swept([5, 1]))
def test_blanked_sources_are_the_same_program(every: int) -> None:
    for path in sorted(PACKAGE.rglob("*.py"))[::every]:
        source = path.read_bytes()
        assert parsed(blanked(source)) == parsed(source)
    source = b'def f(a: int = 1) -> str:\n    """Say\n\n    more."""\n    return "#"  # why\n'
    assert blanked(source) == b'def f(a = 1):\n    " "\n\n\n    return "#"\n'


def test_bytecode_does_not_depend_on_its_process(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = {"a/b.py": b"def f(x):\n    return x in {'one', 'two', 'three', 'four'}\n"}
    (found,) = bytecode(sources).values()
    for seed in ("1", "2"):
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        assert list(bytecode(sources).values()) == [found]
    # PEP 552: a hash, checked against the source.
    assert found[4:8] == (0b11).to_bytes(4, "little")
    assert found[8:16] == importlib.util.source_hash(sources["a/b.py"])


#: Says which modules of the program are compiled, and what an edited one holds.
_COMPILED = """
from importlib.machinery import SourceFileLoader as Loader
real, compiled = Loader.source_to_code, []
Loader.source_to_code = lambda self, data, path: compiled.append(path) or real(self, data, path)
from scoring_program.core import errors, phrases
print(*(path.replace("\\\\", "/").split("/")[-1] for path in compiled), hasattr(errors, "EDITED"))
"""


#: Scores the example and says of which modules bytecode could be used.
_LOADED = """
import sys
from scoring_program.commands.score import main
assert main(sys.argv[1:]) == 0
print(*(module.__cached__ for module in sys.modules.values() if getattr(module, "__cached__", "")))
"""


def test_bytecode_is_packed_only_of_what_every_run_loads(tmp_path: Path) -> None:
    found = program.files(image(tmp_path))
    for name, content in found.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    command = [sys.executable, "-B", "-c", _LOADED, str(EXAMPLE), str(tmp_path / "out")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    loaded = {*done.stdout.splitlines()[-1].split()}
    packed = {name for name in found if name.endswith(".pyc") and "/templates/" not in name}
    # Most of what a run loads: the others are loaded by some runs only.
    assert 2 * len(packed) > sum(name.startswith(str(tmp_path)) for name in loaded)
    assert {name for name in packed if str(tmp_path / name) not in loaded} == set()


def test_packed_bytecode_is_used_unless_its_source_was_edited(tmp_path: Path) -> None:
    of = image(tmp_path)
    for name, content in program.files(of).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)

    def compiled() -> list[str]:
        command = [sys.executable, "-B", "-c", _COMPILED]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout.split()

    short = ["__init__.py", "__init__.py"]  # of the package and of core
    assert compiled() == [*short, "False"]
    source = tmp_path / "scoring_program" / "core" / "errors.py"
    with source.open("a") as stream:
        stream.write("EDITED = True\n")
    assert compiled() == [*short, "errors.py", "True"]
    ready = Path(importlib.util.cache_from_source(str(source.with_name("phrases.py"))))
    ready.write_bytes(b"\0\0\r\n" + ready.read_bytes()[4:])  # as another version's
    assert sorted(compiled()) == ["True", *short, "errors.py", "phrases.py"]


def test_no_bytecode_where_there_is_no_python_of_the_image(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    found = program.files(replace(image(tmp_path), python=OTHER_PYTHON))
    assert not program.holds_bytecode(found)


def test_the_organizer_is_told_how_to_get_bytecode(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[str] = []
    nothing = replace(NOTHING_CARRIED, python=OTHER_PYTHON)
    monkeypatch.setitem(program.IMAGES, "codalab/codalab-legacy:py312", nothing)
    monkeypatch.setenv("PATH", str(tmp_path))
    build(folder / "competition.yaml", rehearsed=False, log=lines.append)
    (line,) = [line for line in lines if "bytecode" in line]
    assert f"put python{OTHER_PYTHON} on the PATH" in line


@pytest.mark.skipif(os.name == "nt", reason="the command is a script of a Unix shell")
@pytest.mark.parametrize("name", [f"python{OTHER_PYTHON}", "python3"])
def test_a_python_of_the_image_makes_the_bytecode(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command that says to be of the image's version, but starts this Python."""
    commands = tmp_path / "commands"
    commands.mkdir()
    script = commands / name
    script.write_text(
        f'#!/bin/sh\nif [ "$2" = -c ]; then echo cpython {OTHER_PYTHON}\n'
        f'else exec "{sys.executable}" "$@"; fi\n'
    )
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(commands))
    of = image(tmp_path)
    from_there = program.files(replace(of, python=OTHER_PYTHON))
    assert program.holds_bytecode(from_there)
    assert from_there == program.files(of)


@pytest.mark.skipif(os.name == "nt", reason="the command is a script of a Unix shell")
@pytest.mark.parametrize(
    "answer", ["echo cpython 3.9", f"echo pypy {OTHER_PYTHON}", "echo; exit 127", "echo python"]
)
def test_a_command_that_is_no_python_of_the_image_is_not_taken(
    answer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / f"python{OTHER_PYTHON}"
    script.write_text(f"#!/bin/sh\n{answer}\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert interpreter(OTHER_PYTHON) is None


@pytest.mark.skipif(os.name == "nt", reason="the command is a script of a Unix shell")
def test_a_command_is_asked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Launchers that search all that is installed took longer than all the rest of a bundle."""
    script = tmp_path / f"python{OTHER_PYTHON}"
    script.write_text(f'#!/bin/sh\necho asked >> "$0.log"\necho cpython {OTHER_PYTHON}\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert interpreter(OTHER_PYTHON) == interpreter(OTHER_PYTHON) == [str(script)]
    assert Path(f"{script}.log").read_text() == "asked\n"


def test_tampered_wheel_is_refused(tmp_path: Path) -> None:
    of = image(tmp_path, wheel(tmp_path, PLAIN))
    changed = wheel(tmp_path, PLAIN, code=b"NAME = 2\n")
    with pytest.raises(OrganizerError) as caught:
        program.files(of, tmp_path)
    said = str(caught.value)
    assert said.startswith(f"{tmp_path / PLAIN} has the SHA-256 {changed.sha256}, but the wheel of")
    assert "somebody changed it; delete it, and the right one is downloaded" in said


def test_right_wheel_beside_a_tampered_one(tmp_path: Path) -> None:
    right = wheel(tmp_path, "pkg-1.0-py3-none-any.whl")
    wheel(tmp_path, f"pkg-1.0-{TAG}-{TAG}-any.whl", code=b"NAME = 2\n")
    found = carried(program.files(image(tmp_path, right), tmp_path))
    assert found["pkg/__init__.py"] == b"NAME = 1\n"


@pytest.mark.parametrize("cut", [0, 40])
def test_damaged_wheel_is_refused(tmp_path: Path, cut: int) -> None:
    of = image(tmp_path, wheel(tmp_path, PLAIN))
    path = tmp_path / PLAIN
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(OrganizerError, match=r"the file is damaged, or somebody changed it"):
        program.files(of, tmp_path)


def test_missing_wheel_that_cannot_be_downloaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    of = image(tmp_path, Locked("no-such-package", "1", "0" * 64))
    with pytest.raises(OrganizerError, match=r"cannot be downloaded .* --wheels"):
        program.files(of, tmp_path / "empty")


def test_pip_refuses_another_wheel_than_the_locked_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an index gives is checked before it reaches the folder of wheels."""
    index = tmp_path / "index"
    index.mkdir()
    right = wheel(index, PLAIN)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(index))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    of = image(tmp_path, right)
    wheel(index, PLAIN, code=b"NAME = 2\n")
    with pytest.raises(OrganizerError, match="cannot be downloaded"):
        program.files(of, tmp_path / "fetched")
    assert not list((tmp_path / "fetched").glob("*.whl"))
    assert wheel(index, PLAIN) == right
    assert carried(program.files(of, tmp_path / "fetched"))["pkg/__init__.py"] == b"NAME = 1\n"


def test_lock_file_that_pins_no_hash(tmp_path: Path) -> None:
    (tmp_path / "base.txt").write_text("# Packages.\npkg==1.0\n")
    with pytest.raises(ValueError, match=r"base\.txt, line 2: expected name==version --hash="):
        program.read_lock(tmp_path / "base.txt")


@pytest.mark.parametrize("of", REAL, ids=lambda of: of.lock.stem)
def test_every_lock_file_pins_each_package_once(of: Image) -> None:
    for items in program.read_lock(of.lock).values():
        assert items
        assert len({item.name for item in items}) == len(items)
    definitions = (*REGISTRY.values(), find("nDCG@10"))
    extras = {row.statistics.extra for row in definitions if row and row.statistics is not None}
    assert extras - {""} <= program.read_lock(of.lock).keys()


def needed(path: Path) -> tuple[str, ...]:
    return program.needed_extras(description.load(path, date(2026, 1, 1)))


@pytest.mark.parametrize(
    ("metrics", "expected"),
    [
        (["accuracy_score"], ()),
        (["exact_match"], ()),
        (["accuracy_score", {"name": "b", "function": "bleu"}, "rougeL"], ("text",)),
        (["AP", "nDCG@10"], ("ir",)),
        (["icm", {"f1_score": {"average": "samples"}}], ()),
        ([{"name": "own", "function": "own.py:score", "greater_is_better": True}], ("frames",)),
    ],
)
def test_the_settings_say_what_is_needed(folder: Path, metrics: Any, expected: Any) -> None:
    (folder / "example" / "input" / "ref" / "scoring.yaml").unlink()
    assert needed(edited(folder, put(*SETTINGS, value={"metrics": metrics}))) == expected


def test_without_settings_the_reference_data_say_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "competition.yaml"
    reference = folder / "example" / "input" / "ref"
    (reference / "scoring.yaml").unlink()
    assert needed(path) == ()
    questions = [{"id": "q1", "question": "?", "answers": [{"text": "a"}]}]
    squad = {"data": [{"paragraphs": [{"context": "c", "qas": questions}]}]}
    (reference / "gold.csv").unlink()
    (reference / "gold.json").write_text(json.dumps(squad))
    assert needed(path) == ()  # SQuAD's metrics need no library
    of_texts = replace(KINDS["text"], metrics=("ter",))
    monkeypatch.setattr(program, "KINDS", {"text": of_texts})
    assert needed(path) == ("text",)


def started(files: dict[str, bytes], folder: Path, version: tuple[int, int]) -> Any:
    """Run the entry point on a Python that says that it is of another version."""
    for name, content in files.items():
        if name == program.ENTRY or name.startswith("carried/"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
    entry = folder / program.ENTRY
    ast.parse(entry.read_bytes(), feature_version=(3, 4))
    code = (
        f"import sys; sys.version_info = {(*version, 1)}; __file__ = {str(entry)!r}\n"
        "exec(compile(open(__file__).read(), __file__, 'exec'))"
    )
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("holds_nothing", "version", "needed"),
    [
        (False, (3, 7), "3.10 or newer"), (False, (2, 7), "3.10 or newer"),
        (True, (3, 99), THIS_PYTHON), (True, (3, 6), THIS_PYTHON),
    ],
)  # fmt: skip
def test_another_python_gives_one_sentence(
    tmp_path: Path, holds_nothing: bool, version: tuple[int, int], needed: str
) -> None:
    of = replace(image(tmp_path, wheel(tmp_path, PLAIN)), holds_nothing=holds_nothing)
    done = started(program.files(of, tmp_path), tmp_path / "program", version)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"This competition's scoring program needs Python {needed}, and the platform's image has "
        f"Python {version[0]}.{version[1]}: the submission was not read. Please tell the "
        "organizers.\n"
    )


@pytest.mark.parametrize(("holds_nothing", "wins"), [(False, "image"), (True, "carried")])
def test_whose_packages_win(tmp_path: Path, holds_nothing: bool, wins: str) -> None:
    """Of an image that holds the usual packages, its own; else those that were tested together."""
    of = replace(image(tmp_path, wheel(tmp_path, PLAIN)), holds_nothing=holds_nothing)
    folder = tmp_path / "program"
    (folder / "scoring_program" / "commands").mkdir(parents=True)
    (folder / "scoring_program" / "commands" / "score.py").write_text(
        "import pkg\nprint(pkg.__file__)\nmain = int\n"
    )
    for name in ("scoring_program", "scoring_program/commands"):
        (folder / name / "__init__.py").touch()
    (tmp_path / "image" / "pkg").mkdir(parents=True)
    (tmp_path / "image" / "pkg" / "__init__.py").write_text("")
    files = program.files(of, tmp_path)
    (folder / program.ENTRY).write_bytes(files[program.ENTRY])
    for name, content in files.items():
        if name.startswith("carried/"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
    code = (
        f"import sys, runpy; sys.path[:0] = [{str(folder)!r}, {str(tmp_path / 'image')!r}]; "
        f"runpy.run_path({str(folder / program.ENTRY)!r})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert Path(done.stdout.strip()).is_relative_to(
        folder / "carried" if wins == "carried" else tmp_path / "image"
    )


@pytest.mark.full
def test_an_image_of_the_organizers_own(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = edited(folder, put("docker_image", value="me/mine:1"))
    with pytest.raises(SettingsError, match=r"the packages of 'me/mine:1' are not known.*nothing}"):
        build(path, rehearsed=False)
    stated = {"python": 3.1, "image_holds": "nothing"}  # as YAML reads 3.10
    edited(folder, put("deadheat", value=stated))
    with pytest.raises(SettingsError, match=r"3\.14; found 3\.1; put it in quotes"):
        build(path, rehearsed=False)
    python = "3.11" if sys.version_info[:2] == (3, 10) else "3.10"  # another than this one
    edited(folder, put("deadheat", value={**stated, "python": python}))
    (tmp_path / "wheels").mkdir()
    of = image(tmp_path / "wheels", wheel(tmp_path / "wheels", PLAIN))
    monkeypatch.setitem(OWN_IMAGES, python, replace(of, python=python, holds_nothing=True))
    lines: list[str] = []
    found = members(build(path, wheels=tmp_path / "wheels", log=lines.append))
    unpackers.codabench(found)
    assert yaml.safe_load(found["competition.yaml"])["docker_image"] == "me/mine:1"
    assert "deadheat" not in yaml.safe_load(found["competition.yaml"])
    assert "carried/pkg/__init__.py" in members(found["scoring_program.zip"])
    assert any(line.startswith("Program: ") for line in lines)
    assert any("this machine's own Python and packages" in line for line in lines)
    assert any(line.startswith("Task 0 tried on ") for line in lines)


@pytest.mark.full
def test_the_real_wheels(tmp_path: Path) -> None:
    """Every package of the lock files can still be downloaded."""
    for of in REAL:
        extras = [extra for extra in program.read_lock(of.lock) if extra]
        try:
            found = program.files(of, tmp_path, extras)
        except OrganizerError as error:
            pytest.skip(f"the wheels are not to be had: {error}")
        recorded = [name for name in found if name.endswith(".dist-info/RECORD")]
        assert len(recorded) == len(program.carried(of, extras))
