"""The table of generators: each entry of our column links to a test that shows it."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from .support.project import ROOT

PAGE = ROOT / "docs" / "start" / "generators.md"
LINK = re.compile(r"\[[^\]]+\]\(([^)#]+)#(\w+)\)")
CAPABILITIES = 17


def rows() -> list[tuple[str, str]]:
    """Return the capability and our entry of each row."""
    lines = [line for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[1:]]
    assert {len(row) for row in cells} == {9}
    return [(row[0], row[-1]) for row in cells]


@cache
def functions_of(path: Path) -> dict[str, list[str]]:
    """Return the decorators of each test of a file, as text."""
    tree = ast.parse(path.read_text())
    return {
        node.name: [ast.unparse(one) for one in node.decorator_list]
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
    }


def test_the_table_has_all_rows() -> None:
    assert len(rows()) == CAPABILITIES


@pytest.mark.parametrize(("capability", "entry"), rows())
def test_each_entry_is_shown_by_tests(capability: str, entry: str) -> None:
    links = LINK.findall(entry)
    assert links, capability
    for path, name in links:
        tests = functions_of((PAGE.parent / path).resolve())
        assert name in tests, f"{capability}: {name}"
        assert not any("skip" in one or "deep" in one for one in tests[name]), name
