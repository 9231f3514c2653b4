"""How an object looks from C++, for people who look into the machinery."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tvm_ffi import Object

from . import _ffi_api

if TYPE_CHECKING:
    from typing import Any

__all__ = ["describe", "object_address"]


def object_address(obj: Object) -> int:
    """Return the address at which C++ sees an object.

    Parameters
    ----------
    obj
        The object.

    Returns
    -------
    int
        Address of the object's header, in bytes.
    """
    return _ffi_api.object_address(obj)


def describe(value: Any) -> str:
    """Return a short text for messages: deep parts and long lists are cut off.

    Parameters
    ----------
    value
        A node or any other value.

    Returns
    -------
    str
        At most a few hundred characters, on one line.
    """
    return _ffi_api.describe(value)
