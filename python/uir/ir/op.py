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
    """Return the registered operator of a name.

    Parameters
    ----------
    name
        The operator's name, such as `tir.exp`.

    Returns
    -------
    Op
        The one operator of that name.

    Raises
    ------
    ValueError
        If there is none; the message has the names near it.
    """
    return _ffi_api.get_op(name)


def has_op(name: str) -> bool:
    """Tell whether there is a registered operator of a name.

    Parameters
    ----------
    name
        The operator's name.

    Returns
    -------
    bool
        Whether there is one.
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
    """Add an operator to the registry.

    Parameters
    ----------
    op
        The operator.

    Returns
    -------
    Op
        The same operator, for the expression that registers it.

    Raises
    ------
    ValueError
        If there is an operator of that name already; the message has both places.
    """
    _ffi_api.register_op(op, caller_place())
    return op


def set_op_attr(op: Op, attr_name: str, value: Any) -> None:
    """Give an operator an attribute.

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
        If the operator is not registered, or has the attribute already.
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
        The attribute's value, None where the operator has no such attribute.
    """
    return _ffi_api.op_attr(op, attr_name)
