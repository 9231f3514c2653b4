"""Renames in an editor: the schema files at once, then the generated files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pygls.exceptions import JsonRpcException

from tschema.diagnostics.errors import SchemaError
from tschema.editing.project import EditedProject, read_project
from tschema.editing.rename import find_target, renamed_texts
from tschema.editing.rename.file_index import FileIndex, quick_index
from tschema.editing.rename.target import spellings
from tschema.editing.syntax import read_syntax
from tschema.project.config import load_config

from ...support.configs import config
from ...support.editor import Editor
from ..conftest import SCHEMA
from ..editing.dialect import DIALECT
from .conftest import DRAW, Toy

MORE = '''\
"""More shapes."""

from schema.ir.shape import PointNode
from tschema import Object, declare, ty


@declare
class RingNode(Object):
    """A ring around a `Point`, or a `toy.ir.Point`."""

    type_key = "toy.ir.Ring"
    center: "PointNode"
'''
OPERATORS = (
    DIALECT
    + '''

@operator(kind="elementwise", decompose="half(x, part=part)")
def whole(x: ExprNode, part: ty.int64_t = 1) -> ExprNode:
    """Take all of `x`, or a `part`, as `half` does."""


@operator(kind="elementwise")
def half(x: ExprNode, part: ty.int64_t = 1) -> ExprNode:
    """Take a `part` of `x`."""
'''
)


@pytest.fixture(scope="module")
def applying() -> Iterator[Editor]:
    """Return an editor that makes the edits which a server asks for."""
    made = Editor("tschema", applies_edits=True)
    yield made
    made.close()


def test_generated_files_follow_a_rename(applying: Editor, toy: Toy) -> None:
    for path in (toy.shape, toy.line):
        applying.open(path)
    applying.type(toy.shape, "A label.", "A label, unsaved.")
    applying.asked.clear()
    paths = applying.apply(applying.rename(toy.hand, "LineNode::Length", "StrokeNode"))
    assert paths == [toy.line]
    applying.until(lambda: bool(applying.asked) and set(applying.codes(toy.hand)) == {"TS097"})
    (followed,) = applying.asked
    assert {toy.header, toy.python, toy.rust} <= {*followed}
    assert toy.line not in followed
    applying.save(toy.shape)
    assert toy.run("gen", "--check") == 0
    assert "A label, unsaved." in (toy.root / "rust" / "ir" / "shape.rs").read_text()


def test_a_rename_that_its_user_leaves_changes_nothing(applying: Editor, toy: Toy) -> None:
    applying.open(toy.line)
    applying.asked.clear()
    applying.rename(toy.line, "start: PointNode", "first")
    applying.apply(applying.rename(toy.line, "tone: ToneKind", "shade"))
    applying.until(lambda: bool(applying.asked))
    assert toy.run("gen", "--check") == 0
    header = toy.header.read_text()
    assert "shade" in header and "start" in header and "first" not in header


def test_the_name_of_another_file_is_refused(applying: Editor, toy: Toy) -> None:
    (toy.root / "schema" / "ir" / "more.py").write_text(MORE)
    assert toy.run("gen") == 0
    applying.open(toy.shape)
    for new in ("Ring", "RingNode"):
        with pytest.raises(JsonRpcException, match=r"more\.py:8:7: the name `RingNode` is taken"):
            applying.rename(toy.shape, "PointNode(Object)", new)


def test_a_member_of_a_class_below_is_refused(applying: Editor, toy: Toy) -> None:
    below = MORE.replace("RingNode(Object)", "RingNode(PointNode)").replace(
        'center: "PointNode"', "center: ty.bool"
    )
    (toy.root / "schema" / "ir" / "more.py").write_text(below)
    assert toy.run("gen") == 0
    applying.open(toy.shape)
    with pytest.raises(JsonRpcException, match="`center`"):
        applying.rename(toy.shape, "x: ty.int64_t", "center")


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> EditedProject:
    """Return a project with declarations of every kind."""
    root = tmp_path_factory.mktemp("everything")
    files = {"ir/shape": SCHEMA, "ir/more": MORE, "draw/line": DRAW, "ops/operators": OPERATORS}
    for name, text in files.items():
        path = Path(root, "schema", f"{name}.py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace('"toy.ir.', '"toy.ops.') if "ops/" in name else text)
    (root / "tschema.toml").write_text(config())
    return read_project(load_config(root / "tschema.toml"))


def test_renames_are_those_of_the_command(everything: EditedProject) -> None:
    files = everything.declarations.files
    slow = {one.source.path: FileIndex(one, read_syntax(one.source.text)) for one in files}
    quick = {one.source.path: quick_index(one) for one in files}
    kinds = set()
    for dotted in {one.dotted for one in spellings(everything.schema).values()}:
        try:
            target = find_target(everything.schema, dotted)
        except SchemaError as error:
            assert "is made of the operator" in str(error)
            continue
        _, wanted = renamed_texts(everything, target, "zq", lambda file: slow[file.source.path])
        _, found = renamed_texts(everything, target, "zq", lambda file: quick[file.source.path])
        assert found == wanted
        assert wanted, dotted
        kinds.add(target.kind)
    assert kinds == {
        *("class", "field", "method", "enum", "enum member", "function", "operator", "parameter")
    }
