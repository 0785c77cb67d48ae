"""README and the documentation, word for word: commands run, settings load, outputs are as shown.

A page is followed in a copy of the repository. A block with a title is written to the file that the
title names, a block ``sh`` runs, and every line of a block ``output`` must occur in what the last
command printed.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scoring_program
from scoring_program.metrics import organizer
from scoring_program.metrics.organizer import facts
from scoring_program.settings import loading
from scoring_program.settings.model import Settings
from tests.competitions import REPOSITORY
from tests.docs.blocks import PAGES, Block, blocks, text
from tests.sweeps import swept

#: Commands that are not run here, by a word of theirs, and why.
NOT_RUN = {
    "pip install": "it downloads packages; a slow test below does it",
    "docker ": "it needs Docker, and downloads an image",
    "tests.bundle.relock": "it downloads packages; a full test of the bundle does so",
    "bin/tox": "it runs these very tests",
    "-m slow": "it runs for an hour",
    "--search": "it runs for an hour",
    "dask ": "it needs a cluster; slow tests of the bootstrap start one",
    "ray start": "it needs a cluster; slow tests of the bootstrap start one",
    "tests.benchmarks": "it runs for an hour",
    "tests.hostile.mutants": "it runs for an hour",
    "mkdocs": "test_site.py builds the documentation",
    "git tag": "it makes a release",
}
#: Sections whose commands download data. Every one can be followed by itself.
REAL_DATA = "With real data"
#: Recipes of CONTRIBUTING.md: the files of tests that each touches, and which tests of them.
RECIPES = {
    "Add a metric": (
        "tests/metrics/test_registry.py tests/metrics/test_sample_weights.py",
        "close_share or which or every_metric",
    ),
    "Add a format": ("tests/reading/test_installed.py tests/settings", "format or option"),
    "Add a kind of data": ("tests/metrics/test_registry.py", "every_metric"),
    "Add a section of the page": ("tests/report/test_sections.py", "section"),
}
#: What reads every module and every sentence.
OF_THE_HOUSE = {
    "tests/core/test_catalogs.py": "test_catalogs",
    "tests/test_architecture.py": "test_architecture",
    "tests/test_density.py": "test_density",
}
#: Scores of the real data as they were published, by page: the folder of the results, the metric,
#: how a published score follows from ours, and the scores, or that of the only submission.
#: Derczynski and others 2017; the README of the human evaluations by Freitag and others 2021; the
#: means of `pass@1` in the logs; what errant_compare 3.0.2 and brateval print; the `.eval.tsv` of
#: the parses, the README of dutchcoref, and the notebook about the masks.
PUBLISHED: dict[str, list[tuple[str, str, float, dict[str, float] | float]]] = {
    "docs/how-to/tags.md": [(
        "wnut-results", "entity_f1", 100,
        {"uh_ritual": 41.86, "spinningbytes": 40.78, "sjtu_adapt": 40.42, "arcada": 39.98,
         "flytxt": 38.35, "mic-cis": 37.06, "drexel_cci": 26.30},
    )],
    "docs/how-to/tables.md": [(
        "news-results", "mqm_avg_score", -1,
        {"ref-C": 0.51, "VolcTrans-GLAT": 1.04, "Facebook-AI": 1.05, "ref-A": 1.22, "Nemo": 1.34,
         "HuaweiTSC": 1.38, "Online-W": 1.46, "UEdin": 1.51, "eTranslation": 1.70,
         "VolcTrans-AT": 1.74},
    )],
    "docs/how-to/logs.md": [(
        "lcb-results", "pass", 100, {"O1-Mini-2024-09-12": 68.41, "O1-Preview-2024-09-12": 55.57},
    )],
    "docs/how-to/readers/corrections.md": [(
        "bea-results", "f_half", 100,
        {"T5-Large.m2": 60.11, "GECToR-XLNet.m2": 57.11, "UEDIN-MS.m2": 56.42,
         "GECToR-Roberta.m2": 56.01, "Kakao-Brain.m2": 55.71, "Riken-Tohoku.m2": 53.95},
    )],
    "docs/how-to/readers/parses.md": [(
        "maibaam-results", "las", 100,
        {"udpipe_gsd.conllu": 65.79, "udpipe_hdt.conllu": 61.55, "stanza_gsd.conllu": 24.89,
         "stanza_hdt.conllu": 20.67, "gsd_vanilla_gbert_1234.conllu": 34.89},
    )],
    "docs/how-to/readers/coreference.md": [
        ("article-results", "conll", 100, {"dutchcoref": 71.01, "coreawebservice": 35.22}),
    ],
    "docs/how-to/readers/brat.md": [("patents-results", "entities", 100, 99.02)],
    "docs/how-to/readers/amr.md": [
        ("prince-results", "smatch", 100, {"bart.amr": 74.81, "t5.amr": 74.81}),
    ],
    "docs/how-to/readers/boxes.md": [("coco-results", "ap50", 100, 69.70)],
    "docs/how-to/readers/masks.md": [("tumors-results", "dice", 100, 47.50582)],
}  # fmt: skip
#: A file that shows whether anything can be downloaded, and how long curl may try.
REMOTE = (
    "https://raw.githubusercontent.com/tsoumakas/mulan/43f6389095ad71984264db4387a8074b22bc7d4a/"
    "data/multi-label/emotions/emotions.xml"
)
PATIENCE = "connect-timeout = 10\nmax-time = 120\n"
#: What `deadheat` is where the package is not installed.
COMMAND = """\
#!/bin/sh
export PYTHONPATH={clone}
exec {python} -c 'import sys; from scoring_program.commands.main import main; sys.exit(main())' "$@"
"""
#: Lets Python blocks import the copy under the name it has where it is installed.
IMPORT = "import sys, scoring_program\nsys.modules['deadheat'] = scoring_program\n"
#: What the bundle command says of its bundle.
SIZE = re.compile(r"codabench\.zip: ([0-9.]+) MiB, ready to upload")
#: README comes first: the fast run follows it alone, and the full run every page with commands.
RUN_HERE = [page for page in PAGES if any(block.language == "sh" for block in blocks(page))]
WITH_REAL_DATA = [
    page for page in PAGES if any(block.section == REAL_DATA for block in blocks(page))
]
IN_PYTHON = [
    page for page in PAGES if any(b.language == "python" and not b.file for b in blocks(page))
]


def runs(block: Block) -> bool:
    return block.language == "sh" and not any(word in block.text for word in NOT_RUN)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A copy of the repository as a clone has it, with the bytecode of what is never edited."""
    left_out = shutil.ignore_patterns(".*", "*.egg-info", "*.pyc.*", "build", "output")
    return Path(shutil.copytree(REPOSITORY, tmp_path / "clone", ignore=left_out))


@pytest.fixture
def programs(tmp_path: Path, clone: Path) -> Path:
    """A folder with the command ``deadheat`` of the copy."""
    folder = tmp_path / "bin"
    folder.mkdir()
    command = folder / "deadheat"
    command.write_text(COMMAND.format(python=sys.executable, clone=clone))
    command.chmod(0o755)
    # What runs the tests stands for the environment that README makes.
    (clone / ".venv" / "bin").mkdir(parents=True)
    (clone / ".venv" / "bin" / "activate").touch()
    return folder


@pytest.fixture(scope="session")
def downloads() -> None:
    """Skip tests that download where nothing can be downloaded."""
    command = ["curl", "-sSfL", "-o", os.devnull, REMOTE]
    try:
        subprocess.run(command, capture_output=True, check=True, timeout=10)
    except (OSError, subprocess.SubprocessError) as error:  # no curl, no network, or no answer
        pytest.skip(f"nothing can be downloaded: {error}")


def shell(command: str, folder: Path, *programs: Path) -> str:
    """Run a command with these programs before others, and return what it prints."""
    path = os.pathsep.join([*map(str, programs), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-e", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path, "CURL_HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    signs = ("cannot be downloaded", "No matching distribution", "curl: (")
    if any(sign in done.stderr for sign in signs):
        pytest.skip(f"what is needed cannot be downloaded: {done.stderr}")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def follow(
    page: str, clone: Path, *programs: Path, real_data: bool = False, section: str = ""
) -> None:
    """Do what a page says, from its first block to its last; or what its `REAL_DATA` says.

    Real data may be read by files that the rest of the page shows. With a ``section``, do what
    this one says.
    """
    printed = ""
    for block in blocks(page):
        if section and block.section != section:
            continue
        here = (block.section == REAL_DATA) == real_data
        if not here and not (real_data and block.file):
            continue
        if block.language == "diff":
            edit(clone / block.file, block.text)
        elif block.file:
            file = clone / block.file
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, encoding="utf-8")
        elif runs(block):
            folder = starting_kit(clone) if "check.pyz" in block.text else clone
            printed = shell(block.text, folder, *programs)
            if SIZE.search(text(page)) and (said := SIZE.search(printed)):
                # Of the image's Python, with bytecode, and of another one.
                promised = map(float, re.findall(r"([0-9.]+) MiB", text(page)))
                # Both are rounded to a tenth; a page that is a tenth behind still tells the truth.
                assert any(abs(float(said[1]) - size) < 0.15 for size in promised)
            if "check.pyz" in block.text:
                assert "predictions.csv: the file can be scored" in printed
                assert (folder / "submission.zip").is_file()
        elif block.language == "output":
            for line in block.text.splitlines():
                assert line in printed


def edit(file: Path, difference: str) -> None:
    """Make the changes of a diff, whose hunks stand between lines of ``@@``."""
    content = file.read_text(encoding="utf-8")
    for hunk in difference.split("@@\n"):
        lines = hunk.splitlines(keepends=True)
        old = "".join(line[1:] for line in lines if line[0] in " -")
        new = "".join(line[1:] for line in lines if line[0] in " +")
        assert content.count(old) == 1, f"{file.name} does not hold, once:\n{old}"
        content = content.replace(old, new)
    file.write_text(content, encoding="utf-8")


def starting_kit(clone: Path) -> Path:
    """Unpack the bundle's starting kit, beside predictions, and return the folder."""
    folder = clone / "kit"
    with zipfile.ZipFile(clone / "codabench.zip") as bundle:
        kit = io.BytesIO(bundle.read("starting_kit_0.zip"))
    zipfile.ZipFile(kit).extractall(folder)
    shutil.copy(clone / "example" / "sample_solution" / "predictions.csv", folder)
    return folder


@pytest.mark.parametrize("page", swept(RUN_HERE))
def test_a_page_can_be_followed(page: str, clone: Path, programs: Path) -> None:
    follow(page, clone, programs, Path(sys.executable).parent)


@pytest.mark.parametrize(
    ("recipe", "house"),
    swept([(next(iter(RECIPES)), False), *((recipe, True) for recipe in RECIPES)]),
)
def test_a_recipe_passes_the_tests_that_it_touches(
    recipe: str, house: bool, clone: Path, programs: Path
) -> None:
    """A newcomer who follows one recipe as it is printed, and no other, breaks nothing.

    The fast run leaves out the tests of the house, which take longer than those of a recipe.
    """
    follow("CONTRIBUTING.md", clone, programs, Path(sys.executable).parent, section=recipe)
    touched = [RECIPES[recipe], *(OF_THE_HOUSE.items() if house else ())]
    files = " ".join(paths for paths, _ in touched)
    words = " or ".join(chosen for _, chosen in touched)
    tests = f"python -m pytest -q -n 0 {files} -k '{words}'"
    shell(tests, clone, programs, Path(sys.executable).parent)


def test_every_recipe_is_followed() -> None:
    with_files = {block.section for block in blocks("CONTRIBUTING.md") if block.language == "diff"}
    assert with_files == {*RECIPES}


@pytest.mark.full
@pytest.mark.usefixtures("downloads")
@pytest.mark.parametrize("page", WITH_REAL_DATA)
def test_real_data_are_scored_as_shown(page: str, clone: Path, programs: Path) -> None:
    (clone / ".curlrc").write_text(PATIENCE)
    follow(page, clone, programs, Path(sys.executable).parent, real_data=True)
    for folder, metric, factor, published in PUBLISHED.get(page, []):
        scores = json.loads((clone / folder / "scores.json").read_text())
        own = published if isinstance(published, dict) else {"": published}
        found = {name: factor * scores[f"{metric}.{name}".strip(".")] for name in own}
        assert found == pytest.approx(own, abs=0.00501)


def test_no_other_section_downloads() -> None:
    found = {page: block for page in PAGES for block in blocks(page) if "curl" in block.text}
    assert set(found) == set(WITH_REAL_DATA) != set()
    assert {block.section for block in found.values()} == {REAL_DATA}


@pytest.mark.full
def test_the_kaggle_folder_is_scored_as_promised(clone: Path, programs: Path) -> None:
    follow("docs/how-to/kaggle.md", clone, programs, Path(sys.executable).parent)
    scores = json.loads((clone / "kaggle-results" / "scores.json").read_text())
    page = (clone / "kaggle-results" / "detailed_results.html").read_text(encoding="utf-8")
    assert 'href="#shake_up"' in page
    own = json.loads((clone / "own-metric" / "scores.json").read_text())
    for key in ("", "public_"):
        assert own[f"{key}score.NLPCIC"] == scores[f"{key}accuracy.NLPCIC"]


@pytest.mark.slow
def test_readme_in_a_new_environment(clone: Path) -> None:
    install = next(block for block in blocks("README.md") if "pip install ." in block.text)
    printed = shell(install.text, clone)
    (verdict,) = re.findall(r"```text\n(NLPCIC .*)\n```", text("README.md"))
    assert verdict in printed
    assert (clone / "output" / "detailed_results.html").is_file()
    # What CodaLab's bundle needs, as its section says.
    assert "`pip install '.[bundle]'`" in "".join(map(text, PAGES))
    shell("pip install --quiet '.[bundle]'", clone, clone / ".venv" / "bin")
    for page in ("docs/how-to/codabench.md", "docs/how-to/codalab.md"):
        follow(page, clone, clone / ".venv" / "bin")


@pytest.mark.skipif(
    not callable(getattr(scoring_program, "compare", None)), reason="the Python API is not there"
)
@pytest.mark.parametrize("page", swept(IN_PYTHON))
def test_python_runs(page: str, clone: Path) -> None:
    found = [block.text for block in blocks(page) if block.language == "python" and not block.file]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", IMPORT + "\n".join(found)],
        cwd=clone,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def untitled_settings() -> list[str]:
    return [
        block.text
        for page in PAGES
        for block in blocks(page)
        if block.language == "yaml" and not block.file
    ]


@pytest.mark.parametrize("number", range(len(untitled_settings())))
def test_settings_are_valid(tmp_path: Path, number: int) -> None:
    path = tmp_path / "scoring.yaml"
    path.write_text(untitled_settings()[number], encoding="utf-8")
    assert loading.load(path) != Settings()


def test_a_metric_a_format_a_kind_and_a_section_take_twenty_lines() -> None:
    files = [
        block for block in blocks("CONTRIBUTING.md") if block.file and block.language == "python"
    ]
    assert [block.file.split("/")[-2] for block in files] == [
        *("families", "formats", "formats", "kinds", "sections"),
    ]
    for block in files:
        assert sum(map(bool, block.text.splitlines())) <= 20, block.file


def test_the_metric_of_a_package_is_what_its_page_shows() -> None:
    shown = {block.file: block.text for block in blocks("docs/how-to/plug-in-metrics.md")}
    assert f'[project.entry-points."{organizer.GROUP}"]' in shown["hit-rate/pyproject.toml"]
    assert 'hit_rate = "hit_rate:hit_rate"' in shown["hit-rate/pyproject.toml"]
    module: dict[str, Any] = {}
    exec(compile(shown["hit-rate/hit_rate.py"], "hit_rate.py", "exec"), module)
    call = module["hit_rate"]
    assert facts(call, "hit_rate", "hit-rate 1.0", default="gold") == ("labels", True)
    assert call(np.array(["a", "b"]), np.array(["a", "c"])) == 0.5


def test_the_glossary_is_in_order() -> None:
    words = re.findall(r"^\| ([^|]+) \|", text("docs/glossary.md"), re.MULTILINE)[2:]
    assert words == sorted(words, key=lambda word: word.replace("-", " "))
    assert {"possible winner", "tied with the leader"} <= set(words)


def test_every_exception_is_needed() -> None:
    commands = [block.text for page in PAGES for block in blocks(page) if block.language == "sh"]
    assert [word for word in NOT_RUN if not any(word in command for command in commands)] == []


#: Pages about platforms, which change: a claim is true of a date.
_OF_PLATFORMS = (
    "how-to/codabench",
    "how-to/codalab",
    "how-to/other-platforms",
    "explanation/what-platforms-show",
)
_PLATFORM = re.compile(
    r"Codabench('s)?\b|CodaLab('s)?\b|EvalAI|Hugging Face|AIcrowd|TIRA|grand-challenge"
)
_DATED = re.compile(
    r"(January|February|March|April|May|June|July|August|September|October|November|December)"
    r"\s20\d\d"
)


@pytest.mark.parametrize("name", _OF_PLATFORMS)
def test_what_is_said_of_a_platform_has_a_date(name: str) -> None:
    """Each section that names a platform says of when it is; so does the page as a whole."""
    page = text(f"docs/{name}.md")
    prose = re.sub(r"^```.*?^```$", "", page, flags=re.M | re.S)
    assert _DATED.search(prose)
    undated = []
    for section in prose.split("\n## ")[1:]:
        heading, _, told = section.partition("\n")
        if _PLATFORM.search(told) and not _DATED.search(told):
            undated.append(heading)
    assert undated == []


def test_security_is_short() -> None:
    """It is who is trusted with what, the limits, and how to report; all else is under docs."""
    page = text("SECURITY.md")
    assert len(page.encode()) <= 5 * 1024
    assert re.findall(r"^## (.*)$", page, flags=re.M) == [
        "Who is trusted with what", "Limits", "Report a problem",
    ]  # fmt: skip
