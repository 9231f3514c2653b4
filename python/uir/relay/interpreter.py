"""The interpreter behind `evaluate`.

In: functions and values.  Out: values.  A value is an array, or a tuple of values; a variable may
hold a function too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
import tvm_ffi

from uir_nodes.ir import (
    ExternFunc,
    GlobalVar,
    IRModule,
    Op,
    PrimExpr,
    RelayExpr,
    TensorType,
    TupleType,
    Type,
)
from uir_nodes.relay import (
    Block,
    Call,
    CallDestinationPassingAttrs,
    Constant,
    FirstRowsAttrs,
    Function,
    If,
    RequireAttrs,
    Tuple,
    TupleGetItem,
    Var,
    While,
)

from ..runtime import as_array, as_tensor, numpy_dtype
from .dimensions import Dimensions
from .operator_call import run_operator

__all__ = ["Interpreter", "Value", "entry"]

Value: TypeAlias = "np.ndarray[Any, Any] | tuple[Value, ...]"
Scope = dict[RelayExpr, object]

# The operator that binds a dimension.
FIRST_ROWS = "relay.first_rows"


def entry(target: IRModule | Function, name: str | None) -> tuple[IRModule | None, Function]:
    """Return the module and the function that `evaluate` runs.

    Raises
    ------
    TypeError
        If `target` is neither.
    ValueError
        If the module has no such function.
    """
    if isinstance(target, Function):
        return None, target
    if not isinstance(target, IRModule):
        kind = type(target).__name__
        raise TypeError(f"evaluate: expected an IRModule or a relay Function, got `{kind}`")
    found = {
        var.name_hint: function
        for var, function in target.functions.items()
        if isinstance(function, Function)
    }
    wanted = name or (next(iter(found)) if len(found) == 1 else "main")
    if wanted not in found:
        names = ", ".join(f"`{one}`" for one in sorted(found)) or "none"
        raise ValueError(f"evaluate: no relay function `{wanted}` in the module, which has {names}")
    return target, found[wanted]


class Interpreter:
    """Runs functions of one module."""

    def __init__(self, module: IRModule | None) -> None:
        self._module = module

    def run(self, function: Function, args: Sequence[object]) -> Any:
        """Return the value of a function for arguments.

        Raises
        ------
        TypeError
            If the arguments do not fit the parameters.
        ValueError
            If their dimensions are not as the types of the body assume.
        """
        if len(args) != len(function.params):
            expected = len(function.params)
            raise TypeError(f"evaluate: expected {expected} arguments, got {len(args)}")
        frame = _Frame(self)
        pairs = [(param, as_value(arg)) for param, arg in zip(function.params, args, strict=True)]
        for param, value in pairs:
            frame.find_dimensions(param, value)
        for param, value in pairs:
            frame.bind(param, value)
        frame.check_entry(function)
        return frame.run_block(function.body)

    def function(self, var: GlobalVar) -> Function:
        """Return a function of the module.

        Raises
        ------
        TypeError
            If it is not a function of relay.
        """
        callee = None if self._module is None else self._module.functions.get(var)
        if isinstance(callee, Function):
            return callee
        what = "is not in the module" if callee is None else f"is a `{type(callee).__name__}`"
        raise TypeError(f"evaluate: `{var.name_hint}` {what}; build the module to run it")


def as_value(arg: object) -> object:
    """Return an argument as arrays."""
    if isinstance(arg, (tuple, tvm_ffi.Array)):
        return tuple(as_value(one) for one in arg)
    if isinstance(arg, tvm_ffi.Tensor):
        return as_array(arg)
    return np.asarray(arg)


class _Frame:
    """The values of the variables of one call."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self._scope: Scope = {}
        self._dimensions = Dimensions()

    def find_dimensions(self, param: Var, value: object) -> None:
        """Bind dimensions of a parameter that are variables, whose multiples others may have."""
        expected = param.type_annotation
        if isinstance(expected, TensorType) and isinstance(value, np.ndarray):
            self._dimensions.bind(value.shape, expected.shape, f"argument `{param.name}`")

    def bind(self, param: Var, value: object) -> None:
        """Bind a parameter; its type binds dimensions."""
        if param.type_annotation is not None:
            self._check(value, param.type_annotation, f"argument `{param.name}`")
        self._scope[param] = value

    def check_entry(self, function: Function) -> None:
        """Check what type inference could not prove of the dimensions."""
        self._check_conditions(function.get_attr("shape_assumptions") or ())

    def _check_conditions(self, conditions: Iterable[PrimExpr]) -> None:
        for condition in conditions:
            if not self._dimensions.holds(condition):
                raise ValueError(f"evaluate: {self._dimensions.explain(condition)}")

    def run_block(self, block: Block) -> object:
        for binding in block.bindings:
            self._scope[binding.var] = self.run_expr(binding.value)
        return self.run_expr(block.result)

    def run_expr(self, expr: RelayExpr) -> Any:
        """Return the value of an expression; one that is shared is computed once.

        Operands are computed first, so that nesting may be deeper than Python's stack.
        """
        waiting = [expr]
        while waiting:
            part = waiting[-1]
            missing = [one for one in _nested_operands(part) if one not in self._scope]
            if part in self._scope or not missing:
                self._run_part(waiting.pop())
            else:
                waiting += reversed(missing)
        return self._scope[expr]

    def _run_part(self, expr: RelayExpr) -> None:
        """Compute an expression whose operands are known."""
        if expr in self._scope:
            return
        value = self._compute(expr)
        if expr.checked_type is not None and not isinstance(expr, (Op, GlobalVar)):
            self._check(value, expr.checked_type, _name_of(expr))
        self._scope[expr] = value

    def _compute(self, expr: RelayExpr) -> object:
        if isinstance(expr, Constant):
            return as_array(expr.data)
        if isinstance(expr, Tuple):
            return tuple(self.run_expr(field) for field in expr.fields)
        if isinstance(expr, TupleGetItem):
            return self.run_expr(expr.tuple_value)[expr.index]
        if isinstance(expr, If):
            holds = bool(self.run_expr(expr.condition))
            return self.run_block(expr.true_branch if holds else expr.false_branch)
        if isinstance(expr, While):
            return self._run_loop(expr)
        if isinstance(expr, Call):
            return self._call(expr)
        if isinstance(expr, Var):
            raise ValueError(f"evaluate: variable `{expr.name}` is not bound")
        if isinstance(expr, (GlobalVar, Function)):
            return expr
        raise TypeError(f"evaluate: cannot run a `{type(expr).__name__}`")

    def _run_loop(self, loop: While) -> object:
        """Return the values after the last step; each step computes the values of the body anew."""
        goes_on = bool(self.run_expr(loop.condition))
        values = [self.run_expr(value) for value in loop.initial]
        outside = self._scope
        while goes_on:
            self._scope = {**outside, **dict(zip(loop.params, values, strict=True))}
            found: Any = self.run_block(loop.body)
            goes_on, values = bool(found[0]), list(found[1:])
        self._scope = outside
        return tuple(values)

    def _call(self, call: Call) -> object:
        if isinstance(call.attrs, CallDestinationPassingAttrs):
            return self._call_extern(call, call.attrs)
        if isinstance(call.attrs, RequireAttrs):
            self._check_conditions(call.attrs.conditions)
            return ()
        if isinstance(call.attrs, FirstRowsAttrs):
            count = self.run_expr(call.args[1])
            self._dimensions.set(call.attrs.size, int(count), f"the result of `{FIRST_ROWS}`")
        if isinstance(call.op, Op):
            return run_operator(call.op, call, self.run_expr, self._dimensions)
        callee = self.run_expr(call.op)
        if isinstance(callee, GlobalVar):
            callee = self._interpreter.function(callee)
        return self._interpreter.run(callee, [self.run_expr(arg) for arg in call.args])

    def _call_extern(self, call: Call, attrs: CallDestinationPassingAttrs) -> object:
        """Call a registered global function with fresh outputs after its arguments."""
        callee, *args = call.args
        if not isinstance(callee, ExternFunc):
            raise TypeError(f"evaluate: {_name_of(callee)} is not a function of relay; build it")
        name = callee.global_symbol
        function = tvm_ffi.get_global_func(name, allow_missing=True)
        if function is None:
            raise TypeError(f"evaluate: `{name}` is not a registered global function; build it")
        outputs = [self._empty(out_type) for out_type in attrs.out_types]
        arrays = [*(np.ascontiguousarray(self.run_expr(arg)) for arg in args), *outputs]
        function(*map(as_tensor, arrays))
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    def _empty(self, out_type: Type) -> object:
        assert isinstance(out_type, TensorType)
        shape = [self._dimensions.value(dimension) for dimension in out_type.shape]
        return np.empty(shape, numpy_dtype(out_type.dtype))

    def _check(self, value: object, expected: Type, what: str) -> None:
        """Compare a value with its type; a dimension that is not bound is bound."""
        if isinstance(expected, TensorType):
            self._check_tensor(value, expected, what)
        elif isinstance(expected, TupleType):
            if not isinstance(value, tuple) or len(value) != len(expected.fields):
                raise TypeError(f"evaluate: {what} must be a tuple of {len(expected.fields)}")
            for place, (one, field) in enumerate(zip(value, expected.fields, strict=True)):
                self._check(one, field, f"field {place} of {what}")

    def _check_tensor(self, value: object, expected: TensorType, what: str) -> None:
        if not isinstance(value, np.ndarray):
            raise TypeError(f"evaluate: {what} must be a tensor, got `{type(value).__name__}`")
        dtype = str(expected.dtype)
        if str(value.dtype) != dtype:
            raise TypeError(
                f"evaluate: {what} has data type `{value.dtype}`, its type says `{dtype}`"
            )
        if not self._dimensions.match(value.shape, expected.shape, what):
            shown = self._dimensions.show(expected.shape)
            raise TypeError(f"evaluate: {what} has shape {value.shape}, its type says {shown}")


def _nested_operands(expr: RelayExpr) -> list[RelayExpr]:
    """Return the operands that have operands themselves."""
    operands: Sequence[RelayExpr] = ()
    if isinstance(expr, Call):
        operands = expr.args
    elif isinstance(expr, Tuple):
        operands = expr.fields
    elif isinstance(expr, TupleGetItem):
        operands = [expr.tuple_value]
    elif isinstance(expr, If):
        operands = [expr.condition]
    elif isinstance(expr, While):
        operands = [expr.condition, *expr.initial]
    return [one for one in operands if isinstance(one, (Call, Tuple, TupleGetItem, If, While))]


def _name_of(expr: RelayExpr) -> str:
    if isinstance(expr, Call) and isinstance(expr.op, Op):
        return f"the result of `{expr.op.name}`"
    if isinstance(expr, GlobalVar):
        return f"`{expr.name_hint}`"
    return f"the value of a `{type(expr).__name__}`"
