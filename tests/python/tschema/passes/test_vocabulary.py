"""The names that schema files take from tschema, typing and Python."""

from __future__ import annotations

from tschema import ty
from tschema.ir.kinds import INTEGER_RANGES, OBJECT_KINDS
from tschema.passes.vocabulary import CONSTRUCTORS, FOREIGN, KNOWN_NAMES, SCALARS


def test_every_name_of_ty_is_known() -> None:
    known = {name.removeprefix("tschema.ty.") for name in (*SCALARS, *CONSTRUCTORS)}
    assert {name for name in ty.__all__ if name not in ("IntEnum", "foreign")} <= known
    assert {"tschema.ty.IntEnum", FOREIGN} <= KNOWN_NAMES


def test_ranges_are_those_of_the_types() -> None:
    assert INTEGER_RANGES["int8"] == (-128, 127)
    assert INTEGER_RANGES["uint16"] == (0, 65535)
    assert INTEGER_RANGES["uint64"] == (0, 2**63 - 1)


def test_references_are_objects() -> None:
    assert "Array" in OBJECT_KINDS
    assert "String" not in OBJECT_KINDS
