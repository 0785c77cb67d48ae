"""Composite metrics: arithmetic over other metrics, evaluated on every resample.

A formula may hold only numbers, names of metrics, + − * / ** and parentheses, and the functions
``min``, ``max``, ``exp``, ``log`` and ``sqrt``. Everything else is refused before the formula is
evaluated.
"""

from __future__ import annotations

import ast
import functools
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
#: Functions of one argument, and those of two or more.
_OF_ONE: dict[str, Callable[[Any], Any]] = {"exp": np.exp, "log": np.log, "sqrt": np.sqrt}
_OF_SEVERAL: dict[str, Callable[[Any, Any], Any]] = {"min": np.minimum, "max": np.maximum}


def names(formula: str, metric: str) -> tuple[str, ...]:
    """Return the metrics that a formula names, each once, in the order of its text.

    Raises SettingsError if the text is not arithmetic over names. The message names the wrong part.
    """
    try:
        tree = ast.parse(formula, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        # A syntax error's own text ends in Python's name and line of the formula.
        why = error.msg if isinstance(error, SyntaxError) else error
        raise SettingsError(
            f"metric {metric!r}: the formula {formula!r} is not arithmetic: {why}"
        ) from error
    of_place: dict[tuple[int, int], str] = {}
    functions = _functions(tree.body)
    for node in ast.walk(tree.body):
        if node in functions:
            continue
        if isinstance(node, ast.Name):
            of_place[node.lineno, node.col_offset] = node.id
        elif not _allowed(node):
            text = ast.get_source_segment(formula, node) or type(node).__name__
            raise SettingsError(
                f"metric {metric!r}: the formula {formula!r} may hold numbers, names of metrics, "
                f"+ - * / ** and parentheses, exp, log and sqrt of one value, min and max of "
                f"several, not {text!r}"
            )
        elif isinstance(node, ast.Constant) and abs(node.value) > sys.float_info.max:  # type: ignore[arg-type]
            raise SettingsError(
                f"metric {metric!r}: the formula holds a number that is too large; write a "
                "smaller one"
            )
    ordered = tuple(dict.fromkeys(of_place[place] for place in sorted(of_place)))
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
    if isinstance(node, ast.Call):
        name, count = getattr(node.func, "id", ""), len(node.args)
        known = (name in _OF_ONE and count == 1) or (name in _OF_SEVERAL and count >= 2)
        return known and not node.keywords
    return isinstance(node, (ast.operator, ast.unaryop, ast.expr_context))


def _functions(tree: ast.expr) -> set[ast.AST]:
    """Return the names of functions in a formula, which are no names of metrics."""
    return {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}


def falling(formula: str) -> tuple[str, ...]:
    """Return the metrics that a formula which `names` has accepted subtracts or divides by.

    Metrics count as positive, so that a product rises with its factors.
    """
    falling_names: dict[str, None] = {}
    above: list[tuple[ast.AST, bool]] = [(ast.parse(formula, mode="eval").body, False)]
    while above:
        node, falls = above.pop()
        if isinstance(node, ast.Name) and falls:
            falling_names[node.id] = None
        elif isinstance(node, ast.UnaryOp):
            above.append((node.operand, falls != isinstance(node.op, ast.USub)))
        elif isinstance(node, ast.BinOp):
            left, right = falls, falls != isinstance(node.op, (ast.Sub, ast.Div))
            if isinstance(node.op, (ast.Mult, ast.Div, ast.Pow)):
                left, right = left != _is_negative(node.right), right != _is_negative(node.left)
            if isinstance(node.op, ast.Pow) and isinstance(node.left, ast.Constant):
                right = right != (abs(node.left.value) < 1)  # type: ignore[arg-type]
            above += [(node.left, left), (node.right, right)]
        elif isinstance(node, ast.Call):
            above += [(part, falls) for part in node.args]
    return tuple(sorted(falling_names))


def _is_negative(node: ast.AST) -> bool:
    """Whether a part of a formula is a negative number."""
    negative = False
    while isinstance(node, ast.UnaryOp):
        negative, node = negative != isinstance(node.op, ast.USub), node.operand
    return negative and isinstance(node, ast.Constant)


def evaluate(formula: str, values: Mapping[str, Floats]) -> Floats:
    """Evaluate a formula that `names` has accepted.

    A division by zero, or the logarithm or root of a number that has none, gives nan.
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        result = np.asarray(_evaluate(ast.parse(formula, mode="eval").body, values), np.float64)
    return np.where(np.isfinite(result), result, np.nan)


def without_value(formula: str, metric: str, entry: object) -> SettingsError:
    """Return the error of a formula that has no value where all its metrics have one."""
    return SettingsError(
        f"metric {metric!r}: the formula {formula!r} is infinite or undefined for {entry}, "
        "although every metric in it has a value there; write a formula that has a value for every "
        "score, such as 1 / (1 + mae) for 1 / mae"
    )


def _evaluate(tree: ast.expr, values: Mapping[str, Floats]) -> Any:
    # A long formula would exhaust the recursion limit. In a walk, a node comes after its parent.
    done: dict[ast.AST, Any] = dict.fromkeys(_functions(tree))
    for node in reversed(list(ast.walk(tree))):
        if node in done:
            continue
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
        elif isinstance(node, ast.Call):
            done[node] = _called(node.func.id, [done[part] for part in node.args])  # type: ignore[attr-defined]
    return done[tree]


def _called(name: str, arguments: list[Any]) -> Any:
    """Return the value of a function; of min and max, nan if any argument is."""
    if name in _OF_ONE:
        return _OF_ONE[name](arguments[0])
    return functools.reduce(_OF_SEVERAL[name], arguments)
