"""Import cycles between schema files that updates of declared classes would make.

In: the chosen classes, and the files of all declarations.  Out: the classes that keep their
declarations, with the reasons.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from tschema.importer.plan import needed_keys
from tschema.importer.records import FoundClass
from tschema.ir.model import Schema, Type

_Imports = dict[PurePosixPath, set[PurePosixPath]]


def updates_in_cycles(
    classes: Iterable[FoundClass], homes: Mapping[str, PurePosixPath], schema: Schema | None
) -> dict[str, str]:
    """
    Return the reasons of declared classes whose new types would make files import each other.

    Parameters
    ----------
    classes
        Those that are chosen, declared ones among them.
    homes
        By key, the file of each class and enum.
    schema
        The earlier declarations; None if there are none.

    Returns
    -------
    reasons
        By key; empty where all files can be read in some order.
    """
    if schema is None:
        return {}
    declared = {one.key: one for one in schema.types()}
    imports: _Imports = defaultdict(set)
    for key, type_ in declared.items():
        _add(imports, key, _declared_needs(type_), homes)
    found = list(classes)
    for one in found:
        if one.key not in declared:
            _add(imports, one.key or "", needed_keys(one), homes)
    reasons: dict[str, str] = {}
    for one in found:
        key = one.key or ""
        if key not in declared or one.unsaid:
            continue
        known = {*_declared_needs(declared[key])}
        for needed in needed_keys(one):
            if needed in known or needed not in homes:
                continue
            if homes[key] != homes[needed] and _reaches(imports, homes[needed], homes[key]):
                where = f"`{homes[needed]}`, which imports `{homes[key]}`"
                reasons[key] = f"it names `{needed}` of {where}: move one of them"
            else:
                _add(imports, key, [needed], homes)
    return reasons


def _declared_needs(type_: Type) -> Iterator[str]:
    yield type_.parent
    refs = [field.type for field in type_.members]
    for method in type_.methods:
        refs += [*(param.type for param in method.params), method.returns]
    yield from (one.key for ref in refs for one in ref.walk() if one.key)


def _add(
    imports: _Imports, key: str, needs: Iterable[str], homes: Mapping[str, PurePosixPath]
) -> None:
    for needed in needs:
        if needed in homes and key in homes and homes[needed] != homes[key]:
            imports[homes[key]].add(homes[needed])


def _reaches(imports: _Imports, start: PurePosixPath, goal: PurePosixPath) -> bool:
    """Return whether a file imports another one, directly or not."""
    seen, waiting = {start}, [start]
    while waiting:
        file = waiting.pop()
        if file == goal:
            return True
        new = imports.get(file, set()) - seen
        seen |= new
        waiting += new
    return False
