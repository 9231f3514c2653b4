"""Invalid classes and enums: their keys are not names, or they are their own bases.

In: `Found`, and the keys that are wanted.  Out: `Found` without such keys; a wanted one is an
error.  Later steps name files after keys, and rely on their form.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from pathlib import Path

from msgspec.structs import replace

from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.source import SourceFile
from tschema.importer.disagreement import span_of
from tschema.importer.records import Found, FoundClass
from tschema.passes.reserved import LONGEST_NAME

_KEY = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", re.ASCII)
_HELP = "correct it, or choose other classes by `--key`"


def drop_invalid(found: Found, wanted: Container[str], root: Path) -> Found:
    """
    Drop the keys of invalid classes, and mark invalid enums.

    Parameters
    ----------
    found
        The found classes and enums.
    wanted
        The keys of the classes to declare.
    root
        The folder that locations are relative to.

    Returns
    -------
    valid
        The same, where invalid classes have no key, and invalid enums have a reason.

    Raises
    ------
    SchemaError
        An invalid class is wanted; all of them are reported.
    """
    reporter = Reporter()
    files: dict[str, SourceFile] = {}
    by_key = {one.key: one for one in found.classes if one.key is not None}
    classes = []
    for one in found.classes:
        reason = _fault(one, by_key)
        if reason and one.key in wanted:
            span = span_of(one.location, root, files)
            reporter.error("TS091", reason, span, help=_HELP)
        if reason:
            one = replace(one, unsaid=(*one.unsaid, reason), key=None)
        classes.append(one)
    reporter.stop_on_error()
    enums = [
        one
        if _KEY.fullmatch(one.key)
        else replace(one, unsaid=(*one.unsaid, f"`{one.key}` is not names joined by dots"))
        for one in found.enums
    ]
    return replace(found, classes=tuple(classes), enums=tuple(enums))


def _fault(found: FoundClass, by_key: Mapping[str, FoundClass]) -> str | None:
    """Return why no schema can say a class."""
    if found.key is None:
        return None
    if not _KEY.fullmatch(found.key):
        return f"type key `{found.key}` is not names joined by dots"
    longest = max(found.key.split(".")[:-1], key=len, default="")
    if len(longest) > LONGEST_NAME:
        what = f"`{longest[: LONGEST_NAME // 2]}...` of its type key"
        return f"{what} has {len(longest)} characters, more than {LONGEST_NAME}"
    bases: list[str] = []
    parent = found.parent
    while parent is not None and parent in by_key and parent not in bases:
        bases.append(parent)
        parent = by_key[parent].parent
    if found.key not in bases:
        return None
    through = bases[: bases.index(found.key)]
    by = f", through {', '.join(f'`{key}`' for key in through)}" if through else ""
    return f"class `{found.key}` is its own base{by}"
