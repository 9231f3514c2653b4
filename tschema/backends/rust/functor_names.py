"""Names of modules, traits and methods of functors in Rust.

In: a `Family`.  Out: names, without imports.
"""

from __future__ import annotations

from collections.abc import Iterator

from tschema.ir.casing import snake_case
from tschema.ir.functor_families import Family
from tschema.ir.model import Namespace


def module_name(family: Family) -> str:
    """Return the name of the module, which no schema file of the namespace has."""
    spaces = (one for one in family.schema.namespaces if one.name == family.namespace)
    taken = {space.file for space in spaces}
    name = f"{snake_case(family.root.stem)}_functor"
    while name in taken:
        name += "_"
    return name


def home_of(family: Family) -> Namespace:
    """Return a namespace that represents the module, though no schema file has it."""
    spaces = (one for one in family.schema.namespaces if one.name == family.namespace)
    return Namespace(name=family.namespace, file=module_name(family), source=next(spaces).source)


def closure(family: Family) -> Iterator[Family]:
    """Yield a family and those that it includes, each once, the nearest first."""
    found: dict[str, Family] = {family.root.key: family}
    for one in reversed(family.included):
        found |= {each.root.key: each for each in closure(one) if each.root.key not in found}
    yield from found.values()


def root_stem(family: Family) -> str:
    """Return the stem of the names of a family's dispatch."""
    return snake_case(family.root.stem)


def stems(family: Family) -> dict[str, str]:
    """Return the stems of the method names of a family's traits, by key; the root's by none.

    A case is named after nothing that other methods are: dispatch, and the default.
    """
    taken = {"default", root_stem(family)}
    names = {one.key: snake_case(family.method_name(one)) for one in (*family.cases, *family.parts)}
    found = {key: f"{name}_itself" if name in taken else name for key, name in names.items()}
    return {"": root_stem(family), **found}


def keeper_of(family: Family) -> Family | None:
    """Return the family whose mutator says where replacements of variables are kept."""
    for one in family.included:
        found = keeper_of(one)
        if found is not None:
            return found
    passages = (family.schema.type(key) for key in family.passages)
    has_variables = any(one.is_variable for one in passages)
    return family if has_variables else None
