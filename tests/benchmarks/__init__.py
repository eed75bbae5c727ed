"""Benchmarks of time and memory: `python -m tests.benchmarks`, see `--help`."""

import os

# One thread per process, for child processes as well. numpy reads these variables when it is imported, after this.
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
