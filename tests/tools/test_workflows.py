"""The workflows of the repository: pinned actions, and sessions that exist. `nox -s workflows` checks more."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
SESSIONS = set(re.findall(r"^@nox\.session.*\ndef (\w+)", (ROOT / "noxfile.py").read_text("utf-8"), re.MULTILINE))

pytestmark = pytest.mark.skipif(not WORKFLOWS, reason="the sources of a release have no workflows")
by_name = pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)


def test_there_are_workflows_for_tests_documentation_and_releases():
    assert {"tests", "docs", "release"} <= {path.stem for path in WORKFLOWS}


@by_name
def test_each_action_is_pinned_by_a_commit_and_says_its_version(workflow):
    used = re.findall(r"uses: (\S+)(.*)", workflow.read_text("utf-8"))
    assert used
    for action, comment in used:
        local = action.startswith("./") and (ROOT / action).parent == workflow.parent
        assert local or (re.search(r"@[0-9a-f]{40}$", action) and re.match(r" # v\d", comment)), action


@by_name
def test_a_workflow_has_no_rights_but_those_of_its_jobs(workflow):
    assert re.search(r"^permissions:(?: \{\}|\n  contents: read)\n", workflow.read_text("utf-8"), re.MULTILINE)


@by_name
def test_the_sessions_that_a_workflow_calls_exist(workflow):
    text = workflow.read_text("utf-8")
    lists = re.findall(r"(?:nox -s |session: \[?)([\w, ]+)", text)
    assert set(re.findall(r"\w+", " ".join(lists))) <= SESSIONS


def test_the_workflow_of_tests_runs_every_session_and_every_python():
    text = (ROOT / ".github" / "workflows" / "tests.yml").read_text("utf-8")
    elsewhere = {"docs"}  # a workflow of its own
    assert set(re.findall(r"\w+", text)) >= SESSIONS - elsewhere
    classifiers = re.findall(r":: (3\.\d+)", (ROOT / "pyproject.toml").read_text("utf-8"))
    assert set(re.findall(r'"(3\.\d+)"', text)) == set(classifiers)
