"""Loaded objects are freed: chains of a million, shared children, overwritten fields."""

from __future__ import annotations

from pathlib import Path

from .conftest import make_schema, run_program

DECLARATIONS = '''
from tschema import Object, declare, ty

@declare
class LeafNode(Object):
    """
    A leaf.

    Attributes
    ----------
    value
        Its value.
    """
    type_key = "small.Leaf"
    value: ty.int64_t

@declare
class PairNode(Object):
    """
    Two of them.

    Attributes
    ----------
    left, right
        Both.
    """
    type_key = "small.Pair"
    left: ty.Optional[ty.Object]
    right: ty.Object

@declare
class BagNode(Object):
    """
    Many of them.

    Attributes
    ----------
    items
        In order.
    value
        Any value.
    """
    type_key = "small.Bag"
    mutable = True
    items: ty.Array[ty.Object]
    value: ty.Any
'''

MEGABYTE = 2**20


def test_everything_is_freed(tmp_path: Path) -> None:
    """A leak of a reference for each of 100,000 objects would be 5 megabytes and more."""
    schema = make_schema(tmp_path / "project", DECLARATIONS)
    grown = [int(line) for line in run_program("loaded_memory.py", schema).split()]
    assert max(grown) < MEGABYTE, grown
