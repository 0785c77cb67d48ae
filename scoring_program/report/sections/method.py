"""The method in plain words, and where it comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..numbers import MISSING
from ..view import MetricView
from .section import Section

#: The literature behind the methods; titles stay in their own language.
SOURCES = (
    "S. Nava-Muñoz, M. Graff, H. J. Escalante (2023). Comparison of Classifiers in Challenge "
    "Scheme. MCPR 2023. doi:10.1007/978-3-031-33783-3_9",
    "S. Nava-Muñoz, M. Graff, H. J. Escalante (2024). Analysis of systems’ performance in natural "
    "language processing competitions. Pattern Recognition Letters.",
    "T. Berg-Kirkpatrick, D. Burkett, D. Klein (2012). An Empirical Investigation of Statistical "
    "Significance in NLP. EMNLP-CoNLL.",
    "M. Mogstad, J. P. Romano, A. M. Shaikh, D. Wilhelm (2024). Inference for Ranks with "
    "Applications to Mobility across Neighbourhoods and Academic Achievement across Countries. "
    "Review of Economic Studies. doi:10.1093/restud/rdad006",
    "J. P. Romano, M. Wolf (2005). Exact and Approximate Stepdown Methods for Multiple Hypothesis "
    "Testing. Journal of the American Statistical Association. doi:10.1198/016214504000000539",
    "B. Efron, R. J. Tibshirani (1994). An Introduction to the Bootstrap. Chapman & Hall.",
)

#: Cautions beside which a rule does not keep what it promises.
_NO_PROMISE = ("heavy_tails", "single_example", "unknown_influence", "plain_draws")


@dataclass(frozen=True)
class MethodText:
    """The method in paragraphs, and the literature."""

    paragraphs: tuple[str, ...]
    sources: tuple[str, ...]


def sections(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield the method of this run."""
    content = MethodText(method_of(views[0]), SOURCES)
    yield Section("method", views[0].language.say("method.heading"), content, "method.html.j2")


def method_of(view: MetricView) -> tuple[str, ...]:
    """Return the paragraphs that apply to this run."""
    analysis, say, result = view.analysis, view.language.say, view.result
    values = {
        "resamples": view.numerals.count(analysis.resamples),
        "n": view.numerals.count(result.n),
        "confidence": view.confidence,
        "reference": view.reference,
        "rule": say(f"rules.{analysis.tie_rule}"),
        "alpha": view.numerals.plain(round(1 - analysis.confidence, 6)),
    }
    of_tasks = result.public is None and any(other.n != result.n for other in result.analyses)
    drawn = [say("method.rows_of_tasks" if of_tasks else "method.rows", **values)]
    if result.settings.group is not None:
        groups = MISSING if result.groups is None else view.numerals.count(result.groups)
        drawn.append(say("method.groups", groups=groups, column=result.settings.group))
    if result.settings.stratify is not None:
        drawn.append(say("method.strata", column=result.settings.stratify))
    undefined = max(other.undefined for other in result.analyses)
    if undefined:
        drawn.append(view.language.count("method.undefined", undefined))
    paragraphs = [" ".join(drawn), say(f"method.{analysis.interval}", **values)]
    if len(result.names) > 1:
        ranks = "ranks_of_tasks" if analysis.only_ranks else "ranks"
        paragraphs += [
            " ".join(_on_p(view)),
            say("method.corrections"),
            " ".join(_on_ties(view, values)),
            *_on_draws(view),
            *([] if view.chosen_leader else [say("method.fixed", **values)]),
            say(f"method.{ranks}", confidence=view.confidence),
        ]
    return tuple(paragraphs)


def _on_p(view: MetricView) -> Iterator[str]:
    """Say what the p-values count: one-sided, and two-sided where they are shown."""
    say = view.language.say
    yield say("method.p")
    if view.chosen_leader:
        yield say("method.p_leader")
    if any(view.two_sided(i) for i in view.others()):
        yield say("method.p_two")


def _on_ties(view: MetricView, values: Mapping[str, str]) -> Iterator[str]:
    """Say how the tie rule decides, and what it promises unless a caution forbids it."""
    analysis, say = view.analysis, view.language.say
    yield say(f"method.{analysis.tie_rule}", **values)
    unreliable = any(one.code in _NO_PROMISE for one in view.cautions)
    if (analysis.only_ranks or analysis.tie_rule == "max_t") and not unreliable:
        yield say(view.if_only_ranks("method.kept"), **values)


def _on_draws(view: MetricView) -> Iterator[str]:
    """Say why draws are studentized, if they are."""
    analysis, numerals = view.analysis, view.numerals
    if analysis.studentized is not None:
        m, tasks = len(analysis.names), len(analysis.metric.components)
        yield view.language.say(
            "method.studentized",
            why=view.language.say(f"method.studentized_because.{analysis.studentized}"),
            count=numerals.count(analysis.studentized_pairs),
            total=numerals.count(m * (m - 1) // 2 * (tasks if analysis.only_ranks else 1)),
        )
