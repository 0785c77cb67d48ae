"""Composite metrics: arithmetic over other metrics, evaluated on every resample.

A formula may hold only numbers, names of metrics, + − * / ** and parentheses, and the functions
``min``, ``max``, ``exp``, ``log`` and ``sqrt``. Everything else is refused before the formula is
evaluated.
"""

from __future__ import annotations

import ast
import functools
import math
import operator
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from ..core.arrays import Floats
from ..core.errors import SettingsError

#: Functions of one argument, and those of two or more.
_OF_ONE: Mapping[Any, Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
}
_OF_SEVERAL: Mapping[Any, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    "min": np.minimum,
    "max": np.maximum,
}


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
    if isinstance(node, (ast.BinOp, ast.UnaryOp)):
        return type(node.op) in (*_OF_ONE, *_OF_SEVERAL)
    if isinstance(node, ast.Call):
        name = getattr(node.func, "id", "")
        count = len(node.args)
        is_function = (name in _OF_ONE and count == 1) or (name in _OF_SEVERAL and count >= 2)
        return is_function and not node.keywords
    return isinstance(node, (ast.operator, ast.unaryop, ast.expr_context))


def _functions(tree: ast.expr) -> set[ast.AST]:
    """Return the names of functions in a formula, which are no names of metrics."""
    return {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}


#: Lower and upper bound of a part of a formula.
Bounds: TypeAlias = tuple[float, float]
_ANY: Bounds = (-math.inf, math.inf)


def directions(formula: str, bounds: Mapping[str, Bounds]) -> tuple[Mapping[str, int], Bounds]:
    """Return how a formula which `names` has accepted changes with its metrics, and its bounds.

    Of each metric, given its ``bounds``: 1 if the value never falls as the metric rises, −1 if it
    never rises, 0 if neither is sure.
    """

    def leaf(value: str | float) -> tuple[Mapping[str, int], Bounds]:
        if isinstance(value, str):  # the name of a metric
            return {value: 1}, bounds[value]
        return {}, (value, value)

    def direction(operation: Any, *parts: Any) -> tuple[Mapping[str, int], Bounds]:
        signs, spans = zip(*parts, strict=True)
        if isinstance(operation, str):
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                ends = [_applied(operation, *corner) for corner in zip(*spans, strict=True)]
            return functools.reduce(_merged, signs), _known(ends)
        if len(parts) == 1:
            low, high = spans[0]
            return (_times(signs[0], -1), (-high, -low)) if operation is ast.USub else parts[0]
        slopes = _slopes(operation, *spans)
        return _merged(*map(_times, signs, slopes)), _span(_OF_SEVERAL[operation], *spans)

    signs, span = _folded(formula, leaf, direction)
    return signs, span


def _slopes(kind: type[ast.operator], left: Bounds, right: Bounds) -> tuple[int, int]:
    """Return the signs of an operation's slopes by its left and its right part; 0 if unsure."""
    if kind in (ast.Add, ast.Sub):
        return 1, 1 if kind is ast.Add else -1
    if kind is ast.Mult:
        return _sign(right), _sign(left)
    if kind is ast.Div:
        return _sign(right), -_sign(left) * abs(_sign(right))
    # A power of a base that may be negative rises only with an odd exponent.
    odd = right[0] == right[1] and right[0] > 0 and right[0] % 2 == 1
    base = _sign(right) if left[0] >= 0 else int(odd)
    return base, 0 if left[0] < 0 else _sign((left[0] - 1, left[1] - 1))


def _sign(bounds: Bounds) -> int:
    if bounds[0] >= 0:
        return 1
    return -1 if bounds[1] <= 0 else 0


def _times(signs: Mapping[str, int], slope: int) -> dict[str, int]:
    return {name: sign * slope for name, sign in signs.items()}


def _merged(first: Mapping[str, int], second: Mapping[str, int]) -> dict[str, int]:
    """Return the signs of a sum: 0 for a metric that one part rises with and another falls with."""
    either = {**second, **first}
    return {name: sign if second.get(name, sign) == sign else 0 for name, sign in either.items()}


def _span(operation: Callable[[Any, Any], Any], left: Bounds, right: Bounds) -> Bounds:
    """Return the bounds of an operation from those of its parts, which it is monotonic in."""
    division = operation is operator.truediv and right[0] <= 0 <= right[1]
    if division or (operation is operator.pow and left[0] < 0):
        return _ANY
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return _known([operation(np.float64(a), np.float64(b)) for a in left for b in right])


def _known(ends: Sequence[Any]) -> Bounds:
    return _ANY if np.isnan(ends).any() else (float(min(ends)), float(max(ends)))


def evaluate(formula: str, values: Mapping[str, Floats]) -> Floats:
    """Evaluate a formula that `names` has accepted.

    A division by zero, or the logarithm or root of a number that has none, gives nan.
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        value = _folded(formula, lambda leaf: values.get(leaf, leaf), _applied)
        result = np.asarray(value, np.float64)
    return np.where(np.isfinite(result), result, np.nan)


def without_value(formula: str, metric: str, entry: object) -> SettingsError:
    """Return the error of a formula that has no value where all its metrics have one."""
    return SettingsError(
        f"metric {metric!r}: the formula {formula!r} is infinite or undefined for {entry}, "
        "although every metric in it has a value there; write a formula that has a value for every "
        "score, such as 1 / (1 + mae) for 1 / mae"
    )


def _folded(formula: str, leaf: Callable[[Any], Any], apply: Callable[..., Any]) -> Any:
    """Return what a formula has, given that of its names and numbers, and of its operations."""
    tree = ast.parse(formula, mode="eval").body
    # A long formula would exhaust the recursion limit. In a walk, a node comes after its parent.
    done: dict[ast.AST, Any] = dict.fromkeys(_functions(tree))
    for node in reversed(list(ast.walk(tree))):
        if node in done:
            continue
        if isinstance(node, ast.Name):
            done[node] = leaf(node.id)
        elif isinstance(node, ast.Constant):
            # A power of Python integers could grow without bound.
            done[node] = leaf(np.float64(node.value))  # type: ignore[arg-type]
        elif isinstance(node, ast.UnaryOp):
            done[node] = apply(type(node.op), done[node.operand])
        elif isinstance(node, ast.BinOp):
            done[node] = apply(type(node.op), done[node.left], done[node.right])
        elif isinstance(node, ast.Call):
            parts = [done[part] for part in node.args]
            done[node] = apply(node.func.id, *parts)  # type: ignore[attr-defined]
    return done[tree]


def _applied(operation: Any, *arguments: Any) -> Any:
    """Return the value of an operation; of min and max, nan if any argument is."""
    if operation in _OF_ONE:
        return _OF_ONE[operation](*arguments)
    return functools.reduce(_OF_SEVERAL[operation], map(np.asarray, arguments))
