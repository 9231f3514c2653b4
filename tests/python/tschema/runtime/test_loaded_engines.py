"""Every engine, tvm-ffi's and ours, takes objects of loaded types."""

from __future__ import annotations

from pathlib import Path

from ...support.process import run_python
from .conftest import make_schema

GRAPH = '''
from tschema import Object, declare, field, ty

@declare
class Mode(ty.IntEnum):
    """A mode."""
    SLOW = 1
    FAST = 2

@declare
class ExprNode(Object):
    """
    An expression.

    Attributes
    ----------
    note
        Not compared.
    """
    type_key = "small.Expr"
    abstract = True
    note: ty.String = field(default="", kw_only=True, structural="ignore")

@declare
class VarNode(ExprNode):
    """
    A variable.

    Attributes
    ----------
    name
        Its name.
    """
    type_key = "small.Var"
    structural = "var"
    name: ty.String = field(structural="ignore")

@declare
class BindNode(ExprNode):
    """
    A value with a name.

    Attributes
    ----------
    var
        The name.
    value
        The value.
    body
        What uses it.
    """
    type_key = "small.Bind"
    var: VarNode = field(structural="def")
    value: ty.Optional[ExprNode]
    body: ty.Array[ExprNode]

@declare
class DataNode(ExprNode):
    """
    Values of many kinds.

    Attributes
    ----------
    mode
        An enum.
    dtype, number, half, text
        Plain values.
    either
        One of two.
    table
        By name.
    """
    type_key = "small.Data"
    mode: Mode = Mode.FAST
    dtype: ty.DataType = "int32"
    number: ty.int16_t = -3
    half: ty.float32 = 0.5
    text: ty.String = "text of more than sixteen bytes"
    either: ty.Union[ty.int64_t, ty.String] = "a"
    table: ty.Map[ty.String, ty.Any] = field(default_factory=dict)
'''

PROGRAM = """
import copy, json, pickle, sys
import tvm_ffi
import tvm_ffi.serialization
from tschema import runtime
small = runtime.load_types(sys.argv[1])
import small as imported
assert imported is small


def graph(name, number=1, shared=None):
    var = small.Var(name)
    data = shared or small.Data(number=number, table={"k": [number, 1.5]}, note=name)
    return small.Bind(var, data, [var, data, small.Bind(small.Var("inner"), None, [var])])


one, same, other = graph("x"), graph("y"), graph("x", 2)
for equal in (runtime.structural_equal, tvm_ffi.structural_equal):
    assert equal(one, same) and not equal(one, other)
for hash_of in (runtime.structural_hash, tvm_ffi.structural_hash):
    assert hash_of(one) == hash_of(same) != hash_of(other)
assert runtime.structural_hash(one) == tvm_ffi.structural_hash(one)
mismatch = runtime.first_mismatch(one, other)
assert "number" in str(mismatch), mismatch

text = runtime.save_json(one)
for loaded in (
    runtime.load_json(text),
    runtime.load_json(tvm_ffi.serialization.to_json_graph_str(one)),
    tvm_ffi.serialization.from_json_graph_str(text),
    runtime.load_binary(runtime.save_binary(one)),
    pickle.loads(pickle.dumps(one)),
    copy.deepcopy(one),
    runtime.deep_copy(one),
):
    assert type(loaded) is small.Bind and loaded.var.name == "x"
    assert runtime.structural_equal(loaded, one)
    assert loaded.value.same_as(loaded.body[1]) and loaded.var.same_as(loaded.body[0])
    assert loaded.value.mode is small.Mode.FAST and loaded.value.note == "x"

document = json.loads(text)
for wrong in (40_000, "1", None):
    for node in document["nodes"]:
        if node["type"] == "small.Data":
            node["data"]["number"] = wrong
    try:
        runtime.load_json(json.dumps(document))
    except (TypeError, ValueError) as error:
        assert "number" in str(error), error
    else:
        raise AssertionError(wrong)

seen = []
runtime.walk(one, lambda node: seen.append(node))
assert sum(isinstance(node, small.Data) for node in seen) >= 1
assert runtime.map(one, lambda node: node).same_as(one)
faster = runtime.map(
    one, lambda node: small.Data(mode=small.Mode.SLOW) if isinstance(node, small.Data) else node
)
assert faster.value.mode is small.Mode.SLOW and one.value.mode is small.Mode.FAST
assert str(one) == repr(one) and "small.Bind(" in str(one)
print(one.value.__replace__(number=5).number)

chain = small.Var("end")
for _ in range(200_000):
    chain = small.Bind(small.Var("v"), chain, [])
copied = runtime.load_binary(runtime.save_binary(chain))
assert runtime.structural_equal(copied, chain, map_free_vars=True)
assert runtime.structural_hash(copied, map_free_vars=True) == runtime.structural_hash(
    chain, map_free_vars=True)
"""


def test_every_engine_takes_loaded_types(tmp_path: Path) -> None:
    schema = make_schema(tmp_path / "project", GRAPH)
    assert run_python(PROGRAM, schema) == "5\n"
