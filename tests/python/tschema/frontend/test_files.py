"""What can be wrong with files themselves, and that nothing of them is executed."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest

from tschema.diagnostics.errors import SchemaError, render
from tschema.diagnostics.source import Place
from tschema.frontend import parse_schema
from tschema.ir.model import Schema
from tschema.passes import build_schema

Build = Callable[..., Schema]
Messages = Callable[..., list[str]]

NODE = '@declare\nclass {0}Node(Object):\n    """A node."""\n\n    type_key = "toy.{0}"\n'


def test_bytes_that_are_not_utf8(tmp_path: Path) -> None:
    (tmp_path / "nodes.py").write_bytes(b'"""Nodes."""\n# caf\xe9\n')
    declarations = parse_schema(tmp_path, [PurePosixPath("nodes.py")], "toy")
    assert [render(diagnostic) for diagnostic in declarations.diagnostics] == [
        "nodes.py:2:6: error[TS002]: `nodes.py` is not UTF-8: byte 0xe9\n"
        "  help: save the file as UTF-8"
    ]
    with pytest.raises(SchemaError):
        build_schema("toy", declarations, {})


def test_namespaces_without_the_package(tmp_path: Path) -> None:
    for folder, key in (
        ("tirx/stmt", "tirx.stmt.A"),
        ("ir", "toy.ir.B"),
        ("ir/tirx", "toy.ir.tirx.C"),
    ):
        path = tmp_path / "schema" / folder / "nodes.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        imported = "from tschema import Object, declare\n"
        path.write_text(imported + NODE.format(key[-1]).replace(f"toy.{key[-1]}", key))
    declarations = parse_schema(tmp_path, [PurePosixPath("schema")], "toy", key_roots=("tirx",))
    schema, _warnings = build_schema("toy", declarations, {})
    assert {type_.key for type_ in schema.types()} == {"tirx.stmt.A", "toy.ir.B", "toy.ir.tirx.C"}


def test_root_that_does_not_exist(tmp_path: Path) -> None:
    declarations = parse_schema(tmp_path, [PurePosixPath("schema")], "toy")
    assert [render(diagnostic) for diagnostic in declarations.diagnostics] == [
        "error[TS002]: schema root `schema` does not exist"
    ]


def test_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "schema").mkdir()
    (tmp_path / "schema" / "lost.py").symlink_to("nowhere.py")
    declarations = parse_schema(tmp_path, [PurePosixPath("schema")], "toy")
    assert [render(diagnostic) for diagnostic in declarations.diagnostics] == [
        "error[TS002]: cannot read `schema/lost.py`: no such file or directory"
    ]


def test_names_that_differ_by_case_only(messages: Messages) -> None:
    # Such files cannot be checked in, since a checkout may not be able to hold them.
    assert messages(expr=NODE.format("A"), Expr=NODE.format("B"))[0].splitlines()[0] == (
        "schema/expr.py:1:1: error[TS008]: `schema/expr.py` and `schema/Expr.py` "
        "differ by case only"
    )
    ir, upper = (
        NODE.format("A").replace("toy.", "toy.ir."),
        NODE.format("B").replace("toy.", "toy.IR."),
    )
    assert messages(ir__a=ir, IR__b=upper)[0].splitlines()[0] == (
        "schema/ir/a.py:1:1: error[TS008]: `schema/ir/a.py` and `schema/IR/b.py` "
        "stand in folders that differ by case only"
    )


def test_two_roots_with_the_same_file(tmp_path: Path) -> None:
    for root, name in (("one", "A"), ("two", "B")):
        (tmp_path / root).mkdir()
        text = "from tschema import Object, declare\n\n\n" + NODE.format(name)
        (tmp_path / root / "expr.py").write_text(text)
    declarations = parse_schema(tmp_path, [PurePosixPath("one"), PurePosixPath("two")], "toy")
    with pytest.raises(SchemaError, match="are emitted to the same files"):
        build_schema("toy", declarations, {})


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_endings_and_byte_order_marks(tmp_path: Path, newline: str) -> None:
    text = "from tschema import Object, declare\n\n\n" + NODE.format("A") + "    value: In\n"
    (tmp_path / "nodes.py").write_bytes(b"\xef\xbb\xbf" + text.replace("\n", newline).encode())
    declarations = parse_schema(tmp_path, [PurePosixPath("nodes.py")], "toy")
    with pytest.raises(SchemaError) as raised:
        build_schema("toy", declarations, {})
    lines = render(raised.value.diagnostics[0]).splitlines()
    assert lines[0].startswith("nodes.py:9:12: error[TS012]: unknown type `In`")
    assert lines[1:3] == ["    9 |     value: In", "      |            ^^"]


@pytest.mark.parametrize(
    ("text", "column", "shown"),
    [
        ('    "héé"; value: In\n', 19, "                  ^^"),
        ("    a: ty.Union[日本, int]\n", 17, "                ^^^^"),
    ],
)
def test_columns_count_characters(messages: Messages, text: str, column: int, shown: str) -> None:
    # Python's parser counts bytes.
    (message,) = [one for one in messages(NODE.format("A") + text) if "TS012" in one]
    assert message.splitlines()[0].startswith(f"schema/nodes.py:10:{column}: error[TS012]")
    assert message.splitlines()[2].endswith(f"| {shown}")


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_line_endings_mean_nothing(tmp_path: Path, newline: str) -> None:
    text = "from tschema import Object, declare\n\n\n" + NODE.format("A")
    text = text.replace("A node.", "A node.\n\n    Two lines.\n    ")
    schemas = []
    for ending in ("\n", newline):
        (tmp_path / "nodes.py").write_bytes(text.replace("\n", ending).encode())
        declarations = parse_schema(tmp_path, [PurePosixPath("nodes.py")], "toy")
        schemas.append(build_schema("toy", declarations, {})[0])
    assert schemas[0] == schemas[1]


def test_nothing_is_executed(build: Build, tmp_path: Path) -> None:
    mark = tmp_path / "executed"
    with pytest.raises(SchemaError):
        build(f"open({str(mark)!r}, 'w')\n" + NODE.format("A"))
    assert not mark.exists()


def test_positions_are_not_computed_while_all_is_well(
    build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Place) -> None:
        raise AssertionError("positions take time")

    monkeypatch.setattr(Place, "span", refuse)
    assert len(build(NODE.format("A") + NODE.format("B")).namespaces[0].types) == 2


def test_the_garbage_collector_is_left_as_it_was(build: Build) -> None:
    assert gc.isenabled()
    build(NODE.format("A"))
    assert gc.isenabled()


@pytest.mark.parametrize(
    "body",
    [
        "x = " + "(" * 5000 + ")" * 5000,
        "x = " + "-" * 20000 + "1",
        "x = " + " and ".join(["a"] * 30000),
        "x: '" + "(" * 5000 + "'",
        "x: '" + " and ".join(["a"] * 30000) + "'",
        "x: " + "a." * 2500 + "b",
        "x = " + "'a' " * 20000,
        "x = " + "[" * 90 + "]" * 90,
        "x = '\\ud800'",
        "x = '\x00'",
        "x = " + "9" * 5000,
        "x: " + "ty.Array[" * 50 + "In" + "]" * 50,
        "x: " + " | ".join(["In"] * 3000),
        "x = 1 +",
        "x = '''",
        "\tx = 1\n        y = 2",
        "f'{x}'",
        'x = b"é"',
    ],
    ids=lambda body: body[:12],
)
def test_odd_text_is_an_error_and_no_crash(messages: Messages, body: str) -> None:
    assert messages(NODE.format("A") + f"    {body}\n")


def test_the_same_text_gives_the_same_schema(build: Build) -> None:
    texts = {"b": NODE.format("B"), "a": NODE.format("A"), "c": NODE.format("C")}
    first = build(**texts)
    assert [space.file for space in first.namespaces] == ["a", "b", "c"]
    assert build(**dict(reversed(texts.items()))) == first
