"""Sums of real numbers under whole weights, the same on every processor.

BLAS adds the terms of a matrix product in an order of its own on each kind of processor, and where
a sum is rounded, its last digits tell the order. Nothing is rounded where all terms are multiples
of one power of two, and no sum is larger than 2^53 of it. So real numbers are rounded to such
multiples before they are multiplied. This is the error-free splitting of Ozaki, Ogita, Oishi and
Rump 2012, "Error-free transformations of matrix multiplication", Numerical Algorithms 59, for
weights that are whole numbers anyway.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from .arrays import Bools, Floats

#: Bits of a double's significand.
_DOUBLE = 53
#: What rounding may add to a sum of values of the usual size, relative to it.
_LOST = 2.0**-40
#: So many values of a row tell their usual size, without the largest of these.
_LOOKED_AT = 64
_ENORMOUS = 8
#: A sum of weights is hardly ever so many standard deviations above their number.
_SURPLUS = 8


def multiples(values: Floats, bits: int) -> tuple[Floats, Floats]:
    """Round rows [k, n] to multiples of a power of two each; return them, and the powers [k, 1].

    Sums of the rounded values are exact if the absolute weights add up to less than 2^``bits``.
    """
    with np.errstate(invalid="ignore"):
        largest = np.abs(values).max(axis=1, initial=0.0, keepdims=True)
        steps = np.ldexp(1.0, np.frexp(largest)[1] + (bits - _DOUBLE))
        steps = np.maximum(steps, np.finfo(np.float64).smallest_subnormal)
        rounded = values / steps
        np.rint(rounded, out=rounded)
        rounded *= steps
    return rounded, steps


class ExactSums:
    """The sums of rows of real numbers [k, n] under one set of whole weights after another.

    If some values of a row are enormous beside the others, what rounding leaves of the others is
    summed, too, so that a sum without the enormous ones has as many digits.
    """

    def __init__(self, rows: Floats) -> None:
        # A row of ones gives the sums of the weights. Most metrics have one; else it comes last.
        counted = np.flatnonzero((rows == 1).all(axis=1))
        self._size = len(rows)
        self._ones = int(counted[0]) if counted.size else self._size
        self._rows = rows if counted.size else np.concatenate([rows, np.ones((1, rows.shape[1]))])
        self._bits = (rows.shape[1] + _SURPLUS * math.isqrt(rows.shape[1])).bit_length()
        # The rounded rows, and after them what is left of some; and which rows these are.
        self._pieces, self._places = self._rounded(self._bits)

    def __call__(self, weights: Floats) -> Floats:
        """Return the sums [k, R] under weights [n, R], whole numbers of at least 0."""
        sums = self._pieces @ weights
        places = self._places
        most = int(np.maximum.reduce(sums[self._ones], initial=0.0))
        if most.bit_length() > self._bits:
            pieces, places = self._rounded(most.bit_length())
            sums = pieces @ weights
        if places:
            for place, part in zip(places, sums[len(self._rows) :], strict=True):
                sums[place] += part
        return sums[: self._size]

    def _rounded(self, bits: int) -> tuple[Floats, list[int]]:
        """Return the pieces for weights that add up to less than 2^``bits``, and their rows."""
        rounded, steps = multiples(self._rows, bits)
        pieces = [rounded]
        places: list[int] = []
        allowed = _usual_sizes(self._rows) * (_LOST * math.sqrt(self._rows.shape[1]))
        left = self._rows
        place = np.arange(len(self._rows))
        while True:
            coarse = np.flatnonzero(steps[:, 0] > allowed[place])
            left = left[coarse] - rounded[coarse]
            uneven = left.any(axis=1)
            left = left[uneven]
            place = place[coarse[uneven]]
            if not place.size:
                break
            rounded, steps = multiples(left, bits)
            pieces.append(rounded)
            places.extend(place.tolist())
        return np.concatenate(pieces), places


def products_of_pairs(first: Floats, second: Floats, competing: Bools | None = None) -> Floats:
    """Return firstᵀ·second [m, m] of columns [n, m]; None says that all are ``competing`` [m].

    BLAS adds up the terms in an order that depends on how many columns there are. So the products
    of the competing columns are computed of them alone: the others change no digit of these.
    """
    order: Literal["C", "F"] = "C" if first.flags.c_contiguous else "F"
    products = _products(first, second, order)
    if competing is None or competing.all():
        return products
    columns = np.flatnonzero(competing)
    chosen = first[:, columns]
    beside = chosen if second is first else second[:, columns]
    products[np.ix_(columns, columns)] = _products(chosen, beside, order)
    return products


def _products(first: Floats, second: Floats, order: Literal["C", "F"]) -> Floats:
    """Return firstᵀ·second of columns that lie in memory in the same ``order``.

    BLAS has other ways for another order, and for columns times themselves.
    """
    left = np.asarray(first, order=order)
    right = left if second is first else np.asarray(second, order=order)
    return np.asarray(left.T @ right)


def _usual_sizes(rows: Floats) -> Floats:
    """Return the mean size [k] of values of rows [k, n], without the largest ones of some."""
    step = max(1, rows.shape[1] // _LOOKED_AT)
    sizes = np.sort(np.abs(rows[:, ::step]), axis=1)
    return np.asarray(sizes[:, : max(1, sizes.shape[1] - _ENORMOUS)].mean(axis=1))
