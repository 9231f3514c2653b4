"""The references that users register, by the names of operators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["find", "register"]

_Reference = TypeVar("_Reference", bound=Callable[..., Any])
_registered: dict[str, Callable[..., object]] = {}


def register(name: str) -> Callable[[_Reference], _Reference]:
    """Define the results of another package's operator by a function on arrays.

    The function has the parameters of the operator: arrays for operands, None for an absent one,
    a list for a variadic one, and plain values for attributes. `relay.evaluate` calls it. An
    operator whose declaration has `scalar`, `compute` or `decompose` needs none.

    Parameters
    ----------
    name
        The name of the operator, such as `kiln.glaze.soften`.

    Returns
    -------
    decorator
        A decorator that registers a function, and returns it.

    Raises
    ------
    ValueError
        If the operator has a reference, as those of relay have.

    Examples
    --------
    >>> @register("kiln.glaze.crack")
    ... def crack(x, *, depth=1):
    ...     return np.roll(x, depth)
    """
    if name.startswith("relay."):
        raise ValueError(f"the operator `{name}` is one of relay, which all have references")
    if name in _registered:
        known = _registered[name]
        place = f"{known.__module__}.{known.__qualname__}"
        raise ValueError(f"the operator `{name}` has a reference, `{place}`")

    def add(function: _Reference) -> _Reference:
        _registered[name] = function
        return function

    return add


def find(name: str) -> Callable[..., object] | None:
    """Return the reference that is registered for an operator; None if there is none."""
    return _registered.get(name)
