"""A Python module that re-exports a generated package does not define its names again."""

from __future__ import annotations

from pathlib import Path

from tschema.diagnostics.errors import Diagnostic
from tschema.ir import codec
from tschema.ir.locate import Locator
from tschema.pipeline.schema import build_schema
from tschema.project.config import load_config
from tschema.verify.twins import check_twins

ROOT = Path(__file__).resolve().parents[4]

CONFIG = 'package = "toy"\nschema = ["schema"]\n[python]\ndir = "generated/python"\n'
SCHEMA = '''"""Shapes."""

from tschema import Object, declare, function, ty


@declare
class PointNode(Object):
    """A point."""

    type_key = "toy.geo.Point"
    x: ty.int64_t


@function(api=True)
def origin() -> PointNode:
    """Return the origin."""
    ...


@function
def plain() -> PointNode:
    """Return a point, by a function that Python has by hand."""
    ...
'''


def found(root: Path, text: str, path: str = "toy/geo.py") -> list[Diagnostic]:
    files = {
        "tschema.toml": CONFIG,
        "schema/geo/shape.py": SCHEMA,
        path: text,
    }
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    config = load_config(root / "tschema.toml")
    schema, _ = build_schema(config)
    return list(check_twins(config, schema, Locator(root, schema)))


def test_a_function_and_a_class_are_found_where_they_stand(tmp_path: Path) -> None:
    text = "from toy_nodes.geo import *\n\n\ndef origin():\n    pass\n\n\nclass Point:\n    pass\n"
    faults = found(tmp_path, text)
    assert [fault.message for fault in faults] == [
        "`origin` hides the generated `toy.geo.origin`",
        "`Point` hides the generated `toy.geo.Point`",
    ]
    assert {fault.code for fault in faults} == {"TS079"}
    span = faults[0].span
    assert span is not None
    assert (span.file.path, span.line, span.column) == ("toy/geo.py", 4, 5)
    note = faults[0].notes[0].span
    assert note is not None and note.file.path == "schema/geo/shape.py"


def test_an_assignment_counts(tmp_path: Path) -> None:
    faults = found(tmp_path, "from toy_nodes.geo import *\norigin = None\n")
    assert [fault.span.line for fault in faults if fault.span] == [2]


def test_other_names_and_other_modules_are_free(tmp_path: Path) -> None:
    for text in (
        "from toy_nodes.geo import *\n\n\ndef plain():\n    pass\n",
        "import toy_nodes\n\n\ndef origin():\n    pass\n",
        "from toy_nodes.other import *\n\n\ndef origin():\n    pass\n",
        "from toy_nodes.geo import *\n\n\nclass Walk:\n    def origin(self):\n        pass\n",
        "from toy_nodes.geo import *\ndef (:\n",
    ):
        assert found(tmp_path, text) == []


def test_generated_modules_are_not_asked(tmp_path: Path) -> None:
    text = "from toy_nodes.geo import *\n\n\ndef origin():\n    pass\n"
    assert found(tmp_path, text, "generated/python/toy_nodes/x.py") == []


def test_uir_has_none() -> None:
    schema = codec.decode((ROOT / "generated/schema.json").read_bytes())
    faults = check_twins(load_config(ROOT / "tschema.toml"), schema, Locator(ROOT, schema))
    assert [fault.message for fault in faults] == []


def test_a_name_on_a_later_line_is_found_where_it_stands(tmp_path: Path) -> None:
    faults = found(
        tmp_path, "from toy_nodes.geo import *\n\nother = \\\n    origin = 1\nPoint: int = 2\n"
    )
    assert [str(fault.span) for fault in faults] == ["toy/geo.py:4:5", "toy/geo.py:5:1"]
