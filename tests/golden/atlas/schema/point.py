"""Points, with bare type keys and plain Python types."""

from typing import Any, Dict, List, Optional, Tuple, Union

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
    distances: dict[str, float] = field(default_factory=dict, doc="To other places, in meters.")
    visits: List[Dict[str, Any]] = field(default_factory=list, doc="Who came when.")
    owner: "str | None" = field(default=None, doc="Who looks after it.")
    code: Union[int, str] = field(default="none", doc="Of the post office.")
    span: Optional[Tuple[int, int]] = field(default=None, doc="First and last house number.")
