"""`tschema rename`: what changes with a name, what is refused, and what is left to people."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ..conftest import Project, replace
from .dialect import DIALECT

SHAPE = '''\
"""Shapes; a `Point` is the simplest."""

from tschema import Object, declare, field, function, method, ty


@declare
class Colour(ty.IntEnum):
    """
    A colour.

    Attributes
    ----------
    red
        Like `red` roses.
    blue
        Like the sky.
    """

    red = 0
    blue = 1


@declare
class PointNode(Object):  # The `Point` of a plane.
    """
    A point, see `Circle.centre`.

    See Also
    --------
    Point
    Colour

    Attributes
    ----------
    x, y
        Its place: `x` to the right, `y` upwards.
    colour
        `Colour.red` by default.
    """

    type_key = "toy.ir.Point"
    x: ty.int64_t
    y: ty.int64_t
    colour: Colour = Colour.red

    # Kept as it is,   blanks and all.


    @method
    def moved(self, x: ty.int64_t) -> "PointNode":
        """
        Move the point: adds to `x`, keeps `y`.

        Parameters
        ----------
        x
            How far; see `PointNode.x`.
        """
        ...


@declare
class CircleNode(PointNode):
    """
    A circle around `x`; made by `circle`.

    Attributes
    ----------
    x
        That of the centre.
    centre
        A `toy.ir.Point`, or `ir.PointNode`.
    """

    type_key = "toy.ir.Circle"
    x: ty.int64_t = field(default=0)
    centre: ty.Optional[PointNode] = field(default=None, doc="A `Point`.")


@function
def circle(centre: PointNode) -> CircleNode:
    """Make a `Circle` around `centre`."""
    ...
'''

OTHER = '''\
"""More."""

from schema.ir.shape import Colour as Tint, PointNode
from tschema import declare, ty


@declare
class LineNode(PointNode):
    """A line from a `Point`, drawn by `toy.ir.circle`."""

    type_key = "toy.draw.Line"
    start: "ty.Array[PointNode]"
    tint: Tint = Tint.blue
'''


@pytest.fixture
def shapes(project: Project) -> Project:
    """Return a project whose declarations name each other in every way."""
    project.schema.write_text(SHAPE)
    other = project.root / "schema" / "draw" / "line.py"
    other.parent.mkdir()
    other.write_text(OTHER)
    return project


def line(project: Project) -> str:
    return (project.root / "schema" / "draw" / "line.py").read_text()


def test_a_class_is_renamed_wherever_a_schema_file_names_it(shapes: Project) -> None:
    done = shapes.run("rename", "toy.ir.Point", "Spot")
    assert (done.status, done.err) == (0, "")
    assert done.out == "renamed toy.ir.Point in 2 files\n"
    expected = SHAPE.replace("PointNode", "SpotNode").replace("Point", "Spot")
    key = '    type_key = "toy.ir.Spot"\n'
    assert shapes.schema.read_text() == expected.replace(
        key, key + '    renamed_from = "PointNode"\n'
    )
    assert line(shapes) == OTHER.replace("PointNode", "SpotNode").replace("Point", "Spot")


def test_a_rename_and_back_leaves_every_byte(shapes: Project) -> None:
    for first, new, second, old in (
        ("toy.ir.Point", "Spot", "toy.ir.Spot", "Point"),
        ("toy.ir.PointNode", "SpotNode", "toy.ir.SpotNode", "PointNode"),
        ("ir.Point.x", "left", "ir.Point.left", "x"),
        ("toy.ir.Point.moved", "shifted", "toy.ir.Point.shifted", "moved"),
        ("toy.ir.Point", "Spot", "toy.ir.Spot", "Point"),
        ("toy.ir.Colour", "Paint", "toy.ir.Paint", "Colour"),
        ("toy.ir.Colour.red", "crimson", "toy.ir.Colour.crimson", "red"),
        ("toy.ir.circle", "ring", "toy.ir.ring", "circle"),
        ("toy.ir.circle.centre", "middle", "toy.ir.circle.middle", "centre"),
    ):
        assert shapes.run("rename", first, new).status == 0
        assert (shapes.schema.read_text(), line(shapes)) != (SHAPE, OTHER)
        assert shapes.run("rename", second, old).status == 0
        assert (shapes.schema.read_text(), line(shapes)) == (SHAPE, OTHER)


def test_a_field_is_renamed_with_its_docs_and_restatements(shapes: Project) -> None:
    assert shapes.run("rename", "toy.ir.Point.x", "left").status == 0
    text = shapes.schema.read_text()
    assert "    left, y\n        Its place: `left` to the right" in text
    assert "    left: ty.int64_t\n" in text
    assert "A circle around `left`" in text
    assert "    left: ty.int64_t = field(default=0)\n" in text
    # The method's parameter is another `x`.
    assert "def moved(self, x: ty.int64_t)" in text
    assert "adds to `x`, keeps `y`" in text
    assert "How far; see `PointNode.left`." in text


def test_a_restated_field_is_that_of_the_class_that_declares_it(shapes: Project) -> None:
    shapes.run("rename", "toy.ir.Circle.x", "left")
    assert "    left: ty.int64_t\n    y: ty.int64_t\n" in shapes.schema.read_text()


def test_a_member_of_an_enum_keeps_its_value_under_an_alias(shapes: Project) -> None:
    shapes.run("rename", "toy.ir.Colour.blue", "azure")
    assert "    azure = 1\n" in shapes.schema.read_text()
    assert "    azure\n        Like the sky.\n" in shapes.schema.read_text()
    assert "tint: Tint = Tint.azure" in line(shapes)


def test_an_alias_stays(shapes: Project) -> None:
    shapes.run("rename", "toy.ir.Colour", "Paint")
    assert "import Paint as Tint, PointNode" in line(shapes)
    assert "tint: Tint = Tint.blue" in line(shapes)


def test_an_operator_is_renamed_with_rules_that_call_it(project: Project) -> None:
    project.schema.write_text(OPERATORS)
    assert project.run("rename", "toy.ir.double", "twice").status == 0
    assert project.run("rename", "toy.ir.quadruple.x", "value").status == 0
    text = project.schema.read_text()
    assert 'decompose="twice(value) + twice(value)"' in text
    assert "def quadruple(value: ExprNode = operand())" in text
    assert "    value\n        Four times `value` is the result.\n" in text
    assert "Twice `x`; see `quadruple`." in text


def test_rules_for_stored_calls_follow_the_names_of_now(project: Project) -> None:
    options = '@operator(kind="elementwise", upgrade="single(x, *, by) -> double(x=x)")\n'
    text = OPERATORS.replace('@operator(kind="elementwise")\n', options)
    project.schema.write_text(text)
    assert project.run("rename", "toy.ir.double", "twice").status == 0
    assert project.run("rename", "toy.ir.twice.x", "value").status == 0
    assert '"single(x, *, by) -> twice(value=x)"' in project.schema.read_text()


OPERATORS = f'''{DIALECT}

@operator(kind="elementwise")
def double(x: ExprNode = operand()) -> ExprNode:
    """Twice `x`; see `quadruple`."""
    ...


@operator(kind="elementwise", decompose="double(x) + double(x)")
def quadruple(x: ExprNode = operand()) -> ExprNode:
    """
    Four times.

    Parameters
    ----------
    x
        Four times `x` is the result.
    """
    ...
'''


def test_bytes_that_do_not_change_are_those_that_were_there(shapes: Project) -> None:
    crlf = b"\xef\xbb\xbf" + SHAPE.replace("\n", "\r\n").encode().replace(b"toy.ir.P", b"toy.ir.P")
    shapes.schema.write_bytes(crlf)
    assert shapes.run("rename", "toy.ir.Point", "Spot").status == 0
    text = shapes.schema.read_bytes()
    assert text.startswith(b"\xef\xbb\xbf") and b'\r\n    renamed_from = "PointNode"\r\n' in text
    assert text.count(b"\n") == text.count(b"\r\n") == crlf.count(b"\n") + 1
    assert shapes.run("rename", "toy.ir.Spot", "Point").status == 0
    assert shapes.schema.read_bytes() == crlf


def test_blocks_and_custom_regions_move_along(shapes: Project) -> None:
    shapes.run("gen")
    region = "    # tschema: custom-begin\n"
    replace(shapes.output, region, region + "    KEPT = 1\n")
    shapes.run("rename", "toy.ir.Point", "Spot")
    assert shapes.run("gen").status == 0
    before, _, after = shapes.output.read_text().partition("class Spot(")
    assert "KEPT = 1" in before + after
    # A second rename starts from the name that the blocks have by then.
    shapes.run("rename", "toy.ir.Spot", "Dot")
    names = '    renamed_from = ["SpotNode", "PointNode"]\n'
    assert names in shapes.schema.read_text()
    shapes.run("rename", "toy.ir.Dot", "Mark")
    assert names in shapes.schema.read_text()
    shapes.run("rename", "toy.ir.Mark", "Spot")
    assert '    renamed_from = "PointNode"\n' in shapes.schema.read_text()


@pytest.mark.parametrize(
    ("name", "new", "code", "words"),
    [
        ("toy.ir.Pont", "Spot", "TS095", "did you mean `toy.ir.Point`?"),
        ("toy.ir.Point", "Circle", "TS020", "the name `CircleNode` is taken in this namespace"),
        ("toy.ir.Point", "Point", "TS096", "already has the name `Point`"),
        ("toy.ir.Point", "a.b", "TS096", "`a.b` is not a valid name of a class"),
        ("toy.ir.Point", "Line", "TS020", ""),
        ("toy.ir.Point.x", "y", "TS024", "has the field `y` twice"),
        ("toy.ir.Point.x", "a__b", "TS021", "has two underscores in a row"),
        ("toy.ir.Colour", "PointNode", "TS096", "imports another `PointNode`"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(
    shapes: Project, name: str, new: str, code: str, words: str
) -> None:
    if new == "Line":
        replace(shapes.root / "schema" / "draw" / "line.py", "toy.draw", "toy.ir")
    before = (shapes.schema.read_bytes(), line(shapes))
    refused = shapes.run("rename", name, new)
    assert refused.status == 2
    if new != "Line":
        assert f"error[{code}]" in refused.err and words in refused.err
    assert (shapes.schema.read_bytes(), line(shapes)) == before


def test_a_wrong_schema_is_refused_first(shapes: Project) -> None:
    replace(shapes.schema, "    y: ty.int64_t\n", "    y: ty.int46_t\n")
    refused = shapes.run("rename", "toy.ir.Point", "Spot")
    assert refused.status == 2
    assert "error[TS012]" in refused.err


def test_a_class_whose_reference_has_a_name_of_its_own_keeps_it(shapes: Project) -> None:
    key = '    type_key = "toy.ir.Point"\n'
    replace(shapes.schema, key, f'{key}    ref_name = "PlanePoint"\n')
    before = shapes.schema.read_text()
    assert shapes.run("rename", "toy.ir.Point", "Spot").status == 0
    text = shapes.schema.read_text()
    assert "class PointNode(Object)" in text and 'type_key = "toy.ir.Spot"\n' in text
    assert '    renamed_from = "toy.ir.Point"\n' in text and "A `toy.ir.Spot`" in text
    assert shapes.run("rename", "toy.ir.Spot", "Point").status == 0
    assert shapes.schema.read_text() == before


def test_a_diff_and_a_dry_run_write_nothing(shapes: Project) -> None:
    shown = shapes.run("rename", "toy.ir.circle", "ring", "--diff")
    assert shown.status == 1
    assert "-def circle(centre: PointNode) -> CircleNode:\n" in shown.out
    assert "+def ring(centre: PointNode) -> CircleNode:\n" in shown.out
    listed = shapes.run("rename", "toy.ir.circle", "ring", "--dry-run")
    assert (listed.status, listed.out) == (
        0,
        "would write schema/draw/line.py\nwould write schema/ir/shape.py\n",
    )
    assert (shapes.schema.read_text(), line(shapes)) == (SHAPE, OTHER)


def test_hand_written_code_is_listed_and_not_changed(shapes: Project) -> None:
    shapes.run("gen")
    region = "    # tschema: custom-begin\n"
    replace(shapes.output, region, region + "    LIKE = Point\n")
    mine = shapes.root / "python" / "mine.py"
    mine.parent.mkdir()
    mine.write_text("from toy_nodes.ir import Point\n\nprint(Point(1, 2))\n")
    cpp = shapes.root / "cpp" / "mine.cc"
    cpp.parent.mkdir()
    cpp.write_text("// Nothing.\nvoid PointNode::Moved(int64_t x) {}\n")
    done = shapes.run("rename", "toy.ir.Point", "Spot", "--format", "json")
    places = [
        (one["span"]["path"], one["span"]["line"]) for one in json.loads(done.out)["diagnostics"]
    ]
    output = shapes.output.relative_to(shapes.root).as_posix()
    custom = shapes.output.read_text().splitlines().index("    LIKE = Point") + 1
    assert sorted(places) == sorted(
        [("cpp/mine.cc", 2), (output, custom), ("python/mine.py", 1), ("python/mine.py", 3)]
    )
    assert mine.read_text().count("Point") == 2
    assert "4 lines of hand-written code may have the old name" in done.err


def test_a_field_is_looked_for_where_its_class_is_named(shapes: Project) -> None:
    for name, text in {
        "near.cc": "int64_t X(const PointNode* p) { return p->x; }\n",
        "far.cc": "int64_t X(const OtherNode* p) { return p->x; }\n",
    }.items():
        (shapes.root / name).write_text(text)
    err = shapes.run("rename", "toy.ir.Point.x", "left").err
    assert "near.cc:1:43: warning[TS097]: `x` is named here" in err
    assert "far.cc" not in err


def test_another_project_below_is_not_looked_at(shapes: Project, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "tschema.toml").touch()
    (inner / "a.py").write_text("Point\n")
    assert shapes.run("rename", "toy.ir.Point", "Spot").err == ""


QUOTED = '''\
"""Quoted C++."""

from tschema import Object, declare, field, method, ty


@declare
class SpotNode(Object):
    """A spot; SpotNode is its data class."""

    type_key = "toy.ir.Spot"
    cpp_base = "acme::SpotBase"
    radius: ty.int64_t = field(cpp_init="SpotNode::kRadius", init=False, doc="How large it is.")
    others: ty.foreign("std::vector<Spot>") = field()  # type: ignore[valid-type]

    @method(cpp="&SpotNode::Area")
    def area(self) -> ty.int64_t:
        """Its area."""
        ...

    @method(cpp="[](const SpotNode* self) { return self->radius + self->radius(); }")
    def size(self) -> ty.int64_t:
        """How large it is."""
        ...
'''


def test_cpp_that_a_schema_quotes_is_renamed(project: Project) -> None:
    project.schema.write_text(QUOTED)
    done = project.run("rename", "toy.ir.Spot", "Dot")
    assert done.status == 0, done.err
    text = project.schema.read_text()
    for line in (
        'cpp_init="DotNode::kRadius"',
        '@method(cpp="&DotNode::Area")',
        '@method(cpp="[](const DotNode* self) {',
        'ty.foreign("std::vector<Dot>")',
        'cpp_base = "acme::SpotBase"',
    ):
        assert line in text
    # Prose that only people understand is reported.
    assert "shape.py:8:16: warning[TS097]: `SpotNode` is named here" in done.err
    assert done.err.count("TS097") == 1
    project.schema.write_text(QUOTED)
    done = project.run("rename", "toy.ir.Spot.radius", "reach")
    text = project.schema.read_text()
    assert "{ return self->reach + self->radius(); }" in text
    assert "warning[TS097]: `radius` is named here" in done.err


def test_fields_in_forms_of_script_are_renamed(shapes: Project) -> None:
    key = '    type_key = "toy.ir.Point"\n'
    shapes.schema.write_text(SHAPE.replace(key, key + '    script = "toy.point({x}, y={y})"\n'))
    assert shapes.run("rename", "toy.ir.Point.y", "height").status == 0
    assert 'script = "toy.point({x}, y={height})"' in shapes.schema.read_text()


def test_every_spelling_of_every_language_is_reported(shapes: Project) -> None:
    files = {
        "include/p.inl": "struct V { void VisitPoint_(); };\nvoid VisitPoint();\n",
        "p.pyi": "def visit_point(self) -> None: ...\n",
        "src/p.rs": 'const KEY: &str = "toy.ir.Point";\n',
        "docs/p.md": "Point at it.\nA `Point`.\nSee PointNode.\n",
        "tests/test_p.py": "KEYS = ['toy.ir.Point']\n",
        "src/p.cc": 'TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.ir.Point", Other, Object);\n',
    }
    for name, text in files.items():
        path = shapes.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    err = shapes.run("rename", "toy.ir.Point", "Spot").err
    places = ("include/p.inl:2:6", "p.pyi:1:5", "src/p.rs:1:27", "docs/p.md:2:4", "docs/p.md:3:5")
    for place in (*places, "tests/test_p.py:1:17", "src/p.cc:1:43"):
        assert f"{place}: warning[TS097]" in err
    assert err.count("TS097") == 7
    (shapes.root / "src" / "p.cc").write_text("SpotNode* p; p->x_ = Colour::kRed;\n")
    assert "src/p.cc:1:17: warning" in shapes.run("rename", "toy.ir.Spot.x", "left").err
    assert "`kRed` is named here" in shapes.run("rename", "toy.ir.Colour.red", "rose").err
