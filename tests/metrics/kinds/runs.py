"""Judgments and runs like TREC's: graded relevance, tied scores, queries without results."""

from __future__ import annotations

import random

#: document → grade, and document → score, of every query.
Lists = dict[str, dict[str, float]]


def judgments(queries: int = 30, seed: int = 8) -> Lists:
    """Return 10 to 40 judged documents for every query; the last query has no relevant one."""
    draw = random.Random(seed)
    names = [str(301 + number) for number in range(queries)]
    found = {
        name: {
            f"FT{draw.randrange(900, 950)}-{draw.randrange(9999)}": float(
                draw.choice((-1, 0, 0, 0, 1, 1, 2, 3))
            )
            for _ in range(draw.randint(10, 40))
        }
        for name in names
    }
    found[names[-1]] = dict.fromkeys(found[names[-1]], 0.0)
    return found


def system(judged: Lists, noise: float, seed: int) -> Lists:
    """Return a run: most judged documents and others, with many ties.

    Some scores differ by less than single precision holds. One query has no result.
    """
    draw = random.Random(seed)
    run: Lists = {}
    for query, grades in list(judged.items())[1:]:
        retrieved = {name: grade for name, grade in grades.items() if draw.random() < 0.8}
        retrieved.update({f"LA{draw.randrange(100_000):06}": 0.0 for _ in range(25)})
        run[query] = {
            name: round(10 + grade + draw.gauss(0, noise)) + draw.choice((0, 0, 0.5, 1e-9))
            for name, grade in retrieved.items()
        }
    return run


def qrels_text(judged: Lists) -> str:
    """Return judgments as TREC writes them."""
    return "".join(
        f"{query} 0 {name} {grade:.0f}\n"
        for query, grades in judged.items()
        for name, grade in grades.items()
    )


def run_text(run: Lists, tag: str = "tag") -> str:
    """Return a run as TREC writes it; its ranks say nothing."""
    return "".join(
        f"{query} Q0 {name} {rank} {score!r} {tag}\n"
        for query, scores in run.items()
        for rank, (name, score) in enumerate(scores.items())
    )
