"""The class options and their values.

In: the assignments of a class.  Out: its options, by name. `hierarchy.py` fills in inherited and
implied ones.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from sys import intern
from typing import Annotated, Literal

from msgspec import Meta

from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.helps import suggest
from tschema.ir.declarations import Assignment, ClassDecl, Scalar, Value

_CPP_NAMESPACE = r"^[A-Za-z_][A-Za-z0-9_]*(::[A-Za-z_][A-Za-z0-9_]*)*\Z"
UNKNOWN_HEADER = ""
"""That of a class by hand or of another library, in the JSON IR."""
_HEADER = r"^[A-Za-z0-9_.+-]+(/[A-Za-z0-9_.+-]+)*\Z"
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_DOTTED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", re.ASCII)
_CLASS = r"^[A-Za-z_][A-Za-z0-9_]*\Z"
_CPP_CLASS = r"^(::)?[A-Za-z_][A-Za-z0-9_]*(::[A-Za-z_][A-Za-z0-9_]*)*(<[^;{}]*>)?\Z"
_FLAGS = (
    "abstract",
    "cow",
    "default_constructible",
    "default_sequal_reduce",
    "default_shash_reduce",
    "default_visit_attrs",
    "dispatch",
    "final",
    "mutable",
    "polymorphic",
    "post_init",
)

NAME_OPTIONS: Mapping[str, tuple[re.Pattern[str], str]] = {
    "renamed_from": (_DOTTED, "a class name or a type key that it had, or a list of these"),
    "removed_fields": (_NAME, "the names of fields that it had, as a list of texts"),
}
"""Options whose values are names, not literals of the JSON IR; `former_names.py` reads them."""

CLASS_OPTIONS: Mapping[str, tuple[object, str]] = {
    **dict.fromkeys(_FLAGS, (bool, "True or False")),
    **{name: (str, expected) for name, (_, expected) in NAME_OPTIONS.items()},
    "type_key": (str, "a text"),
    "structural": (
        Literal["tree", "dag", "var", "const_tree", "unique", None],
        '"tree", "dag", "var", "const_tree", "unique" or None',
    ),
    "cpp_namespace": (
        Annotated[str, Meta(pattern=_CPP_NAMESPACE)],
        "a namespace of C++, such as `acme::ir`",
    ),
    "cpp_base": (
        Annotated[str, Meta(pattern=_CPP_CLASS)],
        "a class of C++, such as `acme::NodeBase`",
    ),
    "ref_name": (Annotated[str, Meta(pattern=_CLASS)], "the name of a class"),
    "script": (str, 'a form in script, such as `"toy.clamp({value})"`'),
    "reserve": (Annotated[int, Meta(ge=0, lt=2**16)], "a count below 65536"),
    "ref": (
        Literal["default", "nullable", "hand", None],
        '"default", "nullable", "hand" or None',
    ),
    "register": (bool | Literal["hand"], 'True, False or "hand"'),
    "ref_init": (Literal["fields", "hand", None], '"fields", "hand" or None'),
    "extern": (
        Literal[True] | Annotated[str, Meta(pattern=_HEADER)],
        "the path of a header, as it is included, or True where it is not known",
    ),
    "size": (Annotated[int, Meta(ge=24, lt=2**24, multiple_of=8)], "bytes, a multiple of 8"),
}
"""For each option, the type of its literals, and how to say so."""
NOT_OF_THE_MODEL = frozenset({"type_key", "size"})
"""Options that a type of the JSON IR keeps outside its `options`."""


def class_options(decl: ClassDecl, reporter: Reporter) -> dict[str, Scalar]:
    """Return the options that a class gives, and report those that are wrong."""
    options: dict[str, Scalar] = {}
    names: set[str] = set()
    for assignment in decl.assignments:
        if assignment.name not in CLASS_OPTIONS:
            _report_unknown(assignment, decl, reporter)
        elif assignment.name in options or assignment.name in names:
            message = f"option `{assignment.name}` of `{decl.name}` is given twice"
            reporter.error("TS030", message, assignment.place)
        elif assignment.name in NAME_OPTIONS:
            names.add(assignment.name)
            _check_names(assignment, reporter)
        elif _is_valid(assignment, reporter):
            value = assignment.value.value
            if assignment.name == "extern" and value is True:
                value = UNKNOWN_HEADER
            # The encoder of the JSON IR leaves defaults out by identity.
            options[assignment.name] = intern(value) if isinstance(value, str) else value
    _check_together(decl, options, reporter)
    return options


def _report_unknown(assignment: Assignment, decl: ClassDecl, reporter: Reporter) -> None:
    reporter.error(
        "TS029",
        f"unknown option `{assignment.name}` of `{decl.name}`",
        assignment.place,
        help=suggest(assignment.name, CLASS_OPTIONS)
        or f"a field is written `{assignment.name}: type`",
    )


def _check_names(assignment: Assignment, reporter: Reporter) -> None:
    pattern, expected = NAME_OPTIONS[assignment.name]
    names = assignment.value.texts()
    wrong = next((name for name in names if not pattern.fullmatch(name)), None)
    if names and wrong is None:
        return
    shown = assignment.value if wrong is None else repr(wrong)
    message = f"option `{assignment.name}` cannot be {shown}"
    reporter.error("TS030", message, assignment.value.place, help=f"expected {expected}")


def _is_valid(assignment: Assignment, reporter: Reporter) -> bool:
    type_, expected = CLASS_OPTIONS[assignment.name]
    value: Value = assignment.value
    if value.is_literal_of(type_):
        return True
    reporter.error(
        "TS030",
        f"option `{assignment.name}` cannot be {value}",
        value.place,
        help=f"expected {expected}",
    )
    return False


def _check_together(decl: ClassDecl, options: Mapping[str, Scalar], reporter: Reporter) -> None:
    """Report options that contradict each other."""
    places = {assignment.name: assignment.place for assignment in decl.assignments}
    for other, what, at, noted, note in (
        ("abstract", "is both abstract and final", "final", "abstract", "it is abstract here"),
        ("reserve", "reserves child slots and is final", "reserve", "final", "it is final here"),
    ):
        if options.get("final") and options.get(other):
            reporter.error(
                "TS030",
                f"`{decl.name}` {what}",
                places[at],
                notes=[(note, places[noted])],
                help="remove one of the two",
            )
