"""Methods and functions."""

from schema.geo.arguments import WayNode
from schema.geo.kinds import Surface
from schema.plan.binding import TermNode
from schema.point import PointNode
from tschema import declare, function, method, static, ty


@declare
class RouteNode(TermNode):
    """
    Ways that follow each other.

    The end of each way is the start of the next one.

    Notes
    -----
    A section that means nothing to the schema stays.

    Attributes
    ----------
    ways : list
        In the order
        of travel.

        An empty route is where it starts.
    """

    type_key = "atlas.plan.Route"
    ways: ty.Array[WayNode]

    @method
    def travel_time(self, speed: ty.float64, surface: Surface = Surface.GRAVEL) -> ty.float64:
        """
        Estimate how long the route takes.

        Parameters
        ----------
        speed
            In meters per second.
        surface
            Where that speed is reached.

        Returns
        -------
        seconds
            Without any rest.

        Raises
        ------
        ValueError
            If nothing moves.
        """
        ...

    @method(cpp="[](const RouteNode* self, Route other) { return other; }")
    def join(self, other: "RouteNode") -> "RouteNode":
        """Append another route."""
        ...

    @static
    @method
    def find(name: ty.String) -> ty.Optional[PointNode]:
        """Find a point by the name of its way."""
        ...


@function
def plan_route(
    start: PointNode, end: PointNode, avoid: ty.Optional[ty.Array[WayNode]] = None
) -> RouteNode:
    """
    Find the shortest route.

    Parameters
    ----------
    start, end
        Where it leads from and to.
    avoid
        Ways that it must not use.

    Returns
    -------
    RouteNode
        One of the shortest.
    """
    ...


@function
def forget() -> None:
    """Drop what was planned before."""
    ...
