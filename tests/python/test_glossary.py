"""GLOSSARY.md: an entry for each word, in order, and each word in use."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TEXT = (ROOT / "GLOSSARY.md").read_text()
LINES = [" ".join(entry.split()) for entry in TEXT[TEXT.index("\n- ") :].split("\n- ")[1:]]
ENTRY = re.compile(r"\*\*([\w -]+)\*\*: (.+)\.$")
ENTRIES = [ENTRY.fullmatch(line) for line in LINES]
WORDS = [entry[1] for entry in ENTRIES if entry]
GUIDES = "\n".join(
    page.read_text() for page in (*(ROOT / "docs").rglob("*.md"), ROOT / "README.md")
).lower()


def test_every_entry_is_a_word_and_its_meaning() -> None:
    assert [line for line, entry in zip(LINES, ENTRIES, strict=True) if entry is None] == []


def test_the_entries_are_sorted() -> None:
    assert WORDS
    assert sorted(WORDS, key=str.lower) == WORDS


def test_a_guide_uses_each_word() -> None:
    assert [word for word in WORDS if not re.search(_forms(word), GUIDES)] == []


def _forms(word: str) -> str:
    stem = re.escape(word.lower()).replace("\\ ", "\\s+").replace("post\\-init", "post_?init")
    return rf"\b{stem}(s|es|ed)?\b"
