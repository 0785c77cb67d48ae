"""What the columns, keys and lines of every kind of data mean: names and cells → decisions.

The readers of formats ask these functions, and carry out what they answer. So they come before the
rest of `recognize`: they take texts, know no table, read no file, and need nothing of the package
but `core` and the usual names.
"""
