"""Scripts that complete the command line."""

from __future__ import annotations

import os
import pty
import re
import select
import shlex
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tschema.cli.arguments import SHELLS, make_parser
from tschema.cli.commands import COMMANDS
from tschema.cli.completion import completion_script
from tschema.diagnostics.errors import CODES

from ..conftest import Project


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


def fish_offers(folder: Path, line: str) -> set[str]:
    """Return what fish offers for the last word of a line, without the descriptions."""
    script = completion_script("fish", make_parser())
    code = f"{script}\ncomplete -C {shlex.quote(line)}\n"
    done = subprocess.run(
        ["fish", "--no-config", "-c", code], cwd=folder, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return {offer.partition("\t")[0] for offer in done.stdout.splitlines()}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("tschema ", {*COMMANDS}),
        ("tschema --v", {"--version"}),
        ("tschema gen --di", {"--diff", "--discard"}),
        ("tschema gen -v --dry", {"--dry-run"}),
        ("tschema gen --format ", {"text", "json", "sarif", "github"}),
        ("tschema gen --format=s", {"--format=sarif"}),
        ("tschema gen --lang r", {"rust"}),
        ("tschema gen --config ts", {"tschema.toml"}),
        ("tschema gen --out-dir my", {"my schema/"}),
        ("tschema explain TS01", {code for code in CODES if code.startswith("TS01")}),
        ("tschema completion ", {*SHELLS}),
        ("tschema gen --depfile-target ", set()),
        ("tschema cmake-args x", set()),
    ],
)
def test_fish_offers(tmp_path: Path, line: str, expected: set[str]) -> None:
    if shutil.which("fish") is None:
        return
    (tmp_path / "my schema").mkdir()
    (tmp_path / "tschema.toml").touch()
    assert fish_offers(tmp_path, line) == expected


ZSHRC = """\
PS1='READY> '
unset zle_bracketed_paste
bindkey '^X' beginning-of-line
autoload -U compinit
compinit -u -D
source ./_tschema
"""


def zsh_completes(folder: Path, line: str) -> list[str]:
    """Type a line and a tab into zsh; return the words that stand there then."""
    (folder / "_tschema").write_text(completion_script("zsh", make_parser()))
    (folder / ".zshrc").write_text(ZSHRC)
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execvpe("zsh", ["zsh", "-d", "-i"], {**os.environ, "TERM": "dumb", "ZDOTDIR": "."})
    try:
        read_until(terminal, b"READY> ")
        # The line begins with a command of its own then, which shows its words.
        os.write(terminal, line.encode() + b"\t\x18print -rl -- ANS''WER \n")
        shown = read_until(terminal, rb"\nANSWER\r.*READY> ").replace(b"\r", b"")
        return shown.rpartition(b"\nANSWER\n")[2].decode().split("\n")[:-1]
    finally:
        os.close(terminal)
        os.waitpid(child, 0)


def read_until(terminal: int, pattern: bytes) -> bytes:
    """Return what a terminal shows, until a pattern has come."""
    shown, end = b"", time.monotonic() + 30
    while not re.search(pattern, shown, re.DOTALL):
        assert time.monotonic() < end, shown
        if select.select([terminal], [], [], 0.1)[0]:
            shown += os.read(terminal, 1 << 16)
    return shown


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("tschema comp", "completion"),
        ("tschema --v", "--version"),
        ("tschema gen --dis", "--discard"),
        ("tschema gen --format gi", "github"),
        ("tschema gen --lang r", "rust"),
        ("tschema gen --config ts", "tschema.toml"),
        ("tschema gen --out-dir my", "my schema"),
        ("tschema gen my", "my schema"),
        ("tschema ir --js", "--json-schema"),
        ("tschema explain TS077", "TS077"),
        ("tschema completion f", "fish"),
        ("tschema gen --depfile-target x", "x"),
        ("tschema cmake-args x", "x"),
    ],
)
def test_zsh_completes(tmp_path: Path, line: str, word: str) -> None:
    if shutil.which("zsh") is None:
        return
    (tmp_path / "my schema").mkdir()
    (tmp_path / "tschema.toml").touch()
    assert zsh_completes(tmp_path, line) == [*line.split()[:-1], word]


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
