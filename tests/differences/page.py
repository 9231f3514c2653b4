"""Writes and reads `docs/models/differences.md`, whose tables have what each library gives.

Run it from the repository's folder, with PyTorch and onnxruntime on the path:
`PYTHONPATH=build/torch-2.15.0:build/onnx-models .venv/bin/python -m tests.differences`.
What a library that is missing gives stays as the page has it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from .case import Case
from .cases import CASES, CHAPTERS
from .sides import Results

__all__ = ["PAGE", "page", "results_on_page"]

PAGE = Path(__file__).parents[2] / "docs" / "models" / "differences.md"
SIDES = ("NumPy", "PyTorch", "onnxruntime", "reference", "relay", "from ONNX", "from PyTorch")
"""Libraries, and the ways to uir."""

HEAD = "| input | NumPy | PyTorch | ONNX | uir | why |\n|---|---|---|---|---|---|\n"
CELL = re.compile(r"(?:([A-Za-z ]+) )?`([^`]+)`")


def page(old: str, results: dict[str, Results]) -> str:
    """Return the text of the page, whose chapters are made anew.

    Parameters
    ----------
    old
        The text of the page so far; what stands above its chapters is kept.
    results
        What each side gives, by the names of `SIDES`.
    """
    chapters = []
    for title, cases in CHAPTERS.items():
        rows = "".join(f"{row(case, results)}\n" for case in cases)
        chapters.append(f"\n## {title}\n\n{HEAD}{rows}")
    return old.partition("\n## ")[0].rstrip("\n") + "\n" + "".join(chapters)


def row(case: Case, results: dict[str, Results]) -> str:
    found = {side: results[side][case.input] for side in SIDES if case.input in results[side]}
    cells = [
        f"`{case.input}`",
        cell(found, "NumPy"),
        cell(found, "PyTorch"),
        cell(found, "onnxruntime", "reference"),
        cell(found, "relay", "from ONNX", "from PyTorch"),
        case.why,
    ]
    return f"| {' | '.join(cells)} |"


def cell(found: dict[str, str], main: str, *others: str) -> str:
    """Return what one side gives, and others where they give something else."""
    parts = [f"`{found[main]}`"] if main in found else []
    parts += [
        f"{side} `{found[side]}`"
        for side in others
        if side in found and found[side] != found.get(main)
    ]
    return ", ".join(parts)


def results_on_page(text: str) -> dict[str, Results]:
    """Return what each side gives by a text of the page."""
    results: dict[str, Results] = {side: {} for side in SIDES}
    cases = {case.input: case for case in CASES}
    for line in text.splitlines():
        cells = line.strip("| ").split(" | ")
        case = cases.get(cells[0].strip("`"))
        if case is None or len(cells) != 6:
            continue
        read_cell(results, case, cells[1], ["NumPy"])
        read_cell(results, case, cells[2], ["PyTorch"])
        read_cell(results, case, cells[3], ["onnxruntime", "reference"])
        read_cell(results, case, cells[4], ["relay", "from ONNX", "from PyTorch"])
    return results


def read_cell(results: dict[str, Results], case: Case, text: str, sides: Sequence[str]) -> None:
    given = {side.strip() or sides[0]: value for side, value in CELL.findall(text)}
    for side in sides:
        value = given.get(side, given.get(sides[0]))
        if has_program(case, side) and value is not None:
            results[side][case.input] = value


def has_program(case: Case, side: str) -> bool:
    programs = {
        "NumPy": case.numpy,
        "PyTorch": case.torch,
        "from PyTorch": case.torch,
        "relay": case.relay,
    }
    return programs.get(side, case.onnx) is not None
