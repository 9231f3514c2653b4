"""docs/SUMMARY.md orders the pages; chapters have an index, links a target, lines 100 columns."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
SUMMARY = DOCS / "SUMMARY.md"
CHAPTERS = sorted(path.parent for path in DOCS.glob("*/README.md"))
PAGES = sorted(path for path in DOCS.rglob("*.md") if path != SUMMARY)
ENTRY = re.compile(r"^ *- \[(.+)\]\((.+)\)$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`|^    [^\n]*$", re.MULTILINE | re.DOTALL)
FENCED = re.compile(r"^ *(`{3,}).*?^ *\1$", re.MULTILINE | re.DOTALL)
COLUMNS = 100
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def test_the_summary_lists_each_page_once_by_its_title() -> None:
    entries = ENTRY.findall(SUMMARY.read_text())
    assert sorted(DOCS / path for _, path in entries) == PAGES
    titles = [(title, (DOCS / path).read_text().split("\n")[0]) for title, path in entries]
    assert [title for title, line in titles if line != f"# {title}"] == []


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.name)
def test_an_index_lists_the_pages_of_its_chapter_as_the_summary(chapter: Path) -> None:
    index = LINK.findall((chapter / "README.md").read_text())
    paths = [path for _, path in ENTRY.findall(SUMMARY.read_text())]
    pages = [Path(path).name for path in paths if path.startswith(f"{chapter.name}/")]
    assert ["README.md", *(path for path in index if "/" not in path)] == pages


GUIDES = [*PAGES, *ROOT.glob("*.md")]


@pytest.mark.parametrize("page", GUIDES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_to_files_and_headings(page: Path) -> None:
    links = LINK.findall(without_code(page.read_text()))
    assert [link for link in links if "://" not in link and not leads(page, link)] == []


def leads(page: Path, link: str) -> bool:
    """Return whether a file has a link's heading, or a test its name."""
    name, _, place = link.partition("#")
    target = (page.parent / name).resolve() if name else page
    if not target.exists():
        return False
    if target.suffix != ".md" or not place:
        return place == "" or f"def {place}(" in target.read_text()
    return place in anchors(target.read_text())


def anchors(text: str) -> set[str]:
    """Return the anchors that GitHub gives the headings of a page."""
    plain = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    titles = (re.sub(r"[^\w\- ]", "", title.lower()) for title in HEADING.findall(plain))
    return {title.replace(" ", "-") for title in titles}


def without_code(text: str) -> str:
    return CODE.sub("", text)


@pytest.mark.parametrize("page", GUIDES, ids=lambda path: str(path.relative_to(ROOT)))
def test_prose_has_lines_of_100_columns(page: Path) -> None:
    assert too_long(page.read_text()) == []


def test_a_long_line_is_found() -> None:
    long = "word " * 21
    assert too_long(f"{long}\n```\n{long}\n```\n| {long} |\n    {long}\n") == [long]


def too_long(text: str) -> list[str]:
    """Return the long lines of a page, without those of code, tables and long words alone."""
    lines = FENCED.sub("", text).splitlines()
    prose = (line for line in lines if not line.startswith(("|", "    ")))
    return [line for line in prose if len(line) > COLUMNS and len(line.split()) > 2]


def test_each_change_is_in_one_section_of_the_changelog() -> None:
    head, *sections = (ROOT / "CHANGELOG.md").read_text().split("\n### ")
    assert "\n- " not in head, "add a line below Added, Changed or Fixed"
    assert [part.partition("\n")[0] for part in sections] == ["Added", "Changed", "Fixed"]
    entries = [entry for part in sections for entry in part.split("\n- ")[1:]]
    assert sorted({*entries}) == sorted(entries)
