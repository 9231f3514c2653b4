"""Passes written in Python: functions, and classes whose objects are passes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar, overload

from uir_nodes.transform import ModulePass, Pass, PassContext, PassInfo, PrimFuncPass

from ..ir import IRModule
from ..ir.node_error import carried

if TYPE_CHECKING:
    from ..tir import PrimFunc

__all__ = [
    "FunctionTransform",
    "ModuleTransform",
    "module_pass",
    "prim_func_pass",
]

P = ParamSpec("P")
Made = TypeVar("Made", bound=Pass)


class ModuleTransform(Protocol):
    """A class whose objects transform modules."""

    def transform_module(self, module: IRModule, context: PassContext, /) -> IRModule:
        """Return the module after the pass; the same object if nothing changes."""
        ...


class FunctionTransform(Protocol):
    """A class whose objects transform tensor-level functions."""

    def transform_function(
        self, func: PrimFunc, module: IRModule, context: PassContext, /
    ) -> PrimFunc:
        """Return the function after the pass; the same object if nothing changes."""
        ...


class ModulePassDecorator(Protocol):
    """Makes a pass of a function, and a function that makes passes of a class."""

    @overload
    def __call__(self, run: Callable[P, ModuleTransform], /) -> Callable[P, ModulePass]: ...
    @overload
    def __call__(self, run: Callable[[IRModule, PassContext], IRModule], /) -> ModulePass: ...


class PrimFuncPassDecorator(Protocol):
    """Makes a pass of a function, and a function that makes passes of a class."""

    @overload
    def __call__(self, run: Callable[P, FunctionTransform], /) -> Callable[P, PrimFuncPass]: ...
    @overload
    def __call__(
        self, run: Callable[[PrimFunc, IRModule, PassContext], PrimFunc], /
    ) -> PrimFuncPass: ...


def module_pass(
    *, opt_level: int = 0, name: str | None = None, required: Sequence[str] = ()
) -> ModulePassDecorator:
    """Make a pass of a function `(IRModule, PassContext) -> IRModule`, or of a class.

    A class has a method `transform_module(module, context)`; what takes its place makes passes, of
    the arguments that the class takes. (mypy does not follow that where a class is decorated; it
    does in `Lower = module_pass()(LowerModule)`.)

    Parameters
    ----------
    opt_level
        Sequences run the pass in contexts of this level and above; at least 0.
    name
        The pass's name; by default that of the function or class.
    required
        Names of registered passes that sequences run before it.

    Returns
    -------
    ModulePassDecorator
        The decorator.

    Examples
    --------
    >>> @module_pass(opt_level=1)
    ... def keep(module, context):
    ...     return module
    >>> print(keep)
    keep (level 1)
    """
    return _Decorator(ModulePass, "transform_module", opt_level, name, required)


def prim_func_pass(
    *, opt_level: int = 0, name: str | None = None, required: Sequence[str] = ()
) -> PrimFuncPassDecorator:
    """Make a pass of a function `(PrimFunc, IRModule, PassContext) -> PrimFunc`, or of a class.

    A class has a method `transform_function(func, module, context)`; what takes its place makes
    passes, of the arguments that the class takes. The module is the one before the pass.

    Parameters
    ----------
    opt_level
        Sequences run the pass in contexts of this level and above; at least 0.
    name
        The pass's name; by default that of the function or class.
    required
        Names of registered passes that sequences run before it.

    Returns
    -------
    PrimFuncPassDecorator
        The decorator.
    """
    return _Decorator(PrimFuncPass, "transform_function", opt_level, name, required)


class _Decorator:
    def __init__(
        self,
        kind: Callable[[PassInfo, Callable[..., Any]], Any],
        method: str,
        opt_level: int,
        name: str | None,
        required: Sequence[str],
    ) -> None:
        self._kind, self._method = kind, method
        self._opt_level, self._name, self._required = opt_level, name, required

    def __call__(self, run: Callable[..., Any], /) -> Any:
        info = PassInfo(self._opt_level, self._name or run.__name__, self._required)
        if not isinstance(run, type):
            return self._kind(info, carried(run))
        if not callable(getattr(run, self._method, None)):
            message = f"class `{run.__name__}` must have a method `{self._method}` to be a pass"
            raise TypeError(message)

        @functools.wraps(run, updated=())
        def make(*arguments: Any, **options: Any) -> Any:
            return self._kind(info, carried(getattr(run(*arguments, **options), self._method)))

        return make
