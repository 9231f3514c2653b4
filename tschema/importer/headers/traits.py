"""The further arguments of a field's registration: docs, defaults, flags.

In: the arguments behind name and member of a `def_ro` or `def_rw`.  Out: `FieldTraits`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from msgspec import Struct, field

from tschema.importer.headers.defaults import read_default, read_factory, string_literal
from tschema.importer.records import FoundDefault

_CALL = re.compile(r"(?:::)?(?:\w+::)*(\w+)\s*[({](.*)[)}]$", re.DOTALL)
Structural = Literal["ignore", "def", "def_pattern"]
_STRUCTURAL: dict[str, Structural] = {
    "SEqHashIgnore": "ignore",
    "SEqHashDef": "def_pattern",
    "SEqHashDefRecursive": "def_pattern",
    "SEqHashDefPattern": "def_pattern",
    "SEqHashDefNonRecursive": "def",
    "SEqHashDefSimple": "def",
}
_OMITTED = {
    "compare": "`{}` does not count in ordered comparisons",
    "hash": "`{}` does not count in hashes of values",
}


class FieldTraits(Struct):
    """The facts that a registration states about a field besides its member."""

    doc: str = ""
    default: FoundDefault | None = None
    init: bool = True
    kw_only: bool = False
    repr: bool = True
    structural: Structural | None = None
    omitted: list[str] = field(default_factory=list)


def read_traits(name: str, args: Iterable[str]) -> FieldTraits:
    """Return the traits of the field `name` from the text of arguments."""
    traits = FieldTraits()
    for text in args:
        literal = string_literal(text)
        if literal is not None:
            traits.doc = literal
        elif (call := _CALL.match(text)) is not None:
            _apply(traits, name, call[1], call[2].strip())
        else:
            traits.omitted.append(f"`{text}` of `{name}`")
    return traits


def _apply(traits: FieldTraits, name: str, trait: str, argument: str) -> None:
    is_on = argument != "false"
    if trait in ("DefaultValue", "default_value"):
        traits.default = read_default(argument)
    elif trait in ("DefaultFactory", "default_factory"):
        traits.default = read_factory(argument)
    elif trait in _STRUCTURAL:
        traits.structural = _STRUCTURAL[trait]
    elif trait == "init":
        traits.init = is_on
    elif trait == "kw_only":
        traits.kw_only = is_on
    elif trait == "repr":
        traits.repr = is_on
    elif trait in _OMITTED:
        traits.omitted += [] if is_on else [_OMITTED[trait].format(name)]
    else:
        traits.omitted.append(f"{trait} of `{name}`")
