"""Python protocols of objects: pickle, copy, deepcopy, repr, replace.

In: an object of a bound class. Out: the result of the protocol, by the engines of the object
runtime, at any depth.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

from tvm_ffi import dataclasses

from tschema.runtime.engines import Engine
from tschema.runtime.serialize import load_binary, save_binary
from tschema.runtime.traverse import deep_copy

__all__ = ["field_text", "install_protocols", "unpickle"]

_repr = Engine("repr")

_modules: dict[str, bytes] = {}
"""The modules of all bound classes, each as its types' keys begin."""


def install_protocols(cls: type) -> None:
    """Add the methods that a class does not define."""
    _modules.setdefault(cls.__module__, f"{cls.__module__}.".encode())
    methods: list[Callable[..., Any]] = [_represent, _deep_copy, _reduce]
    if "__init__" in cls.__dict__:
        methods.append(_replace)
    for method in methods:
        name = _METHOD_NAMES[method]
        if name not in cls.__dict__:
            setattr(cls, name, method)


# -- repr ----------------------------------------------------------------------------------------


def field_text(node: Any) -> str:
    """Return the text of an object with the fields of all objects below it, at any depth."""
    return str(_repr(node))


def _represent(self: Any) -> str:
    """Return the text of the object: what `__short_repr__` makes, in a class that has this method.

    Each bound class has a `__repr__` of its own, so classes inherit one by the other name.
    """
    if not self.__chandle__():
        return f"{type(self).__name__}(chandle=None)"
    short = getattr(type(self), "__short_repr__", field_text)
    return str(short(self))


# -- copy ----------------------------------------------------------------------------------------


def _deep_copy(self: Any, memo: dict[Any, Any] | None = None) -> Any:
    """Make a deep copy, with one copy for all references in the memo."""
    if memo is None:
        return deep_copy(self)
    key = ("tschema.runtime", self.__chandle__())
    if key not in memo:
        memo[key] = deep_copy(self), self  # This keeps the address from being reused.
    return memo[key][0]


def _replace(self: Any, /, **changes: Any) -> Any:
    """Return a copy with changed fields, made by the constructor.

    As in `dataclasses.replace`, a field that the constructor does not take is not copied:
    `PostInit` derives it from the others, such as the type of a changed call.

    Raises
    ------
    TypeError
        If a change is neither an argument of the constructor nor a field that is set afterwards.
    """
    cls = type(self)
    code = cls.__init__.__code__
    arguments = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    set_afterwards = changes.keys() & {
        field.name for field in dataclasses.fields(cls) if not field.init and _has_default(field)
    }
    if unknown := changes.keys() - set_afterwards - {*arguments}:
        raise TypeError(f"{cls.__name__} has no field `{min(unknown)}` that can be replaced")
    copy = cls(**{name: changes.get(name, getattr(self, name)) for name in arguments})
    for name in set_afterwards:
        getattr(cls, name).set(copy, changes[name])
    return copy


def _has_default(field: Any) -> bool:
    """Tell a field that may be set afterwards from one that `PostInit` always derives."""
    missing = dataclasses.MISSING
    return field.default is not missing or field.default_factory is not missing


# -- pickle --------------------------------------------------------------------------------------


def _reduce(self: Any) -> tuple[Callable[..., Any], tuple[object, ...]]:
    """Pickle an object as the binary form of its graph, with the modules that it needs."""
    data = save_binary(self)
    needed = tuple(module for module, prefix in _modules.items() if prefix in data)
    return unpickle, (needed, data)


def unpickle(modules: tuple[str, ...], data: bytes) -> Any:
    """Load an object; pickles of all versions call this function by its name.

    Parameters
    ----------
    modules
        The modules that bind the types. Types of a module that cannot be imported were declared at
        run time, and must be declared before the call.
    data
        The binary form.
    """
    for module in modules:
        if module not in sys.modules:
            with suppress(ModuleNotFoundError):
                import_module(module)
    return load_binary(data)


_METHOD_NAMES: dict[Callable[..., Any], str] = {
    _represent: "__repr__",
    _deep_copy: "__deepcopy__",
    _reduce: "__reduce__",
    _replace: "__replace__",
}
