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
PHRASES = (
    # A word of the phrase, which finds most files clean; the phrase; what to write.
    ("body", r"\b(?:no|some|any)body\b(?!\.)", "name who it is: the caller, a library"),
    ("who", r"\bwhom?ever\b", "name who it is: the caller, a library"),
    ("whatever", r"\bwhatever\b", "any"),
    ("anyhow", r"\banyhow\b", "unconditionally, in any case"),
    (" no ", r"(?<!here )\b(?:is|are|was|were) no (?!longer|more|less|other)(?=[\w`])", "is not a"),
    ("-a-number", r"\bnot-a-number\b", "NaN"),
    ("neither infinite", r"\bneither infinite nor not a number\b", "finite"),
    ("ke whether", r"\bMake whether\b", "Return whether"),
    ("ell whether", r"\bTell whether\b", "Return whether"),
    ("what no", r"\bwhat nothing\b", "free, unused"),
    ("that nothing", r"\bthat nothing (?:binds|calls|reads|uses|refers)\b", "free, unused"),
    ("of use", r"\bof use before\b", "can be used before"),
    (" on ", r"\b(?:goes|go) on (?:with|through|below|on|in|until)\b", "continues"),
    (" told ", r"\b(?:is|are) told (?:by|of|as|at|that)\b", "is reported, is passed"),
    ("away", r"\bthrow(?:s|n)? (?:\w+ )?away\b", "discard, drop"),
    ("outdated", r"\boutdated\b", "out of date"),
    ("what people", r"\bwhat people (?:write|wrote)\b", "hand-written code"),
    ("there ", r"\bwith the names there are\b", "lists the names"),
    ("means there is", r"\bevery means there is\b", "all methods"),
    ("Where that is", r"\bWhere that is written\b", "Source location"),
    ("sel", r"\bstands? for (?:itself|themselves)\b", "has identity"),
    ("in the place", r"\bput(?:s|ting)? .{1,40} in the places? of\b", "replace by"),
    ("held in several", r"\bis held in several places\b", "is shared"),
    ("out of what becomes", r"\bout of what becomes\b", "rewrites"),
    ("comes by here", r"\bcomes by here\b", "imported on use"),
    ("sense", r"\bmakes? no sense\b", "is invalid"),
    ("protected region", r"\bprotected region", "custom region (GLOSSARY.md)"),
)
CLAUSE = re.compile(
    r"\bwhat (?:is|are|has|have|it|the|they|a|no|an|its|was|were|does|do|one|you|each|this|that"
    r"|cannot|can|may|must|stands?)\b|several ones|in the places? of|\bbut for\b",
    re.IGNORECASE,
)
"""A clause instead of a noun: "what is not supported" for "the unsupported operators"."""
TOP = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "GLOSSARY.md", "CHANGELOG.md")
CLAUSES = {"docs": 0, "": 0, "schema": 0, "tschema": 0, "cpp": 0, "python/uir": 0}
"""The most clauses in each place. The limits only go down: lower one after a rewrite."""
WRITTEN = {".md", ".py", ".h", ".cc", ".c", ".jinja"}
COMPILED = [(word, re.compile(phrase), instead) for word, phrase, instead in PHRASES]
# Names of functions.
ALLOWED = re.compile(r"_outdated\(")


def faults(path: Path) -> list[str]:
    """Return the phrases in a file, with where they are and what to write."""
    text = path.read_text(encoding="utf-8")
    return [
        f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, found.start()) + 1}: "
        f"`{found[0]}`: {instead}"
        for word, phrase, instead in COMPILED
        if word in text
        for found in phrase.finditer(text)
        if not ALLOWED.search(_line(text, found.start()))
    ]


def _line(text: str, position: int) -> str:
    end = text.find("\n", position)
    return text[text.rfind("\n", 0, position) + 1 : end if end >= 0 else len(text)]


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


def sources(place: str) -> list[Path]:
    """Return the files of a place whose clauses are counted."""
    files = [ROOT / name for name in TOP] if place == "" else (ROOT / place).rglob("*")
    return [path for path in files if path.suffix in WRITTEN and "__pycache__" not in path.parts]


@pytest.mark.parametrize("place", CLAUSES)
def test_noun_clauses_are_rare(place: str) -> None:
    found = [CLAUSE.findall(path.read_text(encoding="utf-8")) for path in sources(place)]
    assert sum(map(len, found)) <= CLAUSES[place], "write a noun; the limits only go down"


def test_a_clause_is_counted() -> None:
    text = "What is new, what cannot be said, in the place of it, all but for one. What new is."
    assert len(CLAUSE.findall(text)) == 4
