"""Made-up competitions of every form for the tests of rendering, consistent because inferred."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from scoring_program import report as render
from scoring_program.core.errors import LeftOut
from scoring_program.core.phrases import Phrase, counted, verbatim
from scoring_program.document.blocks import Facts, Paragraph, Picture, Section, every
from scoring_program.document.html import Document
from scoring_program.document.take_away import ResultTable
from scoring_program.inference import MetricScores, analyze
from scoring_program.inference.descriptive import ComparedCompetition, closest
from scoring_program.inference.evidence import Evidence, Question, SliceEvidence
from scoring_program.inference.judge_and_people import JudgeAndPeople
from scoring_program.metrics import Metric
from scoring_program.report import comparison
from scoring_program.report.findings import Findings
from scoring_program.settings.model import Settings
from tests.arrays import made_metric, made_replicates

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


@cache
def built(made: Findings) -> Document:
    """Return the report on a competition, which is built once; nobody changes it."""
    return render.build(made)


def content(report: Document, id: str) -> Any:
    """Return the section or fold of a page with this id, None where the page has none."""
    return next((block for block in every(report.blocks, Section) if block.id == id), None)


def words(report: Document, id: str = "") -> str:
    """Return what the paragraphs and facts of a section say, or of the whole page."""
    blocks = report.blocks if not id else content(report, id).blocks
    paragraphs = [block.text for block in every(blocks, Paragraph) if block.on_page]
    found = (block for block in every(blocks, Facts) if not block.links)
    facts = [fact.value for block in found for fact in block.items]
    return " ".join([*paragraphs, *facts])


def tables(report: Document, id: str) -> list[ResultTable]:
    """Return the tables of a section."""
    return list(every(content(report, id).blocks, ResultTable))


def pictures(report: Document, id: str) -> list[Any]:
    """Return the figures that the page shows in a section."""
    found = every(content(report, id).blocks, Picture)
    return [picture.figure for picture in found if picture.on_page]


def rows(report: Document, name: str) -> list[dict[str, Any]]:
    """Return the rows of the table with this name."""
    (table,) = (table for table in report.tables if table.name == name)
    return rows_of(table)


def rows_of(table: ResultTable) -> list[dict[str, Any]]:
    """Return the rows of a table: its cells by key, or by style."""
    keys = [(column.keys or column.style.split()[-1:])[0] for column in table.columns]
    return [dict(zip(keys, row, strict=True)) for row in table.rows]


def evidence(
    metric: Metric,
    scores: Sequence[float] | np.ndarray[Any, Any],
    names: Sequence[str],
    asked: Settings | Question,
    *,
    n: int = 2182,
    groups: int | None = None,
    error: float | np.ndarray[Any, Any] = 0.0147,
    resamples: int = 2000,
    seed: int = 0,
    own_share: float = 0.5,
    teams: Sequence[str] = (),
) -> Evidence:
    """Infer from normal replicates; ``own_share`` of the variance is not shared by all entries."""
    rng = np.random.default_rng(seed)
    shared = rng.normal(size=(resamples, 1))
    own = rng.normal(size=(resamples, len(scores)))
    observed = np.asarray(scores, dtype=np.float64)
    noise = math.sqrt(1 - own_share) * shared + math.sqrt(own_share) * own
    replicates = made_replicates(observed + error * noise)
    return analyze(
        MetricScores(metric, names, observed, replicates, n=n, groups=groups, teams=teams),
        asked if isinstance(asked, Question) else Question.from_settings(asked),
    )


@cache
def _inferred(
    index: int,
    scores: tuple[float, ...],
    names: tuple[str, ...],
    n: int,
    groups: int | None,
    error: float,
    resamples: int,
    question: Question,
) -> Evidence:
    """Return the evidence about one of the metrics; nobody changes it."""
    about = metric(f"metric_{index}" if index else "f1_score", LABELS[index])
    return evidence(
        about,
        scores,
        names,
        question,
        n=n,
        groups=groups,
        error=error,
        resamples=resamples,
        seed=index,
    )


def metric(name: str, label: str, **facts: Any) -> Metric:
    """Return a metric with a description as the signature shows it."""
    return made_metric(name, description=f"{name}(pos_label='offensive')", label=label, **facts)


def result(
    scores: Sequence[float] = F1,
    names: Sequence[str] = TEAMS,
    *,
    metrics: int = 1,
    n: int = 2182,
    groups: int | None = None,
    error: float = 0.0147,
    resamples: int = 2000,
    settings: dict[str, Any] | None = None,
    **about: Any,
) -> Findings:
    """Return a made-up competition; its further metrics shuffle the scores a bit."""
    chosen = Settings(**{"title": "MeOffendEs 2021, subtask 3", **(settings or {})})
    rng = np.random.default_rng(5)
    found = []
    for index in range(metrics):
        these = np.asarray(scores) + (rng.normal(scale=0.03, size=len(scores)) if index else 0)
        about_metric = _inferred(
            index, tuple(these.tolist()), tuple(names), n, groups, error, resamples,
            Question.from_settings(chosen),
        )  # fmt: skip
        found.append(about_metric)
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
    made = Findings(
        settings=chosen,
        form="teams",
        names=tuple(names),
        n=n,
        groups=groups,
        evidence=tuple(found),
        signature=signature,
    )
    return replace(made, **about)


def with_parts(evidence: Evidence, **parts: Mapping[str, Any]) -> Evidence:
    """Return evidence whose parts say something else: the name of a part → what changes in it."""
    changed = {name: replace(getattr(evidence, name), **own) for name, own in parts.items()}
    return replace(evidence, **changed)


def with_settings(made: Findings, **changes: Any) -> Findings:
    """Return a result whose settings say something else of the page."""
    return replace(made, settings=replace(made.settings, **changes))


def graded(m: int) -> tuple[tuple[float, ...], tuple[str, ...]]:
    """Return scores that fall from .72 to .45, and names."""
    scores = tuple(np.linspace(0.72, 0.45, m).tolist()) if m > 1 else (0.72,)
    return scores, tuple(f"team {index + 1:03d}" for index in range(m))


@cache
def teams() -> Findings:
    """Ten teams, three metrics: what an organizer sees."""
    return result(metrics=3)


@cache
def many() -> Findings:
    """A large field of 134 entries."""
    scores, names = graded(134)
    return result(scores, names, metrics=1)


@cache
def field() -> Findings:
    """A single submission with the field it is compared with."""
    return result(metrics=2, form="field", focus=3)


@cache
def single() -> Findings:
    """A single submission alone."""
    return result((0.6847,), ("submission",), metrics=2, form="single", focus=0)


@cache
def one_team() -> Findings:
    """A competition with one entry."""
    return result((0.6847,), ("NLPCIC",))


@cache
def two() -> Findings:
    """Two teams, whose grids are narrower than their labels."""
    return result((0.72, 0.70), TEAMS[:2], settings={"language": "es"})


@cache
def eight_metrics() -> Findings:
    """Every metric there is a label for."""
    return result(F1[:5], TEAMS[:5], metrics=8)


def _duplicate_ids(count: int) -> Phrase:
    problem = counted(count, Phrase("duplicate id", "duplicate ids"))
    return Phrase("{file}: {problem}", file="predictions.csv", problem=problem)


@cache
def hostile() -> Findings:
    """Entries whose names attack every format, and submissions that could not be scored."""
    scores = tuple(np.linspace(0.72, 0.60, len(HOSTILE)).tolist())
    reason = "predictions.csv: 2 duplicate ids\n  - line 17: id '<b>t16</b>' was already on line 16"
    return result(
        scores,
        HOSTILE,
        settings={"title": '<img src=x onerror="alert(1)"> & friends', "runs": "best"},
        unusable=(
            LeftOut(HOSTILE[0], verbatim(reason)),
            LeftOut(HOSTILE[1], verbatim("empty file")),
        ),
        runs={HOSTILE[0]: 3, HOSTILE[1]: 1},
        left_aside=tuple(LeftOut(name, Phrase("the same upload, run again")) for name in HOSTILE),
        notes=(Phrase("Not read as predictions: {files:n}.", files=("<two>.pdf",)),),
    )


@cache
def long_names() -> Findings:
    """Entries with long but honest names."""
    return result(F1[: len(LONG)], LONG)


@cache
def errors() -> Findings:
    """An error metric without an upper bound, in large units, in Spanish."""
    rmse = metric(
        "rmse",
        "RMSE",
        greater_is_better=False,
        kind="numbers",
        ideal=0.0,
        low=0.0,
        high=math.inf,
    )
    scores = (1203.4, 1211.0, 1290.5, 1412.2)
    page = result(scores, TEAMS[:4], settings={"language": "es"})
    found = evidence(rmse, scores, TEAMS[:4], page.settings, error=31.0)
    return replace(page, evidence=(found,))


@cache
def baselines() -> Findings:
    """A baseline that beats everybody, another that does not, groups, and cautions."""
    scores = (0.70, 0.68, 0.71, 0.60)
    names = ("alpha", "beta", "strong baseline", "weak baseline")
    return result(
        scores,
        names,
        n=60,
        error=0.05,
        groups=12,
        settings={"baselines": names[2:], "group": "document", "stratify": "site"},
    )


@cache
def reference() -> Findings:
    """Entries compared with one that was named in advance."""
    return result(settings={"reference_entry": "UMUTeam"})


@cache
def anonymous() -> Findings:
    """Ten teams under numbers, with two submissions left out, whose names are hidden too."""
    names = tuple(f"Team {number}" for number in range(1, 11))
    reason = "Unusable 1/predictions.csv: 1 duplicate id\n  - line 17: id 't16' was on line 16"
    return result(F1, names, unusable=(LeftOut("Unusable 1", verbatim(reason)),))


@cache
def usage() -> Findings:
    """Private rows that rank, public rows, and the shake-up between them."""
    page = result(metrics=2)
    public_f1 = metric("public_f1_score", "F1 on the public rows")
    public = evidence(public_f1, F1[::-1], TEAMS, page.settings, error=0.05, seed=3)
    notes = (
        Phrase("Layout: teams, {teams:n} found.", teams=10),
        Phrase(
            "Usage: {private:n} private and {public:n} public rows. The private rows decide the "
            "ranking.",
            private=1500,
            public=682,
        ),
    )
    return replace(page, evidence=(page.evidence[0], public), public=1, notes=notes)


@cache
def slices() -> Findings:
    """Slices of two columns, in one of which another entry leads, and one that is too small."""
    page = result(metrics=2)

    def within(value: str, n: int, *, tested: bool = True, other: int | None = None) -> Any:
        score = np.asarray(F1) + (0.02 if other is None else 0.05 * (np.arange(10) == other))
        width = 2.0 / math.sqrt(n) if tested else math.nan
        column = "language" if n > 300 else "<source>"
        high, same = np.minimum(score + width, 1), np.zeros(10, np.bool_)
        return SliceEvidence(column, value, n, score, score - width, high, tested, other, same)

    found = (
        within("es", 1500),
        within("pt", 682, other=3),
        within("forum", 300),
        within("news & more", 12, tested=False),
    )
    return replace(
        page, evidence=tuple(replace(evidence, slices=found) for evidence in page.evidence)
    )


@cache
def tasks() -> Findings:
    """Two tasks and the mean rank over them."""
    page = result(F1[:5], TEAMS[:5], metrics=2)
    mean_rank = metric(
        "mean_rank",
        "mean rank",
        greater_is_better=False,
        kind="table",
        low=1.0,
        high=5.0,
        ratio_scale=False,
    )
    found = evidence(mean_rank, (1.0, 2.0, 3.0, 4.0, 5.0), TEAMS[:5], page.settings, error=0.4)
    of_tasks = [
        replace(task, metric=replace(task.metric, label=label), task=label.partition(" on ")[2])
        for task, label in zip(page.evidence, ("F1 on stance", "macro F1 on location"), strict=True)
    ]
    return replace(page, evidence=(found, *of_tasks))


@cache
def spanish() -> Findings:
    """A page in Spanish with everything that a page can have."""
    return replace(
        result(
            (0.70, 0.70, 0.71, 0.60, 0.55),
            ("alfa", "beta", "línea base fuerte", "gama", "línea base débil"),
            metrics=2,
            n=60,
            error=0.05,
            resamples=99,
            settings={
                "baselines": ("línea base fuerte", "línea base débil"),
                "tie_rule": "holm",
                "group": "documento",
                "language": "es",
            },
            groups=12,
        ),
        unusable=(LeftOut("delta", _duplicate_ids(1)),),
        runs={"alfa": 2, "beta": 1},
        notes=(
            Phrase("Layout: teams, {teams:n} found.", teams=5),
            Phrase(
                "Reference data: {count:n} row of empty cells was left out.",
                "Reference data: {count:n} rows of empty cells were left out.",
                count=1,
            ),
            Phrase(
                "Format: {formats}.",
                formats=(
                    Phrase("{files:n} {format}", files=5, format=Phrase("with one label per line")),
                ),
            ),
        ),
    )


@cache
def judge_and_people() -> Findings:
    """A judge's scores of all units, corrected by those of people, who put others first."""
    names = ("atlas", "babel", "cedar", "delta")
    means = np.array([4.21, 4.05, 3.62, 3.1])
    page = result(tuple(means.tolist()), names, n=2000, error=0.03, kind="units")
    judge = np.array([0.71, 0.78, 0.64, 0.5])
    errors = np.full(4, 0.06)
    people = JudgeAndPeople(
        judged=200, units=2000, weight=0.62, worth=289.6, judge=judge, judge_on_judged=judge - 0.01,
        people=means + 0.02, people_errors=errors, people_low=means + 0.02 - 2 * errors,
        people_high=means + 0.02 + 2 * errors,
    )  # fmt: skip
    return replace(page, evidence=(replace(page.evidence[0], people=people),))


@cache
def single_in_spanish() -> Findings:
    """A single submission alone, in Spanish."""
    return with_settings(single(), language="es")


@cache
def scores_only() -> Findings:
    """A participant's submission in a field, of which its author sees the scores only."""
    made = field()
    kept = {key: value for key, value in made.signature.items() if not key.startswith("sha256")}
    return with_settings(replace(made, signature=kept), participants="score")


def compared(language: str) -> str:
    """Return the page that compares three competitions."""
    measures = {"m": 5, "possible_comparisons": 10, "cv_percent": 10.0, "ppi_percent": 19.0}
    measures |= {"n": 312, "ties_with_winner.holm": 1, "ties_between_competitors.holm": 3}
    measures["standard_errors.cv_percent"] = 0.1
    titles = ("VaxxStance Spanish", HOSTILE[0], "long " * 30)
    competitions = [
        ComparedCompetition(title, "f1", {**measures, "cv_percent": 10.0 + place})
        for place, title in enumerate(titles)
    ]
    found = closest(competitions)
    report = comparison.build(competitions, found, language=language, version="0.1.0")
    return comparison.files(report)["comparison.html"]


#: Every form of the page, by name.
FORMS: dict[str, Callable[[], Findings]] = {
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
    "slices": slices,
    "tasks": tasks,
    "judge_and_people": judge_and_people,
    "spanish": spanish,
    "single_in_spanish": single_in_spanish,
    "scores_only": scores_only,
}
