"""One submission is joined to the test set, and every cell is checked and typed.

What its columns mean was decided in `recognize`, which also holds what a submission must hold and
may lack. `core.cells` and `predictions` say what a cell may hold, `submission` applies them, and
`diagnoses` says what probably happened to a file that is refused. These modules need neither the
gold nor more than the standard library: the starting kit contains them, with its rules.
"""
