"""Passes written in Python: of functions and of classes."""

from __future__ import annotations

import pytest

from uir.ir import ExternFunc, GlobalVar, IRModule, structural_equal, with_attr, with_function
from uir.tir import PrimFunc
from uir.transform import (
    ModulePass,
    PassContext,
    PrimFuncPass,
    Sequential,
    module_pass,
    prim_func_pass,
)

from ..support import refuses
from .passes import function, module_of


@module_pass(opt_level=1, required=["x"])
def add_extern(module: IRModule, _context: PassContext) -> IRModule:
    return with_function(module, GlobalVar("extern"), ExternFunc("extern"))


@prim_func_pass(name="Mark")
def mark(func: PrimFunc, module: IRModule, context: PassContext) -> PrimFunc:
    return with_attr(func, "mark", [len(module.functions), context.opt_level])


def test_a_function_becomes_a_pass() -> None:
    assert isinstance(add_extern, ModulePass)
    assert isinstance(mark, PrimFuncPass)
    info = add_extern.pass_info
    assert (info.name, info.opt_level, [*info.required]) == ("add_extern", 1, ["x"])
    assert mark.pass_info.name == "Mark"


def test_a_decorator_needs_no_parentheses() -> None:
    @prim_func_pass
    def keep(func: PrimFunc, _module: IRModule, _context: PassContext) -> PrimFunc:
        return func

    @module_pass
    class Keep:
        def transform_module(self, module: IRModule, _context: PassContext) -> IRModule:
            return module

    module = module_of(main=function())
    assert (keep.pass_info.name, keep.pass_info.opt_level) == ("keep", 0)
    assert keep(module).same_as(module)
    assert Keep()(module).same_as(module)
    assert Keep().pass_info.name == "Keep"


def test_a_module_pass_takes_the_module() -> None:
    module = module_of(main=function())
    assert add_extern(module).contains("extern")
    assert not module.contains("extern")


def test_a_function_pass_takes_each_function() -> None:
    module = add_extern(module_of(one=function(1), two=function(2)))
    with PassContext(opt_level=5):
        marked = mark(module)
    assert [*marked.lookup("one").get_attr("mark")] == [3, 5]
    assert [*marked.lookup("two").get_attr("mark")] == [3, 5]
    assert marked.lookup("extern").same_as(module.lookup("extern"))
    assert module.lookup("one").get_attr("mark") is None


def test_a_module_that_does_not_change_is_the_same_object() -> None:
    @prim_func_pass()
    def keep(func: PrimFunc, _module: IRModule, _context: PassContext) -> PrimFunc:
        return func

    module = module_of(one=function())
    assert Sequential([keep, keep])(module).same_as(module)


def test_functions_that_do_not_change_are_the_same_objects() -> None:
    @prim_func_pass()
    def second(func: PrimFunc, module: IRModule, _context: PassContext) -> PrimFunc:
        return function(7) if func.same_as(module.lookup("two")) else func

    module = module_of(one=function(), two=function())
    changed = second(module)
    assert changed.lookup("one").same_as(module.lookup("one"))
    assert structural_equal(changed.lookup("two"), function(7))
    assert changed.attrs is not None
    assert changed.attrs.same_as(module.attrs)


def test_a_class_becomes_what_makes_passes() -> None:
    @module_pass(opt_level=3)
    class AddExtern:
        """Adds a function."""

        def __init__(self, name: str, *, symbol: str = "symbol") -> None:
            self.name, self.symbol = name, symbol

        def transform_module(self, module: IRModule, _context: PassContext) -> IRModule:
            return with_function(module, GlobalVar(self.name), ExternFunc(self.symbol))

    one, other = AddExtern("one"), AddExtern("other", symbol="s")
    assert (one.pass_info.name, one.pass_info.opt_level) == ("AddExtern", 3)
    module = Sequential([one, other], opt_level=0)(IRModule())
    assert len(module.functions) == 0
    module = other(one(module))
    assert [module.contains(name) for name in ("one", "other")] == [True, True]
    assert AddExtern.__doc__ == "Adds a function."


def test_a_class_of_function_passes() -> None:
    @prim_func_pass()
    class Attr:
        def __init__(self, key: str) -> None:
            self.key = key

        def transform_function(
            self, func: PrimFunc, _module: IRModule, _context: PassContext
        ) -> PrimFunc:
            return with_attr(func, self.key, 1)

    module = Sequential([Attr("a"), Attr("b")])(module_of(main=function()))
    assert [module.lookup("main").get_attr(key) for key in "ab"] == [1, 1]


def test_a_class_without_the_method() -> None:
    with refuses(TypeError, "class `Empty` must have a method `transform_module` to be a pass"):

        @module_pass()  # type: ignore[arg-type]
        class Empty:
            pass


def test_a_pass_that_returns_something_else() -> None:
    @module_pass()
    def nothing(_module: IRModule, _context: PassContext) -> IRModule:
        return None  # type: ignore[return-value]

    @prim_func_pass()
    def number(_func: PrimFunc, _module: IRModule, _context: PassContext) -> PrimFunc:
        return 3  # type: ignore[return-value]

    with refuses(
        TypeError, "in pass `nothing`: a module pass must return a `uir.ir.IRModule`, got `None`"
    ):
        nothing(IRModule())
    with refuses(
        TypeError,
        "in pass `number`, function `main`: a pass over functions must return a "
        "`uir.tir.PrimFunc`, got `int`",
    ):
        number(module_of(main=function()))


def test_a_pass_that_makes_an_ill_formed_module() -> None:
    @prim_func_pass()
    def export(func: PrimFunc, _module: IRModule, _context: PassContext) -> PrimFunc:
        return with_attr(func, "global_symbol", "same")

    with pytest.raises(ValueError, match="^in pass `export`: IRModule: .*`same`"):
        export(module_of(one=function(), two=function()))
