"""What files mean: one line a competition, from columns to the Reading or to what is asked."""

from __future__ import annotations

from typing import Any

import pytest

from scoring_program.recognize.rows_rule import Recognition
from scoring_program.recognize.statements import Need, Stated

from .columns import (
    BINARY,
    COLORS,
    COMMAS,
    CONSTANT,
    FLAG,
    FOLDS,
    FROM_0,
    FROM_1,
    HUGE,
    IDS,
    ITEMS,
    NOTHING,
    NUMBERED_IDS,
    PRICES,
    RANK,
    SPLIT,
    TEXTS,
    THOUSANDS,
    TOPICS,
    USERS,
    UUIDS,
    WORDS,
    YEARS,
    N,
    class_probabilities,
    confidences,
    cut,
    nested,
    noisy,
    other,
    recognized,
    scores,
    shuffled,
    table,
    told,
)  # fmt: skip

LABELS = Need("accuracy_score", "labels")
AUC = Need("roc_auc_score", "scores")
AUC_YES = Need("roc_auc_score", "scores", positive="yes")
LOSS = Need("log_loss", "probabilities")
ERROR = Need("mean_absolute_error", "numbers")

SCORES = scores(BINARY, "1")
SECOND_SCORES = scores(BINARY, "1", seed=2)
GUESS = noisy(COLORS)
SECOND_GUESS = noisy(COLORS, 2)
ESTIMATES = [f"{float(price) + 1:.3f}" for price in PRICES]
OF_CLASSES = class_probabilities(COLORS)
PERCENTAGES = {name: [f"{cell} %" for cell in cells] for name, cells in OF_CLASSES.items()}
ONE_HOT = {name: [str(int(color == name)) for color in COLORS] for name in ("red", "green", "blue")}
GOLD = {"id": IDS, "label": COLORS}
BINARY_GOLD = {"id": IDS, "label": BINARY}
PRICE_GOLD = {"id": IDS, "price": PRICES}
TWO_GOLDS = {"id": IDS, "stance": COLORS, "subtype": SECOND_GUESS}
TARGETS = (Need("of valence", "numbers", "valence"), Need("of arousal", "numbers", "arousal"))
TARGET_GOLD = {"id": IDS, "valence": PRICES, "arousal": ESTIMATES}
MANY = [f"class {number // 2 if number < 10 else number}" for number in range(N)]
PADDED = [f"{number:04d}" for number in range(100, 100 + N)]
THIRDS = [str(number % 3) for number in range(N)]
FIFTHS = [str(number // 5) for number in range(N)]
SECOND_OPINION = ["0" if BINARY[0] == "1" else "1", *BINARY[1:]]
UNPADDED = [str(int(number)) for number in PADDED]
SPOILED = ["-1" if number % 7 == 0 else label for number, label in enumerate(BINARY)]
GAPS = [str(number * 2) for number in range(1, N + 1)]
CONFIDENT = {"label": cut(SCORES), "score": confidences(SCORES)}


# Clauses: the gold, the files, what the metrics need, and what is read.
READ: dict[str, Any] = {
    "one column": (GOLD, [{"id": IDS, "pred": GUESS}], [LABELS], "id label; a id pred"),
    "shuffled": (GOLD, [shuffled({"id": IDS, "pred": GUESS})], [LABELS], "id label; a id pred"),
    "C1 values of the gold below": (
        GOLD, [table("a", {"": IDS, "x": GUESS}, headed=False)], [LABELS], "id label; a 1 2",
    ),
    "C1 a header of unknown names": (
        {"zzz": IDS, "qqq": COLORS}, [{"xxx": IDS, "www": GUESS}], [LABELS], "zzz qqq; a xxx www",
    ),
    "C1 nothing but labels": (
        table("gold.csv", {"x": COLORS}, headed=False),
        [table("a", {"x": GUESS}, headed=False)], [LABELS], "position 1; a position 1",
    ),
    "C1 a header that the format states": (
        GOLD, [table("a", {"id": IDS, "pred": GUESS}, known=True)], [LABELS], "id label; a id pred",
    ),
    "C2 empty column, twin, index": (
        GOLD, [{"": FROM_0, "id": IDS, "pred": GUESS, "copy": GUESS, "note": NOTHING}],
        [LABELS], "id label; a id pred",
    ),
    "C2 numbers written in two ways are one column": (
        BINARY_GOLD, [{"id": IDS, "p": BINARY, "q": [f"{label}.0" for label in BINARY]}],
        [LABELS], "id label; a id p",
    ),
    "C3 two columns name a row": (
        {"user": USERS, "item": ITEMS, "rating": FOLDS},
        [shuffled({"user": USERS, "item": ITEMS, "r": noisy(FOLDS)})] * 2, [LABELS],
        "user+item rating; a user+item r; b user+item r",
    ),
    "C3 two columns that files call otherwise, in another order": (
        {"user": USERS, "item": ITEMS, "rating": FOLDS},
        [shuffled({"u": USERS, "i": ITEMS, "r": noisy(FOLDS)})] * 2, [LABELS],
        "user+item rating; a u+i r; b u+i r",
    ),
    "C3 a file in the gold's order has the key that the others prove": (
        {"user": USERS, "item": ITEMS, "rating": FOLDS},
        [{"u": USERS, "i": ITEMS, "r": noisy(FOLDS)},
         *[shuffled({"user": USERS, "item": ITEMS, "r": noisy(FOLDS)})] * 2], [LABELS],
        "user+item rating; a u+i r; b user+item r; c user+item r",
    ),
    "C3 half of the files prove no key for the others": (
        {"user": USERS, "item": ITEMS, "rating": FOLDS},
        [{"u": USERS, "i": ITEMS, "r": noisy(FOLDS)},
         shuffled({"user": USERS, "item": ITEMS, "r": noisy(FOLDS)})], [LABELS],
        "user+item rating; b user+item r; a not: its columns 'u', 'i' may name the examples "
        "together, or repeat the answers",
    ),
    "C3 an index on both sides does not beat two columns": (
        {"": FROM_0, "user": USERS, "item": ITEMS, "rating": FOLDS},
        [{"": FROM_0, **shuffled({"user": USERS, "item": ITEMS, "r": noisy(FOLDS)})}] * 2, [LABELS],
        "user+item rating; a user+item r; b user+item r",
    ),
    "C3 answers are no part of a key": (
        {"doc": FOLDS, "y": FIFTHS, "size": PRICES},
        [{"doc": FOLDS, "y": FIFTHS, "p": ESTIMATES}] * 2, [ERROR],
        "position y; a position p; b position p",
    ),
    "C3 fractions are no key": (
        {"price": PRICES, "id": NUMBERED_IDS}, [shuffled({"id": NUMBERED_IDS, "p": ESTIMATES})] * 2,
        [ERROR], "id price; a id p; b id p",
    ),
    "C4 row numbers under the gold's name": (
        {"id": FROM_1, "label": BINARY}, [{"id": RANK, "s": SCORES}], [AUC], "id label; a id s",
    ),
    "C4 ids come before row numbers": (
        {"n": FROM_1, "id": IDS, "label": BINARY}, [{"n": RANK, "id": IDS, "label": BINARY}] * 2,
        [LABELS], "id label; a id label; b id label",
    ),
    "C5 nothing but predictions": (
        GOLD, [{"pred": GUESS}], [LABELS], "position label; a position pred",
    ),
    "C5 a matrix of nothing but predictions": (
        GOLD, [OF_CLASSES], [LOSS], "position label; a position blue+green+red",
    ),
    "C6 the only column has one class": (
        {"id": IDS, "label": ["a"] * N}, [{"id": IDS, "pred": ["a"] * N}], [LABELS],
        "id label; a id pred",
    ),
    "C6 the only column has many classes": (
        {"id": IDS, "label": MANY}, [{"id": IDS, "pred": MANY[::-1]}], [LABELS],
        "id label; a id pred",
    ),
    "C6 one fits the files": (
        {"id": IDS, "topic": TOPICS, "stance": COLORS},
        [{"id": IDS, "p": GUESS}, {"id": IDS, "p": SECOND_GUESS}], [LABELS],
        "id stance; a id p; b id p",
    ),
    "C6 labels that a rival lacks": (
        {"id": IDS, "stance": THIRDS, "flag": FLAG},
        [{"id": IDS, "p": noisy(THIRDS, seed)} for seed in (1, 2)], [LABELS],
        "id stance; a id p; b id p",
    ),
    "C6 classes that a rival lacks": (
        {"id": IDS, "level": FOLDS, "flag": FLAG},
        [{"id": IDS, **class_probabilities(FOLDS, seed)} for seed in (1, 2)], [LOSS],
        "id level; a id 0+1+2+3+4; b id 0+1+2+3+4",
    ),
    "C6 the names of one-hot answers": (
        {"id": IDS, **ONE_HOT, "second": SECOND_GUESS}, [{"id": IDS, **OF_CLASSES}] * 2, [LOSS],
        "id red+green+blue; a id blue+green+red; b id blue+green+red",
    ),
    "C6 context that files repeat": (
        {"id": IDS, "stance": COLORS, "topic": TOPICS},
        [{"id": IDS, "topic": TOPICS, "p": guess} for guess in (GUESS, SECOND_GUESS)], [LABELS],
        "id stance; a id p; b id p",
    ),
    "C6 the submissions' name": (
        TWO_GOLDS, [{"id": IDS, "stance": guess} for guess in (GUESS, noisy(COLORS, 9))], [LABELS],
        "id stance; a id stance; b id stance",
    ),
    "C6 a listed name": (
        {"id": IDS, "label": COLORS, "subtype": SECOND_GUESS}, [{"id": IDS, "p": GUESS}], [LABELS],
        "id label; a id p",
    ),
    "C7 a copy of the answers beside predictions": (
        GOLD, [{"id": IDS, "label": COLORS, "p": guess} for guess in (GUESS, SECOND_GUESS)],
        [LABELS], "id label; a id p; b id p",
    ),
    "C7 a perfect system": (GOLD, [{"id": IDS, "p": COLORS}], [LABELS], "id label; a id p"),
    "C8 a column a class": (
        GOLD, [{"id": IDS, **OF_CLASSES}], [LOSS], "id label; a id blue+green+red",
    ),
    "C8 names with a beginning": (
        GOLD, [{"id": IDS, **{f"p_{name}": cells for name, cells in OF_CLASSES.items()}}], [LOSS],
        "id label; a id p_blue+p_green+p_red",
    ),
    "C8 one-hot gold": (
        {"id": IDS, **ONE_HOT}, [{"id": IDS, "p": GUESS}], [LABELS], "id red+green+blue; a id p",
    ),
    "C8 one-hot gold beside a flag": (
        {"id": IDS, **ONE_HOT, "hard": FLAG}, [{"id": IDS, **OF_CLASSES}] * 2, [LOSS],
        "id red+green+blue; a id blue+green+red; b id blue+green+red",
    ),
    "C8 the positive's column": (
        BINARY_GOLD, [{"id": IDS, "prob_0": other(SCORES), "prob_1": SCORES}], [AUC],
        "id label; a id prob_1",
    ),
    "C8 a nameless matrix of two classes": (
        BINARY_GOLD, [table("a", {"x": other(SCORES), "y": SCORES}, headed=False)], [AUC],
        "position label; a position 2",
    ),
    "C8 the probability of the second of two classes": (
        BINARY_GOLD, [{"id": IDS, "p": SCORES}], [LOSS], "id label; a id p",
    ),
    "C9 the label is the number, cut": (
        BINARY_GOLD, [{"id": IDS, "y_pred": cut(SCORES), "y_prob": SCORES}], [AUC],
        "id label; a id y_prob",
    ),
    "C9 words, cut": (
        {"id": IDS, "label": WORDS}, [{"id": IDS, "label": cut(SCORES, "yes", "no"), "p": SCORES}],
        [AUC_YES], "id label; a id p",
    ),
    "C9 two metrics": (
        BINARY_GOLD, [{"id": IDS, "label": cut(SCORES), "p": SCORES}] * 2, [LABELS, AUC],
        "id label; a id label p; b id label p",
    ),
    "C10 what fits in most files of a header": (
        PRICE_GOLD,
        [
            {"id": IDS, "p": ESTIMATES, "note": FOLDS},
            {"id": IDS, "p": ESTIMATES, "note": TEXTS},
            {"id": IDS, "p": ESTIMATES, "note": TEXTS},
        ],
        [ERROR], "id price; a id p; b id p; c id p",
    ),
    "C11 called like the answers": (
        PRICE_GOLD, [{"id": IDS, "std": FOLDS, "price": ESTIMATES}], [ERROR],
        "id price; a id price",
    ),
    "targets": (
        TARGET_GOLD, [{"id": IDS, "valence": YEARS, "arousal": FOLDS}], TARGETS,
        "id valence+arousal; a id valence arousal",
    ),
    "K texts": ({"id": IDS, "x": COLORS}, [{"id": IDS, "p": GUESS}], [], "id x; a id p"),
    "K numbers": ({"id": IDS, "x": PRICES}, [{"id": IDS, "p": ESTIMATES}], [], "id x; a id p"),
    "K few whole numbers are labels": (
        {"id": IDS, "x": FOLDS}, [{"id": IDS, "p": noisy(FOLDS), "s": PRICES}], [], "id x; a id p",
    ),
    "S split": (
        {"id": IDS, "label": COLORS, "Usage": SPLIT}, [{"id": IDS, "p": GUESS}], [LABELS],
        "id label; a id p",
    ),
    "M label set": (
        {"id": IDS, "toxic": BINARY, "insult": FLAG},
        [{"id": IDS, "toxic": noisy(BINARY), "insult": noisy(FLAG)}], [LABELS],
        "id toxic+insult; a id toxic+insult",
    ),
    "numbers of any size": (BINARY_GOLD, [{"id": IDS, "s": HUGE}], [AUC], "id label; a id s"),
    "C12 a broken file among good ones": (
        GOLD,
        [{"id": ids, "p": GUESS} for ids in (IDS, [*IDS[1:], IDS[1]], IDS)], [LABELS],
        f"id label; a id p; c id p; b not: the id '{IDS[1]}' stands twice",
    ),
    "C11 called like a column of the reference data that is no rival": (
        BINARY_GOLD | {"certainty": PRICES}, [{"id": IDS, "certainty": SCORES}], [AUC],
        "id label; a id certainty",
    ),
    "C15 no uploads": (GOLD, [], [LABELS], "id label"),
    "C15 a key of two columns": (
        {"doc_id": USERS, "token": ITEMS, "tag": COLORS}, [], [LABELS], "doc_id+token tag",
    ),
    "C15 lists beside answers of a listed name": (
        nested({"id": IDS, "label": COLORS}, "words"), [], [LABELS], "id label",
    ),
    "C15 the only unique column": ({"name": IDS, "label": COLORS}, [], [LABELS], "name label"),
}  # fmt: skip

POSITION = "[submissions: {join: position}]"
ROW_NUMBERS = "holds row numbers, which may be the ids, a rank or an index"
#: What is asked, and the lines that were tried.
ASKED: dict[str, Any] = {
    "C1 a first row of texts": (
        {"apple": TOPICS}, [{"pear": TOPICS}], [LABELS],
        "its header? [reference: {header: true}]",
    ),
    "C3 ids and a copy of the answers are no key together": (
        {"doc": USERS, "place": FOLDS, "kind": ITEMS},
        [{"name": USERS, "gold": ITEMS, "p": noisy(FOLDS)}] * 2, [LABELS],
        "may name the examples together, or repeat the answers",
    ),
    "C3 padded ids never fall to position in silence": (
        {"id": PADDED, "label": BINARY}, [{"id": UNPADDED, "s": SCORES}], [AUC],
        f"no column of the other side repeats it {POSITION}",
    ),
    "C4 a rank is no id": (
        {"id": FROM_1, "label": BINARY}, [{"rank": RANK, "s": SCORES}], [AUC],
        f"its column 'rank' {ROW_NUMBERS} [submissions: {{columns: {{id: rank}}}}]",
    ),
    "C4 a rank with gaps is no id": (
        {"id": FROM_1, "label": BINARY}, [{"rank": GAPS, "s": SCORES}], [AUC], "in",
    ),
    "C6 two that fit": (
        TWO_GOLDS, [{"id": IDS, "p": GUESS}, {"id": IDS, "p": SECOND_GUESS[::-1]}], [LABELS],
        "Which column of gold.csv holds the answers of accuracy_score? [reference: {columns: "
        "{answer: stance}}] [reference: {columns: {answer: subtype}}]",
    ),
    "C6 answer is no listed name": (
        {"id": IDS, "answer": COLORS, "kind": SECOND_GUESS}, [{"id": IDS, "p": GUESS}], [LABELS],
        "Which column of gold.csv holds the answers of accuracy_score? [reference: {columns: "
        "{answer: answer}}] [reference: {columns: {answer: kind}}]",
    ),
    "C6 one that nearly fits is not passed over": (
        {"id": IDS, "y": ["n/a", *PRICES[1:]], "year": YEARS}, [{"id": IDS, "p": ESTIMATES}] * 2,
        [ERROR], "[reference: {columns: {answer: year}}] [reference: {columns: {answer: y}, "
        "not_scored: [n/a]}]",
    ),
    "C6 answers that the files nearly fit are not passed over": (
        {"id": IDS, **ONE_HOT, "flag": FLAG},
        [{"id": IDS, "std": SCORES, **PERCENTAGES}] * 2,
        [LOSS], "Which column of gold.csv holds the answers of log_loss?",
    ),
    "C6 the names of classes say nothing of one-hot answers with other names": (
        {"id": IDS, **ONE_HOT, "second": SECOND_GUESS},
        [{"id": IDS, **{f"p_{name}": cells for name, cells in OF_CLASSES.items()}}] * 2, [LOSS],
        "Which column of gold.csv holds the answers of log_loss?",
    ),
    "C6 a word for no answer": (
        {"id": IDS, "label": SPOILED}, [{"id": IDS, "s": SCORES}], [AUC],
        "[reference: {columns: {answer: label}, not_scored: ['-1']}]",
    ),
    "C6 all files repeat the gold": (
        {"id": IDS, "stance": COLORS, "kind": SECOND_GUESS}, [{"id": IDS, "stance": COLORS}] * 2,
        [LABELS],
        "All submissions repeat a column of gold.csv in every row. Is it what is predicted, or was "
        "it given? [reference: {columns: {answer: stance}}]",
    ),
    "C7 the only submission repeats what a name alone chose": (
        {"id": IDS, "target": TOPICS, "stance": COLORS},
        [{"id": IDS, "target": TOPICS, "stance": GUESS}], [LABELS],
        "A submission repeats the column 'target' of gold.csv in every row. Is it what is "
        "predicted, or was it given? [reference: {columns: {answer: target}}]",
    ),
    "C7 the same under another name": (
        {"id": IDS, "target": TOPICS, "stance": COLORS},
        [{"id": IDS, "topic": TOPICS, "stance": GUESS}], [LABELS],
        "Is it what is predicted, or was it given? [reference: {columns: {answer: target}}]",
    ),
    "C7 predictions that equal another annotation by chance": (
        {"id": IDS, "diagnosis": BINARY, "second": SECOND_OPINION},
        [{"id": IDS, "p": guess} for guess in (SECOND_OPINION, noisy(BINARY))], [LABELS],
        "Which column of gold.csv holds the answers of accuracy_score?",
    ),
    "C7 percentages lose against no constant": (
        BINARY_GOLD, [{"id": IDS, "p": [f"{score}%" for score in SCORES], "sample": CONSTANT}],
        [AUC], "its column 'p' nearly holds scores",
    ),
    "C7 decimal commas": (
        PRICE_GOLD, [{"id": IDS, "p": COMMAS, "c": FOLDS}], [ERROR], "'p' nearly holds",
    ),
    "C7 capitals": (
        GOLD, [{"id": IDS, "p": [guess.upper() for guess in GUESS], "c": ["red"] * N}], [LABELS],
        "its column 'p' nearly holds labels of the task",
    ),
    "C11 C12 one file votes on nothing, and its name stops": (
        TWO_GOLDS | {"label": noisy(COLORS, 8)}, [{"id": IDS, "subtype": GUESS}], [LABELS],
        "a: it has no column 'label', and its column 'subtype' may be the prediction of the column "
        "of this name in the reference data [submissions: {columns: {prediction: subtype}}] "
        "[reference: {columns: {answer: subtype}}]",
    ),
    "C11 called like other answers than those that a metric names": (
        TARGET_GOLD, [{"id": IDS, "arousal": PRICES[::-1]}], [TARGETS[0]],
        "it has no column 'valence', and its column 'arousal' may be the prediction of the column "
        "of this name in the reference data [submissions: {columns: {prediction: arousal}}]",
    ),
    "C7 nothing but what was given": (
        GOLD | {"topic": TOPICS}, [{"id": IDS, "topic": TOPICS}], [LABELS],
        "a: it has no prediction of 'label': its only column, 'topic', repeats a column of the "
        "reference data in every row",
    ),
    "C7 nothing but what was given, in two columns": (
        GOLD | {"topic": TOPICS, "kind": SECOND_GUESS},
        [{"id": IDS, "topic": TOPICS, "kind": SECOND_GUESS}], [LABELS],
        "a: it has no prediction of 'label': all its columns, 'topic', 'kind', repeat columns "
        "of the reference data in every row",
    ),
    "C9 the confidence of the label": (
        BINARY_GOLD, [{"id": IDS, **CONFIDENT}], [AUC],
        "its column 'score' may be the confidence of the label in 'label', whatever that is "
        "[submissions: {columns: {prediction: score}, holds: score}]",
    ),
    "C9 beside a metric of the label": (
        BINARY_GOLD, [{"id": IDS, **CONFIDENT}], [LABELS, AUC],
        "[submissions: {columns: {roc_auc_score: score}, holds: score}]",
    ),
    "C11 a target by another name": (
        TARGET_GOLD, [{"id": IDS, "valence": YEARS, "a": FOLDS}], TARGETS,
        "2 columns may hold the prediction of 'arousal': 'valence', 'a' [submissions: {columns: "
        "{arousal: valence}}] [submissions: {columns: {arousal: a}}]",
    ),
    "C10 two that fit": (
        GOLD, [{"id": IDS, "p": GUESS, "q": SECOND_GUESS}], [LABELS],
        "2 columns may hold the prediction of 'label': 'p', 'q' [submissions: {columns: "
        "{prediction: p}}] [submissions: {columns: {prediction: q}}]",
    ),
    "C10 a rival that nearly fits elsewhere stays": (
        PRICE_GOLD,
        [{"id": IDS, "p": COMMAS, "truth": PRICES}, {"id": IDS, "p": ESTIMATES, "truth": PRICES}],
        [ERROR], "files cannot be read",
    ),
    "C11 the score of the other class": (
        BINARY_GOLD, [{"id": IDS, "prob_0": other(SCORES)}], [AUC],
        "its column 'prob_0' is called like another class than the one whose scores count "
        "[submissions: {holds: score}]",
    ),
    "C11 a constant called like the answers": (
        PRICE_GOLD, [{"id": IDS, "price": CONSTANT, "p": ESTIMATES}], [ERROR],
        "2 columns may hold the prediction of 'price': 'price', 'p'",
    ),
    "C15 two keys": (
        {"name": IDS, "hash": UUIDS, "label": COLORS}, [], [LABELS],
        "Which column of gold.csv identifies the examples? [reference: {columns: {id: name}}] "
        "[reference: {columns: {id: hash}}]",
    ),
    "C15 two keys of two columns": (
        {"doc_id": USERS, "token": ITEMS, "word": ITEMS[::-1], "label": COLORS}, [], [LABELS],
        "Which columns of gold.csv identify the examples together? "
        "[reference: {columns: {id: [doc_id, token]}}] "
        "[reference: {columns: {id: [doc_id, word]}}]",
    ),
    "C15 lists that no column holds": (
        nested({"lang": COLORS}, "words"), [], [LABELS],
        "Does 'lang' of gold.csv hold the answers? 'words' hold lists or objects",
    ),
    "C15 labels of which most occur once": (
        {"genre": COLORS, "tag": [*IDS[1:], IDS[1]]}, [], [LABELS],
        "holds the answers of accuracy_score? [reference: {columns: {answer: genre}}] "
        "[reference: {columns: {answer: tag}}]",
    ),
    "K thousands": (
        {"id": IDS, "x": THOUSANDS}, [{"id": IDS, "p": PRICES}], [], "holds the answers?",
    ),
}  # fmt: skip

#: What is stated is not recognized, and checked.
STATED: dict[str, Any] = {
    "answers": (
        TWO_GOLDS, [{"id": IDS, "p": GUESS}], [LABELS],
        Stated(answer="subtype"), "id subtype; a id p",
    ),
    "a column by its number": (
        TWO_GOLDS, [{"id": IDS, "p": GUESS, "q": GUESS[::-1]}], [LABELS],
        Stated(answer=2, prediction=3), "id stance; a id q",
    ),
    "prediction": (
        GOLD, [{"id": IDS, "p": GUESS, "q": SECOND_GUESS}], [LABELS], Stated(prediction="Q"),
        "id label; a id q",
    ),
    "a prediction that a file lacks": (
        GOLD, [{"id": IDS, "p": GUESS}], [LABELS], Stated(prediction="q"),
        "there is no column 'q' among 'id', 'p'",
    ),
    "a prediction of another kind": (
        PRICE_GOLD, [{"id": IDS, "p": ESTIMATES, "note": TEXTS}], [ERROR],
        Stated(prediction="note"),
        "its column 'note' does not hold numbers",
    ),
    "a constant prediction beside another": (
        PRICE_GOLD, [{"id": IDS, "p": ESTIMATES, "zero": CONSTANT}], [ERROR],
        Stated(prediction="zero"),
        "its column 'zero' is constant, and 'p' may hold the prediction",
    ),
    "a confidence stays one": (
        BINARY_GOLD, [{"id": IDS, **CONFIDENT}], [AUC], Stated(prediction="score"),
        "may be the confidence of the label",
    ),
    "only holds lifts it": (
        BINARY_GOLD, [{"id": IDS, **CONFIDENT}], [AUC], Stated(prediction="score", holds="score"),
        "id label; a id score",
    ),
    "class columns": (
        GOLD, [{"id": IDS, "a": OF_CLASSES["red"], "b": OF_CLASSES["blue"],
        "c": OF_CLASSES["green"]}],
        [LOSS], Stated(prediction={"red": "a", "blue": "b", "green": "c"}), "id label; a id a+b+c",
    ),
    "classes of a matrix": (
        GOLD, [table("a", dict(zip("xyz", OF_CLASSES.values(), strict=True)), headed=False)],
        [LOSS],
        Stated(classes=("blue", "green", "red")), "position label; a position 1+2+3",
    ),
    "a rank that is the id": (
        {"id": FROM_1, "label": BINARY}, [{"rank": RANK, "s": SCORES}], [AUC],
        Stated(submissions_id=("rank",)), "id label; a rank s",
    ),
    "position": (
        {"id": PADDED, "label": BINARY}, [{"id": UNPADDED, "s": SCORES}], [AUC],
        Stated(join="position", prediction="s"), "position label; a position s",
    ),
    "a key of several columns that the gold calls otherwise": (
        {"user": USERS, "item": ITEMS, "rating": FOLDS},
        [{"i": ITEMS, "u": USERS, "r": noisy(FOLDS)}] * 2, [LABELS],
        Stated(submissions_id=("i", "u")), "item+user rating; a i+u r; b i+u r",
    ),
    "a key that does not name every row": (
        {"user": USERS, "item": ITEMS, "label": COLORS}, [{"user": USERS, "item": ITEMS,
        "p": GUESS}],
        [LABELS], Stated(gold_id=("user",)), "'user' of gold.csv does not name every row",
    ),
    "a key of two columns": (
        {"user": USERS, "item": ITEMS, "id": IDS, "label": COLORS},
        [{"user": USERS, "item": ITEMS, "id": IDS, "p": GUESS}], [LABELS],
        Stated(gold_id=("user", "item")), "user+item label; a user+item p",
    ),
    "a column that the gold lacks": (
        GOLD, [{"id": IDS, "p": GUESS}], [LABELS], Stated(answer="labels"),
        "gold.csv has no column 'labels'; its columns are id, label",
    ),
    "answers of another kind": (
        {"id": IDS, "label": COLORS, "price": PRICES}, [{"id": IDS, "p": ESTIMATES}], [ERROR],
        Stated(answer="label"), "'label' of gold.csv holds more than mean_absolute_error can score",
    ),
    "not scored": (
        {"id": IDS, "label": SPOILED}, [{"id": IDS, "s": SCORES}], [AUC],
        Stated(not_scored=("-1",)),
        "id label; a id s",
    ),
    "further columns": (
        GOLD, [{"id": IDS, "p": GUESS, "seconds": PRICES}, {"id": IDS, "p": GUESS}], [LABELS],
        Stated(others="error"), "b id p; a not: it has a column that nothing needs: 'seconds'",
    ),
    "a context column": (
        {"id": IDS, "price": PRICES, "weight": ESTIMATES}, [{"id": IDS, "p": YEARS}], [ERROR],
        Stated(context=("weight",)), "id price; a id p",
    ),
    "words of the split": (
        {"id": IDS, "stance": COLORS, "part": noisy(["dev", "eval"] * (N // 2))},
        [{"id": IDS, "p": GUESS}], [LABELS], Stated(usage={"dev": "public", "eval": "private"}),
        "id stance; a id p",
    ),
    "any labels": (
        GOLD, [{"id": IDS, "p": [f"a {guess} thing" for guess in GUESS[:20]] + GUESS[20:]}],
        [LABELS],
        Stated(labels="any"), "id label; a id p",
    ),
    "targets": (
        TARGET_GOLD, [{"id": IDS, "v": YEARS, "a": FOLDS}], TARGETS,
        Stated(target_predictions={"valence": "v", "arousal": "a"}), "id valence+arousal; a id v a",
    ),
    "strict: no list of names decides": (
        {"id": IDS, "label": COLORS, "subtype": SECOND_GUESS}, [{"id": IDS, "p": GUESS}], [LABELS],
        Stated(strict=True), "Which column of gold.csv holds the answers",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_columns_are_proven_by_what_they_hold(name: str) -> None:
    gold, files, needs, expected = READ[name]
    assert told(recognized(gold, files, *needs)) == expected


@pytest.mark.parametrize("name", ASKED)
def test_what_nothing_can_decide_is_asked(name: str) -> None:
    gold, files, needs, expected = ASKED[name]
    outcome = recognized(gold, files, *needs)
    assert outcome.reading is None
    assert not outcome.bindings
    assert expected in told(outcome)


@pytest.mark.parametrize("name", STATED)
def test_what_is_stated_replaces_a_choice_and_switches_no_check_off(name: str) -> None:
    gold, files, needs, stated, expected = STATED[name]
    assert expected in told(recognized(gold, files, *needs, stated=stated))


@pytest.mark.parametrize("name", ASKED)
def test_every_line_that_is_offered_works(name: str) -> None:
    gold, files, needs, _ = ASKED[name]
    for option in recognized(gold, files, *needs).questions[0].options:
        stated = Stated().stating(option.settings)
        outcome = recognized(gold, files, *needs, stated=stated)
        assert not outcome.unusable, option
        again = recognized(gold, files, *needs).questions[0].asks
        assert all(question.asks != again for question in outcome.questions)


@pytest.mark.parametrize("name", READ)
def test_a_frozen_reading_says_the_same_again(name: str) -> None:
    gold, files, needs, _ = READ[name]
    outcome = recognized(gold, files, *needs)
    assert outcome.reading is not None
    frozen = outcome.reading.frozen()
    if len(outcome.reading.submissions) > 1:
        return  # no frozen form is that of several headers
    again = recognized(gold, files, *needs, stated=Stated().stating(frozen))
    assert again.reading is not None, told(again)
    assert again.reading.frozen() == frozen
    assert again.unusable.keys() == outcome.unusable.keys()
    for file, binding in outcome.bindings.items():
        assert _read(again, file) == _read(outcome, file)
        assert again.bindings[file].rows.tolist() == binding.rows.tolist()


def _read(outcome: Recognition, file: str) -> list[object]:
    binding = outcome.bindings[file]
    predictions = [dict(prediction.columns) for prediction in binding.predictions.values()]
    return [binding.answers, predictions]


@pytest.mark.parametrize("name", READ)
def test_every_column_is_accounted_for(name: str) -> None:
    gold, files, needs, _ = READ[name]
    outcome = recognized(gold, files, *needs)
    assert outcome.reading is not None
    for file, binding in outcome.bindings.items():
        places = [column.place for column in (*binding.file_key, *binding.context, *binding.unread)]
        scored = set()
        for prediction in binding.predictions.values():
            scored |= {column.place for column in prediction.columns.values()}
        columns = files["abcdefgh".index(file)]
        names = columns.columns if hasattr(columns, "columns") else [*columns.values()]
        filled = {place for place, cells in enumerate(names) if any([*cells][1:])}
        assert sorted([*places, *scored]) == sorted(filled)


def test_a_reason_whose_lines_lead_on_is_a_sentence() -> None:
    gold = {"id": FROM_1, "label": BINARY}
    file = {"rank": RANK, "a": SCORES, "b": SECOND_SCORES}
    (question,) = recognized(gold, [file], AUC).questions
    assert question.asks.endswith("or an index. Each of these lines leads to one more question.")


FLAGS = {f"flag{number}": noisy(BINARY, number, share=0.5) for number in range(6)}
FLAG_NEEDS = [Need(f"of {name}", "scores", name) for name in FLAGS]
FLAG_SCORES = {name: scores(cells, "1", seed=40) for name, cells in FLAGS.items()}


def test_predictions_of_several_answers_are_asked_together() -> None:
    """Names choose no score; so the columns of the same names are suggested, and nothing more."""
    files = [{"id": IDS, **FLAG_SCORES}, {"id": IDS, **FLAG_SCORES, "note": TEXTS}]
    (question,) = recognized({"id": IDS, **FLAGS}, files, *FLAG_NEEDS).questions
    (option,) = question.options
    assert option.settings == {"submissions": {"columns": {name: name for name in FLAGS}}}
    assert option.means == "each column is the prediction of its name"
    assert all(repr(name) in question.asks for name in FLAGS)
    stated = Stated().stating(option.settings)
    outcome = recognized({"id": IDS, **FLAGS}, files, *FLAG_NEEDS, stated=stated)
    sent = " ".join(FLAGS)
    assert told(outcome) == f"id {'+'.join(FLAGS)}; a id {sent}; b id {sent}"


def test_a_block_for_several_predictions_repeats_what_is_stated_of_others() -> None:
    stated = Stated().stating({"submissions": {"columns": {"flag0": "flag0"}}})
    (question,) = recognized(
        {"id": IDS, **FLAGS}, [{"id": IDS, **FLAG_SCORES}], *FLAG_NEEDS, stated=stated
    ).questions
    (option,) = question.options
    assert option.settings == {"submissions": {"columns": {name: name for name in FLAGS}}}


@pytest.mark.parametrize(("columns", "ways"), [("ab", 2), ("abc", 6), ("abcd", 1)])
def test_every_way_to_name_several_predictions_is_shown_if_there_are_few(
    columns: str, ways: int
) -> None:
    gold = {"id": IDS, "flag0": FLAGS["flag0"], "flag1": FLAGS["flag1"]}
    sent = dict(zip(columns, FLAG_SCORES.values(), strict=False))
    (question,) = recognized(gold, [{"id": IDS, **sent}], *FLAG_NEEDS[:2]).questions
    settings = [option.settings["submissions"]["columns"] for option in question.options]
    assert settings[0] == {"flag0": "a", "flag1": "b"}
    assert len(settings) == ways
    assert all(len({*way.values()}) == 2 for way in settings)


def test_labels_and_scores_of_the_same_answers_are_asked_together() -> None:
    sent = {"a": cut(SCORES), "b": cut(SECOND_SCORES), "c": SCORES, "d": SECOND_SCORES}
    (question,) = recognized(BINARY_GOLD, [{"id": IDS, **sent}], LABELS, AUC).questions
    way = {"prediction": "a", "roc_auc_score": "c"}
    assert {"submissions": {"columns": way}} in [option.settings for option in question.options]
