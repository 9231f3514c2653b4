"""Functions written in Python files."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, overload

from uir_nodes.tir import PrimFunc

from ..ir.definition import is_in_class, read_definition

if TYPE_CHECKING:
    pass

__all__ = ["prim_func"]


@overload
def prim_func(function: Callable[..., object], /) -> PrimFunc: ...


@overload
def prim_func(
    *,
    private: bool = False,
    name: str | None = None,
    s_tir: bool = False,
    check_well_formed: bool = True,
) -> Callable[[Callable[..., object]], PrimFunc]: ...


def prim_func(
    function: Callable[..., object] | None = None,
    /,
    *,
    private: bool = False,
    name: str | None = None,
    s_tir: bool = False,
    check_well_formed: bool = True,
) -> object:
    """Parse the source of a function as script, without executing it.

    In a class that `uir.script.ir_module` decorates, this decorator returns the function unchanged,
    because the class is parsed as a whole.

    Parameters
    ----------
    function
        The function, with annotations of script.
    private
        Whether to omit the attribute `global_symbol`, which is the function's name.
    name
        The function's name in its module; by default, the name in the source.
    s_tir
        Whether to put a body with blocks into a root block, as TVM does.
    check_well_formed
        An option of TVM without effect: the parser does not run `verify_well_formed`.

    Returns
    -------
    PrimFunc
        The parsed node.

    Raises
    ------
    ScriptError
        If the source is malformed; the message underlines the errors in the file.
    """
    del private, name, s_tir, check_well_formed  # The parser reads them from the source.
    frame = sys._getframe(1)

    def decorate(decorated: Callable[..., object]) -> object:
        if not isinstance(decorated, FunctionType):
            raise TypeError(f"prim_func: expected a function, got `{type(decorated).__name__}`")
        return decorated if is_in_class(decorated) else read_definition(decorated, frame)

    return decorate if function is None else decorate(function)
