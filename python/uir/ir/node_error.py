"""Errors about a node, and propagation of Python exceptions through C++."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NoReturn, TypeVar

from tvm_ffi import Object
from tvm_ffi.error import register_error

from tschema.runtime import KeptException
from uir_nodes.ir import ErrorContext

from . import _ffi_api

__all__ = ["NodeError", "carried", "error_context", "raise_at"]

Result = TypeVar("Result")


class NodeError(ValueError):
    """Error about a node, to which passes add their name and the script with the node underlined.

    Parameters
    ----------
    message
        The mistake: the found and the expected value.
    node
        The node at fault.
    """

    def __init__(self, message: str, node: Object | None = None) -> None:
        super().__init__(message)
        self._node = node

    @property
    def node(self) -> Object | None:
        """The node at fault, if known."""
        return self._node if self._node is not None else error_context(self).node


# Not a decorator, because editors would lose the class's own attributes.
register_error("NodeError", NodeError)


def raise_at(node: Object, message: str) -> NoReturn:
    """Raise an error about a node.

    Parameters
    ----------
    node
        The node at fault.
    message
        The mistake: the found and the expected value, in lower case, with names in backquotes,
        without a full stop.

    Raises
    ------
    NodeError
        Always.
    """
    raise NodeError(message, node)


def carried(function: Callable[..., Result]) -> Callable[..., Result]:
    """Wrap a callback of C++ so that its exceptions propagate.

    `tschema.runtime.call_reraising` raises them again in the caller.

    Parameters
    ----------
    function
        Any function.

    Returns
    -------
    Callable
        The wrapped function, whose exceptions C++ can carry.
    """

    @functools.wraps(function)
    def call(*arguments: object) -> Result:
        try:
            return function(*arguments)
        except BaseException as error:
            raise _Carrier(error).with_traceback(error.__traceback__) from None

    return call


def error_context(error: BaseException) -> ErrorContext:
    """Return the context of an error.

    Parameters
    ----------
    error
        An exception that was raised in C++ or passed through it.

    Returns
    -------
    ErrorContext
        The node at fault, the innermost pass and the script; empty if unknown.
    """
    context = getattr(error, "__error_context__", None)
    if context is None:
        context = getattr(getattr(error, "__tvm_ffi_error__", None), "extra_context", None)
    return context if isinstance(context, ErrorContext) else ErrorContext()


class _Carrier(BaseException):
    """Carries an exception to tvm-ffi, which reads `__tvm_ffi_error__`."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        known = error_context(error)
        node = error.node if isinstance(error, NodeError) else known.node
        context = ErrorContext(node, _Kept(error), known.pass_name, known.script)
        self.__tvm_ffi_error__ = _ffi_api.make_error(type(error).__name__, str(error), "", context)


class _Kept(KeptException):
    __slots__ = ()

    def came_back(self, context: object) -> None:
        # The context must not hold the exception: the reference cycle would never be freed.
        if isinstance(context, ErrorContext):
            known = ErrorContext(context.node, None, context.pass_name, context.script)
            vars(self.exception)["__error_context__"] = known
