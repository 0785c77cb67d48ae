"""What a result shows: tables of a paper, a picture on matplotlib's axis, a notebook's cell."""

from __future__ import annotations

import base64
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scoring_program as dh
from scoring_program.api.record_view import RecordView
from tests.api import data
from tests.competitions import EXAMPLE
from tests.data.test_tasks import tasks_case


@pytest.fixture(scope="module")
def result() -> dh.Result:
    return dh.score(EXAMPLE, resamples=200, baselines=["aomar"], language="es")


@pytest.fixture
def pyplot(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("MPLBACKEND", "agg")
    found = pytest.importorskip("matplotlib.pyplot")
    yield found
    found.close("all")


def test_latex_is_that_of_the_files(result: dh.Result, tmp_path: Path) -> None:
    result.save(tmp_path)
    for place, (name, metric) in enumerate(result.items()):
        file = f"ranking_{name}.tex" if place else "ranking.tex"
        assert metric.to_latex() == (tmp_path / "tables" / file).read_text("utf-8")
        assert metric.to_latex() in result.to_latex()


def test_the_picture_of_a_notebook_is_that_of_the_files(result: dh.Result) -> None:
    shown = [base64.b64decode(one).decode() for one in _pictures(result)]
    assert len(shown) == 3
    texts = [re.findall("<text.*?</text>", one) for one in (shown[0], result.figure())]
    assert texts[0] == texts[1]
    (own,) = _pictures(result["recall_score"])
    assert base64.b64decode(own).decode() == shown[2]


def _pictures(shown: Any) -> list[str]:
    return re.findall('src="data:image/svg.xml;base64,([^"]+)"', shown._repr_html_())


def test_a_plot_marks_possible_winners_at_the_finish_line(pyplot: Any) -> None:
    y_true, predictions = data.labels()
    named = {"$A_1$": predictions["A"], "B": predictions["B"], "0": np.zeros(data.N, int)}
    result = dh.compare(y_true, named, ["accuracy", "f1_macro"], resamples=300)
    ax = pyplot.subplots()[1]
    assert result["f1_macro"].plot(ax) is ax
    drawn: Any = result.plot()
    assert drawn is not ax
    drawn.figure.canvas.draw()
    assert drawn.get_xlabel() == "accuracy behind the best"
    assert [name.get_text() for name in drawn.get_yticklabels()] == list(result.entries)
    far, finish = drawn.get_xlim()
    assert far > finish == 0
    bars = [line for line in drawn.get_lines() if len(set(line.get_ydata())) == 1]
    blue = {bars[0].get_color()}
    reaching = {line.get_ydata()[0] for line in bars if 0 in line.get_xdata()}
    winners = [result.entries.index(name) for name in result.possible_winners]
    assert reaching == set(winners)
    assert {line.get_color() for line in bars if line.get_ydata()[0] in winners} == blue
    texts = {text.get_text() for text in drawn.texts}
    assert {"accuracy", "Places", *(f"{row.score:.3f}" for row in result.ranking)} <= texts


def test_a_mean_rank_is_shown_without_bars(pyplot: Any, tmp_path: Path) -> None:
    made = tasks_case("metrics: [accuracy_score]\noverall: mean_rank\nresamples: 100\n")
    result = dh.score(made.write(tmp_path / "in"), tmp_path / "out")
    assert "a mean rank has no bars" in result.plot().get_xlabel()
    assert result.to_latex().startswith(
        (tmp_path / "out" / "tables" / "ranking.tex").read_text("utf-8")
    )


def test_what_plots_need_is_named(result: dh.Result, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(dh.DeadheatError, match=r"matplotlib: pip install .*\[plot\]"):
        result.plot()


def test_decimals_follow_the_first_of_the_ranking_as_on_the_page() -> None:
    """Of a metric for which another run of the leading team is shown, that is not the leader."""
    errors = np.random.default_rng(0).random((3, 100)) / 1000
    errors[1:, :4] = [[40], [60]]  # rare and large, so that few decimals would fit these scores
    result = dh.compare(np.zeros(100), dict(zip("ABC", errors, strict=True)), "mae", resamples=100)
    first = result["mae"].to_dict()
    views = [RecordView({**first, "leader": leader}, result.to_dict()) for leader in "AC"]
    assert [view.decimals for view in views] == [3, 3]
