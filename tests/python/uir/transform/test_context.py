"""What passes are run with: levels and names that make sense, setters that check."""

from __future__ import annotations

from typing import Any

import pytest

from uir.ir import IRModule
from uir.transform import (
    ModulePass,
    Pass,
    PassContext,
    PassInfo,
    PassInstrument,
    PrimFuncPass,
    Sequential,
)

from ..support import refuses


def keep(module: IRModule, _context: PassContext) -> IRModule:
    return module


def test_a_pass_has_a_name_and_a_level() -> None:
    with refuses(ValueError, "PassInfo: `name` must not be empty"):
        PassInfo(0, "")
    with refuses(ValueError, "PassInfo: `opt_level` of `simplify` must be at least 0, got -1"):
        PassInfo(-1, "simplify")
    info = PassInfo(0, "simplify", ["lower"])
    assert (list(info.required), info.traceable) == (["lower"], False)


def test_a_context_has_a_level() -> None:
    with refuses(ValueError, "PassContext: `opt_level` must be at least 0, got -1"):
        PassContext(-1)


def test_defaults_are_fresh() -> None:
    one, other = PassContext(), PassContext()
    assert (one.opt_level, len(one.required_pass), len(one.config)) == (2, 0, 0)
    one.required_pass = ["simplify"]
    assert list(other.required_pass) == []


def test_setters() -> None:
    context, instrument = PassContext(), PassInstrument("timer")
    context.opt_level = 3
    context.disabled_pass = ["unroll"]
    context.instruments = [instrument]
    context.config = {}
    assert (context.opt_level, list(context.disabled_pass)) == (3, ["unroll"])
    assert context.instruments[0].same_as(instrument)
    assert len(context.config) == 0


@pytest.mark.parametrize("value", [2**31, -(2**31) - 1, 2**63 - 1])
def test_setters_check_the_range(value: int) -> None:
    context = PassContext()
    with pytest.raises(
        ValueError, match=f"must be between -2147483648 and 2147483647, not {value}$"
    ):
        context.opt_level = value
    assert context.opt_level == 2


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("opt_level", "3"),
        ("opt_level", None),
        ("opt_level", 1.5),
        ("required_pass", [1]),
        ("required_pass", None),
        ("instruments", [IRModule()]),
        ("config", {1: 2}),
        ("config", []),
    ],
)
def test_setters_check_the_type(name: str, value: Any) -> None:
    context = PassContext()
    before = getattr(context, name)
    with pytest.raises(TypeError):
        setattr(context, name, value)
    assert getattr(context, name) == before or getattr(context, name).same_as(before)


def test_a_function_is_kept_as_it_is() -> None:
    module, context = IRModule(), PassContext()
    module_pass = ModulePass(PassInfo(0, "keep"), keep)
    assert module_pass.pass_func(module, context).same_as(module)
    instrument = PassInstrument("stop", on_should_run=lambda _module, _info: False)
    assert instrument.on_should_run is not None
    assert instrument.on_should_run(module, module_pass.pass_info) is False
    assert instrument.on_after is None


def test_passes_in_order() -> None:
    info = PassInfo(0, "all")
    passes: list[Pass] = [ModulePass(info, keep), PrimFuncPass(info, keep)]
    sequential = Sequential([*passes, Sequential([], opt_level=3, name="inner", required=["all"])])
    assert [type(one) for one in sequential.passes] == [ModulePass, PrimFuncPass, Sequential]
    assert sequential.passes[0].same_as(passes[0])
    assert (sequential.pass_info.name, sequential.pass_info.opt_level) == ("sequential", 0)
    inner = sequential.passes[2].pass_info
    assert (inner.name, inner.opt_level, [*inner.required]) == ("inner", 3, ["all"])
    with pytest.raises(TypeError, match=r"argument `passes` must be `Array\[uir.transform.Pass\]`"):
        Sequential([info])  # type: ignore[list-item]


def test_a_pass_is_no_function() -> None:
    with pytest.raises(TypeError, match="argument `pass_func` must be"):
        ModulePass(PassInfo(0, "none"), None)  # type: ignore[arg-type]
