"""The program as pip installs it: from a wheel, from a source distribution, in editable mode.

Each environment is a new one that holds nothing but the program. What the program needs, it sees in
the environment that runs the tests.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from scoring_program.commands import new
from scoring_program.core.templates import COMPILED, compiled
from tests.competitions import EXAMPLE, REPOSITORY, Folder, copied
from tests.sweeps import swept

RUN = [str(EXAMPLE), "out", "--resamples", "300"]
#: Names that a folder beside a notebook may well have, and that none of ours may need or shadow.
GENERIC = ("scoring_program", "templates", "tests")


def succeed(command: Sequence[str | Path], folder: Path) -> str:
    """Run a command in a folder without the paths of these tests, and return what it prints."""
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        command, cwd=folder, env=kept, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def environment(folder: Path) -> Path:
    """Make an environment that sees this one's packages, but not the program; return its programs.

    The tests' own environment may hold the program, too.
    """
    venv.create(folder)
    needed = folder / "needed"
    needed.mkdir()
    paths = sysconfig.get_paths()
    for packages in {Path(paths["purelib"]), Path(paths["platlib"])}:
        for item in packages.iterdir():
            if "deadheat" not in item.name:
                (needed / item.name).symlink_to(item)
    (site_packages(folder) / "needed.pth").write_text(f"{needed}\n")
    return folder / "bin"


def site_packages(folder: Path) -> Path:
    (found,) = folder.glob("lib/python*/site-packages")
    return found


def install(programs: Path, *what: str | Path) -> None:
    pip: list[str | Path] = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        programs / "python",
        "install",
        "--quiet",
    ]
    succeed(
        [*pip, "--no-deps", "--no-index", "--no-build-isolation", "--no-compile", *what], programs
    )


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(tmp_path_factory.mktemp("source"))


@pytest.fixture(scope="module")
def wheel(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel made from the clone."""
    return _built(clone, tmp_path_factory.mktemp("wheel"), "--wheel")[".whl"]


@pytest.fixture(scope="module")
def distributions(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """The source distribution of the clone and the wheel made from it, by how their names end."""
    return _built(clone, tmp_path_factory.mktemp("dist"))


def _built(clone: Path, folder: Path, *options: str) -> Mapping[str, Path]:
    succeed(
        [sys.executable, "-m", "build", "--no-isolation", *options, "-o", folder, clone], folder
    )
    return {path.suffix: path for path in folder.iterdir()}


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment in which the wheel is installed."""
    programs = environment(tmp_path_factory.mktemp("installed") / "env")
    install(programs, wheel)
    return programs


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A folder that holds packages of those names, none of which may be imported."""
    for name in GENERIC:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f"raise ImportError('{name} of the folder')\n")
    return tmp_path


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory, clone: Path) -> Mapping[str, bytes]:
    """What a run in a clone writes."""
    out = tmp_path_factory.mktemp("expected") / "out"
    succeed([sys.executable, "-m", "scoring_program", RUN[0], out, *RUN[2:]], clone)
    return contents(out)


@pytest.mark.full
def test_a_wheel_from_the_source_distribution_is_one_from_the_clone(
    clone: Path, wheel: Path, distributions: Mapping[str, Path]
) -> None:
    other = distributions[".whl"]
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(other) as two:
        found = {name: one.read(name) for name in one.namelist() if "dist-info" not in name}
        assert found == {name: two.read(name) for name in two.namelist() if "dist-info" not in name}
    program = {f"deadheat/{path}" for path in contents(clone / "scoring_program")}
    templates = {f"deadheat/templates/{path}" for path in contents(clone / "templates")}
    ready = {f"deadheat/templates/{COMPILED}/{name}" for name in compiled()}
    assert set(found) == program | templates | ready


@pytest.mark.full
def test_a_source_distribution_is_a_whole_clone(
    distributions: Mapping[str, Path], clone: Path
) -> None:
    made = ("build/", "deadheat.egg-info/")
    ours = {path for path in contents(clone) if not path.startswith(made)}
    with tarfile.open(distributions[".gz"]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert ours - names == set()


def test_nothing_generic_is_installed(installed: Path, wheel: Path) -> None:
    names = {path.name.partition("-")[0] for path in site_packages(installed.parent).iterdir()}
    assert names == {"deadheat", "needed.pth"}
    assert (site_packages(installed.parent) / "deadheat" / "py.typed").is_file()
    with zipfile.ZipFile(wheel) as archive:
        (entry_points,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
        scripts = archive.read(entry_points).decode().split()
    assert scripts == ["[console_scripts]", "deadheat", "=", "deadheat.commands.main:main"]


@pytest.mark.parametrize("command", swept([["deadheat", "score"], ["python", "-m", "deadheat"]]))
def test_a_wheel_runs_beside_another_scoring_program(
    command: list[str], installed: Path, elsewhere: Path, expected: Mapping[str, bytes]
) -> None:
    succeed([installed / command[0], *command[1:], *RUN], elsewhere)
    assert contents(elsewhere / "out") == expected


def test_an_editable_install_finds_its_templates(
    clone: Path,
    elsewhere: Path,
    expected: Mapping[str, bytes],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    programs = environment(tmp_path_factory.mktemp("editable") / "env")
    install(programs, "--editable", clone)
    where = "import deadheat; print(deadheat.__file__)"
    (elsewhere / "deadheat").mkdir()  # Python starts where a clone lies that is called so
    imported = Path(succeed([programs / "python", "-c", where], elsewhere).strip())
    assert imported.samefile(clone / "scoring_program" / "__init__.py")
    succeed([programs / "deadheat", "score", *RUN], elsewhere)
    assert contents(elsewhere / "out") == expected


#: Builds the bundle of the competition in a folder, for an image that lacks no package.
BUNDLE = """
import sys
from pathlib import Path
from deadheat.bundle import program
from deadheat.bundle.build import build
(name,) = program.IMAGES
program.IMAGES[name] = program.Image("3.12", Path(sys.argv[1]))
print(len(build(Path("competition.yaml"), log=print)))
"""


@pytest.mark.full
def test_a_wheel_starts_a_competition_that_scores_and_bundles(
    installed: Path, elsewhere: Path
) -> None:
    succeed([installed / "deadheat", "new", "mine"], elsewhere)
    mine = elsewhere / "mine"
    assert contents(mine) == new.files(new.USUAL)
    succeed([installed / "deadheat", "score", ".", "output", "--resamples", "100"], mine)
    assert (mine / "output" / "detailed_results.html").is_file()
    lock = REPOSITORY / "tests" / "bundle" / "nothing.txt"
    said = succeed([installed / "python", "-c", BUNDLE, lock], mine)
    assert "Task 0 tried on sample_solution: 10 scores." in said


#: Accuracy, which notes under which names its process has imported the program.
METRIC = """
import os, sys
from pathlib import Path

def score(y_true, y_pred):
    names = [name for name in ("deadheat", "scoring_program") if name in sys.modules]
    (Path(__file__).parents[2] / "log" / str(os.getpid())).write_text(" ".join(names))
    return float((y_true == y_pred).mean())
"""


@pytest.mark.parametrize("backend", ["loky", pytest.param("dask", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", swept(["deadheat", "scoring_program"]))
def test_workers_import_the_program_by_the_name_it_runs_under(
    name: str, backend: str, folder: Folder, installed: Path, clone: Path, elsewhere: Path
) -> None:
    if backend == "dask":
        pytest.importorskip("distributed", reason="dask.distributed is not installed")
    folder.write("metrics: [{name: own, function: 'own.py:score', greater_is_better: true}]\n")
    (folder.input / "ref" / "own.py").write_text(METRIC)
    (folder.root / "log").mkdir()
    python, cwd = (installed / "python", elsewhere)
    if name == "scoring_program":
        python, cwd = Path(sys.executable), clone
    options = ["--workers", "2", "--backend", backend, "--resamples", "200"]
    succeed([python, "-m", name, folder.input, folder.output, *options], cwd)
    assert folder.scores()["n_teams"] == 3
    processes = contents(folder.root / "log")
    assert len(processes) >= 2
    assert set(processes.values()) == {name.encode()}
