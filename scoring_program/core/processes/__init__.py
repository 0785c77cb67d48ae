"""One way to compute in other processes and threads: to start, limit, end and replace them.

`bounds` says how much time, memory and how many threads of BLAS a process may use. `worker` is what
another process does, and `pool` is its parent's side. `executor` is handed to inference.
"""
