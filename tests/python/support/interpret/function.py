"""Functions: arguments, and calls from one to another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from uir import tir
from uir.ir import BaseFunc, ExternFunc, GlobalVar, IRModule

from . import access as _access  # noqa: F401  (it compiles accesses)
from . import calls as _calls  # noqa: F401  (it compiles calls)
from .compiler import Compiler, Env, Returned
from .errors import Undefined
from .memory import Address, Memory
from .numbers import Value, fit
from .stmt import Run, compile_stmt

__all__ = ["run"]

Externs = Mapping[str, Callable[..., Any]]


def run(
    func: tir.PrimFunc,
    *args: Any,
    module: IRModule | None = None,
    externs: Externs | None = None,
    strict: bool = False,
) -> Value:
    """Run a function.

    Parameters
    ----------
    func
        The function.
    args
        A number for each scalar parameter, an array for each handle; arrays are written in place.
    module
        The module whose functions it may call.
    externs
        What `tir.call_extern` and `tir.call_packed` call, by name; they get numbers, `Address`es
        and lists, and return a number or None.
    strict
        Whether a sum or product of indices that does not fit its type is `Undefined`, as passes
        take it to be; otherwise it wraps around, as data does.

    Returns
    -------
    Value
        What the function returns by `tir.ret`, else None.

    Raises
    ------
    Undefined
        If the program has no meaning: it leaves a buffer, reads memory that nothing has written,
        divides by zero or uses a variable that is not bound.
    AssertionError
        If an `AssertStmt` fails.
    """
    return _Program(module, externs or {}, strict).call(func, args)


class _Program:
    """The functions of a module, each compiled when it is first called."""

    def __init__(self, module: IRModule | None, externs: Externs, strict: bool) -> None:
        self.module = module
        self.externs = externs
        self.strict = strict
        self.compiled: dict[BaseFunc, tuple[Compiler, Run]] = {}
        tensors = () if module is None else module.get_attr("constants") or ()
        self.constants = [Address(Memory.of_tensor(tensor), 0) for tensor in tensors]

    def call(self, func: BaseFunc, args: Sequence[Any]) -> Value:
        if isinstance(func, ExternFunc):
            return self.externs[func.global_symbol](*args)
        assert isinstance(func, tir.PrimFunc)
        compiler, body = self._compile(func)
        env = _bind_params(compiler, func, args)
        try:
            body(env)
        except Returned as returned:
            return returned.value
        return None

    def call_by_name(self, var: GlobalVar, args: Sequence[Value]) -> Value:
        if self.module is None or var not in self.module.functions:
            raise Undefined(f"there is no function `{var.name_hint}`")
        return self.call(self.module.functions[var], args)

    def _compile(self, func: tir.PrimFunc) -> tuple[Compiler, Run]:
        if func not in self.compiled:
            compiler = Compiler(self.externs, self.strict, self.call_by_name, self.constants)
            self.compiled[func] = compiler, compile_stmt(compiler, func.body)
        return self.compiled[func]


def _bind_params(compiler: Compiler, func: tir.PrimFunc, args: Sequence[Any]) -> Env:
    env: Env = {}
    arrays = []
    for param, arg in zip(func.params, args, strict=True):
        if isinstance(arg, np.ndarray):
            address = Address(Memory.of_array(arg), 0)
            arrays.append((param, arg))
        env[param] = address if isinstance(arg, np.ndarray) else _scalar(param, arg)
    for param, buffer in func.buffer_map.items():
        env[buffer.data] = env[param]
    for param, arg in arrays:
        if param in func.buffer_map:
            _match_array(compiler, env, func.buffer_map[param], arg)
    return env


def _scalar(param: tir.Var, arg: Any) -> Value:
    return arg if isinstance(arg, Address) else fit(param.dtype)(arg)


def _match_array(
    compiler: Compiler, env: Env, buffer: tir.Buffer, array: np.ndarray[Any, Any]
) -> None:
    """Bind the variables in a buffer's shape and strides, and check the rest."""
    lanes = buffer.dtype.lanes
    shape = [*array.shape[:-1], array.shape[-1] // lanes] if lanes > 1 else list(array.shape)
    strides = [stride // (array.itemsize * lanes) for stride in array.strides]
    assert buffer.elem_offset is not None
    stated = [*buffer.shape, *buffer.strides, buffer.elem_offset]
    found = [*shape, *(strides if buffer.strides else []), 0]
    if not buffer.strides and not array.flags.c_contiguous:
        raise ValueError(f"the array for `{buffer.name}` must be contiguous")
    pairs = list(zip(stated, found, strict=True))
    for node, value in pairs:
        if isinstance(node, tir.Var):
            env.setdefault(node, value)
    for node, value in pairs:
        if compiler.expr(node)(env) != value:
            raise ValueError(f"the array for `{buffer.name}` has another shape: {shape}, {strides}")
