"""Scripts that complete the command line."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tschema.commands import COMMANDS
from tschema.commands.arguments import SHELLS, make_parser
from tschema.completion import completion_script
from tschema.errors import CODES

from .conftest import Project


def complete(folder: Path, line: str) -> list[str]:
    """Return what bash offers for the last word of a line."""
    script = completion_script("bash", make_parser())
    # bash takes `=` for a word of its own.
    words = shlex.split(line.replace("=", " = ").strip()) + ([""] if line[-1:] in " =" else [])
    if line.endswith("="):
        words.pop()
    code = (
        f"{script}\nCOMP_WORDS=({shlex.join(words)})\nCOMP_CWORD={len(words) - 1}\n"
        '_tschema\nprintf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    done = subprocess.run(
        ["bash", "--norc", "-euo", "pipefail", "-c", code],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    return done.stdout.split("\n")[:-1] if done.stdout != "\n" else []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("tschema ", [*COMMANDS, "--help", "--version"]),
        ("tschema ge", ["gen"]),
        ("tschema gen --di", ["--diff", "--discard"]),
        ("tschema gen -v --dry", ["--dry-run"]),
        ("tschema gen --format ", ["text", "json", "sarif", "github"]),
        ("tschema gen --format=", ["text", "json", "sarif", "github"]),
        ("tschema gen --format=s", ["sarif"]),
        ("tschema gen --lang r", ["rust"]),
        ("tschema ir --js", ["--json-schema"]),
        ("tschema explain TS01", [code for code in CODES if code.startswith("TS01")]),
        ("tschema completion ", list(SHELLS)),
        ("tschema gen --depfile-target ", []),
        ("tschema cmake-args x", []),
    ],
)
def test_bash_offers(tmp_path: Path, line: str, expected: list[str]) -> None:
    assert complete(tmp_path, line) == expected


def test_bash_offers_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "my schema").mkdir()
    (tmp_path / "tschema.toml").touch()
    assert sorted(complete(tmp_path, "tschema gen ")) == ["my schema", "tschema.toml"]
    assert complete(tmp_path, "tschema gen --config ts") == ["tschema.toml"]
    assert complete(tmp_path, "tschema gen --out-dir ") == ["my schema"]


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_names_every_command_and_option(project: Project, shell: str) -> None:
    shown = project.run("completion", shell)
    assert (shown.status, shown.err) == (0, "")
    for word in (*COMMANDS, "depfile", "json-schema", "sarif"):
        assert word in shown.out
    program = shutil.which(shell)
    if program is not None:
        subprocess.run([program, "-n"], input=shown.out, text=True, check=True)


def test_another_shell_is_refused(project: Project) -> None:
    assert project.run("completion", "tcsh").status == 2
