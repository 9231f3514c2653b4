"""Where the files of the repository are on the site.

In: a path below the repository.  Out: the address of its page.  Pages keep their paths as names, so
that MkDocs follows the links of the repository as they are.
"""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["ROOT", "SUMMARY", "address", "pages"]

ROOT = Path(__file__).resolve().parents[2]
SUMMARY = "docs/SUMMARY.md"
_ADDRESSES = (
    (re.compile(r"README\.md"), "index.html"),
    (re.compile(r"docs/SUMMARY\.md"), "contents.html"),
    (re.compile(r"docs/(\w+)/README\.md"), r"\1/index.html"),
    (re.compile(r"docs/(\w+/[\w-]+)\.md"), r"\1.html"),
    (re.compile(r"([A-Z]+)\.md"), r"project/\1.html"),
    (re.compile(r"generated/docs/index\.md"), "reference/nodes/index.html"),
    (re.compile(r"generated/docs/operators\.md"), "reference/operators/index.html"),
    (re.compile(r"generated/docs/operators/(.+)\.md"), r"reference/operators/\1.html"),
    (re.compile(r"generated/docs/(.+)\.md"), r"reference/nodes/\1.html"),
    (re.compile(r"(reference/.+)\.md"), r"\1.html"),
)
"""What follows none of these is a source, with a page that shows it."""


def address(path: str) -> str:
    """Return the address of a file of the repository, relative to the root of the site."""
    for pattern, page in _ADDRESSES:
        if found := pattern.fullmatch(path):
            return found.expand(page).lower() if page.startswith("project") else found.expand(page)
    return f"source/{path}.html"


def pages() -> list[str]:
    """Return the paths of all pages that are written or generated in the repository."""
    folders = (ROOT / "docs", ROOT / "generated/docs")
    found = [*ROOT.glob("*.md"), *(path for folder in folders for path in folder.rglob("*.md"))]
    return sorted(path.relative_to(ROOT).as_posix() for path in found)
