"""The namespaces of C++, where they are not those of type keys.

In: a `ResolvedPackage`, and the prefixes that the project maps.  Out: its files with their C++
namespaces, and an error for classes that would have one name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from tschema.diagnostics.errors import Reporter
from tschema.ir.keywords import SCOPE_NAMES, escaped
from tschema.passes.declared_names import Name, declared_names
from tschema.passes.resolved import Node, ResolvedFile, ResolvedPackage


def map_namespaces(resolved: ResolvedPackage, prefixes: Mapping[str, str]) -> None:
    """Fill in the C++ namespace of each file that has one of its own: the longest prefix counts."""
    for file in resolved.files:
        mapped = mapped_namespace(file.decl.namespace, prefixes)
        if mapped != _plain(file):
            file.cpp_namespace = mapped
        for node in file.nodes:
            if node.options.extern is not None and node.options.cpp_namespace is None:
                # Another library has the class in the namespace of its own key.
                home = mapped_namespace(node.key.rpartition(".")[0], prefixes)
                node.options = replace(node.options, cpp_namespace=home)


def check_cpp_names(resolved: ResolvedPackage, reporter: Reporter) -> None:
    """Report names that are apart in the schema, and not in C++."""
    if not any(file.cpp_namespace for file in resolved.files) and not any(
        node.options.cpp_namespace for node in resolved.nodes()
    ):
        return
    first: dict[tuple[str, str], tuple[str, Name]] = {}
    for file in resolved.files:
        for home, named in _placed(file):
            spelled = escaped(named.name, "C++", SCOPE_NAMES)
            space, other = first.setdefault((home, spelled), (file.decl.namespace, named))
            # Names of one namespace of the schema are checked there.
            if other is not named and space != file.decl.namespace:
                reporter.error(
                    "TS022",
                    f"{named} and {other} of `{space}` are both `{home}::{spelled}` in C++",
                    named.place,
                    notes=[(f"{other} is declared here", other.place)],
                    help="rename one of them, or give one another `cpp_namespace`",
                )


def _placed(file: ResolvedFile) -> Iterator[tuple[str, Name]]:
    """Yield the names that a file declares, each with its C++ namespace."""
    home = file.cpp_namespace or _plain(file)
    own = {name: one.options.cpp_namespace for one in file.nodes for name in _names(one)}
    for named in declared_names(file):
        yield own.get(named.name) or home, named


def _names(node: Node) -> tuple[str, str]:
    return node.name, node.ref


def mapped_namespace(namespace: str, prefixes: Mapping[str, str]) -> str:
    """Return how C++ spells a namespace, given how it spells prefixes: the longest counts."""
    parts = namespace.split(".")
    for length in range(len(parts), 0, -1):
        prefix = prefixes.get(".".join(parts[:length]))
        if prefix is not None:
            return "::".join((prefix, *parts[length:]))
    return "::".join(parts)


def _plain(file: ResolvedFile) -> str:
    return file.decl.namespace.replace(".", "::")
