"""From arrays to replicates: resamples of the test examples, and every score on each of them.

`resample_parts` is the step of a run: it resamples each part of the competition within the time
that `time_budget` plans. `resample` computes the scores of any scorers on the resamples of a
`design`. `counts` draws the resamples, and `task_queue` divides the work into tasks for workers.
"""
