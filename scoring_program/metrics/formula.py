"""Composite metrics: arithmetic over other metrics, evaluated on every resample.

Only numbers, names of metrics, + − * / ** and parentheses exist in a formula; anything else is
refused before it is evaluated.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from scoring_program.arrays import Floats
from scoring_program.errors import SettingsError

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

    Raises SettingsError where the text is not arithmetic over names, saying what is not.
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
            text = ast.unparse(node) if isinstance(node, ast.expr) else type(node).__name__
            raise SettingsError(
                f"metric {metric!r}: the formula {formula!r} may hold numbers, names of metrics, "
                f"+ - * / ** and parentheses, not {text!r}"
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
    """Evaluate a formula that `names` has accepted; a division by zero gives nan, not infinity."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        result = np.asarray(_evaluate(ast.parse(formula, mode="eval").body, values), np.float64)
    return np.where(np.isfinite(result), result, np.nan)


def _evaluate(node: ast.expr, values: Mapping[str, Floats]) -> Any:
    if isinstance(node, ast.Name):
        return values[node.id]
    if isinstance(node, ast.Constant):
        # As a float: an integer power could otherwise grow without bound before it meets an array.
        return float(node.value)  # type: ignore[arg-type]
    if isinstance(node, ast.UnaryOp):
        return _UNARY[type(node.op)](_evaluate(node.operand, values))
    assert isinstance(node, ast.BinOp)
    left, right = _evaluate(node.left, values), _evaluate(node.right, values)
    return _BINARY[type(node.op)](np.asarray(left), np.asarray(right))
