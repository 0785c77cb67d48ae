"""The bootstrap distributions of close differences."""

from __future__ import annotations

import math

import numpy as np

from .. import drawing as draw
from ..view import MetricView
from .legends import histogram_keys

#: A metric's name under a histogram is cut to this many letters: the reference's name precedes it.
_LETTERS_UNDER_HISTOGRAM = 20


def distributions_of(view: MetricView) -> tuple[draw.HistogramFigure, ...]:
    """Return the histogram of every close difference, best entry first."""
    analysis, say = view.analysis, view.language.say
    drawn = []
    for i in (i for i in view.others() if i in analysis.histograms):
        data = analysis.histograms[i]
        difference = view.difference(data.observed)
        if view.two_sided(i):
            label, p, mean = (
                "p_two",
                analysis.differences.p_two_sided[i],
                float(analysis.differences.mean[i]),
            )
            counted = mean - abs(data.observed), mean + abs(data.observed)
        else:
            label, p = "p_one", analysis.differences.p_one_sided[i]
            counted = -math.inf, 2 * data.observed if data.observed > 0 else -math.inf
        note = say(
            "distribution.note",
            difference=difference,
            p_label=say(f"distribution.{label}"),
            p=view.numerals.p(float(p)),
        )
        names = {"reference": view.reference, "name": view.names[i]}
        drawn.append(
            draw.histogram(
                draw.Heading(
                    f"distribution-{view.index + 1}-{i + 1}",
                    say("distribution.title", **names),
                    say(
                        "distribution.description",
                        **names,
                        resamples=view.numerals.count(int(data.counts.sum())),
                        note=note,
                    ),
                    histogram_keys(view),
                ),
                note,
                data,
                counted,
                (
                    say("distribution.zero"),
                    say("distribution.observed", difference=difference),
                    say("distribution.double"),
                ),
                say(
                    "differences.axis",
                    reference=view.short_names[analysis.reference],
                    metric=draw.shortened(view.label, _LETTERS_UNDER_HISTOGRAM),
                ),
                view.tick,
            )
        )
    return tuple(drawn)


def distributions_caption(view: MetricView) -> str:
    """Return what the histograms show, and what their p-values count."""
    two_sided = any(view.two_sided(i) for i in view.others() if i in view.analysis.histograms)
    counted = view.language.say(f"distribution.{'counted_two' if two_sided else 'counted'}")
    return view.language.say("distribution.caption", counted=counted)


def more_distributions(view: MetricView, in_figures: int) -> str:
    """Say how many close pairs are in the figures only, and how many are not drawn at all."""
    analysis, count = view.analysis, view.language.count
    close = np.logical_or.reduce(list(analysis.tied.values()))
    missing = sum(bool(close[i]) and i not in analysis.histograms for i in view.others())
    counted = {"more": in_figures, "not_drawn": missing}
    return " ".join(
        count(f"distribution.{key}", number) for key, number in counted.items() if number
    )
