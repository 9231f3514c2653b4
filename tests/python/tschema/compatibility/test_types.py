"""For each pair of types: whether files with values of one load into a field of the other.

One process has a class for each type, saves objects of all, and reads each file as of each class.
What the comparison of declarations says of the two types has to be what the loaders did.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tschema.compatibility.types import is_wider
from tschema.ir.model import Schema, TypeRef

from ...support.process import run_python
from .test_changes import side

FLOAT = '"float32"'
# For each type, values that a file may hold, the most extreme ones.
TYPES = {
    "ty.bool": ["True", "False"],
    "ty.int8_t": ["-128", "127"],
    "ty.int16_t": ["-2**15", "2**15 - 1"],
    "ty.int32_t": ["-2**31", "2**31 - 1"],
    "ty.int64_t": ["-2**63", "2**63 - 1", "2**53 + 1"],
    "ty.uint8_t": ["0", "255"],
    "ty.uint16_t": ["2**16 - 1"],
    "ty.uint32_t": ["2**32 - 1"],
    "ty.uint64_t": ["2**63 - 1", "2**53 + 1"],
    "ty.float32": ["0.5", "1e38"],
    "ty.float64": ["0.1", "1e300"],
    "ty.DataType": [FLOAT],
    "ty.String": ["'a'", "'a long text of many letters'"],
    "ty.Bytes": ["b'a'", "b'\\xff'"],
    "ty.Any": ["3", "'a'", "None", "0.1"],
    "Color": ["-1", "2**31 - 1"],
    "Shade": ["-9", "2**31 - 1"],
    "ty.Optional[ty.int32_t]": ["-2**31", "None"],
    "ty.Optional[ty.int64_t]": ["2**63 - 1", "None"],
    "ty.Optional[ty.float64]": ["0.1", "None"],
    "ty.Optional[ty.String]": ["'a'", "None"],
    "ty.Union[int, str]": ["2**40", "'a'"],
    "ty.Array[ty.int32_t]": ["[1, 2**31 - 1]", "[]"],
    "ty.Array[ty.int64_t]": ["[2**40]", "[]"],
    "ty.Map[ty.String, int]": ["{'a': 1}"],
    "ShapeNode": ["toy.Shape()", "toy.Ball()"],
    "BallNode": ["toy.Ball()"],
    "ty.Optional[BallNode]": ["toy.Ball()", "None"],
    "ty.Object": ["toy.Shape()", "[1]"],
}
HEAD = '''
@declare
class Color(ty.IntEnum):
    """A color."""

    RED = -1
    BLUE = 2147483647


@declare
class Shade(ty.IntEnum):
    """A shade."""

    DARK = -9
    LIGHT = 2147483647


@declare
class ShapeNode(Object):
    """A shape."""

    type_key = "toy.Shape"
    final = False


@declare
class BallNode(ShapeNode):
    """A ball."""

    type_key = "toy.Ball"

'''
CLASS = '''
@declare
class T{index:02}Node(Object):
    """A type."""

    type_key = "toy.T{index:02}"
    x: {type} = field(doc="A value.")

'''
PROGRAM = """
import json, sys
from tschema.runtime import load_types
from uir import ir

toy = load_types(sys.argv[1])
values = json.loads(sys.argv[2])
kept = []

def is_same(one, other):
    is_number = all(isinstance(v, int | float) and not isinstance(v, bool) for v in (one, other))
    return one == other if is_number else repr(one) == repr(other)

for one, texts in enumerate(values):
    objects = [getattr(toy, f"T{one:02}")(eval(text)) for text in texts]
    for other in range(len(values)):
        def load(made):
            old, new = f"toy.T{one:02}", f"toy.T{other:02}"
            text = ir.save_json(made).replace(old, new)
            data = ir.save_binary(made).replace(old.encode(), new.encode())
            return [ir.load_json(text).x, ir.load_binary(data).x]
        loads = True
        for made in objects:
            try:
                loads &= all(is_same(found, made.x) for found in load(made))
            except (TypeError, ValueError):
                loads = False
        kept.append(loads)
print(json.dumps(kept))
"""


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> tuple[Schema, Path]:
    """Return a schema with a class for each type, and the file of its JSON IR."""
    classes = (CLASS.format(index=index, type=type_) for index, type_ in enumerate(TYPES))
    made = side(tmp_path_factory.mktemp("types"), HEAD + "".join(classes))
    return made.schema, made.file


def pairs(schema: Schema) -> Iterator[tuple[TypeRef, TypeRef]]:
    """Yield all pairs of types, in the order of the program."""
    refs = [schema.type(f"toy.T{index:02}").fields[0].type for index in range(len(TYPES))]
    for one in refs:
        yield from ((one, other) for other in refs)


def test_the_comparison_says_what_loaders_do(schema: tuple[Schema, Path]) -> None:
    declared, file = schema
    loaded = json.loads(run_python(PROGRAM, file, json.dumps(list(TYPES.values()))))
    said = [is_wider(old, new, declared) for old, new in pairs(declared)]
    wrong = [
        f"{old} -> {new}: {'loads' if loads else 'is refused'}"
        for (old, new), loads, says in zip(pairs(declared), loaded, said, strict=True)
        if loads != says
    ]
    assert "\n".join(wrong) == ""
