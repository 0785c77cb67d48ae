"""Figures as PDF and PNG, by the library of the extra ``figures``."""

from __future__ import annotations

import importlib.util
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest

from scoring_program import report as render
from scoring_program.core.errors import SettingsError
from scoring_program.report.assemble import converted, files, require_formats
from tests.report import made
from tests.sweeps import swept


def text_of(pdf: bytes) -> str:
    """Return the text of a PDF that has one page."""
    pypdfium2 = pytest.importorskip("pypdfium2")
    with pypdfium2.PdfDocument(pdf) as document:
        assert len(document) == 1
        return " ".join(str(document[0].get_textpage().get_text_bounded()).split())


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


@pytest.fixture(scope="module")
def written() -> dict[str, Any]:
    pytest.importorskip("vl_convert")
    page = made.with_settings(made.result(), figures=("pdf", "png"))
    return dict(files(page, render.build(page)))


def test_every_figure_is_written_in_every_format(written: dict[str, Any]) -> None:
    drawn = [name for name in written if name.startswith("figures/")]
    stems = {name.removesuffix(".svg") for name in drawn if name.endswith(".svg")}
    assert "figures/intervals" in stems
    assert set(drawn) == {f"{stem}.{form}" for stem in stems for form in ("svg", "pdf", "png")}


def test_a_pdf_has_the_title_the_legend_the_names_and_the_source_as_text(
    written: dict[str, Any],
) -> None:
    text = text_of(written["figures/intervals.pdf"])
    for part in (
        "F1 of every entry",
        "possible winner",
        "CENAmrita",
        "Made by Deadheat",
    ):
        assert part in text


@pytest.mark.parametrize("inches", [3.03, 6.3])
def test_latex_includes_the_photo_finish_in_any_column(
    written: dict[str, Any], tmp_path: Path, inches: float
) -> None:
    """It is scaled down only as far as its letters of 8 points stay above 7."""
    if shutil.which("pdflatex") is None:
        pytest.skip("no pdflatex on this machine (Debian: apt install texlive-latex-recommended)")
    (tmp_path / "figures").mkdir()
    name = "photo_finish_column.pdf"
    (tmp_path / "figures" / name).write_bytes(written[f"figures/{name}"])
    size = rf"\textwidth={inches}in\columnwidth={inches}in\linewidth={inches}in\hsize={inches}in"
    (tmp_path / "paper.tex").write_text(
        rf"\documentclass{{article}}\usepackage{{graphicx}}{size}\begin{{document}}"
        rf"{written['tables/photo_finish.tex']}\end{{document}}"
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull" not in done.stdout
    assert 8 * min(1, inches / 3.3) >= 7
    assert "F1 behind the best" in text_of((tmp_path / "paper.pdf").read_bytes())


def test_a_png_has_two_pixels_for_each_unit(written: dict[str, Any]) -> None:
    width, height = size_of(written["figures/intervals.png"])
    assert width == 1440
    assert height > 400


def test_the_same_figure_looks_the_same_every_time() -> None:
    pytest.importorskip("vl_convert")
    svgs = {"a.svg": render.figures(made.built(made.two()))["intervals.svg"]}
    one, other = (dict(converted(svgs, ("pdf", "png"))) for _ in range(2))
    assert one["a.png"] == other["a.png"]
    assert text_of(one["a.pdf"]) == text_of(other["a.pdf"])  # the library orders its fonts anew


@pytest.mark.parametrize("form", swept(["hostile", "spanish", "usage", "many"], fast=2))
def test_figures_of_any_competition_can_be_converted(form: str) -> None:
    pytest.importorskip("vl_convert")
    svgs = render.figures(made.built(made.FORMS[form]()))
    for content in dict(converted(svgs, ("pdf",))).values():
        assert content.startswith(b"%PDF")


def test_a_format_that_was_not_set_can_be_asked_for(tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    page = made.two()
    report = render.build(page)
    assert not [name for name in files(page, report) if name.endswith(".pdf")]
    assert [name for name in files(page, report, ("pdf",)) if name.endswith(".pdf")]


def test_without_the_library_the_message_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    require_formats(())
    said = r'pdf and png need .*; pip install "(deadheat|\.)\[figures\]"'  # as it is installed
    with pytest.raises(SettingsError, match=said):
        require_formats(("pdf", "png"))


def test_an_unknown_format_suggests_the_nearest() -> None:
    with pytest.raises(SettingsError, match=r"'pfd'.*pdf"):
        require_formats(("pfd",))


def test_an_emoji_that_a_pdf_cannot_hold_becomes_a_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library fails with some emoji where a font in colors is installed."""
    vl_convert = pytest.importorskip("vl_convert")
    convert = vl_convert.svg_to_pdf

    def fails(svg: str) -> bytes:
        if "🏆" in svg:
            raise RuntimeError("a glyph in colors")
        pdf: bytes = convert(svg)
        return pdf

    monkeypatch.setattr(vl_convert, "svg_to_pdf", fails)
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="50">'
        '<text y="20" font-family="sans-serif">Winner {}</text></svg>'
    )
    drawn = {"cup.svg": svg.format("🏆"), "square.svg": svg.format("\N{WHITE SQUARE}")}
    (_, cup), (_, square) = converted(drawn, ["pdf"])
    assert "Winner" in text_of(cup)
    assert text_of(cup) == text_of(square)
