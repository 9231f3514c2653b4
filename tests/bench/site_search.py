"""How long a reader waits for the search of the documentation after a key press, without a network.

Opens the site that `make docs` builds as files in Chromium, types words, and prints the times from
a key press to the list of results, in milliseconds: `site.search.word`, the median for the last
letters of words, `site.search.key`, the median for all letters, and `site.search.slowest`, which is
one of the second letters. The peer is the limit of 100 ms, in which an answer seems immediate.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from report import report

ROOT = Path(__file__).resolve().parents[2]
WORDS = ("softmax", "unrollloop", "structural", "pass pipeline")
LIMIT = 100.0
"""Milliseconds."""


def main() -> None:
    """Measure, and print."""
    sys.path.insert(0, str(ROOT))
    from tests.python.support.browser import browser
    from tests.python.support.site_search import answers

    pages = sorted((ROOT / "build" / "site").glob("*/index.html"))
    if not pages:
        print("build/site is missing: `make docs` builds it", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as folder, browser(Path(folder)) as window:
        window.resize(1440, 900)
        found = [answers(window, pages[-1], word) for word in WORDS]
    times = [milliseconds for one in found for milliseconds, _ in one.values()]
    words = [one[word][0] for word, one in zip(WORDS, found, strict=True)]
    report("site.search.word", statistics.median(words), LIMIT, "ms")
    report("site.search.key", statistics.median(times), LIMIT, "ms")
    report("site.search.slowest", max(times), LIMIT, "ms")


if __name__ == "__main__":
    main()
