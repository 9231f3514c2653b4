"""Changes of operators and dialects.

In: two versions of a schema.  Out: changes.
"""

from __future__ import annotations

from collections.abc import Iterator

from tschema.compatibility.calls import default_changes, parameter_changes
from tschema.compatibility.rules import Change
from tschema.compatibility.stored import calls_load
from tschema.ir.model import Dialect, Namespace, Operator, Parameter, Schema
from tschema.project.config import Level

_Declared = tuple[Schema, Namespace, Operator]
"""An operator in a version, with where it is declared."""
_MEANING = ("kind", "effect", "relation", "require", "result")
"""The rules that programs depend on; the others say how it is computed, and its names elsewhere."""
_DIALECT = ("operand", "make", "number", "attributes", "prefix")


def compare_operators(old: Schema, new: Schema) -> Iterator[Change]:
    """Yield the changes of operators and dialects that break something."""
    known = {
        (space.name, operator.name): (space, operator)
        for space in new.namespaces
        for operator in space.operators
    }
    renamed = {
        form.name: (space, operator)
        for space, operator in known.values()
        for form in operator.stored_calls
    }
    for space in old.namespaces:
        for operator in space.operators:
            key = f"{space.name}.{operator.name}"
            found = known.get((space.name, operator.name)) or renamed.get(operator.key or "")
            if found is not None:
                yield from _compare((old, space, operator), (new, *found))
            else:
                yield Change("TS140", f"operator `{key}` is gone", key)
        if space.dialect is not None:
            yield from _dialect(space.name, space.dialect, new.dialect(space.name))


def _compare(was: _Declared, now: _Declared) -> Iterator[Change]:
    (_, old, before), (_, new, after) = was, now
    key = f"{new.name}.{after.name}"
    what = f"operator `{key}`"
    if before.key != after.key:
        message = f"{what} is registered as `{after.key}`, and was as `{before.key}`"
        is_known = any(form.name == before.key for form in after.stored_calls)
        yield Change("TS140", message, key, spared=_spared("data" if is_known else None))
    yield from _calls(was, now, what, key)
    if changed := "; ".join(default_changes(_parameters(old, before), _parameters(new, after))):
        yield Change("TS116", f"{what}: {changed}", key)
    for rule in _MEANING:
        text, old_text = getattr(after, rule), getattr(before, rule)
        if text != old_text:
            message = f"{what} has {rule} `{text}`, and had `{old_text}`"
            yield Change("TS142", message, key)
    yield from _traits(what, key, before, after)


def _calls(was: _Declared, now: _Declared, what: str, key: str) -> Iterator[Change]:
    """Yield the change of an operator's calls: of those in programs, and of those in files."""
    (old, space, before), (new, new_space, after) = was, now
    loads = before.key is None or calls_load(old, space, before, new, after)
    broken = "; ".join(_signature(space, before, new_space, after))
    if broken:
        yield Change("TS141", f"{what}: {broken}", key, spared=_spared("data" if loads else None))
    elif not loads:
        message = f"{what}: calls in files have other arguments"
        yield Change("TS141", message, key, spared=_spared("source"))


def _spared(level: Level | None) -> frozenset[Level]:
    return frozenset({level} if level is not None else ())


def _signature(old: Namespace, before: Operator, new: Namespace, after: Operator) -> Iterator[str]:
    """Yield what makes a call or a stored program fail."""
    yield from parameter_changes(_parameters(old, before), _parameters(new, after))
    known = {operand.name: operand for operand in before.operands}
    names = [operand.name for operand in after.operands]
    kept = [name for name in known if name in names]
    if names[: len(kept)] != kept:
        yield f"the operands are ({', '.join(names)}), and were ({', '.join(kept)})"
    for operand in after.operands:
        was = known.get(operand.name)
        if was is None:
            continue
        if was.optional and not operand.optional:
            yield f"operand `{operand.name}` is not optional any more"
        if was.variadic != operand.variadic:
            how = "takes several values" if operand.variadic else "takes one value"
            yield f"operand `{operand.name}` {how} now"
        if was.dtype != operand.dtype and operand.dtype != "any":
            name, dtype = operand.name, operand.dtype
            yield f"operand `{name}` has the data type `{dtype}`, and had `{was.dtype}`"


def _parameters(space: Namespace, operator: Operator) -> list[Parameter]:
    """Return the parameters that calls pass: all without the location, which is last."""
    functions = {function.name: function.params for function in space.functions}
    return [param for param in functions.get(operator.name, ()) if param.name != "span"]


def _traits(what: str, key: str, before: Operator, after: Operator) -> Iterator[Change]:
    values = {trait.name: trait.value for trait in after.traits}
    for trait in before.traits:
        value = values.get(trait.name)
        if value != trait.value:
            message = f"{what} has the trait {trait.name} `{value}`, and had `{trait.value}`"
            yield Change("TS142", message, key)


def _dialect(name: str, before: Dialect, after: Dialect | None) -> Iterator[Change]:
    if after is None:
        yield Change("TS143", f"the dialect of `{name}` is gone", name)
        return
    for option in _DIALECT:
        was, now = getattr(before, option), getattr(after, option)
        if was != now:
            yield Change(
                "TS143", f"the dialect of `{name}` has {option} `{now}`, and had `{was}`", name
            )
