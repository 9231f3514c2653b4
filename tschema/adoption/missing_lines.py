"""Lines that blocks need and the author's files lack: includes of C++, imports of Python, `use`.

In: the blocks, the needs of each, and the files.  Out: the missing lines, and warnings of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from tschema.adoption.inplace.survey import Survey
from tschema.backends.base import Need
from tschema.backends.needs import unmet_needs
from tschema.diagnostics.errors import Diagnostic
from tschema.diagnostics.helps import AddLines, Help
from tschema.diagnostics.source import Span
from tschema.project.cpp_sources import CPP_SUFFIXES
from tschema.regions.blocks import scan_comments

_SIZED = re.compile(rb"\bu?int(?:8|16|32|64)_t\b")
_Needs = Mapping[str, Sequence[Need]]


def unmet_warnings(
    survey: Survey, needs: _Needs, files: Mapping[PurePosixPath, bytes]
) -> Iterator[Diagnostic]:
    """Yield a warning for each file that lacks an import or include which its blocks need."""
    for path, block, missing in lacking_files(survey, needs, files):
        file = survey.files[path]
        span = file.span(file.blocks[block].begin)
        yield _lacking([need.statement for need in missing], block, span)


def lacking_files(
    survey: Survey, needs: _Needs, files: Mapping[PurePosixPath, bytes]
) -> Iterator[tuple[PurePosixPath, str, Sequence[Need]]]:
    """
    Yield the files that lack something, each with the first block that needs it.

    Parameters
    ----------
    needs
        The needs of each block, by dotted name.
    files
        The files that have blocks, as they are to be.
    """
    for path in survey.files:
        blocks: dict[Need, list[str]] = {}
        current: dict[str, str] = {}
        for name, (home, written) in survey.homes.items():
            # A class that was renamed has its new name in the file that is to be.
            current[written] = written.removesuffix(_last(written)) + _last(name)
            for need in needs.get(name, ()) if home == path else ():
                blocks.setdefault(need, []).append(written)
        missing = unmet_needs(path, files[path], blocks)
        if path.suffix in CPP_SUFFIXES:
            missing = [
                need
                for need in missing
                if need.name != "cstdint"
                or _name_sizes(path, files[path], [current[one] for one in blocks[need]])
            ]
        if missing:
            yield path, blocks[missing[0]][0], missing


def _last(dotted: str) -> str:
    return dotted.rpartition(".")[2]


def _name_sizes(path: PurePosixPath, data: bytes, blocks: Sequence[str]) -> bool:
    """Return whether one of some blocks names a type of `<cstdint>`, or is yet to be filled in.

    An enum that is as its author has it may name none.
    """
    file = scan_comments(str(path), data)
    found = [file.blocks[name] for name in blocks]
    texts = (b"".join(file.lines[one.begin + 1 : one.end]) for one in found)
    return any(not text.strip() or _SIZED.search(text) for text in texts)


def _lacking(statements: list[str], block: str, span: Span) -> Diagnostic:
    """Return the warning of a file that lacks lines, which its help lists to be pasted."""
    where = "outside the blocks: tschema changes nothing there"
    if len(statements) == 1:
        message = f"block `{block}` needs `{statements[0]}`, which the file lacks"
        return _addable(message, span, f"add it {where}", statements)
    # A module cannot have another import before those of `__future__`.
    ordered = sorted(statements, key=lambda one: (not one.startswith("from __future__"), one))
    lines = "".join(f"\n    {line}" for line in ordered)
    message = f"the file lacks {len(statements)} lines that its blocks need"
    return _addable(message, span, f"add these lines {where}{lines}", ordered)


def _addable(message: str, span: Span, text: str, lines: list[str]) -> Diagnostic:
    help = Help(text, AddLines(tuple(lines)))
    return Diagnostic("TS069", "warning", message, span, help=help)
