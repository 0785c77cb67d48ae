from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring_program import report as render
from scoring_program.inference import Findings
from scoring_program.inference.analysis import Caution
from scoring_program.report.tables import (
    ResultTable,
    ResultText,
    TableColumn,
    cell,
    latex_text,
    markdown_text,
    one_line,
    text_to_latex,
    text_to_markdown,
    to_csv,
    to_latex,
    to_markdown,
)
from tests.report import made

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


def written(report: render.Report) -> dict[str, str]:
    return render.tables(report.tables, report.texts)


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


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
    for rows, long in ((30, False), (31, True)):
        text = to_latex(ResultTable("ranking", "All.", columns, TABLE.rows[:1] * rows))
        assert (r"\begin{longtable}" in text) == (r"\endhead" in text) == long
        assert (r"\begin{table}" in text) != long
        assert text.count(r"0.72") == rows


def test_a_star_is_no_option_in_latex() -> None:
    columns = (TableColumn(("entry",), "Entry"), TableColumn(("score",), "Score", numeric=True))
    table = ResultTable("ranking", "All.", columns, ((cell("*one"), cell("0.5")),))
    assert "\n{}*one & 0.5 \\\\\n" in to_latex(table)


def test_digits_line_up_in_latex_whatever_marks_follow_them() -> None:
    columns = (TableColumn(("entry",), "Entry"), TableColumn(("one",), "1", numeric=True))
    rows = tuple((cell(f"A{text}"), cell(text)) for text in ("0.01", "0.02†", "0.30***", ""))
    lines = to_latex(ResultTable("pairs", "All pairs.", columns, rows)).splitlines()
    assert lines[10:14] == [
        r"A0.01 & 0.01\phantom{***} \\",
        r"A0.02\dag{} & 0.02\dag{}\phantom{**} \\",
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
    assert latex_text("a\nb\x00c\u202ed") == "a b cd"


def test_markdown_specials_are_escaped() -> None:
    assert markdown_text("a|b*c_d`e`<b>&") == r"a\|b\*c\_d\`e\`&lt;b&gt;&amp;"
    assert markdown_text("[x](y)") == r"\[x\](y)"
    assert markdown_text("a\nb") == "a b"


NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@given(NAMES)
def test_any_name_is_one_harmless_field_of_csv(name: str) -> None:
    table = ResultTable("t", "", (TableColumn(("entry",), "Entry"), TableColumn(("x",), "x")), ())
    rows = read(to_csv(replace(table, rows=((cell(name), cell("1", 1)),))))
    assert rows[1][1] == "1"
    assert rows[1][0] in (one_line(name), f"'{one_line(name)}")
    assert not rows[1][0].startswith(("=", "+", "-", "@"))


@given(NAMES)
def test_any_name_is_text_in_latex(name: str) -> None:
    text = latex_text(name)
    assert "\n" not in text
    bare = re.sub(r"\\text[a-z]+\{\}|\\dots\{\}|\\dag\{\}|\\[{}$&#%_]|\{[][]\}", "", text)
    bare = re.sub(r"\$(-|\\[a-z]+)\$", "", bare)
    assert not set(bare) & set("\\{}$&#%_^~")


@given(NAMES)
def test_any_name_is_one_cell_in_markdown(name: str) -> None:
    text = markdown_text(name)
    assert "\n" not in text
    unescaped = re.sub(r"\\.", "", text)
    assert not set(unescaped) & set("|<>`*[]#~$")


def test_hostile_names_are_text_in_every_table() -> None:
    files = render.tables(render.build(made.hostile()).tables)
    names = read(files["ranking.csv"])[1:]
    for row, name in zip(names, made.HOSTILE, strict=True):
        shown = " ".join(name.split())
        assert row[1] == (f"'{shown}" if shown.startswith("=") else shown)
    for name, content in files.items():
        if name.endswith(".tex") and name != "all.tex":
            body = content.split(r"\midrule")[1].split(r"\bottomrule")[0]
            assert body.count("{") == body.count("}")
            columns = content.split("@{}")[1]
            unescaped = body.replace(r"\&", "")
            for line in unescaped.strip().splitlines():
                assert line.count("&") == len(columns) - 1
        if name.endswith(".md"):
            assert "<" not in content
            table = [line for line in content.splitlines() if line.startswith("| ")]
            bars = {line.replace(r"\|", "").count("|") for line in table}
            assert len(bars) == 1


def test_the_documented_files_are_there() -> None:
    files = render.tables(render.build(made.teams()).tables)
    for table in ("ranking", "differences", "pairwise", "competitiveness"):
        assert {f"{table}.csv", f"{table}.tex", f"{table}.md"} <= set(files)
    assert "ranking_metric_1.csv" in files
    assert r"\input{ranking_metric_1}" in files["all.tex"]


def test_a_text_is_its_escaped_paragraphs() -> None:
    text = ResultText("paper", ("a_b leads, 95% sure.", "<b> & *c*."))
    latex, markdown = text_to_latex(text), text_to_markdown(text)
    assert latex.startswith("% Needs ")
    assert latex.endswith("\na\\_b leads, 95\\% sure.\n\n\\textless{}b\\textgreater{} \\& *c*.\n")
    assert markdown == "a\\_b leads, 95% sure.\n\n&lt;b&gt; &amp; \\*c\\*.\n"


@pytest.mark.parametrize("language", ["en", "es", "pt"])
def test_the_paragraph_of_the_page_is_a_file_too(language: str) -> None:
    page = made.result(made.F1[:3], ("a_b", "c%d", "e"), settings={"language": language})
    report = render.build(page)
    files, content = written(report), made.content(report, "paper")
    paragraphs = [content.winners, content.text] if content.winners else [content.text]
    assert "a_b" in content.text
    assert files["paper.md"].split("\n\n") == [
        *map(markdown_text, paragraphs[:-1]),
        markdown_text(content.text) + "\n",
    ]
    body = "".join(line for line in files["paper.tex"].splitlines() if not line.startswith("%"))
    assert r"a\_b" in body
    assert r"95\%" in body
    assert not re.search(r"(?<!\\)[%_&]", body)
    assert r"\input{paper}" in files["all.tex"]


def test_serious_cautions_follow_the_paragraph_of_the_file() -> None:
    page = made.teams()
    (first, *others) = page.analyses
    for level, follows in (("amber", False), ("red", True)):
        caution = Caution(level, "few_examples", 60, {"count": 60, "limit": 100})
        report = render.build(
            replace(page, analyses=(replace(first, cautions=(caution,)), *others))
        )
        (message,) = [said.message for said in made.content(report, "cautions")]
        assert "60" in message
        assert (markdown_text(message) in written(report)["paper.md"]) == follows


@pytest.mark.parametrize("form", [made.single, made.field, made.scores_only])
def test_a_single_submission_has_no_paragraph(form: Callable[[], Findings]) -> None:
    assert not render.build(form()).texts


def test_all_pairs_are_a_list_for_machines() -> None:
    page = made.many()
    rows = read(render.tables(render.build(page).tables)["pairwise.csv"])
    assert rows[0][:3] == ["better", "worse", "difference"]
    assert len(rows) == 1 + 134 * 133 // 2


def latin() -> Findings:
    """The hostile names that pdfLaTeX has letters for."""
    names = tuple(name for name in made.HOSTILE if name.isascii())
    return made.result(made.F1[: len(names)], names)


@pytest.mark.parametrize(
    "form", [made.teams, latin, made.many, made.long_names, made.spanish, made.usage, made.tasks]
)
def test_latex_compiles(form: Callable[[], Findings], tmp_path: Path) -> None:
    import shutil
    import subprocess

    if shutil.which("pdflatex") is None:
        pytest.skip("no pdflatex on this machine (Debian: apt install texlive-latex-recommended)")
    for name, content in written(render.build(form())).items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]


def test_a_phone_stacks_numbers_below_names_but_does_not_pile_up_words() -> None:
    def of(words: int, numbers: int) -> ResultTable:
        kinds = [False] * words + [True] * numbers
        columns = tuple(TableColumn((str(k),), "", numeric=kind) for k, kind in enumerate(kinds))
        return ResultTable("made", "", columns, ())

    assert of(2, 3).stacks
    assert of(2, 3).beside == 3
    assert not of(3, 1).stacks
    assert not of(1, 8).stacks
    assert of(1, 8).beside == 5
