"""Padding, whose widths are two lists, or a pair for each axis as NumPy writes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias, cast

from . import _ffi_api

if TYPE_CHECKING:
    from uir_nodes.ir import PrimExpr, RelayExpr, Span

    Widths: TypeAlias = Sequence[int | PrimExpr] | int | PrimExpr

__all__ = ["pad"]


def pad(
    x: RelayExpr | float,
    before: Widths | Sequence[Sequence[int | PrimExpr]],
    after: Widths | None = None,
    mode: str = "constant",
    value: RelayExpr | float | None = None,
    *,
    axes: Sequence[int] | int | None = None,
    span: Span | None = None,
) -> RelayExpr:
    """Add elements before and after axes.

    Parameters
    ----------
    x
        Tensor of shape `(d0, d1, ...)`; any data type.
    before
        How many elements are added before each of `axes`; negative numbers remove them. Without
        `after`, pairs of the numbers before and after each axis, as `numpy.pad` takes them.
    after
        How many elements are added after each of `axes`; negative numbers remove them.
    mode
        The added elements: `constant` (the value), `edge` (the outermost element), `reflect` (the
        elements in reverse order, without the outermost), `symmetric` (the same with it) or `wrap`
        (those of the other end).
    value
        Scalar that is added in mode `constant`; 0 if it is left out.
    axes
        The axes that are padded, from `-rank` to `rank - 1`; None for all.
    span
        Source location.

    Returns
    -------
    RelayExpr
        Tensor of shape `(before[0] + d0 + after[0], ...)` and the data type of `x`.

    Raises
    ------
    TypeError
        If `after` is left out and `before` is not a sequence of pairs, or `value` is not a scalar
        of the data type of `x`.
    ValueError
        If there is not one width for each of `axes`, an axis is out of range or given twice, a
        dimension becomes negative, or `mode` is unknown.

    Examples
    --------
    >>> x = uir.relay.Var("x", uir.relay.Tensor((2, 3)))
    >>> pad(x, ((1, 1), (0, 2))).checked_type.shape[1].value
    5
    """
    if after is None:
        starts, ends = _unzip(before)
        return _ffi_api.pad(x, starts, ends, mode, value, axes, span)
    return _ffi_api.pad(x, cast("Widths", before), after, mode, value, axes, span)


def _unzip(pairs: object) -> tuple[list[int | PrimExpr], list[int | PrimExpr]]:
    is_pairs = isinstance(pairs, Sequence) and all(
        isinstance(pair, Sequence) and not isinstance(pair, str) and len(pair) == 2
        for pair in pairs
    )
    if not is_pairs:
        expected = "give `before` and `after`, or a pair for each axis: `((1, 1), (0, 2))`"
        raise TypeError(f"relay.pad: `after` is missing: {expected}")
    assert isinstance(pairs, Sequence)
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]
