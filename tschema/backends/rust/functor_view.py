"""The views of the functor templates: ready-made strings, one view for each kind of item."""

from __future__ import annotations

from msgspec import Struct

__all__ = [
    "BoundView",
    "CaseView",
    "ChangedView",
    "FunctorsView",
    "KindView",
    "MethodView",
    "RebuildView",
    "WalkView",
]


class CaseView(Struct, frozen=True):
    """A type that functors dispatch on."""

    name: str
    """The variant of the enum of cases."""
    type: str
    stem: str
    """What methods and functions are named after."""
    serve_doc: str
    default: str
    """The method of functors that serves the type unless its own one is overridden."""
    visit: str
    """The call of a visitor's method, given a `node` below the root."""
    mutate: str


class MethodView(Struct, frozen=True):
    """The methods of visitors and mutators for a type."""

    what: str
    """Names the type in docs, with its article."""
    type: str
    stem: str
    visit: str
    """What the visitor's method does."""
    mutate: str
    result: str
    """What the mutator's method returns."""


class WalkView(Struct, frozen=True):
    """A function that visits the fields of a type."""

    doc: str
    type: str
    stem: str
    visitor: str
    """The parameter, with an underscore if it is not used."""
    node: str
    lines: tuple[str, ...]


class RebuildView(Struct, frozen=True):
    """A function that mutates the fields of a type."""

    doc: str
    type: str
    stem: str
    mutator: str
    """The parameter, with an underscore if it is not used."""
    result: str
    lines: tuple[str, ...]


class KindView(Struct, frozen=True):
    """A type by which visited objects are told apart."""

    condition: str
    """Binds `node` to the object if it is of the type."""
    visit: str


class BoundView(Struct, frozen=True):
    """A part that is a variable."""

    type: str
    stem: str
    mutate_copy: str


class ChangedView(Struct, frozen=True):
    """A type by which mutated objects are told apart."""

    type: str
    arms: tuple[str, ...]
    """What becomes of an object of the type."""


class FunctorsView(Struct, frozen=True):
    """A module with the functors of one root."""

    sources: str
    key: str
    root: str
    """The root's reference."""
    name: str
    """What the traits are named after."""
    stem: str
    uses: tuple[str, ...]
    case_enum: str
    visitor_base: str
    """A supertrait and the colon before it, or nothing."""
    mutator_base: str
    keeper: str
    """The trait of mutators that says where replacements are kept, if there is any."""
    keeps: bool
    """Whether it is this family's."""
    variables: str
    """The parts that are variables, as text."""
    role: str
    """The parameter for the role of a visited object, with an underscore if it is not used."""
    cases: tuple[CaseView, ...]
    methods: tuple[MethodView, ...]
    """Of cases, then parts."""
    walks: tuple[WalkView, ...]
    rebuilds: tuple[RebuildView, ...]
    kinds: tuple[KindView, ...]
    """Roots, then parts, the included families' too; the narrower type first."""
    changed: tuple[ChangedView, ...]
    """The same, then variables that the family uses but does not bind."""
    bound: tuple[BoundView, ...]
