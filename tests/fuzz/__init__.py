"""Coverage-guided fuzzing, with `python -m tests.fuzz TARGET`.

The targets are in `targets.py`, their initial inputs in `seeds.py`. `test_fuzz.py` runs a few hundred inputs of each
target with the other tests, and has inputs that once failed.
"""
