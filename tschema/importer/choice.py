"""Which of the classes that were found a schema can say, and why it cannot say the others.

In: `Found`, and the keys that are wanted.  Out: `Chosen`.  A class that others need, and that
cannot be declared or is not wanted, is declared as one of another library, if its size is known.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec import field as struct_field
from msgspec.structs import replace

from tschema.importer.expressible import (
    can_be_extern,
    described,
    inexpressible,
    is_in_language,
    is_method_name,
    node_keys,
    not_emitted,
    type_refs,
)
from tschema.importer.layouts import HEADER_SIZE, place
from tschema.importer.opaque import opaque as opaque_class
from tschema.importer.ordering import Cycle, in_order
from tschema.importer.records import Found, FoundClass, FoundEnum
from tschema.ir.model import ROOT_KEY, TypeRef


class Chosen(Struct, frozen=True):
    """The part of the found classes that a schema declares."""

    classes: tuple[FoundClass, ...]
    """Each one after its parent and the classes that its fields name."""
    extern: frozenset[str]
    """The keys of those of other libraries, and of those that stay by hand."""
    opaque: frozenset[str]
    """The keys of those of which no layout can be said."""
    described: Mapping[str, tuple[str, ...]]
    """By key, why the language refuses to emit a class that it can describe: an extern one that has
    its fields."""
    enums: tuple[FoundEnum, ...]
    """Those that a class names."""
    unsaid: Mapping[str, tuple[str, ...]]
    """By key, why a class that is wanted is not declared."""
    reasons: Mapping[str, tuple[str, ...]]
    """By key, why a class cannot be declared, those included that are declared already."""

    def declared(self) -> Iterator[FoundClass]:
        """Yield the classes that are not those of other libraries."""
        return (one for one in self.classes if one.key not in self.extern)


def choose(
    found: Found,
    is_wanted: Callable[[str], bool],
    known: Iterable[str] = (),
    refused: Refused | None = None,
    *,
    package: str = "",
    is_in_place: bool = False,
) -> Chosen:
    """
    Choose what to declare.

    Parameters
    ----------
    found
        Classes, each with a key.
    is_wanted
        Tells of a key whether its class is to be declared.
    known
        The keys of earlier declarations, which stay declared.
    refused
        The refusals of the language so far.
    package
        The name of the project, whose classes have no folder of that name.
    is_in_place
        Whether the code of the classes goes on to register them.
    """
    refused = refused or Refused()
    by_hand = {
        one.key: [
            *refused.declared.get(one.key, ()),
            *not_emitted(one, package, is_in_place=is_in_place),
        ]
        for one in found.classes
        if one.key
    }
    return _Chooser(found, is_wanted, frozenset(known), refused, by_hand).choose()


class Refused(Struct):
    """The classes and parts of classes that the schema language has refused."""

    declared: dict[str, tuple[str, ...]] = struct_field(default_factory=dict)
    """By key, why a class cannot be emitted."""
    described: set[str] = struct_field(default_factory=set)
    """Keys of classes whose fields cannot be listed."""
    extern: set[str] = struct_field(default_factory=set)
    """Keys of classes that cannot be named at all."""
    accessors: set[tuple[str, str]] = struct_field(default_factory=set)
    """Keys of opaque classes, and their fields that cannot be listed."""

    def note(self, reasons: Mapping[str, str]) -> None:
        """Remember why classes cannot be emitted, or renewed where they are declared."""
        for key, reason in reasons.items():
            before = self.declared.get(key, ())
            self.declared[key] = tuple(dict.fromkeys((*before, reason)))


class _Chooser:
    """The state of a choice: reasons by key, which only grow."""

    def __init__(
        self,
        found: Found,
        is_wanted: Callable[[str], bool],
        known: frozenset[str],
        refused: Refused,
        by_hand: dict[str, list[str]],
    ) -> None:
        self._known = known
        self._is_wanted = is_wanted
        self._refused = refused
        self._classes = {one.key: one for one in found.classes if one.key}
        self._enums = {one.key: one for one in found.enums if not one.unsaid}
        self._wanted = {key for key in self._classes if key in self._known or is_wanted(key)}
        self._reasons: dict[str, list[str]] = {key: [] for key in self._classes}
        """Why a class can be neither declared nor described."""
        self._by_hand = by_hand
        """Why a class cannot be declared, though it may be described."""

    def choose(self) -> Chosen:
        """Return the declared classes, and why the others are not declared."""
        self._place_all()
        for key in self._wanted:
            self._reasons[key] += inexpressible(self._classes[key])
        said = self._settle()
        described = {key for key in said if self._is_described(key)}
        extern = self._needed_extern(said)
        opaque = frozenset(key for key in extern if self._is_opaque(key, said))
        order = self._order(said, extern)
        classes = tuple(
            self._without_layout(key, {*order[:at], *self._enums, *self._known}, said)
            if key in opaque
            else self._written(key, said, set(order[: at + 1]))
            for at, key in enumerate(order)
        )
        return Chosen(
            classes=classes,
            extern=frozenset({*extern, *described}),
            opaque=opaque,
            described={key: tuple(self._by_hand[key]) for key in order if key in described},
            enums=tuple(self._needed_enums(classes)),
            unsaid={
                key: self._all_reasons(key)
                for key in self._classes
                if key in self._wanted and key not in said
            },
            reasons={key: self._all_reasons(key) for key in self._classes if self._is_wanted(key)},
        )

    def _all_reasons(self, key: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self._reasons[key], *self._by_hand[key])))

    def _order(self, said: set[str], extern: list[str]) -> list[str]:
        """Return all keys in order, with earlier declarations treated as new where possible."""
        needs = {key: self._named(key) for key in said} | {key: self._parent(key) for key in extern}
        keys = [key for key in self._classes if key in needs]
        needs = {key: [one for one in ones if one in needs] for key, ones in needs.items()}
        try:
            return in_order(keys, needs)
        except Cycle:
            return in_order(keys, needs | {key: [] for key in self._known})

    def _place_all(self) -> None:
        """Give the members of every class their places, parents first."""
        ends = {ROOT_KEY: HEADER_SIZE}

        def visit(key: str) -> int:
            if key not in ends:
                found = self._classes[key]
                parent = found.parent or ROOT_KEY
                known = parent == ROOT_KEY or parent in self._classes
                placed = place(found, visit(parent) if known else HEADER_SIZE)
                self._reasons[key] += placed.reasons
                self._classes[key] = replace(found, fields=placed.fields)
                ends[key] = placed.end
            return ends[key]

        for key in self._classes:
            visit(key)

    def _settle(self) -> set[str]:
        """Return the keys of declared classes, which name only declared or extern classes."""
        while True:
            self._drop_dependents()
            said = [key for key in self._classes if self._is_said(key)]
            needs = {key: [one for one in self._needs(key) if self._is_said(one)] for key in said}
            try:
                return set(in_order(said, needs))
            except Cycle as cycle:
                self._break(cycle.keys)

    def _drop_dependents(self) -> None:
        """Give a reason to each class that needs one which is neither declared nor extern."""
        changed = True
        while changed:
            changed = False
            for key in self._classes:
                is_new = key not in self._known and self._is_said(key)
                lacking = (is_new or self._is_updated(key)) and self._lacking(key)
                if lacking:
                    self._reasons[key].append(lacking)
                    changed = True

    def _is_updated(self, key: str) -> bool:
        """Return whether a declaration is renewed; it then omits parts that it cannot name."""
        return key in self._known and self._is_wanted(key) and not self._reasons[key]

    def _lacking(self, key: str) -> str | None:
        found = self._classes[key]
        if not self._is_known(found.parent or ROOT_KEY):
            return f"its parent `{found.parent}` is not declared"
        for field in found.fields:
            missing = self._unknown(field.type)
            if missing:
                return f"`{field.name}` has the type `{missing}`, which is not declared"
        return None

    def _unknown(self, ref: TypeRef | None) -> str | None:
        """Return the first key in a type that is neither declared nor extern."""
        for one in ref.walk() if ref is not None else ():
            known = self._enums if one.kind == "enum" else None
            if one.kind == "node" and one.key and not self._can_be_named(one.key):
                return one.key
            if known is not None and one.key not in known:
                return one.key
        return None

    def _is_said(self, key: str) -> bool:
        """Return whether a class is declared, or described."""
        if key in self._known:
            return key in self._wanted
        is_expressible = key in self._wanted and not self._reasons[key]
        return is_expressible and (not self._by_hand[key] or self._can_be_described(key))

    def _is_described(self, key: str) -> bool:
        return key not in self._known and bool(self._by_hand[key])

    def _can_be_described(self, key: str) -> bool:
        return key not in self._refused.described and self._can_be_extern(key)

    def _is_known(self, key: str) -> bool:
        if key == ROOT_KEY or key in self._known:
            return True
        return key in self._classes and (self._is_said(key) or self._can_be_extern(key))

    def _can_be_extern(self, key: str) -> bool:
        found = self._classes[key]
        if key in self._refused.extern or found.size is None or not can_be_extern(found):
            return False
        parent = found.parent or ROOT_KEY
        return parent == ROOT_KEY or (parent in self._classes and self._is_known(parent))

    def _can_be_named(self, key: str) -> bool:
        """Return whether the fields of others can have the class as their type."""
        return self._is_known(key) or self._can_be_opaque(key)

    def _can_be_opaque(self, key: str) -> bool:
        found = self._classes.get(key)
        if found is None or key in self._refused.extern or key in self._known:
            return False
        return can_be_extern(found) and not is_in_language(found)

    def _is_opaque(self, key: str, said: set[str]) -> bool:
        """Return whether an extern class is written without its size."""
        if not self._can_be_opaque(key):
            return False
        is_parent = any(key in self._parent(one) for one in said)
        above = [one for one in self._parent(key) if one not in said and one not in self._known]
        has_unknown = any(self._is_opaque(one, said) for one in above)
        return has_unknown or not (is_parent and self._can_be_extern(key))

    def _needs(self, key: str) -> list[str]:
        """Return the keys of the parent, and of the classes in the types of the fields."""
        return [] if key in self._known else self._named(key)

    def _named(self, key: str) -> list[str]:
        refs = [field.type for field in self._classes[key].fields]
        return [*self._parent(key), *(one for ref in refs for one in node_keys(ref))]

    def _parent(self, key: str) -> list[str]:
        parent = self._classes[key].parent
        return [] if parent in (None, ROOT_KEY) else [parent or ""]

    def _break(self, keys: list[str]) -> None:
        """Give up a class of a cycle: the one that names most others of it."""
        inside = set(keys)

        def count(key: str) -> int:
            refs = (field.type for field in self._classes[key].fields)
            return sum(one in inside for ref in refs for one in node_keys(ref))

        worst = max(keys, key=lambda key: (count(key), key))
        field = next(
            field
            for field in self._classes[worst].fields
            if inside.intersection(node_keys(field.type))
        )
        other = next(one for one in node_keys(field.type) if one in inside)
        what = "its own type" if other == worst else f"the type `{other}`, which needs it in turn"
        self._reasons[worst].append(f"`{field.name}` has {what}")

    def _with_known_methods(self, key: str, earlier: set[str]) -> FoundClass:
        """Return a class without methods that name classes declared later or not at all."""
        found = self._classes[key]
        kept, omitted = [], list(found.omitted)
        for method in found.methods:
            refs = [*(param.type for param in method.params), method.returns]
            names = (name for ref in refs for name in node_keys(ref))
            missing = next((one for one in names if one not in earlier | self._known), None)
            if None in refs and any(f"`{method.name}`" in one for one in omitted):
                continue
            if None in refs:
                omitted.append(f"method `{method.name}`, whose signature {_not_told(method.cpp)}")
            elif missing:
                omitted.append(f"method `{method.name}`, which names `{missing}`")
            elif not is_method_name(method.name):
                omitted.append(f"method `{method.name}`, whose name Python does not take")
            else:
                kept.append(method)
        return replace(found, methods=tuple(kept), omitted=tuple(omitted))

    def _written(self, key: str, said: set[str], earlier: set[str]) -> FoundClass:
        reasons = (*self._reasons[key], *self._by_hand[key])
        if key not in said:
            return self._bare(key)
        if key in self._known and reasons:
            # It stays unchanged.
            return replace(self._bare(key), unsaid=reasons)
        if self._is_described(key):
            return described(self._classes[key])
        return self._with_known_methods(key, earlier)

    def _without_layout(self, key: str, named: set[str], said: set[str]) -> FoundClass:
        """Return an opaque class.  In Python there is no parent of which only C++ knows."""
        declared = {one for one in said if not self._is_described(one)}
        hidden = {one for one in self._parent(key) if self._is_hidden(one, declared)}
        return opaque_class(self._classes[key], named - hidden, self._refused.accessors)

    def _is_hidden(self, key: str, declared: Collection[str]) -> bool:
        """Return whether neither a declared class nor one of those below it is registered."""
        if key not in declared or self._classes[key].registered:
            return False
        below = (one for one in declared if key in self._parent(one))
        return all(self._is_hidden(one, declared) for one in below)

    def _bare(self, key: str) -> FoundClass:
        """Return the declaration of a class of another library."""
        return replace(self._classes[key], fields=(), methods=(), omitted=())

    def _needed_extern(self, said: set[str]) -> list[str]:
        needed: dict[str, None] = {}

        def add(key: str) -> None:
            if key not in said and key not in needed and key in self._classes:
                for parent in self._parent(key):
                    add(parent)
                needed[key] = None

        for key in self._classes:
            needed_here = self._named(key) if self._is_updated(key) else self._needs(key)
            for one in needed_here if key in said else ():
                add(one)
        for key in self._wanted:
            if key not in said and self._can_be_opaque(key):
                add(key)
        return list(needed)

    def _needed_enums(self, classes: Iterable[FoundClass]) -> Iterator[FoundEnum]:
        refs = (ref for found in classes for ref in type_refs(found))
        named = {one.key for ref in refs for one in ref.walk() if one.kind == "enum"}
        return (enum for key, enum in self._enums.items() if key in named)


def _not_told(callable_: str | None) -> str:
    """Return why a signature is not known: of a callable as written, or of none."""
    if callable_ is None:
        return "is not told"
    shown = callable_ if len(callable_) <= 60 else f"{callable_[:57]}..."
    return f"`{shown}` does not tell"
