"""Every name beside or in a figure is whole, however long it is, and lies on no other."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from xml.etree import ElementTree

import pytest

from scoring_program import report as render
from scoring_program.announcing.materials import files
from scoring_program.announcing.record import AnnouncedResults
from scoring_program.document.blocks import Picture, every
from scoring_program.document.figures.forest import NARROW_AREA, WIDE_AREA, scatter, slopes
from scoring_program.document.marks import LETTER, Drawing, Mark, Plotted
from scoring_program.document.shortening import NAME_LETTERS, in_lines, letters_of, room_of, whole
from scoring_program.report.findings import Findings
from scoring_program.report.results_json import results_json
from tests.report import kinds, made
from tests.report.drawn import marks, number, said

#: Names of up to 200 letters, some of one word, of wide letters, and of other scripts.
NAMES = (
    "gpt-oss-120b_reasoning-high_temperature-0.7_self-consistency-40_retrieval-bm25+colbertv2_"
    "reranker-monot5-3b_prompt-v17.3_seed-1234",
    "The combined research laboratory for retrieval, generation and evaluation of large language "
    "models at the faculty of engineering and applied computer science, the second team of the "
    "autumn term, its last run",
    "清华大学自然语言处理与社会人文计算实验室联合北京智源人工智能研究院大模型评测团队第二小组",
    "مختبر معالجة اللغة الطبيعية في جامعة الملك عبد العزيز فريق التقييم الثاني",
    "X" * 64 + "abcdefghij" * 6,
    "WWWWMMMM WWWWMMMMWWWW MWMWMW@@@@@@%%%%%% WWWWWWWWWWWWWWWWWW",
    "Universidade_Federal_do_Rio_Grande-do-Sul_equipe_linguagem_2",
    "Laboratorio de Linguagem Natur",
    "Ten-Letter",
    "alpha",
)  # fmt: skip


def renamed(page: Findings) -> Findings:
    """Return a competition whose entries have the long names."""
    name_of = dict(zip(page.names, NAMES, strict=False))
    evidence = tuple(
        replace(one, names=tuple(name_of[name] for name in one.names)) for one in page.evidence
    )
    named = replace(page, names=tuple(name_of.values()), evidence=evidence)
    costs = page.settings.costs
    if isinstance(costs, Mapping):
        named = made.with_settings(named, costs={name_of[name]: costs[name] for name in costs})
    return named


def with_costs() -> Findings:
    """Costs, prizes, slices, and a trade-off."""
    return renamed(kinds.asked())


def many() -> Findings:
    """More entries than a picture has rows for, of which the first have the long names."""
    scores, names = made.graded(40)
    return made.result(scores, (*NAMES, *names[len(NAMES) :]))


PAGES: dict[str, Callable[[], Findings]] = {
    "teams": lambda: made.result(names=NAMES, metrics=2),
    "public and private rows": lambda: renamed(made.usage()),
    "tasks": lambda: renamed(made.tasks()),
    "costs and slices": with_costs,
    "cases": lambda: renamed(kinds.score_table()),
    "judge and people": lambda: renamed(made.judge_and_people()),
    "many": many,
}


@cache
def drawings(page: str) -> dict[str, Drawing]:
    """Return every figure of a page, those that it shows and those of the files."""
    report = render.build(PAGES[page]())
    found = dict(report.figures)
    for picture in every(report.blocks, Picture):
        for drawing in (picture.figure, picture.narrow):
            if isinstance(drawing, Drawing):
                found[drawing.id] = drawing
    return found


def figures() -> Iterator[tuple[str, str, Drawing]]:
    for page in PAGES:
        for name, drawing in drawings(page).items():
            yield page, name, drawing


def squeezed(text: str) -> str:
    """Return a text as lines that follow each other hold it: without spaces and isolates."""
    return re.sub(r"\s", "", unisolated(text))


def unisolated(text: str) -> str:
    return re.sub(r"[\u2068\u2069]", "", text)


def words(drawing: Drawing) -> str:
    legend = "".join(key.text for key in drawing.legend)
    texts = "".join(said(text) for text in marks(drawing, tag="text"))
    return squeezed(drawing.title + legend + texts)


def test_the_pages_have_every_kind_of_figure() -> None:
    """A kind of figure that is not here is not looked at."""
    names = {re.sub(r"[\d_-]+", " ", name).strip() for _, name, _ in figures()}
    assert {
        "intervals", "rank ranges", "pairs", "rank frequencies", "trade off", "costs", "tasks",
        "slices", "cases", "shake up", "shake up places", "photo finish column", "differences",
    } <= names  # fmt: skip
    assert any(name.startswith("people-") for _, name, _ in figures())
    assert any(name.endswith("-narrow") for _, name, _ in figures())


def test_every_name_is_whole_in_every_figure() -> None:
    for page, figure, drawing in figures():
        if figure == "card":
            continue
        drawn = words(drawing)
        assert "…" not in drawn, (page, figure)
        for name in NAMES:
            beginning = squeezed(name)[:8]
            assert beginning not in drawn or squeezed(name) in drawn, (page, figure, name)


@pytest.mark.parametrize("figure", ["intervals", "rank_ranges", "pairs", "rank_frequencies"])
def test_a_figure_with_a_row_for_each_entry_has_every_name(figure: str) -> None:
    drawn = words(drawings("teams")[figure])
    assert all(squeezed(name) in drawn for name in NAMES)


@pytest.mark.parametrize(
    ("page", "figure"),
    [("teams", "trade_off"), ("teams", "trade-off-scores-narrow"), ("costs and slices", "costs"),
     ("costs and slices", "costs-scores-narrow")],
)  # fmt: skip
def test_a_scatter_has_every_name_as_a_label_or_in_its_key(page: str, figure: str) -> None:
    drawing = drawings(page)[figure]
    drawn = words(drawing)
    assert all(squeezed(name) in drawn for name in NAMES)
    numbers = [said(label) for label in marks(drawing, "called") if said(label).isdigit()]
    assert len(numbers) == len(set(numbers)) >= 6  # of names of more lines than two
    explained = [said(text) for text in marks(drawing, "start") if said(text).isdigit()]
    assert sorted(numbers, key=int) == explained
    lowest = max(number(text, "y") for text in marks(drawing, "start"))
    assert lowest < drawing.height


def room(mark: Mark) -> tuple[float, float, float, float]:
    """Return the left, the top, the right and the bottom of a label beside a point."""
    words = unisolated(said(mark))
    wide = LETTER * (letters_of(words) + 0.4 * sum(map(str.isupper, words))) + 4
    x = number(mark, "x")
    anchor = str(mark.attributes["text-anchor"])
    left = {"start": x, "middle": x - wide / 2, "end": x - wide}[anchor]
    return left, number(mark, "y") - 11, left + wide, number(mark, "y") + 3


def test_no_label_of_a_scatter_lies_on_another() -> None:
    looked_at = 0
    for page, figure, drawing in figures():
        labels = marks(drawing, "called")
        for first, second in itertools.combinations(map(room, labels), 2):
            beside = first[2] <= second[0] or second[2] <= first[0]
            # Coordinates are rounded to a hundredth.
            below = first[3] <= second[1] + 0.03 or second[3] <= first[1] + 0.03
            assert beside or below, (page, figure)
            looked_at += 1
    assert looked_at > 50


def rows_of_text(drawing: Drawing) -> dict[float, list[tuple[float, bool]]]:
    """Return the baselines of names by where they end, and whether their letters are small."""
    baselines: dict[float, list[tuple[float, bool]]] = {}
    for text in marks(drawing, tag="text"):
        kind = str(text.attributes.get("class", "")).split()
        if "name" in kind and "tick" not in kind:
            at = (number(text, "y"), "small" in kind)
            baselines.setdefault(number(text, "x"), []).append(at)
    return baselines


def test_no_line_of_a_name_lies_on_another() -> None:
    for page, figure, drawing in figures():
        for baselines in rows_of_text(drawing).values():
            in_points = drawing.unit == "pt"
            for (first, _), (second, small) in itertools.pairwise(sorted(baselines)):
                least = 8.0 if in_points else 10.0 if small else 12.0
                assert second - first >= least - 0.01, (page, figure)
            assert min(baselines)[0] > 0
            assert max(baselines)[0] < drawing.height


def test_no_name_leaves_its_figure_at_the_left() -> None:
    for _, _, drawing in figures():
        for text in marks(drawing, "name") + marks(drawing, "name small"):
            smaller = 10 / 12 if text.attributes["class"] == "name small" else 1.0
            if not drawing.unit:
                assert number(text, "x") >= smaller * room_of([unisolated(said(text))])


@pytest.mark.parametrize("name", NAMES)
def test_a_phone_shows_the_whole_name_beside_a_slope(name: str) -> None:
    rank = (-1.0, -1.0, -1.0)
    entries = [Plotted(name, (rank, rank), "behind", ("0.7154", "0.6999"))] * 2
    figure = slopes(Drawing("a", "a", "a"), ("public", "private"), entries, narrow=True)
    assert words(figure).count(squeezed(name)) == 2
    scored = [said(text) for text in marks(figure, tag="text") if "0.6999" in said(text)]
    assert all(text.startswith("0.6999") for text in scored)
    assert len(scored) == 2
    labels = [text for text in marks(figure, tag="text") if text.attributes.get("text-anchor")]
    for label in labels:
        (left, _, right, _) = room(label)
        assert left >= 0
        assert right <= figure.width + 0.01
    lines = [number(label, "y") for label in labels if label.attributes["text-anchor"] == "start"]
    assert all(below - above >= 12 for above, below in itertools.pairwise(lines))
    assert max(lines) < figure.height


def test_the_first_names_are_whole_on_the_card() -> None:
    for first in NAMES:
        names = (first, *(name for name in NAMES if name != first))
        card = render.build(made.result(names=names, settings={"prizes": 3})).card
        assert card is not None
        entries = [text for text in marks(card, tag="text") if _is_entry(text)]
        drawn = squeezed("".join(map(said, entries)))
        assert squeezed(first) in drawn
        for name in names:
            assert squeezed(name)[:8] not in drawn or squeezed(name) in drawn
        source = number(marks(card, "column")[-1], "y")
        note = number(marks(card, "column")[-2], "y")
        assert max(number(text, "y") for text in entries) + 20 <= note
        assert note + 20 <= source
        baselines = sorted(number(text, "y") for text in entries)
        assert all(below - above >= 20 for above, below in itertools.pairwise(baselines))


def _is_entry(text: Mark) -> bool:
    kind = str(text.attributes.get("class", "")).split()
    return "entry" in kind and "number" not in kind


@pytest.mark.parametrize("first", [0, 1, 2, 5])
def test_the_first_names_are_whole_on_the_slide_and_all_in_the_widget(first: int) -> None:
    names = (*NAMES[first:], *NAMES[:first])
    page = made.result(names=names, settings={"prizes": 3})
    written = files(AnnouncedResults(json.loads(results_json(page, "")), "en"))
    root = ElementTree.fromstring(written["slide.svg"])
    texts = list(root.iter("{http://www.w3.org/2000/svg}text"))
    of_entries = [
        text for text in texts if text.get("class", "").split() in (["entry"], ["entry", "long"])
    ]
    drawn = squeezed("".join(text.text or "" for text in of_entries))
    assert squeezed(names[0]) in drawn
    for name in names:
        assert squeezed(name)[:8] not in drawn or squeezed(name) in drawn
    baselines = sorted(float(text.get("y", "nan")) for text in of_entries)
    assert all(below - above >= 26 for above, below in itertools.pairwise(baselines))
    assert baselines[-1] < 770
    shown = squeezed(written["widget.html"])
    assert all(squeezed(name) in shown for name in names)


def test_a_figure_of_short_names_has_no_key_of_numbers() -> None:
    """Of labels without room, the later ones are left out."""
    spans = ((0.1, 0.2, 0.3),) * 2
    entries = [Plotted(f"team {k}", spans, "behind", ("a",), focus=True) for k in range(200)]
    axis = "scores", True, lambda value, decimals: f"{value:.{decimals}f}"
    for area in (WIDE_AREA, NARROW_AREA):
        drawn = scatter(Drawing("a", "a", "a"), axis, axis, entries, area=area)
        assert drawn.height == area.size[1]
        assert 0 < len(marks(drawn, "called")) < 200


@pytest.mark.parametrize("letters", [8, 16, NAME_LETTERS])
def test_lines_hold_whole_names_and_are_as_narrow_as_asked(letters: int) -> None:
    for name, lines in zip(NAMES, in_lines(NAMES, letters), strict=True):
        assert squeezed("".join(lines)) == squeezed(name)
        assert room_of(lines) <= 8 * letters
        assert all(lines)


def test_a_name_goes_on_after_a_space_or_a_joint() -> None:
    assert in_lines(["one/two-three_four five and six of the seventh"], 16) == [
        ["one/two-three_", "four five and", "six of the", "seventh"]
    ]
    assert in_lines(["abcdefgh" * 3], 10) == [["abcdefghab", "cdefghabcd", "efgh"]]


def test_a_mark_stays_with_its_letter() -> None:
    (lines,) = in_lines(["नि" * 20], 9)
    assert all(line.startswith("न") for line in lines)


@pytest.mark.parametrize("names", [["a\nb", "a b"], ["x" * 24 + " y", "x" * 24 + "y"]])
def test_names_that_would_look_alike_are_numbered(names: Sequence[str]) -> None:
    lines = in_lines(names)
    assert lines[0] != lines[1]
    if "\n" in names[0]:
        assert whole(names) == ["a b #1", "a b #2"]


TITLE = "Task 8: multigenerator, multidomain and multilingual detection of texts made by machines"


@pytest.mark.parametrize("language", ["en", "es", "pt"])
def test_no_heading_and_no_note_of_the_card_and_the_slide_is_cut(language: str) -> None:
    """Long labels of metrics and long titles go on in further lines, in every language."""
    label = "quality of the answers as two doctors judge, of all classes"
    page = made.result(settings={"title": TITLE, "language": language, "prizes": 3})
    metric = replace(page.evidence[0].metric, label=label)
    page = replace(page, evidence=(replace(page.evidence[0], metric=metric),))
    card = render.build(page).card
    assert card is not None
    texts = marks(card, tag="text")
    drawn = squeezed("".join(map(said, texts)))
    assert "…" not in drawn
    assert drawn.count(squeezed(label)) >= 2
    assert squeezed(TITLE) in drawn
    heights = [number(text, "y") for text in marks(card, "column") if number(text, "y") > 300]
    assert all(below - above >= 20 for above, below in itertools.pairwise(heights))
    assert heights[-1] == 604
    slide = files(AnnouncedResults(json.loads(results_json(page, "")), language))["slide.svg"]
    lines = [text.text or "" for text in ElementTree.fromstring(slide).iter() if text.text]
    on_slide = squeezed("".join(lines))
    assert "…" not in on_slide
    assert squeezed(TITLE) in on_slide.replace(squeezed(TITLE), "", 1)
