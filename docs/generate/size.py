"""How large the program is: lines of code, modules and records, folder by folder.

A line counts if it holds code: blank lines, comments and docstrings do not. Logic in templates
counts, too: every line with a Jinja tag. ``python -m docs.generate.size`` prints the table.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections import Counter
from pathlib import Path

from .reference import table

REPOSITORY = Path(__file__).resolve().parents[2]
#: Tokens that make no line a line of code.
_SILENT = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENDMARKER,
}  # fmt: skip


def size() -> str:
    """Return the table: a row for each folder of the package, one for the templates, the sum."""
    lines, modules, records = Counter[str](), Counter[str](), Counter[str]()
    package = REPOSITORY / "scoring_program"
    for path in sorted(package.rglob("*.py")):
        folder = (*path.relative_to(package).parts[:-1], "the package itself")[0]
        text = path.read_text(encoding="utf-8")
        lines[folder] += lines_of_code(text)
        modules[folder] += 1
        records[folder] += dataclasses(text)
    for path in (REPOSITORY / "templates").rglob("*.j2"):
        lines["templates (lines with a tag)"] += path.read_text(encoding="utf-8").count("{%")
    rows = [
        (name, f"{lines[name]:,}", str(modules[name] or ""), str(records[name] or ""))
        for name in sorted(lines)
    ]
    total = (f"**{lines.total():,}**", f"**{modules.total()}**", f"**{records.total()}**")
    return table(
        ("folder", "lines of code", "modules", "dataclasses"), [*rows, ("**all**", *total)]
    )


def lines_of_code(text: str) -> int:
    """Return how many lines hold code that is neither a comment nor a docstring."""
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in _SILENT:
            code.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if (
            isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
            and ast.get_docstring(node, clean=False) is not None
        ):
            code.difference_update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    return len(code)


def dataclasses(text: str) -> int:
    """Return how many classes are dataclasses or named tuples."""
    return sum(
        any("dataclass" in ast.unparse(item) for item in node.decorator_list)
        or any(ast.unparse(base) == "NamedTuple" for base in node.bases)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ClassDef)
    )


if __name__ == "__main__":
    print(size())
