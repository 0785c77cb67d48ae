"""Which units entries share where judges saw only some of them on each, and warnings about that.

A mean over the judged units compares two entries well where both were judged on most of them: a
hard unit then lowers both. `reliable` looks at the units that two entries share.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...core.arrays import Ints
from ...core.phrases import Phrase
from ...metrics import without_formulas
from ...scoring.diagnostics import ComparedAnswers
from ..basis import MetricScores
from ..evidence import Caution
from .reliable import FEW

#: Of fewer units, intervals and p-values are approximate.
FEW_EXAMPLES = 100


def shared_units(tests: Sequence[ComparedAnswers]) -> Ints | None:
    """Return on how many units two entries were both judged, [m, m], and each with itself.

    None if every entry was judged on every unit of the test sets.
    """
    shared: Ints | None = None
    complete = True
    for answers in tests:
        gaps = [
            [np.isnan(answer.reshape(answers.n, -1)).any(axis=1) for answer in layer.answers]
            for layer in answers.layers
        ]
        judged = ~np.any(gaps, axis=0)
        complete &= bool(judged.all())
        both = np.rint(judged.astype(np.float32) @ judged.T.astype(np.float32)).astype(np.intp)
        shared = both if shared is None else shared + both
    return None if complete else shared


def about_sharing(scores: MetricScores) -> Iterator[Caution]:
    """Warn about entries that share few units, or were judged on few."""
    if not all(metric.definition.of_scores for metric in without_formulas([scores.metric])):
        return
    shared = shared_units(scores.answers)
    if shared is None or len(shared) != len(scores.names):
        return
    names, own = scores.names, np.diag(shared)
    first, second = np.triu_indices(len(own), 1)
    together, most = shared[first, second], np.maximum(own[first], own[second])
    share = together / np.maximum(most, 1)
    if (half := share < 0.5).any():
        least = int(share.argmin())
        said = Phrase(
            "{count:n} pair of entries shares less than half of the units on which one of them was "
            "judged: {first} and {second} share {shared:n} of {units:n}. Their difference is "
            "partly one between units. It means something only if chance decided who was judged "
            "where.",
            "{count:n} pairs of entries share less than half of the units on which one of them was "
            "judged: {first} and {second} share {shared:n} of {units:n}. Their difference is "
            "partly one between units. It means something only if chance decided who was judged "
            "where.",
            count=int(np.count_nonzero(half)),
            first=names[first[least]],
            second=names[second[least]],
            shared=int(together[least]),
            units=int(most[least]),
        )
        yield Caution("amber", "few_shared_units", int(np.count_nonzero(half)), said)
    if (apart := together < FEW).any():
        least = int(together.argmin())
        said = Phrase(
            "{count:n} pair of entries shares fewer than {limit:n} units, so max-T does not "
            "compare the two: {first} and {second} share {shared:n}.",
            "{count:n} pairs of entries share fewer than {limit:n} units, so max-T does not "
            "compare the two: {first} and {second} share {shared:n}.",
            count=int(np.count_nonzero(apart)),
            limit=FEW,
            first=names[first[least]],
            second=names[second[least]],
            shared=int(together[least]),
        )
        yield Caution("amber", "not_compared", int(np.count_nonzero(apart)), said)
    if (few := own < FEW_EXAMPLES).any() and scores.n >= FEW_EXAMPLES:
        said = Phrase(
            "{entries} was judged on fewer than {limit:n} units ({least:n}): its interval and "
            "p-values are approximate.",
            "{entries} were judged on fewer than {limit:n} units (as few as {least:n}): "
            "their intervals and p-values are approximate.",
            count=int(np.count_nonzero(few)),
            entries=tuple(name for name, one in zip(names, few, strict=True) if one),
            limit=FEW_EXAMPLES,
            least=int(own.min()),
        )
        yield Caution("amber", "few_judged_units", int(own.min()), said)
