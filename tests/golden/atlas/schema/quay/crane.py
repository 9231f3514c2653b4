"""Classes of several kinds, with type keys of a second root."""

from schema.shelf.item import CrateNode, ItemNode
from tschema import Object, declare, field, ty


@declare
class ShipNode(Object):
    """
    A ship of another library.

    Attributes
    ----------
    name
        What it is called.
    """

    type_key = "marine.Ship"
    extern = "marine/ship.h"
    size = 48
    ref = "nullable"
    name: ty.String


@declare
class CargoNode(Object):
    """
    What a ship of another library carries, in a class whose layout is not known.

    Attributes
    ----------
    weight
        In tons.
    ships
        Those that carry it.
    """

    type_key = "marine.Cargo"
    extern = True
    weight: ty.uint32_t
    ships: ty.Map[ty.String, ty.Array[ShipNode]]


@declare
class CraneNode(Object):
    """What lifts crates, by virtual functions."""

    type_key = "quay.Crane"
    structural = "unique"
    polymorphic = True
    cow = True
    ref_init = "hand"
    lifted: ty.Optional[ItemNode] = field(doc="What hangs on it.")
    cargo: ty.Optional[CargoNode] = field(doc="What it is loading.")


@declare
class PlanNode(Object):
    """
    What is loaded next, filled in as it is found out; it cannot be compared.

    Attributes
    ----------
    crates
        The crates.
    ship
        Where they go.
    limit
        How many at most.
    """

    type_key = "quay.Plan"
    structural = None
    default_visit_attrs = False
    default_sequal_reduce = False
    default_shash_reduce = False
    default_constructible = True
    crates: ty.Array[CrateNode]
    ship: ShipNode
    limit: ty.int64_t = field(cpp_init="kLimit", access="protected", cpp_name="limit_")


@declare
class LogNode(Object):
    """What C++ alone knows."""

    type_key = "quay.Log"
    register = False
    ref = None
    lines: ty.Array[ty.String] = field(doc="The lines.")
