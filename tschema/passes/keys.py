"""Type keys of classes.

In: a class declaration.  Out: its full type key; a missing or wrong one is reported and the
intended key is used.
"""

from __future__ import annotations

import re

from tschema.diagnostics.errors import Reporter
from tschema.diagnostics.helps import Help, InsertStatement, Replace, suggest
from tschema.ir.declarations import Assignment, ClassDecl, FileDecl
from tschema.passes.symbols import is_extern, meant_key

_DOTTED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", re.ASCII)


def type_key(decl: ClassDecl, file: FileDecl, reporter: Reporter) -> str:
    """Return the full type key of a class.

    Parameters
    ----------
    decl, file
        The class and its place; a bare key such as `For` begins as the file's namespace.
    reporter
        Told of a key that is missing or wrong.
    """
    meant = meant_key(decl, file)
    assignment = next((one for one in decl.assignments if one.name == "type_key"), None)
    if assignment is None:
        if not decl.broken:
            message = f"class `{decl.name}` has no `type_key`"
            option = f'type_key = "{meant}"'
            help = f"write `{option}`"
            if not any(suggest(one.name, ("type_key",)) for one in decl.assignments):
                help = Help(help, InsertStatement(option, is_inside=True))
            reporter.error("TS017", message, decl.place, help=help)
        return meant
    written = assignment.value.value
    if isinstance(written, str) and is_extern(decl):
        _check_form(written, assignment, meant, reporter)
    elif isinstance(written, str):
        _check(written, assignment, file, meant, reporter)
    return meant


def _check(
    written: str,
    assignment: Assignment,
    file: FileDecl,
    meant: str,
    reporter: Reporter,
) -> None:
    first = file.namespace.partition(".")[0]
    full = written if "." in written else f"{first}.{written}"
    if full != meant and _check_form(written, assignment, meant, reporter):
        message = f"type key `{full}` is not in the file's namespace `{file.namespace}`"
        place = assignment.value.place
        help = Help(f'write `type_key = "{meant}"`', Replace("", f'"{meant}"'))
        reporter.error("TS018", message, place, help=help)


def _check_form(written: str, assignment: Assignment, meant: str, reporter: Reporter) -> bool:
    """Report a text that is not a type key; return whether it is one."""
    if _DOTTED.fullmatch(written):
        return True
    message = f"malformed type key `{written}`" if written else "the type key is empty"
    place = assignment.value.place
    reporter.error("TS018", message, place, help=f'write `type_key = "{meant}"`')
    return False
