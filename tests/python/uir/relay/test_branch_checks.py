"""A branch checks what its types assume of dimensions; calls that take the other one run."""

from __future__ import annotations

import re

import numpy as np
import pytest

import uir
from uir import ir, relay, tir, transform

from ..support import refuses

HEAD = """@uir.script.ir_module
class Module:
    @relay.function
    def main(c: relay.Tensor((), "bool"), x: relay.Tensor((n,), "float32"),
             y: relay.Tensor((m,), "float32")):
        n = tir.SizeVar("n", "int32")
        m = tir.SizeVar("m", "int32")
"""

SUM = """        if c:
            r = x + y
        else:
            r = x * 2.0
        return r
"""

MESSAGE = "`n == m` must hold"


def typed(body: str) -> ir.IRModule:
    """Parse a function of a flag and two vectors, and infer its types."""
    after = transform.InferType()(uir.script.parse(HEAD + body))
    assert isinstance(after, ir.IRModule)
    assert not ir.verify(after)
    return after


def vector(size: int) -> np.ndarray:
    return np.arange(size, dtype=np.float32)


def test_the_condition_is_in_the_branch() -> None:
    text = str(typed(SUM))
    assert "shape_assumptions" not in text
    (check,) = re.findall(r"^ +if c:\n +checked\S* = (.*)$", text, re.MULTILINE)
    assert check == "relay.require([n == m])"


def test_only_calls_that_take_the_branch_fail() -> None:
    module = typed(SUM)
    library = uir.build(module)["main"]
    for run in (lambda *args: relay.evaluate(module, *args), library):
        found = np.from_dlpack(run(np.array(True), vector(3), vector(3)))
        np.testing.assert_array_equal(found, 2 * vector(3))
        found = np.from_dlpack(run(np.array(False), vector(3), vector(4)))
        np.testing.assert_array_equal(found, 2 * vector(3))
        with pytest.raises(ValueError, match=f"{MESSAGE}.*`n` is 3.*`m` is 4"):
            run(np.array(True), vector(3), vector(4))


def test_a_typed_module_stays_and_reads_back() -> None:
    module = typed(SUM)
    assert transform.InferType()(module).same_as(module)
    for copy in (uir.script.parse(str(module)), ir.load_json(ir.save_json(module))):
        assert ir.structural_equal(copy, module)
        assert transform.InferType()(copy).same_as(copy)


@pytest.mark.parametrize(
    "passes",
    [
        [transform.EliminateCommonSubexpr(), transform.DeadCode()],
        [transform.SimplifyExpr(), transform.FuseOps()],
        [transform.FuseOps(), transform.LowerOps(), transform.DeduplicateFunctions()],
    ],
    ids=["remove", "fuse", "lower"],
)
def test_passes_keep_the_check(passes: list[transform.Pass]) -> None:
    body = SUM.replace("x + y", "relay.exp(x + y) + relay.exp(x + y)")
    after = transform.Sequential([transform.ToANormalForm(), *passes])(typed(body))
    library = uir.build(after)["main"]
    library(np.array(False), vector(3), vector(4))
    with pytest.raises(ValueError, match=MESSAGE):
        library(np.array(True), vector(3), vector(4))


def test_a_text_between_lowering_and_entry_keeps_the_check() -> None:
    lowered = transform.Sequential([transform.ToANormalForm(), transform.LowerOps()])(typed(SUM))
    library = uir.build(uir.script.parse(str(lowered)))["main"]
    library(np.array(False), vector(3), vector(4))
    with pytest.raises(ValueError, match=MESSAGE):
        library(np.array(True), vector(3), vector(4))


def test_a_branch_that_is_always_taken_is_checked_by_each_call() -> None:
    chosen = SUM.replace("if c:", 'if relay.const(True, "bool"):')
    library = uir.build(typed(chosen))["main"]
    with pytest.raises(ValueError, match=MESSAGE):
        library(np.array(False), vector(3), vector(4))


def test_inner_branches_check_their_own() -> None:
    body = """        if c:
            d = relay.greater(relay.sum(x), 100.0)
            if d:
                r = x + y
            else:
                r = x * 3.0
        else:
            r = x * 2.0
        return r
"""
    library = uir.build(typed(body))["main"]
    np.testing.assert_array_equal(
        np.from_dlpack(library(np.array(True), vector(3), vector(4))), 3 * vector(3)
    )
    with pytest.raises(ValueError, match=MESSAGE):
        library(np.array(True), vector(3) + 100, vector(4))


def test_sizes_of_buffers_are_checked_at_the_entry() -> None:
    """The arena is allocated once, so no size in it may be negative."""
    body = """        if c:
            r = relay.sum(relay.max_pool(relay.reshape(x, [1, 1, n, 1]), [4, 1]))
        else:
            r = relay.sum(x)
        return r
"""
    library = uir.build(typed(body))["main"]
    with pytest.raises(ValueError, match="must hold: `n` is 3"):
        library(np.array(False), vector(3), vector(4))


def test_a_callee_checks_its_branches() -> None:
    text = (
        (HEAD + SUM)
        .replace("@relay.function", "@relay.function(private=True)")
        .replace("def main(", "def inner(")
    )
    text += (HEAD + "        return Module.inner(c, y, x)\n").split("class Module:\n")[1]
    module = transform.InferType()(uir.script.parse(text))
    assert not ir.verify(module)
    library = uir.build(module)["main"]
    np.testing.assert_array_equal(
        np.from_dlpack(library(np.array(False), vector(3), vector(4))), 2 * vector(4)
    )
    with pytest.raises(ValueError, match="must hold"):
        library(np.array(True), vector(3), vector(4))


def test_require_refuses_what_is_no_condition() -> None:
    n = tir.SizeVar("n", "int32")
    with refuses(ValueError, "relay.require: there must be a condition"):
        relay.require([])
    with refuses(TypeError, "relay.require: a condition must be boolean, got `n`"):
        relay.require([n])


def test_conditions_use_dimensions_of_parameters() -> None:
    unknown = tir.SizeVar("k", "int32")
    x = relay.Var("x", relay.Tensor((2,)))
    builder = relay.builder()
    builder.emit(relay.require([unknown > 1]), "checked")
    block = relay.Block(builder.make_block(x).bindings, x)
    module = ir.IRModule({ir.GlobalVar("main"): relay.Function([x], block)})
    (found,) = ir.verify(module)
    assert "the condition has the dimension `k`" in found.message
