"""Metrics of texts: what a library or we count for a segment, and scores of sums of counts.

BLEU, chrF and TER: sacrebleu counts with the methods that its own paired bootstrap uses (2.0 and
later). The scores of sums are written for arrays here; the tests compare them with sacrebleu's
``corpus_score``. ROUGE-1, ROUGE-2 and ROUGE-L: the mean over segments of the F measure of
rouge-score. Word and character error rates: edits and lengths as jiwer counts them. Answers: exact
match and token F1 after SQuAD's normalization (Rajpurkar and others, 2016), and the match of plain
strings.
"""

from __future__ import annotations

import importlib
import re
import string
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, zip_longest
from typing import Any

import numpy as np

from ...core.arrays import Floats
from ...core.cells import is_number
from ..gold_needs import something
from ..metric import ERROR, SHARE, Definition, ExampleStatistics, count_each, ratio

#: What sacrebleu takes for the logarithm of zero.
_LOG_OF_ZERO = -9999999999.0
#: Added for n-grams without a match, if the settings give no value (Chen and Cherry, 2014).
_SMOOTHING = {"floor": 0.1, "add-k": 1.0}
_ARTICLE = re.compile(r"\b(a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def references(gold: str | Sequence[str]) -> Sequence[str]:
    """Return the references of a segment: one, or several."""
    return (gold,) if isinstance(gold, str) else gold


@dataclass(frozen=True)
class _Segments:
    """Counts segments with a class of sacrebleu; each gold is a reference, or a tuple of them."""

    metric: str

    def __call__(
        self, golds: Sequence[Any], predictions: Sequence[str], params: Mapping[str, Any]
    ) -> Sequence[Sequence[float]]:
        metric = self._made(params)
        distinct = list(dict.fromkeys(golds))
        by_place = list(zip_longest(*map(references, distinct)))
        of_gold = dict(zip(distinct, metric._cache_references(by_place), strict=True))
        metric._ref_cache = [of_gold[gold] for gold in golds]
        counts: Sequence[Sequence[float]] = metric._extract_corpus_statistics(predictions, None)
        return counts

    def signature(self, params: Mapping[str, Any], references: int) -> str:
        """Return sacrebleu's own signature; ``references`` are those of each segment, or -1."""
        metric = self._made(params)
        metric.num_refs = references  # -1 is "var"
        return str(metric.get_signature())

    def _made(self, params: Mapping[str, Any]) -> Any:
        library = importlib.import_module("sacrebleu.metrics")
        fixed = {"force": True} if self.metric == "BLEU" else {}  # do not print advice
        return getattr(library, self.metric)(**params, **fixed)


def bleu(sums: Floats, params: Mapping[str, Any]) -> Floats:
    """Return BLEU from lengths of system and reference, matched n-grams and all n-grams."""
    order = params["max_ngram_order"]
    length = sums[0]
    wanted = sums[1]
    correct = sums[2 : 2 + order]
    total = sums[2 + order :]
    matched = correct.any(axis=0)
    method = params["smooth_method"]
    value = params["smooth_value"]
    value = _SMOOTHING.get(method, 0.0) if value is None else value
    if method == "add-k":
        added = np.zeros((order, *[1] * length.ndim))
        added[1:] = value
        correct = correct + added
        total = total + added
    counted = np.logical_and.accumulate(total > 0, axis=0)
    unmatched = counted & (correct == 0)
    # Smoothing takes half the time, and a corpus seldom needs it.
    if method in ("exp", "floor") and unmatched.any():
        smoothed = 0.5 ** np.cumsum(unmatched, axis=0) if method == "exp" else value
        correct = np.where(unmatched, smoothed, correct)
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = np.where(counted, correct / total, 0.0)
        logs = np.where(precision > 0, np.log(100.0 * precision), _LOG_OF_ZERO)
        short = np.where(length > 0, np.exp(1.0 - wanted / length), 0.0)
        if params["effective_order"]:
            mean = np.where(counted, logs, 0.0).sum(axis=0) / counted.sum(axis=0)
        else:
            mean = logs.mean(axis=0)
    penalty = np.where(length < wanted, short, 1.0)
    return np.asarray(np.where(matched, penalty * np.exp(mean), 0.0))


def chrf(sums: Floats, params: Mapping[str, Any]) -> Floats:
    """Return chrF from the n-grams of system and reference and the matches, for each order."""
    predicted = sums[0::3]
    wanted = sums[1::3]
    matched = sums[2::3]
    factor = float(params["beta"]) ** 2
    smallest = 1e-16
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = np.where(predicted > 0, matched / predicted, smallest)
        recall = np.where(wanted > 0, matched / wanted, smallest)
        if params["eps_smoothing"]:
            parts = factor * precision + recall
            score = np.where(parts > 0, (1 + factor) * precision * recall / parts, smallest)
            return np.asarray(100.0 * score.mean(axis=0))
        shared_orders = (predicted > 0) & (wanted > 0)
        orders = np.maximum(shared_orders.sum(axis=0), 1)
        precision = np.where(shared_orders, precision, 0.0).sum(axis=0) / orders
        recall = np.where(shared_orders, recall, 0.0).sum(axis=0) / orders
        score = (1 + factor) * precision * recall / (factor * precision + recall)
    return np.asarray(np.where(precision + recall > 0, 100.0 * score, 0.0))


def ter(sums: Floats, params: Mapping[str, Any]) -> Floats:
    """Return TER from edits and the mean length of the references."""
    edits, length = sums
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = np.where(length > 0, edits / length, np.where(edits > 0, 1.0, 0.0))
    return np.asarray(100.0 * rate)


def _rouge(
    name: str, golds: Sequence[Any], predictions: Sequence[str], params: Mapping[str, Any]
) -> Sequence[tuple[float, int]]:
    """Count a segment's F measure and 1; of several references, the best counts (Lin, 2004)."""
    library = importlib.import_module("rouge_score.rouge_scorer")
    scorer = library.RougeScorer([name], **params)

    def f_measure(reference: str, prediction: str) -> float:
        return float(scorer.score(reference, prediction)[name].fmeasure)

    counts = []
    for gold, prediction in zip(golds, predictions, strict=True):
        best = max(f_measure(reference, prediction) for reference in references(gold))
        counts.append((best, 1))
    return counts


def _edit_counts(
    characters: bool, golds: Sequence[Any], predictions: Sequence[str], params: Mapping[str, Any]
) -> list[tuple[int, int]]:
    """Count the edits from reference to prediction and the reference's length, in jiwer's units.

    Of several references, the one with the lowest rate of edits counts.
    """
    jiwer = importlib.import_module("jiwer")
    if characters:
        process = jiwer.process_characters
        split = jiwer.ReduceToListOfListOfChars
    else:
        process = jiwer.process_words
        split = jiwer.ReduceToListOfListOfWords
    steps = [jiwer.ToLowerCase()] if params["lowercase"] else []
    steps += [jiwer.RemovePunctuation()] if params["remove_punctuation"] else []
    steps += [] if characters else [jiwer.RemoveMultipleSpaces()]
    transform = jiwer.Compose([*steps, jiwer.Strip(), split()])
    wanted: list[str] = []
    guesses: list[str] = []
    for gold, prediction in zip(golds, predictions, strict=True):
        wanted += references(gold)
        guesses += [prediction] * len(references(gold))
    output = process(wanted, guesses, transform, transform)
    counts = zip(map(_edits, output.alignments), map(len, output.references), strict=True)
    best = []
    for gold in golds:
        of_references = islice(counts, len(references(gold)))
        best.append(min(of_references, key=_rate))
    return best


def _edits(alignment: Sequence[Any]) -> int:
    """Return substitutions, deletions and insertions of an alignment."""
    return sum(
        max(part.ref_end_idx - part.ref_start_idx, part.hyp_end_idx - part.hyp_start_idx)
        for part in alignment
        if part.type != "equal"
    )


def _rate(counts: tuple[int, int]) -> float:
    edits, length = counts
    return edits / max(length, 1)


def error_rate(sums: Floats, params: Mapping[str, Any]) -> Floats:
    """Return edits per unit of the references; if all of them are empty, the number of edits."""
    return np.asarray(sums[0] / np.maximum(sums[1], 1))


def normalized(answer: str) -> str:
    """Return an answer in lower case, without punctuation, articles and further spaces."""
    return " ".join(_ARTICLE.sub(" ", answer.lower().translate(_NO_PUNCTUATION)).split())


#: The share of references from which on a metric that misreads them is refused.
_MISREAD = 0.1
#: Letters of scripts without spaces: Thai to Burmese, Khmer, kana and Chinese characters. Where no
#: metric needs it, it stays a text: so many letters take long to compile.
_SPACELESS = "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]"
#: So many of them make no word.
_LONG = 8


def misreads(function: str, golds: Sequence[Any], params: Mapping[str, Any]) -> str | None:
    """Return why a metric of texts does not fit the references, and what does; None if it does.

    SQuAD's normal form leaves out signs, decimal points and the answer A, and rouge-score all
    letters other than a to z. What counts words needs spaces between them.
    """
    texts = [reference for gold in golds for reference in references(gold) if reference.strip()]
    if function in ("exact_match", "token_f1"):
        odd = [
            text
            for text in texts
            if not (plain := normalized(text)) or (is_number(text) and plain != text.strip())
        ]
        if len(odd) > _MISREAD * len(texts):
            return (
                "it leaves out signs, decimal points and articles, so that -5 is 5, and A is no "
                "answer; use string_match"
            )
    if function in ("bleu", "word_error_rate", "token_f1") and not params.get("tokenize"):
        spaceless = sum(len(re.findall(_SPACELESS, text)) for text in texts)
        if spaceless > _LONG * sum(len(text.split()) for text in texts):
            remedy = "use chrf"
            if function == "bleu":
                remedy = "use chrf, or its 'tokenize', such as zh"
            return f"it counts words, and no spaces are between those of the texts; {remedy}"
    letters = "".join(texts) if function.startswith("rouge") else ""
    latin = sum(letter.isascii() for letter in letters if letter.isalpha())
    if latin < sum(map(str.isalpha, letters)) / 2:
        return "it leaves out all letters other than a to z; use chrf"
    return None


def _exact(gold: Any, prediction: str, params: Mapping[str, Any]) -> tuple[float, int]:
    """Count 1 if the prediction equals one of the references, and 1 for the question."""
    answer = normalized(prediction)
    return float(any(normalized(reference) == answer for reference in references(gold))), 1


def _string(gold: Any, prediction: str, params: Mapping[str, Any]) -> tuple[float, int]:
    """Count 1 if the prediction is one of the references, letter by letter, and 1 for the text."""
    return float(prediction in references(gold)), 1


def _token_f1(gold: Any, prediction: str, params: Mapping[str, Any]) -> tuple[float, int]:
    """Count the best F1 over the references, and 1 for the question."""
    answer = normalized(prediction).split()
    return max(_f1(normalized(reference).split(), answer) for reference in references(gold)), 1


def _f1(reference: list[str], answer: list[str]) -> float:
    """Return the F1 of tokens; of no answer, as in SQuAD 2.0, whether both are none."""
    if not reference or not answer:
        return float(reference == answer)
    same = sum((Counter(reference) & Counter(answer)).values())
    return 2 * same / (len(reference) + len(answer))


def _has_text(gold: Any, params: Mapping[str, Any]) -> bool:
    """Whether one of the references of a segment is not empty."""
    return any(reference.strip() for reference in references(gold))


_some_text = something("text that is not empty", _has_text)


def _of_text(
    name: str,
    label: str,
    count: Callable[..., Any],
    score: Callable[[Floats, Mapping[str, Any]], Floats] = ratio,
    *libraries: str,
    make: Callable[..., Definition] = SHARE,
    costly: bool = False,
    **facts: Any,
) -> Definition:
    extra = "text" if libraries else ""
    statistics = ExampleStatistics(count, score, libraries, extra, costly=costly)
    return make(name, label, "text", evaluation="sums", statistics=statistics, **facts)


DEFINITIONS = (
    _of_text(
        "bleu", "BLEU", _Segments("BLEU"), bleu, "sacrebleu", ideal=100, high=100,
        gold_defect=_some_text,
        defaults={
            "lowercase": False, "tokenize": None, "smooth_method": "exp", "smooth_value": None,
            "max_ngram_order": 4, "effective_order": False, "trg_lang": "",
        },
    ),
    _of_text(
        "chrf", "chrF", _Segments("CHRF"), chrf, "sacrebleu", ideal=100, high=100,
        gold_defect=_some_text,
        defaults={
            "char_order": 6, "word_order": 0, "beta": 2, "lowercase": False, "whitespace": False,
            "eps_smoothing": False,
        },
    ),
    _of_text(
        "ter", "TER", _Segments("TER"), ter, "sacrebleu", make=ERROR, costly=True,
        gold_defect=_some_text,
        defaults={
            "normalized": False, "no_punct": False, "asian_support": False,
            "case_sensitive": False,
        },
    ),
    *(
        _of_text(
            name, label, partial(_rouge, name), ratio, "rouge_score",
            defaults={"use_stemmer": False}, gold_defect=_some_text,
        )
        for name, label in (("rouge1", "ROUGE-1"), ("rouge2", "ROUGE-2"), ("rougeL", "ROUGE-L"))
    ),
    *(
        _of_text(
            f"{unit}_error_rate", f"{unit} error rate", partial(_edit_counts, unit == "character"),
            error_rate, "jiwer", make=ERROR,
            defaults={"lowercase": False, "remove_punctuation": False}, gold_defect=_some_text,
        )
        for unit in ("word", "character")
    ),
    _of_text("exact_match", "exact match (SQuAD)", partial(count_each, _exact)),
    _of_text("string_match", "string match", partial(count_each, _string)),
    _of_text("token_f1", "token F1", partial(count_each, _token_f1)),
)  # fmt: skip
