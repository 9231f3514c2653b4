"""What does nothing goes; effects stay."""

from __future__ import annotations

import pytest

from uir import ir, tir
from uir.transform import RemoveNoOp

from .script_checks import becomes, parse_body, stays


def body_of(*stmts: tir.Stmt) -> ir.IRModule:
    body = stmts[0] if len(stmts) == 1 else tir.SeqStmt(stmts)
    return ir.IRModule({ir.GlobalVar("main"): tir.PrimFunc([], body)})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("for i in range(8):\n    A[i] = A[i]\nA[0] = 0.0", "A[0] = 0.0"),
        ("for i in range(0):\n    A[i] = 0.0\nA[0] = 0.0", "A[0] = 0.0"),
        ("if n < 4:\n    A[0] = A[0]\nelse:\n    A[1] = 0.0", "if not n < 4:\n    A[1] = 0.0"),
        ("if n < 4:\n    A[0] = 1.0\nelse:\n    A[1] = A[1]", "if n < 4:\n    A[0] = 1.0"),
        ("if n < 4:\n    A[0] = A[0]\nA[0] = 0.0", "A[0] = 0.0"),
        ("x = n + 1\ny = x * 2\nA[0] = 0.0", "A[0] = 0.0"),
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
