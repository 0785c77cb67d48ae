"""BLEU, chrF, TER, ROUGE, error rates and SQuAD's metrics equal their libraries and rules."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np
import pytest

import scoring_program as dh
from tests.metrics.kinds.resamples import RESAMPLES, compare, scorer_of
from tests.metrics.kinds.segments import FIRST, MIXED, SEVERAL, SYSTEMS
from tests.sweeps import thinned

jiwer = pytest.importorskip("jiwer")
rouge_scorer = pytest.importorskip("rouge_score.rouge_scorer")
sacrebleu = pytest.importorskip("sacrebleu.metrics")

GOLDS = {"one": FIRST, "several": SEVERAL, "mixed": MIXED}


#: Resamples on which further parameters and several references are tried.
FEW = 10


def _tuple(gold: Any) -> tuple[str, ...]:
    return (gold,) if isinstance(gold, str) else gold


@pytest.mark.parametrize("references", GOLDS)
@pytest.mark.parametrize(
    ("function", "name", "params"),
    thinned(
        [
            ("bleu", "BLEU", {}),
            ("bleu", "BLEU", {"smooth_method": "floor", "lowercase": True}),
            ("bleu", "BLEU", {"smooth_method": "add-k", "smooth_value": 2, "tokenize": "char"}),
            ("bleu", "BLEU", {"smooth_method": "none", "max_ngram_order": 3}),
            ("bleu", "BLEU", {"effective_order": True}),
            ("chrf", "CHRF", {}),
            ("chrf", "CHRF", {"word_order": 2, "lowercase": True}),
            ("chrf", "CHRF", {"eps_smoothing": True, "beta": 3, "whitespace": True}),
            ("ter", "TER", {}),
            ("ter", "TER", {"normalized": True, "case_sensitive": True}),
        ]
    ),
)
def test_equals_sacrebleu_on_the_resampled_segments(
    function: str, name: str, params: Mapping[str, Any], references: str
) -> None:
    library = getattr(sacrebleu, name)(**params)

    def oracle(golds: list[Any], predictions: list[str]) -> float:
        streams = list(zip_longest(*map(_tuple, golds)))
        return float(library.corpus_score(predictions, streams).score)

    resamples = RESAMPLES if references == "one" and not params else FEW
    compare(function, params, GOLDS[references], SYSTEMS, oracle, resamples)


@pytest.mark.parametrize(
    ("system", "smooth"),
    [(("no match here at all", "none"), "exp"), (("", ""), "exp"), (("a b", "a"), "floor"),
     (("a b c d e", "x"), "none"), (("a b", "a"), "add-k")],
)  # fmt: skip
@pytest.mark.parametrize("effective", [False, True])
def test_bleu_without_matches_or_n_grams(
    system: Sequence[str], smooth: str, effective: bool
) -> None:
    golds, params = ["a b c d e", "a"], {"smooth_method": smooth, "effective_order": effective}
    expected = sacrebleu.BLEU(**params).corpus_score(list(system), [golds]).score
    scorer = scorer_of("bleu", params, golds, [system])
    np.testing.assert_allclose(scorer.observed, [expected], rtol=0, atol=1e-9)


@pytest.mark.parametrize(("gold", "system"), [("", ""), ("", "a b"), ("a", ""), ("a b", "b c a")])
def test_edits_of_empty_segments(gold: str, system: str) -> None:
    for function, expected in (
        ("ter", sacrebleu.TER().corpus_score([system], [[gold]]).score),
        ("chrf", sacrebleu.CHRF().corpus_score([system], [[gold]]).score),
        ("word_error_rate", jiwer.wer([gold], [system])),
        ("character_error_rate", jiwer.cer([gold], [system])),
    ):
        np.testing.assert_allclose(scorer_of(function, {}, [gold], [[system]]).observed, [expected])


@pytest.mark.parametrize("name", ["rouge1", "rouge2", "rougeL"])
@pytest.mark.parametrize(("references", "stems"), [("one", False), ("several", True)])
def test_equals_the_mean_of_rouge_score(name: str, references: str, stems: bool) -> None:
    library = rouge_scorer.RougeScorer([name], use_stemmer=stems)

    def oracle(golds: list[Any], predictions: list[str]) -> float:
        pairs = zip(golds, predictions, strict=True)
        found = [library.score_multi(_tuple(gold), text)[name].fmeasure for gold, text in pairs]
        return float(np.mean(found))

    resamples = FEW if stems else RESAMPLES
    compare(name, {"use_stemmer": stems}, GOLDS[references], SYSTEMS, oracle, resamples)


@pytest.mark.parametrize(
    ("function", "oracle"),
    [("word_error_rate", jiwer.wer), ("character_error_rate", jiwer.cer)],
)
def test_equals_jiwer_on_the_resampled_segments(function: str, oracle: Any) -> None:
    compare(function, {}, FIRST, SYSTEMS, oracle)
    bare = jiwer.Compose([jiwer.ToLowerCase(), jiwer.RemovePunctuation()])
    compare(
        function,
        {"lowercase": True, "remove_punctuation": True},
        FIRST,
        SYSTEMS,
        lambda golds, texts: oracle(bare(golds), bare(texts)),
    )


def test_the_nearest_reference_counts() -> None:
    scorer = scorer_of("word_error_rate", {}, [("a b c d", "x y")], [["x z"], ["a b c z"]])
    np.testing.assert_array_equal(scorer.observed, [1 / 2, 1 / 4])


def _published(answer: str) -> str:
    """SQuAD's normalization step by step, in the order of its description."""
    text = "".join(letter for letter in answer.lower() if letter not in set(string.punctuation))
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split())


def _published_f1(gold: str, answer: str) -> float:
    wanted, given = _published(gold).split(), _published(answer).split()
    if not wanted or not given:
        return float(wanted == given)
    same = sum((Counter(wanted) & Counter(given)).values())
    if not same:
        return 0.0
    precision, recall = same / len(given), same / len(wanted)
    return 2 * precision * recall / (precision + recall)


@pytest.mark.parametrize("references", GOLDS)
def test_follows_the_published_rules_of_squad(references: str) -> None:
    golds = GOLDS[references]
    answers = [tuple(text.rstrip(".") + "  " for text in system) for system in SYSTEMS]
    answers[0] = answers[-1] = tuple(
        text if i % 3 else f"the {_tuple(golds[i])[0].upper()}!"
        for i, text in enumerate(answers[0])
    )

    def exact(golds: list[Any], texts: list[str]) -> float:
        pairs = zip(golds, texts, strict=True)
        return float(
            np.mean([max(_published(t) == _published(r) for r in _tuple(g)) for g, t in pairs])
        )

    def f1(golds: list[Any], texts: list[str]) -> float:
        pairs = zip(golds, texts, strict=True)
        return float(np.mean([max(_published_f1(r, t) for r in _tuple(g)) for g, t in pairs]))

    compare("token_f1", {}, golds, answers, f1)
    scorer = scorer_of("exact_match", {}, golds, answers)
    expected = [exact(list(golds), list(system)) for system in answers]
    np.testing.assert_allclose(scorer.observed, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("gold", "answer", "exact", "f1"),
    [
        ("the Eiffel Tower", "Eiffel  tower.", 1, 1),
        ("1,990 m", "1990 m", 1, 1),
        ("Anna's an artist", "annas artist", 1, 1),
        ("", "", 1, 1),
        ("", "Paris", 0, 0),
        ("Paris", "the", 0, 0),
        (("Rome", "the city of Rome"), "City of Rome", 1, 1),
        ("Denver Broncos", "Broncos", 0, 2 / 3),
    ],
)
def test_answers(gold: Any, answer: str, exact: float, f1: float) -> None:
    found = [
        scorer_of(function, {}, [gold], [[answer]]).observed[0]
        for function in ("exact_match", "token_f1")
    ]
    np.testing.assert_allclose(found, [exact, f1])


@pytest.mark.parametrize(
    ("gold", "answer", "score"),
    [
        ("casas", "casas", 1),
        ("casas", "Casas", 0),
        ("casas.", "casas", 0),
        ("a la casa", "la casa", 0),
        (("gris", "Gris"), "Gris", 1),
        ("", "", 1),
    ],
)
def test_strings_match_letter_by_letter(gold: Any, answer: str, score: float) -> None:
    assert scorer_of("string_match", {}, [gold], [[answer]]).observed[0] == score


_BRIDGE = "这座桥建于1990年，至今仍在使用。"


@pytest.mark.parametrize(
    ("metric", "golds", "why"),
    [
        ("exact_match", ["-5", "1.5", "-12", "0.25"], "use string_match"),
        ("token_f1", ["A", "B", "C", "D"], "use string_match"),
        ("rouge1", ["мост построен в 1990 году", "река и город 5"], "use chrf"),
        ("bleu", [_BRIDGE, "河流穿过这座城市的中心"], "use chrf, or its 'tokenize', such as zh"),
        (
            "wer",
            ["この橋は1990年に建てられた"],
            "no spaces are between those of the texts; use chrf",
        ),
    ],
)
def test_a_metric_that_leaves_out_what_the_references_are_is_refused(
    metric: str, golds: list[str], why: str
) -> None:
    with pytest.raises(dh.OrganizerError, match=why):
        dh.compare(golds, {"a": golds, "b": golds}, metrics=metric)


def test_what_needs_no_spaces_between_words_is_not_refused() -> None:
    golds = [_BRIDGE, "河流穿过这座城市的中心"]
    zh = {"name": "bleu", "function": "bleu", "params": {"tokenize": "zh"}}
    apart = [" ".join(gold) for gold in golds]
    for texts, metrics in ((golds, zh), (golds, "cer"), (apart, "wer"), (golds, "string_match")):
        result = dh.compare(texts, {"a": texts}, metrics=metrics, resamples=100)
        assert result.ranking[0].score in (0, 1, pytest.approx(100))


def test_a_few_decimals_among_answers_are_no_reason() -> None:
    golds = ["the bridge", "1990", "7.5", *(f"answer {k}" for k in range(20))]
    result = dh.compare(golds, {"a": golds}, metrics="exact_match", resamples=100)
    assert result.ranking[0].score == 1.0
