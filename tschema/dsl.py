"""The schema language, for editors and type checkers.

tschema parses schema files and never executes them; importing this module has no effect. `ty` has
the field types; `declare`, `dialect`, `function`, `method` and `operator` mark declarations;
`field` and `operand` set options.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar, overload

from tschema import ty
from tschema.ty import Object

__all__ = [
    "Object",
    "declare",
    "dialect",
    "field",
    "function",
    "method",
    "operand",
    "operator",
    "static",
    "ty",
]

_Class = TypeVar("_Class", bound=type)
_Callable = TypeVar("_Callable", bound=Callable[..., Any])

Kind = Literal[
    "elementwise",
    "broadcast",
    "injective",
    "view",
    "reduction",
    "row",
    "contraction",
    "window",
    "opaque",
]
"""How elements of a result depend on elements of the operands."""

Effect = Literal["annotation", "pure", "read_state", "update_state"]
"""The effect of a call besides its value."""


def declare(cls: _Class) -> _Class:
    """Mark a class as a node (or, below `ty.IntEnum`, as an enum) of the schema."""
    return cls


@overload
def method(function: _Callable) -> _Callable: ...
@overload
def method(*, cpp: str | None = None) -> Callable[[_Callable], _Callable]: ...
def method(
    function: _Callable | None = None, *, cpp: str | None = None
) -> _Callable | Callable[[_Callable], _Callable]:
    """Declare a method, which is implemented in C++ and callable from every language.

    Parameters
    ----------
    function
        The declaration.
    cpp
        The registered C++ callable, if it is not a member of the method's name: a member of another
        name (`"&FooNode::Size"`), one overload, or a lambda. You write it by hand.
    """
    return _same if function is None else function


def static(function: _Callable) -> _Callable:
    """Mark a method that is called without an object; it also needs `@method`."""
    return function


def dialect(cls: _Class) -> _Class:
    """Mark the class with the common properties of the operators of a namespace.

    Its assignments are options: `operand` (the class of operands), `make` (the global function that
    makes a call), `number` (the global function that makes a constant of a plain number),
    `attributes` (the parent of the nodes that hold attributes; without it attributes are trailing
    arguments), `span` (the class of source locations), `prefix` (of the operators' names),
    `shapes` (whether operators have a relation) and `tests` (a pattern of the files that test each
    operator, which the table of operators names). Its fields are its own traits.
    """
    return cls


@overload
def function(function: _Callable) -> _Callable: ...
@overload
def function(
    *, api: bool = False, makes_pass: bool = False
) -> Callable[[_Callable], _Callable]: ...
def function(
    function: _Callable | None = None, *, api: bool = False, makes_pass: bool = False
) -> _Callable | Callable[[_Callable], _Callable]:
    """Declare a free function with a global name, which is implemented in C++.

    Parameters
    ----------
    function
        The declaration.
    api
        Whether the documented Python function is emitted too, if a hand-written one would only
        forward.
    makes_pass
        Whether the function makes the pass of its name, which the registry of passes lists; then
        `api` is True.
    """
    return _same if function is None else function


def operator(
    *,
    name: str | None = None,
    api: bool = True,
    custom: bool = False,
    builds: type | None = None,
    kind: Kind | None = None,
    effect: Effect = "pure",
    relation: str | None = None,
    require: str | None = None,
    result: str | None = None,
    scalar: str | None = None,
    compute: str | None = None,
    decompose: str | None = None,
    onnx: str | None = None,
    torch: str | None = None,
    since: str | None = None,
    renamed_from: str | Sequence[str] | None = None,
    upgrade: str | Sequence[str] | None = None,
    **traits: Any,
) -> Callable[[_Callable], _Callable]:
    """Declare an operator, which programs call by name.

    Parameters
    ----------
    name
        The name in the registry, without the dialect's prefix; that of the function by default.
    api
        Whether the documented Python function is emitted; if not, you write it by hand.
    custom
        Whether you write the body of the C++ function by hand, such as one that folds constants.
    builds
        The node that the function makes; such an operator has no row in the registry.
    kind, effect
        How the result depends on the operands, and the effect of a call.
    relation
        The shapes: `"same"`, `"broadcast"`, `"reduce"`, `"custom"`, or a pattern such as
        `"(*b, m, k), (*b, k, n) -> (*b, m, n)"`.
    require
        A condition on dimensions and attributes: `"o % groups == 0"`.
    result
        The data type of the result: a type variable, a data type, or the name of an attribute.
    scalar
        The value of an element, for an elementwise operator: `"max(x, 0)"`.
    compute
        The value of an element with its indices: `"y[*b, m, n] += a[*b, m, k] * b[*b, k, n]"`.
    decompose
        The result by other operators of the dialect, after steps: `"p = exp(x); p / sum(p)"`.
    onnx, torch
        The operators that importers map to it: `"Softmax@13"`, `"aten.softmax.int"`.
    since
        The first version with it.
    renamed_from
        The former name of the operator, or a list of them: files with calls of such a name still
        load.
    upgrade
        A rule from the former form of a stored call to the current one, or a list of rules:
        `"soft(x, *, beta) -> soften(x, low=beta, high=1.0)"`. Attributes follow the star.
    traits
        The traits that the dialect declares.
    """
    return _same


def operand(*, dtype: str = "any", default: None = ...) -> Any:
    """Mark a parameter of an operator as an operand.

    Parameters
    ----------
    dtype
        A type variable, a class of data types (`float`, `int`, `number`, `bool`, `any`) or both:
        `"T: float"`, `"T"`, `"int"`.
    default
        None for an operand that may be absent.
    """


def _same(function: _Callable) -> _Callable:
    return function


def field(
    *,
    default: Any = ...,
    default_factory: Callable[[], Any] | None = None,
    kw_only: bool = False,
    init: bool = True,
    structural: Literal["ignore", "def", "def_pattern"] | None = None,
    repr: bool = True,
    renamed_from: str | Sequence[str] = ...,
    stored_default: Any = ...,
    doc: str | None = None,
    cpp_init: str | None = None,
    register: bool = True,
    key: str | None = None,
    access: Literal["public", "protected", "private"] = "public",
    cpp_name: str | None = None,
    cpp_type: str | None = None,
    mutable: bool = False,
) -> Any:
    """Describe a field.

    Parameters
    ----------
    default
        The default of the argument: a literal, an enum's member, or None.
    default_factory
        `list` or `dict`: a fresh empty container for each object.
    kw_only
        Whether Python takes the argument by name only.
    init
        Whether the constructor takes the field; if not, it has a default or `PostInit` sets it.
    structural
        The role in structural equality and hashing: `"ignore"` skips the field, `"def"` binds the
        variable in it, `"def_pattern"` binds it and the variables that it refers to.
        Fields are compared in order, inherited ones first. If an inherited field uses a variable
        that this one binds, turn off `default_sequal_reduce` and `default_shash_reduce`, and
        compare this one first.
    repr
        Whether the field is printed.
    renamed_from
        The former name of the field, or a list of them, the last one first: files with such a name
        still load.
    stored_default
        The value in objects of files without the field, if it differs from the default: a literal.
    doc
        The field's documentation, if it is not in the class's `Attributes` section.
    cpp_init
        The text of the member's initializer in C++, if the class is `default_constructible` or the
        constructor does not take the field.
    register
        Whether reflection lists the field. If not, only C++ has it: the constructor leaves it
        value-initialized, or gives it the default, and comparison, printing and files omit it.
    access
        The access of the member in C++; other languages can always read a registered field.
    key
        The name under which a hand-written class registers the field, if Python reserves it:
        `from_` with `key="from"`, `self_` with `key="self"`, `dict_` with `key="__dict__"`.
    cpp_name
        The member in C++, if its name differs from that of the field: `"name_"`.
    cpp_type
        An alias of the field's type that C++ spells instead: `"Index"`.
    mutable
        Whether C++ writes the member in constant objects too.
    """
