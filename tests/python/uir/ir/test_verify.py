"""The findings of `verify` about modules with any kind of function."""

from __future__ import annotations

from uir.ir import DictAttrs, ExternFunc, GlobalVar, IRModule, verify


def test_an_empty_module_is_well_formed() -> None:
    assert list(verify(IRModule())) == []
    assert list(verify(IRModule({GlobalVar("puts"): ExternFunc("puts")}))) == []


def test_symbols_are_strings() -> None:
    func = ExternFunc("puts", attrs=DictAttrs({"global_symbol": 3}))
    module = IRModule({GlobalVar("puts"): func})
    (problem,) = verify(module)
    assert problem.message == "attribute `global_symbol` of `puts` must be a string, got `int`"
    assert problem.node is not None and problem.node.same_as(func)
    assert problem.root is not None and problem.root.same_as(module)
