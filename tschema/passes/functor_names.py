"""Names of functors: those of the classes, and of the methods for the types of a family.

In: a `ResolvedPackage`.  Out: diagnostics. `names.py` checks all other names.
"""

from __future__ import annotations

from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.source import Place
from tschema.ir.casing import snake_case
from tschema.passes.declared_names import declared_names
from tschema.passes.resolved import Node, ResolvedPackage

_KINDS = ("Functor", "Visitor", "Mutator")


def check_functor_names(resolved: ResolvedPackage, reporter: Reporter) -> None:
    """Report names that the functors of a dispatch root need, or that two methods would share."""
    roots = [node for node in resolved.nodes() if node.options.dispatch]
    if not roots:
        return
    declared = {
        named.name: named.place
        for file in resolved.files
        for named in declared_names(file)
        if named.noun != "function"
    }
    for root in roots:
        for name in (f"{root.ref}{kind}" for kind in _KINDS):
            if name in declared:
                _report_class(name, declared[name], root, reporter)
        _check_methods(resolved, root, reporter)


def _report_class(name: str, place: Place | None, root: Node, reporter: Reporter) -> None:
    reporter.error(
        "TS020",
        f"the name `{name}` is taken by the functors of `{root.ref}`",
        place,
        notes=[(f"`{root.name}` is a dispatch root here", root.option_place("dispatch"))],
        help="rename it",
    )


def _check_methods(resolved: ResolvedPackage, root: Node, reporter: Reporter) -> None:
    first: dict[str, Node] = {}
    for node in resolved.nodes():
        if root not in node.lineage():
            continue
        other = first.setdefault(snake_case(node.ref), node)
        if other.ref != node.ref:
            reporter.error(
                "TS022",
                f"functors of `{root.ref}` call their methods for `{node.ref}` and `{other.ref}` "
                f"both `visit_{snake_case(node.ref)}`",
                node.place,
                notes=[(f"`{other.ref}` is declared here", other.place)],
                help="rename one of them",
            )
