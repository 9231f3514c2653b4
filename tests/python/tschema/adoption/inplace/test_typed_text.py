"""Comments and code that someone types into generated members are hand edits."""

from __future__ import annotations

import pytest

from tschema.adoption.inplace.typed_comments import without_typed_comments

from .conftest import Project

FIELD = "  ::tvm::ffi::String name_hint;\n"
DOC = "  /*! \\brief The name of the variable, this only acts as a hint. */\n"
EDITS = [
    (FIELD, "  ::tvm::ffi::String name_hint;  // note\n"),
    (FIELD, "  ::tvm::ffi::String /* note */ name_hint;\n"),
    (FIELD, "  // note\n" + FIELD),
    (FIELD, FIELD + "  // note\n"),
    (DOC, "  // note\n" + DOC),
    (DOC, "  // note\n\n" + DOC),
    (" public:\n", " public:\n  /* note\n   * of two lines */\n"),
    (" public:\n", " public:  // note\n"),
    ("class GlobalVarNode : ", "// note\nclass GlobalVarNode : "),
    (FIELD, FIELD + "  int mine;\n"),
    (FIELD, "  ::tvm::ffi::String name_hint{};\n"),
]


@pytest.mark.parametrize(("before", "after"), EDITS)
def test_a_comment_in_a_generated_member_is_a_hand_edit(
    project: Project, before: str, after: str
) -> None:
    project.run("gen")
    filled = project.header.read_text()
    assert before in filled
    edited = filled.replace(before, after)
    project.header.write_text(edited)
    refused = project.run("gen")
    assert refused.status == 1
    assert "include/vars.h:10:1: error[TS065]" in refused.err
    added = next(line for line in after.splitlines() if line not in before.splitlines())
    assert f"+{added}\n" in refused.err
    assert project.header.read_text() == edited
    assert project.run("gen", "--check").status == 1
    assert project.run("gen", "--discard").status == 0
    assert project.header.read_text() == filled


def test_a_comment_on_a_line_of_its_own_is_moved_to_the_region(project: Project) -> None:
    project.run("gen")
    filled = project.header.read_text()
    project.header.write_text(filled.replace(FIELD, "  // note\n" + FIELD))
    assert project.run("gen", "--adopt").status == 0
    end = "  // tschema: custom-end"
    assert project.header.read_text() == filled.replace(end, f"  // note\n{end}")


ADOPTED = [
    ("  Point center;\n", "  Point center;  // note\n"),
    ("  Point center;\n", "  // note\n  Point center;\n"),
    ("  double radius;\n", "  double radius;\n  // note\n"),
    ("  // tschema: custom-begin\n", "  // note\n  // tschema: custom-begin\n"),
    ("class CircleNode :", "// note\nclass CircleNode :"),
    ("  double radius;\n", "  double radius = 1;\n"),
]


@pytest.mark.parametrize(("before", "after"), ADOPTED)
def test_a_comment_in_an_adopted_class_is_a_hand_edit(
    atlas: Project,
    before: str,
    after: str,
) -> None:
    atlas.run("gen", "--adopt")
    path = atlas.root / "include/atlas/geometry.h"
    adopted = path.read_text()
    head, marker, block = adopted.partition("// tschema: CircleNode\n")
    assert before in block
    edited = head + marker + block.replace(before, after, 1)
    path.write_text(edited)
    # A field that the schema gains later must not drop the comment either.
    schema = atlas.root / "schema" / "geometry.py"
    gained = "    radius: ty.float64\n    turns: ty.int64_t = 1\n"
    for text in (
        schema.read_text(),
        schema.read_text().replace("    radius: ty.float64\n", gained),
    ):
        schema.write_text(text)
        refused = atlas.run("gen")
        assert refused.status == 1
        line = edited.splitlines().index("// tschema: CircleNode") + 1
        assert f"include/atlas/geometry.h:{line}:1: error[TS065]" in refused.err
        assert path.read_text() == edited


def test_a_deleted_initializer_is_a_hand_edit(atlas: Project) -> None:
    atlas.run("gen", "--adopt")
    schema = atlas.root / "schema" / "geometry.py"
    gained = "    radius: ty.float64\n    turns: ty.int64_t = 1\n    open: ty.bool = False\n"
    schema.write_text(schema.read_text().replace("    radius: ty.float64\n", gained))
    assert atlas.run("gen").status == 0
    path = atlas.root / "include/atlas/geometry.h"
    filled = path.read_text()
    for deleted in ("turns = 1;", "open = false;"):
        name = deleted.partition(" ")[0]
        assert deleted in filled
        path.write_text(filled.replace(deleted, f"{name};"))
        refused = atlas.run("gen")
        assert refused.status == 1
        assert "error[TS065]" in refused.err
        assert f"{deleted}\n+" in refused.err
        assert atlas.run("gen", "--discard").status == 0
        assert path.read_text() == filled
    # Both at once, of which each is reported.
    path.write_text(filled.replace("turns = 1;", "turns;").replace("open = false;", "open;"))
    assert atlas.run("gen").status == 1


def test_below_the_region_too(atlas: Project) -> None:
    atlas.run("gen", "--adopt")
    path = atlas.root / "include/atlas/geometry.h"
    adopted = path.read_text()
    head, marker, block = adopted.partition("// tschema: CircleNode\n")
    path.write_text(head + marker + block.replace("\n};\n", "\n};  // note\n", 1))
    assert atlas.run("gen").status == 1
    assert atlas.run("gen", "--discard").status == 0
    assert path.read_text() == adopted


def test_comments_of_the_author_are_in_the_region(atlas: Project) -> None:
    """At the first adoption, so that no later field drops them."""
    path = atlas.root / "include/atlas/geometry.h"
    text = path.read_text()
    assert "  double radius;\n" in text
    noted = text.replace("  double radius;\n", "  double radius;  // NOLINT\n", 1)
    path.write_text(noted)
    assert atlas.run("gen", "--adopt").status == 0
    block = path.read_text().partition("// tschema: CircleNode\n")[2]
    head, _, region = block.partition("// tschema: custom-begin\n")
    assert "  Point center;\n" in head
    assert region.startswith(
        "  /*! \\brief Its radius, not negative. */\n  double radius;  // NOLINT"
    )
    assert atlas.run("gen", "--check").status == 0


def test_what_is_generated_stays_in_any_layout() -> None:
    generated = [b"  /*! \\brief A name. */\n", b"  String name;\n"]
    found = [b"/// A\n", b"/// name.\n", b"String name;  ///< A name.\n"]
    assert without_typed_comments(generated, found) == tuple(found)
    typed = [b"/// A name.\n", b"// of it\n", b"int /* x */ y; // z\n", b"/* a\n", b"b */\n"]
    assert without_typed_comments(generated, typed) == (b"/// A name.\n", b"int y;\n")
