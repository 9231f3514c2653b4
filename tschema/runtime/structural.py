"""Structural equality and hash of objects, by the engines of the object runtime.

In: objects of any package, containers and plain values.  Out: the results of
`tvm_ffi.structural_equal` and `tvm_ffi.structural_hash`, faster and at any depth.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tvm_ffi.access_path import AccessStep

from tschema.runtime.engines import Engine

__all__ = ["Mismatch", "first_mismatch", "structural_equal", "structural_hash"]

_structural_equal = Engine("structural_equal")
_structural_hash = Engine("structural_hash")
_first_mismatch = Engine("first_mismatch")

_WORD = 2**64


class Mismatch(NamedTuple):
    """The first mismatch of two values.

    Attributes
    ----------
    lhs, rhs
        The access path in each value, from its root: fields, elements, keys.
    text
        Both as text: `<root>.body.value: 1 != 2`.
    """

    lhs: tuple[AccessStep, ...]
    rhs: tuple[AccessStep, ...]
    text: str

    def __str__(self) -> str:
        return self.text


def structural_equal(lhs: Any, rhs: Any, *, map_free_vars: bool = False) -> bool:
    """Return whether two values are structurally equal.

    Bound variables are equal if they have the same binding (alpha-equivalence). Fields with
    `structural="ignore"` do not count.

    Parameters
    ----------
    lhs, rhs
        Objects, containers or plain values.
    map_free_vars
        Whether free variables are paired one to one in the order of their occurrence; otherwise
        each is equal to itself alone.

    Returns
    -------
    equal
        Whether they are equal.

    Raises
    ------
    TypeError
        If an object has no structural behaviour.
    ValueError
        If there are tensors that cannot be read: on a device, or not contiguous.

    Examples
    --------
    >>> x, y = tir.Var("x", "int32"), tir.Var("y", "int32")
    >>> structural_equal(x + 1, y + 1), structural_equal(x + 1, y + 1, map_free_vars=True)
    (False, True)
    """
    return bool(_structural_equal(lhs, rhs, map_free_vars))


def first_mismatch(lhs: Any, rhs: Any, *, map_free_vars: bool = False) -> Mismatch | None:
    """Find the first mismatch of two values, in the order of their fields.

    Parameters
    ----------
    lhs, rhs, map_free_vars
        As for `structural_equal`.

    Returns
    -------
    mismatch
        The mismatch; None if the values are equal.

    Raises
    ------
    TypeError, ValueError
        As `structural_equal`.
    """
    found = _first_mismatch(lhs, rhs, map_free_vars)
    if found is None:
        return None
    left, right, text = found
    return Mismatch(tuple(left), tuple(right), str(text))


def structural_hash(value: Any, *, map_free_vars: bool = False) -> int:
    """Hash a value so that structurally equal values have the same hash.

    It is the value of `tvm_ffi.structural_hash`, and the same in every process for a value without
    free variables.

    Parameters
    ----------
    value
        An object, a container or a plain value.
    map_free_vars
        As for `structural_equal`, under which equal values have the same hash.

    Returns
    -------
    hash
        0 to 2^64-1.

    Raises
    ------
    TypeError, ValueError
        As `structural_equal`.
    """
    return int(_structural_hash(value, map_free_vars)) % _WORD
