"""From arrays to replicates: resamples of the test examples, and every score on each of them.

`resample_parts` is the step of a run: it resamples each part of the competition within the time
that `time_budget` plans. `resample` scores any scorers on a `design`; `counts` draws, `job` cuts
the work into tasks, and `workers` compute them.
"""
