"""An error that Python raises below a C++ caller, over types of two packages, arrives as it is."""

from __future__ import annotations

from pathlib import Path

from ...support.process import run_python
from .conftest import make_schema

NODES = """
from tschema import Object, declare, field, ty

@declare
class PartNode(Object):
    \"\"\"A part.\"\"\"
    type_key = "{package}.Part"
    final = False
    weight: ty.int64_t = field(doc="What it weighs.")
"""

PROGRAM = """
import sys
import traceback

from tschema.runtime import load_types, map, walk
from tvm_ffi import Array
from tvm_ffi.error import register_error

lamp, fan = [load_types(path) for path in sys.argv[1:]]


class TooHeavy(ValueError):
    pass


class Unknown(ValueError):
    pass


register_error("TooHeavy", TooHeavy)
kinds = [TooHeavy, ValueError, Unknown]


class Scale(fan.Part):
    def weigh(self, part: lamp.Part) -> None:
        if part.weight > self.weight:
            raise kinds[0](f"{part.weight} is more than {self.weight}")


def visit(node):
    if isinstance(node, lamp.Part):
        Scale(3).weigh(node)


def rewrite(node):
    visit(node)
    return node


parts = Array([lamp.Part(2), fan.Part(9), lamp.Part(5)])
while kinds:
    for engine, callback in ((walk, visit), (map, rewrite)):
        try:
            engine(parts, callback)
        except Exception as error:
            names = [frame.name for frame in traceback.extract_tb(error.__traceback__)]
            print(type(error).__name__, error, names.index("visit") < names.index("weigh"))
    kinds.pop(0)
"""


def test_the_error_and_its_traceback_arrive(tmp_path: Path) -> None:
    paths = [
        make_schema(tmp_path / package, NODES.format(package=package), package=package)
        for package in ("lamp", "fan")
    ]
    lines = run_python(PROGRAM, *map(str, paths)).splitlines()
    # tvm-ffi makes a `RuntimeError` of a class that it was not told of.
    kinds = ["TooHeavy", "ValueError", "RuntimeError"]
    assert lines == [f"{kind} 5 is more than 3 True" for kind in kinds for _ in range(2)]
