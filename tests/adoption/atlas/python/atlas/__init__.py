"""Shapes, charts and expressions."""

import os
from pathlib import Path

import tvm_ffi

_FOLDER = os.environ.get("ATLAS_LIBRARY_PATH", Path(__file__).parents[2] / "build")
_LIBRARY = tvm_ffi.load_module(str(Path(_FOLDER) / "libatlas.so"))


@tvm_ffi.register_object("atlas.Point")
class Point(tvm_ffi.Object):
    """A point in the plane."""

    def __init__(self, x: float, y: float) -> None:
        self.__ffi_init__(x, y)


@tvm_ffi.register_object("atlas.Shape")
class Shape(tvm_ffi.Object):
    """Anything that can be drawn."""


@tvm_ffi.register_object("atlas.Segment")
class Segment(Shape):
    """A straight line between two points."""

    def __init__(self, label: str, start: Point, end: Point) -> None:
        self.__ffi_init__(label, start, end)


@tvm_ffi.register_object("atlas.Circle")
class Circle(Shape):
    """A circle."""

    def __init__(self, label: str, center: Point, radius: float) -> None:
        self.__ffi_init__(label, center, radius)


@tvm_ffi.register_object("atlas.Group")
class Group(Shape):
    """Shapes that are drawn as one."""

    def __init__(self, label: str, members: list[Shape], notes: dict | None = None) -> None:
        self.__ffi_init__(label, members, notes or {})


bounding_box = tvm_ffi.get_global_func("atlas.bounding_box")
