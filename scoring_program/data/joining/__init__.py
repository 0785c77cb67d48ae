"""One submission is joined to the test set, and every cell is checked and typed.

`columns` assigns roles to columns, `core.cells` and `predictions` say what a cell may hold,
`expected` says what a submission must hold and may lack, and `submission` applies them. These
modules need neither the gold nor more than the standard library: the starting kit contains them.
"""
