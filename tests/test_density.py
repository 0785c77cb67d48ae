"""The package reads as loosely as it did, or better: no folder is denser than the table says."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.density import (
    GRAMMAR,
    KINDS,
    NESTED,
    PACKAGE,
    TUPLES,
    folders,
    nodes,
    of_folder,
    parsed,
    places,
)

#: Folder → how many names that say grammar, comprehensions in comprehensions and tuples assigned
#: to tuples it may have. The numbers only fall: lower them when you have made a folder better, with
#: the line that ``python -m tests.density`` prints. "" are the loose modules.
MOST = {
    "": (0, 0, 0),
    "announcing": (0, 0, 0),
    "api": (2, 0, 0),
    "audit": (0, 0, 0),
    "bootstrap": (0, 0, 0),
    "bundle": (0, 0, 0),
    "commands": (0, 0, 0),
    "core": (0, 0, 0),
    "data": (0, 0, 0),
    "document": (0, 0, 0),
    "inference": (0, 0, 0),
    "metrics": (0, 0, 0),
    "reading": (1, 0, 0),
    "recognize": (2, 1, 0),
    "report": (0, 0, 0),
    "scoring": (0, 0, 0),
    "settings": (0, 0, 0),
}
#: A new folder has none of them.
NONE = (0, 0, 0)
#: The beginning or the end of an element, which belongs into a template.
_HTML = re.compile(
    r"<!DOCTYPE|</?(a|body|details|div|em|footer|h[1-6]|head|html|li|main|meta|ol|p|script|section"
    r"|span|strong|style|summary|table|tbody|td|th|thead|title|tr|ul)(\s[^<>]*)?/?>",
    re.IGNORECASE,
)


@pytest.fixture(scope="module", autouse=True)
def _forgotten() -> Iterator[None]:
    """Keep no tree for other tests, in which every collection of garbage would walk them all."""
    yield
    parsed.cache_clear()
    nodes.cache_clear()


@pytest.mark.parametrize("folder", folders())
def test_no_folder_is_denser_than_before(folder: str) -> None:
    dense = of_folder(folder)
    for kind, most in zip(KINDS, MOST.get(folder, NONE), strict=True):
        number = sum(place.kind == kind for place in dense)
        assert number <= most, (
            f"{folder or 'the loose modules'}: {number} {kind}, at most {most} were there before; "
            f"python -m tests.density {folder} lists them with what to write instead"
        )


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("found = 1\n", [GRAMMAR]),
        ("def f(own): pass\n", [GRAMMAR]),
        ("for one in rows: pass\n", [GRAMMAR]),
        ("names = [other for other in rows]\n", [GRAMMAR]),
        ("rows = [[cell for cell in row] for row in table]\n", [NESTED]),
        ("first, second = 1, 2\n", [TUPLES]),
        ("first, second = pair\n", []),
        ("score.found = 1\nprint(own)\n", []),
        ("foundation = [row for row in table]\n", []),
    ],
)
def test_what_is_counted(text: str, kinds: list[str]) -> None:
    assert [
        place.kind for place in places(PACKAGE / "module.py", ast.walk(ast.parse(text)))
    ] == kinds


def test_a_refusal_says_why_and_what_to_write() -> None:
    (place,) = places(PACKAGE / "module.py", ast.walk(ast.parse("found = 1\n")))
    assert str(place) == (
        "scoring_program/module.py:1: 'found' says grammar; say what it is, not what was done to it"
    )


def _texts(path: Path) -> list[str]:
    """Return the texts in a module that are no docstrings."""
    docstrings = set()
    for node in nodes(path):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(
            node
        ):
            docstrings.add(id(node.body[0].value))  # type: ignore[attr-defined]
    return [
        node.value
        for node in nodes(path)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in docstrings
    ]


def test_no_module_holds_html() -> None:
    """Pages are templates. SVG is made of marks."""
    holders = [
        path.relative_to(PACKAGE).as_posix()
        for path in sorted(PACKAGE.rglob("*.py"))
        if any(map(_HTML.search, _texts(path)))
    ]
    assert holders == ["bundle/leaks.py"]  # which looks for rows of tables in what others wrote
    assert _HTML.search('<p class="legend">')
    assert not _HTML.search("a < b and <name>")


def test_one_module_makes_the_environments_of_templates() -> None:
    makers = [
        path.relative_to(PACKAGE).as_posix()
        for path in sorted(PACKAGE.rglob("*.py"))
        if re.search(r"\bEnvironment\(", path.read_text(encoding="utf-8"))
    ]
    assert makers == ["core/templates.py"]
