"""Which functions of operators are written by hand."""

from __future__ import annotations

from pathlib import Path

from tschema.ir import codec
from tschema.verify.bodies import required_bodies

KILN = Path(__file__).resolve().parents[3] / "golden" / "kiln"


def test_only_custom_operators_and_plain_functions_need_bodies() -> None:
    schema = codec.decode((KILN / "generated/schema.json").read_bytes())
    names = {body.name for space in schema.namespaces for body in required_bodies(space)}
    assert names == {
        "kiln::clay::fire",
        "kiln::glaze::make_call",
        "kiln::glaze::template_",
    }
