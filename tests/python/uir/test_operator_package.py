"""A dialect of another package: used without C++ where its operators are data, else refused."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

from tschema.pipeline.run import Request, apply, make_plan
from tschema.project.config import load_config
from tschema.runtime import load_types
from uir import tir
from uir.ir import IntImm, Op, StringImm
from uir.tir import Call, CallEffectKind, Var, effect_kind

from ..support.generated import generate

KILN = Path(__file__).resolve().parents[2] / "packages" / "kiln"
F = Var("f", "float32")
P = Var("p", "handle")


def write(root: Path, package: str, *replaced: tuple[str, str]) -> Path:
    """Generate the operators of `kiln.clay` that are data, as a package of another name."""
    text = (KILN / "schema/clay/clay.py").read_text()
    text = text[: text.index("@operator(builds=AddNode)")]
    for old, new in (("from uir.schema.tir.arith import AddNode\n", ""), *replaced):
        assert old in text
        text = text.replace(old, new)
    (root / "schema/clay").mkdir(parents=True)
    (root / "schema/clay/clay.py").write_text(text)
    config = f'package = "{package}"\nschema = ["schema"]\nimports = ["uir"]\nir = "schema.json"\n'
    (root / "tschema.toml").write_text(config)
    apply(make_plan(Request(load_config(root / "tschema.toml")), lambda _stage: None))
    return root / "schema.json"


@pytest.fixture(scope="module")
def clay(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    module = load_types(write(tmp_path_factory.mktemp("kiln"), "kiln"))
    found: ModuleType = module.clay
    return found


def test_a_call_has_operands_then_attributes(clay: ModuleType) -> None:
    call = clay.bake(F, 3)
    assert isinstance(call, Call)
    assert call.op.same_as(Op.get("kiln.clay.bake"))
    assert (call.dtype, len(call.args)) == ("float32", 2)
    assert call.args[0].same_as(F)
    low = call.args[1]
    assert isinstance(low, IntImm)
    assert low.value == 3
    assert clay.bake(F).args[1].value == 0


def test_a_number_takes_the_type_beside_it(clay: ModuleType) -> None:
    for call in (clay.blend(F, 2), clay.blend(2, F)):
        assert {str(arg.dtype) for arg in call.args} == {"float32"}


def test_optional_and_variadic_operands(clay: ModuleType) -> None:
    few = clay.count([F, F])
    assert (few.dtype, len(few.args)) == ("int32", 3)
    many = clay.count([F, 1.0], P, label="red")
    assert [arg.same_as(P) for arg in many.args] == [False, False, True, False]
    label = many.args[3]
    assert isinstance(label, StringImm)
    assert label.value == "red"


def test_the_registry_has_the_rules(clay: ModuleType) -> None:
    bake, count = Op.get("kiln.clay.bake"), Op.get("kiln.clay.count")
    assert bake.description == "Bake clay."
    assert (bake.get_attr("scalar"), bake.get_attr("heat")) == ("max(x, low)", 3)
    assert (bake.get_attr("kind"), bake.get_attr("glazed")) == ("elementwise", False)
    assert Op.get("kiln.clay.blend").get_attr("glazed") is True
    assert effect_kind(bake) == CallEffectKind.PURE
    assert effect_kind(count) == CallEffectKind.READ_STATE
    types = [argument.type_info for argument in count.arguments]
    assert types == ["T: any...", "handle?", "String"]
    assert [argument.name for argument in bake.arguments] == ["x", "low"]
    assert (bake.num_inputs, count.num_inputs) == (2, -1)


def test_operands_are_checked(clay: ModuleType) -> None:
    with pytest.raises(TypeError, match="^blend: operand `x` must be a floating-point number"):
        clay.blend(Var("i", "int32"), 1)
    with pytest.raises(
        TypeError, match="^count: operand `mould` must be a `handle`, got `float32`"
    ):
        clay.count([F], F)


def test_the_functions_are_documented(clay: ModuleType) -> None:
    assert clay.bake.__doc__.startswith("Bake clay.")
    assert clay.bake.__module__ == "kiln.clay"


def test_what_needs_cpp_is_refused_by_name(tmp_path: Path) -> None:
    bad = write(tmp_path, "raku", ('kind="elementwise", decompose', "custom=True, decompose"))
    with pytest.raises(TypeError) as raised:
        load_types(bad)
    assert re.findall(r"function `([\w.]+)`", str(raised.value)) == ["raku.clay.blend"]


def test_the_whole_package_needs_cpp(tmp_path: Path) -> None:
    with pytest.raises(TypeError) as raised:
        load_types(generate(KILN, tmp_path) / "schema.json")
    named = re.findall(r"function `([\w.]+)`", str(raised.value))
    assert {"kiln.clay.join", "kiln.glaze.make_call", "kiln.glaze.fold"} <= set(named)


def test_generated_functions_have_no_twin_by_hand() -> None:
    import uir_nodes.tir as nodes

    for name in nodes.__all__:
        assert getattr(tir, name) is getattr(nodes, name), name
