"""`--diff` on a terminal, and where there is none."""

from __future__ import annotations

import sys

import pytest

from tschema.cli.report.diff import colour

from ..conftest import Project, replace


@pytest.fixture
def changed(project: Project) -> Project:
    project.run("gen")
    replace(project.schema, "Its place.", "Its position.")
    return project


def test_a_terminal_shows_colours(changed: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    shown = changed.run("gen", "--diff").out
    assert "\x1b[31m-        Its place.\x1b[m\n\x1b[32m+        Its position.\x1b[m\n" in shown
    assert "\x1b[1m--- a/generated/schema.json\x1b[m\n" in shown
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in changed.run("gen", "--diff").out


def test_a_pipe_gets_none(changed: Project) -> None:
    assert "\x1b" not in changed.run("gen", "--diff").out


def test_a_hand_edit_is_shown_in_colours(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.run("gen")
    replace(project.output, "    x: int", "    x: float")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[32m+    x: float\x1b[m\n" in project.run("gen").err


def test_line_ends_stay_behind_the_colour() -> None:
    assert colour("+a\r\n-b\n c\n@@ x") == (
        "\x1b[32m+a\x1b[m\r\n\x1b[31m-b\x1b[m\n c\n\x1b[36m@@ x\x1b[m"
    )
