"""`uir.testing.bisect` finds planted faults; the shrinker makes tensor-level functions small."""

from __future__ import annotations

import pytest

from uir import ir, script, tir, transform
from uir.ir import IRModule
from uir.testing import assert_pass, assert_structural_equal, bisect, reduce

TEXT = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def first(A: tir.Buffer((16,), "float32"), B: tir.Buffer((16,), "float32"), n: tir.int32):
        for i in range(16):
            if i < n:
                A[(i * 4 + 3) // 4] = A[i] + tir.exp(B[i])
        for i in range(4):
            for j in range(4):
                A[i * 4 + j] = A[i] * 2.0
    @tir.prim_func
    def second(A: tir.Buffer((16,), "float32")):
        A[3] = A[2] + 1.0
        A[2] = 3.0
"""


def module() -> IRModule:
    found = script.parse(TEXT)
    assert isinstance(found, IRModule)
    return found


@transform.prim_func_pass(opt_level=0, name="DropLast")
def drop_last(func: tir.PrimFunc, module: IRModule, context: transform.PassContext) -> tir.PrimFunc:
    """Drop the last statement of a sequence."""
    if not isinstance(func.body, tir.SeqStmt):
        return func
    return func.with_body(tir.flatten_seq(list(func.body.seq)[:-1]))


PASSES = [
    transform.Simplify(), transform.RemoveNoOp(), transform.Simplify(), drop_last,
    transform.Simplify(), transform.VerifyWellFormed(),
]  # fmt: skip


@pytest.mark.parametrize(("lost", "function"), [("2.0", "first"), ("3.0", "second")])
def test_the_pass_and_its_function_are_found(lost: str, function: str) -> None:
    asked = 0

    def is_lost(found: IRModule) -> bool:
        nonlocal asked
        asked += 1
        return lost not in str(found)

    found = bisect(module(), PASSES, is_lost)
    assert (found.place, found.function) == (3, function)
    assert found.pass_.same_as(drop_last)
    assert lost in str(found.before) and lost not in str(found.after)
    assert_structural_equal(drop_last(found.before), found.after)
    assert asked <= 7


def test_passes_that_add_functions_have_no_single_one() -> None:
    @transform.module_pass(opt_level=0, name="Rename")
    def rename(module: IRModule, context: transform.PassContext) -> IRModule:
        return IRModule(
            {ir.GlobalVar(f"{var.name_hint}_2"): one for var, one in module.functions.items()}
        )

    found = bisect(module(), [transform.Simplify(), rename], lambda one: "first_2" in str(one))
    assert (found.place, found.function) == (1, None)


def test_a_module_must_be_whole_before_and_broken_after() -> None:
    with pytest.raises(ValueError, match="shows the fault before any pass"):
        bisect(module(), PASSES, lambda _: True)
    with pytest.raises(ValueError, match="does not show the fault after all passes"):
        bisect(module(), PASSES, lambda _: False)
    with pytest.raises(ValueError, match="does not show the fault after all passes"):
        bisect(module(), [], lambda _: False)


def test_a_pass_may_fail_after_the_fault() -> None:
    """The error of the later pass is raised only if no earlier one is at fault."""

    @transform.module_pass(opt_level=0, name="Fails")
    def fails(module: IRModule, context: transform.PassContext) -> IRModule:
        raise KeyError("a name")

    passes = [transform.Simplify(), drop_last, fails, transform.RemoveNoOp()]
    assert bisect(module(), passes, lambda one: "3.0" not in str(one)).place == 1
    with pytest.raises(KeyError, match="a name"):
        bisect(module(), passes, lambda one: "qqq" in str(one))


@pytest.mark.parametrize(
    ("kept", "lines"),
    [
        ("exp", ['def first(A: tir.Buffer((16,), "float32"), B: tir.Buffer((16,), "float32")):',
                 "A[(0 * 4 + 3) // 4] = tir.exp(B[0])"]),
        ("1.0", ['def second(A: tir.Buffer((16,), "float32")):', "A[3] = 1.0"]),
        ("if", ["def first(n: tir.int32):", "if 0 < n:", "tir.evaluate(0)"]),
    ],
)  # fmt: skip
def test_tensor_level_functions_become_small(kept: str, lines: list[str]) -> None:
    small = reduce(module(), lambda one: kept in str(one))
    assert [line.strip() for line in str(small).splitlines()[3:]] == lines
    assert not ir.verify(small)


def test_a_shorter_loop_still_shows_a_fault() -> None:
    small = reduce(module(), lambda one: "for i in range(" in str(one) and "exp" in str(one))
    assert "for i in range(2):" in str(small)


def test_assertions_show_both_scripts() -> None:
    simple = transform.Simplify()(module())
    assert_structural_equal(simple, transform.Simplify()(module()))
    assert_pass(module(), transform.Simplify(), simple)
    with pytest.raises(AssertionError) as caught:
        assert_pass(module(), drop_last, simple)
    message = str(caught.value)
    assert message.startswith("not structurally equal: <root>.functions[")
    assert "> " in message and "A[i * 4 + j] = A[i] * 2.0" in message
