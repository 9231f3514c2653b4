"""Interpolation between the elements of images."""

# `resize` is long by its documentation: the attributes of ONNX, with the formula of each choice.

from schema.ir.expr import PrimExprNode, RelayExprNode
from tschema import operand, operator, ty


@operator(
    kind="injective",
    relation="custom",
    onnx="Resize@11",
    torch="aten.upsample_bilinear2d.vec",
)
def resize(
    x: RelayExprNode = operand(dtype="T: number"),
    *,
    sizes: ty.Optional[ty.Array[ty.Union[ty.int64_t, PrimExprNode]]] = None,
    scales: ty.Optional[ty.Array[ty.float64]] = None,
    axes: ty.Optional[ty.Array[ty.int64_t]] = None,
    roi: ty.Optional[ty.Array[ty.float64]] = None,
    mode: ty.String = "nearest",
    coordinate_transformation_mode: ty.String = "half_pixel",
    nearest_mode: ty.String = "round_prefer_floor",
    cubic_coeff_a: ty.float64 = -0.75,
    exclude_outside: ty.bool = False,
    antialias: ty.bool = False,
    extrapolation_value: ty.float64 = 0.0,
) -> RelayExprNode:
    """
    Interpolate between elements, along any axes.

    Parameters
    ----------
    x
        Tensor of shape `(*a, dim, *b)` with a `dim` for each of `axes`; numbers. Interpolated
        integers are rounded, halves to even, and clamped.
    sizes
        The new dimension of each of `axes`; None if `scales` says it.
    scales
        The factor of each of `axes`; the new dimension is `floor(dim * scale)`. With
        `sizes` too, the factors only place the coordinates.
    axes
        The axes that are resized, from `-rank` to `rank - 1`; None for all.
    roi
        For `tf_crop_and_resize`: the start of the region along each of `axes`, then its end, in
        fractions of the input; None for the whole of it.
    mode
        `nearest`, `linear`, or `cubic` (Keys, 1981).
    coordinate_transformation_mode
        How coordinates of the result become those of the input: `half_pixel`,
        `half_pixel_symmetric`, `pytorch_half_pixel`, `asymmetric`, `align_corners` or
        `tf_crop_and_resize`, as ONNX defines them.
    nearest_mode
        How coordinates are rounded in mode `nearest`: `round_prefer_floor`,
        `round_prefer_ceil`, `floor` or `ceil`.
    cubic_coeff_a
        The parameter of the cubic kernel.
    exclude_outside
        Whether places outside of the input have no weight; otherwise the elements at the
        edge are repeated.
    antialias
        Whether kernels are stretched where an axis becomes smaller.
    extrapolation_value
        The element where `tf_crop_and_resize` reaches beyond the input.

    Returns
    -------
    y
        Tensor of shape `(*a, size, *b)`, of the rank and data type of `x`.

    Raises
    ------
    TypeError
        If `x` is not a tensor of numbers.
    ValueError
        If neither `sizes` nor `scales` is given, an attribute has the wrong length, a size is
        negative, a scale is not above 0, an axis is out of range, a mode is unknown, or an axis
        without elements is to have some.
    """
    ...
