"""Macros in Python files: functions whose calls in script are replaced by their statements."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, overload

from ..ir.definition import Macro

if TYPE_CHECKING:
    pass

__all__ = ["inline", "macro"]


@overload
def macro(function: Callable[..., object], /) -> Macro: ...


@overload
def macro(*, hygienic: bool = True) -> Callable[[Callable[..., object]], Macro]: ...


def macro(function: Callable[..., object] | None = None, /, *, hygienic: bool = True) -> object:
    """Replace the calls of a function in script by its statements.

    The source of the function is parsed where it is called, with the values of its parameters:
    expressions, buffers, and other values of script. It is never executed.

    Parameters
    ----------
    function
        The function; it may have defaults, `*values` and `**options`.
    hygienic
        Whether names that it does not bind are those of the file with the macro. Otherwise the
        names of the function that calls it come first.

    Returns
    -------
    Macro
        The macro.

    Raises
    ------
    TypeError
        If `function` is not a Python function.
    OSError
        If the source is not available.

    Examples
    --------
    >>> from uir import tir
    >>> @tir.macro
    ... def fill(A, n, value=0.0):
    ...     for i in range(n):
    ...         A[i] = value
    """
    del hygienic  # The parser reads it from the source.

    def decorate(decorated: Callable[..., object]) -> Macro:
        if not isinstance(decorated, FunctionType):
            raise TypeError(f"macro: expected a function, got `{type(decorated).__name__}`")
        return Macro(decorated)

    return decorate if function is None else decorate(function)


def inline(function: Callable[..., object], /) -> Macro:
    """Replace the calls of a function in script by its statements, as `macro` does.

    Inside a function of script its statements see the names around it.

    Parameters
    ----------
    function
        The function.

    Returns
    -------
    Macro
        The macro.

    Raises
    ------
    TypeError
        If `function` is not a Python function.
    OSError
        If the source is not available.
    """
    if not isinstance(function, FunctionType):
        raise TypeError(f"inline: expected a function, got `{type(function).__name__}`")
    return Macro(function)
