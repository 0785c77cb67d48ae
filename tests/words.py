"""The English sentences of the code and the templates, which every catalog translates."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from scoring_program.core.catalogs import load
from scoring_program.metrics.kinds.multilabel import VARIANTS
from scoring_program.metrics.registry import REGISTRY
from tests.competitions import REPOSITORY

#: Errors, and a function that makes one, whose first argument may be a sentence.
_FIRST = {"SubmissionError", "LimitExceeded", "refusal"}
#: Functions whose second argument may be a sentence: `Problems.add` and two of `reading.files`.
_SECOND = {"add", "broken_file", "empty_container"}
#: A call in a template: ``_("A sentence")``.
_IN_TEMPLATES = re.compile(r'\b_\(\s*("(?:[^"\\]|\\.)*")')


class Sentence(NamedTuple):
    """A sentence as gettext knows it."""

    one: str
    many: str = ""
    context: str = ""

    @property
    def key(self) -> str:
        """Its key in a catalog."""
        context = f"{self.context}\x04" if self.context else ""
        return f"{context}{self.one}" + (f"\0{self.many}" if self.many else "")

    @property
    def has_words(self) -> bool:
        """Whether there is anything to translate."""
        return bool(re.search(r"[^\W\d_]", re.sub(r"\{[\w:]+\}", "", self.one)))


@cache
def sentences(*places: str) -> frozenset[Sentence]:
    """Return every sentence with words that the program, or some of its modules, may say."""
    found: set[Sentence] = set()
    for path in REPOSITORY.glob("scoring_program/**/*.py"):
        name = path.relative_to(REPOSITORY / "scoring_program").as_posix()
        if name.startswith(places or "") and not name.startswith("commands/"):  # they print
            found.update(_in_code(ast.parse(path.read_text(encoding="utf-8"))))
    if not places:
        found |= {Sentence(row.label, "", "metric") for row in (*REGISTRY.values(), *VARIANTS)}
        for path in REPOSITORY.glob("templates/**/*.j2"):
            for text in _IN_TEMPLATES.findall(path.read_text(encoding="utf-8")):
                found.add(Sentence(ast.literal_eval(text)))
    return frozenset(sentence for sentence in found if sentence.has_words)


def longest_part(sentence: str, code: str) -> str:
    """Return the longest part, between its places, of a sentence in a language."""
    assert Sentence(sentence) in sentences(), sentence
    return max(re.split(r"\{[\w:]+\}", load(code).catalog.gettext(sentence)), key=len).strip()


def _in_code(tree: ast.Module) -> Iterator[Sentence]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        called = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if called == "of_rivals":
            yield from (Sentence(text) for item in node.args for text in _texts(item))
        elif called in _FIRST or (called == "MetricError" and node.keywords):
            yield from map(Sentence, _texts(node.args[0]))
        elif called in _SECOND and len(node.args) > 1:
            yield from map(Sentence, _texts(node.args[1]))
        elif called in {"Phrase", "say", "gettext_noop", "ngettext_noop"}:
            given = [list(_texts(item)) for item in node.args[:2]]
            many = given[1][0] if len(given) > 1 and given[1] else ""
            context = "".join(
                text
                for item in node.keywords
                if item.arg == "context"
                for text in _texts(item.value)
            )
            yield from (Sentence(one, many, context) for one in given[0])


def _texts(node: ast.expr) -> Iterator[str]:
    """Yield the texts that an argument may be: one, or one of two."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)
