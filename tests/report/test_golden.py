"""The example's page and tables, byte for byte but for versions and the style sheet.

After a change that is meant: ``python -m pytest tests/report/test_golden.py --accept-golden``, and
look at the difference before it is committed.
"""

from __future__ import annotations

import difflib
import re
from pathlib import Path

import pytest

from scoring_program.pipeline import run
from tests.competitions import EXAMPLE

GOLDEN = Path(__file__).parent / "golden"
FILES = (
    "detailed_results.html",
    "tables/ranking.csv",
    "tables/ranking.tex",
    "tables/ranking.md",
    "tables/differences.csv",
    "tables/differences.tex",
    "tables/differences.md",
    "tables/pairwise.csv",
    "tables/pairwise.tex",
    "tables/pairwise.md",
    "tables/competitiveness.csv",
    "tables/competitiveness.tex",
    "tables/competitiveness.md",
    "tables/paper.tex",
    "tables/paper.md",
    "figures/differences.svg",
)
#: What may differ between machines, and what it is replaced by.
SCRUBS = (
    (r"(Made by Deadheat )[\w.+-]+", r"\1VERSION"),
    (
        r"(<dt><bdi>(?:deadheat|python|numpy|scipy|scikit-learn|statsmodels)</bdi></dt><dd>)[^<]*",
        r"\1VERSION",
    ),
    (r"(-?0\.\d{7})\d+", r"\1"),  # the last digits of sums differ between processors
    (r"(?s)(<style>).*?(</style>)", r"\1\2"),  # looks are for the eye, and for tests in a browser
)


def scrubbed(text: str) -> str:
    for pattern, replacement in SCRUBS:
        text = re.sub(pattern, replacement, text)
    return text


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("golden") / "output"
    run(EXAMPLE, folder)
    return folder


@pytest.mark.parametrize("name", FILES)
def test_the_example_looks_as_it_did(
    output: Path, name: str, pytestconfig: pytest.Config, tmp_path: Path
) -> None:
    made = scrubbed((output / name).read_text(encoding="utf-8"))
    golden = GOLDEN / name
    if pytestconfig.getoption("--accept-golden"):
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(made, encoding="utf-8")
    expected = golden.read_text(encoding="utf-8")
    if made != expected:
        saved = tmp_path / golden.name
        saved.write_text(made, encoding="utf-8")
        lines = difflib.unified_diff(expected.splitlines(), made.splitlines(), "golden", str(saved))
        pytest.fail("\n".join(list(lines)[:60]) + "\nIf this is meant, run with --accept-golden.")


def test_the_example_says_what_the_papers_say(output: Path) -> None:
    page = (output / "detailed_results.html").read_text(encoding="utf-8")
    verdict = (
        "NLPCIC is first (F1 0.7154), but CIMATMTYGTO and DCCDINFOTEC may be as good or better."
    )
    assert f'<p class="says">{verdict}</p>' in page
    assert len(page.encode()) < 1_000_000
