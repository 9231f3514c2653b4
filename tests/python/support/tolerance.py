"""How far floating-point results may lie from those of a reference: one table, by data type.

In: arrays that were found and expected.  Out: an assertion.  Everything else must be equal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["TOLERANCE", "same_values"]

TOLERANCE = {
    "float16": 16 * 2.0**-10,
    "float32": 16 * 2.0**-23,
    "float64": 16 * 2.0**-52,
}
"""The rounding of a few operations: 16 times the distance of 1 from the next number."""


def same_values(
    found: np.ndarray[Any, Any],
    expected: np.ndarray[Any, Any],
    context: object,
    *,
    relative: bool = False,
    scale: float = 1,
) -> None:
    """
    Compare arrays: shape, data type, and values up to the tolerance of the data type.

    NaN and infinities must stand in the same places.

    Parameters
    ----------
    found, expected
        Arrays of any shape.
    context
        What an error shows.
    relative
        The error of a number is measured against it; otherwise, against 1 if that is more, as
        sums of numbers of both signs need.
    scale
        By how much the tolerance is greater, such as for a sum of many numbers.
    """
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype), context
    if expected.dtype.kind != "f":
        np.testing.assert_array_equal(found, expected, str(context))
        return
    limit = scale * TOLERANCE[str(expected.dtype)]
    least = 4 * float(np.finfo(expected.dtype).smallest_subnormal) if relative else limit
    np.testing.assert_allclose(found, expected, limit, least, err_msg=str(context))
