"""Passes and options by name."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar, cast, overload

from tschema.runtime import call_reraising
from uir_nodes.transform import Pass, PassContext, PassOptions

from ..ir.node_error import carried
from . import _ffi_api

if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "get_option",
    "list_options",
    "list_pass_names",
    "make_pass",
    "options_of",
    "register_lowering",
    "register_option",
    "register_pass",
]

Factory = TypeVar("Factory", bound="Pass | Callable[..., Pass]")
Options = TypeVar("Options", bound=PassOptions)
Lowering = TypeVar("Lowering", bound="Callable[..., Any]")

_PLAIN_TYPES: Mapping[type, str] = {bool: "bool", int: "int", float: "float", str: "str"}


@overload
def register_pass(name: str, /) -> Callable[[Factory], Factory]: ...
@overload
def register_pass(name: str, factory: Factory, /) -> Factory: ...
def register_pass(name: str, factory: Any = None, /) -> Any:
    """Register a pass by name, for pipelines, other passes and other languages.

    Parameters
    ----------
    name
        The pass's name; a package's pass starts with the package: `toy.Simplify`.
    factory
        A pass or a factory; without it, the function returns a decorator.

    Returns
    -------
    Factory
        The registered pass or factory.

    Raises
    ------
    ValueError
        If a pass of that name is registered; the message shows both locations.

    Examples
    --------
    >>> from uir.transform import module_pass
    >>> @register_pass("doc.Keep")
    ... @module_pass(opt_level=0)
    ... def keep(module, context):
    ...     return module
    >>> print(make_pass("doc.Keep"))
    keep (level 0)
    """
    place = _place(sys._getframe(1))

    def register(registered: Any) -> Any:
        make = (lambda: registered) if isinstance(registered, Pass) else carried(registered)
        _ffi_api.register_pass(name, make, place)
        return registered

    return register if factory is None else register(factory)


def register_lowering(op_name: str, /) -> Callable[[Lowering], Lowering]:
    """Register what computes the calls of an operator in `LowerOps`, by a decorator.

    Parameters
    ----------
    op_name
        The operator's name. One that has `scalar`, `compute` or `decompose` does not use them.

    Returns
    -------
    Callable
        Registers a function of a call and its operands, and returns it. The function takes the
        `relay.Call`, whose attributes and type it may read, and for each operand a `te.Tensor`,
        None if it is absent, or a list for a variadic one. It returns a `te.Tensor`, or a list of
        them for several results.

    Raises
    ------
    ValueError
        If the operator has a registered lowering.

    Examples
    --------
    >>> from uir import te
    >>> @register_lowering("doc.twice")
    ... def lower_twice(call, x):
    ...     return te.compute(x.shape, lambda *i: x[i] + x[i], name="twice")
    """

    def register(lowering: Lowering) -> Lowering:
        # A list of operands becomes arguments.
        run = carried(lambda call, operands: lowering(call, *operands))
        _ffi_api.register_lowering(op_name, run)
        return lowering

    return register


def make_pass(name: str, /, *arguments: object) -> Pass:
    """Make a registered pass, written in any language.

    Parameters
    ----------
    name
        The registered name.
    arguments
        The arguments of its factory.

    Returns
    -------
    Pass
        The pass.

    Raises
    ------
    ValueError
        If there is no such pass; the message suggests a similar name, or lists all names.
    """
    known = list_pass_names()
    if name not in known:
        # Imported on use, to keep `import uir` fast.
        from tschema.command_line import nearest

        if hint := nearest(name, known):
            raise ValueError(f"there is no pass `{name}`{hint}")
    return call_reraising(_ffi_api.make_pass, name, arguments)


def list_pass_names() -> Sequence[str]:
    """Return the names of all registered passes.

    Returns
    -------
    Sequence[str]
        The names, sorted.
    """
    return _ffi_api.list_pass_names()


def register_option(name: str, type_: type) -> None:
    """Register an option of contexts.

    Parameters
    ----------
    name
        The option's name, which starts with that of its pass: `toy.Unroll.max_step`.
    type_
        `bool`, `int`, `float`, `str`, or a class of objects.

    Raises
    ------
    ValueError
        If an option of that name is registered; the message shows both locations.
    TypeError
        If the type is not supported.
    """
    type_name = _PLAIN_TYPES.get(type_) or _type_key(type_)
    if type_name is None:
        message = f"option `{name}` must be of bool, int, float, str or a class of objects"
        raise TypeError(f"{message}, got `{type_.__name__}`")
    _ffi_api.register_option(name, type_name, _place(sys._getframe(1)))


def get_option(context: PassContext, name: str, default: object = None) -> Any:
    """Return the value of an option.

    Parameters
    ----------
    context
        The context.
    name
        The option's name.
    default
        The result if the context does not set the option, and no declaration has a default.

    Returns
    -------
    Any
        The option's value, of its registered type.

    Raises
    ------
    ValueError
        If there is no such option.
    """
    value = _ffi_api.find_option(context, name)
    return default if value is None else value


def options_of(context: PassContext, type_: type[Options]) -> Options:
    """Return the options of a pass, with the declared defaults of those that are not set.

    Parameters
    ----------
    context
        The context.
    type_
        The class of the options: `UnrollLoopOptions`.

    Returns
    -------
    Options
        The options.

    Raises
    ------
    TypeError
        If the class is not a subclass of `PassOptions`, or an option is of another type.
    ValueError
        If the class refuses an option.

    Examples
    --------
    >>> from uir.transform import PassContext, UnrollLoopOptions
    >>> context = PassContext(config={"UnrollLoop.auto_max_extent": 4})
    >>> options_of(context, UnrollLoopOptions).auto_max_extent
    4
    """
    return cast(Options, _ffi_api.options_of(context, _type_key(type_) or type_.__name__))


def list_options() -> Mapping[str, str]:
    """Return all registered options.

    Returns
    -------
    Mapping[str, str]
        The type name of each option, by option name.
    """
    return _ffi_api.list_options()


def _type_key(type_: type) -> str | None:
    info = getattr(type_, "__tvm_ffi_type_info__", None)
    return None if info is None else str(info.type_key)


def _place(frame: Any) -> str:
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"
