"""How often the rule for rows is right, asks, refuses a file, or is wrong.

``python -m tests.recognize CASES FIRST_SEED`` draws competitions of `generate` and prints the
counts, and why it asks where several columns fit; it ends with 1 if a score was wrong. With
``--prototype`` it draws those of the measured prototype, where that exists, and prints how often
the two agree. ``python -m tests.recognize scores CASES FIRST_SEED`` draws tables of scores and of
preferences of `generate_scores`.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict

from . import generate, generate_scores, prototype
from .causes import cause_of_question


def main() -> int:
    """Print the counts; return 1 if one is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.recognize", description=__doc__)
    arguments = sys.argv[1:]
    of_scores = arguments[:1] == ["scores"]
    parser.add_argument("cases", type=int, nargs="?", default=3000)
    parser.add_argument("first_seed", type=int, nargs="?", default=0)
    parser.add_argument("--prototype", action="store_true")
    asked = parser.parse_args(arguments[1:] if of_scores else arguments)
    seeds = range(asked.first_seed, asked.first_seed + asked.cases)
    if of_scores:
        return _measure_scores(seeds)
    return _compare(seeds) if asked.prototype else _measure(seeds)


def _measure(seeds: range) -> int:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    reasons: Counter[tuple[str, ...]] = Counter()
    causes: Counter[str] = Counter()
    for seed in seeds:
        case = generate.make(seed)
        outcome, why = generate.verdict(case, generate.recognition_of(case))
        counts[case.group][outcome] += 1
        if outcome == "WRONG":
            print(outcome, seed, case.kind, why, case.troubles)
        elif outcome != "right":
            reasons[case.group, outcome, case.kind, why] += 1
        if outcome == "asked" and case.group == generate.SEVERAL:
            causes[cause_of_question(case)] += 1
    ended = _printed(counts, reasons)
    _print_causes(causes, counts[generate.SEVERAL].total())
    return ended


def _print_causes(causes: Counter[str], cases: int) -> None:
    print(f"Asked, of {cases} with several candidates:")
    for cause, times in causes.most_common():
        print(f"{times:6}  {100 * times / cases:.1f}%  {cause}")


def _measure_scores(seeds: range) -> int:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    reasons: Counter[tuple[str, ...]] = Counter()
    for seed in seeds:
        case = generate_scores.make_scores(seed)
        outcome, why = generate_scores.verdict_of_scores(
            case, generate_scores.recognition_of_scores(case)
        )
        counts[case.group][outcome] += 1
        if outcome == "WRONG":
            print(outcome, seed, case.layout, why, case.troubles)
        elif outcome != "right":
            reasons[case.group, outcome, why] += 1
    return _printed(counts, reasons)


def _compare(seeds: range) -> int:
    if prototype.FOLDER is None:
        print("The prototype is not here.")
        return 2
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    reasons: Counter[tuple[str, ...]] = Counter()
    for seed in seeds:
        case = prototype.case(seed)
        expected = prototype.verdict_of_prototype(case)
        outcome, why = prototype.verdict(case)
        counts[prototype.group(case)][outcome] += 1
        if outcome == "WRONG":
            print(outcome, seed, case.kind, why, sorted(case.tags))
        if outcome != expected:
            files = "one file" if len(case.files) == 1 else "several files"
            reasons[f"prototype: {expected}", outcome, files, why] += 1
    agreeing = len(seeds) - sum(reasons.values())
    print(f"{agreeing} of {len(seeds)} as the prototype")
    return _printed(counts, reasons)


def _printed(counts: dict[str, Counter[str]], reasons: Counter[tuple[str, ...]]) -> int:
    for group, outcomes in sorted(counts.items()):
        total = sum(outcomes.values())
        shares = [f"{name} {n} ({100 * n / total:.2f}%)" for name, n in outcomes.most_common()]
        print(f"{group}, {total}: {', '.join(shares)}")
    for reason, times in reasons.most_common(25):
        print(f"{times:6}", *reason, sep="  ")
    return int(any(outcomes["WRONG"] for outcomes in counts.values()))


if __name__ == "__main__":
    raise SystemExit(main())
