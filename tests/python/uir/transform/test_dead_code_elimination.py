"""Private functions that nothing calls are removed."""

from __future__ import annotations

import pytest

from uir.ir import DictAttrs, ExternFunc, GlobalVar, IRModule
from uir.tir import Call, Evaluate, PrimFunc, SeqStmt, const
from uir.transform import DeadCodeElimination


def func(*callees: GlobalVar, symbol: str | None = None) -> PrimFunc:
    calls = [Evaluate(Call("void", callee, [])) for callee in callees]
    attrs = None if symbol is None else DictAttrs({"global_symbol": symbol})
    return PrimFunc([], SeqStmt(calls), attrs=attrs)


A, B, C, D = (GlobalVar(name) for name in "abcd")


def names(module: IRModule) -> str:
    return "".join(sorted(str(var.name_hint) for var in module.functions))


def test_what_public_functions_reach_stays() -> None:
    module = IRModule({A: func(B, symbol="a"), B: func(C), C: func(), D: func(C)})
    assert names(DeadCodeElimination()(module)) == "abc"


def test_recursion_alone_keeps_nothing() -> None:
    module = IRModule({A: func(symbol="a"), B: func(C), C: func(B, C)})
    assert names(DeadCodeElimination()(module)) == "a"


def test_entries_stay_too() -> None:
    module = IRModule({A: func(symbol="a"), B: func(C), C: func(), D: func()})
    assert names(DeadCodeElimination(["b"])(module)) == "abc"
    with pytest.raises(ValueError, match="there is no function `x`"):
        DeadCodeElimination(["x"])(module)


def test_modules_without_dead_code_stay() -> None:
    module = IRModule({A: func(B, symbol="a"), B: func()})
    assert DeadCodeElimination()(module).same_as(module)
    extern = IRModule({A: func(symbol="a"), B: ExternFunc("puts")})
    assert DeadCodeElimination()(extern).same_as(extern)


def test_modules_without_a_beginning_stay() -> None:
    module = IRModule({A: func(B), B: func()})
    assert DeadCodeElimination()(module).same_as(module)


def test_module_attributes_are_kept() -> None:
    module = IRModule({A: func(symbol="a"), B: func()}, attrs=DictAttrs({"key": const(1)}))
    after = DeadCodeElimination()(module)
    assert names(after) == "a" and after.attrs is not None and "key" in after.attrs.dict
