"""The options of a plain `gen`, without the parser, which takes a while to import and to make.

In: options by name, as `start.py` has found them.  Out: what the parser would make of them; a test
holds the two against each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from tschema.backends import BACKENDS

if TYPE_CHECKING:
    import argparse

__all__ = ["plain_gen"]


def plain_gen(given: Mapping[str, str]) -> argparse.Namespace | None:
    """
    Return what the parser makes of some options; None where it is for the parser to say.

    Parameters
    ----------
    given
        Value of each option of `gen`, empty for a flag.
    """
    languages = frozenset(filter(None, given.get("--lang", "").split(",")))
    if not languages <= BACKENDS.keys() or ("--lang" in given and not languages):
        return None
    options = SimpleNamespace(
        command="gen",
        paths=[],
        config=_path(given, "--config"),
        lang=languages or None,
        out_dir=_path(given, "--out-dir"),
        plugins=[],
        check="--check" in given,
        diff="--diff" in given,
        dry_run="--dry-run" in given,
        discard="--discard" in given,
        adopt=False,
        depfile=None,
        depfile_targets=[],
        watch=False,
        format="text",
        verbose="-v" in given or "--verbose" in given,
    )
    return cast("argparse.Namespace", options)


def _path(given: Mapping[str, str], name: str) -> Path | None:
    return Path(given[name]) if name in given else None
