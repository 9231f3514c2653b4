"""Declared classes with names that Python reserves: spelled as generated ones are."""

from __future__ import annotations

from pathlib import Path

from ...support.process import run_python
from .conftest import make_schema

NAMES = """
from tschema import Object, declare, field, ty

@declare
class str(ty.IntEnum):
    \"\"\"A kind.\"\"\"
    name = 1
    other = 2

@declare
class NoneNode(Object):
    \"\"\"A node.\"\"\"
    type_key = "small.None"
    kind: str = field(default=str.name, doc="Its kind.")
"""

PROGRAM = """
import sys
from tschema.runtime import load_json, load_types, save_json

small = load_types(sys.argv[1])
node = small.None_(small.str_.other)
print(small.__all__, node, small.None_().kind == small.str_.name_, node.kind.name)
print(int(load_json(save_json(node)).kind), type(node).__qualname__)
"""


def test_names_are_those_of_generated_classes(tmp_path: Path) -> None:
    path = make_schema(tmp_path, NAMES)
    found = run_python(
        PROGRAM,
        str(path),
    )
    assert found.splitlines() == [
        "['None_', 'str_'] small.None(kind=2) True other",
        "2 None_",
    ]
