"""The repr of enums, where two packages have one of a name."""

from __future__ import annotations

import pickle

from tschema.runtime import IntEnum


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
