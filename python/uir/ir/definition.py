"""Definitions in Python files that are parsed as script: their source and enclosing scope.

In: the decorated definition and its frame. Out: the result of `uir.script.parse` on the source,
which is not executed.
"""

from __future__ import annotations

import inspect
import linecache
from collections.abc import Callable
from types import FrameType, FunctionType, ModuleType
from typing import TYPE_CHECKING

import tvm_ffi

if TYPE_CHECKING:
    from typing import Any

__all__ = ["is_in_class", "read_definition"]


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
    return tvm_ffi.get_global_func("uir.script.parse")(text, file, line, _resolver(frame))


def _resolver(frame: FrameType) -> Callable[[str], Any]:
    """Return a function that looks up names in the scope of a decorator."""

    def resolve(path: str) -> Any:
        root, *attributes = path.split(".")
        scopes = (frame.f_locals, frame.f_globals)
        value = next((scope[root] for scope in scopes if root in scope), None)
        for attribute in attributes:
            value = getattr(value, attribute, None)
        return value if _is_value(value) else None

    return resolve


def _is_value(value: object) -> bool:
    if isinstance(value, (type, ModuleType, FunctionType, tvm_ffi.Function)):
        return False
    return isinstance(value, (bool, int, float, str, tvm_ffi.Object, tvm_ffi.dtype))
