"""What organizers may write in their overview paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...core.phrases import MISSING, gettext_noop, ngettext_noop
from ...core.version import __version__
from ...document.blocks import Paragraph, ResultText, Section
from ..view import MetricView
from .account import cautions_of
from .verdict import baselines_ahead, beaten, gaps, not_scored, places

#: What the paper says of who is first.
_PAPER = {
    "alone": gettext_noop(
        "{leader} ranks first ({metric} {score}, {interval}); this test set rules out that any "
        "other system is better ({rule})."
    ),
    "alone_competing": gettext_noop(
        "{leader} ranks first ({metric} {score}, {interval}); this test set rules out that any "
        "other competing system is better ({rule})."
    ),
    "alone_teams": gettext_noop(
        "{leader} ranks first ({metric} {score}, {interval}); this test set rules out that any "
        "other team is better ({rule})."
    ),
    "alone_verified": gettext_noop(
        "{leader} ranks first ({metric} {score}, {interval}); this test set separates it from "
        "every other system. In this way, a wrong winner is named in at most {error} of "
        "competitions."
    ),
    "alone_verified_competing": gettext_noop(
        "{leader} ranks first ({metric} {score}, {interval}); this test set separates it from "
        "every other competing system. In this way, a wrong winner is named in at most {error} of "
        "competitions."
    ),
    "alone_verified_teams": gettext_noop(
        "{leader} ranks first ({metric} {score}, {interval}); this test set separates it from "
        "every other team. In this way, a wrong winner is named in at most {error} of competitions."
    ),
    "alone_unsure": gettext_noop(
        "{leader} ranks first ({metric} {score}, {interval}). The rule “{rule}”, which may leave "
        "out possible winners, ties no other system with it."
    ),
    "alone_unsure_competing": gettext_noop(
        "{leader} ranks first ({metric} {score}, {interval}). The rule “{rule}”, which may leave "
        "out possible winners, ties no other competing system with it."
    ),
    "shared": gettext_noop(
        "{leaders} share first place ({metric} {score}), and no other system is a possible "
        "winner ({rule})."
    ),
    "shared_competing": gettext_noop(
        "{leaders} share first place ({metric} {score}), and no other competing system is a "
        "possible winner ({rule})."
    ),
    "shared_unsure": gettext_noop(
        "{leaders} share first place ({metric} {score}). The rule “{rule}”, which may leave out "
        "possible winners, ties no other system with them."
    ),
    "shared_unsure_competing": gettext_noop(
        "{leaders} share first place ({metric} {score}). The rule “{rule}”, which may leave out "
        "possible winners, ties no other competing system with them."
    ),
}
_PAPER_TIED = {
    "tied": ngettext_noop(
        "{leader} ranks first ({metric} {score}, {interval}); {tied} is a possible winner as well "
        "({rule}). The data do not say which of these {joint} is best.",
        "{leader} ranks first ({metric} {score}, {interval}); {tied} are possible winners as well "
        "({rule}). The data do not say which of these {joint} is best.",
    ),
    "tied_unsure": ngettext_noop(
        "{leader} ranks first ({metric} {score}, {interval}); {tied} is not separated from it by "
        "the rule “{rule}”, which may leave out possible winners.",
        "{leader} ranks first ({metric} {score}, {interval}); {tied} are not separated from it by "
        "the rule “{rule}”, which may leave out possible winners.",
    ),
    "shared_tied": ngettext_noop(
        "{leaders} share first place ({metric} {score}); {tied} is a possible winner as well "
        "({rule}). The data do not say which of these {joint} is best.",
        "{leaders} share first place ({metric} {score}); {tied} are possible winners as well "
        "({rule}). The data do not say which of these {joint} is best.",
    ),
    "shared_tied_unsure": ngettext_noop(
        "{leaders} share first place ({metric} {score}); {tied} is not separated from them by "
        "the rule “{rule}”, which may leave out possible winners.",
        "{leaders} share first place ({metric} {score}); {tied} are not separated from them by "
        "the rule “{rule}”, which may leave out possible winners.",
    ),
}
#: The same where another run, which does not stand for its team, beats the leader.
_BEATEN = ngettext_noop(
    "{leader} ranks first ({metric} {score}, {interval}), but the tie rule puts another run of "
    "{third} ahead ({rule}); possible winners: {winners}.",
    "{leaders} share first place ({metric} {score}), but the tie rule puts another run of "
    "{third} ahead of {beaten} ({rule}); possible winners: {winners}.",
)
#: What each interval is called.
_DRAWN = {
    "percentile": gettext_noop("percentile"),
    "standard_error": gettext_noop("standard-error"),
    "bca": gettext_noop("BCa"),
}

#: Why the leader's score is not corrected for its selection (`Verdict.uncorrected_because`).
_UNCORRECTED = {
    "not_smooth": gettext_noop("there is none for quantiles"),
    "few_units": gettext_noop("the test set is too small"),
    "undefined": gettext_noop("the metric is undefined on some resamples"),
    "few_resamples": gettext_noop("{resamples} resamples are too few"),
    "constant": gettext_noop("the score is the same on every resample"),
    "close": gettext_noop("the second system is too close"),
    "rule": gettext_noop("the tie rule states no confidence"),
    "caution": gettext_noop("a serious caution withdraws the confidence"),
}
#: The papers whose method decides, as `CITATION.cff` has them.
PAPERS = """\
@inproceedings{navamunoz2023,
  author = {Nava-Mu{\\~n}oz, Sergio and Graff, Mario and Escalante, Hugo Jair},
  title = {Comparison of Classifiers in Challenge Scheme},
  booktitle = {Pattern Recognition (MCPR 2023)},
  year = {2023},
  doi = {10.1007/978-3-031-33783-3_9}
}

@article{mogstad2024,
  author = {Mogstad, Magne and Romano, Joseph P. and Shaikh, Azeem M. and Wilhelm, Daniel},
  title = {Inference for Ranks with Applications to Mobility across Neighbourhoods and Academic
           Achievement across Countries},
  journal = {Review of Economic Studies},
  year = {2024},
  doi = {10.1093/restud/rdad006}
}

@book{efron1994,
  author = {Efron, Bradley and Tibshirani, Robert J.},
  title = {An Introduction to the Bootstrap},
  publisher = {Chapman and Hall},
  year = {1994}
}

@software{deadheat,
  author = {{The Deadheat authors}},
  title = {Deadheat},
  year = {2026}
}"""
#: As a text says it → its key above.
CITES = (
    ("(Efron and Tibshirani, 1994)", "efron1994"),
    ("(Mogstad et al., 2024)", "mogstad2024"),
    ("(The Deadheat authors, 2026)", "deadheat"),
)


def paper(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield what organizers may write in their overview paper where every team was scored.

    In the file, where no page stands by it, the names of all possible winners precede it if there
    are several, and serious cautions follow it.
    """
    view, say = views[0], views[0].say
    if len(view.evidence.names) == 1 or view.result.form != "teams":
        return
    winners, text = _winners(view), paper_paragraph(view)
    serious = [said for said, caution in cautions_of(views).items() if caution.level == "red"]
    blocks = (
        Paragraph(text, "quote"),
        *([Paragraph(say("Repeat the cautions above in the paper."))] if view.weakened else []),
        Paragraph(
            say(
                "The folder tables holds this text as LaTeX and Markdown, and the ranking, "
                "differences, pairs and competitiveness also as CSV. The folder figures holds "
                "every figure as SVG."
            ),
            "note",
        ),
        ResultText("paper", (*filter(None, (winners,)), text, *serious), CITES, PAPERS),
    )
    yield Section("paper", say("What to write in the overview paper"), blocks)


def paper_paragraph(view: MetricView) -> str:
    """Return a paragraph that organizers may put into their overview paper.

    It claims no confidence that serious cautions withdraw.
    """
    return " ".join(_sentences(view))


def _sentences(view: MetricView) -> Iterator[str]:
    say, numerals = view.say, view.numerals
    tied = view.tied()
    interval = view.interval_of(view.scores.leader)
    values = {
        "m": numerals.count(len(view.order)),
        "interval": say("no interval") if interval == MISSING else interval,
        "leaders": view.listed(view.scores.leaders, in_full=True),
        "score": view.score_of(view.scores.leader),
        "tied": view.listed(tied, in_full=True),
        "joint": numerals.count(len(view.possible_winners)),
    }
    yield say(
        "{m} systems were scored on {test_examples}. Scores were compared on the same "
        "{resamples} bootstrap resamples of the {things} (paired), with {confidence} "
        "{interval} intervals.",
        **{**values, "interval": say(_DRAWN[view.question.interval])},
    )
    if view.scores.baselines:
        yield say(
            "{names} is a baseline, which cannot win.",
            "{names} are baselines, which cannot win.",
            count=len(view.scores.baselines),
            names=view.listed(view.scores.baselines, in_full=True),
        )
    # A confidence is stated only for a rule that keeps a truly best entry with that confidence.
    if view.names_winners and not view.weakened:
        values["rule"] = say("{rule}, {confidence} confidence")
    yield _who_won(view, values)
    yield from (*places(view), *_corrected(view), *baselines_ahead(view))
    if not view.chosen_leader:
        yield say(
            "Every system is compared with {reference}, which was named before the data were seen."
        )
    yield from (*gaps(view), *not_scored(view))
    yield _sources(view)


def _corrected(view: MetricView) -> Iterator[str]:
    """Say what the leader's score is if it is corrected for its selection."""
    corrected, verdict = view.evidence.verdict.corrected, view.evidence.verdict
    if corrected is not None:
        yield view.say(
            "The interval does not allow for the selection of the leader on the same data; "
            "corrected for it, the score is {estimate} ({corrected}).",
            estimate=view.score(corrected.estimate),
            corrected=view.interval(corrected.low, corrected.high),
        )
        return
    known = not view.only_ranks and view.competing > 1
    if known and len(verdict.leaders) == 1:  # else no interval of one leader is printed
        why = "caution" if view.weakened else verdict.uncorrected_because
        key = why if why in _UNCORRECTED else "rule"
        yield view.say(
            "The interval does not allow for the selection of the leader on the same data; no "
            "corrected score can be given, because {reason}.",
            reason=view.say(_UNCORRECTED[key]),
        )


def _who_won(view: MetricView, values: Mapping[str, str]) -> str:
    """Return the paper's sentence on the leader or leaders and who is tied with them."""
    shared, tied = len(view.scores.leaders) > 1, view.tied()
    if view.beaten_leaders:
        return beaten(view, _BEATEN, values, in_full=True)
    if len(view.scores.leaders) == view.competing:
        return view.say(
            "{leaders} share first place ({metric} {score}), so we report {joint} possible winners."
            if shared
            else "The {metric} of {leader} is {score} ({interval}).",
            **values,
        )
    sure = "" if view.names_winners else "_unsure"
    if tied:
        key = f"{'shared_' if shared else ''}tied{sure}"
        return view.say(*_PAPER_TIED[key], count=len(tied), **values)
    if view.evidence.verdict.verified:
        sure = "_verified"
    elif view.weakened:  # nothing is ruled out
        sure = "_unsure"
    key = f"{'shared' if shared else 'alone'}{sure}"
    return view.of_others(_PAPER, key, **values)


def _sources(view: MetricView) -> str:
    """Say where the method comes from, and what computed the results."""
    bootstrap, ranges, program = (source for source, _ in CITES)
    return view.say(
        "The bootstrap {bootstrap} and the rank ranges {ranges} were computed with Deadheat "
        "{version} {program}.",
        bootstrap=bootstrap,
        ranges=ranges,
        version=__version__,
        program=program,
    )


def _winners(view: MetricView) -> str:
    """Name all possible winners; nothing where there is one, or where the tie rule drops some."""
    winners = view.possible_winners
    if len(winners) == 1 or not view.names_winners:
        return ""
    names, count = view.listed(winners, in_full=True), view.count(len(winners))
    return view.say("Possible winners ({count}): {names}.", count=count, names=names)
