"""`tschema merge-driver`: merges a file for git, or sets git up to have it done.

In: the arguments that git gives.  Out: one outcome; the merged file takes the place of our version,
and a conflict that is left is status 1.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec.structs import replace

from tschema.cli.outcome import DONE, FOUND, WRONG_INPUT, Outcome, out, remark
from tschema.conflicts.text_merge import MergedText
from tschema.diagnostics.conflict_markers import DEFAULT_SIZE, Style
from tschema.output.files import put_result


def run(options: argparse.Namespace, _progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Yield whether a file was merged, or the result of the installation."""
    if options.install:
        yield _install(options)
    elif len(options.versions) < FEWEST:
        what = "name the versions as git does (%O %A %B %L %P), or set git up with `--install`"
        yield Outcome(WRONG_INPUT, pieces=(remark(what),))
    else:
        yield merge(*options.versions)


FEWEST = 5
"""Arguments that every version of git gives."""


def _install(options: argparse.Namespace) -> Outcome:
    from tschema.cli.chosen_project import chosen_config
    from tschema.conflicts.git_setup import install_merge_driver

    installed = install_merge_driver(chosen_config(options))
    done = [f"wrote {path}" for path in installed.files]
    done += [f"set {name}" for name in installed.settings]
    return Outcome(
        pieces=tuple(map(out, done or ["git merges generated files by tschema already"]))
    )


def merge(base: str, ours: str, theirs: str, size: str, path: str, *labels: str) -> Outcome:
    """Merge a file; the versions are files that git made for it, ours for the result as well."""
    style = _style(size, labels)
    # Where each side added the file, the base that git gives is empty.
    base_text = Path(base).read_bytes() or None
    texts = Path(ours).read_bytes(), Path(theirs).read_bytes()
    merged = _merged(path, base_text, texts, style)
    if not merged.n_conflicts:
        put_result(Path(ours), merged.text)
        return Outcome(DONE)
    if _shows_base():
        merged = _merged(path, base_text, texts, replace(style, has_base=True))
    put_result(Path(ours), merged.text)
    count = f"{merged.n_conflicts} conflict{'s' * (merged.n_conflicts != 1)}"
    return Outcome(FOUND, pieces=(remark(f"{count} left in `{path}`"),))


def _merged(path: str, base: bytes | None, sides: tuple[bytes, bytes], style: Style) -> MergedText:
    """Return a merged file: a schema file by its declarations, another one by its blocks."""
    from tschema.conflicts.merge_driver import merge_versions
    from tschema.editing.schema_merge import is_schema_file, merge_schema_files

    if all(is_schema_file(path, side) for side in sides):
        return merge_schema_files(base, *sides, style)
    return merge_versions(path, base, *sides, style)


def _style(size: str, labels: tuple[str, ...]) -> Style:
    """Return how git wants conflicts marked; an older git does not name the sides."""
    known = ((b"base", "%S"), (b"ours", "%X"), (b"theirs", "%Y"))
    base, ours, theirs = (
        os.fsencode(label) if label and label != letters else default
        for label, (default, letters) in zip((*labels, "", "", ""), known, strict=False)
    )
    return Style(ours, base, theirs, int(size) if size.isdecimal() else DEFAULT_SIZE)


def _shows_base() -> bool:
    """Return whether the user wants to see the base in conflicts."""
    from tschema.project.git import git

    style = git(Path.cwd(), "config", "--get", "merge.conflictStyle") or b""
    return style.strip() in (b"diff3", b"zdiff3")
