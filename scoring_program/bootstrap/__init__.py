"""From arrays to replicates: resamples of the test examples, and every score on each of them.

`resample_parts` is the step of a run: it resamples each part of the competition within the time
that `plan_resamples` plans. `resample` computes the scores of any scorers on the resamples that a
`design` draws, and `task_queue` divides the work into tasks for workers.
"""
