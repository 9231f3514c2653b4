"""The rules: the kinds of changes that break something, and the users that each affects.

`docs/reference/diagnostics.md` explains the codes, as all others.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from tschema.project.config import Level


class Rule(Struct, frozen=True):
    """A kind of change."""

    breaks: Mapping[Level, str]
    """For each level that it breaks: what, and whose."""
    help: str
    """How to make the change without breaking anything, or with the least harm."""


class Change(Struct, frozen=True):
    """A change that breaks something."""

    code: str
    message: str
    key: str
    """Key of the declaration: in the new schema, or in the old one if it is gone."""
    member: str | None = None
    """Name of the field, parameter or member that changed, where the new schema has it."""
    spared: frozenset[Level] = frozenset()
    """Levels of the rule that this change does not break."""

    def levels(self) -> tuple[Level, ...]:
        """Return the levels that the change breaks."""
        return tuple(level for level in RULES[self.code].breaks if level not in self.spared)


_USES = "code that names it, in all languages"
_LINKED = "libraries compiled against it, which are refused when they are loaded"
_STORED = "files that hold such an object"
_CALLS = "calls of the constructor, in all languages"

RULES: Mapping[str, Rule] = {
    # Classes.
    "TS100": Rule(
        {"source": _USES, "binary": _LINKED, "data": _STORED},
        "keep the class for a release, and say in its docs what replaces it",
    ),
    "TS101": Rule(
        {"source": _USES, "binary": _LINKED, "data": _STORED},
        "keep the name; or rename with a new major version and `renamed_from`, so that files load",
    ),
    "TS102": Rule(
        {"source": "code that passes it as its old parent, and visitors", "binary": _LINKED},
        "add a class with the new parent beside it",
    ),
    "TS103": Rule(
        {"source": "C++ and Rust code that includes the file, or names its module"},
        "import the class from the old file where it was declared",
    ),
    "TS104": Rule(
        {
            "source": "code that constructs it, derives from it, writes it or dispatches on it",
            "binary": _LINKED,
        },
        "add a class with the new options beside it",
    ),
    "TS105": Rule(
        {"source": "programs whose results depend on equality and hashes", "binary": _LINKED},
        "add a class, or a field, with the new meaning beside it",
    ),
    "TS106": Rule(
        {"binary": _LINKED},
        "publish it with a version that says so: its users compile again",
    ),
    # Fields.
    "TS110": Rule(
        {
            "source": "code that reads it or passes it to the constructor",
            "data": "files that hold such an object: the loaders reject unknown fields",
        },
        "keep the field with a default, or name it in `removed_fields`, so that files load",
    ),
    "TS111": Rule(
        {"source": _CALLS, "data": "files that were saved without it"},
        "give it a default, or a `stored_default` for files alone",
    ),
    "TS112": Rule(
        {"source": "code that reads or writes it", "data": "files with values of the old type"},
        "add a field of the new type with a default",
    ),
    "TS113": Rule(
        {"source": "C++ and Rust code that reads it as the narrower type"},
        "publish it with a version that says so; files still load",
    ),
    "TS114": Rule(
        {"source": _CALLS},
        "add fields last, or with `field(kw_only=True)`, and leave the others where they are",
    ),
    "TS115": Rule(
        {"source": "calls of the constructor that leave it out", "data": "files saved without it"},
        "keep the default",
    ),
    "TS116": Rule(
        {"source": "calls that leave it out, which mean something else now"},
        "keep the default, and let those who want another value pass it",
    ),
    "TS117": Rule(
        {"source": "C++ code that uses the member, and Rust code that reads a `mutable` one"},
        "keep the member as it is, and add a method beside it",
    ),
    "TS118": Rule(
        {"source": "code that reads it, or passes it to the constructor by name"},
        "publish it with a version that says so; files still load",
    ),
    # Enums.
    "TS120": Rule({"source": _USES}, "keep the enum for a release"),
    "TS121": Rule(
        {"source": _USES, "data": "files that hold the value"},
        "keep the member, and say in its docs what replaces it",
    ),
    "TS122": Rule(
        {
            "source": "Python code that passes numbers",
            "binary": "libraries that were compiled with the old number",
            "data": "files that hold the old number, which means another member now",
        },
        "give new members new numbers, and leave the others as they are",
    ),
    # Methods and functions.
    "TS130": Rule(
        {"source": "calls, in all languages", "binary": "libraries that look it up by its name"},
        "keep it for a release, and say in its docs what replaces it",
    ),
    "TS131": Rule(
        {"source": "calls, in all languages", "binary": "libraries that call it by its name"},
        "add parameters last, with defaults, or add a function beside it",
    ),
    "TS132": Rule(
        {"source": "code that uses the result"},
        "add a function beside it that returns the new type",
    ),
    # Operators.
    "TS140": Rule(
        {"source": "calls, in all languages", "data": "files with programs that call it"},
        "keep the operator for a release; or rename it with `renamed_from`, so that files load",
    ),
    "TS141": Rule(
        {"source": "calls, in all languages", "data": "files with programs that call it"},
        "add optional operands last, and attributes with defaults; or state an `upgrade` for files",
    ),
    "TS142": Rule(
        {"source": "programs that call it, whose meaning or types change"},
        "add an operator with the new rule beside it",
    ),
    "TS143": Rule(
        {"source": "code that makes calls of the dialect", "data": "files that hold its calls"},
        "add a namespace with a dialect of its own",
    ),
}  # fmt: skip
"""The effect of each code on users."""
