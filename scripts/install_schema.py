"""Copy the schema sources into a package, where users import them as `uir.schema`.

In: the schema folder of a checkout, whose files import each other as `schema.<ns>.<file>`.
Out: the same files below the destination, importing each other as `<package>.schema.<ns>.<file>`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path


def main() -> None:
    """Copy `SOURCE` (named `schema`) to `DESTINATION` for `PACKAGE`, as the arguments say."""
    source, destination, package = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    own_import = re.compile(rf"^(from|import) {source.name}\b", re.MULTILINE)
    for path in sorted(source.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        target = destination / path.relative_to(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(own_import.sub(rf"\1 {package}.schema", text), encoding="utf-8")


if __name__ == "__main__":
    main()
