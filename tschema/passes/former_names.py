"""Names that classes and fields had, which files of older versions may hold.

In: the options `renamed_from` and `removed_fields`.  Out: former type keys and class names, and
diagnostics where a name has two meanings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.source import Place
from tschema.ir.declarations import ClassDecl
from tschema.passes.resolved import Node, ResolvedPackage


def given_names(decl: ClassDecl, option: str) -> tuple[str, ...]:
    """Return the names that a class gives in an option, none if it leaves the option out."""
    return next((one.value.texts() for one in decl.assignments if one.name == option), ())


def former_class_name(name: str) -> str:
    """Return the data class of a name: itself, or that of a type key (`toy.Point`: `PointNode`)."""
    namespace, _, last = name.rpartition(".")
    return f"{last}Node" if namespace else name


def former_keys(key: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the type keys that a class had by the names that it had.

    Parameters
    ----------
    names
        Type keys, and class names in the same namespace.
    """
    namespace = key.rpartition(".")[0]
    keys = (
        name if "." in name else f"{namespace}.{name.removesuffix('Node') or name}"
        for name in names
    )
    return tuple(former for former in dict.fromkeys(keys) if former != key)


def check_former_names(resolved: ResolvedPackage, reporter: Reporter) -> None:
    """Report former names that are taken, and those that two declarations claim."""
    nodes = list(resolved.nodes())
    keys = {node.key: node for node in nodes}
    names = {f"{node.file.namespace}.{node.name}" for node in nodes if node.file}
    claimed: dict[str, Node] = {}
    for node in nodes:
        _check_keys(node, keys, names, reporter)
        for key in node.former_keys:
            other = claimed.setdefault(key, node)
            if other is not node:
                _report_both(node, other, key, reporter)
        _check_fields(node, reporter)


def _check_keys(node: Node, keys: Mapping[str, Node], names: set[str], reporter: Reporter) -> None:
    old = node.options.renamed_from
    # A class may keep its name under another key.
    is_other = node.file is not None and old != node.name
    is_class_there = is_other and node.file and f"{node.file.namespace}.{old}" in names
    taken = [key for key in node.former_keys if key in keys]
    if is_class_there or taken:
        reporter.error(
            "TS030",
            f"`{node.name}` cannot be renamed from `{old if is_class_there else taken[0]}`, "
            "which still exists",
            node.option_place("renamed_from"),
            help="give the class's old name, or remove the option",
        )


def _report_both(node: Node, other: Node, key: str, reporter: Reporter) -> None:
    reporter.error(
        "TS030",
        f"`{node.name}` and `{other.name}` are both renamed from `{key}`",
        node.option_place("renamed_from"),
        notes=[(f"`{other.name}` is here", other.option_place("renamed_from"))],
        help="remove one of the two",
    )


def _check_fields(node: Node, reporter: Reporter) -> None:
    """Report former names that are names of fields today, or former names of two fields."""
    fields = {info.model.name for one in node.lineage() for info in one.fields}
    claimed: set[str] = set()
    for name, code, place in _former_fields(node):
        if name in fields:
            message = f"`{node.name}` has the field `{name}`, which cannot be a former name"
        elif name in claimed:
            message = f"two fields of `{node.name}` had the name `{name}`"
        else:
            claimed.add(name)
            continue
        reporter.error(code, message, place, help="give a name that only files hold, and only once")


def _former_fields(node: Node) -> Iterator[tuple[str, str, Place | None]]:
    """Yield the former names of a class's own fields, each with an error's code and place."""
    for info in node.fields:
        if info.decl is not None and info.model.renamed_from:
            place = info.decl.options["renamed_from"].place
            yield from ((name, "TS026", place) for name in info.model.renamed_from)
    for name in node.removed_fields:
        yield name, "TS030", node.option_place("removed_fields")
