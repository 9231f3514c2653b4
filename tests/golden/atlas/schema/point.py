"""Points, with a bare type key and plain Python types."""

from tschema import Object, declare, field


@declare
class PointNode(Object):
    """
    A point of the map.

    Attributes
    ----------
    x
        East of the origin, in meters.
    y
        North of the origin, in meters.
    """

    type_key = "Point"
    x: int
    y: int = 0


@declare
class PlaceNode(Object):
    """A named point, whose fields have Python's own types."""

    type_key = "Place"
    name: str = field(doc="What people call it.")
    point: PointNode = field(doc="Where it is.")
    height: float = field(default=0.0, doc="Above the sea, in meters.")
    is_open: bool = field(default=True, doc="Whether one may enter.")
    photo: bytes = field(default=b"", doc="A picture.")
    aliases: list[str] = field(default_factory=list, doc="Other names.")
    distances: dict[str, float] = field(default_factory=dict, doc="To other places, in meters.")
    owner: str | None = field(default=None, doc="Who looks after it.")
    code: int | str = field(default="none", doc="Of the post office.")
    span: tuple[int, int] | None = field(default=None, doc="First and last house number.")
