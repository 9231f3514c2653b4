"""Scopes of a builder as `with` blocks, and the source lines that entered them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Generic, TypeVar

from uir_nodes.ir import SourceName, Span

if TYPE_CHECKING:
    from types import TracebackType

    from uir_nodes.tir import Builder, BuilderScope

__all__ = ["Scope", "caller_span"]

T = TypeVar("T")


@cache
def _source(filename: str) -> SourceName:
    return SourceName(filename)


def caller_span(depth: int) -> Span:
    """Return the source line of a call.

    Parameters
    ----------
    depth
        The number of frames to go up: 1 for the caller of this function, 2 for its caller.

    Returns
    -------
    Span
        The line; the columns are 0.
    """
    frame = sys._getframe(depth)
    return Span(_source(frame.f_code.co_filename), frame.f_lineno, 0)


class Scope(Generic[T]):
    """Scope of a `with` block; a block that raises adds no statement.

    Parameters
    ----------
    node
        The builder in C++.
    enter
        Enters the scope.
    value
        The value of `with ... as`.
    """

    __slots__ = ("_enter", "_node", "_scope", "_value")

    def __init__(self, node: Builder, enter: Callable[[], BuilderScope], value: T) -> None:
        self._node = node
        self._enter = enter
        self._value = value
        self._scope: BuilderScope | None = None

    def __enter__(self) -> T:
        if self._scope is not None:
            raise ValueError(f"Builder: scope `{self._scope.name}` can be entered only once")
        self._scope = self._enter()
        return self._value

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        assert self._scope is not None
        if error is None:
            self._node.leave(self._scope)
        else:
            self._node.abandon(self._scope)
