"""The shortcuts by which answers come soon: same results as the long way."""

from __future__ import annotations

import asyncio
import gc
import re
import weakref

import pytest

from tschema.editing.edits import line_starts
from tschema.editing.project import read_project
from tschema.editing.rename import find_target
from tschema.lsp.garbage import IdleCollector
from tschema.lsp.import_closure import may_clash
from tschema.project.config import load_config

from .conftest import Toy


@pytest.mark.parametrize(
    "text",
    ["", "a", "a\n", "\n\n", "a\rb\r\nc", "a\r\n", "a\x0cb\x0bc\x1cd\x85e\u2028f\ng", "é\né"],
)
def test_lines_start_behind_the_line_ends_of_python(text: str) -> None:
    data = text.encode()
    assert line_starts(data) == [0, *(one.end() for one in re.finditer(rb"\r\n|\r|\n", data))]


@pytest.mark.parametrize(
    ("new", "clashes"),
    [
        ("Point", True),
        ("PointNode", True),
        ("point_functor", True),
        ("Labels", False),
        ("Poin", False),
        ("Ir", True),
        ("Shape", True),
        ("Rectangle", False),
    ],
)
def test_a_name_clashes_with_those_of_all_languages(toy: Toy, new: str, clashes: bool) -> None:
    schema = read_project(load_config(toy.root / "tschema.toml")).schema
    assert may_clash(schema, find_target(schema, "toy.ir.Label"), new) == clashes


class Knot:
    """A part of a cycle, which only a collection finds."""

    def __init__(self) -> None:
        self.end = self


def test_garbage_goes_between_two_keys() -> None:
    async def press_a_key() -> bool:
        knot = Knot()
        alive = weakref.ref(knot)
        _rest: list[list[int]] = [[] for _ in range(30_000)]
        del knot
        IdleCollector().later()
        assert alive() is not None
        await asyncio.sleep(0.2)
        return alive() is None

    gc.collect()
    before = gc.get_threshold()
    gc.set_threshold(1_000_000)
    try:
        assert asyncio.run(press_a_key())
    finally:
        gc.set_threshold(*before)
