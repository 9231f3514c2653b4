"""Which functions of operators are written by hand, and which are missing."""

from __future__ import annotations

from pathlib import Path

from tschema.ir import codec
from tschema.ir.locate import Locator
from tschema.pipeline.schema import build_schema
from tschema.project.config import load_config
from tschema.verify.bodies import check_bodies, required_bodies
from tschema.verify.sources import CppFiles, read_sources

ROOT = Path(__file__).resolve().parents[4]
KILN = ROOT / "tests" / "packages" / "kiln"


def test_only_custom_operators_and_plain_functions_need_bodies() -> None:
    schema, _ = build_schema(load_config(KILN / "tschema.toml"))
    names = {body.name for space in schema.namespaces for body in required_bodies(space, schema)}
    assert names == {
        "kiln::clay::fire",
        "kiln::glaze::InferFold",
        "kiln::glaze::make_call",
        "kiln::glaze::template_",
    }


def test_a_type_rule_that_no_source_defines_is_named() -> None:
    schema = codec.decode((ROOT / "generated/schema.json").read_bytes())
    files = read_sources(load_config(ROOT / "tschema.toml"))
    kept = CppFiles([file for file in files.files if not file.path.endswith("relay/pooling.cc")])
    found = list(check_bodies(schema, {}, kept, Locator(ROOT, schema)))
    assert [one.message for one in found] == [
        "no source defines the type rule of operator `max_pool`",
        "no source defines the type rule of operator `max_pool_with_indices`",
        "no source defines the type rule of operator `avg_pool`",
    ]
    span = found[0].span
    assert span is not None and span.file.path == "schema/relay/pooling.py"
    assert span.file.text.splitlines()[span.line - 1].startswith("def max_pool(")
    assert found[0].code == "TS072"
