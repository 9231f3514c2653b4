"""Scalars that a program changes, elements by their address, and methods, as users of TVM write."""

from __future__ import annotations

from textwrap import dedent

import pytest

from uir import ir, script
from uir.script import ScriptError

from . import tvm_bodies

HEADER = """\
@tir.prim_func
def main(A: tir.Buffer((16,), "float32"), B: tir.Buffer((4, 4), "int32"), n: tir.int32):
"""


function, check, error = tvm_bodies.in_function(HEADER)


def test_a_scalar_that_changes_is_memory() -> None:
    canonical = """
        x = tir.alloc_buffer((1,), "int32", scope="local")
        x[0] = 0
        for i in range(n):
            x[0] = x[0] + i
            if i < 4:
                x[0] = x[0] * 2
        tir.evaluate(x[0])
    """
    rest = """
        for i in range(n):
            x = x + i
            if i < 4:
                x *= 2
        tir.evaluate(x)
    """
    for first in ("x: T.int32 = 0", "x: T.i32\nx = 0", 'x = T.local_scalar("int32")\nx = 0'):
        check(first + dedent(rest), canonical)


def test_a_scalar_that_does_not_change_is_a_binding() -> None:
    body = """
        for i in range(n):
            x: tir.int32 = i
            tir.evaluate(x)
        x_1: tir.int32 = n
        tir.evaluate(x_1)
    """
    check(body, body)
    # The other `x` is in a loop of its own.
    loop = "for i in range(n):\n    x: {}int32 = i\n    tir.evaluate(x)\n".format
    second = loop("T.").replace(": T.int32", "")
    check(loop("T.") + second, loop("tir.") * 2)


def test_memory_by_a_type() -> None:
    check(
        """
        v: T.float32[8]
        m: T.f16[2, 4]
        w = T.alloc_local([8], "float32")
        s = T.alloc_shared((8,), "int8")
        t = T.shared_scalar("float32")
        v[0] = w[0]
        t = v[1]
        """,
        """
        v = tir.alloc_buffer((8,), "float32", scope="local")
        m = tir.alloc_buffer((2, 4), "float16", scope="local")
        w = tir.alloc_buffer((8,), "float32", scope="local")
        s = tir.alloc_buffer((8,), "int8", scope="shared")
        t = tir.alloc_buffer((1,), "float32", scope="shared")
        v[0] = w[0]
        t[0] = v[1]
        """,
    )


def test_a_relay_function_has_no_memory() -> None:
    text = """
@R.function
def main(x: R.Tensor((2,), "float32")):
    y: R.Tensor((2,))
    return x
"""
    with pytest.raises(ScriptError, match="expected `=` and a value"):
        script.parse_value(text)


def test_elements_by_their_address() -> None:
    check(
        """
        p = T.allocate([16], "float32", "global")
        p[0] = p[n] + T.load("float32", A.data, 1)
        T.store(A.data, n, p[1])
        T.store(A.data, T.ramp(0, 1, 4), T.load("float32x4", p, T.ramp(n, 1, 4)), True)
        """,
        """
        p = tir.alloc_buffer((16,), "float32")
        p[0] = p[n] + A[1]
        A[n] = p[1]
        A[tir.Ramp(0, 1, 4)] = p[tir.Ramp(n, 1, 4)]
        """,
    )
    check(
        'p: T.handle("int32") = T.allocate([n], "int32")\nT.evaluate(p[0])',
        'p = tir.alloc_buffer((n,), "int32")\ntir.evaluate(p[0])',
    )
    message = error('T.evaluate(T.load("int32", B.data, 0))')
    assert "<text>:3:32: error: expected the address of a flat buffer of these elements" in message
    assert "help: declare one: `F = tir.decl_buffer(" in message


@pytest.mark.parametrize(
    ("expression", "canonical"),
    [
        ('B[0, 0].astype("float32")', "tir.float32(B[0, 0])"),
        ('(n + 1).astype("int32")', "n + 1"),
        ("tir.isnullptr(B.ptr_to([n, 0]))", "tir.isnullptr(tir.address_of(B[n, 0]))"),
        (
            'tir.call_extern("f", B.scope(), dtype="int32")',
            'tir.call_extern("f", "global", dtype="int32")',
        ),
        ("min(n, 4)", "tir.min(n, 4)"),
        ("max(A[0], 1, A[1])", "tir.max(tir.max(A[0], 1.0), A[1])"),
        ("abs(n) + abs(-3)", "tir.abs(n) + 3"),
        ("n + int(7.5) + max([2, 5, 3]) + min(2, 0.5)", "tir.float32(n + 7 + 5) + 0.5"),
        ("tir.pow(x=A[0], y=A[1])", "tir.pow(A[0], A[1])"),
        ("tir.pow(A[0], y=A[1], span=None)", "tir.pow(A[0], A[1])"),
        ("tir.if_then_else(cond=n < 1, t=n, f=0)", "tir.if_then_else(n < 1, n, 0)"),
        ("tir.shift_left(y=2, x=n)", "n << 2"),
        ("tir.exp2(x=A[0])", "tir.exp2(A[0])"),
        ("tir.max(a=n, b=2, span=None)", "tir.max(n, 2)"),
    ],
)
def test_methods_and_functions_of_python(expression: str, canonical: str) -> None:
    wanted = script.parse_value(function(f"y = {canonical}"))
    parsed = script.parse_value(function(f"y = {expression}"))
    assert ir.structural_equal(parsed, wanted), script.print(parsed)
    assert script.print(parsed) == script.print(wanted)


def test_wrong_operands_by_name() -> None:
    assert "error: an operand in front of the named ones is missing" in error("T.pow(y=A[0])")
    assert "error: the operand is given twice" in error("T.pow(A[0], x=A[0])")
    assert "error: unknown argument `base`" in error("T.exp(base=A[0])")


def test_masks_of_bits() -> None:
    check(
        "x = T.meta_var(A.vload([T.Ramp(0, 1, 4)], "
        'predicate=T.get_active_lane_mask("uint1x4", n, 3)))\n'
        "A.vstore([T.Ramp(4, 1, 4)], x, predicate=T.Broadcast(n < 3, 4))",
        "A.vstore([tir.Ramp(4, 1, 4)], A.vload([tir.Ramp(0, 1, 4)], "
        'predicate=tir.get_active_lane_mask(n, 3, dtype="boolx4")), '
        "predicate=tir.Broadcast(n < 3, 4))",
    )


def test_integers_as_conditions() -> None:
    check("assert n, 'wrong'\n0", 'assert n != 0, "wrong"\ntir.evaluate(0)')
    check("if n:\n    T.evaluate(n)", "if n != 0:\n    tir.evaluate(n)")
    check("while 1:\n    break", "while True:\n    break")


def test_options_of_buffers() -> None:
    check(
        """
        C = T.alloc_buffer((4,), "float32", "shared")
        D = T.alloc_buffer((4,), layout=None)
        E = T.alloc_buffer((4,), buffer_type="auto", layout="default")
        C[0] = D[0] + E[0]
        """,
        """
        C = tir.alloc_buffer((4,), "float32", scope="shared")
        D = tir.alloc_buffer((4,), "float32")
        E = tir.alloc_buffer((4,), "float32", buffer_type="auto_broadcast")
        C[0] = D[0] + E[0]
        """,
    )
    message = error('C = T.alloc_buffer((4,), layout="NCHW")')
    assert "error: a buffer has no layout here but that of its rows" in message


def test_axes_of_pragmas() -> None:
    first = script.parse_value(
        function(
            'with T.attr(T.iter_var(None, None, "DataPar", ""), "pragma_unroll", 1):\n'
            "    T.evaluate(0)"
        )
    ).body
    assert script.print(first.node).endswith('tir.IterVar(v, None, "spatial")')
    check(
        'T.attr(T.iter_var(n, (0, 16), "ThreadIndex", "threadIdx.x"), "thread_extent", 16)\n'
        "T.evaluate(n)",
        'with tir.attr(tir.IterVar(n, ir.Range(0, 16), "thread_index", "threadIdx.x"), '
        '"thread_extent", 16):\n    tir.evaluate(n)',
    )


def test_the_namespace_of_schedules() -> None:
    text = """\
from tvm.script import s_tir as S

n = S.dynamic("n")

@S.prim_func
def main(A: S.Buffer((n,), "float32")):
    for i in S.serial(A.shape[0]):
        with S.sblock("copy"):
            v = S.axis.spatial(A.shape[0], i)
            A[v] = S.float32(1)
"""
    canonical = """\
n = tir.Var("n", "int64")

@tir.prim_func
def main(A: tir.Buffer((n,), "float32")):
    for i in range(n):
        with tir.block("copy"):
            v = tir.axis.spatial(n, i)
            tir.reads()
            tir.writes(A[v])
            A[v] = 1.0"""
    assert ir.structural_equal(
        script.parse_value(text), script.parse_value(canonical), map_free_vars=True
    ), script.print(script.parse_value(text))


def test_where_the_buffer_of_a_region_begins() -> None:
    parsed = script.parse_value(
        function(
            """
            with T.block():
                S = T.match_buffer(B[n : n + 2, 1:3], (2, 2), offset_factor=1)
                with T.block():
                    E = T.match_buffer(S[1, 0], (), offset_factor=1)
                    T.call_extern("f", E.data, E.elem_offset, S.strides[0], A.elem_offset)
            """
        )
    )
    inner = parsed.body.block.body.block.body
    # The outer buffer begins at row n and column 1, and the inner one a row of two below it.
    assert (
        script.print(inner).split("\n")[-1].endswith('"f", E, n * 4 + 1 + 2, 2, 0, dtype="void"))')
    )


def test_attributes_in_a_dictionary_and_loops_over_elements() -> None:
    parsed = script.parse_value(
        function(
            "tir.func_attr(attrs)\nfor i in range(*bounds):\n    tir.evaluate(tir.constexpr(i))"
        ),
        resolve=lambda name: {"attrs": {"k": 1}, "bounds": [2, 4]}.get(name),
    )
    assert parsed.attrs.dict["k"] == 1
    assert script.print(parsed.body) == "for i in range(2, 4):\n    tir.evaluate(i)"


def test_what_is_not_here_says_what_to_write() -> None:
    message = error("T.evaluate(T.Ramp(0, 1, T.vscale() * 4))")
    assert "error: expected the number of lanes, a constant" in message
    assert "help: vectors of a length that the target decides" in message
    message = error('with T.block([16, 16], "b") as [vi, vj]:\n    T.evaluate(vi)')
    assert "help: axes are statements of a block: `vi, vj = tir.axis.remap(" in message
