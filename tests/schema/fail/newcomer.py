"""Declarations as a program in Python would have them."""

from enum import Enum

from tschema import Object, declare, ty


@declare
class Color(Enum):
    """A color."""

    RED = 1


@declare
class CircleNode(Object):
    """
    A circle.

    Attributes
    ----------
    radius
        The radius.
    """

    type_key = "toy.Circle"
    radius: ty.float64

    def __init__(self, radius):
        self.radius = radius


@declare
class TaskNode(Object):
    """
    A task.

    Attributes
    ----------
    children
        The parts of the task.
    color
        The color.
    """

    type_key = "toy.Task"
    children: ty.Array["TaskNode"]
    color: Color
    lambda: ty.float64
