"""Serialization of object graphs, by the engines of the object runtime.

In: objects of any package, containers and plain values.  Out: text or bytes with a version, and
objects that their own constructors have checked.  Shared objects are saved once, and are one object
again when loaded.
"""

from __future__ import annotations

from typing import Any

from tschema.runtime.engines import Engine
from tschema.runtime.namespaces import bind_types

__all__ = [
    "load_binary",
    "load_json",
    "save_binary",
    "save_json",
]

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
        If it refers to an object that cannot be saved, such as a function.
    ValueError
        If the graph has a cycle.
    """
    return str(_save_json(value))


def load_json(text: str) -> Any:
    """Load the output of `save_json` or `tvm_ffi.serialization.to_json_graph_str`.

    Parameters
    ----------
    text
        The JSON. Files from before a field with a default was added are readable.

    Returns
    -------
    value
        The value; its objects are new.

    Raises
    ------
    ValueError, TypeError
        If the text is malformed, or a constructor rejects its values; the message has the position.
        The input is not trusted.

    Examples
    --------
    >>> load_json(save_json(module))
    """
    bind_types()
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
        The bytes, which are equal for graphs of equal structure and equal sharing.

    Raises
    ------
    TypeError
        If it refers to an object that cannot be saved, such as a function.
    ValueError
        If the graph has a cycle.
    """
    return bytes(_save_binary(value))


def load_binary(data: bytes) -> Any:
    """Load the output of `save_binary`.

    Parameters
    ----------
    data
        The bytes. Files from before a field with a default was added are readable.

    Returns
    -------
    value
        The value; its objects are new.

    Raises
    ------
    ValueError, TypeError
        If the bytes are malformed, or a constructor rejects its values; the message has the
        position. The input is not trusted.
    """
    bind_types()
    return _load_binary(data)
