"""Runs modules after `LowerOps`: their high-level functions call tensor-level ones, interpreted."""

from __future__ import annotations

from typing import Any

import numpy as np

from uir import ir, relay, tir, transform
from uir.ir import IRModule
from uir.relay import reference
from uir.relay.dimensions import Dimensions

from ...support.interpreter import run
from ...support.tolerance import same_values
from .operator_cases import OPERATORS, by_name, make, module_of

LOWER = transform.Sequential(
    [transform.InferType(), transform.ToANormalForm(), transform.LowerOps()]
)


def lower(module: IRModule) -> IRModule:
    """Return the module after the pass; it is well-formed and typed."""
    lowered = LOWER(module)
    assert list(ir.verify(lowered)) == []
    assert transform.InferType()(lowered).same_as(lowered)
    return lowered


def run_lowered(
    module: IRModule, *args: np.ndarray[Any, Any], dimensions: Dimensions | None = None
) -> Any:
    """Run `main` of a lowered module on arrays; `dimensions` has values of some variables."""
    main = module.lookup("main")
    assert isinstance(main, relay.Function)
    return _Run(module, main, args, dimensions or Dimensions()).block(main.body)


class _Run:
    """One call of a function: the values of variables and dimensions."""

    def __init__(
        self,
        module: IRModule,
        func: relay.Function,
        args: tuple[np.ndarray[Any, Any], ...],
        dimensions: Dimensions,
    ) -> None:
        self.module = module
        self.values: dict[relay.Var, Any] = dict(zip(func.params, args, strict=True))
        self.dimensions = dimensions
        for param, arg in self.values.items():
            assert self.dimensions.match(arg.shape, param.type_annotation.shape, param.name)

    def block(self, block: relay.Block) -> Any:
        for binding in block.bindings:
            self.values[binding.var] = self.value(binding.value)
        return self.value(block.result)

    def value(self, expr: ir.RelayExpr) -> Any:
        if isinstance(expr, relay.Var):
            return self.values[expr]
        if isinstance(expr, relay.Constant):
            return np.from_dlpack(expr.data)
        if isinstance(expr, relay.Tuple):
            return tuple(self.value(field) for field in expr.fields)
        if isinstance(expr, relay.TupleGetItem):
            return self.value(expr.tuple_value)[expr.index]
        if isinstance(expr, relay.If):
            holds = bool(self.value(expr.condition))
            return self.block(expr.true_branch if holds else expr.false_branch)
        if isinstance(expr, relay.While):
            return self.loop(expr)
        assert isinstance(expr, relay.Call)
        return self.call(expr)

    def loop(self, loop: relay.While) -> Any:
        goes_on = self.value(loop.condition)
        values = [self.value(value) for value in loop.initial]
        while goes_on:
            self.values.update(zip(loop.params, values, strict=True))
            goes_on, *values = self.block(loop.body)
        return tuple(values)

    def call(self, call: relay.Call) -> Any:
        if call.op.name != "relay.call_destination_passing":
            return self.view(call)
        callee, *args = call.args
        func = self.module.functions[callee]
        assert isinstance(func, tir.PrimFunc) and func.get_attr("global_symbol") is None
        outputs = [self.output(out) for out in call.attrs.out_types]
        inputs = [np.ascontiguousarray(self.value(arg)) for arg in args]
        shaped = [one.reshape(self.value(arg).shape) for one, arg in zip(inputs, args, strict=True)]
        run(func, *shaped, *outputs, strict=True)
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    def view(self, call: relay.Call) -> Any:
        assert ir.op_attr(call.op, "kind") == "view"
        assert isinstance(call.checked_type, ir.TensorType)
        shape = [self.dimensions.value(dim) for dim in call.checked_type.shape]
        return self.value(call.args[0]).reshape(shape)

    def output(self, out: ir.TensorType) -> np.ndarray[Any, Any]:
        shape = [self.dimensions.value(dim) for dim in out.shape]
        return np.full(shape, 99, str(out.dtype))


def flat(operands: list[Any]) -> list[Any]:
    """Return the arrays of a call, in the order of its parameters."""
    listed = [one for each in operands for one in (each if isinstance(each, list) else [each])]
    return [one for one in listed if one is not None]


def run_call(
    name: str, params: list[Any], operands: list[Any], attributes: Any, **options: Any
) -> Any:
    """Run a call of an operator on parameters as loops."""
    module = module_of(params, make(OPERATORS[name], params, attributes))
    return run_lowered(lower(module), *flat(operands), **options)


def expected_of(name: str, operands: list[Any], attributes: dict[str, Any]) -> Any:
    """Return what the reference computes."""
    return getattr(reference, name)(**by_name(name, operands), **attributes)


def agree(found: Any, expected: Any, context: Any) -> None:
    """Compare results: floating-point numbers up to the rounding of a few operations."""
    if isinstance(expected, tuple):
        assert isinstance(found, tuple) and len(found) == len(expected)
        for one, wanted in zip(found, expected, strict=True):
            agree(one, wanted, context)
        return
    same_values(found, expected, context)
