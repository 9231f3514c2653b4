"""`break` and `continue`: as text, where they may stand, and what passes do about them."""

from __future__ import annotations

import pytest

from uir import ir, script, tir, transform
from uir.script import ScriptError

HEADER = """\
@tir.prim_func
def main(A: tir.Buffer((16,), "int32"), n: tir.int32):
"""


def function(body: str) -> tir.PrimFunc:
    text = HEADER + "".join(f"    {line}\n" for line in body.strip("\n").split("\n"))
    func = script.parse_function(text)
    assert isinstance(func, tir.PrimFunc)
    assert script.print(func) == text.rstrip("\n")
    return func


def module(body: str) -> ir.IRModule:
    return ir.IRModule({ir.GlobalVar("main"): function(body)})


def after(pass_: transform.Pass, body: str) -> str:
    lines = script.print(pass_(module(body))["main"]).split("\n")[2:]
    return "\n".join(line[4:] for line in lines)


SEARCH = """
for i in range(16):
    if A[i] == n:
        break
    if A[i] < 0:
        continue
    A[i] = 0
"""


def test_text_and_json() -> None:
    func = function(SEARCH)
    assert ir.structural_equal(script.parse_function(script.print(func)), func)
    first = func.body.body.seq[0].then_case
    assert isinstance(first, tir.Break)
    assert first.span is not None
    assert (first.span.line, first.span.column) == (5, 13)
    for jump in (tir.Break(), tir.Continue()):
        assert ir.structural_equal(script.parse_value(script.print(jump)), jump)
        assert ir.structural_equal(ir.load_json(ir.save_json(jump)), jump)
    assert not ir.structural_equal(tir.Break(), tir.Continue())


def test_jumps_are_statements_only() -> None:
    with pytest.raises(ScriptError, match=r"3:9: error: expected an expression"):
        script.parse_function(HEADER + "    x = break\n")
    with pytest.raises(ScriptError, match=r"3:11: error: expected the end of the line"):
        script.parse_function(HEADER + "    break n\n")
    relay = '@relay.function\ndef main(x: relay.Tensor((4,), "float32")):\n    break\n'
    with pytest.raises(ScriptError, match="bindings, `if`, `for` and `return` only"):
        script.parse_function(relay)


@pytest.mark.parametrize(
    "body",
    [
        SEARCH,
        "while n > 0:\n    break",
        'for i in tir.unroll(4):\n    with tir.attr(0, "note", 1):\n        continue',
        "for i in tir.parallel(4):\n    for j in range(4):\n        break",
        'with tir.block("b"):\n    for i in range(4):\n        break',
    ],
)
def test_well_formed(body: str) -> None:
    assert transform.VerifyWellFormed()(module(body)) is not None


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("break", "`break` must be in a loop"),
        ("if n > 0:\n    continue", "`continue` must be in a loop"),
        ("for i in tir.parallel(4):\n    break", "`break` cannot leave a parallel loop"),
        ("for i in tir.vectorized(4):\n    continue", "`continue` cannot leave a vectorized loop"),
        (
            'for i in tir.thread_binding(4, thread="threadIdx.x"):\n    break',
            "`break` cannot leave a loop that is bound to a thread",
        ),
        (
            'for i in range(4):\n    with tir.block("b"):\n        '
            "tir.reads()\n        tir.writes()\n        break",
            "`break` cannot leave a block",
        ),
    ],
)
def test_ill_formed(body: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        transform.VerifyWellFormed()(module(body))


def test_a_shared_jump_is_checked_at_each_place() -> None:
    n, zero, four = tir.Var("n", "int32"), ir.IntImm("int32", 0), ir.IntImm("int32", 4)
    shared = tir.IfThenElse(n > 0, tir.Break())
    inner = tir.For(tir.Var("j", "int32"), zero, four, tir.ForKind.PARALLEL, shared)
    body = tir.SeqStmt([shared, inner])
    outer = tir.For(tir.Var("i", "int32"), zero, four, tir.ForKind.SERIAL, body)
    func = tir.PrimFunc([n], outer)
    with pytest.raises(ValueError, match="cannot leave a parallel loop"):
        transform.VerifyWellFormed()(ir.IRModule({ir.GlobalVar("main"): func}))


ONCE = "for i in range(1):\n    A[0] = 1\n    if 0 < n:\n        break\n    A[1] = 2"


def test_simplify_keeps_a_loop_that_is_left() -> None:
    assert after(transform.Simplify(), ONCE) == ONCE
    assert "for" not in after(transform.Simplify(), ONCE.replace("break", "A[2] = 1"))


def test_unroll_keeps_a_loop_that_is_left() -> None:
    body = "for i in tir.unroll(2):\n    if A[i] < 0:\n        continue\n    A[i] = 1"
    assert after(transform.UnrollLoop(), body) == body
    nested = "for j in tir.unroll(2):\n    for i in range(n):\n        break\n    A[j] = 1"
    assert after(transform.UnrollLoop(), nested).count("break") == 2


def test_vectorize_does_one_lane_after_the_other() -> None:
    # The jump of the inner loop depends on the lane.
    body = """
for i in tir.vectorized(4):
    for j in range(4):
        if A[i] < j:
            break
        A[i] = j
""".strip("\n")
    assert after(transform.VectorizeLoop(), body) == body.replace("tir.vectorized", "range")
    # All lanes leave this one together.
    uniform = """
for i in tir.vectorized(4):
    for j in range(4):
        if n < j:
            break
        A[i] = j
""".strip("\n")
    assert (
        after(transform.VectorizeLoop(), uniform)
        == """
for j in range(4):
    if n < j:
        break
    A[tir.Ramp(0, 1, 4)] = tir.Broadcast(j, 4)
""".strip("\n")
    )


def test_partition_keeps_a_loop_that_is_left() -> None:
    body = """
for i in range(n):
    if A[0] == i:
        break
    if tir.likely(i < 7):
        A[i] = 1
""".strip("\n")
    assert after(transform.LoopPartition(), body) == body.replace("tir.likely(i < 7)", "i < 7")
    assert after(transform.LoopPartition(), body.replace("break", "continue")).count("for ") == 2


def test_remove_no_op_keeps_jumps() -> None:
    body = "for i in range(n):\n    if A[i] > 0:\n        break\n    A[i] = 1"
    assert after(transform.RemoveNoOp(), body) == body
