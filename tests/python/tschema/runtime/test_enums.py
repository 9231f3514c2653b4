"""The repr of enums, where two packages have one of a name."""

from __future__ import annotations

import pickle
from pathlib import Path

from tschema.runtime import IntEnum

from ...support.process import run_python
from .conftest import make_schema


def enum_of(package: str) -> type[IntEnum]:
    """Return an enum as generated code declares it."""

    class Mode(IntEnum):
        """A mode."""

        __module__ = package

        fast = 1

    return Mode


class Colour(IntEnum):
    """A colour."""

    red = 0


def test_a_repr_says_which_package() -> None:
    one, two = enum_of("toy.ir"), enum_of("zoo")
    assert repr(one(1)).startswith("<toy.ir.")
    assert repr(one(1)).endswith("Mode.fast: 1>")
    assert repr(two(1)) != repr(one(1))
    assert one(1) == two(1) == 1
    assert repr([Colour.red]) == f"[<{__name__}.Colour.red: 0>]"
    assert f"{Colour.red}" == str(int(Colour.red))
    assert pickle.loads(pickle.dumps(Colour.red)) is Colour.red


MODES = """
from tschema import Object, declare, field, ty

@declare
class Mode(ty.IntEnum):
    \"\"\"A mode.\"\"\"
    {first} = 0
    {second} = {value}

@declare
class SwitchNode(Object):
    \"\"\"A switch.\"\"\"
    type_key = "{package}.Switch"
    mode: Mode = field(default=Mode.{second}, doc="Its mode.")
"""

PROGRAM = """
import sys
from tschema.runtime import load_types

one, two = map(load_types, sys.argv[1:])
print(one.Switch().mode, repr(one.Switch().mode), repr(two.Switch().mode))
print([member.name for member in one.Mode], [member.name for member in two.Mode])
try:
    one.Switch(7)
except ValueError as error:
    print(error)
print(repr(two.Switch(7).mode))
"""


def test_enums_of_one_name_in_two_packages(tmp_path: Path) -> None:
    paths = [
        make_schema(
            tmp_path / package,
            MODES.format(package=package, first=first, second=second, value=value),
            package=package,
        )
        for package, first, second, value in (("lamp", "off", "on", 1), ("fan", "slow", "fast", 7))
    ]
    lines = run_python(PROGRAM, *map(str, paths)).splitlines()
    assert lines[0] == "1 <lamp.Mode.on: 1> <fan.Mode.fast: 7>"
    assert lines[1] == "['off', 'on'] ['slow', 'fast']"
    assert "7" in lines[2]
    assert lines[3] == "<fan.Mode.fast: 7>"
