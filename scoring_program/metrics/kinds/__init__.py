"""Metrics of other kinds of data than rows: what one example counts, and the score of sums of that.

One module per family. Each states its metrics as `Definition`s with ``statistics``, and imports the
library that counts only when it counts.
"""
