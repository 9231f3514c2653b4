"""Statements whose course is known become what remains of them."""

from __future__ import annotations

import pytest

from uir import ir, tir
from uir.transform import ConvertSSA, Simplify

from .script_checks import becomes, parse_body, stays


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("A[n + 1 - n] = 0.0", "A[1] = 0.0"),
        ("for i in range(8):\n    A[i * 8 // 4] = 0.0", "for i in range(8):\n    A[i * 2] = 0.0"),
        (
            """
            for i in range(8):
                for j in range(4):
                    A[(i * 4 + j) // 4] = 0.0
            """,
            """
            for i in range(8):
                for j in range(4):
                    A[i] = 0.0
            """,
        ),
        (
            """
            for i in range(8):
                for j in range(4):
                    A[(i * 4 + j) % 4] = 0.0
            """,
            """
            for i in range(8):
                for j in range(4):
                    A[j] = 0.0
            """,
        ),
        ("for i in range(1):\n    A[i + n] = 0.0", "A[n] = 0.0"),
        ("for i in range(3, 4):\n    A[i] = 0.0", "A[3] = 0.0"),
        (
            """
            for i in range(0):
                A[i] = 0.0
            A[n] = 1.0
            """,
            "A[n] = 1.0",
        ),
        (
            """
            for i in range(8):
                if i < 8:
                    A[i] = 0.0
            """,
            "for i in range(8):\n    A[i] = 0.0",
        ),
        (
            """
            for i in range(8):
                if i > 9:
                    A[i] = 0.0
                else:
                    A[i] = 1.0
            """,
            "for i in range(8):\n    A[i] = 1.0",
        ),
        (
            """
            if n < 4:
                if n < 5:
                    A[0] = 0.0
            """,
            "if n < 4:\n    A[0] = 0.0",
        ),
        (
            """
            if n < 4:
                A[0] = 0.0
            else:
                if n >= 4:
                    A[1] = 0.0
            """,
            """
            if n < 4:
                A[0] = 0.0
            else:
                A[1] = 0.0
            """,
        ),
        (
            """
            for i in range(n):
                if i < n:
                    A[i] = 0.0
            """,
            "for i in range(n):\n    A[i] = 0.0",
        ),
    ],
)
def test_what_is_known_is_put_in_place(before: str, after: str) -> None:
    assert becomes(Simplify(), before, after)


@pytest.mark.parametrize(
    "body",
    [
        "A[n] = 0.0",
        "A[n - 1] = A[n] + 1.0",
        """
        for i in range(8):
            if i < n:
                A[i] = 0.0
        """,
        """
        if n < 4:
            A[0] = 0.0
        if n < 5:
            A[1] = 0.0
        """,
        "while B[0] < 4:\n    B[0] = B[0] + 1",
        "for i in range(n):\n    A[i * m + 1] = 0.0",
    ],
)
def test_what_is_simple_is_returned_itself(body: str) -> None:
    assert stays(Simplify(), body)


def test_a_condition_on_memory_is_not_taken_for_true_later() -> None:
    body = """
        if B[0] < 4:
            B[0] = 9
            if B[0] < 4:
                A[0] = 0.0
    """
    assert stays(Simplify(), body)


def test_an_assertion_holds_in_what_follows() -> None:
    n, a = tir.Var("n"), tir.decl_buffer([64], "int32", "A")
    handle = tir.Var("a", "handle")
    check = tir.AssertStmt(ir.StringImm("ValueError"), n < 4)
    choice = tir.IfThenElse(n < 5, tir.BufferStore(a, tir.const(1), [n]))
    func = tir.PrimFunc([handle, n], tir.SeqStmt([check, choice]), {handle: a})
    after = Simplify()(ir.IRModule({ir.GlobalVar("main"): func})).lookup("main")
    assert isinstance(after, tir.PrimFunc)
    assert isinstance(after.body, tir.SeqStmt)
    assert after.body.seq[1].same_as(choice.then_case)


def test_the_index_of_a_launch_has_the_range_of_its_extent() -> None:
    thread = tir.Var("t")
    axis = tir.IterVar(thread, None, tir.IterVarType.THREAD_INDEX, "threadIdx.x")
    store = tir.Evaluate(tir.call_intrin("int32", "tir.ret", [tir.floordiv(thread, 32)]))
    body = tir.AttrStmt(axis, "thread_extent", tir.const(32), store)
    module = ir.IRModule({ir.GlobalVar("main"): tir.PrimFunc([], body)})
    after = Simplify()(module).lookup("main")
    assert isinstance(after, tir.PrimFunc)
    expected = tir.Evaluate(tir.call_intrin("int32", "tir.ret", [tir.const(0)]))
    assert isinstance(after.body, tir.AttrStmt)
    assert ir.structural_equal(after.body.body, expected)


def test_spans_are_kept() -> None:
    span = ir.Span(ir.SourceName("model.py"), 3, 1, 3, 9)
    n = tir.Var("n")
    value = tir.Add(tir.Mul(n, tir.const(2), span=span), n, span=span)
    body = tir.Evaluate(tir.call_intrin("int32", "tir.ret", [value]), span=span)
    module = ir.IRModule({ir.GlobalVar("main"): tir.PrimFunc([n], body)})
    after = Simplify()(module).lookup("main")
    assert isinstance(after, tir.PrimFunc)
    assert isinstance(after.body, tir.Evaluate)
    assert after.body.span is not None
    assert after.body.span.same_as(span)
    assert isinstance(after.body.value, tir.Call)
    assert isinstance(after.body.value.args[0], tir.Mul)
    assert after.body.value.args[0].span is not None
    assert after.body.value.args[0].span.same_as(span)


def test_a_loop_of_one_iteration_that_launches_a_thread_stays() -> None:
    module = parse_body("A[0] = 0.0")
    func = module.lookup("main")
    assert isinstance(func, tir.PrimFunc)
    axis = tir.IterVar(tir.Var("t"), None, tir.IterVarType.THREAD_INDEX, "threadIdx.x")
    zero, one = tir.const(0), tir.const(1)
    kind = tir.ForKind.THREAD_BINDING
    loop = tir.For(tir.Var("i"), zero, one, kind, func.body, thread_binding=axis)
    launched = ir.IRModule({ir.GlobalVar("main"): func.with_body(loop)})
    assert Simplify()(launched).same_as(launched)


DATA = {"A": "float32", "I": "int32", "D": "int32"}


@pytest.mark.parametrize(
    "body",
    [
        "A[0] = tir.min(0.0, A[1])",
        "A[0] = A[1] + 0.0",
        "D[0] = tir.int32(I[0] + n < n - m)",
        "D[0] = tir.int32(I[0] < I[0] + 1)",
        "D[0] = I[0] * 4 // 4",
        "D[0] = tir.int32(n + i < n - m)",
        "v: tir.int32 = I[0]\nD[0] = tir.int32(v < v + 1)",
        "v: tir.int32 = I[0] + n\nD[0] = v * 2 // 2",
        "D[0] = tir.Let(v, I[0], v * 2 // 2)",
    ],
)
def test_data_and_sums_that_were_not_there_are_left_alone(body: str) -> None:
    params = ", ".join(
        [f'{name}: tir.Buffer((4,), "{dtype}")' for name, dtype in DATA.items()]
        + ["n: tir.int32", "m: tir.int32", "i: tir.int32"]
    )
    assert stays(Simplify(), body, params)


@pytest.mark.parametrize(
    "index", ["-2147483648 * n % 3", "tir.max(n, 2147483646) % 4 * 3", "n // 65536 // 65536"]
)
def test_numbers_beyond_the_type_are_not_made(index: str) -> None:
    module = parse_body(f"A[{index}] = 0.0")
    assert isinstance(Simplify()(module), ir.IRModule)


def test_a_variable_that_is_bound_twice_is_an_error_that_names_it() -> None:
    i, zero = tir.Var("i"), tir.const(0)
    data = tir.decl_buffer([tir.const(4)], "int32", "A")
    handle = tir.Var("a", "handle")
    store = tir.BufferStore(data, i, [zero])
    again = tir.SeqStmt([tir.Bind(i, tir.const(3)), tir.Bind(i, tir.const(4)), store])
    inner = tir.For(i, zero, tir.const(2), tir.ForKind.SERIAL, store)
    nested = tir.For(i, zero, tir.const(4), tir.ForKind.SERIAL, inner)
    message = "variable `i` is bound again .* run `ConvertSSA` before"
    for body in (again, nested):
        module = ir.IRModule({ir.GlobalVar("main"): tir.PrimFunc([handle], body, {handle: data})})
        with pytest.raises(ValueError, match=message) as caught:
            Simplify()(module)
        assert "pass `Simplify`" in str(caught.value)
        assert isinstance(Simplify()(ConvertSSA()(module)), ir.IRModule)


def test_a_variable_may_be_bound_again_where_its_binding_has_ended() -> None:
    i, zero = tir.Var("i"), tir.const(0)
    data = tir.decl_buffer([tir.const(4)], "int32", "A")
    handle = tir.Var("a", "handle")
    loops = [
        tir.For(i, zero, tir.const(extent), tir.ForKind.SERIAL, tir.BufferStore(data, i, [i]))
        for extent in (1, 4)
    ]
    func = tir.PrimFunc([handle], tir.SeqStmt(loops), {handle: data})
    after = Simplify()(ir.IRModule({ir.GlobalVar("main"): func})).lookup("main")
    assert isinstance(after, tir.PrimFunc)
    assert [load.extent.value for load in ir.post_order(after, tir.For)] == [4]


def test_masks_that_are_the_same_for_all_lanes() -> None:
    all_lanes, data = 'C.vload([0], "int32x4")', 'C: tir.Buffer((16,), "int32")'
    lanes, behind = "tir.Ramp(0, 1, 4)", "tir.Ramp(4, 1, 4)"
    full, none = f"{lanes} < tir.Broadcast(4, 4)", f"{lanes} < tir.Broadcast(0, 4)"
    before = (
        f"C.vstore([{lanes}], C.vload([{behind}], predicate={full}), predicate={full})\n"
        f"C.vstore([{lanes}], C.vload([{lanes}], predicate={full}), predicate={full})\n"
        f"C.vstore([{lanes}], {all_lanes}, predicate={none})\nC[9] = 1"
    )
    assert becomes(Simplify(), before, f"C[{lanes}] = C[{behind}]\nC[9] = 1", data)
    some = f"{lanes} < tir.Broadcast(n, 4)"
    params = f"{data}, n: tir.int32"
    assert stays(Simplify(), f"C.vstore([{lanes}], {all_lanes}, predicate={some})", params)


@pytest.mark.parametrize(
    ("extent", "before", "after"),
    [
        ("n * 4", "tir.min(n, 0)", "0"),
        ("n * 4 - 1", "tir.max(n, 1)", "n"),
        ("n // 2", "tir.abs(n)", "n"),
    ],
)
def test_extents_of_parameters_are_not_negative(extent: str, before: str, after: str) -> None:
    data = f'n: tir.int32, C: tir.Buffer((n,), "int32"), D: tir.Buffer(({extent},), "int32")'
    data = data.replace('C: tir.Buffer((n,), "int32"), ', "")
    assert becomes(Simplify(), f"D[0] = {before}", f"D[0] = {after}", data)


def test_a_store_of_what_is_there_goes() -> None:
    data = 'C: tir.Buffer((16,), "int32"), n: tir.int32'
    before = "C[n * 2] = C[n + n]\nC[0] = C[0] + 0\nC[1] = C[2]\nC[C[1]] = C[C[1]]"
    assert becomes(Simplify(), before, "C[1] = C[2]", data)
    call = 'tir.call_extern("int32", "next")'
    assert stays(Simplify(), f"C[{call}] = C[{call}]", data)
