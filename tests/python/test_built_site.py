"""The site as `make docs` builds it: links, addresses, and what a browser shows of it offline."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from html import unescape
from importlib import import_module
from pathlib import Path
from posixpath import dirname, normpath
from types import ModuleType
from urllib.parse import unquote

import pytest

from scripts.docs_site.reference import API
from scripts.docs_site.rust import RUSTDOC
from tschema.diagnostics.explain import explanations
from uir import transform

from .support.browser import Browser, browser
from .support.project import ROOT
from .support.site_search import answers

pytestmark = [pytest.mark.deep, pytest.mark.long]

OURS = re.compile(r"(uir|uir_nodes|tschema)\b")
ID = re.compile(r'\bid="?([^"\s>]+)')
LINK = re.compile(r'<a\b[^>]*\bhref="?([^"\s>]+)')
LOADED = re.compile(r'<(?:script|img|iframe|link)\b[^>]*\b(?:src|href)="?(https?:[^"\s>]+)')
NOTEBOOK = "source/examples/notebook.ipynb.html"
SHOWN = (
    "index.html",
    "start/generators.html",
    "models/command.html",
    "reference/passes.html",
    "reference/nodes/index.html",
    "reference/operators/uir.relay.softmax.html",
    "reference/python/uir.testing.html",
    "reference/rust.html",
    "source/recipes/make/Makefile.html",
    NOTEBOOK,
)
"""A page of each kind."""
WIDTHS = (390, 1440)
TEXT = ".md-typeset :is(p, li, td, th, a, code, span, h1, h2, h3), .md-nav__link, .md-header__title"
FOUND = ".md-search-result__link[href*='reference/passes.html'][href$='#unrollloop']"
CLIPPED = """
const found = [];
if (document.documentElement.scrollWidth > innerWidth) found.push("wider than the window");
for (const element of document.querySelectorAll(".md-content *")) {
  const style = getComputedStyle(element);
  const hides = ["hidden", "clip"].includes(style.overflowX) && style.textOverflow !== "ellipsis";
  if (hides && element.clientWidth && element.scrollWidth > element.clientWidth + 1)
    found.push(element.outerHTML.slice(0, 99));
}
return found;
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site, which fails on a link that leads nowhere."""
    folder = tmp_path_factory.mktemp("site") / "1.0"
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", folder]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Run one browser for all tests."""
    with browser(tmp_path_factory.mktemp("browser")) as running:
        yield running


@cache
def ids(page: Path) -> frozenset[str]:
    return frozenset(map(unescape, ID.findall(page.read_text())))


def links(site: Path, page: str) -> Iterator[tuple[str, str]]:
    """Yield the page and the anchor of each link of a page to the site."""
    for link in LINK.findall((site / page).read_text()):
        name, _, anchor = unquote(unescape(link)).partition("#")
        if ":" not in name:
            yield normpath(f"{dirname(page)}/{name}".lstrip("/")) if name else page, anchor


def test_each_page_is_reached_and_each_link_leads_to_one(site: Path) -> None:
    waiting, seen, broken = ["index.html"], {"index.html"}, set[tuple[str, str, str]]()
    while waiting:
        page = waiting.pop()
        for target, anchor in links(site, page):
            if not (site / target).is_file() or (anchor and anchor not in ids(site / target)):
                broken.add((page, target, anchor))
            elif target not in seen and target.endswith(".html") and not is_rustdoc(target):
                seen.add(target)
                waiting.append(target)
    assert broken == set()
    found = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    assert {page for page in found - seen if not is_rustdoc(page)} == {"404.html"}


def is_rustdoc(page: str) -> bool:
    """Tell whether rustdoc wrote a page, and checked its links."""
    return page.startswith(f"{RUSTDOC}/")


def test_each_node_has_a_page_of_rustdoc(site: Path) -> None:
    parts = json.loads((ROOT / "generated/schema.json").read_text())["namespaces"]
    nodes = [(part["name"], node["ref"]) for part in parts for node in part.get("types", ())]
    assert ("uir.tir", "For") in nodes
    pages = [f"{RUSTDOC}/{name.replace('.', '/')}/struct.{node}.html" for name, node in nodes]
    assert [page for page in pages if not (site / page).is_file()] == []
    assert (site / RUSTDOC / "tschema/fn.structural_equal.html").is_file()


def test_rustdoc_is_reached_by_clicks(site: Path, window: Browser) -> None:
    window.resize(1440, 900)
    window.open(site / "reference/rust.html")
    window.click("a[href='rust/uir/tir/index.html']")
    window.wait("location.pathname.endsWith('/uir/tir/index.html')")
    window.click("a[href='struct.For.html']")
    window.wait("location.pathname.endsWith('/struct.For.html')")
    assert "Struct For" in window.text("h1")
    assert window.complaints() == []


def test_pages_load_nothing_from_the_network(site: Path) -> None:
    pages = [path for path in site.rglob("*.html") if LOADED.search(path.read_text())]
    assert pages == []


@pytest.mark.parametrize("module", API)
def test_each_public_name_of_python_has_an_address(site: Path, module: str) -> None:
    known = {name.rpartition(".")[2] for name in ids(site / f"reference/python/{module}.html")}
    assert ours(import_module(module)) - known == set()


def ours(module: ModuleType) -> set[str]:
    """Return the exported functions and classes that this repository defines."""
    values = {name: getattr(module, name) for name in module.__all__}
    origins = {name: getattr(value, "__module__", None) or "" for name, value in values.items()}
    return {name for name, origin in origins.items() if OURS.match(origin)}


def test_each_diagnostic_pass_and_option_has_an_anchor(site: Path) -> None:
    assert {*explanations()} - ids(site / "reference/diagnostics.html") == set()
    options = {name for name in transform.list_options() if name.startswith("UnrollLoop.")}
    assert {"unrollloop", *options} - ids(site / "reference/passes.html") == set()


def test_the_folder_of_versions_leads_to_the_newest(site: Path) -> None:
    versions = '[{"version": "1.0", "title": "1.0", "aliases": []}]'
    assert (site.parent / "versions.json").read_text() == versions
    assert "url=1.0/index.html" in (site.parent / "index.html").read_text()


@pytest.mark.parametrize("page", SHOWN)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_is_readable_at_two_widths(
    site: Path, window: Browser, page: str, scheme: str
) -> None:
    window.prefer(scheme)
    for width in WIDTHS:
        window.resize(width, 900)
        window.open(site / page)
        window.wait("document.body.dataset.mdColorScheme !== undefined")
        assert window.run(CLIPPED) == [], width
        assert window.poor_contrast(TEXT) == [], width
        assert window.complaints() == []


def test_diagrams_are_drawn(site: Path, window: Browser) -> None:
    window.resize(1440, 900)
    window.open(site / "reference/nodes/index.html")
    window.wait("document.querySelectorAll('div.mermaid').length > 5")
    assert window.complaints() == []


def test_a_notebook_shows_the_values_of_its_cells(site: Path, window: Browser) -> None:
    window.open(site / NOTEBOOK)
    assert window.run("return document.querySelectorAll('article div.uir').length") == 7
    assert "softmax" in window.texts("article svg.uir-graph text")
    assert window.complaints() == []


def test_a_search_answers_and_leads_to_a_page(site: Path, window: Browser) -> None:
    window.resize(1440, 900)
    window.open(site / "index.html")
    window.requests()
    window.click(".md-search__input")
    window.press(*"UnrollLoop")
    window.wait(f"document.querySelector({FOUND!r})")
    window.click(".md-search-result__link")
    window.wait("!location.pathname.endsWith('/index.html')")
    assert "UnrollLoop" in window.text("article")
    assert [one for one in window.requests() if one.startswith("http")] == []
    assert window.complaints() == []


def test_a_short_word_draws_few_sections_of_each_page(site: Path, window: Browser) -> None:
    window.resize(1440, 900)
    counts = answers(window, site / "index.html", "st")
    assert counts["st"][1] > 50
    links = "one => one.querySelectorAll('.md-search-result__link').length"
    pages = window.run(
        f"return [...document.querySelectorAll('.md-search-result__item')].map({links})"
    )
    assert len(pages) == 10
    assert max(pages) == 6  # Five sections, and the page itself.
    assert window.complaints() == []


def test_one_letter_after_a_word_is_a_word(site: Path, window: Browser) -> None:
    window.resize(1440, 900)
    counts = {
        word: {
            typed: number
            for typed, (_, number) in answers(window, site / "index.html", word).items()
        }
        for word in ("pass pipe", "target c")
    }
    passes = counts["pass pipe"]
    assert passes["pass"] <= passes["pass p"] < passes["pass pi"]
    assert counts["target c"]["target"] < counts["target c"]["target c"]
    assert window.complaints() == []


def test_changes_are_not_searched(site: Path) -> None:
    index = json.loads((site / "search/search_index.json").read_text())
    found = [page["location"] for page in index["docs"]]
    assert "compiler/passes.html" in found
    assert [one for one in found if "changelog" in one] == []


@pytest.mark.parametrize("word", ["softmax", "unrollloop", "structural"])
def test_each_letter_narrows_a_search_to_the_pages_with_the_word(
    site: Path, window: Browser, word: str
) -> None:
    window.resize(1440, 900)
    index = json.loads((site / "search/search_index.json").read_text())
    separator = re.compile(index["config"]["separator"])
    words = {
        page["location"]: separator.split(f"{page['title']} {page['text']}".lower())
        for page in index["docs"]
    }
    pages = {
        place.partition("#")[0]
        for place, all_ in words.items()
        if any(one.startswith(word) for one in all_)
    }
    counts = [count for _, count in answers(window, site / "index.html", word).values()]
    assert counts == sorted(counts, reverse=True)
    assert len(pages) <= counts[-1] <= 2 * len(pages)
    assert window.complaints() == []
