"""Metrics bound to predictions: every entry's score on the test set, and which entries compete.

`score_entries` is the step of a run. It binds every part's metrics to all entries once
(`bind_parts`), leaves out the entries without a score (`unscorable`), and takes those that compete
(`last_runs`, `contenders`). What it returns are scorers, one class for each kind of evaluation, all
with the questions of `scorer.Scorer`.
"""
