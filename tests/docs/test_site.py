"""The documentation as a site: it builds, it is complete, and it loads nothing from elsewhere."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from docs.generate import reference
from scoring_program import metrics
from scoring_program.commands.main import COMMANDS
from scoring_program.commands.score import main
from scoring_program.settings.model import Settings
from tests.competitions import EXAMPLE, REPOSITORY
from tests.docs.blocks import PAGES, text

#: Whatever a browser loads by itself: not the links that a reader may follow.
LOADED = re.compile(
    r"<(?:script|img|iframe|source)\b[^>]*?\bsrc=\"?([^\" >]+)"
    r"|<link\b(?![^>]*rel=\"?(?:canonical|prev|next))[^>]*?\bhref=\"?([^\" >]+)"
    r"|\burl\(\s*[\"']?((?:https?:)?//[^)\"']+)",
)


#: Pages that are made, or get their headings, while the site is built.
GENERATED = ("notebook.md", "gallery.md", "security.md")
#: The most words of pages that lead to others: what is longer gets a page of its own.
LONGEST = {
    "explanation/method.md": 3000,
    "how-to/readers.md": 2500,
    "reference/input.md": 2500,
    "reference/outputs.md": 2500,
    "explanation/benchmarks.md": 2500,
}


def rows(table: str) -> list[str]:
    """Return the names in the first column of a table in Markdown."""
    return re.findall(r"^\| `([\w.]+)` \|", table, re.MULTILINE)


def test_every_setting_is_listed() -> None:
    keys = {field.name for field in fields(Settings) if field.metadata} | {"metrics"}
    assert len(keys) > 25
    assert set(rows(reference.settings())) == keys


def test_every_metric_is_listed() -> None:
    assert rows(reference.metrics()) == list(metrics.REGISTRY)


def test_the_help_of_every_command_is_shown() -> None:
    shown = reference.commands()
    for command in COMMANDS:
        assert f"usage: deadheat {command} " in shown


def keys_of(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from keys_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys_of(inner)


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "output"
    assert main([str(EXAMPLE), str(folder), "--resamples", "1000"]) == 0
    return folder


def test_every_key_of_results_json_is_described(output: Path) -> None:
    document = json.loads((output / "results.json").read_text(encoding="utf-8"))
    # Their keys are names: of versions, settings, teams.
    named = ("signature", "settings", "runs", "keys")
    document |= dict.fromkeys(named)
    described = set(re.findall(r"`(\w+)`", text("docs/reference/results.md")))
    ties = {"none", "interval", "max_t"}  # rules, which the settings page describes
    assert set(keys_of(document)) - ties <= described


def test_every_output_is_described(output: Path) -> None:
    described = text("docs/reference/outputs.md")
    for path in output.iterdir():
        assert f"`{path.name}{'/' * path.is_dir()}`" in described


def test_every_page_is_reached_and_every_picture_used() -> None:
    navigation = text("mkdocs.yml")
    pages = [page.removeprefix("docs/") for page in PAGES if page.startswith("docs/")]
    assert [page for page in pages if page not in navigation] == []
    everything = "".join(map(text, PAGES))
    pictures = (REPOSITORY / "docs" / "images").iterdir()
    assert [path.name for path in pictures if f"images/{path.name})" not in everything] == []


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as Python's Markdown names them."""
    written = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    headings = re.findall(r"^#+ (.+)$", written, re.MULTILINE)
    plain = [re.sub(r"[^\w\s-]", "", heading).strip().lower() for heading in headings]
    return {re.sub(r"[\s-]+", "-", heading) for heading in plain}


def test_every_link_between_pages_leads_somewhere() -> None:
    lost = []
    for name in PAGES:
        page = REPOSITORY / name
        for address, anchor in re.findall(r"\]\(([\w./-]*\.md)?(?:#([\w-]+))?\)", text(name)):
            target = page.parent / address if address else page
            if target.name in GENERATED:
                continue
            if not target.is_file() or (anchor and anchor not in anchors(target)):
                lost.append(f"{name}: {address}#{anchor}")
    assert lost == []


@pytest.mark.parametrize(("page", "most"), LONGEST.items())
def test_a_page_is_no_book(page: str, most: int) -> None:
    assert len(text(f"docs/{page}").split()) <= most


def test_readme_fits_a_few_screens() -> None:
    assert len(text("README.md").splitlines()) <= 150


@pytest.mark.skipif(
    importlib.util.find_spec("mkdocs") is None, reason="needs the packages of deadheat[docs]"
)
def test_the_site_builds_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    pages = [path for path in tmp_path.rglob("*") if path.suffix in (".html", ".css")]
    assert len(pages) > len(PAGES)
    for path in pages:
        content = path.read_text(encoding="utf-8")
        loaded = [address for found in LOADED.findall(content) for address in found if address]
        outside = [address for address in loaded if "//" in address]
        assert [address for address in outside if not address.startswith("data:")] == [], path
        assert "<!-- generated" not in content
        assert "$`" not in content
    assert (tmp_path / "gallery" / "example.html").is_file()
    notebook = (tmp_path / "notebook.html").read_text(encoding="utf-8")
    pictures = 3 + 1 + 3  # one for each metric of its three results
    assert notebook.count("data:image/svg+xml;base64,") == pictures
    assert (tmp_path / "notebook.ipynb").is_file()
