"""Passes and options by name."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar, overload

from tschema.runtime import call_reraising
from uir_nodes.transform import Pass, PassContext

from ..ir.node_error import carried
from . import _ffi_api

if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "get_option",
    "list_options",
    "list_pass_names",
    "make_pass",
    "register_option",
    "register_pass",
]

Factory = TypeVar("Factory", bound="Pass | Callable[..., Pass]")

_PLAIN_TYPES: Mapping[type, str] = {bool: "bool", int: "int", float: "float", str: "str"}


@overload
def register_pass(name: str, /) -> Callable[[Factory], Factory]: ...
@overload
def register_pass(name: str, factory: Factory, /) -> Factory: ...
def register_pass(name: str, factory: Any = None, /) -> Any:
    """Register a pass by name, so that pipelines, other passes and other languages find it.

    Parameters
    ----------
    name
        The pass's name; one outside uir begins with that of its package: `toy.Simplify`.
    factory
        A pass, or what makes it; where it is left out, a decorator is returned.

    Returns
    -------
    Factory
        What was registered.

    Raises
    ------
    ValueError
        If there is a pass of that name already, with the places of both.

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


def make_pass(name: str, /, *arguments: Any) -> Pass:
    """Make a registered pass, whichever language it is written in.

    Parameters
    ----------
    name
        The name that the pass is registered by.
    arguments
        What its factory takes.

    Returns
    -------
    Pass
        The pass.

    Raises
    ------
    ValueError
        If there is no such pass, with the names there are.
    """
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
    """Allow an option in the configuration of contexts.

    Parameters
    ----------
    name
        The option's name, that of its pass first: `toy.Unroll.max_step`.
    type_
        `bool`, `int`, `float`, `str`, or a class of objects.

    Raises
    ------
    ValueError
        If there is an option of that name already, with the places of both.
    TypeError
        If options cannot be of that type.
    """
    type_name = _PLAIN_TYPES.get(type_)
    if type_name is None:
        info = getattr(type_, "__tvm_ffi_type_info__", None)
        if info is None:
            message = f"option `{name}` must be of bool, int, float, str or a class of objects"
            raise TypeError(f"{message}, got `{type_.__name__}`")
        type_name = info.type_key
    _ffi_api.register_option(name, type_name, _place(sys._getframe(1)))


def get_option(context: PassContext, name: str, default: Any = None) -> Any:
    """Return an option of a pass.

    Parameters
    ----------
    context
        The context that the pass is run with.
    name
        The option's name.
    default
        The option's value where the context does not set it.

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


def list_options() -> Mapping[str, str]:
    """Return all options that contexts may have.

    Returns
    -------
    Mapping[str, str]
        The name of each option's type by the option's name.
    """
    return _ffi_api.list_options()


def _place(frame: Any) -> str:
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"
