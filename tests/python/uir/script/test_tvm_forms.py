"""Forms that users of TVM write, each against the same program in the canonical form."""

from __future__ import annotations

import pytest

from uir import ir, script, tir
from uir.script import ScriptError

HEADER = """\
@tir.prim_func
def main(A: tir.Buffer((16, 16), "float32"), B: tir.Buffer((16, 16), "float32"), n: tir.int32):
"""


def indented(body: str, by: str = "    ") -> str:
    return "".join(f"{by}{line}\n" for line in body.strip("\n").split("\n"))


def function(body: str, header: str = HEADER) -> tir.PrimFunc:
    parsed = script.parse_value(header + indented(body))
    assert isinstance(parsed, tir.PrimFunc)
    text = script.print(parsed)
    assert ir.structural_equal(script.parse_value(text), parsed)
    assert script.print(script.parse_value(text)) == text
    return parsed


def check(body: str, canonical: str, header: str = HEADER) -> None:
    """Both bodies are one function, and the canonical one is what the function prints."""
    parsed = function(body, header)
    assert ir.structural_equal(parsed, function(canonical, header)), script.print(parsed)
    assert script.print(parsed) == header + indented(canonical).rstrip("\n")


def error(body: str, header: str = HEADER) -> str:
    with pytest.raises(ScriptError) as caught:
        script.parse_value(header + indented(body))
    lines = str(caught.value).splitlines()
    assert len([line for line in lines if ": error: " in line]) == 1, caught.value
    place, message = lines[0].split(": error: ")
    line, column = (int(number) for number in place.split(":")[1:])
    begin = column - 1
    underlined = next(shown for shown in lines if shown.lstrip().startswith("|"))
    text = (header + indented(body)).split("\n")[line - 1]
    return f"{message} @ {text[begin : begin + underlined.count('^')]}"


# Loops.


def test_a_grid_is_nested_loops() -> None:
    check(
        """
for i, j in tir.grid(16, (2, n)):
    A[i, j] = 0
""",
        """
for i in range(16):
    for j in range(2, 2 + (n - 2)):
        A[i, j] = 0.0
""",
    )


def test_a_grid_of_one_loop() -> None:
    check("for i in tir.grid(n):\n    A[i, 0] = 1.0", "for i in range(n):\n    A[i, 0] = 1.0")


def test_wrong_grids() -> None:
    wrong = "for i, j in tir.grid(n):\n    pass"
    assert error(wrong).startswith("there are 2 variables for 1 extents of the grid @ for i, j")
    wrong = "for i, j in range(n):\n    pass"
    assert error(wrong) == "only a loop over `tir.grid` has several variables @ i, j"
    wrong = "for i in tir.grid(n, dtype=1):\n    pass"
    assert error(wrong) == "`tir.grid` takes extents only @ dtype=1"
    wrong = "for i in tir.grid(extent=n):\n    pass"
    assert error(wrong) == "`tir.grid` takes extents only @ extent=n"


@pytest.mark.parametrize(
    "arguments", ['0, 8, "threadIdx.x"', '8, "threadIdx.x"', '8, thread="threadIdx.x"']
)
def test_positional_thread_tags(arguments: str) -> None:
    check(
        f"for i in tir.thread_binding({arguments}):\n    A[i, 0] = 1.0",
        'for i in tir.thread_binding(8, thread="threadIdx.x"):\n    A[i, 0] = 1.0',
    )


# Blocks.


def test_remap_takes_the_domains_of_loops() -> None:
    check(
        """
for i, j in tir.grid(16, (2, 8)):
    with tir.sblock("sum"):
        vi, vj = tir.axis.remap("SR", [i, j])
        tir.reads([A[vi, vj]])
        tir.writes([B[vi, 0]])
        B[vi, 0] += A[vi, vj]
""",
        """
for i in range(16):
    for j in range(2, 8):
        with tir.block("sum"):
            vi = tir.axis.spatial(16, i)
            vj = tir.axis.reduce(ir.Range(2, 6), j)
            tir.reads(A[vi, vj])
            tir.writes(B[vi, 0])
            B[vi, 0] = B[vi, 0] + A[vi, vj]
""",
    )


def test_one_axis_and_short_names() -> None:
    check(
        """
for i in range(n):
    with tir.block("copy"):
        vi = tir.axis.remap("S", [i])
        vj = tir.axis.S(16, i * 2)
        vk = tir.axis.R((1, 4), i)
        B[vi, vj] = A[vi, vk]
""",
        """
for i in range(n):
    with tir.block("copy"):
        vi = tir.axis.spatial(n, i)
        vj = tir.axis.spatial(16, i * 2)
        vk = tir.axis.reduce(ir.Range(1, 3), i)
        tir.reads(A[vi, vk])
        tir.writes(B[vi, vj])
        B[vi, vj] = A[vi, vk]
""",
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            'vi = tir.axis.remap("S", [i + 1])',
            "expected the variable of a loop around the block @ i + 1",
        ),
        (
            'vi, vj = tir.axis.remap("S", [i])',
            'there are 2 names, 1 kinds and 1 variables of loops @ tir.axis.remap("S", [i])',
        ),
        ('vi = tir.axis.remap("T", [i])', 'no kind of axis `T` @ "T"'),
        ('vi = tir.axis.remap("S", i)', "expected a list of loops' variables: `[i, j]` @ i"),
    ],
)
def test_wrong_remaps(line: str, message: str) -> None:
    assert error(f'for i in range(n):\n    with tir.block("b"):\n        {line}') == message


def test_axes_belong_into_blocks() -> None:
    message = error('for i in range(n):\n    vi = tir.axis.remap("S", [i])')
    assert message.startswith("this belongs into a block: `with tir.block(...)`")


def test_buffers_outside_of_blocks_are_of_the_root_block() -> None:
    check(
        """
C = tir.sblock_alloc_buffer((16,), "float32")
for i in range(16):
    with tir.sblock("copy"):
        vi = tir.axis.remap("S", [i])
        C[vi] = A[vi, 0]
""",
        """
with tir.block("root"):
    C = tir.block_alloc_buffer((16,), "float32")
    for i in range(16):
        with tir.block("copy"):
            vi = tir.axis.spatial(16, i)
            tir.reads(A[vi, 0])
            tir.writes(C[vi])
            C[vi] = A[vi, 0]
""",
    )


def test_s_tir_asks_for_the_root_block() -> None:
    text = """\
@tir.prim_func(private=True, s_tir=True)
def main(A: tir.Buffer(16, "float32")):
    for i in range(16):
        with tir.sblock("one"):
            vi = tir.axis.S(16, i)
            A[vi] = 1.0
"""
    rooted = script.parse_value(text).body
    assert isinstance(rooted, tir.BlockRealize)
    assert rooted.block.name_hint == "root"
    assert isinstance(script.parse_value(text.replace(", s_tir=True", "")).body, tir.For)
    # A root block that the text writes stays the only one; a body without blocks has none.
    printed = script.print(script.parse_value(text)).replace(
        "private=True", "private=True, s_tir=True"
    )
    assert script.print(script.parse_value(printed)) == script.print(script.parse_value(text))
    plain = "@tir.prim_func(s_tir=True)\ndef main(n: tir.int32):\n    tir.evaluate(n)\n"
    assert isinstance(script.parse_value(plain).body, tir.Evaluate)


def test_regions_of_whole_dimensions() -> None:
    check(
        """
with tir.block("copy"):
    tir.reads(A[:8, 2:], B)
    tir.writes([])
    tir.evaluate(n)
""",
        """
with tir.block("copy"):
    tir.reads(A[0:8, 2:16], B[0:16, 0:16])
    tir.evaluate(n)
""",
    )


def test_a_region_has_no_step() -> None:
    message = error('with tir.block("b"):\n    tir.reads(A[0:8:2, 0])\n    tir.evaluate(n)')
    assert message == "a part of a buffer has no step @ 2"


# Attributes and threads.


def test_an_attribute_as_a_statement() -> None:
    check(
        """
tir.attr(A.data, "key", 1)
A[0, 0] = 1.0
A[1, 0] = 1.0
""",
        """
with tir.attr(A.data, "key", 1):
    A[0, 0] = 1.0
    A[1, 0] = 1.0
""",
    )


THREADS = """
with tir.launch_thread("blockIdx.x", n) as bx:
    with tir.launch_thread("threadIdx.x", 16) as tx:
        A[bx, tx] = 1.0
"""


@pytest.mark.parametrize(
    "body",
    [
        """
bx = tir.launch_thread("blockIdx.x", n)
tx = tir.launch_thread("threadIdx.x", 16)
A[bx, tx] = 1.0
""",
        """
bx = tir.env_thread("blockIdx.x")
tx = tir.env_thread("threadIdx.x")
with tir.launch_thread(bx, n):
    tir.launch_thread(tx, 16)
    A[bx, tx] = 1.0
""",
        """
with tir.launch_thread("blockIdx.x", n) as bx:
    tx = tir.env_thread("threadIdx.x")
    tir.launch_thread(tx, 16)
    A[bx, tx] = 1.0
""",
    ],
)
def test_threads(body: str) -> None:
    check(body, THREADS)


def test_the_node_of_a_launch() -> None:
    launch = function(THREADS).body
    assert isinstance(launch, tir.AttrStmt)
    assert launch.attr_key == "thread_extent"
    assert launch.node.thread_tag == "blockIdx.x"
    assert launch.node.iter_type == tir.IterVarType.THREAD_INDEX
    virtual = function('vx = tir.launch_thread("vthread.x", 2)\nA[vx, 0] = 1.0').body
    assert virtual.attr_key == "virtual_thread"


def test_a_thread_that_is_launched_twice_keeps_its_variable() -> None:
    body = """
tx = tir.env_thread("threadIdx.x")
with tir.launch_thread(tx, 16):
    A[tx, 0] = 1.0
with tir.launch_thread(tx, 8):
    A[tx, 1] = 1.0
"""
    first, second = function(body).body.seq
    assert first.node.var.same_as(second.node.var)


def test_a_launch_has_the_type_of_its_thread() -> None:
    launch = function('tx = tir.env_thread("threadIdx.x")\ntir.launch_thread(tx, tir.int64(16))\n'
                      "A[tx, 0] = 1.0").body  # fmt: skip
    assert str(launch.node.var.dtype) == str(launch.value.dtype) == "int32"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "tx = tir.launch_thread(n, 16)\nA[0, 0] = 1.0",
            'expected a thread: `"threadIdx.x"`, or a `tir.env_thread` @ n',
        ),
        (
            'tx = tir.env_thread("threadIdx.x")\nty = tir.launch_thread(tx, 16)\nA[0, 0] = 1.0',
            "the thread has a name already @ ty",
        ),
        (
            'with tir.attr(0, "key", 1) as x:\n    A[0, 0] = 1.0',
            "`tir.attr` has no value to name @ x",
        ),
    ],
)
def test_wrong_threads(body: str, message: str) -> None:
    assert error(body) == message


def test_a_statement_around_the_rest_needs_a_body() -> None:
    text = '@uir.script.ir_module\nclass M:\n    t = tir.launch_thread("threadIdx.x", 1)\n'
    with pytest.raises(ScriptError, match="this belongs into the body of a function"):
        script.parse_value(text)


# Names of values.


@pytest.mark.parametrize(
    "line",
    [
        "x: tir.let = n + 1",
        "x: tir.let[tir.int32] = n + 1",
        "x = tir.bind(n + 1)",
        "x = tir.bind(n + 1, tir.int32)",
    ],
)
def test_bindings(line: str) -> None:
    check(f"{line}\ntir.evaluate(x)", "x: tir.int32 = n + 1\ntir.evaluate(x)")


@pytest.mark.parametrize(
    "head", ["tir.LetStmt(n + 1) as x", "tir.LetStmt(n + 1, var=x)", "tir.let(x, n + 1)"]
)
def test_bindings_with_a_suite(head: str) -> None:
    check(f"with {head}:\n    tir.evaluate(x)", "x: tir.int32 = n + 1\ntir.evaluate(x)")


def test_a_wrong_let() -> None:
    assert error("x: tir.let[tir.int32, tir.int32] = n") == (
        "expected one type: `tir.let[tir.int32]` @ tir.let[tir.int32, tir.int32]"
    )
    assert error("with tir.LetStmt(n):\n    tir.evaluate(n)") == (
        "expected `as` and the name to bind @ tir.LetStmt(n)"
    )


def test_meta_var_names_an_expression() -> None:
    check("x = tir.meta_var(n + 1)\nA[x, x] = 1.0", "A[n + 1, n + 1] = 1.0")


@pytest.mark.parametrize("value", ["tir.int64()", 'tir.var("int64")'])
def test_symbolic_variables(value: str) -> None:
    header = "@tir.prim_func\ndef main(a: tir.handle):\n"
    parsed = function(
        f'm = {value}\nC = tir.match_buffer(a, (m,), "float32")\nC[m - 1] = 0.0', header
    )
    extent = parsed.buffer_map[parsed.params[0]].shape[0]
    assert type(extent) is tir.Var
    assert extent.dtype == "int64"


def test_symbolic_size_variables_before_the_parameters_that_use_them() -> None:
    parsed = script.parse_value("""
@tir.prim_func
def main(A: tir.Buffer((m,), "float32")):
    m = tir.int32(is_size_var=True)
    A[m - 1] = 0.0
""")
    assert isinstance(parsed.buffer_map[parsed.params[0]].shape[0], tir.SizeVar)


# Expressions.


@pytest.mark.parametrize(
    ("form", "canonical"),
    [
        ('tir.cast(n, "int64")', "tir.int64(n)"),
        ('tir.cast(n, "int32")', "n"),
        ('tir.cast(3, "int32")', "3"),
        ("tir.floordiv(n, 3)", "n // 3"),
        ("tir.floormod(n, 3)", "n % 3"),
        ("tir.ceildiv(n, 4)", "(n + 3) // 4"),
        ("tir.ceildiv(10, 4)", "3"),
        ("tir.ramp(n, 1, 4)", "tir.Ramp(n, 1, 4)"),
        ("tir.broadcast(n, 4)", "tir.Broadcast(n, 4)"),
        ("tir.meta_var(n)", "n"),
        ("A.shape[1] + n", "16 + n"),
        ("A.shape[-1] + n", "16 + n"),
        ("A.elem_offset + n", "0 + n"),
        ("A[n, 0:4]", "A[n, tir.Ramp(0, 1, 4)]"),
        ("A[n, n * 4 : n * 4 + 4]", "A[n, tir.Ramp(n * 4, 1, 4)]"),
        ("A[n, n + 4 : n + 8]", "A[n, tir.Ramp(n + 4, 1, 4)]"),
        ("A[n, 0:8:3]", "A[n, tir.Ramp(0, 3, 3)]"),
        ("A[n, :]", "A[n, tir.Ramp(0, 1, 16)]"),
        ("A[n, 3:4]", "A[n, 3]"),
        ('A.vload([n, 4], "float32x4")', "A[n, tir.Ramp(4, 1, 4)]"),
        ('A.vload([n, 4], dtype="float32")', "A[n, 4]"),
        ('tir.call_extern("f", A, dtype="int32")', 'tir.call_extern("f", A.data, dtype="int32")'),
        ('tir.call_extern("int32", "f", A)', 'tir.call_extern("f", A.data, dtype="int32")'),
        ('tir.call_extern("f", n, dtype="")', 'tir.call_extern("f", n, dtype="void")'),
        ('tir.reinterpret("float32", n)', 'tir.reinterpret(n, dtype="float32")'),
        ('tir.call_intrin("int32", "tirx.abs", n)', "tir.abs(n)"),
        ("tir.fabs(A[n, 0])", "tir.abs(A[n, 0])"),
        ('tir.tvm_storage_sync("shared")', 'tir.storage_sync("shared")'),
        ('A.access_ptr("r")', "tir.access_ptr(A.data, 0, 256, 1)"),
        ('A.access_ptr("rw", n, extent=4)', "tir.access_ptr(A.data, n, 4, 3)"),
        (
            'tir.tvm_access_ptr(tir.type_annotation("float32"), A.data, n, 16, 2)',
            "tir.access_ptr(A.data, n, 16, 2)",
        ),
        ('tir.min_value("int8")', "tir.int8(-128)"),
        ('tir.max_value("int32") - n', "2147483647 - n"),
        ('tir.infinity("float32")', 'tir.float32("inf")'),
        ('tir.cast(2.5, "float16")', "tir.float16(2.5)"),
    ],
)
def test_expressions(form: str, canonical: str) -> None:
    calls = ("tir.call_", "tir.abs", "tir.reint", "tir.storage_sync", "tir.access_ptr")
    statement = canonical if canonical.startswith(calls) else f"tir.evaluate({canonical})"
    check(f"tir.evaluate({form})", statement)


@pytest.mark.parametrize("name", ["tir.call_extern", "tir.call_pure_extern"])
def test_a_call_whose_first_argument_looks_like_a_data_type(name: str) -> None:
    arguments = [ir.StringImm("int32"), ir.StringImm("f")]
    for dtype in ["handle", "int32"]:
        call = tir.Call(dtype, ir.get_op(name), arguments)
        assert ir.structural_equal(script.parse_value(script.print(call)), call), script.print(call)


def test_let_of_a_declared_variable() -> None:
    body = "x = tir.int32()\ntir.evaluate(tir.Let(x + 1, where={x: n}))"
    let = function(body).body.value
    assert isinstance(let, tir.Let)
    assert let.body.a.same_as(let.var)
    assert error("tir.evaluate(tir.Let(n, where=n))") == (
        "expected one variable and its value: `{x: value}` @ n"
    )
    assert error("tir.evaluate(tir.Let(n, where={n + 1: n}))") == "expected a variable @ n + 1"


def test_iter_vars_of_tvm() -> None:
    body = """
x = tir.int32()
tir.attr(tir.iter_var(x, tir.Range(2, 8), "CommReduce", ""), "key", 1)
tir.evaluate(x)
"""
    node = function(body).body.node
    assert node.iter_type == tir.IterVarType.COMM_REDUCE
    assert (node.dom.min.value, node.dom.extent.value) == (2, 6)
    assert error('tir.attr(tir.iter_var(n, None, "Reduce", ""), "key", 1)\npass') == (
        'no kind of axis `Reduce` @ "Reduce"'
    )


def test_targets_are_values() -> None:
    body = """
tir.func_attr({"a": tir.target("llvm"), "b": tir.target({"kind": "cuda"}, host="llvm")})
tir.evaluate(n)
"""
    attrs = function(body).attrs
    assert attrs["a"] == "llvm"
    assert dict(attrs["b"]) == {"kind": "cuda", "host": "llvm"}
    assert error('tir.func_attr({"a": tir.target(1)})\ntir.evaluate(n)') == (
        "expected a target: a string or a dictionary @ 1"
    )


def test_an_assertion_with_a_suite() -> None:
    check(
        'with tir.Assert(n > 0, "positive"):\n    tir.evaluate(n)',
        'assert n > 0, "positive"\ntir.evaluate(n)',
    )
    check(
        'with tir.Assert(n > 0, ["a", "b"], error_kind="ValueError"):\n    tir.evaluate(n)',
        'assert n > 0, ("ValueError", ["a", "b"])\ntir.evaluate(n)',
    )


def test_a_scalar_stored_to_a_vector() -> None:
    check("A[0, 0:4] = 1.0", "A[0, tir.Ramp(0, 1, 4)] = tir.Broadcast(1.0, 4)")


def test_attributes_of_a_module() -> None:
    text = """
@uir.script.ir_module(check_well_formed=False)
class Module:
    uir.script.module_attrs({"runtime": "c"})

    @tir.prim_func(private=True, check_well_formed=False)
    def main(n: tir.int32):
        tir.evaluate(n)
"""
    module = script.parse_value(text)
    assert module.attrs["runtime"] == "c"
    assert script.print(module).startswith('@uir.script.ir_module(attrs={"runtime": "c"})')


def test_strides_of_a_buffer() -> None:
    strided = 'C = tir.decl_buffer((4,), "float32", data=A.data, strides=(4,))\n'
    check(strided + "tir.evaluate(C.strides[0])", strided + "tir.evaluate(4)")


def test_a_slice_is_stored_to() -> None:
    check("A[0, 0:4] = B[0, 4:8]", "A[0, tir.Ramp(0, 1, 4)] = B[0, tir.Ramp(4, 1, 4)]")


@pytest.mark.parametrize(
    ("expr", "message"),
    [
        ("A[0, 0:n]", "a slice is a vector: its length and its step are positive constants @ 0:n"),
        ("A[0, 4:4]", "a slice is a vector: its length and its step are positive constants @ 4:4"),
        ("A.shape[2]", "there are 2 elements @ A.shape[2]"),
        ("A[0, 0, 4:]", "`A` has 2 dimensions @ 4:"),
        ('A.vload([0, 0], "int8x4")', 'expected a vector of elements of `A` @ "int8x4"'),
    ],
)
def test_wrong_expressions(expr: str, message: str) -> None:
    assert error(f"tir.evaluate({expr})") == message


# Intrinsics, allocations, tuples.


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        (
            'x: tir.let[tir.handle] = tir.tvm_struct_get(A.data, 0, 12, "handle")',
            "x: tir.handle = tir.tvm_struct_get(A.data, 0, 12)",
        ),
        (
            'x: tir.let[tir.handle("int64")] = '
            'tir.tvm_struct_get(A.data, 0, 2, dtype=tir.handle("int64").ty)',
            'x: tir.handle("int64") = tir.tvm_struct_get(A.data, 0, 2)',
        ),
        (
            'tir.evaluate(tir.call_llvm_pure_intrin("int32", "llvm.ctpop", tir.uint32(1), n))',
            'tir.call_llvm_pure_intrin("llvm.ctpop", tir.uint32(1), n, dtype="int32")',
        ),
        (
            'tir.evaluate(tir.ptx_mma("float32", "m8n8k4", A.data, 0, False))',
            'tir.ptx_mma("m8n8k4", A.data, 0, False, dtype="float32")',
        ),
        ("tir.evaluate(tir.assume(n < 4))", "tir.assume(n < 4)"),
        ("tir.buffer_store(A, 1.0, [n, 0])", "A[n, 0] = 1.0"),
        (
            'p = tir.allocate([16], "float32", "shared")\n'
            'C = tir.Buffer((16,), "float32", data=p)\nC[0] = 1.0',
            'p = tir.alloc_buffer((16,), "float32", scope="shared")\n'
            'C = tir.decl_buffer((16,), "float32", data=p.data)\nC[0] = 1.0',
        ),
        (
            "C = A.view(256)\nC[0] = 1.0",
            'C = tir.decl_buffer((256,), "float32", data=A.data)\nC[0] = 1.0',
        ),
        (
            'C = A.view("int32")\nC[0, 0] = 1',
            'C = tir.decl_buffer((16, 16), "int32", data=A.data)\nC[0, 0] = 1',
        ),
        (
            'with tir.decl_buffer((4,), "int32") as C:\n    C[0] = n',
            'C = tir.decl_buffer((4,), "int32")\nC[0] = n',
        ),
        (
            "x, y = n + 1, n\nA[x, y] = 0.0",
            "x: tir.int32 = n + 1\ny: tir.int32 = n\nA[x, y] = 0.0",
        ),
        ('tir.Assert(n < 4, "too large")', 'assert n < 4, "too large"'),
        ("if 0 <= n < 16:\n    A[n, 0] = 0.0", "if 0 <= n and n < 16:\n    A[n, 0] = 0.0"),
        (
            "with tir.LetStmt(n + 1) as x:\n    A[x, 0] = 0.0\nA[0, 0] = 1.0",
            "x: tir.int32 = n + 1\nA[x, 0] = 0.0\nA[0, 0] = 1.0",
        ),
        (
            'x = tir.meta_var(4)\ntir.call_extern(f"f{x}_{{n}}", n)',
            'tir.call_extern("f4_{n}", n, dtype="void")',
        ),
        (
            "for i in tir.grid(*A.shape):\n    with tir.block():\n"
            '        vi, vj = tir.axis.remap("SS", i)\n        A[vi, vj] = len(i)',
            "for i_0, i_1 in tir.grid(16, 16):\n    with tir.block():\n"
            '        vi, vj = tir.axis.remap("SS", [i_0, i_1])\n        A[vi, vj] = 2',
        ),
        (
            "x, y = A.shape\nA[x - 1, y - 1] = 0.0",
            "A[16 - 1, 16 - 1] = 0.0",
        ),
        (
            "for i, j in tir.grid(*A.shape):\n    A[i, j] = B[(i, j)]",
            "for i in range(16):\n    for j in range(16):\n        A[i, j] = B[i, j]",
        ),
        (
            "for *i, k in tir.grid(*A.shape):\n    A[(*i, k)] = 0.0",
            "for i_0 in range(16):\n    for k in range(16):\n        A[i_0, k] = 0.0",
        ),
        (
            "for i in tir.grid(*A.shape):\n    A[i] = 0.0",
            "for i_0 in range(16):\n    for i_1 in range(16):\n        A[i_0, i_1] = 0.0",
        ),
        (
            "for i in range(n):\n    if i == 4:\n        tir.evaluate(tir.break_loop())\n"
            "    tir.continue_loop()",
            "for i in range(n):\n    if i == 4:\n        break\n    continue",
        ),
    ],
)
def test_lowered_programs_and_tuples(written: str, canonical: str) -> None:
    parsed = function(written)
    assert ir.structural_equal(parsed, function(canonical)), script.print(parsed)


def test_named_strides_are_variables() -> None:
    text = (
        "@tir.prim_func\ndef main(a: tir.handle):\n"
        '    A = tir.match_buffer(a, (4, 4), strides=("s0", "s1"), elem_offset="offset")\n'
        "    A[0, 0] = 0.0\n"
    )
    buffer = next(iter(script.parse_value(text).buffer_map.values()))
    assert [stride.name for stride in buffer.strides] == ["s0", "s1"]
    assert buffer.elem_offset.name == "offset"


def test_named_extents_are_variables() -> None:
    text = (
        'm = TypeVar("m")\n'
        "@tir.prim_func\n"
        'def main(A: tir.Buffer(("n", m)), B: tir.Buffer(("k", "k"), "int8")):\n'
        "    n = tir.int64()\n    A[n - 1, m - 1] = 0.0\n"
    )
    func = script.parse_value(text)
    first, second = (func.buffer_map[param] for param in func.params)
    assert [str(extent.dtype) for extent in first.shape] == ["int64", "int64"]
    assert second.shape[0].same_as(second.shape[1])
    assert func.body.indices[0].a.same_as(first.shape[0])
    assert ir.structural_equal(script.parse_value(script.print(func)), func)


def test_effects_of_the_intrinsics_of_tvm() -> None:
    for name, effect in [("tvm_struct_get", 2), ("tvm_struct_set", 3), ("dp4a", 1)]:
        assert ir.Op.get(f"tir.{name}").get_attr("TCallEffectKind") == effect


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("x, y = n, n, n", "there are 2 names for 3 values @ x, y = n, n, n"),
        ("x, y = n", "expected as many values, got one @ x, y"),
        ('tir.call_extern("f", *n)', "expected a list or a tuple after `*` @ *n"),
        (
            "C = A.view(4, layout=n)",
            "a view has a shape, or a data type, and no options @ layout=n",
        ),
        (
            'p = tir.allocate([4], "int8", condition=n < 4)',
            "an allocation under a condition is not supported @ n < 4",
        ),
        ('with tir.allocate([4], "int8"):\n    pass', "expected `as` and the name to bind"),
    ],
)
def test_errors_of_allocations_and_tuples(body: str, message: str) -> None:
    assert error(body).startswith(message)


MACRO = """\
@tir.macro
def fill(B, at, value):
    B[at, 0] = value
    B[at, 1] = value


"""


def test_macros_are_expanded() -> None:
    expanded = script.parse_value(MACRO + HEADER + indented("fill(A, n, value=2.0)\nA[0, 0] = 1.0"))
    written = function("A[n, 0] = 2.0\nA[n, 1] = 2.0\nA[0, 0] = 1.0")
    assert ir.structural_equal(expanded, written)
    endless = "@tir.macro\ndef again():\n    again()\n\n\n"
    with pytest.raises(ScriptError, match="the macro calls itself without end"):
        script.parse_value(endless + HEADER + indented("again()"))
    with pytest.raises(ScriptError, match="missing argument `value`"):
        script.parse_value(MACRO + HEADER + indented("fill(A, n)"))


def test_several_functions_are_a_module() -> None:
    one = "@tir.prim_func\ndef one(x: tir.int32) -> tir.int32:\n    return x\n"
    two = "@tir.prim_func(private=True)\ndef two(x: tir.int32):\n    tir.evaluate(x)\n"
    module = script.parse_value(one + two)
    assert isinstance(module, ir.IRModule)
    assert ir.structural_equal(module.lookup("two"), script.parse_value(two))
    assert ir.structural_equal(script.parse_value(script.print(module)), module)
    with pytest.raises(ScriptError, match="a text is functions or one module"):
        script.parse_value(one + "@uir.script.ir_module\nclass Module:\n    pass\n")


def test_calls_in_expressions_have_the_type_of_the_function() -> None:
    text = (
        "@uir.script.ir_module\nclass Module:\n"
        "    @tir.prim_func\n    def f(x: tir.int64) -> tir.int64:\n        return x\n\n"
        "    @tir.prim_func\n    def main(x: tir.int64):\n"
        "        tir.evaluate(Module.f(x) + x)\n        Module.f(x)\n"
    )
    module = script.parse_value(text)
    first, second = module.lookup("main").body.seq
    assert [str(first.value.a.dtype), str(second.value.dtype)] == ["int64", ""]
    assert ir.structural_equal(script.parse_value(script.print(module)), module)
