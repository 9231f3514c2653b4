"""Class options, the hierarchy, and padding."""

import tschema
from tschema import declare, ty
from tschema.ty import int8_t


@declare
class AreaNode(tschema.Object):
    """
    A part of the map.

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
    structural = "dag"
    floor: int8_t


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
    """

    type_key = "atlas.geo.Building"
    mutable = True
    renamed_from = "HouseNode"
    rooms: ty.uint8_t


@declare
class CastleNode(BuildingNode):
    """Checks what it is made of, and adds nothing to a building."""

    type_key = "atlas.geo.Castle"
    post_init = True
