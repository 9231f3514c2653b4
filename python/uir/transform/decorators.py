"""Decorators for passes written as Python functions or classes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar, overload

from uir_nodes.transform import (
    FunctionPass,
    ModulePass,
    Pass,
    PassContext,
    PassInfo,
    PrimFuncPass,
)

from ..ir import IRModule
from ..ir.node_error import carried

if TYPE_CHECKING:
    from ..relay import Function
    from ..tir import PrimFunc

__all__ = [
    "FunctionTransform",
    "ModuleTransform",
    "PrimFuncTransform",
    "function_pass",
    "module_pass",
    "prim_func_pass",
]

P = ParamSpec("P")
Made = TypeVar("Made", bound=Pass)


class ModuleTransform(Protocol):
    """A class whose instances transform modules."""

    def transform_module(self, module: IRModule, context: PassContext, /) -> IRModule:
        """Return the transformed module; the same object if nothing changed."""
        ...


class FunctionTransform(Protocol):
    """A class whose instances transform high-level functions."""

    def transform_function(
        self, func: Function, module: IRModule, context: PassContext, /
    ) -> Function:
        """Return the transformed function; the same object if nothing changed."""
        ...


class PrimFuncTransform(Protocol):
    """A class whose instances transform tensor-level functions."""

    def transform_function(
        self, func: PrimFunc, module: IRModule, context: PassContext, /
    ) -> PrimFunc:
        """Return the transformed function; the same object if nothing changed."""
        ...


class ModulePassDecorator(Protocol):
    """Turns a function into a pass, and a class into a factory of passes."""

    @overload
    def __call__(self, run: Callable[P, ModuleTransform], /) -> Callable[P, ModulePass]: ...
    @overload
    def __call__(self, run: Callable[[IRModule, PassContext], IRModule], /) -> ModulePass: ...


class FunctionPassDecorator(Protocol):
    """Turns a function into a pass, and a class into a factory of passes."""

    @overload
    def __call__(self, run: Callable[P, FunctionTransform], /) -> Callable[P, FunctionPass]: ...
    @overload
    def __call__(
        self, run: Callable[[Function, IRModule, PassContext], Function], /
    ) -> FunctionPass: ...


class PrimFuncPassDecorator(Protocol):
    """Turns a function into a pass, and a class into a factory of passes."""

    @overload
    def __call__(self, run: Callable[P, PrimFuncTransform], /) -> Callable[P, PrimFuncPass]: ...
    @overload
    def __call__(
        self, run: Callable[[PrimFunc, IRModule, PassContext], PrimFunc], /
    ) -> PrimFuncPass: ...


@overload
def module_pass(
    *, opt_level: int = 0, name: str | None = None, required: Sequence[str] = ()
) -> ModulePassDecorator: ...
@overload
def module_pass(run: Callable[P, ModuleTransform], /) -> Callable[P, ModulePass]: ...
@overload
def module_pass(run: Callable[[IRModule, PassContext], IRModule], /) -> ModulePass: ...
def module_pass(
    run: Callable[..., object] | None = None,
    /,
    *,
    opt_level: int = 0,
    name: str | None = None,
    required: Sequence[str] = (),
) -> object:
    """Turn a function `(IRModule, PassContext) -> IRModule`, or a class, into a pass.

    A class has a method `transform_module(module, context)` and is replaced by a factory of passes
    that takes the same arguments. (mypy does not support that for decorated classes; it does for
    `Lower = module_pass()(LowerModule)`.)

    Parameters
    ----------
    run
        The function or class, if the decorator is used without parentheses.
    opt_level
        The lowest level of a context in which sequences run the pass; at least 0.
    name
        The pass's name; by default, that of the function or class.
    required
        Names of registered passes that sequences run first.

    Returns
    -------
    ModulePassDecorator or ModulePass
        The decorator; of `run`, the pass, or the factory of passes.

    Examples
    --------
    >>> @module_pass(opt_level=1)
    ... def keep(module, context):
    ...     return module
    >>> print(keep)
    keep (level 1)
    """
    decorator = _Decorator(ModulePass, "transform_module", opt_level, name, required)
    return decorator if run is None else decorator(run)


@overload
def function_pass(
    *, opt_level: int = 0, name: str | None = None, required: Sequence[str] = ()
) -> FunctionPassDecorator: ...
@overload
def function_pass(run: Callable[P, FunctionTransform], /) -> Callable[P, FunctionPass]: ...
@overload
def function_pass(
    run: Callable[[Function, IRModule, PassContext], Function], /
) -> FunctionPass: ...
def function_pass(
    run: Callable[..., object] | None = None,
    /,
    *,
    opt_level: int = 0,
    name: str | None = None,
    required: Sequence[str] = (),
) -> object:
    """Turn a function `(Function, IRModule, PassContext) -> Function`, or a class, into a pass.

    A class has a method `transform_function(func, module, context)` and is replaced by a factory of
    passes that takes the same arguments. The module is that before the pass.

    Parameters
    ----------
    run
        The function or class, if the decorator is used without parentheses.
    opt_level
        The lowest level of a context in which sequences run the pass; at least 0.
    name
        The pass's name; by default, that of the function or class.
    required
        Names of registered passes that sequences run first.

    Returns
    -------
    FunctionPassDecorator or FunctionPass
        The decorator; of `run`, the pass, or the factory of passes.
    """
    decorator = _Decorator(FunctionPass, "transform_function", opt_level, name, required)
    return decorator if run is None else decorator(run)


@overload
def prim_func_pass(
    *, opt_level: int = 0, name: str | None = None, required: Sequence[str] = ()
) -> PrimFuncPassDecorator: ...
@overload
def prim_func_pass(run: Callable[P, PrimFuncTransform], /) -> Callable[P, PrimFuncPass]: ...
@overload
def prim_func_pass(
    run: Callable[[PrimFunc, IRModule, PassContext], PrimFunc], /
) -> PrimFuncPass: ...
def prim_func_pass(
    run: Callable[..., object] | None = None,
    /,
    *,
    opt_level: int = 0,
    name: str | None = None,
    required: Sequence[str] = (),
) -> object:
    """Turn a function `(PrimFunc, IRModule, PassContext) -> PrimFunc`, or a class, into a pass.

    A class has a method `transform_function(func, module, context)` and is replaced by a factory of
    passes that takes the same arguments. The module is that before the pass.

    Parameters
    ----------
    run
        The function or class, if the decorator is used without parentheses.
    opt_level
        The lowest level of a context in which sequences run the pass; at least 0.
    name
        The pass's name; by default, that of the function or class.
    required
        Names of registered passes that sequences run first.

    Returns
    -------
    PrimFuncPassDecorator or PrimFuncPass
        The decorator; of `run`, the pass, or the factory of passes.
    """
    decorator = _Decorator(PrimFuncPass, "transform_function", opt_level, name, required)
    return decorator if run is None else decorator(run)


class _Decorator:
    def __init__(
        self,
        kind: Callable[[PassInfo, Callable[..., object]], object],
        method: str,
        opt_level: int,
        name: str | None,
        required: Sequence[str],
    ) -> None:
        self._kind, self._method = kind, method
        self._opt_level, self._name, self._required = opt_level, name, required

    def __call__(self, run: Callable[..., object], /) -> object:
        info = PassInfo(self._opt_level, self._name or run.__name__, self._required)
        if not isinstance(run, type):
            return self._kind(info, carried(run))
        if not callable(getattr(run, self._method, None)):
            message = f"class `{run.__name__}` must have a method `{self._method}` to be a pass"
            raise TypeError(message)

        @functools.wraps(run, updated=())
        def make(*arguments: object, **options: object) -> Any:
            return self._kind(info, carried(getattr(run(*arguments, **options), self._method)))

        return make
