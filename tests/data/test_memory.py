"""What the reading of large plain files holds: a few bytes for each example."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np

from scoring_program.core.arrays import Coded, Words
from scoring_program.data import parts
from scoring_program.data.source import read_input
from scoring_program.reading.reference import find_reference
from scoring_program.settings import loading

#: So many examples that no file is read as a small one.
N = 400_000
ENTRIES = ("Ada", "Bo")


def competition(root: Path) -> Path:
    """Write a competition of two labels in CSV files, and return its folder."""
    rng = np.random.default_rng(7)
    for name in ("ref/gold.csv", *(f"res/{entry}/p.csv" for entry in ENTRIES)):
        labels = rng.integers(0, 2, N).tolist()
        path = root / name
        path.parent.mkdir(parents=True)
        rows = (f"example{row},{label}\n" for row, label in enumerate(labels))
        path.write_text("id,label\n" + "".join(rows))
    return root


def test_large_files_take_a_few_bytes_for_each_example(tmp_path: Path) -> None:
    folder = competition(tmp_path)
    tracemalloc.start()
    try:
        read, _ = read_input(folder, lambda settings: settings)
        left, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    (part,) = read.parts
    assert part.gold.n == N
    assert len(part.entries) == len(ENTRIES)
    for entry in part.entries:
        assert entry is not None
        assert not entry.packed
        ((_, predictions),) = entry.predictions.items()
        assert predictions.dtype == np.int64
    # Ids of two words, labels and predictions of eight bytes; the file of the gold is let go.
    assert part.binder is None
    assert left < 52 * N
    assert peak < 115 * N


def test_a_gold_that_is_a_table_keeps_no_file(tmp_path: Path) -> None:
    reference = find_reference(competition(tmp_path) / "ref", loading.FILE_NAME)
    (gold,) = parts.opened(reference.gold, None, loading.load(None))
    assert gold.table is not None
    assert gold.content == b""
    assert [type(column) for column in gold.table.columns] == [Words, Coded]
