"""High-level functions written in Python files."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, overload

from uir_nodes.relay import Function

from ..ir.definition import is_in_class, read_definition

if TYPE_CHECKING:
    from typing import Any

__all__ = ["function"]


@overload
def function(definition: Callable[..., object], /) -> Function: ...


@overload
def function(
    *, private: bool = False, name: str | None = None
) -> Callable[[Callable[..., Any]], Function]: ...


def function(
    definition: Callable[..., object] | None = None,
    /,
    *,
    private: bool = False,
    name: str | None = None,
) -> Any:
    """Parse the source of a function as script, without executing it.

    In a class that `uir.script.ir_module` decorates, this decorator returns the function unchanged,
    because the class is parsed as a whole.

    Parameters
    ----------
    definition
        The function, with annotations of script.
    private
        Whether to omit the attribute `global_symbol`, which is the function's name.
    name
        The function's name in its module; by default, the name in the source.

    Returns
    -------
    Function
        The parsed node.

    Raises
    ------
    ScriptError
        If the source is malformed; the message underlines the errors in the file.
    """
    del private, name  # The parser reads them from the source.
    frame = sys._getframe(1)

    def decorate(decorated: Callable[..., object]) -> object:
        if not isinstance(decorated, FunctionType):
            raise TypeError(f"function: expected a function, got `{type(decorated).__name__}`")
        return decorated if is_in_class(decorated) else read_definition(decorated, frame)

    return decorate if definition is None else decorate(definition)
