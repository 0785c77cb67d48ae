"""The p-values of the differences from the reference, in a table of their own.

A p-value is one-sided, or corrected for several comparisons; the interval of a difference is
two-sided, and holds for this one alone. Side by side, they would seem to contradict each other.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...core.arrays import Floats
from ..tables import ResultTable, TableColumn, cell
from ..view import MetricView
from .further_tests import further_tables


def p_values_of(view: MetricView) -> Mapping[str, tuple[str, Floats]]:
    """Return key → heading and p-value of every entry [m]: unadjusted, then by correction."""
    say, differences = view.language.say, view.analysis.differences
    adjusted = {
        f"p_{correction}": (
            say("differences.p_adjusted", correction=say(f"corrections.{correction}")),
            p,
        )
        for correction, p in differences.p_adjusted.items()
    }
    return {
        "p_one_sided": (say("differences.p"), differences.p_one_sided),
        "p_two_sided": (say("differences.p_two"), differences.p_two_sided),
        **adjusted,
    }


def tests_of(view: MetricView) -> tuple[ResultTable, ...]:
    """Return the p-values against the reference, and those of further tests."""
    return (_table(view), *further_tables(view))


def _table(view: MetricView) -> ResultTable:
    say, found = view.language.say, p_values_of(view)
    return ResultTable(
        name=f"p_values{view.suffix}",
        caption=say("p_values.caption", reference=view.reference, metric=view.label),
        note=" ".join(_note(view)),
        columns=(
            TableColumn(("entry",), say("differences.entry")),
            *(TableColumn((key,), heading, numeric=True) for key, (heading, _) in found.items()),
        ),
        rows=tuple(
            (
                cell(view.analysis.names[i]),
                *(cell(view.numerals.p(float(p[i])), float(p[i])) for _, p in found.values()),
            )
            for i in view.others()
        ),
    )


def _note(view: MetricView) -> tuple[str, ...]:
    """Say what the p-values are about, and why they may disagree with the intervals."""
    language, values = view.language, {"reference": view.reference}
    compared = sum(i not in view.analysis.baselines for i in view.others())
    apart = any(i in view.analysis.baselines for i in view.others())
    return (
        language.say("p_values.chosen" if view.chosen_leader else "p_values.named", **values),
        language.count("p_values.adjusted", compared, **values),
        *((language.say("p_values.baselines"),) if apart else ()),
        language.say("p_values.intervals"),
    )
