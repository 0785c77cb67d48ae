"""Pages in every language."""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from dataclasses import replace

import pytest

from scoring_program import report as render
from scoring_program.core.catalogs import languages, load
from scoring_program.core.phrases import Phrase
from scoring_program.inference.evidence import Caution
from scoring_program.metrics.registry import REGISTRY
from scoring_program.report.results_json import results_json
from scoring_program.settings.model import OPTIONS
from tests.report import made
from tests.sweeps import in_turn
from tests.words import longest_part, sentences

ENGLISH = load("en")
#: Folders whose sentences stand on pages.
_PAGES = ("audit", "inference", "report")
OTHERS = [code for code in languages() if code != "en"]


def test_the_setting_offers_the_languages_there_are() -> None:
    option = next(option for option in OPTIONS if option.name == "language")
    for code in languages():
        assert option.metadata["check"](code) == code


@pytest.mark.parametrize(("name", "code"), in_turn(made.FORMS, OTHERS))
def test_every_form_exists_in_every_language(name: str, code: str) -> None:
    report = render.build(made.with_settings(made.FORMS[name](), language=code))
    assert f'<html lang="{code}"' in render.page(report)


def test_lists() -> None:
    assert ENGLISH.listed([]) == ""
    assert ENGLISH.listed(["A"]) == "A"
    assert ENGLISH.listed(["A", "B"]) == "A and B"
    assert ENGLISH.listed(["A", "B", "C"]) == "A, B and C"
    assert load("es").listed(["A", "B", "C"]) == "A, B y C"


def test_a_value_is_never_a_template() -> None:
    assert "{0}{leader}" in ENGLISH.say("{leader} is first.", leader="{0}{leader}")


def test_labels_of_metrics() -> None:
    spanish = load("es")
    assert spanish.metric("precision") == "precisión"
    assert spanish.metric("macro F1") == "F1 macro"
    assert spanish.metric("weighted recall on the public rows") == (
        "exhaustividad ponderada en las filas públicas"
    )
    assert spanish.metric("mean rank on stance") == "lugar medio en stance"
    assert spanish.metric("our own: measure") == "our own: measure"
    for row in REGISTRY.values():
        assert ENGLISH.metric(f"macro {row.label}") == f"macro {row.label}"


def test_cautions_name_the_entries_in_every_language() -> None:
    reference, others = "submission", ("alfa", "línea base")
    same = Phrase("{first} and {last}", first=reference, last=others[0])
    cautions = (
        Caution(
            "red",
            "heavy_tails",
            0.2,
            Phrase(
                "A few {things} decide the difference between {reference} and {entries} (skewness "
                "or excess kurtosis {size:n} for {most}; it matters from {limit:n} on): intervals "
                "and p-values that rest on it are approximate.",
                reference=reference,
                entries=others,
                size=0.2,
                limit=0.1,
                most=others[0],
            ),
        ),
        Caution(
            "amber",
            "identical_predictions",
            2,
            Phrase("{entries} have identical predictions.", entries=same),
        ),
    )
    page = made.field()
    names = tuple(reference if i == page.focus else name for i, name in enumerate(page.names))
    first, second = (replace(evidence, names=names) for evidence in page.evidence)
    evidence = replace(first, cautions=cautions), replace(second, cautions=())
    page = replace(page, names=names, evidence=evidence)
    few, same = made.content(render.build(page), "cautions").blocks[-1].items
    assert few.value.startswith(
        "F1: A few examples decide the difference between submission and alfa, línea base ("
    )
    assert same.value == "F1: submission and alfa have identical predictions."
    report = render.build(made.with_settings(page, language="es"))
    few, same = made.content(report, "cautions").blocks[-1].items
    assert few.value.startswith(
        "F1: Un número pequeño de ejemplos decide la diferencia entre envío y alfa, línea base ("
    )
    assert same.value == "F1: envío y alfa tienen predicciones idénticas."


@pytest.mark.parametrize("name", ["spanish", "errors", "single_in_spanish"])
@pytest.mark.parametrize("code", OTHERS)
def test_what_is_english_on_another_page_is_marked(name: str, code: str) -> None:
    report = render.build(made.with_settings(made.FORMS[name](), language=code))
    page = render.page(report)
    body = page[page.index("<body>") :]
    said = html.unescape(re.sub(r'<(\w+)[^>]* lang="en">.*?</\1>', "", body, flags=re.S))
    translated = " ".join(load(code).catalog.gettext(text.one) for text in sentences(*_PAGES))
    for text in sentences(*_PAGES):
        longest = longest_part(text.one, "en") if not text.many and not text.context else ""
        if len(longest) > 8 and longest not in translated:
            assert longest not in said, text
    marked = Counter(re.findall(r'<(\w+)[^>]* lang="en">', body))
    sources = made.content(report, "method").blocks[-1].items
    metrics = len(made.FORMS[name]().evidence)
    assert marked == Counter(li=len(sources), p=metrics)


def test_a_spanish_page_says_its_notes_in_spanish() -> None:
    page = html.unescape(render.page(made.built(made.spanish())))
    assert "1 fila de celdas vacías" in page
    assert "Formato: 5 con una etiqueta por línea." in page
    assert "menos de 20: los intervalos" in page
    assert "<dd>predictions.csv: 1 identificador repetido</dd>" in page
    assert "las mismas razones en inglés" in page
    english = render.page(made.built(made.teams()))
    assert english.count('lang="en"') == 1


@pytest.mark.parametrize("code", languages())
@pytest.mark.parametrize("kind", ["ranking", "text", "spans", "resolved"])
def test_a_page_calls_examples_by_the_name_of_their_kind(code: str, kind: str) -> None:
    """With 60 of them, the page also warns and plans."""
    found = made.result(n=60, kind=kind, metrics=2, settings={"language": code})
    report = render.build(found)
    page = re.sub("<style>.*?</style>", "", render.page(report), flags=re.DOTALL)
    own, of_rows = (load(code, name).say("{things}") for name in (kind, "rows"))
    assert len(re.findall(rf"\b{own}\b", page)) >= 10
    assert not re.findall(rf"\b{of_rows.removesuffix('s')}s?\b", page, flags=re.IGNORECASE)


@pytest.mark.parametrize("code", languages())
def test_no_text_calls_all_kinds_of_examples_alike(code: str) -> None:
    language = load(code)
    of_rows = language.say("{thing}")
    # Competitions side by side may have examples of several kinds.
    several = {"Examples or units", "{count:n} test example", "{count:n} minority-class example"}
    for sentence in sentences(*_PAGES):
        if sentence.one not in several:
            said = re.sub(r"\{[\w:]+\}", "", language.catalog.gettext(sentence.one))
            found = re.search(rf"(?<!for )(?<!por )\b{of_rows}s?\b", said, re.IGNORECASE)
            assert not found, sentence


def test_warnings_call_examples_by_the_name_of_their_kind() -> None:
    (caution,) = json.loads(results_json(made.result(n=60, kind="ranking"), ""))["warnings"]
    assert caution["message"].startswith("Only 60 queries, fewer than 100: ")


@pytest.mark.parametrize("code", languages())
def test_words_that_the_style_sheet_writes_have_no_quotes(code: str) -> None:
    """A phone shows them before numbers that have lost the headings of their columns."""
    for word in map(load(code).say, ("Places", "Difference")):
        assert not set(word) & set('"\\')
