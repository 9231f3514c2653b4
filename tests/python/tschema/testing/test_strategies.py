"""Random objects made from a schema: every type is reached, children are shared, rules hold."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings

from tschema.testing import Graphs
from uir.tir import Add, PrimFunc

from ...support.depth import DEPTH
from ...support.project import ROOT
from ...support.uir_graphs import GRAPHS

SETTINGS = settings(
    max_examples=500,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
NEEDS_A_FUNCTION_OR_A_TENSOR = {
    "uir.relay.Constant",
    "uir.transform.FunctionPass",
    "uir.transform.ModulePass",
    "uir.transform.PrimFuncPass",
    "uir.tir.BuilderScope",
    "uir.tuning.CostModelFunctions",
    "uir.tuning.SearchStrategyFunctions",
    "uir.tuning.SpaceFunctions",
}
CONCRETE = [
    type_.key
    for space in GRAPHS.schema.namespaces
    for type_ in space.types
    if not type_.options.abstract and type_.key not in NEEDS_A_FUNCTION_OR_A_TENSOR
]


@pytest.mark.parametrize("key", CONCRETE)
def test_every_type_is_made(key: str) -> None:
    made = find(GRAPHS.objects(key), lambda _: True, settings=SETTINGS)
    found = type(made).__tvm_ffi_type_info__
    ancestors = {info.type_key for info in _ancestry(found)}
    assert key in ancestors


def _ancestry(info: object) -> list[object]:
    chain = []
    while info is not None:
        chain.append(info)
        info = info.parent_type_info
    return chain


def test_children_are_shared() -> None:
    def shares(add: Add) -> bool:
        return add.a.same_as(add.b)

    assert find(GRAPHS.objects("uir.tir.Add"), shares, settings=SETTINGS) is not None


@given(GRAPHS.objects("uir.tir.PrimFunc"))
@settings(max_examples=7 * DEPTH, deadline=None, suppress_health_check=list(HealthCheck))
def test_rules_make_what_constructors_accept(function: PrimFunc) -> None:
    assert set(function.buffer_map.keys()) <= set(function.params)


def test_types_that_need_a_function_are_refused() -> None:
    with pytest.raises(ValueError, match="no object of `uir.transform.ModulePass` can be made"):
        GRAPHS.objects("uir.transform.ModulePass")


def test_unknown_types_are_refused() -> None:
    with pytest.raises(KeyError, match="uir.tir.Ad"):
        GRAPHS.objects("uir.tir.Ad")


def test_a_schema_is_read_from_its_file(tmp_path: Path) -> None:
    copy = tmp_path / "schema.json"
    copy.write_bytes((ROOT / "generated" / "schema.json").read_bytes())
    assert Graphs(copy).schema.package == "uir"
