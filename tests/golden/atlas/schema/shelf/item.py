"""Classes as existing C++ code has them: their namespaces, and members that only C++ sees."""

from tschema import Object, declare, field, ty


@declare
class Size(ty.IntEnum):
    """How much room something takes."""

    SMALL = 1
    LARGE = 5


@declare
class ItemNode(Object):
    """
    What a shelf holds.

    Attributes
    ----------
    name
        What it is called.
    weight
        In grams.
    seen
        How often it was looked at.
    size
        The value of a `Size`.
    """

    type_key = "atlas.shelf.Item"
    ref_name = "ItemRef"
    cpp_base = "acme::Counted"
    name: ty.String = field(access="protected", cpp_name="name_")
    weight: ty.int32_t = field(access="private", cpp_name="weight_", cpp_type="Grams")
    guard: ty.foreign("std::mutex") = field(access="private", mutable=True)
    seen: ty.int64_t = field(default=0, init=False, mutable=True)
    size: ty.uint16_t = int(Size.LARGE)


@declare
class CrateNode(ItemNode):
    """An item that holds others."""

    type_key = "atlas.shelf.Crate"
    cpp_namespace = "acme::storage"
    items: ty.Array[ItemNode] = field(doc="What it holds.")
    index: ty.foreign("std::unordered_map<std::string, int>")
    is_sorted: ty.bool = field(register=False, default=True)
    last: ItemNode = field(register=False, access="private", cpp_name="last_")
    stamp: ty.foreign("::acme::Stamp", size=12, align=4) = field(access="private")
    lid: ty.bool = field(default=False)
