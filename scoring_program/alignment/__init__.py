"""Alignment: gold and predictions joined by id, every cell checked and typed.

Rows are put in the order of their ids, so that the order of lines in any file changes nothing. The
policies live in one place each: column roles in `columns`, what a cell may hold in `core.cells` and
`predictions`, what a submission must hold and may lack in `expected`; `submission` applies them.
Those need no gold and no NumPy; `gold` and `entry` hold arrays.
"""
