"""The kinds of competitions that a page must show well, for the contact sheet and its tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from scoring_program.core.errors import LeftOut
from scoring_program.core.phrases import Phrase, verbatim
from scoring_program.inference.descriptive import ranking_schemes
from scoring_program.report.findings import Findings
from tests.report import made

_CHINESE = (
    "東京大学自然言語処理研究室",
    "清华大学自然语言处理与社会人文计算实验室",
    "哈工大讯飞",
    "北京",
)
_ARABIC = ("فريق الاختبار", "مختبر معالجة اللغة الطبيعية بجامعة القاهرة", "النجوم", "قلم")
_EMOJI = ("🚀 rocket", "👩‍👩‍👧‍👦 family", "🏳️‍🌈🏴‍☠️", "plain")


def _named(names: tuple[str, ...]) -> Findings:
    return made.result(made.F1[: len(names)], names, metrics=2)


def forty() -> Findings:
    """Forty teams by five metrics."""
    scores, names = made.graded(40)
    return made.result(scores, names, metrics=5)


def three_hundred() -> Findings:
    """The largest field: 300 teams."""
    scores, names = made.graded(300)
    return made.result(scores, names, error=0.012)


def crowd(metrics: int = 1) -> Findings:
    """Forty teams, of which five may have won, with baselines and what else a field may hold."""
    scores = (*np.linspace(0.72, 0.71, 5), *np.linspace(0.6, 0.45, 35))
    names: tuple[str, ...] = ("Ñandú", "zeta", "éclair", "Alpha", *_CHINESE, *_ARABIC, *_EMOJI)
    names += tuple(f"team {index:02d}" for index in range(40 - len(names)))
    again = (
        LeftOut("zeta", Phrase("the same upload, run again")),
        LeftOut("omega", Phrase("the same upload, run again")),
    )
    return made.result(
        scores,
        names,
        metrics=metrics,
        error=0.01,
        settings={"baselines": names[-3:]},
        unusable=(
            LeftOut("zeta", verbatim("empty file")),
            LeftOut("broken", verbatim("predictions.csv: 2 duplicate ids")),
        ),
        left_aside=again,
    )


def unusable() -> Findings:
    """Teams of which three could not be scored."""
    repeated = (f"\n  - line {row}: id 't{row}' was already on line 2" for row in range(17, 27))
    reasons = (
        f"predictions.csv: 10 duplicate ids{''.join(repeated)}\nKeep one row for each id.",
        "predictions.csv: 2,182 rows were expected, 2,181 were found",
        "empty file",
    )
    named = zip(("team A", "team B", "team C"), reasons, strict=True)
    unusable = tuple(LeftOut(name, verbatim(reason)) for name, reason in named)
    return made.result(metrics=2, unusable=unusable)


def runs() -> Findings:
    """Several runs of each team, and a repeated upload that was left aside."""
    names = tuple(f"{team}/run {run}" for team in made.TEAMS[:4] for run in (1, 2))
    return made.result(
        made.F1[:8],
        names,
        metrics=2,
        settings={"runs": "all"},
        runs=dict.fromkeys(made.TEAMS[:4], 2),
        left_aside=(LeftOut("NLPCIC", Phrase("the same upload, run again")),),
    )


def identical() -> Findings:
    """Submissions that are the same, all of them."""
    page = made.result((0.7,) * 5, made.TEAMS[:5])
    evidence = made.evidence(
        page.evidence[0].metric, (0.7,) * 5, made.TEAMS[:5], page.settings, own_share=0.0
    )
    return replace(page, evidence=(evidence,))


def all_tied() -> Findings:
    """Twenty teams that nothing tells apart."""
    scores = tuple(np.linspace(0.71, 0.70, 20).tolist())
    return made.result(scores, made.graded(20)[1], metrics=2)


def clear_winner() -> Findings:
    """One team far ahead, one far behind."""
    scores = (0.91, 0.72, 0.715, 0.70, 0.69, 0.12)
    return made.result(scores, made.TEAMS[:6], metrics=2)


def far_baseline() -> Findings:
    """Close teams, and a baseline far behind all of them."""
    scores = (0.86, 0.858, 0.855, 0.852, 0.85, 0.33)
    names = (*made.TEAMS[:5], "majority class")
    return made.result(
        scores, names, metrics=2, error=0.008, settings={"baselines": ("majority class",)}
    )


def outlier() -> Findings:
    """An error metric, under which one team is a thousand times worse than all others."""
    page = made.errors()
    scores = (1.203, 1.211, 1.29, 1.412, 1203.0)
    rmse = page.evidence[0].metric
    settings = replace(page.settings, language="en")
    page = replace(page, settings=settings, names=made.TEAMS[:5])
    error = np.array([0.031, 0.031, 0.031, 0.031, 400.0])
    found = made.evidence(rmse, scores, made.TEAMS[:5], settings, error=error)
    return replace(page, evidence=(found,))


def few_examples() -> Findings:
    """Twenty-five examples."""
    return made.result(made.F1[:6], made.TEAMS[:6], n=25, error=0.09)


def groups() -> Findings:
    """Examples of a few documents, resampled whole."""
    return made.result(
        made.F1[:6], made.TEAMS[:6], n=900, groups=30, error=0.03, settings={"group": "document"}
    )


def segments() -> Findings:
    """Translations: the units are segments, and BLEU runs from 0 to 100."""
    page = made.result((0.342, 0.339, 0.31, 0.288), made.TEAMS[:4], kind="text")
    bleu = made.metric("bleu", "BLEU", kind="text", ideal=100.0, low=0.0, high=100.0)
    scores = (34.2, 33.9, 31.0, 28.8)
    found = made.evidence(bleu, scores, made.TEAMS[:4], page.settings, error=0.6)
    return replace(page, evidence=(found,))


def asked() -> Findings:
    """Everything an organizer may ask for at once: a margin, prizes, costs, and slices."""
    page = made.slices()
    costs = {name: 0.02 * 3.0**number for number, name in enumerate(page.names[::-1])}
    asked = {"margin": 0.02, "prizes": 3, "costs": costs, "slices": ("language", "<source>")}
    answered = made.result(metrics=2, settings=asked).evidence
    found = (replace(one, slices=page.evidence[0].slices) for one in answered)
    return replace(made.with_settings(page, **asked), evidence=tuple(found))


def score_table() -> Findings:
    """Three columns of scores made elsewhere, each ranked in four ways; its rows are the units."""
    page = made.result(made.F1[:5], made.TEAMS[:5], metrics=3, n=50, error=0.03, kind="units")
    scores = np.random.default_rng(2).normal(made.F1[:5], 0.1, size=(50, 5))
    schemes = ranking_schemes(scores, np.arange(5), greater_is_better=True, confidence=0.95)
    return replace(page, evidence=tuple(replace(one, schemes=schemes) for one in page.evidence))


KINDS: dict[str, Callable[[], Findings]] = {
    "two teams": made.two,
    "ten teams": made.teams,
    "40 teams, 5 metrics": forty,
    "134 teams": made.many,
    "300 teams": three_hundred,
    "one submission": made.single,
    "one submission in a field": made.field,
    "tasks": made.tasks,
    "public and private rows": made.usage,
    "regression": made.errors,
    "large field": crowd,
    "unusable submissions": unusable,
    "baselines": made.baselines,
    "runs": runs,
    "long names": made.long_names,
    "Chinese names": lambda: _named(_CHINESE),
    "Arabic names": lambda: _named(_ARABIC),
    "emoji names": lambda: _named(_EMOJI),
    "identical submissions": identical,
    "all tied": all_tied,
    "clear winner": clear_winner,
    "far baseline": far_baseline,
    "outlier": outlier,
    "25 examples": few_examples,
    "groups": groups,
    "segments": segments,
    "scores made elsewhere": score_table,
    "margin, prizes and slices": asked,
}
