"""No file of INPUT/ref lies there in silence: it is read, named as not read, or refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scoring_program.commands import read
from scoring_program.commands.score import main
from tests.hostile.additions import Files, competitions
from tests.sweeps import thinned

_GOLD = "id,label\n" + "".join(f"q{row},{'ab'[row % 2]}\n" for row in range(30))
_NORTH = "id,label\n" + "".join(f"q{row},{'ab'[row % 3 % 2]}\n" for row in range(30))
_SOUTH = "id,label\n" + "".join(f"q{row},{'ab'[row % 5 % 2]}\n" for row in range(30))
_UPLOADS = {"res/north.csv": _NORTH, "res/south.csv": _SOUTH}
_WIDE = "id,gold,north,south\n" + "".join(
    f"q{row},{'ab'[row % 2]},{'ab'[row % 3 % 2]},{'ab'[row % 5 % 2]}\n" for row in range(30)
)
_LONG = "item,system,score\n" + "".join(
    f"q{row},{system},{(row * size) % 7 / 7:.3f}\n"
    for row in range(90)
    for system, size in (("north", 3), ("south", 5))
)
_PEOPLE = "item,system,score\n" + "".join(
    f"q{row},{system},{(row * size) % 5 / 5:.3f}\n"
    for row in range(0, 90, 2)
    for system, size in (("north", 3), ("south", 2))
)
_METRIC = """
greater_is_better = True

def score(y_true, y_pred):
    return float((y_true == y_pred).mean())
"""


def _logged(every: int) -> str:
    """Return what lm-evaluation-harness writes about samples of which one of some is right."""
    records = [
        {"doc_id": row, "doc": {}, "target": "x", "resps": [], "filter": "none",
         "metrics": ["acc"], "acc": float(row % every == 0)}
        for row in range(30)
    ]  # fmt: skip
    return "".join(f"{json.dumps(record)}\n" for record in records)


#: Layout → its files below INPUT.
LAYOUTS: dict[str, Files] = {
    "teams": {"ref/gold.csv": _GOLD, **_UPLOADS},
    "single": {
        "ref/gold.csv": _GOLD,
        "ref/scoring.yaml": "layout: single\n",
        "res/predictions.csv": _NORTH,
    },
    "a field": {
        "ref/gold.csv": _GOLD,
        "ref/submissions/east.csv": _SOUTH,
        "res/predictions.csv": _NORTH,
    },
    "a stated file": {
        "ref/gold.csv": _GOLD,
        "ref/scoring.yaml": "reference: {file: gold.csv}\n",
        **_UPLOADS,
    },
    "wide": {"ref/scoring.yaml": "layout: wide\n", "res/table.csv": _WIDE},
    "long": {
        "ref/scoring.yaml": "layout: long\ngreater_is_better: true\n",
        "res/table.csv": _LONG,
    },
    "people beside a judge": {
        "ref/people.csv": _PEOPLE,
        "ref/scoring.yaml": (
            "human: people.csv\nhuman_sample: random\ngreater_is_better: true\nlayout: long\n"
        ),
        "res/judge.csv": _LONG,
    },
    "a solution of Kaggle": {
        "ref/solution.csv": "\n".join(
            f"{line},{'Usage' if number == 0 else ('Public', 'Private')[number % 2]}"
            for number, line in enumerate(_GOLD.split())
        ),
        **_UPLOADS,
    },
    "logs": {
        f"res/{system}/samples_arith_2025-01-02T03-04-05.678.jsonl": _logged(every)
        for system, every in (("north", 2), ("south", 3))
    },
    "several references": {"ref/scoring.yaml": "metrics: [chrf]\n"}
    | {
        f"{name}.txt": "".join(f"{start} {row} {'ab'[row % 2]}\n" for row in range(30))
        for name, start in (
            ("ref/reference.1", "the cat of house"),
            ("ref/reference.2", "a cat in house"),
            ("res/north", "the cat of house"),
            ("res/south", "some cat at home"),
        )
    },
    **{
        f"the kind {name}": files
        for name, files in competitions().items()
        if not name.endswith("in JSON Lines")
    },
}
_OF_KINDS = [name for name in LAYOUTS if name.startswith("the kind ")]
_SPECIAL = [name for name in LAYOUTS if name not in _OF_KINDS]
#: Name → content of a file that nobody needs: none is data that could be a task of its own.
_STRAY: Files = {
    "appendix.pdf": "%PDF-1.4\n",
    "sample_submission.csv": "id,label\nq0,a\n",
    "notes.docx": "PK",
    "old/plan.xlsx": "PK",
}


def write(folder: Path, files: Files) -> None:
    """Write a competition below INPUT."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def run(
    folder: Path, files: Files, capsys: pytest.CaptureFixture[str]
) -> tuple[int, str, list[str]]:
    """Score a competition; return the status, the log and the notes of results.json."""
    write(folder / "input", files)
    status = main([str(folder / "input"), str(folder / "output"), "--resamples", "100"])
    shown = capsys.readouterr()
    results = folder / "output" / "results.json"
    notes = json.loads(results.read_text(encoding="utf-8"))["notes"] if status == 0 else []
    return status, shown.out + shown.err, notes


@pytest.mark.parametrize("layout", [*_SPECIAL, *thinned(_OF_KINDS, every=2)])
def test_a_file_that_is_not_read_is_named_in_every_layout(
    layout: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, log, notes = run(tmp_path / "before", LAYOUTS[layout], capsys)
    assert "Not read in ref/" not in log
    files = LAYOUTS[layout] | {f"ref/{name}": text for name, text in _STRAY.items()}
    status, log, notes = run(tmp_path / "after", files, capsys)
    assert status == 0, log
    for name in _STRAY:
        assert name in log
        assert any(name in note for note in notes)


def test_reference_data_beside_a_table_with_its_own_answers_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = LAYOUTS["wide"] | {"ref/gold.csv": _GOLD, "ref/submissions/east.csv": _SOUTH}
    status, log, notes = run(tmp_path, files, capsys)
    assert status == 0, log
    assert "Not read in ref/: gold.csv." in log
    assert "Not read in ref/: gold.csv." in notes
    assert "ref/submissions was not read" in log


@pytest.mark.parametrize("layout", ["teams", "a stated file", "wide"])
@pytest.mark.parametrize("is_first", [True, False])
def test_the_command_that_shows_what_is_read_names_it(
    layout: str, is_first: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = LAYOUTS[layout] | {"ref/appendix.pdf": "%PDF-1.4\n"}
    if is_first and layout != "wide":  # no upload is there
        files = {name: text for name, text in files.items() if name.startswith("ref/")}
    write(tmp_path, files)
    assert read.main([str(tmp_path)]) == 0
    assert "Not read in ref/: appendix.pdf." in capsys.readouterr().out


def test_what_own_code_reads_is_not_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = LAYOUTS["teams"] | {
        "ref/own.py": _METRIC,
        "ref/words.dat": "1 2 3\n",
        "ref/scoring.yaml": "metrics: [{name: own, function: 'own.py:score'}]\n",
    }
    status, log, _ = run(tmp_path, files, capsys)
    assert status == 0, log
    assert "Not read in ref/, unless your own code reads it: words.dat." in log


def test_files_are_counted_where_entries_are_anonymous(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = LAYOUTS["teams"] | {f"ref/{name}": text for name, text in _STRAY.items()}
    files["ref/scoring.yaml"] = "anonymize: true\n"
    status, log, _ = run(tmp_path, files, capsys)
    assert status == 0, log
    assert "Not read in ref/: 4." in log
    assert not any(name in log for name in _STRAY)


def test_a_folder_of_parquet_parts_is_read_and_what_lies_beside_it_is_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pa = pytest.importorskip("pyarrow", exc_type=ImportError)
    parquet = pytest.importorskip("pyarrow.parquet", exc_type=ImportError)
    for name, text in {"ref/gold": _GOLD, "res/north": _NORTH, "res/south": _SOUTH}.items():
        rows = [line.split(",") for line in sorted(text.split()[1:])]
        folder = tmp_path / "input" / name
        folder.mkdir(parents=True)
        columns = {"id": [row[0] for row in rows], "label": [row[1] for row in rows]}
        parquet.write_table(pa.table(columns), folder / "part-0.parquet")
    files = {"ref/appendix.pdf": "%PDF-1.4\n", "ref/scoring.yaml": "format: parquet\n"}
    status, log, _ = run(tmp_path, files, capsys)
    assert status == 0, log
    assert "Not read in ref/: appendix.pdf." in log
