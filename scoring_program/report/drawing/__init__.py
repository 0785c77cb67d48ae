"""Where everything in a figure is drawn, worked out here; the templates only print it.

Strips (one interval in a table row) have coordinates in percent of their width, so that they fit
any column. Whole figures have coordinates in the units of their own view box. Names are shortened
where a figure has a fixed gutter; tables show them in full.
"""

from .axes import Axis, Heading, Strip, Tick, axis, nice_ticks, rank_axis, strip
from .card import Card, CardEntry, card
from .forest import PANEL, WIDE, Forest, ForestLayout, bracketed, forest
from .grids import Blob, Blobs, GridLabels, Layer, Matrix, PlacedText, blob_radius, blobs, matrix
from .histogram import HistogramFigure, histogram
from .legend import Key, Legend, PlacedKey, legend
from .rank_chart import RankChart, RankedEntry, rank_chart
from .scales import AnyScale, BrokenScale, Scale, broken_scale, far_off, strip_scale
from .scatter import AxisOfScatter, Plotted, Scatter, scatter
from .shortening import isolated, shortened, told_apart
from .side_by_side import PanelOf, SideBySide, Span, side_by_side
from .slopes import Moved, Slopes, slopes
from .text_lines import TextLine, text_lines

Figure = Forest | HistogramFigure | Matrix | Blobs | Slopes | Scatter | SideBySide | RankChart

__all__ = [
    "PANEL",
    "WIDE",
    "AnyScale",
    "Axis",
    "AxisOfScatter",
    "Blob",
    "Blobs",
    "BrokenScale",
    "Card",
    "CardEntry",
    "Figure",
    "Forest",
    "ForestLayout",
    "GridLabels",
    "Heading",
    "HistogramFigure",
    "Key",
    "Layer",
    "Legend",
    "Matrix",
    "Moved",
    "PanelOf",
    "PlacedKey",
    "PlacedText",
    "Plotted",
    "RankChart",
    "RankedEntry",
    "Scale",
    "Scatter",
    "SideBySide",
    "Slopes",
    "Span",
    "Strip",
    "TextLine",
    "Tick",
    "axis",
    "blob_radius",
    "blobs",
    "bracketed",
    "broken_scale",
    "card",
    "far_off",
    "forest",
    "histogram",
    "isolated",
    "legend",
    "matrix",
    "nice_ticks",
    "rank_axis",
    "rank_chart",
    "scatter",
    "shortened",
    "side_by_side",
    "slopes",
    "strip",
    "strip_scale",
    "text_lines",
    "told_apart",
]
