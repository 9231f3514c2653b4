"""A second root of type keys, with a class of a third C++ namespace."""

from schema.item import ItemNode, Size
from tschema import declare, field, function, method, ty


@declare
class CrateNode(ItemNode):
    """
    An item that holds others.

    Attributes
    ----------
    items
        What it holds.
    index
        Finds an item by its name, once it was asked for one.
    is_sorted
        Whether the items are sorted.
    last
        The item that was found last.
    stamp
        When it was packed.
    lid
        Whether it is closed.
    """

    type_key = "quay.Crate"
    cpp_namespace = "acme::storage"
    cpp_base = "acme::Packed"
    items: ty.Array[ItemNode]
    index: ty.foreign("std::unordered_map<std::string, int64_t>") = field(mutable=True)
    is_sorted: ty.bool = field(register=False, default=True)
    last: ty.Optional[ItemNode] = field(
        register=False, access="private", cpp_name="last_", mutable=True
    )
    stamp: ty.foreign("::acme::Stamp", size=12, align=4) = field(access="protected")
    lid: ty.bool = field(default=False)

    @method
    def find(self, name: ty.String) -> ty.int64_t:
        """
        Find an item.

        Parameters
        ----------
        name
            What it is called.

        Returns
        -------
        index
            Its place, or -1.
        """
        ...

    @method(cpp="&::acme::storage::CrateNode::GrossWeight")
    def gross_weight(self) -> ty.int64_t:
        """Weigh the crate with its wood."""
        ...

    @method
    def last_found(self) -> ty.Optional[ItemNode]:
        """Return the item that was found last."""
        ...


@function
def pack(items: ty.Array[ItemNode], size: ty.int32_t = int(Size.small)) -> CrateNode:
    """
    Pack a crate.

    Parameters
    ----------
    items
        The items.
    size
        The value of a `Size`.

    Returns
    -------
    crate
        The crate.
    """
    ...
