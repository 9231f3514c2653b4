"""What shells offer for a word of the command line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tschema.cli.commands import COMMANDS
from tschema.command_line import SHELLS
from tschema.diagnostics.explain import titles

from ..conftest import Project


def offered(folder: Path, line: str) -> set[str]:
    """Return what argcomplete's scripts hand to a shell for the last word of a line."""
    answers = folder / "answers"
    environment = {
        **os.environ,
        **{"_ARGCOMPLETE": "1", "_ARGCOMPLETE_STDOUT_FILENAME": str(answers)},
        **{"COMP_LINE": line, "COMP_POINT": str(len(line)), "_ARGCOMPLETE_IFS": "\v"},
    }
    subprocess.run([sys.executable, "-m", "tschema"], cwd=folder, env=environment, check=True)
    return {one.strip() for one in answers.read_text().split("\v") if one}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("tschema ", {*COMMANDS}),
        ("tschema gen --di", {"--diff", "--discard"}),
        ("tschema gen -v --dry", {"--dry-run"}),
        ("tschema gen --format ", {"text", "json", "sarif", "github"}),
        ("tschema gen --lang r", {"rust"}),
        ("tschema ir --js", {"--json-schema"}),
        ("tschema explain TS01", {code for code in titles() if code.startswith("TS01")}),
        ("tschema completion ", {*SHELLS}),
        ("tschema gen --depfile-target ", set()),
    ],
)
def test_a_shell_is_offered(tmp_path: Path, line: str, expected: set[str]) -> None:
    assert offered(tmp_path, line) == expected


def test_a_shell_is_offered_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()
    (tmp_path / "tschema.toml").touch()
    assert {"schemas/", "tschema.toml"} <= offered(tmp_path, "tschema gen ")
    assert offered(tmp_path, "tschema gen --config ts") == {"tschema.toml"}
    assert offered(tmp_path, "tschema gen --out-dir s") == {"schemas/"}


def test_a_shell_is_offered_what_can_be_renamed(project: Project) -> None:
    points = {"toy.ir.Point", "toy.ir.PointNode", "toy.ir.Point.x", "toy.ir.PointNode.x"}
    assert offered(project.root, "tschema rename toy.ir.P") == points
    assert offered(project.root, "tschema rename toy.ir.Point ") == set()


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_completes_the_command(project: Project, shell: str) -> None:
    shown = project.run("completion", shell)
    assert (shown.status, shown.err) == (0, "")
    assert "tschema" in shown.out
    assert "_ARGCOMPLETE" in shown.out


def test_bash_completes_by_the_script(project: Project) -> None:
    code = (
        f"{project.run('completion', 'bash').out}\n"
        "COMP_LINE='tschema gen --disc' COMP_POINT=18 COMP_TYPE=9\n"
        "_python_argcomplete tschema\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n"
    )
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "--norc", "-c", code],
        cwd=project.root,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "--discard"


def test_another_shell_is_refused(project: Project) -> None:
    assert project.run("completion", "tcsh").status == 2
