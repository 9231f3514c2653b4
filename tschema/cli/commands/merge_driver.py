"""`tschema merge-driver`: merges a generated file for git, or sets git up to have it done.

In: the arguments that git gives.  Out: one outcome; the merged file takes the place of our version,
and a conflict that is left is status 1.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from tschema.cli.outcome import DONE, FOUND, WRONG_INPUT, Outcome, out, remark
from tschema.diagnostics.conflict_markers import DEFAULT_SIZE, Style
from tschema.output.files import put_result


def run(options: argparse.Namespace, _progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Yield whether a file was merged, or what was set up."""
    if options.install:
        yield _install(options)
    elif len(options.versions) < _FEWEST:
        what = "name the versions as git does (%O %A %B %L %P), or set git up with `--install`"
        yield Outcome(WRONG_INPUT, pieces=(remark(what),))
    else:
        yield _merge(*options.versions)


_FEWEST = 5
"""Arguments that every version of git gives."""


def _install(options: argparse.Namespace) -> Outcome:
    from tschema.cli.chosen_project import chosen_config
    from tschema.pipeline.git_setup import install_merge_driver

    installed = install_merge_driver(chosen_config(options))
    done = [f"wrote {path}" for path in installed.files]
    done += [f"set {name}" for name in installed.settings]
    return Outcome(
        pieces=tuple(map(out, done or ["git merges generated files by tschema already"]))
    )


def _merge(base: str, ours: str, theirs: str, size: str, path: str, *labels: str) -> Outcome:
    """Merge a file; the versions are files that git made for it."""
    from tschema.pipeline.merge_driver import merge_versions

    style = _style(size, labels)
    before = Path(base).read_bytes()
    # Where each side added the file, the base that git gives is empty.
    merged = merge_versions(
        path, before or None, Path(ours).read_bytes(), Path(theirs).read_bytes(), style
    )
    put_result(Path(ours), merged.text)
    if not merged.n_conflicts:
        return Outcome(DONE)
    count = f"{merged.n_conflicts} conflict{'s' * (merged.n_conflicts != 1)}"
    return Outcome(FOUND, pieces=(remark(f"{count} left in `{path}`"),))


def _style(size: str, labels: tuple[str, ...]) -> Style:
    """Return how git wants conflicts marked; an older git does not name the sides."""
    named = [
        os.fsencode(given) if given and given != letter else default
        for given, letter, default in zip(
            (*labels, "", "", "")[:3],
            ("%S", "%X", "%Y"),
            (b"base", b"ours", b"theirs"),
            strict=True,
        )
    ]
    from tschema.project.git import git

    shown = git(Path.cwd(), "config", "--get", "merge.conflictStyle") or b""
    has_base = shown.strip() in (b"diff3", b"zdiff3")
    return Style(
        named[1], named[0], named[2], int(size) if size.isdecimal() else DEFAULT_SIZE, has_base
    )
