"""Definitions in Python files that are parsed as script: their source and enclosing scope.

In: the decorated definition and its frame. Out: the result of `uir.script.parse` on the source,
which is not executed.
"""

from __future__ import annotations

import inspect
import linecache
import re
from collections.abc import Callable, Mapping
from types import BuiltinFunctionType, FrameType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING

import tvm_ffi

if TYPE_CHECKING:
    from typing import Any

__all__ = ["is_in_class", "read_definition"]

_FUNCTIONS = (FunctionType, MethodType, BuiltinFunctionType)
_BUILTINS = {function.__name__: function for function in (max, min, sum, abs, divmod, round)}
_DOTTED_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


def is_in_class(function: FunctionType) -> bool:
    """Return whether a function is in the body of a class, which is parsed as a whole."""
    outer = function.__qualname__.rpartition(".")[0]
    return bool(outer) and not outer.endswith("<locals>")


def read_definition(definition: FunctionType | type, frame: FrameType) -> Any:
    """Read the source of a function or a class.

    Parameters
    ----------
    definition
        The decorated function or class.
    frame
        The frame of the decorator, in which free names of the source are looked up.

    Returns
    -------
    value
        The parsed node.

    Raises
    ------
    OSError
        If the source is not available, as for input at a prompt.
    ScriptError
        If the source is malformed.
    """
    if isinstance(definition, FunctionType):
        file, line = definition.__code__.co_filename, definition.__code__.co_firstlineno
    else:
        file, line = frame.f_code.co_filename, frame.f_lineno
    lines = linecache.getlines(file, frame.f_globals)
    if not lines:
        raise OSError(f"the source of `{definition.__qualname__}` is not known")
    text = "".join(inspect.getblock(lines[line - 1 :]))
    scope = {**frame.f_globals, **frame.f_locals}
    parse = tvm_ffi.get_global_func("uir.script.parse")
    return parse(text, file, line, _resolver(scope), _aliases(text, scope))


def _aliases(text: str, scope: Mapping[str, Any]) -> dict[str, str]:
    """Return what the names of a text stand for: `{"T": "uir.tir", "e": "uir.tir.exp"}`."""
    aliases = {}
    for path in set(_DOTTED_NAME.findall(text)):
        root, *attributes = path.split(".")
        value = scope.get(root)
        for place in range(len(attributes) + 1):
            if known := _public_path(value):
                rest = attributes[place:] if place else []
                aliases[path if place else root] = ".".join([known, *rest])
                break
            if place < len(attributes):
                value = getattr(value, attributes[place], None)
    return aliases


def _public_path(value: object) -> str | None:
    """Return the name of a module, a node class or a function of a package, as script writes it."""
    if isinstance(value, ModuleType):
        package, *rest = value.__name__.split(".")
        is_known = package == "uir" or package.endswith("_nodes")
        return ".".join([package.removesuffix("_nodes"), *rest]) if is_known else None
    if isinstance(value, type):
        info = vars(value).get("__tvm_ffi_type_info__")
        return None if info is None else str(info.type_key)
    if not isinstance(value, FunctionType):
        return None
    package, *rest = value.__module__.split(".")
    if package not in ("uir", "uir_nodes") or not rest:
        return None
    return f"uir.{rest[0]}.{value.__name__}"


def _resolver(scope: Mapping[str, Any]) -> Callable[[str], Any]:
    """Return a function that looks up names in the scope of a decorator."""

    def resolve(path: str) -> Any:
        root, *attributes = path.split(".")
        value = scope.get(root, _BUILTINS.get(root))
        for attribute in attributes:
            value = getattr(value, attribute, None)
        if isinstance(value, _FUNCTIONS):
            return _helper(value)
        return value if _is_value(value) else None

    return resolve


def _helper(function: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    """Return a function that script calls with positional and named arguments."""

    def call(positional: Any, named: Any) -> Any:
        return function(*positional, **{str(name): value for name, value in named.items()})

    return call


def _is_value(value: object) -> bool:
    if isinstance(value, (tuple, list)):
        return all(map(_is_value, value))
    if isinstance(value, (type, ModuleType, tvm_ffi.Function)):
        return False
    return isinstance(value, (bool, int, float, str, tvm_ffi.Object, tvm_ffi.dtype))
