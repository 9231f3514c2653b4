"""Saving and loading of object graphs, over the engines of the object runtime.

In: objects of any package, containers and plain values.  Out: text or bytes with a version, and
objects that their own constructors have checked.  Objects that are held in several places are
saved once, and are one object again when loaded.
"""

from __future__ import annotations

from typing import Any

from tschema.runtime.engines import Engine

__all__ = ["load_binary", "load_json", "save_binary", "save_json"]

_save_json = Engine("save_json")
_load_json = Engine("load_json")
_save_binary = Engine("save_binary")
_load_binary = Engine("load_binary")


def save_json(value: Any) -> str:
    """Write a value as JSON, in the format of `tvm_ffi.serialization.to_json_graph_str`.

    Parameters
    ----------
    value
        An object, a container or a plain value.

    Returns
    -------
    text
        JSON without white space.

    Raises
    ------
    TypeError
        If it leads to something that has no such form, such as a function.
    ValueError
        If it leads back to itself.
    """
    return str(_save_json(value))


def load_json(text: str) -> Any:
    """Read what `save_json` or `tvm_ffi.serialization.to_json_graph_str` has written.

    Parameters
    ----------
    text
        The JSON. A file written before a field with a default was added is read all the same.

    Returns
    -------
    value
        The value; its objects are new.

    Raises
    ------
    ValueError, TypeError
        If the text is not what it should be, or a constructor refuses its values; the message says
        where. Nothing is trusted.

    Examples
    --------
    >>> load_json(save_json(module))
    """
    return _load_json(text)


def save_binary(value: Any) -> bytes:
    """Write a value in a compact form, about 8 bytes for each node.

    Parameters
    ----------
    value
        An object, a container or a plain value.

    Returns
    -------
    data
        The same bytes for equal graphs whose objects are shared alike.

    Raises
    ------
    TypeError
        If it leads to something that has no such form, such as a function.
    ValueError
        If it leads back to itself.
    """
    return bytes(_save_binary(value))


def load_binary(data: bytes) -> Any:
    """Read what `save_binary` has written.

    Parameters
    ----------
    data
        The bytes. A file written before a field with a default was added is read all the same.

    Returns
    -------
    value
        The value; its objects are new.

    Raises
    ------
    ValueError, TypeError
        If the bytes are not what they should be, or a constructor refuses its values; the message
        says where. Nothing is trusted.
    """
    return _load_binary(data)
