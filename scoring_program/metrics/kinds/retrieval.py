"""Measures of ranked lists: the mean over queries of what ir_measures computes for each.

A measure is written as ir_measures writes it: ``AP``, ``nDCG@10``, ``P(rel=2)@5``. The lists that
it sees have no ties (`reading.formats.rankings`), so every provider of ir_measures ranks alike. A
query for which a run lists nothing counts as the measure's lowest value, as in trec_eval with the
option -c.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Any

import numpy as np

from ...core.arrays import Floats
from ...core.errors import SettingsError
from ..gold_needs import something
from ..metric import Definition, ExampleStatistics, ratio

_NAME = re.compile(r"(?P<measure>[A-Za-z_]+\d*)(?:\(.*\))?(?:@[\d.]+)?")
#: The parameter of a measure that says from which judgment on an item is relevant: 1 without it.
_LEAST = re.compile(r"\brel=(\d+)")
#: Measures that are 1 for a perfect system.
_PERFECT = ("AP", "MAP", "RR", "MRR", "nDCG", "NDCG", "Rprec", "RPrec", "Success", "Compat")
#: The measures of ir_measures that are means over all queries, and higher for better systems.
_MEASURES = frozenset(
    (
        *_PERFECT, "P", "Precision", "R", "Recall", "Bpref", "BPref", "infAP", "IPrec", "Judged",
        "SetP", "SetRelP", "SetR", "SetF", "SetAP", "ERR", "RBP", "BPM", "SDCG",
        "NERR8", "NERR9", "NERR10", "NERR11", "INST", "INSQ",
    )
)  # fmt: skip


def find(name: str) -> Definition | None:
    """Return the definition of a measure by its name; None for another name.

    Raises SettingsError if ir_measures is installed and does not know the measure's parameters, or
    nothing installed computes it.
    """
    match = _NAME.fullmatch(name)
    if match is None or match["measure"] not in _MEASURES:
        return None
    _check(name)
    least = _LEAST.search(name)
    relevant = partial(_has_relevant, 1 if least is None else int(least[1]))
    return Definition(
        name,
        name,
        "ranking",
        greater_is_better=True,
        ideal=1 if match["measure"] in _PERFECT else None,
        low=0,
        high=1,
        ratio_scale=True,
        evaluation="sums",
        statistics=ExampleStatistics(
            partial(_measured, name), ratio, ("ir_measures",), "ir", count_several=_all_measured
        ),
        # What is judged may be irrelevant.
        gold_defect=None if match["measure"] == "Judged" else something("relevant item", relevant),
    )


def _has_relevant(least: int, gold: Sequence[tuple[str, int]], params: Mapping[str, Any]) -> bool:
    """Whether an item of a query has the ``least`` judgment of what is relevant."""
    return any(judgment >= least for _, judgment in gold)


@cache
def _check(name: str) -> None:
    """Raise SettingsError if ir_measures is installed and cannot compute a measure."""
    try:
        library = importlib.import_module("ir_measures")
    except ImportError:
        return  # `statistics.require` says so
    try:
        measure = library.parse_measure(name)
        measure.validate_params()
    except Exception as error:
        raise SettingsError(
            f"ir_measures cannot read the measure {name!r}; write it as nDCG@10 or P(rel=2)@5"
        ) from error
    if not library.DefaultPipeline.supports(measure):
        offered = (
            provider.install_instructions()
            for provider in library.DefaultPipeline.providers
            if provider.supports(measure) and not provider.is_available()
        )
        remedy = next(filter(None, offered), "choose another measure")
        raise SettingsError(f"ir_measures has no provider for {name!r} here; {remedy}")


def _measured(
    name: str,
    golds: Sequence[Sequence[tuple[str, int]]],
    predictions: Sequence[Sequence[str]],
    params: Mapping[str, Any],
) -> Floats:
    """Count the value of a measure for a query, and 1."""
    return _all_measured([name], golds, predictions)


def _all_measured(
    names: Sequence[str],
    golds: Sequence[Sequence[tuple[str, int]]],
    predictions: Sequence[Sequence[str]],
) -> Floats:
    """Count the value of every measure for a query, each followed by 1."""
    library = importlib.import_module("ir_measures")
    provider = library.pytrec_eval
    measures = [library.parse_measure(name) for name in names]
    counts = np.ones((len(golds), 2 * len(names)))
    for is_fast in (True, False):
        columns: dict[Any, list[int]] = {}  # several names may mean the same measure
        for number, measure in enumerate(measures):
            if is_fast == (provider.supports(measure) and provider.is_available()):
                columns.setdefault(measure, []).append(2 * number)
        if columns:
            _fill(counts, columns, golds, predictions, is_fast=is_fast)
    return counts


def _fill(
    counts: Floats,
    columns: Mapping[Any, Sequence[int]],
    golds: Sequence[Sequence[tuple[str, int]]],
    predictions: Sequence[Sequence[str]],
    *,
    is_fast: bool,
) -> None:
    """Write the values of measures into their columns of counts."""
    for measure, places in columns.items():
        counts[:, places] = float(measure.DEFAULT)
    falling = [float(-rank) for rank in range(max(map(len, predictions)))]
    # The pairs of one gold are neighbors: runs on one query, whose judgments are handed over once.
    # But if a run may start a process, each pair is a query of its own, and one run has them all.
    qrels: dict[str, dict[str, int]] = {}
    runs: list[dict[str, int]] = []  # query → pair
    query = ""
    number = 0
    for pair, gold in enumerate(golds):
        if not is_fast or not pair or gold is not golds[pair - 1]:
            query = str(pair)
            number = 0
            qrels[query] = dict(gold)
        if number == len(runs):
            runs.append({})
        if predictions[pair]:
            runs[number][query] = pair
        number += 1
    evaluator = importlib.import_module("ir_measures").evaluator([*columns], qrels)
    for pairs in filter(None, runs):
        run = {
            query: dict(zip(predictions[pair], falling, strict=False))
            for query, pair in pairs.items()
        }
        for measured in evaluator.iter_calc(run):
            if measured.query_id in pairs:
                counts[pairs[measured.query_id], columns[measured.measure]] = measured.value
