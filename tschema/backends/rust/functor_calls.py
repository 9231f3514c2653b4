"""Names of types, traits and methods in a functor family's module.

In: a `Family`, and how the module names types.  Out: names and calls without arguments; the
required traits are recorded.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain

from tschema.backends.rust.functor_names import closure, keeper_of, module_name, root_stem, stems
from tschema.backends.rust.names import Scope
from tschema.ir.functor_families import Child, Family
from tschema.ir.model import Schema, Type, TypeRef


class Calls:
    """Gives the names that the functors of one family use, those of included families too."""

    def __init__(self, family: Family, scope: Scope) -> None:
        self.family = family
        self.scope = scope
        self.traits: dict[str, str] = {}
        """Imported traits, to the module of each."""
        self._schema: Schema = family.schema
        self._families = tuple(closure(family))
        self.roots = [one.root for one in self._families]
        self._stems = {one.root.key: stems(one) for one in self._families}
        self._uses = Counter(chain.from_iterable({*one.values()} for one in self._stems.values()))

    def name(self, type_: Type) -> str:
        """Return the reference of a type."""
        return self.scope.reference(type_.key)

    def import_trait(self, family: Family, kind: str) -> str:
        """Return the name of a trait, and import it from the module of another family."""
        name = f"{family.root.stem}{kind}"
        if family is not self.family:
            self.traits[name] = f"super::{module_name(family)}"
        return name

    def _owner(self, type_: Type) -> Family:
        """Return the family whose traits have the method of a case or a part."""
        return next(one for one in self._families if type_ in (*one.cases, *one.parts))

    def stem(self, type_: Type) -> str:
        """Return the stem of the method names of a case or a part."""
        return self._stems[self._owner(type_).root.key][type_.key]

    def call(self, kind: str, type_: Type, receiver: str) -> str:
        """Return how the method of a case or a part is called, up to its argument."""
        return self._call_of(self._owner(type_), kind, self.stem(type_), receiver)

    def call_root(self, kind: str, root: Type, receiver: str) -> str:
        """Return how the method of a root that dispatches is called, up to its argument."""
        family = next(one for one in self._families if one.root == root)
        return self._call_of(family, kind, root_stem(family), receiver)

    def _call_of(self, family: Family, kind: str, stem: str, receiver: str) -> str:
        """Name the trait where several have a method of that name."""
        if self._uses[stem] == 1:
            return f"{receiver}.{kind}_{stem}("
        trait = self.import_trait(family, "Visitor" if kind == "visit" else "Mutator")
        return f"{trait}::{kind}_{stem}({receiver}, "

    def keeper(self) -> str:
        """Return the trait that says where replacements of variables are kept, if there is any."""
        keeper = keeper_of(self.family)
        return "" if keeper is None else self.import_trait(keeper, "Mutator")

    def root_of(self, ref: TypeRef) -> Type | None:
        """Return the root whose dispatch serves the values of a type, if all of them are below."""
        if ref.kind != "node":
            return None
        above = self._schema.ancestry(self._schema.type(str(ref.key)))
        return next((root for root in self.roots if root in above), None)

    def part_of(self, ref: TypeRef) -> Type | None:
        """Return the part that the values of a type are, if no other part is derived from it."""
        if ref.kind != "node":
            return None
        below = [one for one in self.family.all_parts() if self._is_below(one, str(ref.key))]
        return below[0] if [one.key for one in below] == [ref.key] else None

    def _is_below(self, type_: Type, key: str) -> bool:
        return any(one.key == key for one in self._schema.ancestry(type_))

    def is_known(self, ref: TypeRef) -> bool:
        """Return whether one method serves all values of a type."""
        return self.root_of(ref) is not None or self.part_of(ref) is not None

    def sorted_parts(self) -> list[Type]:
        """Return the parts, the narrower type first."""
        return sorted(self.family.all_parts(), key=lambda one: -len(self._schema.ancestry(one)))


def role(child: Child) -> str:
    """Return the role that objects in a field have."""
    return f"tschema::Role::{'Binding' if child.binds else 'Use'}"
