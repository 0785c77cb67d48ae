"""How dense the package reads: ``python -m tests.density`` prints the counts of every folder.

``python -m tests.density FOLDER`` lists the places, each with what to write instead.

A name that says grammar tells which word it would be in a sentence, and not what the thing is. A
reader who meets it has to find out elsewhere. `REFUSED` says what to write in its place.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.competitions import REPOSITORY

PACKAGE = REPOSITORY / "scoring_program"
_PARTICIPLE = "say what it is, not what was done to it"
_PRONOUN = "name the thing that it stands for"
_PARTNER = "name both by what tells them apart"
_PREPOSITION = "name what stands there, and not the word before it"
#: Names that say grammar, each with what to write instead.
REFUSED = {
    "found": _PARTICIPLE,
    "given": _PARTICIPLE,
    "held": _PARTICIPLE,
    "kept": _PARTICIPLE,
    "known": _PARTICIPLE,
    "made": _PARTICIPLE,
    "said": _PARTICIPLE,
    "shown": _PARTICIPLE,
    "both": _PRONOUN,
    "each": _PRONOUN,
    "one": _PRONOUN,
    "own": _PRONOUN,
    "other": _PARTNER,
    "others": _PARTNER,
    "rest": _PARTNER,
    "at": _PREPOSITION,
    "of": _PREPOSITION,
}
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
#: The kinds of places that are counted.
GRAMMAR = "names that say grammar"
NESTED = "comprehensions in comprehensions"
TUPLES = "tuples assigned to tuples"
KINDS = (GRAMMAR, NESTED, TUPLES)


@dataclass(frozen=True)
class Place:
    """A line that is dense, and how to write it otherwise."""

    kind: str
    path: Path
    line: int
    remedy: str

    def __str__(self) -> str:
        return f"{self.path.relative_to(REPOSITORY)}:{self.line}: {self.remedy}"


@cache
def parsed(path: Path) -> ast.Module:
    """Return the tree of a module."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path: Path) -> Sequence[ast.AST]:
    """Return all nodes of a module's tree: to walk through it takes longer than to make it."""
    return tuple(ast.walk(parsed(path)))


def places(path: Path, tree: Iterable[ast.AST]) -> Iterator[Place]:
    """Yield the dense places of a module, among the nodes of its tree."""
    for node in tree:
        line = getattr(node, "lineno", 0)
        name = _new_name(node)
        if name in REFUSED:
            yield Place(GRAMMAR, path, line, f"{name!r} says grammar; {REFUSED[name]}")
        if isinstance(node, _COMPREHENSIONS) and _holds_comprehension(node):
            remedy = "a comprehension in a comprehension; write a loop with names, or a function"
            yield Place(NESTED, path, line, remedy)
        if isinstance(node, ast.Assign) and _is_of_tuples(node):
            remedy = "two thoughts in one line; assign one name a line"
            yield Place(TUPLES, path, line, remedy)


def _new_name(node: ast.AST) -> str:
    """Return the name that a node gives to a value or a parameter; empty if it gives none."""
    if isinstance(node, ast.arg):
        return node.arg
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return node.id
    return ""


def _is_of_tuples(node: ast.Assign) -> bool:
    return isinstance(node.value, ast.Tuple) and isinstance(node.targets[0], ast.Tuple)


def _holds_comprehension(node: ast.AST) -> bool:
    return any(isinstance(inner, _COMPREHENSIONS) for inner in ast.walk(node) if inner is not node)


def of_folder(name: str) -> list[Place]:
    """Return the dense places of a folder of the package, or of its loose modules ("")."""
    paths = sorted(PACKAGE.glob("*.py")) if not name else sorted((PACKAGE / name).rglob("*.py"))
    dense: list[Place] = []
    for path in paths:
        dense += places(path, nodes(path))
    return dense


def folders() -> list[str]:
    """Return the folders of the package, and "" for its loose modules."""
    names = {path.relative_to(PACKAGE).parts[0] for path in PACKAGE.glob("*/**/*.py")}
    return ["", *sorted(names)]


def main(listed: Sequence[str]) -> None:
    """List the places of some folders or, by default, print the counts as the test has them."""
    for folder in listed:
        for place in of_folder(folder):
            print(place)
    for folder in () if listed else folders():
        kinds = [place.kind for place in of_folder(folder)]
        counts = ", ".join(str(kinds.count(kind)) for kind in KINDS)
        print(f'    "{folder}": ({counts}),')


if __name__ == "__main__":
    main(sys.argv[1:])
