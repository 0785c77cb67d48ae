"""Made-up competitions of every form for the tests of rendering, consistent because inferred."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from scoring_program.alignment.competition import Unusable
from scoring_program.core.notes import Note
from scoring_program.inference import analyse
from scoring_program.inference.analysis import MetricAnalysis
from scoring_program.report import MetricInput, PageInput

TEAMS = (
    "NLPCIC",
    "CIMATMTYGTO",
    "DCCDINFOTEC",
    "CIMATGTO",
    "UMUTeam",
    "Timen",
    "CICIPN",
    "xjywing",
    "aomar",
    "CENAmrita",
)
F1 = (0.7154, 0.7026, 0.6847, 0.6792, 0.6706, 0.6040, 0.6017, 0.4937, 0.4730, 0.4685)

#: Names that try to break out of every format.
HOSTILE = (
    '"><script>alert(1)</script>',
    "long" * 125,
    "فريق الاختبار",
    r"50% of_$\TeX{} & #1 ~^",
    "=1+1",
    '=HYPERLINK("http://example.org";"x")',
    "a|b\nc*d*`e`",
    "[link](javascript:alert(1))",
    "東京大学自然言語処理研究室",
    "\u202egnihton",
    "{{ 7*7 }}",
    "</style><svg onload=alert(1)>",
)
LONG = tuple(f"Laboratorio de Procesamiento de Lenguaje Natural, sede {k}" for k in range(1, 9))

LABELS = ("F1", "precision", "recall", "accuracy", "macro F1", "AUC", "MCC", "balanced accuracy")


@dataclass(frozen=True)
class Metric:
    """The facts about a metric that inference and rendering read."""

    name: str
    label: str
    greater_is_better: bool = True
    kind: str = "labels"
    ideal: float | None = 1.0
    low: float = 0.0
    high: float = 1.0
    ratio_scale: bool = True


@dataclass(frozen=True)
class Replicates:
    """Scores on the resamples [B, m]."""

    values: np.ndarray[Any, Any]
    undefined: int = 0
    zero_divisions: np.ndarray[Any, Any] | None = None


def analysis(
    metric: Metric,
    scores: Sequence[float] | np.ndarray[Any, Any],
    names: Sequence[str],
    *,
    n: int = 2182,
    error: float = 0.0147,
    resamples: int = 2000,
    seed: int = 0,
    **settings: Any,
) -> MetricAnalysis:
    """Infer from normal replicates in which half of the variance is shared by all entries."""
    rng = np.random.default_rng(seed)
    shared = rng.normal(size=(resamples, 1))
    own = rng.normal(size=(resamples, len(scores)))
    observed = np.asarray(scores, dtype=np.float64)
    values = observed + error * (shared + own) / math.sqrt(2)
    return analyse(metric, observed, Replicates(values), names=names, n=n, **settings)


def metric_input(metric: Metric, found: MetricAnalysis) -> MetricInput:
    """Return a metric's input to rendering."""
    definition = f"{metric.name}(pos_label='offensive')"
    return MetricInput(found, metric.label, definition, metric.ideal, metric.low, metric.high)


def page_input(
    scores: Sequence[float] = F1,
    names: Sequence[str] = TEAMS,
    *,
    metrics: int = 1,
    n: int = 2182,
    error: float = 0.0147,
    resamples: int = 2000,
    settings: dict[str, Any] | None = None,
    **about: Any,
) -> PageInput:
    """Return a made-up competition; its further metrics shuffle the scores a bit."""
    rng = np.random.default_rng(5)
    inputs = []
    for index in range(metrics):
        metric = Metric(f"metric_{index}" if index else "f1_score", LABELS[index])
        these = np.asarray(scores) + (rng.normal(scale=0.03, size=len(scores)) if index else 0)
        found = analysis(
            metric,
            these,
            names,
            n=n,
            error=error,
            resamples=resamples,
            seed=index,
            **(settings or {}),
        )
        inputs.append(metric_input(metric, found))
    signature = {
        "deadheat": "0.1.0",
        "seed": "0",
        "resamples": "2000",
        "tie_rule": "max_t",
        "metric f1_score": "f1_score(pos_label='offensive')",
        "sha256 of the reference data": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c1",
        **{
            f"sha256 of {name}": "60303ae22b998861bce3b28f33eec1be758a213c86c93"
            for name in names[:3]
        },
    }
    page = PageInput(
        title="MeOffendEs 2021, subtask 3",
        n=n,
        entries=tuple(names),
        metrics=tuple(inputs),
        signature=signature,
        version="0.1.0",
    )
    return replace(page, **about)


def graded(m: int) -> tuple[tuple[float, ...], tuple[str, ...]]:
    """Return scores that fall from .72 to .45, and names."""
    scores = tuple(np.linspace(0.72, 0.45, m).tolist()) if m > 1 else (0.72,)
    return scores, tuple(f"team {index + 1:03d}" for index in range(m))


def teams() -> PageInput:
    """Ten teams, three metrics: what an organizer sees."""
    return page_input(metrics=3)


def many() -> PageInput:
    """A large field of 134 entries."""
    scores, names = graded(134)
    return page_input(scores, names, metrics=1)


def field() -> PageInput:
    """A single submission with the field it is compared with."""
    return page_input(metrics=2, form="field", focus=3)


def single() -> PageInput:
    """A single submission alone."""
    return page_input((0.6847,), ("submission",), metrics=2, form="single", focus=0)


def one_team() -> PageInput:
    """A competition with one entry."""
    return page_input((0.6847,), ("NLPCIC",))


def two() -> PageInput:
    """Two teams, whose grids are narrower than their labels."""
    return page_input((0.72, 0.70), TEAMS[:2], language="es")


def eight_metrics() -> PageInput:
    """Every metric there is a label for."""
    return page_input(F1[:5], TEAMS[:5], metrics=8)


def hostile() -> PageInput:
    """Entries whose names attack every format, and submissions that could not be scored."""
    scores = tuple(np.linspace(0.72, 0.60, len(HOSTILE)).tolist())
    reason = "predictions.csv: 2 duplicate ids\n  - line 17: id '<b>t16</b>' was already on line 16"
    return page_input(
        scores,
        HOSTILE,
        title='<img src=x onerror="alert(1)"> & friends',
        unusable=(Unusable(HOSTILE[0], reason), Unusable(HOSTILE[1], "empty file")),
        runs={HOSTILE[0]: 3, HOSTILE[1]: 1},
        runs_policy="best",
        notes=(Note("notes.left_aside", {"files": ("<two>.pdf",)}),),
    )


def long_names() -> PageInput:
    """Entries with long but honest names."""
    return page_input(F1[: len(LONG)], LONG)


def errors() -> PageInput:
    """An error metric without an upper bound, in large units, in Spanish."""
    metric = Metric("rmse", "RMSE", False, "numbers", 0.0, 0.0, math.inf)
    scores = (1203.4, 1211.0, 1290.5, 1412.2)
    found = analysis(metric, scores, TEAMS[:4], error=31.0)
    page = page_input(scores, TEAMS[:4], language="es")
    return replace(page, metrics=(metric_input(metric, found),))


def baselines() -> PageInput:
    """A baseline that beats everybody, another that does not, groups, and cautions."""
    scores = (0.70, 0.68, 0.71, 0.60)
    names = ("alpha", "beta", "strong baseline", "weak baseline")
    page = page_input(
        scores,
        names,
        n=60,
        error=0.05,
        settings={"baselines": names[2:], "units": 12},
        group="document",
        groups=12,
        stratify="site",
    )
    return page


def reference() -> PageInput:
    """Entries compared with one that was named in advance."""
    return page_input(settings={"reference": "UMUTeam"})


def anonymous() -> PageInput:
    """Ten teams under numbers, with two submissions left out, whose names are hidden too."""
    names = tuple(f"Team {number}" for number in range(1, 11))
    reason = "Unusable 1/predictions.csv: 1 duplicate id\n  - line 17: id 't16' was on line 16"
    return page_input(F1, names, unusable=(Unusable("Unusable 1", reason),))


def usage() -> PageInput:
    """Private rows that rank, public rows, and the shake-up between them."""
    page = page_input(metrics=2)
    private, public = page.metrics
    found = analysis(Metric("public_f1_score", "public: F1"), F1[::-1], TEAMS, error=0.05, seed=3)
    public = replace(public, analysis=found, label="public: F1")
    notes = (
        Note("notes.layout_teams", {"teams": 10}),
        Note("notes.usage", {"private": 1500, "public": 682}),
    )
    return replace(page, metrics=(private, public), public=1, notes=notes)


def tasks() -> PageInput:
    """Two tasks and the mean rank over them."""
    page = page_input(F1[:5], TEAMS[:5], metrics=2)
    ranks = Metric("mean_rank", "mean rank", False, "table", 1.0, 1.0, 5.0, ratio_scale=False)
    found = analysis(ranks, (1.0, 2.0, 3.0, 4.0, 5.0), TEAMS[:5], error=0.4)
    labels = ("stance: F1", "location: macro F1")
    return replace(
        page,
        metrics=(
            metric_input(ranks, found),
            *(
                replace(metric, label=label)
                for metric, label in zip(page.metrics, labels, strict=True)
            ),
        ),
    )


def spanish() -> PageInput:
    """A page in Spanish with everything that a page can have."""
    return replace(
        page_input(
            (0.70, 0.70, 0.71, 0.60, 0.55),
            ("alfa", "beta", "línea base fuerte", "gama", "línea base débil"),
            metrics=2,
            n=60,
            error=0.05,
            resamples=99,
            settings={
                "baselines": ("línea base fuerte", "línea base débil"),
                "units": 12,
                "tie_rule": "holm",
            },
            group="documento",
            groups=12,
        ),
        language="es",
        unusable=(Unusable("delta", "predictions.csv: 1 duplicate id"),),
        runs={"alfa": 2, "beta": 1},
        notes=(
            Note("notes.layout_teams", {"teams": 5}),
            Note("notes.gold_emptied", {"count": 1}),
            Note("notes.formats", {"formats": (Note("formats.lines", {"files": 5}),)}),
        ),
    )


def single_in_spanish() -> PageInput:
    """A single submission alone, in Spanish."""
    return replace(single(), language="es")


#: Every form of the page, by name.
FORMS = {
    "teams": teams,
    "many": many,
    "field": field,
    "single": single,
    "one_team": one_team,
    "two": two,
    "eight_metrics": eight_metrics,
    "hostile": hostile,
    "long_names": long_names,
    "errors": errors,
    "baselines": baselines,
    "reference": reference,
    "anonymous": anonymous,
    "usage": usage,
    "tasks": tasks,
    "spanish": spanish,
    "single_in_spanish": single_in_spanish,
}
