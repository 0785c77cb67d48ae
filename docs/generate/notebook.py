"""The notebook as a page: it is run while the site is built, so its results are those of today."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from nbconvert import MarkdownExporter
from nbconvert.preprocessors import ExecutePreprocessor

REPOSITORY = Path(__file__).resolve().parents[2]
NOTEBOOK = REPOSITORY / "docs" / "notebook.ipynb"
#: Runs before the first cell: ``deadheat`` is this clone, installed or not.
_SETUP = "import sys, scoring_program\nsys.modules['deadheat'] = scoring_program"
_SECONDS = 300


def executed() -> Any:
    """Return the notebook with the outputs of a run from the repository's root.

    Raises
    ------
    nbclient.exceptions.CellExecutionError
        A cell fails.
    """
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(_SETUP))
    runner = ExecutePreprocessor(timeout=_SECONDS, kernel_name="python3")
    runner.preprocess(notebook, {"metadata": {"path": str(REPOSITORY)}})
    del notebook.cells[0]
    return notebook


def page() -> str:
    """Return the notebook, run, as a page in Markdown."""
    text, _ = MarkdownExporter().from_notebook_node(executed())
    download = "[Download this notebook](notebook.ipynb){download}"
    head, _, rest = str(text).lstrip().partition("\n")
    return f"{head}\n\n{download}\n{rest}"
