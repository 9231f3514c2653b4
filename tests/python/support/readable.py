"""Whether the HTML that values show in notebooks is readable in a browser."""

from __future__ import annotations

from itertools import product
from pathlib import Path

from .browser import browser

__all__ = ["check_readable"]

STYLE = ":root { color-scheme: light dark; } body { background: Canvas; }"
TEXT = ".uir :is(span, td, th, summary, pre, div, text)"
SCROLLED = "return document.documentElement.scrollWidth > innerWidth"
CLIPPED = """
return [...document.querySelectorAll('.uir *')].filter((one) => {
  const hides = ['hidden', 'clip'].includes(getComputedStyle(one).overflowX);
  return hides && one.clientWidth && one.scrollWidth > one.clientWidth + 1;
}).map((one) => one.outerHTML.slice(0, 99));
"""


def check_readable(html: str, folder: Path) -> None:
    """Check the contrast and the width of HTML in a narrow and a wide window, in both schemes."""
    page = folder / "page.html"
    head = f"<!DOCTYPE html><meta charset='utf-8'><style>{STYLE}</style>"
    page.write_text(f"{head}<body>{html}</body>", "utf-8")
    with browser(folder) as window:
        for scheme, width in product(("light", "dark"), (390, 1440)):
            window.prefer(scheme)
            window.resize(width, 900)
            window.open(page)
            assert (window.run(SCROLLED), window.run(CLIPPED)) == (False, []), width
            assert window.poor_contrast(TEXT) == [], (scheme, width)
            assert window.complaints() == []
