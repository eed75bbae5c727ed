"""Uses of the public names that mypy checks, and never runs.

Wrong uses bear a `type: ignore` with the error's name: mypy reports one that it doesn't need (`warn_unused_ignores`).
"""
