"""The tables of comparisons: each entry of our column links to a test that shows it."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from .support.project import ROOT

FOLDER = ROOT / "docs" / "start"
ROWS = {"generators.md": 17, "tools.md": 14}
LINK = re.compile(r"\[[^\]]+\]\(([^)#]+)#(\w+)\)")


def rows(page: str) -> list[tuple[str, str]]:
    """Return the capability and our entry of each row."""
    lines = [line for line in (FOLDER / page).read_text().splitlines() if line.startswith("| ")]
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


@pytest.mark.parametrize("page", ROWS)
def test_a_table_has_all_rows(page: str) -> None:
    assert len(rows(page)) == ROWS[page]


@pytest.mark.parametrize(("capability", "entry"), [row for page in ROWS for row in rows(page)])
def test_each_entry_is_shown_by_tests(capability: str, entry: str) -> None:
    links = LINK.findall(entry)
    assert links, capability
    for path, name in links:
        tests = functions_of((FOLDER / path).resolve())
        assert name in tests, f"{capability}: {name}"
        assert not any("skip" in one or "deep" in one for one in tests[name]), name
