"""Traversal, rewriting and copies of object graphs, by the engines of the object runtime.

In: objects of any package and a callback. Out: calls, a rewritten value or a copy. The engines use
an explicit stack, so that the depth is not limited; functors recurse on Python's stack.
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
    """The next step of `walk`, returned by a callback; None means `ADVANCE`."""

    ADVANCE = 0
    SKIP = 1
    """Skip the children of the object; no effect in post-order."""
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

    Objects are nodes and containers. Like tvm-ffi's walk, it skips fields that structural equality
    ignores and keys of maps.

    Parameters
    ----------
    root
        Any value.
    callback
        Is called with each object.
    order
        Whether an object is visited before or after its children.
    every_path
        Whether to visit a shared object once for every path to it, instead of once.

    Returns
    -------
    is_complete
        Whether the walk completed.

    Raises
    ------
    Exception
        Any error of the callback. One of a class that neither Python has nor
        `tvm_ffi.error.register_error` was given is a RuntimeError, with the same traceback.

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
    """List the objects reachable from a value in post-order, each once.

    A loop over the list replaces a recursive function, at any depth.

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
    """Rewrite a value bottom-up.

    Unchanged objects keep their identity, and a shared object is mapped once and stays shared. No
    object is written in place: an object with a changed child is copied, and the copy is checked
    like a constructed object. Fields that structural equality ignores and keys of maps are not
    mapped.

    Parameters
    ----------
    root
        Any value.
    function
        Called with each node and container, after its children. It returns the replacement; None
        keeps the object.

    Returns
    -------
    value
        The new value; the root itself if nothing changed.

    Raises
    ------
    TypeError
        If a field does not accept a replacement.
    ValueError
        If the value has a cycle, or a check of a copy fails.
    Exception
        Any error of the function, as from `walk`.

    Examples
    --------
    >>> map(body, lambda node: y if node.same_as(x) else None)
    """
    result: _Value = _map(root, function)
    return root if isinstance(root, Object) and root.same_as(result) else result


def deep_copy(value: _Value) -> _Value:
    """Make a deep copy of a value, including fields that structural equality ignores.

    Parameters
    ----------
    value
        Any value.

    Returns
    -------
    copy
        Shares no mutable object with the value, except tensors; shared objects stay shared. Objects
        of other libraries are copied as those registered, except enums and those whose equality is
        identity, such as operators of TVM.

    Raises
    ------
    TypeError
        If an object in it cannot be copied, such as a function.
    """
    copy: _Value = _deep_copy(value)
    return copy
