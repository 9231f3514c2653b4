"""The order and the defaults of a constructor's arguments."""

from schema.geo.kinds import Surface
from schema.point import PointNode
from tschema import Object, declare, field, ty


@declare
class WayNode(Object):
    """
    From one point to another.

    Attributes
    ----------
    note
        Only for people.
    length
        In meters, what `PostInit` measures.
    surface
        What it is made of.
    points
        At least two.
    """

    type_key = "atlas.geo.Way"
    post_init = True
    note: ty.Optional[ty.String] = field(
        default=None, kw_only=True, structural="ignore", repr=False
    )
    length: ty.float64 = field(init=False)
    surface: Surface = Surface.GRAVEL
    points: ty.Array[PointNode]


@declare
class StreetNode(WayNode):
    """
    Takes its name first, and is paved unless it says otherwise.

    Attributes
    ----------
    name
        On the signs.
    surface
        What it is paved with.
    is_private
        Whether a gate bars it.
    """

    type_key = "atlas.geo.Street"
    name: ty.String
    points: ty.Array[PointNode]
    surface: Surface = Surface.PAVED_ROAD
    is_private: ty.bool = field(kw_only=True)


@declare
class TrackNode(WayNode):
    """
    Is always gravel: the argument is gone; its length is told, and not measured.

    Attributes
    ----------
    length
        In meters.
    """

    type_key = "atlas.geo.Track"
    length: ty.float64
    surface: Surface = field(default=Surface.GRAVEL, init=False)
