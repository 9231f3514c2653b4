"""Operators that cut tensors into parts, join them, and pad them."""

from schema.ir.expr import PrimExprNode, RelayExprNode
from tschema import function, operand, operator, ty


@operator(kind="injective", relation="custom", onnx="Concat@4", torch="aten.cat.default")
def concatenate(
    tensors: ty.Array[RelayExprNode] = operand(dtype="T: any"),
    axis: ty.int64_t = 0,
) -> RelayExprNode:
    """
    Join tensors along one axis.

    Parameters
    ----------
    tensors
        At least one tensor of shape `(*a, dim, *b)`, where `dim` is dimension `axis`, the only
        one that may differ.
    axis
        The axis along which they are joined, from `-rank` to `rank - 1`.

    Returns
    -------
    y
        Tensor of shape `(*a, dim0 + dim1 + ..., *b)` and the data type of the operands.

    Raises
    ------
    TypeError
        If data types, ranks or other dimensions differ.
    ValueError
        If there are no tensors, or `axis` is out of range.
    """
    ...


@operator(
    kind="injective",
    relation="custom",
    onnx="Split@2",
    torch="aten.split_with_sizes.default",
)
def split(
    x: RelayExprNode = operand(dtype="any"),
    sizes: ty.Optional[ty.Array[ty.Union[ty.int64_t, PrimExprNode]]] = None,
    axis: ty.int64_t = 0,
    *,
    sections: ty.Optional[ty.int64_t] = None,
) -> RelayExprNode:
    """
    Cut a tensor into pieces along one axis.

    Parameters
    ----------
    x
        Tensor of shape `(*a, dim, *b)`, where `dim` is dimension `axis`; any data type.
    sizes
        The dimension of each piece along `axis`; None if `sections` is given.
    axis
        The axis along which it is cut, from `-rank` to `rank - 1`.
    sections
        The number of pieces, from 1 to 65536; the last one may be smaller.

    Returns
    -------
    outputs
        Tuple of tensors of shape `(*a, part, *b)`, whose parts add up to `dim`.

    Raises
    ------
    ValueError
        If not exactly one of `sizes` and `sections` is given, the sizes do not add up or one is
        negative, or `sections` or `axis` is out of range.
    """
    ...


@operator(kind="injective", relation="custom", onnx="Slice@1", torch="aten.slice.Tensor")
def strided_slice(
    x: RelayExprNode = operand(dtype="any"),
    begin: ty.Array[ty.Union[ty.int64_t, PrimExprNode]] = ...,
    end: ty.Array[ty.Union[ty.int64_t, PrimExprNode]] = ...,
    *,
    axes: ty.Optional[ty.Array[ty.int64_t]] = None,
    strides: ty.Optional[ty.Array[ty.int64_t]] = None,
) -> RelayExprNode:
    """
    Return every n-th element of ranges of indices.

    Indices are clamped to the range of the axis, as in Python's slices `x[begin:end:stride]`.

    Parameters
    ----------
    x
        Tensor of shape `(*a, dim, *b)` with a `dim` for each of `axes`; any data type.
    begin
        The first index along each of `axes`; a negative one counts from the end.
    end
        The index before which the range ends, along each of `axes`; a negative one counts
        from the end.
    axes
        The axes that are sliced, from `-rank` to `rank - 1`; None for the first ones.
    strides
        The step along each of `axes`; a negative one goes backwards. None for steps of 1.

    Returns
    -------
    y
        Tensor of shape `(*a, part, *b)`, of the rank and data type of `x`.

    Raises
    ------
    ValueError
        If the attributes differ in length, an axis is out of range or given twice, or a
        stride is 0.
    """
    ...


@operator(kind="injective", relation="custom", onnx="Pad@2", torch="aten.constant_pad_nd.default")
def pad(
    x: RelayExprNode = operand(dtype="T: any"),
    before: ty.Array[ty.Union[ty.int64_t, PrimExprNode]] = ...,
    after: ty.Array[ty.Union[ty.int64_t, PrimExprNode]] = ...,
    mode: ty.String = "constant",
    value: ty.Optional[RelayExprNode] = operand(dtype="T", default=None),
    *,
    axes: ty.Optional[ty.Array[ty.int64_t]] = None,
) -> RelayExprNode:
    """
    Add elements before and after axes.

    Parameters
    ----------
    x
        Tensor of shape `(d0, d1, ...)`; any data type.
    before
        How many elements are added before each of `axes`; negative numbers remove them.
    after
        How many elements are added after each of `axes`; negative numbers remove them.
    mode
        The source of new elements: `constant` (the value), `edge` (the outermost element),
        `reflect` (the elements in reverse order, without the outermost), `symmetric` (the same
        with it) or `wrap` (those of the other end).
    value
        Scalar that is added in mode `constant`; 0 if it is left out.
    axes
        The axes that are padded, from `-rank` to `rank - 1`; None for all.

    Returns
    -------
    y
        Tensor of shape `(before[0] + d0 + after[0], ...)` and the data type of `x`.

    Raises
    ------
    TypeError
        If `value` is not a scalar of the data type of `x`.
    ValueError
        If `before` or `after` has not one element for each of `axes`, an axis is out of range
        or given twice, a dimension becomes negative, `mode` is unknown, or it repeats elements
        of an axis that has none.
    """
    ...


@function(api=True)
def subscript(x: RelayExprNode, indices: ty.Array[ty.Any]) -> RelayExprNode:
    """
    Index a tensor as NumPy does, with integers and slices: `x[0, 1:, ::-1]`.

    It is a `strided_slice`, a `squeeze` of the axes with a single index, and an `expand_dims`
    where there are new axes; the tensor itself if all of it is taken.

    Parameters
    ----------
    x
        The tensor; its type must be known.
    indices
        For each axis, from the first one: an integer or an expression of dimensions, or a list
        of the first index, the end and the step, each of which may be None. Negative integers
        count from the end. `"..."` means whole axes, None a new axis.

    Returns
    -------
    y
        The part.

    Raises
    ------
    TypeError
        If `x` is not a tensor, or an index is none of the above.
    ValueError
        If there are more indices than axes, an index is out of range, or a step is 0.
    """
    ...
