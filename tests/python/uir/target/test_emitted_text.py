"""How emitted C reads: the text of functions, names, and freed memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from uir import script, tir
from uir.ir import GlobalVar, IRModule, PrimExpr, with_attr
from uir.target import Target, emit_c
from uir.tir import BufferStore, PrimFunc, Var, const, decl_buffer
from uir.transform import FlattenBuffer, Sequential, VectorizeLoop

from ...support.compiled_c import load_c

LOWER = Sequential([FlattenBuffer(), VectorizeLoop()])


def functions_of(text: str) -> str:
    """Return the functions of a text, without what stands before them and the entries."""
    begin, end = text.index("\n// ") + 1, text.index("\nENTRY")
    while not text[begin:].startswith("// main"):
        begin = text.index("\n// ", begin) + 1
    return text[begin:end]


def emitted(body: str) -> str:
    """Return the text of `main`, whose parameters and lines are given."""
    module = script.parse(f"@uir.script.ir_module\nclass Module:\n{body}", file="model.py")
    return functions_of(emit_c(LOWER(module), Target()))


def test_loops_conditions_and_arithmetic() -> None:
    assert (
        emitted(
            """
    @tir.prim_func
    def main(A: tir.Buffer((9, 8), "float32"), B: tir.Buffer((9,), "int8"), n: tir.int32):
        for i in range(n):
            total = tir.alloc_buffer((1,), "float32")
            total[0] = 0.0
            for j in range(1, 8, 2):
                if B[i] < 0 and j != 3:
                    continue
                elif A[i, j] > 100.0:
                    break
                total[0] = total[0] + A[i, j] * 2.0 - (A[i, 0] - 1.0)
            B[i] = B[i] * B[i] + tir.int8(i // 2 % 3)
            A[i, 0] = tir.if_then_else(n - i > 2, tir.max(total[0], 0.5), tir.exp(-total[0]))
"""
        )
        == """\
// main, line 5 of model.py
static int32_t main_(float* A, int8_t* B, int32_t n) {
  for (int32_t i = 0; i < n; ++i) {
    float total[1];
    total[0] = 0.0f;
    for (int32_t j = 1; j < 8; j += 2) {
      if (B[i] < 0 && j != 3) {
        continue;
      } else if (A[i * 8 + j] > 100.0f) {
        break;
      }
      total[0] = total[0] + A[i * 8 + j] * 2.0f - (A[i * 8] - 1.0f);
    }
    B[i] = B[i] * B[i] + (int8_t)(i / 2 % 3);
    A[i * 8] = n - i > 2 ? max_float32(total[0], 0.5f) : exp_float32(-1.0f * total[0]);
  }
  return 0;
}
"""
    )


def test_vectors() -> None:
    assert (
        emitted(
            """
    @tir.prim_func
    def main(A: tir.Buffer((64,), "float32"), B: tir.Buffer((64,), "float32"), s: tir.float32):
        for i in range(8):
            for j in tir.vectorized(8):
                B[i * 8 + j] = tir.Select(A[i * 8 + j] < s, A[i * 8 + j] * s, A[j * 8 + i])
"""
        )
        == """\
// main, line 5 of model.py
static int32_t main_(const float* A, float* B, float s) {
  for (int32_t i = 0; i < 8; ++i) {
    store_float32x8(&B[i * 8], select_float32x8(load_float32x8(&A[i * 8]) < s,
        load_float32x8(&A[i * 8]) * s, strided_float32x8(&A[i], 8)));
  }
  return 0;
}
"""
    )


def test_bounds_in_memory_are_read_once() -> None:
    assert (
        emitted(
            """
    @tir.prim_func
    def main(A: tir.Buffer((8,), "int32")):
        for i in range(A[0]):
            A[0] = A[0] - 1
        for i in range(A[1], A[2]):
            A[1] = i
"""
        )
        == """\
// main, line 5 of model.py
static int32_t main_(int32_t* A) {
  const int32_t extent = A[0];
  for (int32_t i = 0; i < extent; ++i) {
    A[0] -= 1;
  }
  const int32_t start = A[1];
  const int32_t extent1 = A[2] - A[1];
  for (int32_t i = start; i < start + extent1; ++i) {
    A[1] = i;
  }
  return 0;
}
"""
    )


def test_memory_is_freed_on_every_way_out() -> None:
    assert (
        emitted(
            """
    @tir.prim_func
    def main(A: tir.Buffer((8,), "int32"), n: tir.int32) -> tir.int32:
        for i in range(8):
            rows = tir.alloc_buffer((n,), "int32")
            if A[i] == 1:
                break
            if A[i] == 2:
                tir.ret(i)
            assert A[i] > 0, "negative"
            rows[0] = i
        tir.ret(-1)
"""
        )
        == """\
// main, line 5 of model.py
static int32_t main_(const int32_t* A, int32_t n, int32_t* result) {
  for (int32_t i = 0; i < 8; ++i) {
    int32_t* rows = allocate_workspace(n, sizeof(int32_t));
    if (rows == NULL) return -1;
    if (A[i] == 1) {
      free_workspace(rows);
      break;
    }
    if (A[i] == 2) {
      *result = i;
      free_workspace(rows);
      return 0;
    }
    if (!(A[i] > 0)) {
      free_workspace(rows);
      return raise_error("RuntimeError", "negative");
    }
    rows[0] = i;
    free_workspace(rows);
  }
  *result = -1;
  return 0;
}
"""
    )


NAMES = ["int", "float", "min_float", "min_float32", "exp", "exp10", "exp10_1", "x_", "1a", "a b"]
NAMES += [
    "NULL",
    "free",
    "args",
    "result",
    "size_t",
    "int32x4",
    "ä",
    "",
    "main_",
    "isnan",
    "v",
    "v",
]


def test_any_name_becomes_an_identifier(tmp_path: Path) -> None:
    outputs = [decl_buffer([const(1)], "float32", name) for name in NAMES]
    variables = [Var(name, "int32") for name in NAMES]
    binds = [tir.Bind(variable, const(place)) for place, variable in enumerate(variables)]
    stores = [
        BufferStore(buffer, tir.exp(tir.min(tir.cast(variable, "float32"), const(3.0))), [const(0)])
        for buffer, variable in zip(outputs, variables, strict=True)
    ]
    handles = [Var(name, "handle") for name in NAMES]
    func = PrimFunc(
        handles, tir.SeqStmt([*binds, *stores]), buffer_map=dict(zip(handles, outputs, strict=True))
    )
    module = IRModule({GlobalVar("f"): with_attr(func, "global_symbol", "f")})
    arrays = [np.zeros(1, "float32") for _ in NAMES]
    load_c(emit_c(module, Target()), tmp_path).f(*arrays)
    expected = np.exp(np.minimum(np.arange(len(NAMES)), 3))
    assert np.allclose(np.concatenate(arrays), expected)


def test_functions_get_names_of_their_own() -> None:
    n = Var("n", "int32")
    functions = {
        GlobalVar(name): with_attr(PrimFunc([n], tir.Evaluate(n)), "global_symbol", f"f{place}")
        for place, name in enumerate(["a b", "a_b", "a.b", "exp", ""])
    }
    text = emit_c(IRModule(functions), Target())
    names = ["a_b_", "a_b_1_", "a_b_2_", "exp_", "v_"]
    assert [name for name in names if f"static int32_t {name}(" not in text] == []


def one_store(value: PrimExpr, buffer: tir.Buffer) -> str:
    """Return the text of a function `f` that stores a value in the first element of a buffer."""
    handle = Var("h", "handle")
    func = PrimFunc([handle], BufferStore(buffer, value, [const(0)]), buffer_map={handle: buffer})
    return emit_c(IRModule({GlobalVar("f"): with_attr(func, "global_symbol", "f")}), Target())


def test_what_is_shared_is_written_a_few_times(tmp_path: Path) -> None:
    buffer = decl_buffer([const(1)], "int32", "A")
    value: PrimExpr = tir.BufferLoad(buffer, [const(0)])
    expected = 5
    for _ in range(200):
        value = value * 3 + (value - 1)
        expected = expected * 4 - 1
    text = one_store(value, buffer)
    assert len(text) < 50_000
    array = np.array([5], "int32")
    load_c(text, tmp_path).f(array)
    assert array[0] == np.array(expected % 2**32, "uint32").astype("int32")


def test_deep_expressions_are_emitted() -> None:
    buffer = decl_buffer([const(1)], "int32", "A")
    load = tir.BufferLoad(buffer, [const(0)])
    left: PrimExpr = load
    right: PrimExpr = load
    for _ in range(20_000):
        left, right = tir.Add(left, const(7)), tir.Min(const(7), right)
    assert "A[0] + 7 + 7" in one_store(left, buffer)
    assert "min_int32(7, min_int32(7, " in one_store(right, buffer)
