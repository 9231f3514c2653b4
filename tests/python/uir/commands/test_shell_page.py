"""The commands of the page about passes from the shell run, and print its texts."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from uir.commands import main
from uir.testing import check_script, script_files

from ...support.project import ROOT

PAGE = (ROOT / "docs" / "compiler" / "shell.md").read_text()
BLOCK = re.compile(r"^```(sh|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"cat > (\S+) <<'END'\n(.*?)^END\n", re.MULTILINE | re.DOTALL)


def test_the_commands_of_the_page_print_its_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    printed, compared = "", 0
    for language, text in BLOCK.findall(PAGE):
        if language == "sh":
            printed = run(text, capsys)
        else:
            assert printed == text
            compared += 1
    assert compared > 1
    (page_test,) = script_files(tmp_path)
    check_script(page_test)


def run(text: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Write the files of a block, run its commands in this process, and return their output."""
    for name, content in FILE.findall(text):
        Path(name).write_text(content)
    for command in FILE.sub("", text).replace("\\\n", " ").splitlines():
        name, *arguments = shlex.split(command)
        assert name == "uir"
        main(arguments)
    printed = capsys.readouterr()
    return printed.err + printed.out
