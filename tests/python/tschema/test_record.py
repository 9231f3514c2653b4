"""Records: dataclasses that are cheap to declare."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable

import pytest
from pydantic import TypeAdapter

from tschema.record import MISSING, field, members, record, replace


@record
class Point:
    """A point."""

    x: int
    y: int = 0
    tags: list[str] = field(factory=list)


@record(kw_only=True, hidden=("secret",))
class Named:
    """Something with a name."""

    secret: str = ""
    name: str


@record(frozen=False, eq=False)
class Counter:
    """A number that changes."""

    count: int = 0


@record
class Sum:
    """Two numbers, and what they come to."""

    left: int
    right: int

    def __post_init__(self) -> None:
        self.total = self.left + self.right


@record
class Pixel(Point):
    """A point with a colour."""

    colour: str = "black"


def test_a_record_has_the_constructor_of_a_dataclass() -> None:
    point = Point(1)
    assert (point.x, point.y, point.tags) == (1, 0, [])
    assert Point(1, 2, tags=["a"]).tags == ["a"]
    assert Point(1).tags is not Point(1).tags
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        Point()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument 'z'"):
        Point(1, z=1)  # type: ignore[call-arg]


def test_keyword_only_fields_may_stand_in_any_order() -> None:
    assert Named(name="a").secret == ""
    with pytest.raises(TypeError, match="positional"):
        Named("a")  # type: ignore[call-arg]


def test_records_with_the_same_fields_are_equal() -> None:
    assert Point(1, 2) == Point(1, 2) != Point(1, 3)
    assert Named(name="a") == Named(name="a") and hash(Named(name="a")) == hash(Named(name="a"))
    assert Point(1) != Pixel(1)
    assert Counter() != Counter()
    assert isinstance(Counter(), Hashable)


def test_repr_leaves_out_what_is_hidden() -> None:
    assert repr(Named(name="a", secret="b")) == "Named(name='a')"
    assert repr(Point(1)) == "Point(x=1, y=0, tags=[])"


def test_fields_of_a_base_come_first() -> None:
    assert Pixel(1, 2, [], "red") == Pixel(1, 2, colour="red")
    assert list(members(Pixel)) == ["x", "y", "tags", "colour"]
    assert members(Point) == {"x": MISSING, "y": 0, "tags": MISSING}


def test_replace_leaves_the_other_fields() -> None:
    assert replace(Pixel(1, 2, colour="red"), y=3) == Pixel(1, 3, colour="red")


def test_to_dataclasses_and_pydantic_a_record_is_a_dataclass() -> None:
    assert hasattr(Pixel, "__dataclass_fields__")
    assert [one.name for one in dataclasses.fields(Pixel)] == ["x", "y", "tags", "colour"]
    assert [one.name for one in dataclasses.fields(Point)] == ["x", "y", "tags"]
    assert TypeAdapter(Named).validate_json('{"name": "a"}') == Named(name="a")
    assert TypeAdapter(Pixel).validate_python({"x": 1}) == Pixel(1)


def test_a_record_may_end_its_construction_itself() -> None:
    assert Sum(1, 2).total == 3


def test_a_record_matches_by_position() -> None:
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)
