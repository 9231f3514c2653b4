"""Functions of mathematics that the code generators compute themselves, as functions of `tir`."""

from schema.tir.function import PrimFuncNode
from tschema import function, ty


@function(api=True)
def math_function(name: ty.String, lanes: ty.int64_t = 1) -> PrimFuncNode:
    """
    Return what emitted code computes for an intrinsic of float32.

    Parameters
    ----------
    name
        The intrinsic without its dialect, such as `exp`: a key of `math_errors`.
    lanes
        The lanes of the arguments and of the result; 1 for scalars.

    Returns
    -------
    func
        A function of numbers, which returns a number: polynomials, and choices for special
        values. Each lane gives the result of the scalar function.

    Raises
    ------
    ValueError
        If emitted code calls the C library for the intrinsic, or if `lanes` is not positive.

    Examples
    --------
    >>> from uir import target
    >>> str(target.math_function("exp2")).splitlines()[2]
    '    clamped: tir.float32 = tir.min(129.0, tir.max(-151.0, x))'
    """
    ...


@function(api=True)
def math_errors() -> ty.Map[ty.String, ty.double]:
    """
    Return the intrinsics that emitted code computes itself, with the bounds of their errors.

    Returns
    -------
    errors
        For each intrinsic the greatest distance of its result to the exact one, in ulp: units
        in the last place of float32; the least unit is that of subnormal numbers.

    Examples
    --------
    >>> from uir import target
    >>> target.math_errors()["log"]
    1.0
    """
    ...
