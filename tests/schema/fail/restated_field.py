"""Nodes."""

from tschema import Object, declare, field, ty


@declare
class ANode(Object):
    """A node.

    Attributes
    ----------
    dtype, span
        A field.
    """

    type_key = "toy.A"
    final = False
    dtype: ty.DataType
    span: ty.Optional[ty.Object] = field(default=None, structural="ignore", repr=False)


@declare
class BNode(ANode):
    """A node.

    Attributes
    ----------
    dtype, span
        A field.
    """

    type_key = "toy.B"
    dtype: int
    span: ty.Optional[ty.Object] = field(default=None, structural="def")


@declare
class CNode(ANode):
    """A node.

    Attributes
    ----------
    span
        A field.
    """

    type_key = "toy.C"
    span: ty.Optional[ty.Object] = field(default=None, repr=True)
