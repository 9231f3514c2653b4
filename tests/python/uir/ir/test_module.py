"""Modules: functions by name, names and symbols unique."""

from __future__ import annotations

import pytest

from uir.ir import DictAttrs, ExternFunc, GlobalVar, IRModule, with_function, without_function

from ..support import refuses

MAIN = GlobalVar("main")
SQRT = GlobalVar("sqrt")
F = ExternFunc("f")
G = ExternFunc("g")


@pytest.fixture
def module() -> IRModule:
    """Make a module of two functions."""
    return IRModule({MAIN: F, SQRT: G})


def test_an_empty_module() -> None:
    module = IRModule()
    assert len(module.functions) == 0
    assert isinstance(module.attrs, DictAttrs)
    assert not module.contains("main")
    with refuses(ValueError, "IRModule: there is no function `main`"):
        module.lookup("main")


def test_functions_are_found_by_name(module: IRModule) -> None:
    assert module.contains("main")
    assert not module.contains("cos")
    assert module.get_global_var("main").same_as(MAIN)
    assert module.lookup("sqrt").same_as(G)
    assert module.global_var_map_["sqrt"].same_as(SQRT)


def test_a_missing_function_is_an_error_with_the_names_there_are(module: IRModule) -> None:
    for find in (module.lookup, module.get_global_var):
        with refuses(ValueError, "IRModule: there is no function `cos`; there are `main`, `sqrt`"):
            find("cos")


def test_names_are_unique() -> None:
    with refuses(ValueError, "IRModule: two functions are called `main`"):
        IRModule({MAIN: F, GlobalVar("main"): G})


def test_symbols_are_unique() -> None:
    attrs = DictAttrs({"global_symbol": "entry"})
    with pytest.raises(
        ValueError, match=r"functions `(a`.*`b|b`.*`a)` both export the symbol `entry`$"
    ):
        IRModule({GlobalVar("a"): ExternFunc("f", attrs), GlobalVar("b"): ExternFunc("g", attrs)})


def test_with_function_adds_and_replaces(module: IRModule) -> None:
    cos = GlobalVar("cos")
    larger = with_function(module, cos, F)
    assert larger.lookup("cos").same_as(F)
    assert not module.contains("cos")
    assert with_function(larger, cos, G).lookup("cos").same_as(G)
    assert larger.lookup("cos").same_as(F)
    with refuses(ValueError, "IRModule: two functions are called `main`"):
        with_function(module, GlobalVar("main"), F)


def test_without_function_removes(module: IRModule) -> None:
    smaller = without_function(module, MAIN)
    assert not smaller.contains("main")
    assert module.contains("main")
    with refuses(ValueError, "IRModule: there is no function `main`; there are `sqrt`"):
        without_function(smaller, MAIN)
    with refuses(
        ValueError,
        "IRModule: `var` is another variable than that of the function `main`",
    ):
        without_function(module, GlobalVar("main"))


def test_attributes_stay_with_the_module() -> None:
    attrs = DictAttrs({"target": "c"})
    module = with_function(IRModule({}, attrs), MAIN, F)
    assert without_function(module, MAIN).attrs.same_as(attrs)
