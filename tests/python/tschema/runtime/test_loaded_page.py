"""The page on loaded types is run, and prints what it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from ...support.process import run_python
from ...support.project import ROOT

PAGE = (ROOT / "docs" / "bindings" / "loaded-types.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_commands_print_what_the_page_says(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    process = subprocess.run(
        ["bash", "-e", "-u"],
        input="".join(blocks("bash")),
        cwd=tmp_path,
        env=environment,
        text=True,
        capture_output=True,
    )
    assert process.returncode == 0, process.stderr
    shown, *_ = blocks("text")
    assert process.stdout.count(shown) == 2
    assert (tmp_path / "shapes" / "libshapes.so").is_file()


def test_the_layout_is_the_one_that_is_shown() -> None:
    (program,) = blocks("python")
    assert run_python(program) == blocks("text")[-1]
