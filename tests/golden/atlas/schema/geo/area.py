"""Class options, the hierarchy, and padding."""

from tschema import Object, declare, ty


@declare
class AreaNode(Object):
    """
    A part of the map: the root of a family that functors visit.

    See Also
    --------
    Area

    Attributes
    ----------
    floor
        Counted from the street.
    """

    type_key = "atlas.geo.Area"
    abstract = True
    dispatch = True
    structural = "dag"
    floor: ty.int8_t


@declare
class ParkNode(AreaNode):
    """
    Other packages may extend it: open although nothing here does.

    Attributes
    ----------
    trees
        At least this many; starts after the padding of its parent.
    """

    type_key = "atlas.geo.Park"
    final = False
    reserve = 2
    trees: ty.uint16_t


@declare
class BuildingNode(AreaNode):
    """
    Has children of its own, and can be changed.

    Attributes
    ----------
    rooms
        Without the kitchen.
    height
        In meters.
    """

    type_key = "atlas.geo.Building"
    mutable = True
    renamed_from = "HouseNode"
    rooms: ty.uint8_t
    height: ty.float32


@declare
class TowerNode(BuildingNode):
    """Adds nothing to a building."""

    type_key = "atlas.geo.Tower"


@declare
class CastleNode(BuildingNode):
    """
    Checks what it is made of.

    Attributes
    ----------
    is_haunted
        Whether anybody lives there.
    """

    type_key = "atlas.geo.Castle"
    post_init = True
    is_haunted: ty.bool = False
