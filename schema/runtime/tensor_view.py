"""Tensors that share the memory of others."""

from tschema import function, ty


@function
def view_as(tensor: ty.Tensor, dtype: ty.DataType) -> ty.Tensor:
    """
    Return a tensor of the same memory whose elements have another data type.

    A package without a data type can read the elements as integers: NumPy has no bfloat16 of
    its own.

    Parameters
    ----------
    tensor
        The tensor; the view keeps its memory alive.
    dtype
        A data type of as many bits.

    Returns
    -------
    view
        The tensor, of the same shape, strides and device.

    Raises
    ------
    ValueError
        If the elements of the two data types differ in size.
    """
    ...
