"""The search of the documentation in a browser: its answers while a word is typed."""

from __future__ import annotations

from pathlib import Path

from .browser import Browser

__all__ = ["answers"]

WATCH = """
const list = document.querySelector(".md-search-result__list");
const input = document.querySelector(".md-search__input");
window.pressed = performance.now();
window.answered = null;
input.addEventListener("keydown", () => { window.pressed = performance.now(); }, {capture: true});
new MutationObserver(() => {
  window.answered = [input.value, performance.now() - window.pressed];
}).observe(list, {childList: true});
"""
COUNT = """
return Number(document.querySelector(".md-search-result__meta").textContent.match(/[0-9]+/));
"""


def answers(window: Browser, page: Path, word: str) -> dict[str, tuple[float, int]]:
    """Type a word; return the milliseconds to the results of each start of it, and their number.

    Parameters
    ----------
    window
        The browser.
    page
        A page of the site.
    word
        The word, of at least two letters.
    """
    window.open(page)
    window.click(".md-search__input")
    window.press(word[0])
    window.wait("document.querySelector('.md-search-result__item')")
    window.run(WATCH)
    found = {}
    for end in range(2, len(word) + 1):
        window.press(word[end - 1])
        if word[end - 1] == " ":
            continue  # The same words again give the same results.
        window.wait(f"window.answered && window.answered[0] === {word[:end]!r}")
        found[word[:end]] = window.run("return window.answered")[1], window.run(COUNT)
    return found
