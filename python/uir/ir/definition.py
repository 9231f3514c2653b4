"""Definitions in Python files that are read as script: their source, and the names around them.

In: what a decorator is given, and the frame that it stands in.  Out: what `uir.script.parse` makes
of the source.  Nothing of it is run.
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
    """Tell whether a function stands in the body of a class, which is read as a whole."""
    outer = function.__qualname__.rpartition(".")[0]
    return bool(outer) and not outer.endswith("<locals>")


def read_definition(definition: FunctionType | type, frame: FrameType) -> Any:
    """Read the source of a function or a class.

    Parameters
    ----------
    definition
        What the decorator is given.
    frame
        Where the decorator stands: the names that the source does not bind are looked up there.

    Returns
    -------
    value
        What the source says.

    Raises
    ------
    OSError
        If there is no source, such as for text that was typed at a prompt.
    ScriptError
        If something is wrong with the source.
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
    """Return a function that knows the values of the names around a decorator."""

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
