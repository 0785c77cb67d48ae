"""The templates of all reasons in the code, which every language file must translate."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

from tests.competitions import REPOSITORY

#: The modules whose errors may be reasons on the page.
MODULES = (
    "core/*.py", "reading/**/*.py", "metrics/**/*.py", "alignment/*.py", "scoring/*.py",
    "bootstrap/*.py",
)  # fmt: skip


@cache
def templates() -> frozenset[str]:
    """Return the templates of phrases that have words, and the nouns that are counted."""
    found: set[str] = set()
    for modules in MODULES:
        for path in REPOSITORY.glob(f"scoring_program/{modules}"):
            found.update(_templates(ast.parse(path.read_text(encoding="utf-8"))))
    return frozenset(text for text in found if re.search(r"[^\W\d_]", _without_places(text)))


def _templates(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        called = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if called == "Phrase":
            yield from _texts(node.args[0])
        elif called != "replace":
            yield from (text for item in node.args for text in _texts(item) if "(s)" in text)


def _texts(node: ast.expr) -> Iterator[str]:
    """Yield the texts that an argument may be: one, or one of two."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)


def _without_places(template: str) -> str:
    return re.sub(r"\{\w+\}", "", template)
