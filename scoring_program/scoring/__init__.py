"""Scoring: binds metrics to predictions, scores every entry, and selects those that compete.

`score_entries` is the step of a run. It binds every part's metrics to all entries once (`bind`),
leaves out entries without a score, and keeps those that compete (`contenders`). It returns scorers.
Each kind of evaluation has one class of scorers, all with the interface of `scorer.Scorer`.
"""
