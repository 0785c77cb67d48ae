"""Metrics of texts, tags, ranked lists and labels: the tools people use, and this program, in turn.

``python -m tests.benchmarks.kinds`` prints a Markdown table. A tool scores every resample with its
library; it gets a few resamples, and its time is scaled to all of them. What sacrebleu counts
before its first resample is left out, as it is here.
"""

from __future__ import annotations

import contextlib
import io
import random
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from scoring_program.bootstrap.design import Design, draw_counts
from scoring_program.bootstrap.resample import resample
from scoring_program.bootstrap.task_queue import Resources
from scoring_program.data.entry import objects
from scoring_program.metrics import resolve
from scoring_program.metrics.metric import Metric
from scoring_program.metrics.statistics import Counting
from scoring_program.reading.formats.readers import of_object
from scoring_program.scoring.bind import bind
from scoring_program.settings.checks import MetricSpec
from tests.benchmarks.__main__ import machine, row, seconds, times
from tests.docs.blocks import blocks
from tests.metrics.kinds.runs import Lists, judgments, system
from tests.metrics.kinds.segments import SEGMENTS
from tests.metrics.kinds.sentences import FOUND, GOLD, in_scheme

RESAMPLES = 10_000
WORKERS = 2
ROUNDS = 3
#: Fewest resamples of a tool that counts first: what they take is no part of its resampling.
_BEFORE = 100
#: Scores golds and one system's predictions with a library.
Library = Callable[[Sequence[Any], Sequence[Any]], float]


@dataclass(frozen=True)
class KindWorkload:
    """A metric and data of one kind, and the library that scores a list of examples."""

    title: str
    tool: str
    function: str
    params: dict[str, Any]
    golds: Sequence[Any]
    systems: Sequence[Sequence[Any]]
    score: Library
    tool_resamples: int
    tool_run: Callable[[int], None] | None = None  # else a loop over resamples
    kind: str | None = None  # of data, where the metric has several
    own: str = ""  # an organizer's file, whose ``statistics`` the function scores
    statistics: str = "counts"
    sums: bool = True
    resamples: int = RESAMPLES


#: Matthews correlation from what one example counts.
OWN = """import numpy as np

def counts(gold, predicted):
    return gold == predicted == "yes", gold == "yes", predicted == "yes", 1

def score(sums):
    both, gold, predicted, n = sums
    return (n * both - gold * predicted) / np.sqrt(
        gold * (n - gold) * predicted * (n - predicted)
    )
"""


def main() -> None:
    """Measure every kind and print the table."""
    warnings.simplefilter("ignore")
    print(machine("python -m tests.benchmarks.kinds"))
    print()
    print(row("", "n", "m", "tool", "tool, B = 10,000", "**Deadheat**", "× tool",
              "library once an entry", "statistics", "× library"))  # fmt: skip
    print("|---" * 10 + "|")
    kinds = (texts(name, n) for n in (2000, 200) for name in ("BLEU", "chrF", "TER"))
    for work in (*kinds, tags(), rankings(), labels(), own(), parses(), boxes()):
        print(measure(work), flush=True)


def measure(work: KindWorkload) -> str:
    """Return the row of one kind; every contender runs in turn, and the best round counts."""
    with TemporaryDirectory() as folder:
        return measured(work, metric_of(work, Path(folder)))


def measured(work: KindWorkload, metric: Metric) -> str:
    gold, *systems = (
        objects([*map(of_object, side)] if work.kind == "record" else side)
        for side in (work.golds, *work.systems)
    )
    n, m = len(gold), len(systems)
    by_tool, by_library, counted, drawn = [], [], [], []
    for _ in range(ROUNDS):
        by_tool.append(time_of_tool(work) * work.resamples / work.tool_resamples)
        by_library.append(timed(lambda: [work.score(work.golds, s) for s in work.systems]))
        start = time.perf_counter()
        scorer = bind(metric, gold, systems, counting=Counting(WORKERS))
        counted.append(time.perf_counter() - start)
        resources = Resources(WORKERS, "auto")
        drawn.append(
            timed(lambda: resample([scorer], Design(n), work.resamples, 0, resources=resources))  # noqa: B023
        )
    tool, once, statistics, ours = map(min, (by_tool, by_library, counted, drawn))
    return row(work.title, f"{n:,}", str(m), work.tool, seconds(tool), f"**{seconds(ours)}**",
               times(tool, ours), seconds(once), seconds(statistics),
               f"{statistics / once:.2f}")  # fmt: skip


def metric_of(work: KindWorkload, folder: Path) -> Metric:
    """Return the metric of a workload, whose file is written into a folder."""
    spec = MetricSpec("x", work.function, work.params, kind=work.kind)
    if work.own:
        (folder / "own.py").write_text(work.own, encoding="utf-8")
        spec = replace(
            spec,
            statistics=f"own.py:{work.statistics}",
            sums=work.sums,
            greater_is_better=True,
        )
    (metric,) = resolve([spec], folder)
    return metric


def timed(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def time_of_tool(work: KindWorkload) -> float:
    """Return the seconds in which the tool scores every system on a few resamples."""
    if work.tool_run is None:
        return timed(lambda: run_loop(work))
    run = work.tool_run
    return timed(lambda: run(_BEFORE + work.tool_resamples)) - timed(lambda: run(_BEFORE))


def run_loop(work: KindWorkload) -> None:
    """Score every system on a few resamples with the library."""
    for drawn in draw_counts(np.random.default_rng(8), len(work.golds), work.tool_resamples):
        rows = np.repeat(np.arange(len(work.golds)), drawn).tolist()
        golds = [work.golds[place] for place in rows]
        for found in work.systems:
            work.score(golds, [found[place] for place in rows])


def texts(title: str, n: int) -> KindWorkload:
    """Segments of a few made sentences, whose words a system loses or repeats."""
    from sacrebleu import metrics
    from sacrebleu.significance import PairedTest

    library = getattr(metrics, title.upper())
    draw = random.Random(8)
    golds = [f"{draw.choice(SEGMENTS)[0][0]} {number}" for number in range(n)]
    systems = [[_garbled(draw, text, 0.1 + 0.02 * k) for text in golds] for k in range(10)]
    named: list[tuple[str, Sequence[str]]] = [
        (f"system {number}", found) for number, found in enumerate(systems)
    ]

    def paired(resamples: int) -> None:
        PairedTest(named, {title: library(references=[golds])}, None, "bs", resamples)()

    def score(gold: Sequence[Any], found: Sequence[Any]) -> float:
        return float(library().corpus_score(list(found), [[text for (text,) in gold]]).score)

    references = [(text,) for text in golds]
    return KindWorkload(title, "sacrebleu's paired bootstrap", title.lower(), {}, references,
                        systems, score, 1000, paired)  # fmt: skip


def _garbled(draw: random.Random, text: str, share: float) -> str:
    words = []
    for word in text.split():
        times_said = draw.choice((0, 2)) if draw.random() < share else 1
        words += [word] * times_said
    return " ".join(words)


def tags() -> KindWorkload:
    """Sentences with entities, which four systems find more or less well."""
    from seqeval.metrics import f1_score  # type: ignore[import-untyped]

    draw = random.Random(8)
    gold, found = in_scheme(GOLD, "BIO"), [in_scheme(system, "BIO") for system in FOUND]
    places = [draw.randrange(len(gold)) for _ in range(2000)]
    systems = [[found[draw.randrange(len(found))][place] for place in places] for _ in range(10)]

    def score(golds: Sequence[Any], predictions: Sequence[Any]) -> float:
        return float(f1_score(list(map(list, golds)), list(map(list, predictions))))

    return KindWorkload("entity F1", "a loop of seqeval", "entity_f1", {},
                        [gold[place] for place in places], systems, score, 2)  # fmt: skip


def rankings() -> KindWorkload:
    """Graded judgments and runs of 50 queries."""
    import ir_measures

    judged = judgments(50)
    measure = ir_measures.parse_measure("nDCG@10")
    runs = [system(judged, 1 + 0.3 * k, k) for k in range(10)]

    def score(golds: Sequence[Any], found: Sequence[Any]) -> float:
        qrels = {str(place): dict(gold) for place, gold in enumerate(golds)}
        run = {
            str(place): {name: -float(rank) for rank, name in enumerate(names)}
            for place, names in enumerate(found)
            if names
        }
        return float(ir_measures.calc_aggregate([measure], qrels, run)[measure])

    golds = [
        tuple((name, int(grade)) for name, grade in grades.items()) for grades in judged.values()
    ]
    systems = [[_best_first(run, query) for query in judged] for run in runs]
    return KindWorkload("nDCG@10", "a loop of ir_measures", "nDCG@10", {}, golds, systems, score,
                        20)  # fmt: skip


def _best_first(run: Lists, query: str) -> tuple[str, ...]:
    scores = run.get(query, {})
    return tuple(sorted(scores, key=lambda name: (-scores[name], name)))


def labels() -> KindWorkload:
    """Examples with some of twenty labels."""
    from sklearn.metrics import f1_score
    from sklearn.preprocessing import MultiLabelBinarizer

    draw = random.Random(8)
    known = [f"label {number:02}" for number in range(20)]
    binarizer = MultiLabelBinarizer(classes=known).fit([known])
    golds = [tuple(label for label in known if draw.random() < 0.15) for _ in range(2000)]

    def answer(gold: Sequence[str], share: float) -> tuple[str, ...]:
        return tuple(label for label in known if (label in gold) != (draw.random() < share))

    systems = [[answer(gold, 0.02 + 0.005 * k) for gold in golds] for k in range(10)]

    def score(gold: Sequence[Any], found: Sequence[Any]) -> float:
        of_gold, of_found = binarizer.transform(gold), binarizer.transform(found)
        return float(f1_score(of_gold, of_found, average="macro", zero_division=0))

    return KindWorkload("macro F1 of label sets", "a loop of scikit-learn", "f1_score",
                        {"average": "macro"}, golds, systems, score, 5,
                        kind="label_sets")  # fmt: skip


def own() -> KindWorkload:
    """Examples of two classes, and a metric of the organizer that scikit-learn happens to have."""
    from sklearn.metrics import matthews_corrcoef

    draw = random.Random(8)
    golds = ["yes" if draw.random() < 0.3 else "no" for _ in range(2000)]

    def answer(gold: str, share: float) -> str:
        return gold if draw.random() > share else draw.choice(("yes", "no"))

    systems = [[answer(gold, 0.3 + 0.05 * k) for gold in golds] for k in range(10)]

    def score(gold: Sequence[Any], found: Sequence[Any]) -> float:
        return float(matthews_corrcoef(gold, found))

    return KindWorkload("own function with `statistics`", "the function on every resample",
                        "own.py:score", {}, golds, systems, score, 20, kind="labels",
                        own=OWN)  # fmt: skip


def shown(page: str, file: str) -> str:
    """Return the organizer's file that a how-to shows."""
    return next(block.text for block in blocks(f"docs/how-to/{page}.md") if block.file == file)


#: Reads each sentence in the statistics, as the library reads all of them in every call.
OF_TEXTS = """
def counts_of_texts(gold, parse):
    (one,), (other,) = (
        [[tuple(line.split("\\t")[k] for k in (1, 6, 7)) for line in text.splitlines()[1:]]]
        for text in (gold, parse)
    )
    return counts(one, other)
"""


def parses() -> KindWorkload:
    """Sentences in CoNLL-U, and the how-to's labeled attachment score, as ud-tools counts it."""
    from udtools import udeval

    draw = random.Random(8)
    lengths = [draw.randrange(5, 30) for _ in range(200)]

    def sentence(number: int, wrong: float) -> str:
        arcs = random.Random(number)
        lines = [f"# sent_id = {number}"]
        for word in range(1, lengths[number] + 1):
            head = arcs.randrange(1, word) if word > 1 else 0
            relation = "obj" if head and draw.random() < wrong else "dep" if head else "root"
            lines.append(f"{word}\tw{word}\t_\tNOUN\t_\t_\t{head}\t{relation}\t_\t_")
        return "\n".join(lines)

    def score(golds: Sequence[str], found: Sequence[str]) -> float:
        sides = (io.StringIO("\n\n".join([*side, ""])) for side in (golds, found))
        return float(
            udeval.evaluate(*(udeval.load_conllu(side, "", {}) for side in sides))["LAS"].f1
        )

    golds, *systems = (
        [sentence(number, wrong / 50) for number in range(200)] for wrong in range(11)
    )
    return KindWorkload("LAS by an organizer's reader", "a loop of udtools", "own.py:las", {},
                        golds, systems, score, 2, kind="record",
                        own=shown("own-reader", "parses/ref/parses.py") + OF_TEXTS,
                        statistics="counts_of_texts")  # fmt: skip


def boxes() -> KindWorkload:
    """Boxes of images, matched once; the how-to's average precision is called on every resample."""
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    rng = np.random.default_rng(8)
    golds = [rng.uniform([0, 0, 20, 20], [80, 80, 60, 60], (3, 4)) for _ in range(500)]

    def found(gold: Any, shift: float) -> list[Any]:
        moved = gold + rng.normal(0, shift, gold.shape)
        rows: list[Any] = np.column_stack([moved, rng.random(len(gold))]).tolist()
        return rows

    def score(golds: Sequence[Any], found: Sequence[Any]) -> float:
        truth, flat = COCO(), [(i, box) for i, each in enumerate(golds) for box in each]
        truth.dataset = {
            "info": {}, "images": [{"id": i} for i in range(len(golds))],
            "categories": [{"id": 1}],
            "annotations": [
                {"id": k, "image_id": i, "category_id": 1, "bbox": box, "area": box[2] * box[3],
                 "iscrowd": 0}
                for k, (i, box) in enumerate(flat, 1)
            ],
        }  # fmt: skip
        results = [
            {"image_id": i, "category_id": 1, "bbox": box[:4], "score": box[4]}
            for i, each in enumerate(found)
            for box in each
        ]
        with contextlib.redirect_stdout(io.StringIO()):
            truth.createIndex()
            official = COCOeval(truth, truth.loadRes(results), "bbox")
            official.params.iouThrs = np.array([0.5])
            official.params.areaRng, official.params.areaRngLbl = [[0, 1e10]], ["all"]
            official.evaluate()
            official.accumulate()
        return float(np.mean(official.eval["precision"][0, :, 0, 0, 2]))

    systems = [[found(gold, 2 + shift) for gold in golds] for shift in range(10)]
    return KindWorkload("AP of boxes, `sums: false`, B = 2,000", "a loop of pycocotools",
                        "own.py:average_precision", {}, [gold.tolist() for gold in golds], systems,
                        score, 2, kind="record", own=shown("own-reader", "boxes/ref/boxes.py"),
                        statistics="matches", sums=False, resamples=2000)  # fmt: skip


if __name__ == "__main__":
    main()
