"""The statistical methods that the settings offer: name → what it does.

This module imports nothing, so that `--help` is quick.
"""

#: Confidence intervals of the scores.
INTERVALS = {
    "percentile": "between two quantiles of the replicates",
    "standard_error": "mean of the replicates ± normal quantile × their standard deviation",
    "bca": "percentile interval, corrected for bias and skewness (BCa)",
}
#: Rules that say who is tied with the leader, as the papers and this program name them.
TIE_RULES = {
    "interval": "the interval of the difference from the leader contains 0",
    "none": "one-sided p-values, not corrected for the number of comparisons",
    "bonferroni": "p-values corrected by Bonferroni",
    "holm": "p-values corrected by Holm",
    "fdr_bh": "p-values corrected by Benjamini and Hochberg (false discovery rate)",
    "max_t": "simultaneous tests that ask of every entry whether it could be the best",
}
#: When the draws of the max-T tests are studentized.
STUDENTIZED = {
    "auto": "where few units, uneven groups or heavy tails need it",
    "always": "for all pairs of entries",
    "never": "for no pair",
}
#: Tie rules that keep any given truly best entry with the nominal probability
#: (docs/explanation/method/possible-winners.md).
VALID_TIE_RULES = ("bonferroni", "holm", "max_t")
#: Those that do so where corrected p-values do not: they do not know that runs of a team were
#: selected, and are too small where few examples decide.
VALID_EVERYWHERE = ("max_t",)
#: Tests of two entries beyond the bootstrap.
TESTS = {
    "randomization": "paired randomization test",
    "mcnemar": "McNemar's test of right and wrong predictions, or of scores of 0 and 1",
}
