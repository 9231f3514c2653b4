"""Other names and places of arguments, and statements of older versions of TVM."""

from __future__ import annotations

import pytest

from uir import ir, script

from . import tvm_bodies

HEADER = """\
@tir.prim_func
def main(A: tir.Buffer((16, 16), "float32"), B: tir.Buffer((16, 16), "int32"), n: tir.int32):
"""


function, check, whole_error = tvm_bodies.in_function(HEADER)


def error(body: str) -> str:
    return whole_error(body).split("\n")[0].removeprefix("<text>:")


@pytest.mark.parametrize(
    ("line", "canonical"),
    [
        ("for i in T.serial(start=0, stop=n):", "for i in range(n):"),
        ("for i in T.parallel(2, stop=n + 2):", "for i in tir.parallel(2, 2 + (n + 2 - 2)):"),
        (
            'for i in T.thread_binding(start=0, stop=16, thread="threadIdx.x"):',
            'for i in tir.thread_binding(16, thread="threadIdx.x"):',
        ),
        ("for i in range(2 ** 4):", "for i in range(16):"),
        ("for (i, j) in T.grid(16, n):", "for i in range(16):\n    for j in range(n):"),
        ("for [i, j] in T.grid(16, n):", "for i in range(16):\n    for j in range(n):"),
        ("for i, j, in T.grid(16, n):", "for i in range(16):\n    for j in range(n):"),
    ],
)
def test_loops(line: str, canonical: str) -> None:
    by = "    " * (canonical.count("\n") + 1)
    check(f"{line}\n    A[i, 0] = 1.0", f"{canonical}\n{by}A[i, 0] = 1.0")


def test_names_of_arguments_of_blocks() -> None:
    check(
        """
for i, j in T.grid(16, 4):
    with T.block(name_hint="copy"):
        vi = T.axis.spatial(dom=16, binding=i, dtype="int32")
        vk = T.axis.reduce(dom=(0, 8), binding=j)
        T.reads((A[vi, vk], B[vi, 0]))
        T.writes((A[vi, 0],))
        M = T.match_buffer(A[vi, 4:8])
        A[vi, 0] = M[0, 0]
""",
        """
for i in range(16):
    for j in range(4):
        with tir.block("copy"):
            vi = tir.axis.spatial(16, i)
            vk = tir.axis.reduce(8, j)
            tir.reads(A[vi, vk], B[vi, 0])
            tir.writes(A[vi, 0])
            M = tir.match_buffer(A[vi, 4:8], (1, 4), "float32")
            A[vi, 0] = M[0, 0]
""",
    )


def test_an_axis_has_the_type_of_its_domain() -> None:
    wrong = 'with T.block():\n    vi = T.axis.S(16, 0, dtype="int64")'
    assert error(wrong) == "4:36: error: an axis has the data type of its domain"


@pytest.mark.parametrize("target", ["[vi, vj]", "(vi, vj)"])
def test_targets_in_brackets(target: str) -> None:
    body = f"""
for i, j in T.grid(16, 16):
    with T.block("b"):
        {target} = T.axis.remap("SS", [i, j])
        A[vi, vj] = 0.0
"""
    assert "vj = tir.axis.spatial(16, j)" in script.print(script.parse_value(function(body)))


@pytest.mark.parametrize(
    ("value", "canonical"),
    [
        ("1", "1.0"),
        ("True", "1.0"),
        ("T.int32(3)", "3.0"),
        ("T.Select(n > 0, 1, 2)", "tir.float32(tir.Select(n > 0, 1, 2))"),
        ("B[0, 1]", "tir.float32(B[0, 1])"),
        ("n > 0", "tir.float32(n > 0)"),
    ],
)
def test_a_store_converts(value: str, canonical: str) -> None:
    check(f"A[0, 0] = {value}", f"A[0, 0] = {canonical}")


def test_a_fraction_is_no_integer() -> None:
    assert "operand `value` must be `int32` to go to `B`" in error("B[0, 0] = 1.5")
    check("B[0, 0] = 2.0", "B[0, 0] = 2")


def test_a_store_of_a_vector_converts() -> None:
    check(
        "A[0, 0:4] = n\nA[0, 0:4] = B[0, 4:8]",
        """
A[0, tir.Ramp(0, 1, 4)] = tir.Broadcast(tir.float32(n), 4)
A[0, tir.Ramp(0, 1, 4)] = tir.float32x4(B[0, tir.Ramp(4, 1, 4)])
""",
    )


def test_a_vector_does_not_go_to_an_element() -> None:
    assert "operand `value` must be `float32`" in error("A[0, 0] = B[0, 4:8]")


def test_several_items_behind_with() -> None:
    check(
        """
with T.launch_thread("blockIdx.x", 4) as bx, T.launch_thread("threadIdx.x", 8):
    A[bx, 0] = 1.0
""",
        """
with tir.launch_thread("blockIdx.x", 4) as bx:
    with tir.launch_thread("threadIdx.x", 8) as threadIdx_x:
        A[bx, 0] = 1.0
""",
    )


def test_several_threads_in_one_line() -> None:
    check(
        """
bx, tx = T.launch_thread("blockIdx.x", 4), T.launch_thread("threadIdx.x", 8)
A[bx, tx] = 1.0
""",
        """
with tir.launch_thread("blockIdx.x", 4) as bx:
    with tir.launch_thread("threadIdx.x", 8) as tx:
        A[bx, tx] = 1.0
""",
    )


@pytest.mark.parametrize(
    "body",
    [
        "x = T.Bind(3)\nA[x, x] = 1.0",
        "with T.Bind(3) as x:\n    A[x, x] = 1.0",
        "x = T.let(3)\nA[x, x] = 1.0",
        "x = T.int32()\nT.Bind(3, var=x)\nA[x, x] = 1.0",
        "x = T.int32()\nT.LetStmt(3, var=x)\nA[x, x] = 1.0",
        "x = T.int32()\nT.let(x, 3)\nA[x, x] = 1.0",
    ],
)
def test_bindings(body: str) -> None:
    check(body, "x: tir.int32 = 3\nA[x, x] = 1.0")


def test_a_binding_by_its_fields_stays_a_statement() -> None:
    stmt = script.parse_value("x = tir.Var('x', 'int32')\ntir.Bind(var=x, value=3)")
    assert type(stmt).__name__ == "Bind"


@pytest.mark.parametrize("form", ["T.buffer_decl", "T.decl_buffer", "T.Buffer"])
def test_declared_buffers(form: str) -> None:
    check(
        f'F = {form}([256], dtype="float32", data=A.data)\nF[3] = 1.0',
        'F = tir.decl_buffer((256,), "float32", data=A.data)\nF[3] = 1.0',
    )


def test_a_preflattened_buffer_is_that_of_the_parameter() -> None:
    text = """
@T.prim_func
def main(A: T.Buffer[(256,), "float32"]):
    T.preflattened_buffer(A, [16, 16], data=A.data)
    A[3] = 1.0
"""
    canonical = """
@T.prim_func
def main(A: T.Buffer((16, 16), "float32")):
    F = T.decl_buffer((256,), "float32", data=A.data)
    F[3] = 1.0
"""
    assert ir.structural_equal(script.parse_value(text), script.parse_value(canonical))
    assert error("T.preflattened_buffer(T.Buffer((4,)), [2, 2])").startswith("3:27: error: ")


@pytest.mark.parametrize("form", ["p = {}", "with {} as p:"])
def test_constants_are_stored(form: str) -> None:
    with_form = form.startswith("with")
    by = "    " if with_form else ""
    call = 'T.allocate_const([[1, 2], [3, 4]], "int32", [2, 2])'
    check(
        f'{form.format(call)}\n{by}C = T.Buffer((4,), "int32", data=p)\n{by}B[0, 0] = C[3]',
        """
p = tir.alloc_buffer((4,), "int32")
p[0] = 1
p[1] = 2
p[2] = 3
p[3] = 4
C = tir.decl_buffer((4,), "int32", data=p.data)
B[0, 0] = C[3]
""",
    )


def test_as_many_constants_as_elements() -> None:
    wrong = 'p = T.allocate_const([1, 2, 3], "int32", [4])'
    assert error(wrong).startswith("3:46: error: there are 3 numbers; expected as many as")


def test_realize_is_not_supported() -> None:
    assert error('with T.realize(A[0:16, 0:16], ""):\n    pass') == (
        "3:10: error: `T.realize` is not supported"
    ).replace("T.", "tir.")


@pytest.mark.parametrize(
    ("expr", "canonical"),
    [
        ("T.all(n > 0, n < 4, B[0, 0] == 1)", "n > 0 and n < 4 and B[0, 0] == 1"),
        ("T.any(n > 0, n < 4)", "n > 0 or n < 4"),
        ("T.add(n, 1)", "n + 1"),
        ("T.subtract(n, 1)", "n - 1"),
        ("T.multiply(n, 2)", "n * 2"),
        ("T.div(n, 2)", "tir.truncdiv(n, 2)"),
        ("T.indexdiv(n, 2)", "n // 2"),
        ("T.indexmod(n, 2)", "n % 2"),
        ('T.const(1, "int8")', "tir.int8(1)"),
        ('T.IntImm("int64", 1)', "tir.int64(1)"),
        ('tvm.tir.FloatImm("float16", 1.0)', "tir.float16(1.0)"),
        ("A[0, 0] ** 2", "tir.pow(A[0, 0], 2.0)"),
        ("3 ** 4", "81"),
        ("(-1) ** 9223372036854775807", "-1"),
        ('T.fabs(A[0, 0], dtype="float32")', "tir.abs(A[0, 0])"),
        ("T.reinterpret(T.int32, A[0, 0])", 'tir.reinterpret(A[0, 0], dtype="int32")'),
        ("T.address_of(A[0, 0])", "tir.address_of(A[0, 0])"),
        ("T.tvm_warp_activemask()", "tir.tvm_warp_activemask()"),
        ("T.vscale()", "tir.vscale()"),
        ("T.cast(n, A[0, 0].dtype)", "tir.float32(n)"),
    ],
)
def test_expressions(expr: str, canonical: str) -> None:
    shown = f"({canonical})" if " and " in canonical or " or " in canonical else canonical
    check(f"assert T.likely({expr} == {expr})", f"assert tir.likely({shown} == {shown})")


@pytest.mark.parametrize(
    ("expr", "dtype"),
    [
        ("T.address_of(A[0, 0])", "handle"),
        ("T.vscale()", "int32"),
        ("T.tvm_warp_activemask()", "uint32"),
        ("T.tvm_stack_make_shape(n, n)", "handle"),
        ("T.tvm_warp_shuffle(T.tvm_warp_activemask(), A[0, 0], n, 32, 32)", "float32"),
    ],
)
def test_types_of_calls(expr: str, dtype: str) -> None:
    parsed = script.parse_value(function(f"T.evaluate({expr})"))
    assert str(parsed.body.value.dtype) == dtype


def test_a_power_out_of_range() -> None:
    assert error("T.evaluate(10 ** 20)") == "3:16: error: the power is not an integer of 64 bits"
    assert error("T.evaluate(2 ** -1)") == "3:16: error: the power is not an integer of 64 bits"


def test_the_options_of_an_address() -> None:
    check(
        'T.evaluate(A.access_ptr("r", "handle", 1, 4, 8))\nT.evaluate(A.access_ptr(3))',
        """
tir.access_ptr(A.data, 4, 8, 1)
tir.access_ptr(A.data, 0, 256, 3)
""",
    )


@pytest.mark.parametrize("target", ['T.Target("llvm")', 'tvm.target.Target("llvm")'])
def test_targets(target: str) -> None:
    parsed = script.parse_value(function(f'T.func_attr({{"target": {target}}})\npass'))
    assert parsed.attrs["target"] == "llvm"
