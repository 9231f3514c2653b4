"""Attributes of functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast

from uir_nodes.ir import BaseFunc

from . import _ffi_api

if TYPE_CHECKING:
    pass

__all__ = ["with_attr"]

Func = TypeVar("Func", bound=BaseFunc)


def with_attr(func: Func, key: str, value: object) -> Func:
    """Return a function with one attribute added, replaced or removed.

    Parameters
    ----------
    func
        The function, which is not changed.
    key
        The attribute's name, such as `global_symbol`.
    value
        The attribute's value; None removes the attribute.

    Returns
    -------
    Func
        The new function, of the same type.
    """
    return cast("Func", _ffi_api.with_attr(func, key, value))
