"""TREC runs whose scores tie: how often names decide against the ranks is said."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from scoring_program.commands import check
from scoring_program.core.phrases import Phrase
from scoring_program.pipeline import run
from scoring_program.reading.formats import read_examples
from scoring_program.reading.formats.kind import FileDescription
from scoring_program.reading.formats.tied_scores import in_order

QRELS = "".join(f"q{q} 0 d{d} {int(d == q % 3)}\n" for q in range(4) for d in range(4))


def a_run(*scores: float, ranks: tuple[object, ...] = (1, 2, 3, 4), tag: str = "t") -> str:
    """Return a run that lists d0, d1, … of every query, with these scores and ranks."""
    lines = []
    for query in range(4):
        for number, (score, rank) in enumerate(zip(scores, ranks, strict=False)):
            lines.append(f"q{query} Q0 d{number} {rank} {score} {tag}\n")
    return "".join(lines)


def counted(text: str) -> tuple[object, object] | None:
    """Return the queries and the documents of a run that names order against its ranks."""
    table = read_examples(text.encode(), "a.run", "ranking", FileDescription("trec"))
    if not table.notes:
        return None
    (note,) = table.notes
    assert isinstance(note, Phrase)
    return note.values["count"], note.values["documents"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (a_run(4, 3, 2, 1), None),
        (a_run(4, 3, 3, 1), (4, 8)),
        (a_run(3, 3, 3, 1), (4, 12)),
        (a_run(4, 4, 3, 3), (4, 16)),
        # The ranks say what names say, or nothing.
        (a_run(4, 3, 3, 1, ranks=(1, 3, 2, 4)), None),
        (a_run(4, 3, 3, 1, ranks=(0, 0, 0, 0)), None),
        (a_run(4, 3, 3, 1, ranks=("-", "-", "-", "-")), None),
        (a_run(4, 4, 3, 3, ranks=(1, 2, "-", 4)), (4, 8)),
    ],
)
def test_what_is_counted(text: str, expected: tuple[int, int] | None) -> None:
    assert counted(text) == expected
    assert counted("\n" + text) == expected  # an unusual file, which is read line by line


def test_every_group_of_equal_numbers_is_ordered_by_name() -> None:
    draw = random.Random(4)
    for _ in range(200):
        numbers = {f"d{draw.randrange(99)}": float(draw.randrange(4)) for _ in range(9)}
        by_name = sorted(numbers, reverse=True)
        highest = sorted(by_name, key=numbers.__getitem__, reverse=True)
        listed = ([*numbers], [*numbers.values()])
        assert in_order(*listed, rising=False) == (tuple(highest), 0)
        lowest = sorted(by_name, key=numbers.__getitem__)
        assert in_order(*listed, rising=True) == (tuple(lowest), 0)
    assert in_order([], [], rising=False) == ((), 0)


def test_ranks_count_where_scores_tie_wherever_the_lines_stand() -> None:
    documents = ["d1", "d2", "d3", "d4"]
    scores = [1.0, 2.0, 1.0, 2.0]
    by_name = ("d4", "d2", "d3", "d1")
    for ranks, moved in (([3, 1, 4, 2], 4), ([4, 1, 3, 2], 2), ([4, 2, 3, 1], 0)):
        assert in_order(documents, scores, rising=False, ranks=ranks) == (by_name, moved)


@pytest.fixture
def competition(tmp_path: Path) -> Path:
    (tmp_path / "ref").mkdir()
    (tmp_path / "ref/gold.qrels").write_text(QRELS)
    (tmp_path / "ref/scoring.yaml").write_text("metrics: [RR]\nresamples: 100\n")
    (tmp_path / "res").mkdir()
    runs = {"clear": a_run(4, 3, 2, 1), "tied": a_run(4, 3, 3, 1), "odd": a_run(3, 3, 3, 1)}
    for name, text in runs.items():
        (tmp_path / f"res/{name}.run").write_text(text)
    # Of blanks that are not as usual, which is read line by line.
    (tmp_path / "res/odd.run").write_text("\n" + runs["odd"])
    return tmp_path


@pytest.mark.parametrize("anonymize", [False, True])
def test_a_minor_caution_names_runs_and_queries(competition: Path, anonymize: bool) -> None:
    if anonymize:
        with (competition / "ref/scoring.yaml").open("a") as stream:
            stream.write("anonymize: true\n")
    evaluation, _ = run(competition, competition / "out")
    cautions = evaluation.findings.evidence[0].cautions
    (caution,) = (caution for caution in cautions if caution.code == "tied_documents")
    assert caution.level == "amber"
    assert caution.number == 8
    if anonymize:
        assert "tied (4)" not in caution.sentence
        assert caution.sentence.count("(4)") == 2
    else:
        assert "odd (4), tied (4)" in caution.sentence
    assert "clear" not in caution.sentence


def test_check_says_how_many(competition: Path, capsys: pytest.CaptureFixture[str]) -> None:
    upload = competition / "res/tied.run"
    assert check.main([str(upload), "--ids", str(competition / "ref/gold.qrels")]) == 0
    told = "In 4 of 4 queries, documents with equal scores (8) are not in the order"
    assert told in capsys.readouterr().out
    upload = competition / "res/clear.run"
    assert check.main([str(upload), "--ids", str(competition / "ref/gold.qrels")]) == 0
    assert "equal scores" not in capsys.readouterr().out
