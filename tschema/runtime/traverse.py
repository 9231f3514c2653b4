"""Walks, rewrites and copies of object graphs at any depth, over the engines of the object runtime.

In: objects of any package and a function that is called for them.  Out: calls, a rewritten value or
a copy.  The engines keep a stack of their own, so that no depth is too much; functors, which call
each other, are limited by Python's.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any, Literal, TypeVar, overload

from tvm_ffi import Object

from tschema.runtime.engines import Engine

__all__ = ["WalkAction", "deep_copy", "map", "post_order", "walk"]

_Value = TypeVar("_Value")

_walk = Engine("walk")
_map = Engine("map")
_deep_copy = Engine("deep_copy")

_ORDERS = {"pre": 0, "post": 1}


class WalkAction(IntEnum):
    """What a callback of `walk` wants next; None stands for `ADVANCE`."""

    ADVANCE = 0
    SKIP = 1
    """Leave out what is below the object; in post-order it has been visited already."""
    INTERRUPT = 2
    """End the walk."""


def walk(
    root: Any,
    callback: Callable[[Any], WalkAction | int | None],
    *,
    order: Literal["pre", "post"] = "pre",
    every_path: bool = False,
) -> bool:
    """Call a function for each object below a value, the value itself included.

    Objects are nodes and containers. Fields that structural equality ignores and keys of maps are
    passed by, as tvm-ffi's walk does.

    Parameters
    ----------
    root
        Any value.
    callback
        Is called with each object.
    order
        Whether an object comes before or after what is below it.
    every_path
        Whether to come to an object once for every path to it, not once in all.

    Returns
    -------
    is_complete
        Whether the walk came to its end.

    Raises
    ------
    Exception
        Any error of the callback.

    Examples
    --------
    >>> names = []
    >>> walk(body, lambda node: names.append(node.name) if isinstance(node, tir.Var) else None)
    """
    return _walk(root, callback, _ORDERS[order], every_path) is None


@overload
def post_order(root: Any) -> list[Object]: ...


@overload
def post_order(root: Any, *types: type[_Value]) -> list[_Value]: ...


def post_order(root: Any, *types: type[Any]) -> list[Any]:
    """List the objects below a value, each once, those that an object is made of before it.

    A loop over the list does what a recursive function would, at any depth.

    Parameters
    ----------
    root
        Any value.
    types
        The classes to list; all objects, containers included, if none is given.

    Returns
    -------
    objects
        In post-order, the root last.
    """
    found: list[Any] = []
    wanted = types or (Object,)

    def note(value: Any) -> None:
        if isinstance(value, wanted):
            found.append(value)

    walk(root, note, order="post")
    return found


def map(root: _Value, function: Callable[[Any], Any]) -> _Value:
    """Rewrite a value from its leaves up.

    What does not change keeps its identity, and an object that is held in several places is mapped
    once and stays one object. No object is written: where something below it changed, it is copied,
    and the copy is checked as its constructor would. Fields that structural equality ignores and
    keys of maps stay.

    Parameters
    ----------
    root
        Any value.
    function
        Is called with each node and container, after those below it. It returns what to put in its
        place; None leaves it.

    Returns
    -------
    value
        The new value; the root itself if nothing changed.

    Raises
    ------
    TypeError
        If its place cannot take a replacement.
    ValueError
        If the value leads back to itself, or a check refuses a copy.
    Exception
        Any error of the function.

    Examples
    --------
    >>> map(body, lambda node: y if node.same_as(x) else None)
    """
    result: _Value = _map(root, function)
    return root if isinstance(root, Object) and root.same_as(result) else result


def deep_copy(value: _Value) -> _Value:
    """Copy a value and everything below it, ignored fields included.

    Parameters
    ----------
    value
        Any value.

    Returns
    -------
    copy
        Shares no object with the value; objects that are held in several places stay one object.

    Raises
    ------
    TypeError
        If something below it cannot be copied, such as a function or a tensor.
    """
    copy: _Value = _deep_copy(value)
    return copy
