"""What does nothing goes; effects stay."""

from __future__ import annotations

import pytest

from uir import ir, tir
from uir.transform import RemoveNoOp, Sequential

from .script_checks import becomes, parse_body, stays, unindented


def body_of(*stmts: tir.Stmt) -> ir.IRModule:
    body = stmts[0] if len(stmts) == 1 else tir.SeqStmt(stmts)
    return ir.IRModule({ir.GlobalVar("main"): tir.PrimFunc([], body)})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            """
            for i in range(8):
                A[i] = A[i]
            A[0] = 0.0
            """,
            "A[0] = 0.0",
        ),
        (
            """
            for i in range(0):
                A[i] = 0.0
            A[0] = 0.0
            """,
            "A[0] = 0.0",
        ),
        (
            """
            if n < 4:
                A[0] = A[0]
            else:
                A[1] = 0.0
            """,
            "if not n < 4:\n    A[1] = 0.0",
        ),
        (
            """
            if n < 4:
                A[0] = 1.0
            else:
                A[1] = A[1]
            """,
            "if n < 4:\n    A[0] = 1.0",
        ),
        (
            """
            if n < 4:
                A[0] = A[0]
            A[0] = 0.0
            """,
            "A[0] = 0.0",
        ),
        ("x = n + 1\ny = x * 2\nA[0] = 0.0", "A[0] = 0.0"),
        (
            """
            if True:
                A[0] = 0.0
            else:
                A[1] = 0.0
            """,
            "A[0] = 0.0",
        ),
        (
            """
            A[0] = 0.0
            if False:
                A[1] = 0.0
            """,
            "A[0] = 0.0",
        ),
    ],
)
def test_what_does_nothing_goes(before: str, after: str) -> None:
    assert becomes(RemoveNoOp(), before, after)


@pytest.mark.parametrize(
    "body",
    [
        "A[0] = A[1]",
        "for i in range(n):\n    A[i] = 0.0",
        "x = n + 1\nB[0] = x",
        "while B[0] < 4:\n    B[0] = B[0]",
    ],
)
def test_what_does_something_stays(body: str) -> None:
    if body.startswith("while"):
        module = parse_body(body)
        after = RemoveNoOp()(module).lookup("main")
        assert isinstance(after, tir.PrimFunc)
        assert isinstance(after.body, tir.While)
    else:
        assert stays(RemoveNoOp(), body)


@pytest.mark.parametrize(
    "copy",
    [
        "A[n + m] = A[m + n]",
        "for i in range(16):\n    A[i % 16] = A[i]",
        "if n == 3 and m < 2:\n    A[n] = A[3]",
        """
        if n != 3:
            A[n] = A[n]
        else:
            A[3] = A[n]
        """,
        "if n == 3:\n    A[n] = A[tir.int16(3)]",
        "A[tir.int64(n)] = A[n]",
    ],
)
def test_an_element_that_is_proved_to_be_the_same_is_not_written(copy: str) -> None:
    assert becomes(RemoveNoOp(), f"{unindented(copy)}\nA[0] = 0.0", "A[0] = 0.0")


@pytest.mark.parametrize(
    "copy",
    [
        """
        for i in range(4):
            x = i * 2
            y = x + i
            A[3 * i] = A[y]
        """,
        """
        x = n * 2
        if n == 4:
            A[x] = A[8]
        """,
    ],
)
def test_bindings_prove_that_an_element_is_the_same(copy: str) -> None:
    # The bindings were used when the pass counted; the next run finds them unused.
    assert becomes(
        Sequential([RemoveNoOp(), RemoveNoOp()]), f"{unindented(copy)}\nA[0] = 0.0", "A[0] = 0.0"
    )


@pytest.mark.parametrize(
    "copy",
    [
        """
        if n == 3:
            A[n] = A[3]
        A[n] = A[3]
        """,
        """
        if n == 3:
            A[n] = A[3]
        else:
            A[n] = A[3]
        """,
        """
        x = tir.int32(B[0])
        if x + 1 > x:
            A[x] = A[x - 1]
        """,
        "if B[0] == 3:\n    A[B[0]] = A[3]",
        "if n == 3:\n    A[n] = A[tir.int16(4)]",
    ],
)
def test_what_holds_elsewhere_or_is_memory_proves_nothing(copy: str) -> None:
    params = 'A: tir.Buffer((16,), "float32"), B: tir.Buffer((16,), "int32"), n: tir.int32'
    text = str(RemoveNoOp()(parse_body(copy, params))["main"])
    assert text.count("A[") == 2
    assert text.endswith(unindented(copy).splitlines()[-1].strip())


def test_a_shared_copy_goes_only_where_it_is_one() -> None:
    module = parse_body(
        """
        if n == 3:
            A[n] = A[3]
        if n < 4:
            A[1] = 0.0
        """,
    )
    func = module["main"]
    assert isinstance(func, tir.PrimFunc)
    first, second = func.body.seq
    for order in ((first.condition, second.condition), (second.condition, first.condition)):
        parts = [tir.IfThenElse(condition, first.then_case) for condition in order]
        after = RemoveNoOp()(body_of(*parts))["main"]
        assert isinstance(after, tir.PrimFunc)
        assert ir.structural_equal(after.body, tir.IfThenElse(second.condition, first.then_case))


def test_a_store_under_a_mask_that_is_false_goes() -> None:
    none = "predicate=tir.Broadcast(False, 4)"
    store = f"A.vstore([tir.Ramp(0, 1, 4)], tir.Broadcast(1.0, 4), {none})"
    assert becomes(RemoveNoOp(), f"{store}\nA[0] = 0.0", "A[0] = 0.0")
    call = 'tir.call_extern("float32", "next")'
    kept = f"A.vstore([tir.Ramp(0, 1, 4)], tir.Broadcast({call}, 4), {none})"
    assert becomes(RemoveNoOp(), kept, f"tir.evaluate(tir.Broadcast({call}, 4))")


def test_effects_of_what_is_removed_are_kept() -> None:
    call = tir.call_intrin("int32", "tir.call_extern", [ir.StringImm("next")])
    nothing = tir.Evaluate(tir.const(0))
    loop = tir.For(tir.Var("i"), tir.const(0), call, tir.ForKind.SERIAL, nothing)
    after = RemoveNoOp()(body_of(loop)).lookup("main")
    assert isinstance(after, tir.PrimFunc)
    assert ir.structural_equal(after.body, tir.Evaluate(call))
    bind = tir.Bind(tir.Var("x"), call)
    module = body_of(bind, tir.Evaluate(call))
    assert RemoveNoOp()(module).same_as(module)


def test_a_value_that_several_bindings_share_is_used_as_long_as_one_is() -> None:
    x, y, z = tir.Var("x"), tir.Var("y"), tir.Var("z")
    shared = x + 1
    used = tir.Evaluate(tir.call_intrin("int32", "tir.ret", [shared]))
    first = tir.Bind(x, tir.call_intrin("int32", "tir.abs", [tir.const(3)]))
    module = body_of(first, tir.Bind(y, shared), tir.Bind(z, shared), used)
    after = RemoveNoOp()(module).lookup("main")
    assert isinstance(after, tir.PrimFunc)
    assert isinstance(after.body, tir.SeqStmt)
    assert [stmt.same_as(kept) for stmt, kept in zip(after.body.seq, [first, used], strict=True)]
    assert all(map(ir.structural_equal, after.body.seq, [first, used]))


def test_a_function_that_does_nothing_has_an_empty_body() -> None:
    after = RemoveNoOp()(body_of(tir.Evaluate(tir.const(1)))).lookup("main")
    assert isinstance(after, tir.PrimFunc)
    assert isinstance(after.body, tir.SeqStmt)
    assert len(after.body.seq) == 0
