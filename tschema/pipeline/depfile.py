"""The inputs of outputs, as a makefile rule, which ninja also reads.

In: targets and inputs.  Out: text, and a file.  Each input is also a target without a rule, so that
a deleted input does not stop make.  A path below the working directory is relative to it, as
compilers write it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

from tschema.output import files as output
from tschema.pipeline.inputs import Inputs


def write_depfile(path: Path, targets: Sequence[str | Path], inputs: Inputs) -> None:
    """
    Write a depfile, unless it says the same already.

    Parameters
    ----------
    path
        The file; a relative one is in the working directory.
    targets
        The targets of the rule; a string is written unchanged.
    inputs
        The inputs of the rule.

    Raises
    ------
    OutputError
        The file cannot be written.
    """
    shown = [target if isinstance(target, str) else _shown(target) for target in targets]
    text = depfile_text(shown, [_shown(source) for source in inputs.paths()])
    folder, name = path.absolute().parent, PurePosixPath(path.name)
    new = {name: text.encode("utf-8", "surrogateescape")}
    old = output.read_outputs(folder, [name])
    changes = output.compare(new, old)
    if changes:
        output.write(folder, new, changes, old)


def depfile_text(targets: Iterable[str], sources: Iterable[str]) -> str:
    """Return the rule: every target depends on every source."""
    unique = list(dict.fromkeys(map(escape, sources)))
    rule = " \\\n  ".join([" ".join(map(escape, targets)) + ":", *unique])
    return f"{rule}\n\n" + "".join(f"{source}:\n" for source in unique)


def escape(path: str) -> str:
    """Return a path as make and ninja read it back."""
    # A backslash escapes only before a blank, `#` or `:`; there it has to be doubled itself.
    special = re.sub(r"(\\*)([ \t#:])", lambda match: f"{match[1] * 2}\\{match[2]}", path)
    return special.replace("$", "$$")


def _shown(path: Path) -> str:
    """Return a path relative to the working directory, if it lies below."""
    here = os.getcwd()
    text = os.path.normpath(path)
    if text.startswith(here.rstrip(os.sep) + os.sep):
        return os.path.relpath(text, here)
    return text
