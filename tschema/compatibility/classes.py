"""Changes of classes: their names, parents, files, options and layouts.

In: two versions of a schema.  Out: changes.  A class is the same in both if it has the same type
key, or states its former name.
"""

from __future__ import annotations

from collections.abc import Iterator

from tschema.compatibility.calls import compare_methods
from tschema.compatibility.fields import compare_fields
from tschema.compatibility.members import compare_members
from tschema.compatibility.rules import Change
from tschema.compatibility.stored import former_fields
from tschema.ir.model import Field, Options, Schema, Type
from tschema.ir.spelling import cpp_name
from tschema.project.config import Level


def compare_classes(old: Schema, new: Schema) -> Iterator[Change]:
    """Yield the changes of classes that break something."""
    known = {type_.key: type_ for type_ in new.types()}
    renamed = _renamed(old, new)
    implied = _attribute_nodes(old) | _attribute_nodes(new)
    for type_ in old.types():
        if type_.key in implied:
            continue
        key = renamed.get(type_.key, type_.key)
        if key not in known:
            yield Change("TS100", f"class `{type_.key}` is gone", type_.key)
        else:
            yield from _compare(old, type_, new, known[key])


def _attribute_nodes(schema: Schema) -> set[str]:
    """Return the keys of classes that operators imply, which are compared with these."""
    return {one.attrs for space in schema.namespaces for one in space.operators if one.attrs}


def _renamed(old: Schema, new: Schema) -> dict[str, str]:
    """Return the new keys of classes that have another one, by the old keys."""
    names = {(old.home(type_.key).name, type_.name): type_.key for type_ in old.types()}
    kept = {type_.key for type_ in new.types()}
    pairs = {key: type_.key for type_ in new.types() for key in type_.former_keys}
    pairs = {before: after for before, after in pairs.items() if before not in kept}
    for type_ in new.types():
        place = (type_.namespace, type_.options.renamed_from or "")
        if place in names and type_.key != names[place]:
            pairs[names[place]] = type_.key
    return pairs


def _compare(old: Schema, before: Type, new: Schema, after: Type) -> Iterator[Change]:
    yield from _names(old, before, new, after)
    if before.parent != after.parent:
        message = f"`{after.key}` has the parent `{after.parent}`, and had `{before.parent}`"
        yield Change("TS102", message, after.key)
    file, old_file = new.home(after.key).file, old.home(before.key).file
    if file != old_file:
        message = f"`{after.key}` is declared in `{file}`, and was in `{old_file}`"
        yield Change("TS103", message, after.key)
    yield from _options(before.options, after)
    yield from compare_fields(old, before, new, after)
    yield from compare_members(before, after)
    yield from _layout(old, before, new, after)
    yield from compare_methods(before, after)


def _names(old: Schema, before: Type, new: Schema, after: Type) -> Iterator[Change]:
    if before.key != after.key:
        message = f"`{before.key}` has the type key `{after.key}`"
        is_known = before.key in after.former_keys
        spared: frozenset[Level] = frozenset({"data"}) if is_known else frozenset()
        yield Change("TS101", message, after.key, spared=spared)
    elif before.name != after.name:
        message = f"`{before.name}` of `{after.key}` is called `{after.name}`"
        yield Change("TS101", message, after.key, spared=frozenset({"binary", "data"}))
    else:
        was, is_ = (cpp_name(one, schema) for one, schema in ((before, old), (after, new)))
        if was != is_:
            message = f"`{after.key}` is `{is_}` in C++, and was `{was}`"
            yield Change("TS101", message, after.key, spared=frozenset({"binary", "data"}))


def _options(before: Options, after: Type) -> Iterator[Change]:
    options = after.options
    if lost := list(_lost(before, options)):
        yield Change("TS104", f"`{after.key}` {' and '.join(lost)} any more", after.key)
    if lost := list(_lost_in_source(before, options)):
        message = f"`{after.key}` {' and '.join(lost)} any more"
        yield Change("TS104", message, after.key, spared=frozenset({"binary"}))
    if before.structural != options.structural:
        message = (
            f"`{after.key}` compares as `{options.structural}`, and did as `{before.structural}`"
        )
        yield Change("TS105", message, after.key)


def _lost(before: Options, after: Options) -> Iterator[str]:
    """Yield what neither old code nor compiled libraries can do with a class."""
    if after.abstract and not before.abstract:
        yield "cannot be constructed"
    if after.final and not before.final:
        yield "cannot be derived from"
    if before.mutable and not after.mutable:
        yield "has fields that cannot be written"
    if before.dispatch and not after.dispatch:
        yield "roots no functors"
    if before.register and not after.register:
        yield "is not registered"


def _lost_in_source(before: Options, after: Options) -> Iterator[str]:
    """Yield what code that is compiled again cannot do with a class."""
    if before.default_constructible and not after.default_constructible:
        yield "cannot be made without arguments"
    if before.ref is not None and after.ref is None:
        yield "has no reference class"
    elif before.ref == "default" and after.ref != "default":
        yield "has no references that are never null"
    if before.ref_init == "fields" and after.ref_init != "fields":
        yield "has no generated constructor in C++"
    if before.cow and not after.cow:
        yield "has no `CopyOnWrite`"
    if before.script and before.script != after.script:
        yield "cannot be read from its script"


def _layout(old: Schema, before: Type, new: Schema, after: Type) -> Iterator[Change]:
    """Yield a change of the layout that the class itself made, not one of its ancestors."""
    if before.layout.digest == after.layout.digest:
        return
    if (
        before.key != after.key
        or before.parent != after.parent
        or _parents_differ(old, before, new)
    ):
        return
    changed = ", ".join(_differences(old, before, new, after))
    message = f"libraries see `{after.key}` as another type: {changed}"
    yield Change("TS106", message, after.key)


def _parents_differ(old: Schema, before: Type, new: Schema) -> bool:
    ancestors = old.ancestry(before)[:-1]
    digests = {type_.key: type_.layout.digest for type_ in new.types()}
    return any(digests.get(one.key, one.layout.digest) != one.layout.digest for one in ancestors)


def _members(schema: Schema, type_: Type) -> Iterator[Field]:
    """Yield the members of a class and of its ancestors, in memory order."""
    for ancestor in schema.ancestry(type_):
        yield from ancestor.members


def _differences(old: Schema, before: Type, new: Schema, after: Type) -> Iterator[str]:
    for what in ("size", "depth", "child_slots"):
        was, is_ = getattr(before.layout, what), getattr(after.layout, what)
        if was != is_:
            yield f"{what.replace('_', ' ')} {is_}, was {was}"
    called = former_fields(new, after)
    places = {called.get(field.name, field.name): field for field in _members(old, before)}
    for field in _members(new, after):
        was_field = places.pop(field.name, None)
        if was_field is None:
            yield f"`{field.name}` at byte {field.offset}"
        elif was_field.offset != field.offset:
            yield f"`{field.name}` at byte {field.offset}, was at {was_field.offset}"
        elif was_field.type != field.type:
            yield f"`{field.name}` of type `{field.type}`, was `{was_field.type}`"
    yield from (f"no `{name}`" for name in places)
    for option in ("abstract", "final", "mutable", "structural"):
        was, is_ = getattr(before.options, option), getattr(after.options, option)
        if was != is_:
            yield f"{option} {is_}, was {was}"
