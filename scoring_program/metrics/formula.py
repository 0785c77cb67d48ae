"""Composite metrics: arithmetic over other metrics, evaluated on every resample.

A formula may hold only numbers, names of metrics, + − * / ** and parentheses. Everything else is
refused before the formula is evaluated.
"""

from __future__ import annotations

import ast
import operator
import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..core.arrays import Floats
from ..core.errors import SettingsError

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}


def names(formula: str, metric: str) -> tuple[str, ...]:
    """Return the metrics that a formula names, each once, in the order of its text.

    Raises SettingsError if the text is not arithmetic over names. The message names the wrong part.
    """
    try:
        tree = ast.parse(formula, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise SettingsError(
            f"metric {metric!r}: the formula {formula!r} is not arithmetic: {error}"
        ) from error
    found: dict[tuple[int, int], str] = {}
    for node in ast.walk(tree.body):
        if isinstance(node, ast.Name):
            found[node.lineno, node.col_offset] = node.id
        elif not _allowed(node):
            text = ast.get_source_segment(formula, node) or type(node).__name__
            raise SettingsError(
                f"metric {metric!r}: the formula {formula!r} may hold numbers, names of metrics, "
                f"+ - * / ** and parentheses, not {text!r}"
            )
        elif isinstance(node, ast.Constant) and abs(node.value) > sys.float_info.max:  # type: ignore[arg-type]
            raise SettingsError(
                f"metric {metric!r}: the formula holds a number that is too large; write a "
                "smaller one"
            )
    ordered = tuple(dict.fromkeys(found[place] for place in sorted(found)))
    if not ordered:
        raise SettingsError(f"metric {metric!r}: the formula {formula!r} names no metric")
    return ordered


def _allowed(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return type(node.value) in (int, float)
    if isinstance(node, ast.BinOp):
        return type(node.op) in _BINARY
    if isinstance(node, ast.UnaryOp):
        return type(node.op) in _UNARY
    return isinstance(node, (ast.operator, ast.unaryop, ast.expr_context))


def evaluate(formula: str, values: Mapping[str, Floats]) -> Floats:
    """Evaluate a formula that `names` has accepted. A division by zero gives nan, not infinity."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        result = np.asarray(_evaluate(ast.parse(formula, mode="eval").body, values), np.float64)
    return np.where(np.isfinite(result), result, np.nan)


def _evaluate(tree: ast.expr, values: Mapping[str, Floats]) -> Any:
    # A long formula would exhaust the recursion limit. In a walk, a node comes after its parent.
    done: dict[ast.AST, Any] = {}
    for node in reversed(list(ast.walk(tree))):
        if isinstance(node, ast.Name):
            done[node] = values[node.id]
        elif isinstance(node, ast.Constant):
            # A power of Python integers could grow without bound.
            done[node] = float(node.value)  # type: ignore[arg-type]
        elif isinstance(node, ast.UnaryOp):
            done[node] = _UNARY[type(node.op)](done[node.operand])
        elif isinstance(node, ast.BinOp):
            left, right = np.asarray(done[node.left]), np.asarray(done[node.right])
            done[node] = _BINARY[type(node.op)](left, right)
    return done[tree]
