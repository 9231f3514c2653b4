"""Changes of methods and functions.

In: two versions of a class or a schema.  Out: changes.  The functions of operators are compared
as operators.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tschema.compatibility.rules import Change
from tschema.compatibility.types import is_wider
from tschema.ir.model import Function, Method, Parameter, Schema, Type


def compare_methods(before: Type, after: Type) -> Iterator[Change]:
    """Yield the changes of a class's methods that break something."""
    known = {method.name: method for method in after.methods}
    for method in before.methods:
        what = f"method `{method.name}` of `{after.key}`"
        if method.name in known:
            now = known[method.name]
            if method.static != now.static:
                needs = "no object" if now.static else "an object"
                message = f"{what} is called with {needs}, and was not"
                yield Change("TS131", message, after.key, method.name)
            yield from _compare(what, method, now, (after.key, method.name))
        else:
            yield Change("TS130", f"{what} is gone", after.key)


def compare_functions(old: Schema, new: Schema) -> Iterator[Change]:
    """Yield the changes of functions that break something."""
    known = {one.key: one for space in new.namespaces for one in space.functions}
    for space in old.namespaces:
        operators = {operator.name for operator in space.operators}
        for function in space.functions:
            what = f"function `{function.key}`"
            if function.name in operators:
                continue
            if function.key in known:
                now = known[function.key]
                yield from _compare(what, function, now, (function.key, None))
            else:
                yield Change("TS130", f"{what} is gone", function.key)


def _compare(
    what: str, before: Method | Function, after: Method | Function, place: tuple[str, str | None]
) -> Iterator[Change]:
    """Yield the changes of a signature; a place is a key and a member."""
    if broken := "; ".join(parameter_changes(before.params, after.params)):
        yield Change("TS131", f"{what}: {broken}", *place)
    if changed := "; ".join(default_changes(before.params, after.params)):
        yield Change("TS116", f"{what}: {changed}", *place)
    if before.returns != after.returns:
        message = f"{what} returns `{after.returns}`, and did `{before.returns}`"
        yield Change("TS132", message, *place)


def parameter_changes(before: Sequence[Parameter], after: Sequence[Parameter]) -> Iterator[str]:
    """Yield what makes a call fail that the old parameters allowed."""
    known = {one.name: one for one in before}
    now = {one.name: one for one in after}
    yield from (f"parameter `{name}` is gone" for name in known if name not in now)
    for name, param in now.items():
        if name not in known:
            if param.default is None:
                yield f"new parameter `{name}` has no default"
            continue
        was = known[name]
        if was.default is not None and param.default is None:
            yield f"parameter `{name}` has no default any more"
        if was.type != param.type and not is_wider(was.type, param.type, _NO_CLASSES):
            yield f"parameter `{name}` is `{param.type}`, and was `{was.type}`"
    positions = [one.name for one in after if not one.kw_only]
    kept = [one.name for one in before if not one.kw_only and one.name in now]
    if positions[: len(kept)] != kept:
        yield f"the positions are ({', '.join(positions)}), and were ({', '.join(kept)})"


def default_changes(before: Sequence[Parameter], after: Sequence[Parameter]) -> Iterator[str]:
    """Yield the parameters with another default."""
    now = {one.name: one.default for one in after}
    for one in before:
        default = now.get(one.name)
        if one.default is not None and default is not None and one.default != default:
            yield f"parameter `{one.name}` has another default"


_NO_CLASSES = Schema(version=1, package="")
"""A version whose classes have no known base."""
