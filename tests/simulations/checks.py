"""The simulation checks: what each simulates, the bands of its results, its seeds and its sizes."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from . import (
    bystanders,
    claims,
    closeness,
    costs,
    cross_validation,
    families,
    judgments,
    people,
    prizes,
    scales,
    selected,
    simulate,
    small,
    small_strata,
    tied_ranks,
    verdicts,
    within,
)
from . import runs as of_runs
from . import seeds as of_seeds

Band = tuple[float, float]


@dataclass(frozen=True)
class Check:
    """One simulation: how to run it in full and in short, and where its results must lie."""

    number: str
    what: str
    run: Callable[..., Mapping[str, float]]
    seeds: tuple[int, ...]  # every seed runs as often; the results are averaged
    bands: Mapping[str, Band]
    full: Mapping[str, int]
    short: Mapping[str, int]
    #: Wider bands of the short version, where the results are no shares of the sets.
    short_bands: Mapping[str, Band] | None = None
    #: Whether the short version may be part of the fast suite: it takes a few tenths of a second.
    is_fast: bool = False

    @property
    def bands_in_short(self) -> Mapping[str, Band]:
        if self.short_bands is not None:
            return self.short_bands
        sets = self.short["sets"] * len(self.seeds)
        return {measure: self.wider(band, sets) for measure, band in self.bands.items()}

    def wider(self, band: Band, sets: int) -> Band:
        """Return the band for fewer competitions."""
        return _wider(band[0], -1, sets), _wider(band[1], 1, sets)

    def scaled(self, share: float) -> Mapping[str, int]:
        """Return the sizes of a run with a share of the competitions of the full one."""
        sets = {"sets": max(1, round(share * self.full["sets"]))} if "sets" in self.full else {}
        return {**self.full, **sets}

    def observe(self, size: Mapping[str, int]) -> Mapping[str, float]:
        results = [self.run(seed=seed, **size) for seed in self.seeds]
        return {
            measure: statistics.fmean(result[measure] for result in results)
            for measure in self.bands
        }


def _wider(share: float, direction: int, sets: int) -> float:
    return share + direction * 4 * math.sqrt(max(share * (1 - share), 0.01) / sets)


#: The page claims nothing: what is observed is shown, and no band requires it.
NO_CLAIM = (0.0, 1.0)
#: Of an interval, in widths of another one.
ANY_WIDTH = (0.0, 10.0)
#: Of check 1.
SEEDS = (101, 102, 103, 104)
#: Beside a serious caution, the verdict states no confidence: elsewhere a given best one is kept.
STATED = {"serious caution": (0.0, 0.1), "dropped without it": (0.0, 0.07)}
#: Of rare errors that some rivals do not show: no method can know of them.
UNSEEN = {"serious caution": NO_CLAIM, "dropped without it": NO_CLAIM}
#: Of checks 29, beside how often a given best entry is kept.
SIZES = {
    "entries kept": (0.0, 60.0),
    "by Holm": (0.0, 60.0),
    "by the model confidence set": (0.0, 60.0),
}
#: Of checks 20 to 23: their entries are equal, so that it says how large its sets are.
BESIDE = {"kept by the model confidence set": NO_CLAIM}
#: Of checks 55: the front of cost and score.
OF_FRONTS = {
    "a given best kept": (0.935, 1.0),
    "on the observed front": NO_CLAIM,
    "observed ones excluded": (0.0, 0.0),
    "worse ones excluded": NO_CLAIM,
}
#: Of checks 30: in how much more than D's own share, or 5%, a best entry may be lost.
BEYOND = (-1.0, 0.01)
#: The same with near-copies of the best: lost in .09 of competitions at most.
NEAR_COPIES = (-1.0, 0.04)
#: Of check 16, where a slice has another leader.
OTHER_LEADER = {"the true other leader": (0.5, 1.0)}
#: Of checks 35 and 36: how often a given best system is kept, and errors of pairs and of fields.
KEPT, PAIR, FIELD = (0.93, 1.0), (0.0, 0.07), (0.0, 0.065)
#: Of checks 35.
PREFERENCES = ("win rate", "Bradley-Terry strength")
#: Ten systems, of which the first is the best.
GRADED = (0.5, 0.4, 0.4, 0.2, 0.2, 0.0, 0.0, -0.2, -0.5, -1.0)

#: Of checks 54: what, the competition, how it is drawn, and its seed.
PEOPLE: tuple[tuple[str, str, people.Cell, int], ...] = (
    ("2 systems", "2 systems, 30 of 500", people.Cell(2, 30, 500), 1101),
    ("30 units", "5 systems, 30 of 500", people.Cell(5, 30, 500), 1102),
    ("100 units", "5 systems, 100 of 1,000", people.Cell(5, 100, 1000), 1103),
    ("10 systems", "10 systems, 200 of 1,000", people.Cell(10, 200, 1000), 1104),
    ("20 systems", "20 systems, 100 of 1,000", people.Cell(20, 100, 1000), 1105),
    ("Likert", "scores from 1 to 5", people.Cell(5, 100, 1000, people.likert), 1106),
    ("95% right", "95% of answers right", people.Cell(5, 200, 1000, people.mostly_right), 1107),
    ("missing", "a fifth of people's missing", people.Cell(5, 100, 1000, missing=0.2), 1108),
    ("documents", "40 of 200 documents", people.Cell(5, 40, 1000, documents=True), 1109),
    ("useless", "a judge that knows nothing", people.Cell(5, 100, 1000, follows=0.0), 1110),
    ("narrow", "a judge of a narrow scale", people.Cell(5, 100, 1000, breadth=0.1), 1111),
    ("excellent", "a judge close to people", people.Cell(5, 50, 1000, noise=0.1), 1112),
)

#: Of checks 52: what, the field, how it is drawn, its seed, and two bands.
CROSSED: tuple[tuple[str, str, dict[str, Any], int, Band, Band], ...] = (
    *(
        (
            f"{judges} judges",
            f"200 prompts, {judges} judges",
            {"judges": judges, "of_prompts": 0.5, "of_judges": 0.5},
            1020 + judges,
            (0.65, 1) if judges == 25 else NO_CLAIM,
            NO_CLAIM,
        )
        for judges in (4, 8, 12, 25)
    ),
    (
        "half from one",
        "200 prompts, 12 judges, one of whom has half of the lines",
        {
            "judges": 12,
            "shares": (11.0, *[1.0] * 11),
            "of_prompts": 0.5,
            "of_judges": 0.5,
        },
        1050,
        NO_CLAIM,
        NO_CLAIM,
    ),
    (
        "Zipf",
        "200 prompts, 25 judges with shares of lines that fall as 1/k",
        {
            "judges": 25,
            "shares": tuple(1 / k for k in range(1, 26)),
            "of_prompts": 0.5,
            "of_judges": 0.5,
        },
        1051,
        NO_CLAIM,
        NO_CLAIM,
    ),
    (
        "12 × 12",
        "12 prompts, 12 judges",
        {"prompts": 12, "judges": 12, "of_prompts": 0.5, "of_judges": 0.5},
        1052,
        NO_CLAIM,
        NO_CLAIM,
    ),
    (
        "no effects",
        "200 prompts, 25 judges, systems that vary with neither",
        {"judges": 25},
        1053,
        NO_CLAIM,
        NO_CLAIM,
    ),
)


def _of_judgments(labels: Sequence[str], pair: Band, field: Band, kept: Band) -> dict[str, Band]:
    """Return the bands of checks 35 and 36, for each of the metrics' labels."""
    return {
        f"{measure} by {label}": band
        for label in labels
        for measure, band in (
            ("kept", kept),
            ("error of a pair", pair),
            ("error of a field", field),
        )
    }


def _of_the_corrected_score(
    number: int,
    what: str,
    make: selected.Make,
    covered: Band = (0.93, 1),
    width: Band = ANY_WIDTH,
) -> Check:
    """Return a check 11 of the leader's corrected score."""
    return Check(
        f"11, corrected score, {what}",
        "the leader's corrected score, through the whole program",
        partial(selected.corrected, make=make),
        (1100 + number,),
        {
            "covered where given": covered,
            "covered as published": NO_CLAIM,
            "width": width,
            "given": NO_CLAIM,
        },
        full={"sets": 400},
        short={"sets": 5},
        short_bands={"covered where given": (0.2, 1), "width": (0.8, 4)},
        is_fast=True,
    )


CHECKS = (
    Check(
        "1a",
        "intervals of accuracy, n = 200",
        simulate.coverage_of_accuracy,
        SEEDS,
        {"coverage": (0.94, 0.97)},
        full={"sets": 2000},
        short={"sets": 100},
    ),
    Check(
        "1b",
        "intervals of F1 at 27% prevalence, n = 1000",
        simulate.coverage_of_f1,
        SEEDS,
        {"coverage of F1": (0.938, 0.962), "coverage of ΔF1": (0.938, 0.962)},
        full={"sets": 1000},
        short={"sets": 50},
    ),
    Check(
        "2",
        "one-sided p against its exact distribution, four cases",
        simulate.one_sided_against_exact,
        (103,),
        {"largest |z|": (0, 4)},
        full={"resamples": 200_000},
        short={"resamples": 10_000},
        short_bands={"largest |z|": (0, 4)},
    ),
    Check(
        "3",
        "type-I error of two equal teams, n = 1000",
        simulate.type_one_error,
        (104,),
        {
            "fixed direction": (0.036, 0.058),
            "two-sided": (0.036, 0.058),
            "leader chosen from the data": (0.080, 0.108),
        },
        full={"sets": 8000},
        short={"sets": 500},
    ),
    Check(
        "4",
        "critical values, 10 independent teams, n = 4000",
        simulate.critical_values,
        (105,),
        # Tukey's studentized range for 10 means over √2; Dunnett's one-sided constant for 9.
        {"all pairs": (3.164 - 0.06, 3.164 + 0.06), "per candidate": (2.417 - 0.04, 2.417 + 0.04)},
        full={"resamples": 20_000},
        short={"resamples": 2000},
        short_bands={"all pairs": (2.97, 3.36), "per candidate": (2.28, 2.55)},
    ),
    *(
        Check(
            f"5, n = {n}",
            "family-wise error, 20 equal teams, plain draws",
            partial(simulate.family_wise_error, n=n),
            (seed,),
            {"step-down": (0.02, 0.067), "uncorrected": (0.90, 1)},
            full={"sets": 1500},
            short={"sets": 40},
        )
        for n, seed in ((50, 106), (200, 107))
    ),
    Check(
        "6",
        "a low-noise best team among 20 noisy ones, n = 500",
        simulate.ensemble,
        (108,),
        {"kept by max_t": (0.929, 0.972), "kept uncorrected": (0, 0.45)},
        full={"sets": 1000},
        short={"sets": 30},
    ),
    Check(
        "7",
        "rank sets, two blocks of 10 tied teams, n = 200",
        simulate.rank_sets,
        (109,),
        {"joint coverage": (0.929, 0.985), "mean width": (10, 18)},
        full={"sets": 800},
        short={"sets": 30},
        short_bands={"joint coverage": (0.8, 1), "mean width": (10, 18)},
    ),
    Check(
        "8",
        "134 graded teams, n = 500: pairs told apart of 8,911",
        simulate.graded_field,
        (110,),
        {"Holm on counted p-values": (0, 0), "algorithm B": (2500, 3600)},
        full={"teams": 134},
        short={"teams": 40, "resamples": 500},
        short_bands={"Holm on counted p-values": (0, 0), "algorithm B": (250, 400)},
    ),
    Check(
        "9",
        "intervals with 50 groups of 10, intra-class correlation .2",
        simulate.coverage_with_groups,
        (111,),
        {"group bootstrap": (0.925, 0.955), "row bootstrap": (0.73, 0.79)},
        full={"sets": 4000},
        short={"sets": 200},
    ),
    Check(
        "10",
        "a copy of the leader: p = 1, tied, same tier and rank set",
        simulate.copies_of_the_leader,
        (112,),
        {"told apart": (0, 0)},
        full={"sets": 500},
        short={"sets": 20},
        short_bands={"told apart": (0, 0)},
    ),
    *(
        # The worst of twenty ends, each with a standard error of .0035 in full.
        Check(
            f"12, {field}, n = {n}",
            "rank ranges of ten entries, each end, plain draws",
            partial(simulate.rank_ranges, n=n, field=field),
            (seed,),
            {"worst end": (0.93, 0.975), "mean of the ends": (0.935, 0.985)},
            full={"sets": 4000},
            short={"sets": 25},
            short_bands={"worst end": (0.7, 1), "mean of the ends": (0.9, 1)},
        )
        for field, n, seed in (
            ("equal", 100, 120),
            ("equal", 500, 121),
            ("two blocks", 100, 122),
            ("two blocks", 500, 123),
        )
    ),
    *(
        Check(
            f"13, spread {spread:g}, n = {n}",
            "distances of ten entries from the best, all at once, plain draws",
            partial(simulate.distances_from_the_best, n=n, spread=spread),
            (seed,),
            {"joint coverage": (0.93, 1)},
            full={"sets": 3000},
            short={"sets": 20},
        )
        for spread, n, seed in ((0.0, 100, 130), (0.0, 500, 131), (0.5, 100, 132), (0.5, 500, 133))
    ),
    *(
        # The rule adds rejections: at most half a percentage point.
        Check(
            f"14, {errors}, {m} entries",
            f"rule D′ on every pair of {m} equal entries, plain draws, n = {n}",
            partial(simulate.equal_entries, n=n, errors=errors, m=m, resamples=resamples),
            (seed,),
            {"kept with D′": band, "lost by D′": (0, 0.01)},
            full={"sets": sets},
            short={"sets": 1, "m": 40, "resamples": 2000} if m > 10 else {"sets": 20},
            short_bands={"lost by D′": (0, 0.05)},
        )
        for errors, m, n, resamples, sets, seed, band in (
            ("normal", 134, 500, 10_000, 400, 140, (0.93, 0.97)),
            # Short of .93, although the rule loses nothing and the page states its confidence.
            ("accuracy .9", 134, 500, 10_000, 400, 141, (0.92, 0.97)),
            # More than plain draws can handle: the program studentizes such pairs (22).
            ("log-normal", 134, 500, 10_000, 100, 142, NO_CLAIM),
            ("heavy tails", 134, 500, 10_000, 100, 143, NO_CLAIM),
            ("normal", 10, 200, 4000, 2000, 150, (0.93, 0.97)),
            ("accuracy .9", 10, 200, 4000, 2000, 151, (0.93, 0.97)),
            ("log-normal", 10, 200, 4000, 2000, 152, (0.93, 0.97)),
            ("heavy tails", 10, 200, 4000, 2000, 153, (0.93, 0.97)),
        )
    ),
    *(
        Check(
            f"11, {tasks} tasks",
            "10 equal teams in several tasks, n = 200",
            partial(simulate.tasks, tasks=tasks),
            (111 + tasks,),
            {
                "kept by the mean": (0.93, 0.975),
                "kept by the standardized mean": (0.93, 0.975),
                "kept by the mean rank": (0.95, 1),
            },
            full={"sets": 2000},
            short={"sets": 40},
        )
        for tasks in (2, 3, 8)
    ),
    Check(
        "11, 8 tasks, graded",
        "10 teams, the last one 18 points of accuracy behind the first in every task",
        partial(simulate.tasks, tasks=8, graded=True),
        (120,),
        {
            "kept by the mean rank": (0.95, 1),
            "entries kept by the mean": (1, 4),
            "entries kept by the standardized mean": (1, 4),
            "entries kept by the mean rank": (4, 10),
        },
        full={"sets": 500},
        short={"sets": 10},
        short_bands={"kept by the mean rank": (0.7, 1), "entries kept by the mean": (1, 5)},
    ),
    *(
        Check(
            f"11, {tasks} tasks, log-normal errors",
            f"3 entries, two with the best mean rank by MAE, rule D′, n = {n} in each task",
            partial(scales.kept_in_opposed_tasks, tasks=tasks, n=n),
            (seed,),
            # The second is what the program does not do.
            {"kept by the mean rank": (0.95, 1), "with the level of one task": (0.88, 0.97)},
            full={"sets": 400},
            short={"sets": 2},
            short_bands={"kept by the mean rank": (0.5, 1), "with the level of one task": (0, 1)},
        )
        for tasks, n, seed in ((4, 60, 320), (8, 200, 321))
    ),
    *(
        Check(
            f"11, {rivals} × {runs} runs, {tasks}",
            "a team with one run among teams with several, mean rank over 3 tasks",
            partial(of_runs.mean_ranks, rivals=rivals, runs=runs, tasks=tasks),
            (seed,),
            {
                "kept by the mean rank": (0.95, 1),
                "kept, the other runs forgotten": forgotten,
                "upper end holds": (0.95, 1),
            },
            full={"sets": sets},
            short={"sets": 2},
        )
        for tasks, rivals, runs, sets, seed, forgotten in (
            ("equal", 9, 5, 500, 310, (0.95, 1)),
            ("opposed", 1, 20, 600, 311, (0, 0.93)),
            ("opposed", 1, 50, 600, 312, (0, 0.93)),
        )
    ),
    *(
        _of_the_corrected_score(number, what, make)
        for number, (what, make) in enumerate(selected.FIELDS)
    ),
    # How much longer the interval may be where the published one does well.
    _of_the_corrected_score(
        20,
        "10 accuracies .85, n = 500",
        partial(selected.accuracies, n=500, truth=(0.85,) * 10),
        covered=(0.955, 0.995),
        width=(0.9, 1.08),
    ),
    Check(
        "11, corrected score, RMSE of t₃, n = 100",
        "the leader's corrected score, through the whole program: there is none",
        partial(selected.corrected, make=partial(selected.squared_errors, n=100)),
        (1121,),
        {"given": (0, 0.1)},
        full={"sets": 400},
        short={"sets": 5},
        short_bands={"given": (0, 0.4)},
        is_fast=True,
    ),
    *(
        Check(
            f"20, {count} {'uneven' if uneven else 'even'} groups",
            "10 equal teams, groups resampled",
            partial(scales.kept, make=partial(scales.groups, count=count, uneven=uneven)),
            (200 + count,),
            # Conservative: bootstrap-t, and a jackknife, beside groups of uneven sizes.
            {
                "kept": (0.93, 1),
                "told apart": (0, 0.067),
                "kept by Holm": (0.93, 1),
                **BESIDE,
                "serious caution": serious,
            },
            full={"sets": 3000},
            short={"sets": 10},
        )
        for count, serious in ((6, (1, 1)), (10, (1, 1)), (20, NO_CLAIM), (50, NO_CLAIM))
        for uneven in (False, True)
    ),
    *(
        # Why fewer than 20 groups are a serious caution.
        Check(
            f"20, {count} groups of two kinds",
            "10 equal teams; one group in seven is of a kind in which the first is far better",
            partial(
                scales.kept,
                make=partial(scales.kinds_of_groups, count=count),
                first_only=True,
            ),
            (260 + count,),
            {
                "kept": kept,
                "kept by Holm": NO_CLAIM,
                **BESIDE,
                "serious caution": serious,
                "dropped without it": (0, 0.07),
            },
            full={"sets": 2000},
            short={"sets": 10},
        )
        for count, kept, serious in (
            (6, NO_CLAIM, (1, 1)),
            (10, NO_CLAIM, (1, 1)),
            (15, NO_CLAIM, (1, 1)),
            (20, (0.93, 1), (0, 0.1)),
            (30, (0.93, 1), (0, 0.1)),
        )
    ),
    *(
        Check(
            f"20, {tasks} tasks × {count} uneven groups",
            "10 equal teams, means over tasks, groups of each resampled",
            partial(scales.kept_over_tasks, tasks=tasks, count=count),
            (seed,),
            # Conservative for the same reasons.
            {
                "kept by the mean": (0.93, 1),
                "kept by the standardized mean": (0.93, 1),
                "told apart by the mean": (0, 0.067),
                "kept by Holm": (0.93, 1),
            },
            full={"sets": 1000},
            short={"sets": 5},
        )
        for tasks, count, seed in ((2, 8, 250), (8, 8, 251), (2, 20, 252))
    ),
    *(
        Check(
            f"21, {what}, n = {n}",
            "10 equal teams, heavy tails: such pairs are in no family",
            partial(scales.kept, make=partial(scales.errors, n=n, kind=kind)),
            (220 + n,),
            {
                "kept": kept,
                "told apart": (0, 0.067),
                "kept by Holm": NO_CLAIM,
                **BESIDE,
                **STATED,
            },
            full={"sets": 3000},
            short={"sets": 10},
        )
        for what, kind, n, kept in (
            ("log-normal RMSE", "log-normal", 50, (0.93, 1)),
            ("log-normal RMSE", "log-normal", 200, (0.93, 1)),
            ("log-normal difficulty", "difficulty", 50, (0.93, 1)),
            ("log-normal difficulty", "difficulty", 200, (0.93, 1)),
        )
    ),
    *(
        Check(
            f"22, accuracy {accuracy}, n = {n}",
            "10 equal teams, few examples",
            partial(scales.kept, make=partial(scales.right, n=n, truth=accuracy)),
            (230 + n,),
            {"kept": (0.93, 1), "told apart": (0, 0.067), "kept by Holm": (0.93, 1), **BESIDE},
            full={"sets": 3000},
            short={"sets": 10},
        )
        for accuracy, n in ((0.7, 50), (0.9, 50), (0.7, 150), (0.7, 250))
    ),
    *(
        Check(
            f"22, contaminated MAE, n = {n}",
            "10 equal teams, one error in twenty ten times as large",
            partial(scales.kept, make=partial(scales.contaminated, n=n)),
            (seed,),
            {"kept": (0.93, 1), "told apart": (0, 0.067), "kept by Holm": (0.93, 1), **BESIDE},
            full={"sets": 3000},
            short={"sets": 10},
        )
        for n, seed in ((50, 236), (200, 237))
    ),
    *(
        # As many resamples as rule D′ needs beside 134 entries.
        Check(
            f"22, {kind}, 134 entries",
            "134 equal teams, heavy tails, n = 500, 10,000 resamples",
            partial(scales.kept, make=partial(scales.many, n=500, kind=kind), resamples=10_000),
            (seed,),
            {"kept": (0.93, 1), "told apart": (0, 0.067), **STATED},
            full={"sets": 40},
            short={"sets": 1, "resamples": 500},
        )
        for kind, seed in (("log-normal", 238), ("heavy tails", 239))
    ),
    *(
        # With fewer than 100 examples, the page does not let Holm's correction name winners.
        Check(
            f"22, normal RMSE, n = {n}",
            "10 equal teams, few examples",
            partial(scales.kept, make=partial(scales.errors, n=n)),
            (seed,),
            {"kept": (0.93, 1), "told apart": (0, 0.067), "kept by Holm": by_holm, **BESIDE},
            full={"sets": 3000},
            short={"sets": 10},
        )
        for n, seed, by_holm in ((50, 235, NO_CLAIM), (100, 335, (0.93, 1)))
    ),
    *(
        Check(
            f"23, {rivals} rival{'s' * (rivals > 1)}, 1 in {round(1 / rate)}",
            "MAE, rare enormous errors of the rivals, n = 200",
            partial(
                scales.kept,
                make=partial(scales.rare, n=200, rivals=rivals, rate=rate),
                first_only=True,
            ),
            (seed,),
            {"kept": NO_CLAIM, **cautions},
            full={"sets": 2000},
            short={"sets": 10},
        )
        for rivals, rate, seed, cautions in (
            # In .37, .02 and .13 of the test sets, a given rival shows no such error. Where others
            # show them, the page says so.
            (9, 0.005, 240, {**STATED, "serious caution": NO_CLAIM}),
            (9, 0.02, 242, {**STATED, "serious caution": NO_CLAIM}),
            (1, 0.01, 243, UNSEEN),
        )
    ),
    *(
        # One in so many of the rivals' errors is ten times as large as usual.
        Check(
            f"23, tenfold, {what}",
            "MAE, rare errors of nine rivals that are ten times as large",
            partial(scales.kept, make=make, first_only=True),
            (seed,),
            {
                "kept": kept,
                **STATED,
                "serious caution": serious,
                "kept by Holm": NO_CLAIM,
                **BESIDE,
            },
            full={"sets": 2000},
            short={"sets": 10},
        )
        for what, make, seed, kept, serious in (
            (
                "1 in 50, n = 200, all equal",
                partial(scales.rare, n=200, rate=0.02, usual=0.8),
                244,
                NO_CLAIM,
                NO_CLAIM,
            ),
            (
                "1 in 50, n = 200",
                partial(scales.tenfold, n=200, rate=0.02),
                245,
                NO_CLAIM,
                NO_CLAIM,
            ),
            (
                "1 in 20, n = 500",
                partial(scales.tenfold, n=500, rate=0.05),
                246,
                (0.9, 1),
                NO_CLAIM,
            ),
        )
    ),
    Check(
        "27",
        "10 equal teams by their largest errors, n = 200: the caution is serious",
        claims.largest_error,
        (270,),
        {"kept": NO_CLAIM, "serious caution": (1, 1)},
        full={"sets": 1000},
        short={"sets": 3},
        short_bands={"serious caution": (1, 1)},
    ),
    *(
        # By default, draws are studentized here; 12 and 13 have plain ones.
        Check(
            f"25, {what}, {field}",
            "rank ranges of ten entries, and distances, as `studentized: auto` chooses",
            partial(scales.held, make=make, truth=truth),
            (seed + len(set(truth)),),
            {
                "lower ends": (0.93, 1),
                "upper ends": (0.93, 1),
                **({} if field == "equal" else {"all distances": (0.93, 1)}),
            },
            full={"sets": 2000},
            short={"sets": 10},
        )
        for what, seed, make, first, last in (
            (
                "log-normal RMSE, n = 50",
                280,
                partial(scales.errors, n=50, kind="log-normal"),
                -1,
                -1.5,
            ),
            ("accuracy 0.9, n = 50", 282, partial(scales.right, n=50), 0.9, 0.78),
            ("6 even groups", 284, partial(scales.groups, count=6, uneven=False), 0.6, 0),
            ("20 uneven groups", 286, partial(scales.groups, count=20, uneven=True), 0.6, 0),
        )
        for field, truth in (
            ("equal", (first,) * 10),
            ("two blocks", (first,) * 5 + (last,) * 5),
        )
    ),
    *(
        # Why draws are studentized.
        Check(
            f"26, {what}",
            "10 equal teams, studentized: never",
            partial(scales.kept, make=make, studentized="never"),
            (seed,),
            {"kept": kept, "told apart": NO_CLAIM, "serious caution": NO_CLAIM},
            full={"sets": 1000},
            short={"sets": 20},
        )
        for what, make, seed, kept in (
            ("6 even groups", partial(scales.groups, count=6, uneven=False), 206, NO_CLAIM),
            ("20 uneven groups", partial(scales.groups, count=20, uneven=True), 220, NO_CLAIM),
            (
                "log-normal RMSE, n = 200",
                partial(scales.errors, n=200, kind="log-normal"),
                420,
                NO_CLAIM,
            ),
        )
    ),
    *(
        Check(
            f"26, {kind}, 134 entries",
            "134 equal teams, n = 500, studentized: never",
            partial(scales.kept, make=partial(scales.many, n=500, kind=kind), studentized="never"),
            (seed,),
            {"kept": NO_CLAIM, "serious caution": NO_CLAIM},
            full={"sets": 50},
            short={"sets": 1},
        )
        for kind, seed in (("log-normal", 438), ("heavy tails", 439))
    ),
    Check(
        "26, 9 rivals, 1 in 50",
        "MAE, rare enormous errors of the rivals, n = 200, studentized: never",
        partial(
            scales.kept,
            make=partial(scales.rare, n=200, rate=0.02),
            first_only=True,
            studentized="never",
        ),
        (442,),
        {"kept": NO_CLAIM, "serious caution": NO_CLAIM},
        full={"sets": 1000},
        short={"sets": 20},
    ),
    Check(
        "28, 6 even groups",
        "10 equal teams, if rule D′ acted beside few groups, too",
        partial(scales.kept_if_outright, make=partial(scales.groups, count=6, uneven=False)),
        (206,),
        {"kept": (0, 0.93)},
        full={"sets": 2000},
        short={"sets": 20},
    ),
    Check(
        "24",
        "possible winners beside a copy of the best with one error of a million",
        partial(scales.possible_winners, n=200),
        (241,),
        {"plain": (2, 5), "by the rule": (2, 5)},
        full={"sets": 1000},
        short={"sets": 5},
        short_bands={"plain": (1, 7), "by the rule": (1, 7)},
    ),
    *(
        Check(
            f"14, few units, {what}",
            "ten equal entries, heavy tails beyond what sampling gives, through the whole program",
            partial(small.kept, make=make),
            (seed,),
            {"kept": (0.93, 1), "no far end": open_ends, "marked": marks},
            full={"sets": 300},
            short={"sets": 5},
            short_bands={"kept": (0.6, 1), "no far end": (0, 1), "marked": (0, max(0.1, marks[1]))},
            is_fast=True,
        )
        for what, make, seed, open_ends, marks in (
            *(
                (
                    f"normal, n = {n}",
                    partial(small.normal, n=n),
                    1400 + n,
                    (0, 0.5),
                    (0, 0.02),
                )
                for n in (20, 30, 50)
            ),
            ("rare errors, n = 30", partial(small.rare, n=30), 1431, NO_CLAIM, NO_CLAIM),
            ("rare errors, n = 50", partial(small.rare, n=50), 1451, NO_CLAIM, NO_CLAIM),
            ("log-normal, n = 30", partial(small.log_normal, n=30), 1432, NO_CLAIM, NO_CLAIM),
            ("log-normal, n = 50", partial(small.log_normal, n=50), 1452, NO_CLAIM, NO_CLAIM),
            ("25 groups", partial(small.in_groups, count=25), 1425, (0, 0.5), (0, 0.02)),
        )
    ),
    Check(
        "14, bought ties",
        "one or two enormous errors of an entry that is far behind, 20 to 60 units",
        small.bought,
        (1499,),
        {"ties bought": (0, 0)},
        full={"sets": 200},
        short={"sets": 10},
        short_bands={"ties bought": (0, 0)},
        is_fast=True,
    ),
    Check(
        "15, bystanders",
        "random competitions, odd cells included: what is said otherwise of all others",
        bystanders.changed,
        (1500,),
        {
            "by a baseline": (0, 0),
            "by a reference entry": (0, 0),
            "by a baseline as the reference": (0, 0),
        },
        full={"sets": 650},
        short={"sets": 12},
        short_bands={
            "by a baseline": (0, 0),
            "by a reference entry": (0, 0),
            "by a baseline as the reference": (0, 0),
        },
        is_fast=True,
    ),
    *(
        Check(
            f"15, {rivals} × {runs} runs",
            "a best team with one run among equal teams with several, n = 200",
            partial(of_runs.teams, rivals=rivals, runs=runs),
            (260 + rivals + runs,),
            {
                "kept, every run shown": (0.93, 0.98),
                "kept, the best runs shown": (0.93, 0.98),
                "kept, the other runs forgotten": (0, 0.9),
                "upper end holds": (0.93, 1),
                "kept by Holm, every run shown": NO_CLAIM,
                "kept by Holm, the best runs shown": (0, 0.93),
            },
            full={"sets": sets},
            short={"sets": short},
        )
        for rivals, runs, sets, short in ((9, 5, 1000, 5), (9, 20, 400, 2), (1, 50, 1000, 5))
    ),
    # Such a team needs no caution of its own.
    Check(
        "15, 1 × 50 runs, alike",
        "a best team with one run against one whose runs are nearly the same, n = 200",
        partial(of_runs.teams, rivals=1, runs=50, alike=0.9),
        (271,),
        {"kept, the best runs shown": (0.93, 1), "upper end holds": (0.93, 1)},
        full={"sets": 1000},
        short={"sets": 2},
    ),
    *(
        Check(
            f"16, {what}",
            f"20 slices of 40 to 200 examples, {rivals + 1} teams",
            partial(within.slices, first=first, rivals=rivals, runs=runs),
            (seed,),
            {"all intervals": (0.93, 1), "a false other leader": (0, 0.05), **found},
            full={"sets": sets},
            short={"sets": 2},
        )
        for what, first, rivals, runs, sets, seed, found in (
            ("no other leader", "equal", 9, 1, 1000, 300, {}),
            ("another leader", "behind in one", 9, 1, 1000, 301, OTHER_LEADER),
            ("9 × 5 runs, no other leader", "equal", 9, 5, 300, 302, {}),
            ("9 × 5 runs, another leader", "behind in one", 9, 5, 300, 303, OTHER_LEADER),
            # The team with one run leads, and is equal to all others in 15 slices.
            ("9 × 5 runs, ahead in five slices", "ahead in five", 9, 5, 300, 304, {}),
            ("1 × 50 runs, ahead in five slices", "ahead in five", 1, 50, 300, 305, {}),
        )
    ),
    Check(
        "17",
        "plans from pilots of five entries, n = 200",
        claims.plans,
        (330,),
        # A leader chosen on the pilot, and differences that are known to be small, cost some power.
        {"delivered power": (0.7, 0.8), "delivered by plugging in": (0, 0.68)},
        full={"sets": 1000},
        short={"sets": 60},
        short_bands={"delivered power": (0.6, 0.9), "delivered by plugging in": (0, 0.75)},
    ),
    Check(
        "17, max-T",
        "plans by max-T from pilots of five entries, n = 200",
        partial(claims.plans, rule="max_t"),
        (332,),
        {"delivered power": (0.7, 0.8), "delivered by plugging in": (0, 0.68)},
        full={"sets": 1000},
        short={"sets": 30},
        short_bands={"delivered power": (0.55, 0.95), "delivered by plugging in": (0, 0.8)},
    ),
    *(
        Check(
            f"17{what}, nothing known before",
            "plans from pilots of two entries that may differ by much, n = 200",
            partial(claims.plans, m=2, spread=8.0, rule=rule),
            (seed,),
            {"delivered power": (0.76, 0.84)},
            full={"sets": 3000},
            short={"sets": 80},
            short_bands={"delivered power": (0.55, 0.98)},
        )
        for what, rule, seed in (("", "bonferroni", 331), (", max-T", "max_t", 333))
    ),
    *(
        # With so few, the page warns that intervals may be narrower than they should be.
        Check(
            f"18, {positives} positives",
            "intervals with a rare class, n = 500: the page warns",
            partial(claims.rare_class, positives=positives),
            (320 + positives,),
            {"coverage of AUC": auc, "coverage of F1": f1},
            full={"sets": 2000},
            short={"sets": 30},
        )
        for positives, auc, f1 in (
            (5, (0.70, 0.82), (0.88, 0.94)),
            (20, (0.88, 0.94), (0.93, 0.97)),
        )
    ),
    *(
        Check(
            f"19, n = {n}",
            "intervals of Spearman's correlation",
            partial(claims.spearman, n=n),
            (325 + n,),
            {"coverage": (0.92, 0.965)},
            full={"sets": 4000},
            short={"sets": 30},
        )
        for n in (50, 200)
    ),
    *(
        Check(
            f"29, {what}",
            f"a given best entry among {entries}, through the whole program",
            run,
            (seed,),
            {"kept": (0.93, 1), **STATED, **SIZES, **bands},
            full={"sets": 2000},
            short={"sets": 3},
            short_bands={
                "kept": (0.4, 1),
                "serious caution": bands.get("serious caution", NO_CLAIM),
            },
        )
        for what, entries, run, seed, bands in (
            (
                "fine-tunes",
                "ten of one model",
                partial(families.kept, make=families.fine_tunes),
                500,
                {},
            ),
            (
                "copies",
                "ten, four identical",
                partial(families.kept, make=families.copies),
                501,
                {},
            ),
            (
                "accuracy .99",
                "ten, n = 100",
                partial(families.kept, make=partial(families.right, n=100, accuracy=0.99)),
                502,
                {},
            ),
            (
                "n = 30",
                "ten, accuracy .9",
                partial(families.kept, make=partial(families.right, n=30, accuracy=0.9)),
                503,
                {},
            ),
            # The class in which the best entry is better is hardly seen, and the page says so.
            *(
                (
                    f"macro F1, {expected:g} of a class",
                    "ten",
                    partial(families.kept, make=partial(families.rare_class, expected=expected)),
                    seed,
                    {"kept": NO_CLAIM, "serious caution": (0.95, 1)},
                )
                for expected, seed in ((3, 504), (0.5, 505))
            ),
            (
                "Zipf groups",
                "ten, 400 groups of unlike sizes",
                partial(families.kept, make=families.zipf_groups),
                506,
                {"serious caution": NO_CLAIM},
            ),
            *(
                (
                    f"heavy {label}",
                    "ten, log-normal errors",
                    partial(families.kept, make=partial(families.heavy, metric=metric)),
                    seed,
                    {},
                )
                for label, metric, seed in (
                    ("MAE", "mean_absolute_error", 507),
                    ("RMSE", "root_mean_squared_error", 508),
                )
            ),
            (
                "60 teams",
                "twelve of 60, the others graded",
                # As many resamples as Holm's correction needs.
                partial(families.kept, make=families.many, resamples=2999),
                509,
                {},
            ),
            (
                "graded",
                "ten, one best",
                partial(families.kept, make=families.graded),
                513,
                {},
            ),
            (
                "5 seeds a team",
                "ten teams, one with one run",
                partial(families.seeds_of_teams),
                510,
                {},
            ),
            ("2 tasks", "ten, mean of two tasks", partial(families.two_tasks), 511, {}),
            ("BLEU", "ten, 100 segments", partial(families.kept, make=families.bleu), 512, {}),
        )
    ),
    *(
        # Two equal leaders are the least favorable configuration. Either is verified in exactly .05
        # of competitions with normal scores: the second band allows for chance.
        Check(
            f"30, {what}",
            f"a winner verified: {field}",
            partial(verdicts.winners, make=make),
            (seed,),
            {
                "wrong winner verified": (0, 0.05),
                "one of the equal ones verified": (0, 0.06),
                "best lost": NO_CLAIM,
                "best lost by D alone": NO_CLAIM,
                "lost beyond D alone, or 5%": beyond,
            },
            full={"sets": 4000},
            short={"sets": 20},
        )
        for what, field, make, seed, beyond in (
            (
                "one rival",
                "two equal entries and eight far behind",
                verdicts.normal(verdicts.two_equal()),
                600,
                BEYOND,
            ),
            (
                "unequal variances",
                "two equal entries, one with five times the standard error, and eight far behind",
                verdicts.normal(verdicts.two_equal(spread=5)),
                601,
                BEYOND,
            ),
            (
                "accuracy",
                "two of ten equal, n = 500, through the whole program",
                verdicts.answered(500, (0.9, 0.9) + (0.5,) * 8),
                602,
                BEYOND,
            ),
            (
                "accuracy, n = 100",
                "two of ten equal, studentized, through the whole program",
                verdicts.answered(100, (0.8, 0.8) + (0.2,) * 8),
                603,
                BEYOND,
            ),
            (
                "means, n = 50",
                "two of ten equal, studentized",
                verdicts.measured(50, (0.0, 0.0) + (-3.0,) * 8),
                604,
                BEYOND,
            ),
            (
                "1 × 50 runs",
                "one run against a team of 50 equal ones",
                verdicts.one_against_a_team(),
                605,
                BEYOND,
            ),
            ("equal", "ten equal entries", verdicts.normal(verdicts.level()), 606, BEYOND),
            # With near-copies of the best, it is lost more often, and how often is only shown.
            (
                "near-copies",
                "a best entry, ten near-copies and an equal rival",
                verdicts.normal(verdicts.near_copies()),
                607,
                NEAR_COPIES,
            ),
            (
                "near-copies of a mean",
                "a best entry, the mean of two equal rivals, and ten near-copies",
                verdicts.normal(verdicts.mean_of_rivals()),
                608,
                NEAR_COPIES,
            ),
        )
    ),
    *(
        Check(
            f"31, {what}",
            f"the right winner named: 60 entries, {what} 3 standard errors behind",
            partial(verdicts.named, scores=verdicts.behind(3, near, 60)),
            (seed,),
            {"named": right, "named by D alone": by_d, "wrong winner verified": (0, 0.05)},
            full={"sets": 1000},
            short={"sets": 3},
        )
        for what, near, seed, right, by_d in (
            ("one", 1, 610, (0.81, 0.88), (0.44, 0.55)),
            ("all others", 59, 611, (0.17, 0.28), (0, 0.06)),
        )
    ),
    *(
        Check(
            f"{check}, 750 covariances",
            f"{what}, any covariance: the rule",
            partial(verdicts.first_places, winner=winner),
            (seed,),
            {"worst covariance": (0, 0.05), "mean of the covariances": (0, 0.05)},
            full={"sets": 10_000},
            short={"sets": 500, "covariances": 30},
        )
        for check, what, winner, seed in (
            ("30", "a wrong winner verified", True, 609),
            ("32", "wrong first places verified", False, 620),
        )
    ),
    *(
        Check(
            f"32, {what}",
            f"the first {prizes} verified: {field}",
            partial(verdicts.places, make=make, prizes=prizes),
            (seed,),
            {
                "wrong places verified": (0, 0.05),
                "right places verified": NO_CLAIM,
                "right places by joint rank sets": NO_CLAIM,
            },
            full={"sets": 4000},
            short={"sets": 5},
        )
        for what, field, make, seed, prizes in (
            (
                "opposed pairs",
                "two of four, in pairs that move in opposition",
                verdicts.normal(verdicts.opposed_pairs(), prizes=2),
                621,
                2,
            ),
            # The last place has one equal rival; all others are far ahead or behind.
            (
                "one rival",
                "the second of ten has an equal rival",
                verdicts.normal(verdicts.border(), prizes=2),
                622,
                2,
            ),
            (
                "unequal variances",
                "the third of ten has an equal rival with five times the standard error",
                verdicts.normal(verdicts.border(3, spread=5), prizes=3),
                623,
                3,
            ),
            (
                "accuracy",
                "the second of ten has an equal rival, n = 500, through the whole program",
                verdicts.answered(500, (0.97, 0.8, 0.8) + (0.4,) * 7, prizes=2),
                624,
                2,
            ),
            (
                "accuracy, n = 100",
                "the third of ten has an equal rival, studentized, through the whole program",
                verdicts.answered(100, (0.98, 0.97, 0.6, 0.6) + (0.1,) * 6, prizes=3),
                625,
                3,
            ),
            (
                "means, n = 50",
                "the second of ten has an equal rival, studentized",
                verdicts.measured(50, (3.0, 0.0, 0.0) + (-3.0,) * 7, prizes=2),
                626,
                2,
            ),
            (
                "1 × 50 runs",
                "the second of three teams has one run, the third has 50 equal ones",
                verdicts.one_against_a_team(prizes=2),
                627,
                2,
            ),
            (
                "3 standard errors",
                "the second of ten is 3 standard errors ahead of the third",
                verdicts.normal(verdicts.border(ahead=3), prizes=2),
                628,
                2,
            ),
        )
    ),
    *(
        Check(
            f"33, {m} {field}",
            "the leader's corrected score, known covariance",
            partial(verdicts.corrected_by_the_rule, scores=scores(m)),
            (650 + m + (field == "graded"),),
            {
                "coverage": (0.93, 0.97),
                "estimate above the truth": (0.48, 0.52),
                "corrected": NO_CLAIM,
                "coverage where given": (0.93, 0.98),
                "coverage of the plain interval": NO_CLAIM,
            },
            full={"sets": 20_000},
            short={"sets": 100},
        )
        for m in (2, 10, 30, 134)
        for field, scores in (("equal", verdicts.level), ("graded", verdicts.graded))
    ),
    *(
        Check(
            f"33, {what}",
            "the leader's corrected score, by the bootstrap",
            partial(verdicts.corrected, make=make, truth=truth),
            (seed,),
            {
                "coverage": (0.93, 0.99),
                "estimate above the truth": above,
                "corrected": NO_CLAIM,
                "coverage where given": (0.93, 0.99),
                "coverage of the plain interval": NO_CLAIM,
            },
            full={"sets": 2000},
            short={"sets": 5},
        )
        for what, make, truth, seed, above in (
            (
                "10 equal means, n = 200",
                verdicts.measured(200, (0.0,) * 10),
                (0.0,) * 10,
                770,
                (0.47, 0.57),
            ),
            # Where several lead, there is none: in the rest, the leader was luckier. Its lead of
            # an example, and that its variance looks smaller, are allowed for.
            (
                "10 equal accuracies, n = 500",
                verdicts.answered(500, (0.8,) * 10),
                (0.8,) * 10,
                771,
                (0.47, 0.55),
            ),
            (
                "30 equal accuracies, n = 200",
                verdicts.answered(200, (0.8,) * 30),
                (0.8,) * 30,
                772,
                (0.47, 0.58),
            ),
        )
    ),
    *(
        Check(
            f"34, {what}",
            f"how far behind: {field}",
            partial(verdicts.bars, make=make, truth=truth),
            (seed,),
            {
                "far ends and a best one": joint,
                "with verified winners": NO_CLAIM,
                "near ends": (0.93, 1),
            },
            full={"sets": 2000},
            short={"sets": 5},
        )
        for what, field, make, truth, seed, joint in (
            (
                "equal",
                "ten equal entries",
                verdicts.normal(verdicts.level()),
                (0.0,) * 10,
                640,
                (0.93, 1),
            ),
            (
                "graded",
                "ten entries, a third of a standard error apart",
                verdicts.normal(verdicts.graded()),
                tuple(verdicts.graded().truth),
                641,
                (0.93, 1),
            ),
            (
                "near-copies",
                "a best entry, ten near-copies and an equal rival",
                verdicts.normal(verdicts.near_copies()),
                (0.0,) * 12,
                642,
                (0.92, 1),
            ),
            (
                "means, n = 200",
                "ten means, five of them behind, by the bootstrap",
                verdicts.measured(200, (0.0,) * 5 + (-0.25,) * 5),
                (0.0,) * 5 + (-0.25,) * 5,
                643,
                (0.93, 1),
            ),
            (
                "accuracy, n = 100",
                "ten accuracies, five of them behind, studentized, through the whole program",
                verdicts.answered(100, (0.9,) * 5 + (0.8,) * 5),
                (0.9,) * 5 + (0.8,) * 5,
                644,
                (0.93, 1),
            ),
        )
    ),
    *(
        Check(
            f"35, {what}",
            f"preferences: {field}",
            partial(judgments.observed, draw=draw, truth=truth, group=group),
            (seed,),
            _of_judgments(PREFERENCES, *bands),
            full={"sets": 2000},
            short={"sets": 3},
        )
        for what, field, draw, truth, group, seed, bands in (
            (
                "lines",
                "ten equal systems, lines resampled",
                judgments.votes,
                judgments.EQUAL,
                None,
                800,
                (PAIR, FIELD, KEPT),
            ),
            (
                "prompts",
                "ten equal systems that differ by prompt, 200 prompts resampled",
                partial(judgments.votes, of_prompts=1.0),
                judgments.EQUAL,
                "prompt",
                801,
                (PAIR, FIELD, KEPT),
            ),
            (
                "judges",
                "ten equal systems that differ by judge, 60 judges resampled",
                partial(judgments.votes, of_judges=1.0),
                judgments.EQUAL,
                "judge",
                802,
                (PAIR, FIELD, KEPT),
            ),
            (
                "both",
                "ten equal systems that differ by prompt and judge, both resampled",
                partial(judgments.votes, of_prompts=1.0, of_judges=1.0),
                judgments.EQUAL,
                ("prompt", "judge"),
                803,
                (PAIR, FIELD, KEPT),
            ),
            (
                "graded, both",
                "ten graded systems that differ by prompt and judge, both resampled",
                partial(judgments.votes, lines=3000, of_prompts=0.5, of_judges=0.5),
                GRADED,
                ("prompt", "judge"),
                804,
                (PAIR, FIELD, KEPT),
            ),
            (
                "judges forgotten",
                "ten equal systems that differ by judge, 20 judges, prompts resampled",
                partial(judgments.votes, judges=20, of_judges=1.0),
                judgments.EQUAL,
                "prompt",
                805,
                (NO_CLAIM, NO_CLAIM, NO_CLAIM),
            ),
        )
    ),
    *(
        Check(
            f"36, {what}",
            f"scores of judges who saw some systems: {field}",
            partial(
                judgments.observed,
                draw=draw,
                truth=truth,
                group=group,
                missing="judged",
                greater_is_better=True,
            ),
            (seed,),
            _of_judgments(("score",), *bands),
            full={"sets": 2000},
            short={"sets": 3},
        )
        for what, field, draw, truth, group, seed, bands in (
            (
                "half",
                "ten equal systems, each judged on half of 300 units",
                judgments.direct,
                judgments.EQUAL,
                None,
                810,
                (PAIR, FIELD, KEPT),
            ),
            (
                "uneven",
                "ten equal systems, judged on .9 to .15 of 300 units",
                partial(judgments.direct, share=tuple(np.linspace(0.9, 0.15, judgments.M))),
                judgments.EQUAL,
                None,
                811,
                (PAIR, FIELD, KEPT),
            ),
            (
                "few",
                "ten equal systems, each judged on .4 of 100 units",
                partial(judgments.direct, units=100, share=(0.4,) * judgments.M),
                judgments.EQUAL,
                None,
                812,
                (PAIR, FIELD, KEPT),
            ),
            (
                "documents",
                "ten equal systems that differ by document, 100 documents resampled",
                partial(judgments.direct, units=1000, of_documents=0.7),
                judgments.EQUAL,
                "document",
                813,
                (PAIR, FIELD, KEPT),
            ),
            (
                "graded",
                "ten graded systems, each judged on half of 300 units",
                judgments.direct,
                GRADED,
                None,
                814,
                (PAIR, FIELD, KEPT),
            ),
        )
    ),
    *(
        Check(
            f"40, {what}",
            f"mean rank over {tied_ranks.TASKS} tasks of {tied_ranks.N} examples, {said}",
            partial(tied_ranks.kept, make=make),
            (seed,),
            {
                # In every competition.
                "kept by the mean rank": (1, 1),
                "leads": NO_CLAIM,
                "leads, ties sharing the better rank": NO_CLAIM,
                "another leader, ties sharing the better rank": NO_CLAIM,
            },
            full={"sets": 300},
            short={"sets": 4},
            is_fast=True,
        )
        for what, said, make, seed in (
            ("equal", "6 equal entries", tied_ranks.equal, 900),
            (
                "near-copies",
                "an entry beside 5 equal ones that are nearly the same",
                tied_ranks.near_copies,
                901,
            ),
            (
                "tied rivals",
                "the best entry beside 3 that are truly level with each other",
                tied_ranks.tied_rivals,
                902,
            ),
        )
    ),
    *(
        Check(
            f"50, {what}",
            f"who takes one of {places} prizes, {field}",
            partial(prizes.settled, make=make, truth=truth, places=places),
            (seed,),
            {
                "a wrong statement": (0, 0.06),
                "teams that are sure": (0, places),
                "teams out": (0, len(truth) - places),
            },
            full={"sets": 1000},
            short={"sets": 4},
            is_fast=True,
        )
        for what, field, make, truth, places, seed in (
            ("equal", "ten equal teams", prizes.means(prizes.EQUAL, 3), prizes.EQUAL, 3, 1000),
            ("graded", "ten graded teams", prizes.means(prizes.GRADED, 3), prizes.GRADED, 3, 1001),
            (
                "two blocks",
                "three of ten teams better than the others",
                prizes.means(prizes.TWO_BLOCKS, 3),
                prizes.TWO_BLOCKS,
                3,
                1002,
            ),
            (
                "border",
                "ten teams of which two are level for the last prize",
                prizes.means(prizes.BORDER, 3),
                prizes.BORDER,
                3,
                1003,
            ),
            (
                "one prize",
                "ten graded teams",
                prizes.means(prizes.GRADED, 1),
                prizes.GRADED,
                1,
                1004,
            ),
            (
                "runs",
                "six equal teams of 20 runs, 5, and one each",
                prizes.runs_of_teams((20, 5, 1, 1, 1, 1), 2),
                (0.0,) * 6,
                2,
                1005,
            ),
        )
    ),
    *(
        Check(
            f"53, {what}",
            f"one of two competitions called the closest: {field}",
            partial(closeness.called_closest, fields=fields, sizes=sizes),
            (seed,),
            dict.fromkeys(closeness.MEASURES, band),
            full={"sets": 500},
            short={"sets": 4},
            is_fast=True,
        )
        for what, field, fields, sizes, seed, band in (
            (
                "one field",
                "6 entries from one population, n = 500 each",
                (closeness.FIELD, closeness.FIELD),
                (500, 500),
                1060,
                (0, 0.08),
            ),
            (
                "equal entries",
                "6 equal entries, n = 500 and 600",
                (closeness.EQUAL, closeness.EQUAL),
                (500, 600),
                1061,
                (0, 0.08),
            ),
            (
                "other sizes",
                "6 entries from one population, n = 300 and 3,000",
                (closeness.FIELD, closeness.FIELD),
                (300, 3000),
                1062,
                (0, 0),
            ),
            (
                "two fields",
                "6 entries that differ, and 6 that are more alike, n = 500 each",
                (closeness.FIELD, closeness.ALIKE),
                (500, 500),
                1063,
                NO_CLAIM,
            ),
        )
    ),
    *(
        Check(
            f"56, {what}",
            f"5 equal systems, {strata} strata of {size} units",
            partial(small_strata.observed, strata=strata, size=size),
            (seed,),
            {"intervals hold": held, "a given best kept": kept, "width": width},
            full={"sets": 1000},
            short={"sets": 2},
            is_fast=what == "pairs",
        )
        for what, strata, size, seed, held, kept, width in (
            ("pairs", 150, 2, 1201, (0.8, 0.87), (0.77, 0.86), (0.69, 0.72)),
            ("threes", 100, 3, 1202, (0.86, 0.91), (0.87, 0.93), (0.8, 0.83)),
            ("fives", 60, 5, 1203, (0.89, 0.94), (0.9, 0.945), (0.87, 0.905)),
            ("tens", 30, 10, 1204, (0.92, 0.955), (0.92, 0.96), (0.925, 0.955)),
            ("pairs, few units", 50, 2, 1205, (0.8, 0.87), (0.935, 1.0), (0.68, 0.72)),
            ("threes, few units", 50, 3, 1206, (0.86, 0.91), (0.935, 1.0), (0.79, 0.83)),
        )
    ),
    *(
        Check(
            f"55, {what}",
            f"the front of cost and score: {field}",
            partial(costs.fronts, draw=draw),
            (seed,),
            OF_FRONTS,
            full={"sets": 1000},
            short={"sets": 2},
            is_fast=what in ("equal", "measured"),
        )
        for what, field, draw, seed in (
            ("equal", "ten equal entries, 300 questions", costs.equal, 1070),
            ("rising", "ten entries, better the more they cost", costs.rising, 1071),
            (
                "two prices",
                "five equal cheap entries, five better dear ones",
                costs.two_prices,
                1072,
            ),
            ("forty", "40 equal entries", partial(costs.equal, count=40), 1073),
            ("50 units", "ten equal entries, normal scores", costs.few_units, 1074),
            ("log-normal", "ten equal entries, 200 log-normal scores", costs.log_normal, 1075),
            ("groups", "ten equal entries, 100 groups of five", costs.groups, 1076),
            ("measured", "eight entries of equal scores and costs", costs.measured_equal, 1077),
            (
                "measured, edges",
                "an entry beside equal cheaper ones and better ones that hardly cost more",
                costs.measured_edges,
                1078,
            ),
            (
                "dominated",
                "five best for their costs, five worse and dearer",
                costs.dominated,
                1079,
            ),
        )
    ),
    *(
        Check(
            f"55, by the command, {what}",
            f"the same, each scored from its folder by the command: {field}",
            partial(costs.fronts, draw=draw, analyze=costs.by_command),
            (seed,),
            OF_FRONTS,
            full={"sets": 400},
            short={"sets": 2},
        )
        for what, field, draw, seed in (
            ("equal", "ten equal entries, 300 questions", costs.equal, 1070),
            ("measured", "eight entries of equal scores and costs", costs.measured_equal, 1077),
        )
    ),
    *(
        Check(
            f"12, seeds, {what}",
            f"methods with {said}, {sizes[0]} runs each",
            partial(of_seeds.kept, spreads=spreads, runs=sizes),
            (seed,),
            {
                "a given best kept": (0.935, 1.0),
                "the loudest kept": (0.935, 1.0),
                "verified falsely": (0.0, 0.055),
            },
            full={"sets": sets},
            short={"sets": 8},
            is_fast=what in ("loud", "two"),
        )
        for what, said, spreads, sizes, seed, sets in (
            (
                "steady",
                "one steady best among 19 loud",
                of_seeds.one_steady(19),
                [3] * 20,
                920,
                400,
            ),
            (
                "steady of 60",
                "one steady best among 59 loud",
                of_seeds.one_steady(59),
                [3] * 60,
                921,
                100,
            ),
            ("loud", "ten loud ones", [of_seeds.LOUD] * 10, [3] * 10, 922, 400),
            ("loud, 5 runs", "ten loud ones", [of_seeds.LOUD] * 10, [5] * 10, 923, 2000),
            ("uneven", "ten spreads from e⁻² to e²", of_seeds.UNEVEN, [4] * 10, 924, 400),
            ("four loud", "four loud ones of 20", of_seeds.FOUR_LOUD, [3] * 20, 925, 400),
            ("two", "two loud ones", [of_seeds.LOUD] * 2, [3] * 2, 926, 400),
        )
    ),
    Check(
        "12, seeds, by the command",
        "two loud methods, 3 runs each, in a table with a column of seeds that the command reads",
        partial(of_seeds.kept_by_command, spreads=[of_seeds.LOUD] * 2, runs=[3] * 2),
        (926,),
        {
            "a given best kept": (0.935, 1.0),
            "the loudest kept": (0.935, 1.0),
            "verified falsely": (0.0, 0.055),
        },
        full={"sets": 400},
        short={"sets": 8},
    ),
    Check(
        "12, seeds, right winner",
        "the best of five methods, five standard errors ahead, 5 runs each",
        of_seeds.right_winner,
        (927,),
        {"the right winner": (0.90, 1.0)},
        full={"sets": 400, "runs": 5},
        short={"sets": 8, "runs": 5},
        is_fast=True,
    ),
    Check(
        "12, seeds, plan",
        "two methods of 4 runs each: as many examples and runs as the plan says, whoever is ahead",
        of_seeds.planned,
        (930,),
        {"settled": (0.75, 0.87)},
        full={"sets": 400, "runs": 4},
        short={"sets": 6, "runs": 4},
        is_fast=True,
    ),
    *(
        Check(
            f"51, {what}, {repeats} × {folds}, {learners} learners",
            f"equal learners, {repeats} × {folds} folds that are stated, {what}",
            partial(
                cross_validation.kept,
                learner=learner,
                learners=learners,
                repeats=repeats,
                folds=folds,
            ),
            (seed,),
            {
                "kept": (0.925, 1),
                "one of the equal ones verified": (0, 0.08),
                "claimed by default": (0, 0),
            },
            full={"sets": 400},
            short={"sets": 2},
            short_bands={"claimed by default": (0, 0)},
            is_fast=learners == 2,
        )
        for what, learner, repeats, folds, learners, seed in (
            ("linear", cross_validation.linear, 10, 10, 2, 1010),
            ("linear", cross_validation.linear, 10, 10, 5, 1011),
            ("linear", cross_validation.linear, 5, 5, 2, 1012),
            ("linear", cross_validation.linear, 3, 10, 5, 1013),
            ("5 neighbors", cross_validation.neighbors, 10, 10, 2, 1014),
            ("5 neighbors", cross_validation.neighbors, 5, 5, 5, 1015),
            ("tree", cross_validation.tree, 3, 10, 2, 1016),
            ("tree", cross_validation.tree, 5, 5, 5, 1017),
        )
    ),
    *(
        Check(
            f"52, {what}",
            f"preferences, prompts and judges that cross: {field}",
            partial(judgments.crossed, draw=partial(judgments.votes, **about)),
            (seed,),
            {
                "kept": (0.935, 1),
                "one of the equal ones verified": (0, 0.05),
                "the best named": named,
                "serious caution": serious,
            },
            full={"sets": 400},
            short={"sets": 2},
            short_bands={"kept": (0.5, 1)},
            is_fast=True,
        )
        for what, field, about, seed, named, serious in CROSSED
    ),
    *(
        Check(
            f"54, {what}",
            f"equal systems, a judge that favors some, and people: {field}",
            partial(people.kept, cell=cell),
            (seed,),
            # Of two equal systems, either may be verified.
            {"kept": (0.935, 1), "verified falsely": (0, 0.07)},
            # The nearest to its band is observed the longest.
            full={"sets": 4000 if what == "useless" else 1000},
            short={"sets": 2},
            short_bands={"kept": (0.4, 1)},
            is_fast=what in ("30 units", "documents", "missing"),
        )
        for what, field, cell, seed in PEOPLE
    ),
    *(
        Check(
            f"54, by the command, {what}",
            f"the same, each scored from its folder by the command: {field}",
            partial(people.kept_by_command, cell=cell),
            (seed,),
            {"kept": (0.935, 1), "verified falsely": (0, 0.07)},
            full={"sets": 400},
            short={"sets": 2},
            short_bands={"kept": (0.4, 1)},
        )
        for what, field, cell, seed in PEOPLE
        if what in ("100 units", "documents", "missing")
    ),
    Check(
        "54, judge alone",
        "the same by the judge alone: 5 systems, 1,000 units",
        partial(people.kept, cell=people.Cell(5, 100, 1000), alone=True),
        (1103,),
        {"kept": NO_CLAIM, "verified falsely": NO_CLAIM},
        full={"sets": 1000},
        short={"sets": 2},
    ),
    *(
        Check(
            f"54, chosen, {what}",
            f"people's units are not drawn at random: {field}; 100 of 1,000",
            partial(people.kept, cell=people.Cell(5, 100, 1000, chosen=choice)),
            (1120,),
            {"kept": NO_CLAIM, "verified falsely": NO_CLAIM},
            full={"sets": 1000},
            short={"sets": 2},
        )
        for what, field, choice in (
            ("furthest", "those on which the judge is furthest from people", people.furthest),
            (
                "further half",
                "of the half on which the judge is further from people",
                people.of_the_further_half,
            ),
            (
                "in proportion",
                "with probabilities in proportion to how far the judge is from people",
                people.in_proportion,
            ),
            (
                "between judges",
                "those on which two judges are furthest apart",
                people.between_judges,
            ),
            (
                "between systems",
                "those on which the judge tells the systems apart most",
                people.between_systems,
            ),
        )
    ),
    *(
        Check(
            f"54, right winner, {what}",
            f"the first of 5 systems is 0.35 standard deviations ahead; {field}",
            partial(people.right_winner, cell=cell, ahead=0.35),
            (1121,),  # the same competitions
            {"the right winner": band, "the right winner by people alone": NO_CLAIM},
            full={"sets": 1000},
            short={"sets": 2},
            short_bands={},
        )
        for what, field, cell, band in (
            ("usual", "the usual judge", people.Cell(5, 100, 1000), (0.7, 1.0)),
            (
                "narrow",
                "a judge of a narrow scale",
                people.Cell(5, 100, 1000, breadth=0.1),
                (0.7, 1.0),
            ),
        )
    ),
)
