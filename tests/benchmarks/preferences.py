"""Strengths on resamples of many preferences, beside one fit by Arena-Rank and by Evalica.

Run it with ``python -m tests.benchmarks.preferences``.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable

import numpy as np
import pandas as pd

from scoring_program.bootstrap.design import Design, DistinctRows
from scoring_program.bootstrap.resample import resample
from scoring_program.metrics import Data
from scoring_program.metrics.families.preferences import STRENGTH
from scoring_program.scoring.scorers import PairsScorer
from scoring_program.settings.model import Settings
from tests.metrics.cases import metric
from tests.metrics.test_preferences import arrays, battles, frame

PREFERENCES, SYSTEMS, RESAMPLES = 1_000_000, 100, 1_000


def timed(what: str, function: Callable[[], object]) -> None:
    begun = time.perf_counter()
    function()
    print(f"{what}: {time.perf_counter() - begun:.2f} s")


def arena_rank(table: pd.DataFrame) -> None:
    from arena_rank.models.bradley_terry import BradleyTerry
    from arena_rank.utils.data_utils import PairDataset

    named = table.rename(columns={"left": "model_a", "right": "model_b"})
    named["winner"] = named.winner.replace({"left": "model_a", "right": "model_b"})
    BradleyTerry(SYSTEMS).fit(PairDataset.from_pandas(named))


def evalica(table: pd.DataFrame) -> None:
    from evalica import Winner, bradley_terry

    winners = table.winner.map({"left": Winner.X, "right": Winner.Y, "tie": Winner.Draw})
    bradley_terry(table.left, table.right, winners)


def main() -> None:
    """Print how long each takes."""
    given = battles(n=PREFERENCES, systems=SYSTEMS, spread=30.0)
    data = Data(np.zeros(PREFERENCES), arrays(given))
    scorer = PairsScorer(metric(STRENGTH, {}), data, [f"s{k}" for k in range(SYSTEMS)])
    timed("one fit by Deadheat", lambda: scorer.observed)

    def bootstrap() -> None:
        rows = Design(PREFERENCES)
        distinct = DistinctRows.from_design([scorer], rows, Settings())
        assert distinct is not None
        (taken,) = distinct.take([scorer]).values()
        resample([taken], distinct.design(rows), RESAMPLES, 0)

    timed(f"{RESAMPLES:,} resamples by Deadheat", bootstrap)
    table = frame(given)
    for name, fit in (("arena_rank", arena_rank), ("evalica", evalica)):
        if importlib.util.find_spec(name):
            timed(f"one fit by {name}, the first", lambda: fit(table))  # noqa: B023
            timed(f"one fit by {name}, again", lambda: fit(table))  # noqa: B023


if __name__ == "__main__":
    main()
