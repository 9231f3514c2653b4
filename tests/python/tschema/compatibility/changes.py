"""Changes of declarations, each with programs that show what it breaks.

A row has two versions of the declarations in one file. `source` is a program over the old version,
`toy`, that the new one breaks; `save` makes an object whose file the new version rejects, and
`loads` one whose file it loads. Rows with `cpp` have functions, whose callers are compiled instead.
"""

from __future__ import annotations

from dataclasses import dataclass

HEADER = '"""Nodes."""\n\nfrom tschema import Object, declare, field, function, method, ty\n\n'
WEAVE = '''"""Operators on cloth."""

from tschema import dialect, function, operand, operator, ty
from uir.schema.ir.attrs import AttrsNode
from uir.schema.ir.expr import RelayExprNode
from uir.schema.ir.span import SpanNode


@dialect
class WeaveDialect:
    """Operators on cloth."""

    operand = RelayExprNode
    make = "uir.relay.make_call"
    number = "uir.relay.as_operand"
    attributes = AttrsNode
    span = SpanNode
    shapes = True


'''


SCALAR = '''"""Intrinsics."""

from tschema import dialect, operand, operator, ty
from uir.schema.ir.expr import PrimExprNode
from uir.schema.ir.span import SpanNode


@dialect
class ScalarDialect:
    """Operators on scalar expressions."""

    operand = PrimExprNode
    make = "uir.tir.make_call"
    number = "uir.tir.as_expr"
    span = SpanNode


'''


@dataclass(frozen=True)
class Row:
    """A change, its code, and what proves it at each level that it breaks."""

    name: str
    code: str
    old: str
    new: str
    source: str = ""
    save: str = ""
    loads: str = ""
    holds: str = ""
    """What is true of the object that is loaded, `loaded`."""
    binary: bool = False
    cpp: str = ""


def point(*lines: str, base: str = "Object", name: str = "Point") -> str:
    """Return the declaration of a class with these options and fields."""
    body = "".join(f"    {line}\n" for line in lines)
    head = f'@declare\nclass {name}Node({base}):\n    """A {name.lower()}."""\n\n'
    return f'{head}    type_key = "toy.{name}"\n{body}\n\n'


def number(name: str, type_: str = "int64_t", **options: str) -> str:
    """Return the declaration of a field."""
    given = ", ".join(f"{key}={value}" for key, value in {**options, "doc": '"A number."'}.items())
    return f"{name}: ty.{type_} = field({given})"


def enum(**members: int) -> str:
    """Return the declaration of an enum."""
    lines = "".join(f"    {name} = {value}\n" for name, value in members.items())
    head = '@declare\nclass Color(ty.IntEnum):\n    """A color."""\n\n'
    return f"{head}{lines}\n\n"


def scale(parameters: str, result: str = "int") -> str:
    """Return the declaration of a function."""
    head = f"@function\ndef scale({parameters}) -> {result}:\n"
    return f'{head}    """Scale a number."""\n    ...\n\n\n'


def soften(
    parameters: str = "", name: str = "soften", kind: str = "elementwise", options: str = ""
) -> str:
    """Return the declaration of an operator with more parameters."""
    operands = 'x: RelayExprNode = operand(dtype="T: float")'
    rule = f'@operator(kind="{kind}", relation="same"{options})\n'
    head = f"{rule}def {name}({operands}{parameters}) -> RelayExprNode:\n"
    return f'{head}    """Soften cloth."""\n    ...\n\n\n'


def round_(parameters: str = "", name: str = "round", options: str = "") -> str:
    """Return the declaration of an intrinsic with more parameters."""
    head = f"@operator({options})\ndef {name}(x: PrimExprNode = operand(){parameters})"
    return f'{head} -> PrimExprNode:\n    """Round a number."""\n    ...\n\n\n'


X, Y = number("x"), number("y")
READ = "const PointNode* point = nullptr;"
SHAPE = point("final = False", name="Shape")
BALL = point('color: Color = field(doc="Its color.")', name="Ball")
CLOTH = """\
from uir import ir, relay
cloth = relay.Var("cloth", ir.TensorType([ir.IntImm("int64", 2)], "float32"))
"""
ONE = "from uir import ir\none = ir.IntImm('int32', 1)\n"

ROWS = (
    Row(
        "class that is gone", "TS100", point(X) + SHAPE, SHAPE,
        source="toy.Point(1)", save="toy.Point(1)",
    ),
    Row(
        "class with another key", "TS101", point(X),
        point('renamed_from = "PointNode"', X, name="Place"),
        source="toy.Point(1)",
        loads="toy.Point(1)", holds="type(loaded) is toy.Place and loaded.x == 1",
    ),
    Row(
        "class with another key, twice", "TS101", point(X),
        point('renamed_from = ["SpotNode", "toy.Point"]', X, name="Place"),
        source="toy.Point(1)", loads="toy.Point(1)", holds="type(loaded) is toy.Place",
    ),
    Row(
        "class with another key in other hands", "TS100", point(X), point(X, name="Place"),
        source="toy.Point(1)", save="toy.Point(1)",
    ),
    Row(
        "class with another parent", "TS102", SHAPE + point(X, base="ShapeNode"), SHAPE + point(X),
        source="assert isinstance(toy.Point(1), toy.Shape)", binary=True,
    ),
    Row(
        "class that became abstract", "TS104", point(X), point("abstract = True", X),
        source="toy.Point(1)", binary=True,
    ),
    Row(
        "class that became immutable", "TS104", point("mutable = True", X), point(X),
        source="toy.Point(1).x = 2", binary=True,
    ),
    Row(
        "class with another structural kind", "TS105", point(X), point('structural = "unique"', X),
        source="from tvm_ffi import structural_equal\n"
        "assert structural_equal(toy.Point(1), toy.Point(1))", binary=True,
    ),
    Row(
        "field that is ignored", "TS105", point(X), point(number("x", structural='"ignore"')),
        source="from tvm_ffi import structural_equal\n"
        "assert not structural_equal(toy.Point(1), toy.Point(2))", binary=True,
    ),
    Row(
        "class with one more field", "TS106", point(X), point(X, number("y", default="0")),
        binary=True,
    ),
    Row(
        "field that is gone", "TS110", point(X, Y), point(X),
        source="toy.Point(1, 2).y", save="toy.Point(1, 2)",
    ),
    Row(
        "removed field", "TS110", point(X, Y), point('removed_fields = ["y"]', X),
        source="toy.Point(1, 2).y", loads="toy.Point(1, 2)", holds="loaded.x == 1",
    ),
    Row(
        "removed field of a parent", "TS110",
        point(X, number("y", "String"), name="Shape") + point(base="ShapeNode", name="Point"),
        point('removed_fields = ["y"]', X, name="Shape") + point(base="ShapeNode", name="Point"),
        source="toy.Point(1, 'a').y", loads="toy.Point(1, 'a')", holds="loaded.x == 1",
    ),
    Row(
        "renamed field", "TS118", point(X, Y),
        point(number("place", renamed_from='"x"'), Y),
        source="toy.Point(1, 2).x",
        loads="toy.Point(1, 2)", holds="(loaded.place, loaded.y) == (1, 2)",
    ),
    Row(
        "field that was renamed twice", "TS118",
        SHAPE + point(X, base="ShapeNode"),
        SHAPE + point(number("z", renamed_from='["y", "x"]'), base="ShapeNode"),
        source="toy.Point(1).x", loads="toy.Point(1)", holds="loaded.z == 1",
    ),
    Row(
        "new field that files have a value for", "TS111", point(X),
        point(X, number("y", stored_default="7")),
        source="toy.Point(1)", loads="toy.Point(1)", holds="(loaded.x, loaded.y) == (1, 7)",
    ),
    Row(
        "new field without a default", "TS111", point(X), point(X, Y),
        source="toy.Point(1)", save="toy.Point(1)",
    ),
    Row(
        "field of another type", "TS112", point(X), point(number("x", "String")),
        source="toy.Point(1)", save="toy.Point(1)",
    ),
    Row(
        "field of a narrower type", "TS112", point(X), point(number("x", "int8_t")),
        source="toy.Point(300)", save="toy.Point(300)",
    ),
    Row(
        "arguments in another order", "TS114", point(X, Y), point(Y, X),
        source="assert toy.Point(1, 2).x == 1",
    ),
    Row(
        "field that is no argument", "TS114", point(X),
        point(number("x", init="False", default="0")),
        source="toy.Point(1)",
    ),
    Row(
        "argument by name only", "TS114", point(X, Y), point(X, number("y", kw_only="True")),
        source="toy.Point(1, 2)",
    ),
    Row(
        "field that lost its default", "TS115", point(X, number("y", default="0")), point(X, Y),
        source="toy.Point(1)",
    ),
    Row(
        "other default", "TS116", point(X, number("y", default="0")),
        point(X, number("y", default="1")), source="assert toy.Point(1).y == 0",
    ),
    Row(
        "member of another name", "TS117", point(X), point(number("x", cpp_name='"x_"')),
        cpp=f"{READ} (void)point->x;",
    ),
    Row(
        "member of narrower access", "TS117", point(X), point(number("x", access='"protected"')),
        cpp=f"{READ} (void)point->x;",
    ),
    Row(
        "member that is not mutable", "TS117", point(number("x", mutable="True")), point(X),
        cpp=f"{READ} point->x = 2;",
    ),
    Row(
        "member of C++ that is gone", "TS117", point(X, number("y", register="False")), point(X),
        cpp=f"{READ} (void)point->y;",
    ),
    Row(
        "member of C++ of another type", "TS117", point(X, 'y: ty.foreign("std::string")'),
        point(X, 'y: ty.foreign("std::vector<int>")'), cpp=f"{READ} (void)point->y.c_str();",
    ),
    Row(
        "class in another C++ namespace", "TS101", point(X),
        point('cpp_namespace = "toy::shapes"', X), cpp="Point point(1);",
    ),
    Row(
        "enum that is gone", "TS120", enum(RED=0) + SHAPE, SHAPE,
        source="toy.Color.RED",
    ),
    Row(
        "member that is gone", "TS121", enum(RED=0, BLUE=1) + BALL, enum(RED=0) + BALL,
        source="toy.Color.BLUE", save="toy.Ball(1)",
    ),
    Row(
        "member with another value", "TS122", enum(RED=0, BLUE=1) + BALL,
        enum(BLUE=0, RED=1) + BALL,
        source="assert toy.Ball(0).color is toy.Color.RED",
    ),
    Row(
        "function that is gone", "TS130", scale("x: int") + SHAPE, SHAPE, cpp="toy::scale(2);",
    ),
    Row(
        "new parameter without a default", "TS131", scale("x: int"), scale("x: int, y: int"),
        cpp="toy::scale(2);",
    ),
    Row(
        "parameter of another type", "TS131", scale("x: int"), scale("x: ty.String"),
        cpp="toy::scale(2);",
    ),
    Row(
        "other result", "TS132", scale("x: int"), scale("x: int", "ty.String"),
        cpp="int64_t y = toy::scale(2); (void)y;",
    ),
    Row(
        "operator that is gone", "TS140", WEAVE + soften() + soften(name="dye"), WEAVE + soften(),
        source=CLOTH + "toy.dye(cloth)", save=CLOTH + "toy.dye(cloth)",
    ),
    Row(
        "operator with another name", "TS140", WEAVE + soften(", low: ty.double = 1.0"),
        WEAVE + soften(", low: ty.double = 1.0", name="smooth", options=', renamed_from="soften"'),
        source=CLOTH + "toy.soften(cloth)", loads=CLOTH + "toy.soften(cloth, 2.0)",
        holds="(loaded.op.name, loaded.attrs.low) == ('toy.smooth', 2.0)",
    ),
    Row(
        "operator with an attribute of another name", "TS141",
        WEAVE + soften(", low: ty.double = 1.0, high: int = 2"),
        WEAVE + soften(
            ", least: ty.double = 1.0, mode: str = 'fast'",
            options=", upgrade=\"soften(x, *, low, high) -> soften(x, least=low, mode='exact')\"",
        ),
        source=CLOTH + "toy.soften(cloth, low=2.0)", loads=CLOTH + "toy.soften(cloth, 2.0)",
        holds="(loaded.attrs.least, loaded.attrs.mode) == (2.0, 'exact')",
    ),
    Row(
        "operator without an attribute", "TS141", WEAVE + soften(", low: ty.double = 1.0"),
        WEAVE + soften(),
        source=CLOTH + "toy.soften(cloth, 2.0)", save=CLOTH + "toy.soften(cloth, 2.0)",
    ),
    Row(
        "operator with other operands", "TS141",
        WEAVE + soften(', y: RelayExprNode = operand(dtype="T")'),
        WEAVE + soften(options=', upgrade="soften(x, y) -> soften(x=y)"'),
        source=CLOTH + "toy.soften(cloth, cloth)",
        loads=CLOTH + "toy.soften(relay.Var('a', cloth.checked_type), cloth)",
        holds="[arg.name for arg in loaded.args] == ['cloth']",
    ),
    Row(
        "operator with one more operand", "TS141", WEAVE + soften(),
        WEAVE + soften(', y: RelayExprNode = operand(dtype="T")'),
        source=CLOTH + "toy.soften(cloth)",
    ),
    Row(
        "intrinsic with one more attribute", "TS141", SCALAR + round_(),
        SCALAR + round_(", digits: int = 0"), save=ONE + "toy.round(one)",
    ),
    Row(
        "intrinsic with other arguments", "TS140 TS141",
        SCALAR + round_(", digits: int = 0, mode: str = 'even'"),
        SCALAR + round_(
            ", y: PrimExprNode = operand(), mode: str = 'even', scale: ty.double = 1.0",
            name="near",
            options='upgrade="round(x, *, digits, mode) -> near(x, digits, mode, 0.5)"',
        ),
        source=ONE + "toy.round(one)",
        loads=ONE + "toy.round(one, 3, 'odd')",
        holds="[arg.value for arg in loaded.args] == [1, 3, 'odd', 0.5]",
    ),
    Row(
        "operator of another kind", "TS142", WEAVE + soften(), WEAVE + soften(kind="broadcast"),
        source="from uir.ir import Op\n"
        "assert Op.get('toy.soften').get_attr('kind') == 'elementwise'",
    ),
)  # fmt: skip
"""Changes that break something."""

KEPT = (
    Row(
        "new class", "", point(X), point(X) + SHAPE,
        source="assert toy.Point(1).x == 1", loads="toy.Point(1)",
    ),
    Row(
        "new field with a default", "TS106", point(X), point(X, number("y", default="3")),
        source="assert toy.Point(1).x == 1", loads="toy.Point(1)",
        holds="(loaded.x, loaded.y) == (1, 3)",
    ),
    Row(
        "new field with a fresh container", "TS106", point(X),
        point(X, "y: ty.Array[int] = field(default_factory=list, doc='Numbers.')"),
        source="assert toy.Point(1).x == 1", loads="toy.Point(1)", holds="list(loaded.y) == []",
    ),
    Row(
        "wider field", "TS113 TS106", point(number("x", "int32_t")), point(X),
        source="assert toy.Point(1).x == 1", loads="toy.Point(1)",
    ),
    Row(
        "optional field", "TS113 TS106", SHAPE + point("x: ShapeNode = field(doc='A shape.')"),
        SHAPE + point("x: ShapeNode | None = field(doc='A shape.')"),
        source="toy.Point(toy.Shape()).x", loads="toy.Point(toy.Shape())",
    ),
    Row(
        "optional number", "TS113 TS106", point(X, number("y", "DataType")),
        point(number("x", "Optional[ty.int64_t]"), number("y", "Any")),
        source="toy.Point(1, 'int8').x", loads="toy.Point(1, 'int8')",
        holds="(loaded.x, str(loaded.y)) == (1, 'int8')",
    ),
    Row(
        "integer that is exact as a floating-point number", "TS113 TS106",
        point(number("x", "int32_t")), point(number("x", "double")),
        source="toy.Point(1).x", loads="toy.Point(2147483647)", holds="loaded.x == 2147483647.0",
    ),
    Row(
        "fields with defaults in another order", "TS106",
        point(number("x", kw_only="True"), number("y", kw_only="True")),
        point(number("y", kw_only="True"), number("x", kw_only="True")),
        source="assert toy.Point(x=1, y=2).x == 1", loads="toy.Point(x=1, y=2)",
    ),
    Row(
        "new member", "", enum(RED=0, BLUE=1) + BALL, enum(RED=0, BLUE=1, GREEN=2) + BALL,
        source="assert toy.Ball(1).color is toy.Color.BLUE", loads="toy.Ball(1)",
    ),
    Row(
        "new attribute with a default", "", WEAVE + soften(),
        WEAVE + soften(", low: ty.double = 1.0"),
        source=CLOTH + "toy.soften(cloth)", loads=CLOTH + "toy.soften(cloth)",
        holds="loaded.attrs.low == 1.0",
    ),
    Row(
        "intrinsic with one more attribute, and a rule", "", SCALAR + round_(),
        SCALAR + round_(", digits: int = 2", options='upgrade="round(x) -> round(x, digits=0)"'),
        loads=ONE + "toy.round(one)",
        holds="(loaded.op.name, [arg.value for arg in loaded.args]) == ('toy.round', [1, 0])",
    ),
    Row(
        "new optional operand", "", WEAVE + soften(),
        WEAVE + soften(', y: RelayExprNode | None = operand(dtype="T", default=None)'),
        source=CLOTH + "toy.soften(cloth)", loads=CLOTH + "toy.soften(cloth)",
    ),
    Row(
        "new parameter with a default", "", scale("x: int"), scale("x: int, y: int = 2"),
        cpp="toy::scale(2);",
    ),
)  # fmt: skip
"""Changes that leave programs and files as they are."""
