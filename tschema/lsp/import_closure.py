"""The part of a project that some of its files need or concern, which is checked in less time.

In: declarations and paths.  Out: declarations of fewer files, and whether a new name needs a check
of all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from tschema.editing.rename.target import Target
from tschema.ir.declarations import Declarations, FileDecl
from tschema.ir.model import Schema

_PART = "(?:node|functor|visitor|mutator)"
"""An end of the names that tschema makes of a class."""
_PARTS = re.compile(rf"{_PART}+$")


def near(declarations: Declarations, *paths: str) -> Declarations:
    """Return files with all that they import, and their errors."""
    modules = {one.module: one for one in declarations.files}
    waiting = [one for one in declarations.files if one.source.path in paths]
    found: dict[str, FileDecl] = {}
    while waiting:
        one = waiting.pop()
        if one.source.path not in found:
            found[one.source.path] = one
            waiting += _imported(one, modules)
    chosen = tuple(one for one in declarations.files if one.source.path in found)
    errors = tuple(
        one for one in declarations.diagnostics if one.span and one.span.file.path in found
    )
    return Declarations(chosen, errors)


def with_users(declarations: Declarations, paths: Iterable[str]) -> set[str]:
    """Return files with all those that import them, or each other."""
    modules = {one.module: one for one in declarations.files}
    users: dict[str, list[str]] = {}
    for file in declarations.files:
        for one in _imported(file, modules):
            users.setdefault(one.source.path, []).append(file.source.path)
    waiting, found = [*paths], set[str]()
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += users.get(path, ())
    return found


def may_clash(schema: Schema, target: Target, new: str) -> bool:
    """
    Return whether a new name may be that of another declaration in some language.

    False is certain.  The names of members only meet those of the classes above and below.
    """
    if target.member:
        return False
    # One search through all names takes less time than one for each of them.
    alike = re.compile(rf"^{re.escape(_plain(new))}{_PART}*$", re.MULTILINE)
    return alike.search(_folded("\n".join(_names(schema)))) is not None


def _names(schema: Schema) -> Iterator[str]:
    """Yield the names that packages, files and declarations have, and had."""
    for space in schema.namespaces:
        yield from (space.file, *space.name.split("."))
        for type_ in space.types:
            yield from (type_.name, type_.ref, type_.stem, type_.options.renamed_from or "")
            yield from (key.rpartition(".")[2] for key in type_.former_keys)
        yield from (one.name for one in space.enums)
        yield from (one.name for one in space.functions)


def _plain(name: str) -> str:
    """Return a name without what languages and functors change in it."""
    return _PARTS.sub("", _folded(name))


def _folded(text: str) -> str:
    return text.replace("_", "").lower()


def _imported(file: FileDecl, modules: Mapping[str, FileDecl]) -> Iterator[FileDecl]:
    """Yield the files that a file imports, or of which it imports names."""
    for one in file.imports:
        for module in (one.module, f"{one.module}.{one.name}"):
            if module in modules:
                yield modules[module]
