"""The meanings of names in docs.

In: a name as a doc writes it, and the file of that doc.  Out: the key that the name refers to.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from msgspec import Struct

from tschema.ir.declarations import FileDecl
from tschema.ir.model import Schema


class DocNames(Struct, frozen=True, dict=True):
    """The declarations of a package by the names that docs call them."""

    schema: Schema
    modules: Mapping[str, str]
    """The module of each schema file, by path."""

    def resolve(self, name: str, file: FileDecl) -> tuple[str, int] | None:
        """
        Return the key of the declaration that a name begins with, and how many parts name it.

        Parameters
        ----------
        name
            Dotted, or as C++ writes it.
        file
            The schema file of the doc: a name alone means a declaration of the file's namespace, an
            import of the file, or the only declaration of that name.
        """
        parts = name.replace("::", ".").split(".")
        for count in range(len(parts), 0, -1):
            key = self._key(".".join(parts[:count]), file)
            if key is not None:
                return key, count
        return None

    def _key(self, dotted: str, file: FileDecl) -> str | None:
        for candidate in (dotted, f"{self.schema.package}.{dotted}", f"{file.namespace}.{dotted}"):
            if candidate in self._by_dotted:
                return self._by_dotted[candidate]
        imported = self.by_module.get(file.qualify(dotted))
        keys = self._by_name.get(dotted, ())
        if imported is None:
            imported = next((key for key in keys if key in self._imported(file)), None)
        return imported or (next(iter(keys)) if len(keys) == 1 else None)

    def _imported(self, file: FileDecl) -> set[str]:
        """Return the keys of the classes that a file imports."""
        found = (self.by_module.get(target) for target in file.scope.values())
        return {key for key in found if key is not None}

    @cached_property
    def _by_dotted(self) -> dict[str, str]:
        """Keys by namespace and name, of data classes too."""
        found: dict[str, str] = {}
        for space in self.schema.namespaces:
            for type_ in space.types:
                found |= dict.fromkeys((type_.key, f"{space.name}.{type_.name}"), type_.key)
                found[f"{space.name}.{type_.ref}"] = type_.key
            found |= {enum.key: enum.key for enum in space.enums}
            found |= {function.key: function.key for function in space.functions}
            found |= {one.key: f"{space.name}.{one.name}" for one in space.operators if one.key}
        return found

    @cached_property
    def _by_name(self) -> dict[str, set[str]]:
        """Keys by the last part of a name."""
        found: dict[str, set[str]] = {}
        for dotted, key in self._by_dotted.items():
            found.setdefault(dotted.rpartition(".")[2], set()).add(key)
        return found

    @cached_property
    def by_module(self) -> dict[str, str]:
        """Keys by the absolute name in schema files."""
        found: dict[str, str] = {}
        for space in self.schema.namespaces:
            module = self.modules[space.source]
            found |= {f"{module}.{type_.name}": type_.key for type_ in space.types}
            found |= {f"{module}.{enum.name}": enum.key for enum in space.enums}
        return found
