"""Changes of files, for users: a diff, or a line for each.

In: changes, and the bytes before and after them.  Out: pieces of an outcome, or the outcome of a
command that edits files of the user.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from tschema.cli.outcome import DONE, FOUND, Outcome, Piece, out
from tschema.diagnostics.errors import Diagnostic
from tschema.output.files import Changes, Rewrite, compare, write

if TYPE_CHECKING:
    import argparse

Files = Mapping[PurePosixPath, bytes]


def edit(
    options: argparse.Namespace,
    root: Path,
    rewrite: Rewrite,
    diagnostics: tuple[Diagnostic, ...],
    done: Callable[[Changes], Outcome],
) -> Outcome:
    """
    Show or write an edit of the user's files, as the arguments say.

    Parameters
    ----------
    diagnostics
        Those of an edit that is shown.
    done
        Returns the outcome once the files are written.

    Raises
    ------
    OutputError
        A file cannot be written.
    """
    old, new = rewrite.old, rewrite.new
    changes = compare(new, old)
    if options.diff:
        return Outcome(FOUND if changes else DONE, diagnostics, (diff(changes, old, new),))
    if options.dry_run:
        return Outcome(DONE, diagnostics, tuple(planned(changes)))
    write(root, new, changes, old)
    return done(changes)


def diff(changes: Changes, old: Files, new: Files) -> Piece:
    """Return a unified diff from the existing files to the new ones."""
    from difflib import unified_diff  # Takes long to import, and few runs show a diff.

    lines: list[str] = []
    for path in (*changes.written, *changes.removed):
        before = old.get(path, b"").decode("utf-8", "backslashreplace")
        after = new.get(path, b"").decode("utf-8", "backslashreplace")
        found = unified_diff(
            before.splitlines(keepends=True),
            after.splitlines(keepends=True),
            f"a/{path}" if path in old else "/dev/null",
            f"b/{path}" if path in new else "/dev/null",
        )
        lines += (
            line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
            for line in found
        )
    return Piece("out", "".join(lines), is_diff=True)


def planned(changes: Changes) -> Iterator[Piece]:
    """Yield a line for each file that would be written or removed."""
    yield from (out(f"would write {path}") for path in changes.written)
    yield from (out(f"would remove {path}") for path in changes.removed)
