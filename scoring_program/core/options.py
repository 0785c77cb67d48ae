"""What settings may choose from, by name; nothing is imported, so that --help is quick."""

#: Methods for the intervals of the entries' scores.
INTERVALS = ("percentile", "standard_error", "bca")
#: Rules that say who is tied with the leader, as the papers and this program name them.
TIE_RULES = ("interval", "none", "bonferroni", "holm", "fdr_bh", "max_t")
#: Rules that keep a truly best entry with the nominal confidence (simulated, see README).
VALID_TIE_RULES = ("bonferroni", "holm", "max_t")
#: Tests of two entries beyond the bootstrap.
TESTS = ("randomization", "mcnemar")
#: What runs the workers; all but the first three are joblib's backends.
BACKENDS = ("auto", "threads", "processes", "loky", "dask", "ray")
#: Colours of the page: as the reader's device asks, or the same for everybody.
COLOR_SCHEMES = ("auto", "light", "dark")
