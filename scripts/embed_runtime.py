"""Writes the C of the emitted runtime as rows of a table in C++.

usage: embed_runtime.py OUTPUT FILE...

In: the files of cpp/src/uir/target/runtime, in the order that emitted texts have them. Out: a row
of `uir::target::Helper` (cpp/src/uir/target/prelude.h) for each helper.

A helper begins at a line `//! helper KEY` or `//! helper KEY: NEEDS`, with other helpers that it
uses, and ends at the next one. Other lines that begin with `//!` are not emitted either: `//! in
the first unit` says that only the first unit of a text has it, and the rest are notes. `#include`
lines behind them become needs too. The lines before the first helper serve compilations of the file
alone. One of them, `//! in each version`, says that each version of the functions has these helpers
of its own.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

SECTION = re.compile(r"(.*)\n((?://!.*\n)*)((?:#include .*\n)*)((?:.*\n)*)")
"""The rest of the line of a helper, its notes, its includes and its text."""


class Helper(NamedTuple):
    """A helper, with what it needs: headers in angles, and keys."""

    key: str
    needs: Sequence[str]
    text: str
    is_in_first_unit: bool
    has_versions: bool

    def row(self) -> str:
        """Spell it in C++."""
        flags = ", ".join(str(flag).lower() for flag in self[3:])
        return f'{{"{self.key}", "{" ".join(self.needs)}", R"c({self.text})c", {flags}}},\n'


def helpers(text: str) -> Iterator[Helper]:
    """Find the helpers of a file."""
    head, *sections = re.split(r"^//! helper ", text, flags=re.MULTILINE)
    for section in sections:
        title, notes, includes, body = SECTION.findall(section)[0]
        key, _, needs = title.partition(": ")
        is_in_first_unit = "//! in the first unit\n" in notes
        has_versions = "//! in each version\n" in head
        needs = [*re.findall(r"<.*>", includes), *needs.split()]
        yield Helper(key, needs, body.strip() + "\n", is_in_first_unit, has_versions)


def main(output: str, *files: str) -> None:
    """Write the rows of all files."""
    texts = [Path(file).read_text() for file in files]
    Path(output).write_text("".join(one.row() for text in texts for one in helpers(text)))


if __name__ == "__main__":
    main(*sys.argv[1:])
