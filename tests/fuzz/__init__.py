"""Fuzzing, with `python -m tests.fuzz TARGET`: inputs that nobody has thought of, found by the code that they reach.

The targets are in `targets.py`, what they begin with in `seeds.py`. `tests/test_fuzz.py` runs a few hundred inputs
of each with the other tests, and keeps those that once failed.
"""
