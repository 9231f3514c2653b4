"""Phrases that are not to come back, in docs, comments, docstrings and messages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PLACES = {
    "": ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "GLOSSARY.md"),
    "docs": ("**/*.md",),
    "generated/docs": ("**/*.md",),
    "schema": ("**/*.py",),
    "tschema": ("**/*.py", "**/*.md"),
    "templates": ("**/*.jinja",),
    "python/uir": ("**/*.py",),
    "cpp": ("**/*.h", "**/*.cc"),
    "rust": ("**/*.rs",),
}
PHRASES = {
    r"\b(?:no|some|any)body\b(?!\.)|\bwho(?:m)?ever\b": "name who it is: the caller, a library",
    r"\bwhatever\b": "any",
    r"\banyhow\b": "unconditionally, in any case",
    r"(?<!here )\b(?:is|are|was|were) no (?!longer|more|less|other)(?=[\w`])": "is not a",
    r"\bnot-a-number\b|neither infinite nor not a number": "NaN",
    r"\b(?:Make|Tell) whether\b": "Return whether",
    r"\bwhat no(?:thing|body)\b|\bthat nothing (?:binds|calls|reads|uses|refers)\b": "free, unused",
    r"\bof use before\b": "can be used before",
    r"\b(?:goes|go) on (?:with|through|below|on|in|until)\b": "continues",
    r"\b(?:is|are) told (?:by|of|as|at|that)\b": "is reported, is passed",
    r"\bthrow(?:s|n)? (?:\w+ )?away\b": "discard, drop",
    r"\boutdated\b": "out of date",
    r"\bwhat people (?:write|wrote)\b": "hand-written code",
    r"\bwith the names there are\b|\bevery means there is\b": "lists the names; all methods",
    r"\bWhere that is written\b": "Source location",
    r"\bstands? for (?:itself|themselves)\b": "has identity",
    r"\bput(?:s|ting)? .{1,40} in the places? of\b": "replace by",
    r"\blowest (?:place|scope) that holds\b|\binnermost place that holds\b": (
        "lowest common ancestor"
    ),
    r"\bmakes? no sense\b": "is invalid",
    r"\bprotected region": "custom region (GLOSSARY.md)",
}
ANY = re.compile("|".join(f"(?:{phrase})" for phrase in PHRASES))
# Names and quotations that hold a phrase without being prose of ours.
ALLOWED = re.compile(r"def _outdated|_outdated\(|nobody@")


def faults(path: Path) -> list[str]:
    """Return the phrases in a file, with where they are and what to write."""
    text = path.read_text(encoding="utf-8")
    if not ANY.search(text):
        return []
    lines = enumerate(text.splitlines(), start=1)
    return [
        f"{path.relative_to(ROOT)}:{number}: `{found[0]}`: {instead}"
        for number, line in lines
        if not ALLOWED.search(line)
        for phrase, instead in PHRASES.items()
        for found in re.finditer(phrase, line)
    ]


@pytest.mark.parametrize("place", PLACES)
def test_no_phrase_has_come_back(place: str) -> None:
    paths = [path for pattern in PLACES[place] for path in (ROOT / place).glob(pattern)]
    assert paths
    assert [fault for path in sorted(paths) for fault in faults(path)] == []


def test_a_phrase_is_found_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    page.write_text("A node.\nThere is no type, and this is no type.\n")
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    assert faults(page) == ["page.md:2: `is no `: is not a"]
