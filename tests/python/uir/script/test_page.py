"""What docs/compiler/script.md shows is script."""

from __future__ import annotations

import re

import pytest

from uir import script

from ...support.project import ROOT

PAGE = (ROOT / "docs" / "compiler" / "script.md").read_text()
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
PROGRAMS = [block for block in BLOCKS if re.match(r"@|x = tir\.Var", block)]
BLOCK = next(block for block in BLOCKS if block.startswith("with tir.block"))
DECLARATIONS = """
i = tir.Var("i")
k = tir.Var("k")
A = tir.Buffer((16, 16), "float32")
B = tir.Buffer((16, 16), "float32")
C = tir.Buffer((16,), "float32")
"""


def check(text: str) -> None:
    printed = script.print(script.parse(text))
    assert script.print(script.parse(printed)) == printed


@pytest.mark.parametrize("text", PROGRAMS)
def test_programs(text: str) -> None:
    check(text)


def test_a_block() -> None:
    check(DECLARATIONS + BLOCK)


def test_programs_are_there() -> None:
    assert len(PROGRAMS) >= 3
