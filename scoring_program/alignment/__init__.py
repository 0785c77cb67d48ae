"""Alignment: joins gold and predictions by id, and checks and types every cell.

Rows are sorted by their ids, so that the order of lines in a file changes no result. Each policy
has one place: `columns` assigns roles to columns, `core.cells` and `predictions` say what a cell
may hold, `expected` says what a submission must hold and may lack, and `submission` applies them.
These modules need neither the gold nor NumPy. `gold` and `entry` hold arrays.
"""
