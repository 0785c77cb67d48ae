"""Templates that were compiled before: used by the same Jinja2 only, and the same pages."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from jinja2 import ChoiceLoader, Environment

from scoring_program.core import templates

ROWS = [("left", "A"), ("right", "<b>")]
CAUTION = {"level": "amber", "message": "beware"}
SAID = {"sentence": "A leads.", "cautions": [CAUTION], "picture": None}
EXHIBIT = {**SAID, "table": [ROWS, ROWS]}


@pytest.fixture
def packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of templates as a wheel or a bundle holds them; returns that of the compiled."""
    ready = templates.compiled()
    folder = tmp_path / "templates"
    shutil.copytree(templates.templates_folder(), folder)
    (folder / templates.COMPILED).mkdir(exist_ok=True)
    for name, content in ready.items():
        (folder / templates.COMPILED / name).write_bytes(content)
    monkeypatch.setattr(templates, "templates_folder", lambda: folder)
    return folder / templates.COMPILED


def shown(environment: Environment) -> tuple[str, str]:
    """Return a page, and the name of the file that its template was read from."""
    template = environment.get_template("notebook.html.j2")
    page = template.render(exhibits=[EXHIBIT])
    return page, Path(str(template.filename)).name


def test_compiled_templates_write_the_same_pages(packed: Path) -> None:
    page, file = shown(templates.environment())
    assert file in templates.compiled()
    for name in templates.compiled():
        (packed / name).unlink()
    assert shown(templates.environment()) == (page, "notebook.html.j2")
    assert "&lt;b&gt;" in page


def test_another_version_of_jinja2_reads_the_sources(packed: Path) -> None:
    assert isinstance(templates.environment().loader, ChoiceLoader)
    (packed / templates.MADE_BY).write_text("3.0.0")
    assert shown(templates.environment())[1] == "notebook.html.j2"
