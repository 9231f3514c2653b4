"""The recipe that mixes generated classes with a module of nanobind."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tschema.project.cmake import cmake_args

from .conftest import copy_recipe

pytestmark = pytest.mark.long

PROGRAM = """
import gc, sys
sys.path[:0] = ["generated/python", "build"]
import colors
from toy_nodes.color import Color
from toy_nodes.shape import Circle
brush = colors.Brush(strength=100)
color = Color(50)
bright = brush.brighten(color)
assert type(bright) is Color and bright.red == 150 and color.red == 50
assert brush.brighten(bright).red == 250 and brush.brighten(Color(255)).red == 255
assert brush.uses == 3
for wrong in (Circle(1.0), 3, None):
    try:
        brush.brighten(wrong)
    except TypeError as error:
        print(str(error).splitlines()[0])
many = [brush.brighten(Color(1)) for _ in range(10_000)]
del color, brush
gc.collect()
assert {one.red for one in many} == {101}
"""


def test_generated_classes_go_through_nanobind(tmp_path: Path) -> None:
    recipe = copy_recipe("nanobind", tmp_path / "a project")
    recipe.run("cmake", "-S", ".", "-B", "build", "-G", "Ninja", *cmake_args())
    recipe.run("cmake", "--build", "build")
    refused = recipe.run(sys.executable, "-c", PROGRAM).splitlines()
    assert len(refused) == 3 and all("incompatible function arguments" in one for one in refused)
