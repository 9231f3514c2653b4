"""Missing includes and imports of the blocks in a user's file.

In: the bytes of a file, and the needs of its blocks. Out: the needs that the file does not meet,
judged from the file alone. The file is not changed, and no module is imported.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePosixPath

from tschema.backends.base import Need

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)
_UMBRELLA = ("tvm/ffi/", "tvm/ffi/tvm_ffi.h")
"""Headers, and the one that includes them all."""
_RUST_NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"', re.DOTALL)
_RUST_USE = re.compile(r"\buse\s+([^;]*);")


def unmet_needs(path: PurePosixPath, data: bytes, needs: Iterable[Need]) -> list[Need]:
    """
    Return the needs that a file does not meet.

    Parameters
    ----------
    path
        The file; its suffix tells the language.
    needs
        The needs of its blocks.

    Returns
    -------
    unmet
        Those that it misses, in order; none where the file cannot be read as its language.
    """
    meets = _LANGUAGES.get(path.suffix, _meets_cpp)(data)
    unmet = {need.statement: need for need in needs if not meets(need)}
    return list(unmet.values())


def _meets_cpp(data: bytes) -> Callable[[Need], bool]:
    included = {match.decode("utf-8", "replace") for match in _INCLUDE.findall(data)}

    def meets(need: Need) -> bool:
        if need.name.startswith(_UMBRELLA[0]) and _UMBRELLA[1] in included:
            return True
        parts = [part for part in PurePosixPath(need.name).parts if part != ".."]
        if need.statement.endswith(">"):
            return need.name in included
        ends = {"/".join(parts[start:]) for start in range(len(parts))}
        return any("/".join(PurePosixPath(one).parts).lstrip("./") in ends for one in included)

    return meets


def _meets_python(data: bytes) -> Callable[[Need], bool]:
    try:
        bound = set(_bound(ast.parse(data).body))
    except (SyntaxError, ValueError):
        return lambda _need: True
    return lambda need: need.name in bound or "*" in bound


def _bound(statements: Iterable[ast.stmt]) -> Iterator[str]:
    """Yield the names that a module binds: in `if` and `try` at its top level too."""
    for statement in statements:
        match statement:
            case ast.Import(names) | ast.ImportFrom(names=names):
                yield from (alias.asname or alias.name.partition(".")[0] for alias in names)
            case ast.ClassDef(name) | ast.FunctionDef(name):
                yield name
            case ast.Assign(targets):
                yield from (target.id for target in targets if isinstance(target, ast.Name))
            case ast.AnnAssign(target=ast.Name(name)):
                yield name
            case ast.If(body=body, orelse=other):
                yield from _bound([*body, *other])
            case ast.Try(body=body, orelse=other, handlers=handlers, finalbody=final):
                further = [one for handler in handlers for one in handler.body]
                yield from _bound([*body, *further, *other, *final])


def _meets_rust(data: bytes) -> Callable[[Need], bool]:
    code = _RUST_NOISE.sub(" ", data.decode("utf-8", "replace"))
    used = " ".join(_RUST_USE.findall(code))
    if "*" in used:
        return lambda _need: True
    names = set(re.findall(r"\w+", used))
    names |= set(re.findall(r"\b(?:struct|enum|type|trait|union)\s+(\w+)", code))
    return lambda need: need.name in names


_LANGUAGES = {".py": _meets_python, ".pyi": _meets_python, ".rs": _meets_rust}
