"""The pass that raises all that is wrong with a module."""

from __future__ import annotations

import pytest

from uir.ir import GlobalVar, IntImm, IRModule
from uir.tir import Evaluate, PrimFunc, SeqStmt, Var
from uir.transform import VerifyWellFormed


def test_a_module_that_is_well_formed_is_returned() -> None:
    module = IRModule({GlobalVar("main"): PrimFunc([], Evaluate(IntImm("int32", 0)))})
    assert VerifyWellFormed()(module).same_as(module)


def test_all_problems_are_raised_at_once() -> None:
    body = SeqStmt([Evaluate(Var("first")), Evaluate(Var("second"))])
    module = IRModule({GlobalVar("main"): PrimFunc([], body)})
    with pytest.raises(
        ValueError, match="the module is not well-formed, it has 2 problems"
    ) as info:
        VerifyWellFormed()(module)
    message = str(info.value)
    assert "variable `first` is not bound" in message
    assert "variable `second` is not bound" in message
    assert "VerifyWellFormed" in message
