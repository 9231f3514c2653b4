"""Enums, from classes below `ty.IntEnum` to `Enum`s.

In: a class declaration.  Out: its members with their values; errors are reported.
"""

from __future__ import annotations

from tschema.diagnostics.errors import Reporter
from tschema.ir.declarations import Assignment, ClassDecl, FieldDecl, FunctionDecl
from tschema.ir.kinds import INTEGER_RANGES
from tschema.ir.model import Enum, EnumMember


def resolve_enum(decl: ClassDecl, key: str, reporter: Reporter) -> Enum:
    """Return the enum that a class declares."""
    _refuse_others(decl, reporter)
    docs = {item.name: item.text for item in decl.doc.attributes}
    seen: dict[str | int, Assignment] = {}
    members = []
    for assignment in decl.assignments:
        value = _value(assignment, decl, reporter)
        if value is not None and _is_new(assignment, value, seen, decl, reporter):
            doc = docs.get(assignment.name, "")
            members.append(EnumMember(name=assignment.name, value=value, doc=doc))
    return Enum(name=decl.name, key=key, doc=decl.doc.text, members=tuple(members))


def _refuse_others(decl: ClassDecl, reporter: Reporter) -> None:
    if len(decl.bases) > 1:
        message = f"enum `{decl.name}` must have one plain base class"
        reporter.error("TS009", message, decl.place)
    others: tuple[FieldDecl | FunctionDecl, ...] = (*decl.fields, *decl.methods)
    for other in others:
        reporter.error(
            "TS034",
            f"enum `{decl.name}` can only have members, not `{other.name}`",
            other.place,
            help="a member is written `NAME = 1`",
        )
    if not decl.assignments and not decl.broken:
        reporter.error("TS034", f"enum `{decl.name}` has no members", decl.place)


def _value(assignment: Assignment, decl: ClassDecl, reporter: Reporter) -> int | None:
    value = assignment.value.value
    what = f"member `{assignment.name}` of enum `{decl.name}`"
    if isinstance(value, bool) or not isinstance(value, int):
        is_key = assignment.name == "type_key"
        reporter.error(
            "TS034",
            f"the value of {what} is not an integer literal",
            assignment.value.place,
            help="an enum has no type key" if is_key else "write an integer",
        )
        return None
    low, high = INTEGER_RANGES["int32"]
    if not low <= value <= high:
        reporter.error(
            "TS034",
            f"the value of {what} does not fit in 32 bits",
            assignment.value.place,
            help=f"it must be from {low} to {high}",
        )
        return None
    return value


def _is_new(
    assignment: Assignment,
    value: int,
    seen: dict[str | int, Assignment],
    decl: ClassDecl,
    reporter: Reporter,
) -> bool:
    """Return whether name and value are new, and remember them."""
    for what in (assignment.name, value):
        if what in seen:
            noun = "value" if what == value else "member"
            reporter.error(
                "TS034",
                f"enum `{decl.name}` has the {noun} `{what}` twice",
                assignment.place,
                notes=[("the first one is here", seen[what].place)],
            )
            return False
    seen[assignment.name] = seen[value] = assignment
    return True
