"""Properties of classes that depend on the hierarchy: finality, kind, child slots, argument order.

In: a `ResolvedPackage`.  Out: its nodes with `options` filled in, and child slots by type key.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from tschema.ir.model import Default, Field, Restatement
from tschema.passes.resolved import Node, ResolvedPackage


def inherit_options(resolved: ResolvedPackage) -> None:
    """Fill in `structural` and `final` where a class leaves them out."""
    parents = {node.parent_key for node in resolved.nodes()}
    for node in resolved.nodes():
        structural, final = node.options.structural, node.options.final
        if "structural" not in node.given and node.parent is not None:
            structural = node.parent.options.structural
        if "final" not in node.given:
            final = node.key not in parents and not node.options.abstract
        if (structural, final) != (node.options.structural, node.options.final):
            node.options = replace(node.options, structural=structural, final=final)


def child_slots(resolved: ResolvedPackage) -> dict[str, int]:
    """Return the child slots of the package's types, by type key.

    A parent reserves a slot for each type below it in the package.  What would not fit in the
    slots of another package's parent is cut to fit, as a type's slots must lie within its parent's.
    A class of another library has as many as it `reserve`s; none are known of otherwise.
    """
    nodes = list(resolved.nodes())
    slots = {node.key: node.options.reserve for node in nodes}
    for node in reversed(nodes):
        if node.parent is not None and node.parent.key in slots and not node.parent.options.extern:
            slots[node.parent.key] += 1 + slots[node.key]
    for node in nodes:
        room = _parent_slots(node, slots)
        if node.parent is not None and node.parent.options.extern:
            slots[node.key] = min(slots[node.key], max(room - 1, 0))
        elif room:
            slots[node.key] = min(slots[node.key], room - 1)
    return slots


def _parent_slots(node: Node, slots: dict[str, int]) -> int:
    if node.parent is None:
        return 0
    if node.parent.imported is not None:
        return node.parent.imported.layout.child_slots
    return slots[node.parent.key]


def init_order(node: Node) -> tuple[str, ...]:
    """Return the names of the constructor's arguments in order.

    Fields come parents first, in source order; a restated one moves to where it is restated.
    Those with a default come after those without, keyword-only ones last.
    """
    arguments: dict[str, tuple[bool, bool, bool]] = {}
    for one in node.lineage():
        for name, init, kw_only, default in _declared(one):
            arguments.pop(name, None)
            arguments[name] = (init, kw_only, default is not None)
    taken = [name for name, (init, _, _) in arguments.items() if init]
    return tuple(sorted(taken, key=lambda name: arguments[name][1:]))


def required_arguments(node: Node) -> list[str]:
    """Return the names of the constructor's arguments that have no default."""
    defaults = {name: default for one in node.lineage() for name, _, _, default in _declared(one)}
    return [name for name in init_order(node) if defaults[name] is None]


def _declared(node: Node) -> Iterable[tuple[str, bool, bool, Default | None]]:
    """Yield the fields that a class declares or restates, in source order."""
    models: dict[str, Field | Restatement] = {}
    models.update((info.model.name, info.model) for info in node.fields)
    models.update((info.model.name, info.model) for info in node.restated)
    order = [field.name for field in node.decl.fields] if node.decl else _imported_order(node)
    for name in order:
        model = models.get(name)
        if model is not None:
            yield name, model.init, model.kw_only, model.default


def _imported_order(node: Node) -> list[str]:
    """Return an order that gives an imported type the arguments that it has."""
    names = [info.model.name for info in node.fields]
    names += [info.model.name for info in node.restated]
    init = list(node.imported.init) if node.imported else []
    return sorted(names, key=lambda name: init.index(name) if name in init else len(init))
