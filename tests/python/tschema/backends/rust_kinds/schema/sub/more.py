"""A nested namespace, which uses the outer one."""

from schema.everything import LeafNode, Mode, RootNode
from tschema import declare, function, ty


@declare
class DerivedNode(RootNode):
    """Below a parent in another namespace.

    Attributes
    ----------
    leaf
        A leaf, as in ``a[i]`` or [none].
    base
        Clashes with the parent's part.
    build
        Clashes with the builder's own method.
    """

    type_key = "kinds.sub.Derived"
    leaf: LeafNode
    base: ty.int8_t
    build: ty.int64_t = 3


@declare
class LeafNode2Node(ty.Object):
    """Has the short name of another namespace's class.

    Attributes
    ----------
    other
        x
    """

    type_key = "kinds.sub.Leaf"
    other: LeafNode


@function
def makeLeaf(
    leaf: LeafNode, mode: Mode, xs: ty.Array[ty.Optional[ty.int64_t]]
) -> ty.Optional[LeafNode]:
    """Make a leaf.

    Parameters
    ----------
    leaf
        The leaf.
    mode
        The mode,
        wrapped.

    Returns
    -------
    leaf
        A leaf.
    """
    ...


@function
def anything(value: ty.Any) -> ty.Any:
    """Return it."""
    ...


@function
def nothing() -> None:
    """Do nothing."""
    ...
