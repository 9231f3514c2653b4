"""Which types, fields and parts the functors of a dispatch root know."""

from __future__ import annotations

import pytest

from tschema.ir.codec import decode
from tschema.ir.functor_families import Family, find_families

from ...support.project import ROOT


@pytest.fixture(scope="module")
def families() -> dict[str, Family]:
    """Return uir's families by the name of their root."""
    schema = decode((ROOT / "generated" / "schema.json").read_bytes())
    return {family.root.ref: family for family in find_families(schema)}


def names(family: Family, ref: str) -> list[tuple[str, str]]:
    """Return the walked fields of a case or a part, each with its role."""
    type_ = next(one for one in (*family.all_cases(), *family.all_parts()) if one.ref == ref)
    return [(one.field.name, *sorted(one.roles)) for one in family.children(type_)]


def test_a_family_lives_where_most_of_its_cases_are(families: dict[str, Family]) -> None:
    assert {name: family.namespace for name, family in families.items()} == {
        "Type": "uir.ir", "PrimExpr": "uir.tir", "RelayExpr": "uir.relay", "Stmt": "uir.tir",
    }  # fmt: skip


def test_cases_are_the_concrete_types_that_the_namespace_can_name(
    families: dict[str, Family],
) -> None:
    prims = [case.ref for case in families["PrimExpr"].cases]
    assert prims[:4] == ["IntImm", "FloatImm", "StringImm", "Var"]
    assert "BinaryOp" not in prims
    # `PrimFunc` is below `RelayExpr`, in a namespace that `relay` does not know.
    relays = [case.ref for case in families["RelayExpr"].cases]
    assert sorted(relays[:4]) == ["ExternFunc", "GlobalVar", "Op", "Var"]
    assert "PrimFunc" not in relays


def test_statements_include_expressions(families: dict[str, Family]) -> None:
    assert families["Stmt"].included == (families["PrimExpr"],)
    assert families["PrimExpr"].included == ()
    assert names(families["Stmt"], "Evaluate") == [("value", "visit")]


def test_ignored_fields_and_those_of_other_families_are_not_walked(
    families: dict[str, Family],
) -> None:
    assert names(families["PrimExpr"], "Var") == []
    assert names(families["PrimExpr"], "Call") == [("args", "visit")]
    assert names(families["Type"], "TensorType") == []


def test_parts_lead_to_members(families: dict[str, Family]) -> None:
    assert [part.ref for part in families["PrimExpr"].parts] == [
        "Range", "Buffer", "DataProducer", "IterVar", "CommReducer",
    ]  # fmt: skip
    assert names(families["Stmt"], "IterVar") == [("var", "visit"), ("dom", "visit")]


def test_a_buffer_is_entered_where_it_is_bound(families: dict[str, Family]) -> None:
    stmt = families["Stmt"]
    assert names(stmt, "AllocBuffer") == [("buffer", "visit")]
    assert names(stmt, "BufferStore")[0] == ("buffer", "use")
    assert [part.ref for part in stmt.all_parts()][-2:] == ["BufferRegion", "MatchBufferRegion"]


def test_a_size_var_is_a_variable_by_default(families: dict[str, Family]) -> None:
    cases = {case.ref: case for case in families["PrimExpr"].cases}
    assert families["PrimExpr"].forwarded(cases["SizeVar"]) is cases["Var"]
    assert families["PrimExpr"].forwarded(cases["Add"]) is None
