"""Functions that are written in Python files."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, overload

from uir_nodes.tir import PrimFunc

from ..ir.definition import is_in_class, read_definition

if TYPE_CHECKING:
    from typing import Any

__all__ = ["prim_func"]


@overload
def prim_func(function: Callable[..., Any], /) -> PrimFunc: ...


@overload
def prim_func(
    *, private: bool = False, name: str | None = None
) -> Callable[[Callable[..., Any]], PrimFunc]: ...


def prim_func(
    function: Callable[..., Any] | None = None,
    /,
    *,
    private: bool = False,
    name: str | None = None,
) -> Any:
    """Read a function from its source, as script; the source is not run.

    In the body of a class below `uir.script.ir_module` the decorator leaves the function alone, as
    the class is read as a whole.

    Parameters
    ----------
    function
        The function, whose parameters and result have types of tensor-level programs.
    private
        Whether the function has no `global_symbol`; else it is the function's name.
    name
        The function's name in its module, where that is no identifier.

    Returns
    -------
    PrimFunc
        What the source says.

    Raises
    ------
    ScriptError
        If something is wrong with the source: places in the file, the lines underlined.
    """
    del private, name  # They are read from the source.
    frame = sys._getframe(1)

    def decorate(decorated: Callable[..., Any]) -> Any:
        if not isinstance(decorated, FunctionType):
            raise TypeError(f"prim_func: expected a function, got `{type(decorated).__name__}`")
        return decorated if is_in_class(decorated) else read_definition(decorated, frame)

    return decorate if function is None else decorate(function)
