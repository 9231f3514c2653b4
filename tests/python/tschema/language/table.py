"""The example of each word: which values its option takes, and in which declaration it stands.

To add a word: a docstring beside it in `tschema/ty.py` or `tschema/dsl.py`, and a line here where
no default example fits.
"""

from __future__ import annotations

from tschema.lsp import words

from .examples import Example, node

_TYPE_ARGUMENTS = {
    "Optional": "[ty.String]",
    "Array": "[ty.int64_t]",
    "List": "[ty.int64_t]",
    "Map": "[ty.String, ty.int64_t]",
    "Dict": "[ty.String, ty.int64_t]",
    "Tuple": "[ty.int64_t, ty.String]",
    "Union": "[ty.int64_t, ty.String]",
    "foreign": '("std::vector<int>")',
}
_FLAGS_THAT_ARE_ON = frozenset(
    {"default_sequal_reduce", "default_shash_reduce", "default_visit_attrs", "register"}
)
_CLASS_VALUES: dict[str, tuple[str, ...]] = {
    "structural": ('"tree"', '"dag"', '"var"', '"const_tree"', '"unique"', "None"),
    "renamed_from": ('"SpotNode"',),
    "removed_fields": ('["z"]',),
    "reserve": ("8",),
    "cpp_namespace": ('"acme::ir"',),
    "ref": ('"nullable"', '"hand"', "None"),
    "ref_init": ('"hand"', "None"),
    "extern": ('"acme/point.h"',),
    "size": ("40",),
    "ref_name": ('"Spot"',),
    "script": ('"toy.point({x})"',),
    "cpp_base": ('"acme::NodeBase"',),
    "final": ("True",),
    "register": ("False", '"hand"'),
}
_CLASS_BESIDE = {"size": '    extern = "acme/point.h"\n', "extern": "    size = 40\n"}
_CLASS_CHILD = frozenset({"dispatch", "abstract"})
_POINT = "x: ty.int64_t"
_FIELD_VALUES = {
    "default": "0",
    "default_factory": "list",
    "structural": '"ignore"',
    "access": '"private"',
    "cpp_name": '"x_"',
    "cpp_type": '"int64_t"',
    "cpp_init": '"7"',
    "renamed_from": '"left"',
    "stored_default": "1",
    "doc": '"Its place."',
    "kw_only": "True",
    "mutable": "True",
    "init": "False",
    "repr": "False",
    "register": "False",
}
_EXPR = node("value: ty.int64_t", "Expr")
_DIALECT = (
    _EXPR
    + '''@function
def make(
    op: Object, operands: ty.Array[ty.Any], attributes: ty.Array[ty.Any]
) -> ExprNode:
    """Make a call."""
    ...


@dialect
class Toy:
    """Operators."""

    operand = ExprNode
    make = "toy.NAMESPACE.make"
'''
)
_COLOUR = '''\
@declare
class Colour(ty.IntEnum):
    """A colour."""

    red = 0
    blue = 1
'''
_TWICE = '''\
@operator(kind="elementwise", relation="same")
def twice(x: ExprNode = operand(dtype="T: number")) -> ExprNode:
    """Twice."""
    ...


'''
_NUMBER = '''\
@function
def number(value: ty.Any) -> ExprNode:
    """Make a constant."""
    ...


'''
_SCALE = '''\
@operator(kind="elementwise"{})
def scale(x: ExprNode = operand(), by: ty.int64_t = 2) -> ExprNode:
    """Scale."""
    ...
'''
_SHAPES = "    shapes = True\n"


def examples() -> dict[str, Example]:
    """Return the example of each word, by section and word."""
    found: dict[str, Example] = {}
    for name in words.types():
        found[f"type {name}"] = _type(name)
    for name in words.class_options():
        for value in _class_values(name):
            found[f"class {name} {value}"] = _class(name, value)
    for name in words.field_options():
        found[f"field {name}"] = _field(name)
    found["method cpp"] = _method('@method(cpp="&PointNode::Norm")')
    found["method static"] = _method("@static\n@method", "self, ")
    for name in words.function_options():
        found[f"function {name}"] = _function(name)
    for name in words.operator_options():
        found[f"operator {name}"] = _operator(name)
    for name in words.operand_options():
        found[f"operand {name}"] = _operand(name)
    for name in words.dialect_options():
        found[f"dialect {name}"] = _dialect(name)
    return found


def _type(name: str) -> Example:
    if name == "IntEnum":
        return Example(_COLOUR, node("text: ty.String", "Label"))
    plain = node("other: ty.String", "Box")
    spelled = f"ty.{name}{_TYPE_ARGUMENTS.get(name, '')}"
    return Example(node(f"other: ty.String\nvalue: {spelled}", "Box"), plain)


def _class_values(name: str) -> tuple[str, ...]:
    if name == "type_key":
        return ('"toy.NAMESPACE.Point"',)
    default = "False" if name in _FLAGS_THAT_ARE_ON else "True"
    return _CLASS_VALUES.get(name, (default,))


def _class(name: str, value: str) -> Example:
    child = node("y: ty.int64_t", "Spot", "PointNode") if name in _CLASS_CHILD else ""
    beside = _CLASS_BESIDE.get(name, "")
    if name == "type_key":
        return Example(node(_POINT), node("text: ty.String", "Label"))
    if name == "structural" and value == '"tree"':
        # A tree is what a class is at first; below a variable it has to be said.
        base = node("name: ty.String", "Base", head='    structural = "var"\n')
        shown = node(_POINT, "Point", "BaseNode", head=f"    {name} = {value}\n")
        return Example(shown, node(_POINT, "Point", "BaseNode"), base)
    shown = node(_POINT, head=f"{beside}    {name} = {value}\n")
    if name in _CLASS_BESIDE:
        return Example(shown, node(_POINT))
    return Example(shown + child, node(_POINT, head=beside) + child)


def _field(name: str) -> Example:
    if name == "key":
        by_hand = '    register = "hand"\n'
        shown = node('from_: ty.int64_t = field(key="from")', head=by_hand)
        return Example(shown, node("from_: ty.int64_t", head=by_hand))
    value = _FIELD_VALUES[name]
    annotation = "ty.Array[ty.int64_t]" if name == "default_factory" else "ty.int64_t"
    head = "    post_init = True\n" if name == "init" else ""
    beside = "register=False, " if name == "cpp_init" else ""
    shown = node(f"x: {annotation} = field({beside}{name}={value})", head=head)
    plain = f" = field({beside.rstrip(', ')})" if beside else ""
    return Example(shown, node(f"x: {annotation}{plain}", head=head))


def _method(decorator: str, _receiver: str = "") -> Example:
    def body(marks: str, receiver: str) -> str:
        return (
            f"{_POINT}\n\n{marks}\ndef norm({receiver}) -> float:\n"
            '    """Return the length."""\n    ...'
        )

    receiver = "" if "static" in decorator else "self"
    return Example(node(body(decorator, receiver)), node(body("@method", "self")))


def _function(name: str) -> Example:
    before, returns = _EXPR, "ExprNode"
    if name == "makes_pass":
        before, returns = "", "PassNode"
    text = f'def Fold(level: ty.int64_t = 2) -> {returns}:\n    """Fold constants."""\n    ...\n'
    return Example(f"@function({name}=True)\n{text}", f"@function\n{text}", before)


def _operator(name: str) -> Example:
    def text(options: str, params: str = 'x: ExprNode = operand(dtype="T: number")') -> str:
        return (
            f'@operator({options})\ndef scale({params}) -> ExprNode:\n    """Scale."""\n    ...\n'
        )

    plain, before = 'kind="elementwise", relation="same"', _DIALECT + _SHAPES + "\n\n"
    axis = ", axis: ty.int64_t = 0"
    two = 'x: ExprNode = operand(dtype="T: number"), y: ExprNode = operand(dtype="T")'
    shown: dict[str, tuple[str, str]] = {
        "name": ('name="scaled"', ""),
        "api": ("api=False", ""),
        "custom": ("custom=True", ""),
        "effect": ('effect="read_state"', ""),
        "result": ('result="int32"', ""),
        "scalar": ('scalar="max(x, 0)"', ""),
        "onnx": ('onnx="Scale@13"', ""),
        "torch": ('torch="aten.scale.default"', ""),
        "since": ('since="1.2"', ""),
        "renamed_from": ('renamed_from="scaling"', ""),
        "upgrade": ('upgrade="scale(x, *, by) -> scale(x)"', ""),
        "require": ('require="axis >= 0"', axis),
    }
    if name in shown:
        option, more = shown[name]
        params = f'x: ExprNode = operand(dtype="T: number"){more}'
        return Example(text(f"{plain}, {option}", params), text(plain, params), before)
    if name == "builds":
        params = "value: ty.int64_t"
        return Example(text("builds=ExprNode", params), text('relation="same"', params), before)
    if name == "kind":
        return Example(text(plain), text('relation="same"'), before)
    if name == "relation":
        one = text('relation="(n, m), (m, k) -> (n, k)"', two)
        return Example(one, text('relation="broadcast"', two), before)
    if name == "compute":
        one = text('kind="contraction", compute="z[n, k] += x[n, m] * y[m, k]"', two)
        return Example(
            one, text('kind="contraction", relation="(n, m), (m, k) -> (n, k)"', two), before
        )
    if name == "decompose":
        return Example(text(f'{plain}, decompose="twice(twice(x))"'), text(plain), before + _TWICE)
    raise KeyError(f"write an example of `{name}` of `@operator`")


def _operand(name: str) -> Example:
    def text(options: str) -> str:
        type_ = "ty.Optional[ExprNode]" if "default" in options else "ExprNode"
        params = f"y: ExprNode = operand(), x: {type_} = operand({options})"
        head = f'@operator(kind="opaque")\ndef scale({params}) -> ExprNode:\n'
        return f'{head}    """Scale."""\n    ...\n'

    value = {"dtype": '"T: float"', "default": "None"}[name]
    return Example(text(f"{name}={value}"), text(""), _DIALECT + "\n\n")


def _dialect(name: str) -> Example:
    """Return a dialect with an option; the operator that follows shows what it makes."""
    attributes = node("", "Attrs").replace("\n    \n", "\n") if name == "attributes" else ""
    values = {
        "number": '"toy.NAMESPACE.number"',
        "attributes": "BaseAttrsNode",
        "span": "SpanNode",
        "prefix": '"acme"',
        "shapes": "True",
        "tests": '"tests/test_*.py"',
    }
    if name in ("operand", "make"):
        return Example(
            _DIALECT.partition("@dialect")[1]
            + _DIALECT.partition("@dialect")[2]
            + "\n\n"
            + _SCALE.format(""),
            "",
            _DIALECT.partition("@dialect")[0],
        )
    if name == "a field":
        before, _, dialect = _DIALECT.partition("@dialect")
        trait = '    is_linear: ty.bool = field(default=False, doc="Whether it is linear.")\n'
        shown = f"@dialect{dialect}{trait}\n\n{_SCALE.format(', is_linear=True')}"
        return Example(shown, f"@dialect{dialect}\n\n{_SCALE.format('')}", before)
    relation = ', relation="same"' if name == "shapes" else ""
    before, _, dialect = _DIALECT.partition("@dialect")
    before += _NUMBER if name == "number" else ""
    if name == "attributes":
        before += attributes.replace("Attrs", "BaseAttrs")
    shown = f"@dialect{dialect}    {name} = {values[name]}\n\n\n{_SCALE.format(relation)}"
    return Example(shown, f"@dialect{dialect}\n\n{_SCALE.format('')}", before)
