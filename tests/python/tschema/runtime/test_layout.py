"""A compiler emits field access from the layout facts: C that reads live objects by offset."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import pytest
from tvm_ffi import Object

import uir.ir
import uir.tir
from tschema.runtime import layout
from uir.ir import IntImm, StringImm
from uir.tir import Add, Evaluate, For, ForKind, SeqStmt, Var

from ...support.process import run_python
from .conftest import make_schema

# What tvm-ffi's C ABI says of values, texts and arrays; everything else is emitted.
PRELUDE = """
#include <stdint.h>
#include <string.h>

typedef struct { int32_t type_index; uint32_t small_len; union { char small[8]; void* object; }; }
    Value;
typedef struct { void* data; int64_t size; } Array;
typedef struct { const char* data; size_t size; } Text;
enum { kHeader = 24, kSmallStr = 11 };

#define FIELD(type, object, offset) (*(const type*)((const char*)(object) + (offset)))
#define TYPE_INDEX(object) FIELD(int32_t, object, 8)
#define IN_RANGE(object, first, last) \\
  ((uint32_t)(TYPE_INDEX(object) - (first)) <= (uint32_t)((last) - (first)))
"""

FUNCTIONS = """
int64_t constant(const void* imm) { return FIELD(int64_t, imm, IntImm_value); }

int32_t bits(const void* imm) { return FIELD(uint8_t, imm, IntImm_dtype + 1); }

int64_t extent(const void* loop) { return constant(FIELD(void*, loop, For_extent)); }

int32_t kind(const void* loop) { return FIELD(int32_t, loop, For_kind); }

int has_step(const void* loop) { return FIELD(void*, loop, For_step) != 0; }

int is_loop_var(const void* loop, const char* expected, int64_t length) {
  const Value* name = &FIELD(Value, FIELD(void*, loop, For_loop_var), Var_name);
  const Text* text = (const Text*)((const char*)name->object + kHeader);
  if (name->type_index == kSmallStr) {
    return name->small_len == length && memcmp(name->small, expected, length) == 0;
  }
  return (int64_t)text->size == length && memcmp(text->data, expected, length) == 0;
}

int64_t sum_of_values(const void* sequence) {
  const Array* seq = (const Array*)((const char*)FIELD(void*, sequence, SeqStmt_seq) + kHeader);
  int64_t sum = 0;
  for (int64_t index = 0; index < seq->size; ++index) {
    const void* statement = ((const Value*)seq->data)[index].object;
    if (TYPE_INDEX(statement) != Evaluate_index) continue;
    const void* value = FIELD(void*, statement, Evaluate_value);
    if (TYPE_INDEX(value) == IntImm_index) sum += constant(value);
  }
  return sum;
}

int is_prim_expr(const void* object) {
  return IN_RANGE(object, PrimExpr_index, PrimExpr_last);
}

int is_stmt(const void* object) { return IN_RANGE(object, Stmt_index, Stmt_last); }
"""

TYPES = ("uir.ir.IntImm", "uir.ir.PrimExpr", "uir.tir.Var", "uir.tir.For", "uir.tir.SeqStmt",
         "uir.tir.Evaluate", "uir.tir.Stmt")  # fmt: skip


def emit() -> str:
    """Return a C program whose every offset and index comes from `layout`."""
    lines = [PRELUDE]
    for found in map(layout, TYPES):
        name = found.key.rpartition(".")[2]
        lines.append(
            f"enum {{ {name}_index = {found.type_index}, {name}_last = {found.last_child} }};"
        )
        lines += [f"enum {{ {name}_{field.name} = {field.offset} }};" for field in found.fields]
    return "\n".join([*lines, FUNCTIONS])


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("fields")
    (folder / "fields.c").write_text(emit())
    command = ["cc", "-Wall", "-Werror", "-O2", "-shared", "-fPIC", "fields.c", "-o", "fields.so"]
    subprocess.run(command, cwd=folder, check=True)
    library = ctypes.CDLL(str(folder / "fields.so"))
    for name in ("constant", "extent", "sum_of_values"):
        getattr(library, name).restype = ctypes.c_int64
    return library


def address(node: Object) -> ctypes.c_void_p:
    return ctypes.c_void_p(uir.ir.object_address(node))


def make_loop(name: str, extent: int) -> For:
    return For(
        Var(name), IntImm("int32", 0), IntImm("int32", extent), ForKind.VECTORIZED,
        SeqStmt([Evaluate(IntImm("int32", value)) for value in (1, 20, 300)]),
        step=IntImm("int32", 2),
    )  # fmt: skip


def test_emitted_c_reads_numbers(compiled: ctypes.CDLL) -> None:
    for dtype, value in (("int8", -5), ("int64", -(2**63)), ("int32", 7)):
        imm = IntImm(dtype, value)
        assert compiled.constant(address(imm)) == value
        assert compiled.bits(address(imm)) == int(dtype[3:])


@pytest.mark.parametrize("name", ["i", "exactly", "longer than eight bytes", "é"])
def test_emitted_c_reads_objects_and_texts(compiled: ctypes.CDLL, name: str) -> None:
    loop = make_loop(name, 17)
    text = name.encode()
    assert compiled.extent(address(loop)) == 17
    assert compiled.kind(address(loop)) == ForKind.VECTORIZED
    assert compiled.has_step(address(loop)) == 1
    assert compiled.is_loop_var(address(loop), text, ctypes.c_int64(len(text))) == 1
    assert compiled.is_loop_var(address(loop), b"other", ctypes.c_int64(5)) == 0


def test_emitted_c_reads_elements(compiled: ctypes.CDLL) -> None:
    assert compiled.sum_of_values(address(make_loop("i", 1).body)) == 321


def test_emitted_c_checks_ranges_of_children(compiled: ctypes.CDLL) -> None:
    loop = make_loop("i", 1)
    expressions = (loop.min, loop.loop_var, Add(loop.min, loop.min), StringImm("a"))
    statements = (loop, loop.body, loop.body.seq[0])
    for node in expressions:
        assert (compiled.is_prim_expr(address(node)), compiled.is_stmt(address(node))) == (1, 0)
    for node in statements:
        assert (compiled.is_prim_expr(address(node)), compiled.is_stmt(address(node))) == (0, 1)


def test_facts_of_a_type() -> None:
    found = layout("uir.tir.For")
    assert (found.key, found.size, found.align, found.depth) == ("uir.tir.For", 96, 8, 2)
    assert (found.is_abstract, found.structural) == (False, "tree")
    assert found.last_child == found.type_index
    stmt = layout("uir.tir.Stmt")
    assert stmt.is_abstract
    assert stmt.type_index < found.type_index <= stmt.last_child
    assert [field.name for field in found.fields][:2] == ["span", "loop_var"]
    span, kind = found.field("span"), found.field("kind")
    assert (span.kind, span.type, span.structural) == ("object", "Optional[uir.ir.Span]", "ignore")
    assert (span.kw_only, span.has_default, span.init, span.mutable) == (True, True, True, False)
    assert (kind.kind, kind.type, kind.size) == ("enum", "enum uir.tir.ForKind", 4)
    assert found.field("loop_var").structural == "def"
    assert layout("uir.tir.Var").structural == "var"
    with pytest.raises(KeyError, match="`uir.tir.For` has no field `steps`"):
        found.field("steps")


@pytest.mark.parametrize("key", ["uir.tir.Nothing", "int", ""])
def test_unknown_types_are_refused(key: str) -> None:
    with pytest.raises(ValueError, match=f"type `{key}` is not registered"):
        layout(key)


CHILDREN = '''
from tschema import declare, field, ty
from uir.schema.ir.expr import PrimExprNode

@declare
class {name}Node(PrimExprNode):
    """Another package's."""
    type_key = "small.{name}"
    structural = "dag"
    value: PrimExprNode = field(doc="Its operand.")
'''

DECLARED = """
import sys
from tschema.runtime import layout, load_types
small = load_types(sys.argv[1])
from uir.ir import IntImm
from uir.tir import Add
one = IntImm("int32", 1)
print(small.Wrap("int32", one), Add(one, small.Wrap("int32", one)).b.value.value)
for name in ("uir.ir.PrimExpr", "small.Wrap"):
    found = layout(name)
    print(found.last_child - found.type_index, found.structural, found.is_abstract)
wrapped, base = layout("small.Wrap"), layout("uir.ir.PrimExpr")
assert wrapped.depth == base.depth + 1
print(wrapped.fields[-1])
"""


def test_loaded_types_below_another_package(tmp_path: Path) -> None:
    schema = make_schema(tmp_path / "project", CHILDREN.format(name="Wrap"), imports=("uir",))
    printed = run_python(DECLARED, schema).splitlines()
    assert printed[0].endswith(" 1")
    assert printed[1:3] == ["36 tree True", "0 dag False"]
    assert "name='value', offset=40, size=8, align=8, kind='object'" in printed[3]
