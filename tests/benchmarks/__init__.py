"""Benchmarks: nine workloads against the tools people use today, and against the machine's limit.

``pip install CompStats`` first (for its column; nothing else needs it), then
``python -m tests.benchmarks`` writes the table, ``python -m tests.benchmarks.command`` compares the
whole command on the example. A benchmark is not a test: it passes no judgement.
"""
