"""Modules: functions by name, names and symbols unique."""

from __future__ import annotations

import time

import pytest

from uir.ir import (
    DictAttrs,
    ExternFunc,
    GlobalVar,
    IRModule,
    structural_equal,
    with_function,
    without_function,
)

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
    left = without_function(module, MAIN).attrs
    assert left is not None
    assert left.same_as(attrs)


def test_functions_are_looked_at_in_the_order_of_their_names(module: IRModule) -> None:
    assert [var.name_hint for var in module] == ["main", "sqrt"]
    assert len(module) == 2
    assert [(var.name_hint, func.same_as(F)) for var, func in module.items()] == [
        ("main", True), ("sqrt", False),
    ]  # fmt: skip
    assert module["main"].same_as(F)
    assert module[SQRT].same_as(G)


def test_update_adds_and_replaces_and_leaves_the_module_as_it_is(module: IRModule) -> None:
    cos = GlobalVar("cos")
    updated = module.update({cos: F, "main": G, "new": F})
    assert [var.name_hint for var in updated] == ["cos", "main", "new", "sqrt"]
    assert updated.get_global_var("main").same_as(MAIN)
    assert updated["main"].same_as(G)
    assert module["main"].same_as(F)
    assert len(module) == 2
    merged = IRModule({cos: F}).update(module)
    assert [var.name_hint for var in merged] == ["cos", "main", "sqrt"]


def test_update_with_what_is_there_is_the_module_itself(module: IRModule) -> None:
    assert module.update(module).same_as(module)
    assert module.with_function(MAIN, F).same_as(module)


def test_update_keeps_names_and_symbols_unique(module: IRModule) -> None:
    with refuses(ValueError, "IRModule: two functions are called `main`"):
        module.update({GlobalVar("main"): G})
    public = module.with_function("main", F.with_attr("global_symbol", "entry"))
    with refuses(
        ValueError, "IRModule: functions `main` and `sqrt` both export the symbol `entry`"
    ):
        public.with_function("sqrt", G.with_attr("global_symbol", "entry"))
    renamed = public.with_function("main", F.with_attr("global_symbol", "other"))
    assert renamed.with_function("sqrt", G.with_attr("global_symbol", "entry"))


def test_a_clone_is_another_module_of_the_same_functions(module: IRModule) -> None:
    copy = module.clone()
    assert not copy.same_as(module)
    assert copy["main"].same_as(F)
    changed = copy.without_function("sqrt")
    assert not changed.contains("sqrt")
    assert copy.contains("sqrt")


def test_attributes_of_a_module(module: IRModule) -> None:
    tuned = module.with_attr("level", 3)
    assert (tuned.get_attr("level"), module.get_attr("level")) == (3, None)
    assert tuned["main"].same_as(F)
    assert structural_equal(tuned.without_attr("level"), module)


def test_a_module_of_one_function() -> None:
    assert [var.name_hint for var in IRModule.from_func(F)] == ["main"]
    assert [var.name_hint for var in IRModule.from_func(F, "f")] == ["f"]
    public = F.with_attr("global_symbol", "entry")
    assert [var.name_hint for var in IRModule.from_func(public)] == ["entry"]


def test_of_many_functions_those_with_near_names_are_listed() -> None:
    module = IRModule({GlobalVar(f"layer{index}"): F for index in range(100)})
    with pytest.raises(ValueError, match="no function `layr7`; did you mean `layer7`"):
        module.lookup("layr7")


@pytest.mark.alone
def test_an_update_does_not_look_at_the_other_functions_again() -> None:
    funcs = {
        GlobalVar(f"f{index}"): F.with_attr("global_symbol", f"f{index}") for index in range(1000)
    }
    module = IRModule(funcs)
    start = time.process_time()
    for var, func in funcs.items():
        module = module.with_function(var, func.with_attr("level", 1))
    # Where each update checks the whole module again, this takes some seconds.
    assert time.process_time() - start < 3.0
    assert all(func.get_attr("level") == 1 for _, func in module.items())
