from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring_program import __version__
from scoring_program import report as render
from scoring_program.core import catalogs
from scoring_program.core.legible import legible
from scoring_program.core.phrases import Phrase
from scoring_program.core.templates import templates_folder
from scoring_program.document.html import page as written_page
from scoring_program.document.latex import latex_text
from scoring_program.document.shortening import broken, one_line
from scoring_program.document.take_away import (
    CellValue,
    ResultTable,
    TableColumn,
    cell,
    markdown_text,
    text_to_latex,
    text_to_markdown,
    to_csv,
    to_latex,
    to_markdown,
)
from scoring_program.inference.evidence import Caution
from scoring_program.metrics import REGISTRY
from scoring_program.report.findings import Findings
from tests.report import made
from tests.sweeps import swept

TABLE = ResultTable(
    name="example",
    caption="Scores & ranks.",
    columns=(
        TableColumn(("entry",), "Entry"),
        TableColumn(("score",), "F1", numeric=True),
        TableColumn(("ci_low", "ci_high"), "95% interval"),
    ),
    rows=((cell("a_b", strong=True), cell("0.72", 0.7154), cell("[0.70, 0.74]", 0.69911, 0.74)),),
    note="A note.",
)


def written(report: render.Document) -> dict[str, str]:
    return {**report.texts, **render.tables(report.tables)}


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def _of_phone(*names: str, words: Sequence[str] = ()) -> ResultTable:
    """Return a table of entries with two numbers, and with one of the words each if there are."""
    columns = [TableColumn(("entry",), "Entry"), TableColumn(("cost",), "Cost", numeric=True)]
    columns += [TableColumn(("score",), "Score", numeric=True)]
    columns += [TableColumn(("by",), "Ruled out by")] if words else []
    rows = []
    for place, name in enumerate(names):
        more = [cell(words[place])] if words else []
        rows.append((cell(name), cell("1,234.5"), cell("0.7154"), *more))
    return ResultTable("costs", "", tuple(columns), tuple(rows))


def test_a_phone_shows_a_small_table_as_it_is_and_stacks_a_wide_one() -> None:
    assert not _of_phone("NLPCIC", "CIMATMTYGTO").stacked
    assert _of_phone("NLPCIC", "Laboratorio de Procesamiento").stacked


def test_short_words_stand_among_the_numbers_of_a_phone() -> None:
    long = "Laboratorio de Procesamiento"
    short = _of_phone(long, long, words=("no", "possible"))
    assert (short.short_words, short.stacked, short.beside) == (frozenset({3}), True, 3)
    wordy = _of_phone(long, long, words=("no", long))
    assert (wordy.short_words, wordy.stacked, wordy.beside) == (frozenset(), True, 2)
    html = written_page(replace(render.build(made.result()), blocks=(short,)))
    assert html.count('<td role="cell" class="short">') == 2


def test_csv_has_full_numbers_one_to_a_column() -> None:
    assert read(to_csv(TABLE)) == [
        ["entry", "score", "ci_low", "ci_high"],
        ["a_b", "0.7154", "0.69911", "0.74"],
    ]


def test_latex_uses_booktabs_and_marks_the_leader() -> None:
    text = to_latex(TABLE)
    assert r"\textbf{a\_b} & 0.72 & {[}0.70, 0.74{]} \\" in text
    assert [rule for rule in (r"\toprule", r"\midrule", r"\bottomrule") if rule in text]
    assert r"\caption{Scores \& ranks. A note.}" in text
    assert r"\begin{tabular}{@{}lrl@{}}" in text


def test_latex_of_many_rows_goes_on_from_page_to_page() -> None:
    columns = TABLE.columns
    for rows, parts in ((40, 1), (41, 2), (81, 3)):
        text = to_latex(ResultTable("ranking", "All.", columns, TABLE.rows[:1] * rows))
        # Each part is a table of the same number, in columns, too, which have no longtable.
        assert text.count(r"\begin{table}") == text.count(r"\toprule") == parts
        assert text.count(r"\addtocounter{table}{-1}") == parts - 1
        assert text.count(r"\label") == 1
        assert text.count(r"0.72") == rows


def test_a_star_is_no_option_in_latex() -> None:
    columns = (TableColumn(("entry",), "Entry"), TableColumn(("score",), "Score", numeric=True))
    table = ResultTable("ranking", "All.", columns, ((cell("*one"), cell("0.5")),))
    assert "\n{}*one & 0.5 \\\\\n" in to_latex(table)


def test_digits_line_up_in_latex_whatever_marks_follow_them() -> None:
    columns = (TableColumn(("entry",), "Entry"), TableColumn(("one",), "1", numeric=True))
    rows = tuple((cell(f"A{text}"), cell(text)) for text in ("0.01", "0.02·", "0.30***", ""))
    lines = to_latex(ResultTable("pairs", "All pairs.", columns, rows)).splitlines()
    start = lines.index(r"\midrule") + 1
    assert lines[start : start + 4] == [
        r"A0.01 & 0.01\phantom{***} \\",
        r"A0.02$\cdot$ & 0.02$\cdot$\phantom{**} \\",
        r"A0.30*** & 0.30*** \\",
        r"A &  \\",
    ]


def test_markdown_is_a_pipe_table() -> None:
    lines = to_markdown(TABLE).splitlines()
    assert lines[2:5] == [
        "| Entry | F1 | 95% interval |",
        "| :--- | ---: | :--- |",
        r"| **a\_b** | 0.72 | \[0.70, 0.74\] |",
    ]


@pytest.mark.parametrize(
    "formula", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1+1"]
)
def test_a_formula_is_a_text_to_spreadsheets(formula: str) -> None:
    table = ResultTable("t", "", (TableColumn(("entry",), "Entry"),), ((cell(formula),),))
    assert read(to_csv(table))[1][0].startswith("'")


def test_a_negative_number_is_still_a_number() -> None:
    table = ResultTable(
        "t", "", (TableColumn(("d",), "d"),), ((cell("−0.5", -0.5),), (cell("–", None),))
    )
    assert read(to_csv(table)) == [["d"], ["-0.5"], [""]]


def test_latex_specials_are_escaped() -> None:
    assert latex_text(r"50% of_$\TeX{} & #1 ~^") == (
        r"50\% of\_\$\textbackslash{}TeX\{\} \& \#1 \textasciitilde{}\textasciicircum{}"
    )
    assert latex_text("−0.1 ≥ δ†") == r"$-$0.1 $\ge$ $\delta$\dag{}"
    spelled = (rf"\textless{{}}U+{code}\textgreater{{}}" for code in ("0000", "202E"))
    assert latex_text("a\nb\x00c\u202ed") == "a b{}c{}d".format(*spelled)
    assert latex_text("a\u2068b\u2069") == "ab"  # our own isolates


def test_markdown_specials_are_escaped() -> None:
    assert markdown_text("a|b*c_d`e`<b>&") == r"a\|b\*c\_d\`e\`&lt;b&gt;&amp;"
    assert markdown_text("[x](y)") == r"\[x\](y)"
    assert markdown_text("a\nb") == "a b"


@pytest.mark.parametrize(
    ("name", "written_as"),
    [
        ("[x](http://a.b)", r"\[x\](http<!-- -->://a.b)"),
        ("WWW.a.b", "WWW<!-- -->.a.b"),
        ("me@a.b", "me@<!-- -->a.b"),
        ("@somebody", "@<!-- -->somebody"),
        ("org/repo#12", r"org/repo\#<!-- -->12"),
        ("gh-12", "gh-<!-- -->12"),
        ("!1 $2 %3 ~bug", r"\!<!-- -->1 \$<!-- -->2 %<!-- -->3 \~<!-- -->bug"),
        ("<img src=x>", "&lt;img src=x&gt;"),
        ("C# at 95%, no. 3", r"C\# at 95%, no. 3"),
    ],
)
def test_no_name_becomes_a_link_or_a_mention(name: str, written_as: str) -> None:
    """Sites make them of the text, so that no escape of Markdown would help."""
    assert markdown_text(name) == written_as


NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@given(NAMES)
def test_any_name_is_one_harmless_field_of_csv(name: str) -> None:
    table = ResultTable("t", "", (TableColumn(("entry",), "Entry"), TableColumn(("x",), "x")), ())
    rows = read(to_csv(replace(table, rows=((cell(name), cell("1", 1)),))))
    assert rows[1][1] == "1"
    line = " ".join(name.split())  # machines get no spaces but ASCII's
    assert rows[1][0] in (one_line(line), f"'{one_line(line)}")
    assert not rows[1][0].startswith(("=", "+", "-", "@"))


def test_numbers_are_whole_in_every_text() -> None:
    """No line of a figure, a slide or a paper ends within a number."""
    text = "el 95\u202f% de 12\u202f345"
    assert broken(text, 6, 4) == ["el", "95\u202f%", "de", "12\u202f345"]
    assert latex_text(text) == r"el 95\,\% de 12\,345"
    assert latex_text("≤\u00a01") == r"$\le$~1"
    assert markdown_text(text) == text


@given(NAMES)
def test_any_name_is_text_in_latex(name: str) -> None:
    text = latex_text(name.replace("\N{NO-BREAK SPACE}", " "))
    assert "\n" not in text
    commands = r"\\text[a-z]+\{\}|\\dots\{\}|\\dag\{\}|\\[{}$&#%_,]|\{[][]\}"
    bare = re.sub(commands, "", text)
    bare = re.sub(r"\$(-|\\[a-z]+)\$", "", bare)
    assert not set(bare) & set("\\{}$&#%_^~")


@given(NAMES)
def test_any_name_is_one_cell_in_markdown(name: str) -> None:
    text = markdown_text(name)
    assert "\n" not in text
    unescaped = re.sub(r"\\.|<!-- -->", "", text)
    assert not set(unescaped) & set("|<>`*[]#~$")
    assert not re.search(r"://|www\.|@\w|[#!]\d", text, re.IGNORECASE)


def test_hostile_names_are_text_in_every_table() -> None:
    files = render.tables(made.built(made.hostile()).tables)
    names = read(files["ranking.csv"])[1:]
    for row, name in zip(names, made.HOSTILE, strict=True):
        shown = legible(" ".join(name.split()))
        assert row[1] == (f"'{shown}" if shown.startswith("=") else shown)
    for name, content in files.items():
        if name.endswith(".tex"):
            body = content.split(r"\midrule")[1].split(r"\bottomrule")[0]
            assert body.count("{") == body.count("}")
            columns = content.split("@{}")[1]
            unescaped = body.replace(r"\&", "")
            for line in unescaped.strip().splitlines():
                assert line.count("&") == len(columns) - 1
        if name.endswith(".md"):
            assert "<" not in content.replace("<!-- -->", "")
            table = [line for line in content.splitlines() if line.startswith("| ")]
            bars = {line.replace(r"\|", "").count("|") for line in table}
            assert len(bars) == 1


def test_the_documented_files_are_there() -> None:
    files = render.tables(made.built(made.teams()).tables)
    for table in ("ranking", "differences", "pairwise", "competitiveness"):
        assert {f"{table}.csv", f"{table}.tex", f"{table}.md"} <= set(files)
    assert "ranking_metric_1.csv" in files


def test_a_text_is_its_escaped_paragraphs() -> None:
    text = (("Method", "a_b leads, 95% sure."), ("Results", "<b> & *c*."))
    latex, markdown = text_to_latex(text), text_to_markdown(text)
    assert latex.startswith("% Needs ")
    body = (
        "\n\\paragraph{Method.} a\\_b leads, 95\\% sure.\n\n"
        "\\paragraph{Results.} \\textless{}b\\textgreater{} \\& *c*.\n"
    )
    assert latex.endswith(rf"\begin{{sloppypar}}{body}\end{{sloppypar}}" + "\n")
    assert markdown == (
        "**Method.** a\\_b leads, 95% sure.\n\n**Results.** &lt;b&gt; &amp; \\*c\\*.\n"
    )


@pytest.mark.parametrize("language", ["en", "es", "pt"])
def test_the_paragraphs_of_the_page_are_a_file_too(language: str) -> None:
    page = made.result(made.F1[:3], ("a_b", "c%d", "e"), settings={"language": language})
    report = render.build(page)
    files, blocks = written(report), made.content(report, "paper").blocks
    quoted = [block.text for block in blocks if block.style == "quote"]
    assert len(quoted) == 3  # the method, the results and the limitations
    assert "a_b" in quoted[1]
    paragraphs = files["paper.md"].rstrip().split("\n\n")
    assert [said.partition(".** ")[2] for said in paragraphs] == list(map(markdown_text, quoted))
    sentences = re.split(r"(?<=\.) (?=[A-Z])", " ".join(quoted))
    assert len(sentences) == len(set(sentences))
    body = "".join(line for line in files["paper.tex"].splitlines() if not line.startswith("%"))
    assert r"a\_b" in body
    assert (r"95\,\%" if language == "es" else r"95\%") in body
    assert not re.search(r"(?<!\\)[%_&]", body)


def test_serious_cautions_follow_the_paragraph_of_the_file() -> None:
    page = made.teams()
    (first, *others) = page.evidence
    for level, follows in (("amber", False), ("red", True)):
        caution = Caution(level, "few_examples", 60, Phrase("Only {count:n} {things}.", count=60))
        report = render.build(
            replace(page, evidence=(replace(first, cautions=(caution,)), *others))
        )
        (said,) = made.content(report, "cautions").blocks[-1].items
        assert "60" in said.value
        assert (markdown_text(said.value) in written(report)["paper.md"]) == follows


@pytest.mark.parametrize("form", [made.single, made.field, made.scores_only])
def test_a_single_submission_has_no_paragraph(form: Callable[[], Findings]) -> None:
    assert not made.built(form()).texts


def test_all_pairs_are_a_list_for_machines() -> None:
    page = made.many()
    rows = read(render.tables(render.build(page).tables)["pairwise.csv"])
    assert rows[0][:3] == ["better", "worse", "difference"]
    assert len(rows) == 1 + 134 * 133 // 2


def test_csv_writes_numbers_alike_whatever_else_their_column_holds() -> None:
    numbers = (0.5, math.nan, 1e-7, -0.0, 1234567890.123)
    alone: tuple[CellValue, ...] = ("value", *numbers)
    beside = (*alone, None, 3, "=1")
    columns = (TableColumn(("value",), "Value"),)
    texts = []
    for column in (alone, beside):
        table = replace(TABLE, columns=columns, rows=(), records=(column,))
        texts.append(to_csv(table).splitlines())
    assert texts[0] == ["value", "0.5", '""', "1e-07", "-0", "1234567890"]
    assert texts[1] == [*texts[0], '""', "3", "'=1"]


def latin() -> Findings:
    """The hostile names that pdfLaTeX has letters for."""
    names = tuple(name for name in made.HOSTILE if name.isascii())
    return made.result(made.F1[: len(names)], names)


def greek() -> Findings:
    """Names and a metric with Greek letters, which pdfLaTeX has in formulas alone."""
    return made.result(made.F1, ("Ω-team", "αβγ", *made.TEAMS[2:]))


def wide_names() -> Findings:
    """Names that fill a column, with and without a place to break them."""
    name = "Laboratorio de Procesamiento de Lenguaje Natural de la Universidad"
    return made.result(made.F1, (name, "W" * 60, "under_score" * 5, *made.TEAMS[3:]))


#: What T1 and TS1 have besides letters of formulas; \\x04 parts the context from a message.
LETTERS_OF_PDFLATEX = {*map(chr, range(0xA1, 0x180))}
#: The width of a column and of a page, in inches, and the columns of a page.
VENUES = {
    "ACL": (3.03, 6.3),
    "IEEE": (3.33, 6.9),
    "LNCS": (4.8, 4.8),
    "CEUR": (6.3, 6.3),
}
#: Says how wide a table is by itself, and how wide its column is, before it is scaled.
MEASURE = r"""\let\scaled\resizebox\newsavebox\measured
\renewcommand\resizebox[3]{\savebox\measured{#3}%
\typeout{MEASURED \the\wd\measured\space \the\linewidth}\scaled{#1}{#2}{#3}}"""
FORMS = (
    made.teams, latin, greek, wide_names, made.many, made.long_names, made.spanish, made.tasks,
    made.eight_metrics, made.slices, made.baselines, made.usage,
)  # fmt: skip


@pytest.mark.parametrize("venue", swept(VENUES))
@pytest.mark.parametrize("form", FORMS)
def test_latex_fits_the_columns_of_papers(
    form: Callable[[], Findings], venue: str, tmp_path: Path
) -> None:
    """Nothing stands in letters of less than seven points; a table is set in nine."""
    import shutil
    import subprocess

    if shutil.which("pdflatex") is None:
        pytest.skip("no pdflatex on this machine (Debian: apt install texlive-latex-recommended)")
    files = written(made.built(form()))
    for name, content in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    inputs = "".join(rf"\input{{{name}}}\clearpage" for name in files if name.endswith(".tex"))
    column, page = VENUES[venue]
    two = "twocolumn" if column < page else "onecolumn"
    (tmp_path / "all.tex").write_text(
        rf"\documentclass[{two}]{{article}}\usepackage[T1]{{fontenc}}"
        r"\usepackage{textcomp,booktabs,graphicx}"
        rf"\setlength\textwidth{{{page}in}}\setlength\columnsep{{{page - 2 * column}in}}"
        rf"{MEASURE}\begin{{document}}{inputs}\bibliographystyle{{plain}}\bibliography{{paper}}"
        r"\end{document}",
        encoding="utf-8",
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    said = done.stdout.decode("latin-1")
    assert done.returncode == 0, said[-2000:]
    assert "Overfull" not in said
    measured = re.findall(r"MEASURED ([\d.]+)pt ([\d.]+)pt", said)
    assert measured
    smallest = min(9 * min(1, float(room) / float(width)) for width, room in measured)
    assert smallest >= 7


def test_the_bibliography_works_with_plain_styles(tmp_path: Path) -> None:
    """plain.bst knows neither @software nor url."""
    import shutil
    import subprocess

    if shutil.which("bibtex") is None:
        pytest.skip("no bibtex on this machine (Debian: apt install texlive-binaries)")
    files = written(made.built(made.teams()))
    for name in ("paper.tex", "paper.bib"):
        (tmp_path / name).write_text(files[name], encoding="utf-8")
    (tmp_path / "all.aux").write_text(
        r"\citation{*}" + "\n" r"\bibstyle{plain}" + "\n" r"\bibdata{paper}" + "\n"
    )
    done = subprocess.run(
        ["bibtex", "all"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert "Warning" not in done.stdout.replace("to sort, need", "")
    entry = (tmp_path / "all.bbl").read_text(encoding="utf-8").replace("\n", " ")
    assert f"version {__version__}" in entry
    assert "pypi.org/project/deadheat" in entry.replace(r"{\allowbreak}", "")


def test_the_ranking_of_a_paper_has_five_columns_whole_names_and_marks() -> None:
    name = "Laboratorio de Procesamiento de Lenguaje Natural"
    files = written(render.build(made.result(names=(name, *made.TEAMS[1:]))))
    assert name in files["ranking.csv"]
    text = files["ranking.tex"]
    assert r"\begin{tabular}{@{}rlrlr@{}}" in text
    assert r"Rank & Entry & F1 & 95\% interval & Places \\" in text
    assert rf"{{\raggedright \textbf{{{name}\dag{{}}}}\strut}}" in text
    assert r"\dag{} marks the possible winners; the leader is bold." in text
    assert rf"**{name}†**" in files["ranking.md"]
    assert "†" not in files["ranking.csv"]


@pytest.mark.parametrize("language", catalogs.languages())
def test_latex_has_every_letter_of_the_programs_own_words(language: str) -> None:
    """Whatever pdfLaTeX has no letter for is written as a formula or a command."""
    said = {definition.label for definition in REGISTRY.values()}
    if language != "en":
        entries = catalogs.entries(templates_folder() / "language" / f"{language}.po")
        for key, texts in entries.items():
            said |= {key, *texts}
    strange = {
        char
        for text in said
        for char in latex_text(text)
        if not char.isascii() and char not in LETTERS_OF_PDFLATEX
    }
    assert strange == set()


def test_the_paper_cites_from_its_bibliography() -> None:
    files = written(made.built(made.teams()))
    cited = set(re.findall(r"~\\cite{(\w+)}", files["paper.tex"]))
    assert cited == {"efron1994", "mogstad2024", "deadheat"}
    entries = dict(re.findall(r"@\w+{(\w+),(.*?)\n}", files["paper.bib"], re.S))
    assert cited <= set(entries)
    assert all("author = {" in entry and "year = {" in entry for entry in entries.values())
    assert "(Efron and Tibshirani, 1994)" in re.sub(r"\\(.)", r"\1", files["paper.md"])


def test_a_phone_stacks_numbers_below_names_but_does_not_pile_up_words() -> None:
    def of(words: int, numbers: int) -> ResultTable:
        kinds = [False] * words + [True] * numbers
        columns = tuple(TableColumn((str(k),), "", numeric=kind) for k, kind in enumerate(kinds))
        row = [cell("a text that fills a line") for _ in columns]
        return ResultTable("made", "", columns, (tuple(row),))

    assert of(2, 3).stacked
    assert of(2, 3).beside == 3
    assert not of(3, 1).stacked
    assert not of(1, 8).stacked
    assert of(1, 8).beside == 5
