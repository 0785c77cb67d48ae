"""Arrays to replicates: resamples of the test examples, and every score on each of them."""
