"""Extends another package."""

from atlas.schema.geo.area import BuildingNode, ParkNode
from atlas.schema.geo.kinds import Surface
from atlas.schema.point import PointNode
from tschema import declare, function, ty


@declare
class LighthouseNode(BuildingNode):
    """
    A building of another package's kind, which keeps no child slot for it.

    Attributes
    ----------
    light
        Where the lamp is.
    path
        What leads there.
    """

    type_key = "harbor.Lighthouse"
    light: PointNode
    path: Surface = Surface.GRAVEL


@declare
class BeachNode(ParkNode):
    """Takes the child slots that its parent reserves, fewer than it asks for."""

    type_key = "harbor.Beach"
    final = False
    reserve = 5


@function
def lighthouses(around: PointNode) -> ty.Array[LighthouseNode]:
    """List the lighthouses around a point."""
    ...
