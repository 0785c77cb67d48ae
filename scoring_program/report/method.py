"""The method in plain words, and where it comes from."""

from __future__ import annotations

from collections.abc import Iterator

from .numbers import MISSING
from .reader import Reader

#: The literature behind the methods; titles stay in their own language.
SOURCES = (
    "S. Nava-Muñoz, M. Graff, H. J. Escalante (2023). Comparison of Classifiers in Challenge "
    "Scheme. MCPR 2023.",
    "S. Nava-Muñoz, M. Graff, H. J. Escalante (2024). Analysis of systems’ performance in natural "
    "language processing competitions. Pattern Recognition Letters.",
    "T. Berg-Kirkpatrick, D. Burkett, D. Klein (2012). An Empirical Investigation of Statistical "
    "Significance in NLP. EMNLP-CoNLL.",
    "M. Mogstad, J. P. Romano, A. M. Shaikh, D. Wilhelm (2024). Inference for Ranks with "
    "Applications to Mobility across Neighbourhoods and Academic Achievement across Countries. "
    "Review of Economic Studies.",
    "J. P. Romano, M. Wolf (2005). Exact and Approximate Stepdown Methods for Multiple Hypothesis "
    "Testing. Journal of the American Statistical Association.",
    "B. Efron, R. J. Tibshirani (1994). An Introduction to the Bootstrap. Chapman & Hall.",
)


def method_of(reader: Reader) -> tuple[str, ...]:
    """Return the paragraphs that apply to this run."""
    a, say, inputs = reader.a, reader.language.say, reader.inputs
    values = {
        "resamples": reader.numerals.count(a.resamples),
        "n": reader.numerals.count(inputs.n),
        "confidence": reader.confidence,
        "reference": reader.reference,
        "rule": say(f"rules.{a.tie_rule}"),
        "alpha": reader.numerals.plain(round(1 - a.confidence, 6)),
    }
    of_tasks = inputs.public is None and any(of.analysis.n != inputs.n for of in inputs.metrics)
    drawn = [say("method.rows_of_tasks" if of_tasks else "method.rows", **values)]
    if inputs.group is not None:
        groups = MISSING if inputs.groups is None else reader.numerals.count(inputs.groups)
        drawn.append(say("method.groups", groups=groups, column=inputs.group))
    if inputs.stratify is not None:
        drawn.append(say("method.strata", column=inputs.stratify))
    undefined = max(metric.analysis.undefined for metric in inputs.metrics)
    if undefined:
        drawn.append(reader.language.count("method.undefined", undefined))
    paragraphs = [" ".join(drawn), say(f"method.{a.interval}", **values)]
    if len(inputs.entries) > 1:
        paragraphs += [
            " ".join(_on_p(reader)),
            say("method.corrections"),
            say(f"method.{a.tie_rule}", **values),
            *([] if reader.chosen_leader else [say("method.fixed", **values)]),
            say("method.ranks"),
        ]
    return tuple(paragraphs)


def _on_p(reader: Reader) -> Iterator[str]:
    """Say what the p-values count: one-sided, and two-sided where they are shown."""
    say = reader.language.say
    yield say("method.p")
    if reader.chosen_leader:
        yield say("method.p_leader")
    if any(reader.two_sided(i) for i in reader.others()):
        yield say("method.p_two")
