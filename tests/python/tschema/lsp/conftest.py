"""An editor with a server, and a project in three languages that has been generated."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tschema.cli.main import main

from ...support.configs import config
from ...support.editor import Editor
from ..conftest import SCHEMA

DRAW = '''\
"""Drawing."""

from schema.ir.shape import PointNode
from tschema import Object, declare, field, function, method, ty


@declare
class ToneKind(ty.IntEnum):
    """
    How dark a line is.

    Attributes
    ----------
    light
        Hardly to be seen.
    dark
        Black.
    """

    light = 0
    dark = 1


@declare
class LineNode(Object):
    """
    A line from a `Point`.

    Attributes
    ----------
    start
        Where it begins.
    tone
        Its `ToneKind`.
    """

    type_key = "toy.draw.Line"
    start: PointNode
    tone: ToneKind = ToneKind.dark

    @method
    def length(self, scale: ty.float64) -> ty.float64:
        """
        Measure the line.

        Parameters
        ----------
        scale
            Of the drawing.
        """
        ...


@function
def draw(line: LineNode, width: ty.int64_t = 2) -> ty.bool:
    """
    Draw a line.

    Parameters
    ----------
    line
        The line.
    width
        In pixels.
    """
    ...
'''

HAND = """\
#include <toy/draw/line.h>

namespace toy::draw {

double LineNode::Length(double scale) const { return scale * static_cast<double>(start->x); }

bool draw(const Line& line, int64_t width) { return line->start->x > width; }

}  // namespace toy::draw
"""


class Toy:
    """A project with generated files and hand-written C++."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.shape = root / "schema" / "ir" / "shape.py"
        self.line = root / "schema" / "draw" / "line.py"
        self.header = root / "cpp" / "include" / "toy" / "draw" / "line.h"
        self.python = root / "python" / "toy_nodes" / "draw" / "line.py"
        self.rust = root / "rust" / "draw" / "line.rs"
        self.hand = root / "cpp" / "draw.cc"

    def run(self, *arguments: str) -> int:
        return main([*arguments, "--config", str(self.root / "tschema.toml")])


@pytest.fixture(scope="module")
def editor() -> Iterator[Editor]:
    made = Editor("tschema")
    yield made
    made.close()


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    made = Toy(tmp_path)
    for path, text in ((made.shape, SCHEMA), (made.line, DRAW), (made.hand, HAND)):
        path.parent.mkdir(parents=True)
        path.write_text(text)
    (tmp_path / "tschema.toml").write_text(config())
    assert made.run("gen") == 0
    return made
