"""What was read: reference data and predictions, joined by id, as arrays.

Rows are sorted by their ids, so that the order of lines in a file changes no result. Each policy
has one place: `joining` checks a submission, `gold` reads the reference data, `score_tables` the
scores that were made elsewhere, and `from_arrays` takes what a call in Python gives.
"""
