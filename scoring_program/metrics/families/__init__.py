"""Metrics of rows of cells: labels, scores, probabilities and numbers. One module per family.

Each states its metrics as `Definition`s with ``build``. What those of labels share is in `labels`.
"""
