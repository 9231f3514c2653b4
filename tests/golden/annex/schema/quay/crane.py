"""Classes of several kinds, with type keys of a second root."""

from tschema import Object, declare, field, ty
from schema.shelf.item import CrateNode, ItemNode


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
    """
    What lifts crates, by virtual functions.

    Attributes
    ----------
    lifted
        What hangs on it.
    cargo
        What it is loading.
    """

    type_key = "quay.Crane"
    polymorphic = True
    cow = True
    ref_init = "hand"
    lifted: ty.Optional[ItemNode]
    cargo: ty.Optional[CargoNode]


@declare
class PlanNode(Object):
    """
    What is loaded next, filled in as it is found out.

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
    default_constructible = True
    crates: ty.Array[CrateNode]
    ship: ShipNode
    limit: ty.int64_t = field(cpp_init="kLimit", access="protected", cpp_name="limit_")


@declare
class LogNode(Object):
    """
    What C++ alone knows.

    Attributes
    ----------
    lines
        The lines.
    """

    type_key = "quay.Log"
    register = False
    ref = None
    lines: ty.Array[ty.String]
