"""Write a source that calls each operator: `python -m tests.operators (cpp | rust) FILE`."""

from __future__ import annotations

import sys
from pathlib import Path

from .cpp import cpp_source
from .rust import rust_source

SOURCES = {"cpp": cpp_source, "rust": rust_source}


def main() -> None:
    """Write the file."""
    language, path = sys.argv[1:]
    Path(path).write_text(SOURCES[language](), encoding="utf-8")


if __name__ == "__main__":
    main()
