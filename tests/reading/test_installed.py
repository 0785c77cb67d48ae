"""Formats that other packages provide by entry points."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring_program.core.errors import SettingsError
from scoring_program.reading import formats
from scoring_program.reading.formats import read_table
from scoring_program.settings import loading
from tests.packages import install, python

READERS = """
def pairs(content, file):
    rows = [line.split("=") for line in content.decode().splitlines()]
    for number, row in enumerate(rows, 1):
        if len(row) != 2:
            raise ValueError(f"line {number}: no pair; write id=label")
    return {"id": [row[0] for row in rows], "label": [row[1] for row in rows]}

pairs.label = "lines of id=label"

def bare(content, file):
    return [["t1", "t2"], [1, None]]

def text(content, file):
    return "t1"

def uneven(content, file):
    return {"id": ["t1", "t2"], "label": ["a"]}

def defect(content, file):
    return {}["secret"]

not_a_function = 3
"""
ENTRY_POINTS = """[deadheat.formats]
pairs = readers:pairs
orc = readers:bare
csv = readers:text
text = readers:text
uneven = readers:uneven
defect = readers:defect
number = readers:not_a_function
missing = readers:nothing
"""
READ = """
from pathlib import PurePosixPath
from deadheat.core.errors import DeadheatError
from deadheat.reading.files import DataFile
from deadheat.reading.formats import detect, read_table
from deadheat.settings.checks import file_format
from deadheat.settings.model import FILE_FORMATS

def show(content, file, form="auto"):
    try:
        table = read_table(content, file, form)
        print(table.header, table.columns, table.place(0))
    except DeadheatError as error:
        print(type(error).__name__, error)

for name in ("p.pairs", "p.PAIRS", "p.pair", "pairs"):
    print(name, DataFile(PurePosixPath(name), bytes).is_data, detect(b"", name))
print(file_format(FILE_FORMATS)("pairs"))
show(b"t1=a\\nt2=b\\n", "p.pairs")
show(b"t1=a\\n", "p.txt", "pairs")
show(b"ORC", "p.orc")
show(b"t1,a\\n", "p.csv")
show(b"t1=a\\nt2\\n", "p.pairs")
show(b"", "p.pairs")
for form in ("text", "uneven", "defect", "number", "missing", "absent"):
    show(b"t1", f"p.{form}", form)
"""


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder of packages: `deadheat`, and a distribution that provides formats."""
    return install(tmp_path / "packages", "readers", READERS, ENTRY_POINTS)


def test_an_installed_package_provides_a_format(installed: Path) -> None:
    *found, missing, absent = python(installed, "-c", READ).splitlines()
    assert found == [
        "p.pairs True pairs",
        "p.PAIRS True pairs",
        "p.pair False lines",
        "pairs False lines",
        "pairs",
        "('id', 'label') [['t1', 't2'], ['a', 'b']] row 1",
        "('id', 'label') [['t1'], ['a']] row 1",
        "None [['t1', 't2'], ['1', '']] row 1",
        "None [['t1'], ['a']] line 1",  # an extension of ours cannot be taken
        "SubmissionError p.pairs: line 2: no pair; write id=label",
        "SubmissionError p.pairs: the file is empty; expected one row per example",
        "SettingsError format 'text': readers 1.2 returned no columns; return a dict or a list of "
        "lists of texts",
        "SettingsError format 'uneven': readers 1.2 returned columns of different lengths; return "
        "as many cells in each",
        # Without the text of the error, which may hold what the file holds.
        "SettingsError format 'defect': readers 1.2 fails on p.defect: KeyError in readers.py, "
        "line 21; --debug shows all of it",
        "SettingsError format 'number': readers:not_a_function of readers 1.2 is not a function",
    ]
    assert "'missing': readers:nothing of readers 1.2 cannot be loaded: AttributeError" in missing
    assert absent.endswith("'absent': no installed package reads it; install the one that does")


def test_a_competition_in_a_format_of_a_package(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "input" / "ref").mkdir(parents=True)
    (tmp_path / "input" / "res").mkdir()
    rows = [f"t{i}={'ab'[i % 2]}" for i in range(20)]
    (tmp_path / "input" / "ref" / "gold.pairs").write_text("\n".join(rows))
    (tmp_path / "input" / "res" / "p.pairs").write_text("\n".join(reversed(rows)))
    program = "import sys; from deadheat.commands.main import main; sys.exit(main())"
    folders = [str(tmp_path / name) for name in ("input", "output")]
    python(installed, "-c", program, "score", *folders, "--resamples", "100")
    assert "accuracy: 1.0" in (tmp_path / "output" / "scores.txt").read_text()
    page = (tmp_path / "output" / "detailed_results.html").read_text(encoding="utf-8")
    assert "Format: 1 lines of id=label [readers 1.2]." in page


def test_a_clone_looks_for_no_package(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an organizer has installed must not decide what a bundle reads."""
    monkeypatch.syspath_prepend(str(installed))
    assert not formats.is_data("p.pairs")
    with pytest.raises(SettingsError, match="no installed package reads it"):
        read_table(b"t1=a\n", "p.txt", "pairs")
    settings = tmp_path / "scoring.yaml"
    settings.write_text("format: pairs\n")
    with pytest.raises(SettingsError, match="format: expected one of auto, csv, "):
        loading.load(settings)
