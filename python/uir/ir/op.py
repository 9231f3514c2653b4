"""The registry of operators and their attributes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from uir_nodes.ir import Op
from uir_nodes.ir.op import caller_place

from . import _ffi_api

if TYPE_CHECKING:
    from typing import Any

__all__ = ["get_op", "has_op", "list_op_names", "op_attr", "register_op", "set_op_attr"]


def get_op(name: str) -> Op:
    """Return the registered operator with a name.

    Parameters
    ----------
    name
        The operator's name, such as `tir.exp`.

    Returns
    -------
    Op
        The operator.

    Raises
    ------
    ValueError
        If there is no such operator; the message suggests similar names.
    """
    return _ffi_api.get_op(name)


def has_op(name: str) -> bool:
    """Return whether an operator with a name is registered.

    Parameters
    ----------
    name
        The operator's name.

    Returns
    -------
    bool
        Whether it exists.
    """
    return _ffi_api.has_op(name)


def list_op_names() -> Sequence[str]:
    """Return the names of all registered operators.

    Returns
    -------
    Sequence[str]
        The names, sorted.
    """
    return _ffi_api.list_op_names()


def register_op(op: Op) -> Op:
    """Register an operator.

    Parameters
    ----------
    op
        The operator.

    Returns
    -------
    Op
        The same operator.

    Raises
    ------
    ValueError
        If an operator of that name is registered; the message shows both locations.
    """
    _ffi_api.register_op(op, caller_place())
    return op


def set_op_attr(op: Op, attr_name: str, value: object) -> None:
    """Set an attribute of an operator.

    Parameters
    ----------
    op
        A registered operator.
    attr_name
        The attribute's name, such as `TCallEffectKind`.
    value
        The attribute's value; not None.

    Raises
    ------
    ValueError
        If the operator is not registered, or the attribute is set.
    """
    _ffi_api.set_op_attr(op, attr_name, value, caller_place())


def op_attr(op: Op, attr_name: str) -> Any:
    """Return an attribute of an operator.

    Parameters
    ----------
    op
        The operator.
    attr_name
        The attribute's name.

    Returns
    -------
    Any
        The attribute's value; None if the operator does not have it.
    """
    return _ffi_api.op_attr(op, attr_name)
