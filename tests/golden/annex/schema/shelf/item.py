"""Classes as existing C++ code has them: other namespaces than those of the type keys."""

from tschema import Object, declare, ty


@declare
class ItemNode(Object):
    """
    What a shelf holds.

    Attributes
    ----------
    name
        What it is called.
    """

    type_key = "annex.shelf.Item"
    name: ty.String


@declare
class CrateNode(ItemNode):
    """
    An item that holds others.

    Attributes
    ----------
    items
        What it holds.
    """

    type_key = "annex.shelf.Crate"
    cpp_namespace = "acme::storage"
    items: ty.Array[ItemNode]
