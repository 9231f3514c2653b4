"""The pages of the site before MkDocs sees them: all are reached, all names have an address."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from pkgutil import iter_modules

import pytest

import uir
from scripts.docs_site.addresses import ROOT, address, pages
from scripts.docs_site.navigation import navigation, paths_in
from scripts.docs_site.notebooks import notebook_page
from scripts.docs_site.passes import options_by_pass
from scripts.docs_site.reference import API, reference_pages, with_anchors
from scripts.docs_site.sources import linked_sources, links, source_page
from tschema.cli.commands import COMMANDS
from tschema.diagnostics.explain import explanations

from .support.process import run_python
from .test_chapters import anchors

ANCHOR = re.compile(r'<a id="([^"]+)"></a>')


@cache
def texts() -> dict[str, str]:
    """Return the Markdown of all pages, by path."""
    return {path: (ROOT / path).read_text() for path in pages()} | reference_pages()


def test_each_page_has_an_address_of_its_own() -> None:
    paths = [*texts(), *linked_sources(texts().items(), texts())]
    assert len({address(path) for path in paths}) == len(paths)
    assert address("docs/start/README.md") == "start/index.html"
    assert address("docs/start/tutorial.md") == "start/tutorial.html"
    assert address("generated/docs/uir.tir.md") == "reference/nodes/uir.tir.html"


def test_each_page_is_reached() -> None:
    listed = [*paths_in(navigation(API))]
    assert len({*listed}) == len(listed)
    linked = {link for path, text in texts().items() for link in links(path, text)}
    assert {*texts()} - {*listed} - linked == set()
    assert {*listed} - {*texts()} == set()


@pytest.mark.parametrize("path", sorted(reference_pages()))
def test_links_of_the_reference_lead_to_pages(path: str) -> None:
    assert {*links(path, texts()[path])} - {*texts()} == set()


def registered(expression: str) -> list[str]:
    """Return names as a fresh process has them: other tests register some of their own."""
    return run_python(f"from uir import ir, transform; print(*{expression})").split()


def test_each_operator_has_an_address() -> None:
    listed = ANCHOR.findall(texts()["reference/registry.md"])
    declared = re.findall(r"operators/uir\.(.+)\.md", "\n".join(texts()))
    assert {*registered("ir.list_op_names()")} - {*declared, *listed} == set()
    assert "relay.softmax" in declared
    assert "tir.vscale" in listed


def test_each_package_of_uir_has_a_page() -> None:
    packages = {f"uir.{found.name}" for found in iter_modules(uir.__path__) if found.ispkg}
    assert packages - {*API} == {"uir.commands", "uir.frontend", "uir.lsp"}


def test_each_node_has_an_address() -> None:
    parts = json.loads((ROOT / "generated/schema.json").read_text())["namespaces"]
    nodes = [(part["name"], node["key"]) for part in parts for node in part.get("types", ())]
    assert len(nodes) > 150
    page = {name: texts()[f"generated/docs/{name}.md"] for name, _ in nodes}
    assert [key for name, key in nodes if f'<a id="{key}"></a>' not in page[name]] == []


def test_each_pass_and_option_has_an_address() -> None:
    page = texts()["reference/passes.md"]
    names = registered("transform.list_pass_names()")
    assert [name for name in names if name.lower() not in anchors(page)] == []
    assert {*registered("transform.list_options()")} - {*ANCHOR.findall(page)} == set()


def test_an_option_has_its_default_and_meaning() -> None:
    found = {one.name: one for one in options_by_pass()["UnrollLoop"]}
    option = found["UnrollLoop.auto_max_depth"]
    assert (option.type_name, option.default) == ("int", "8")
    assert option.meaning == "The maximum number of nested loops to unroll."


def test_each_command_and_its_arguments_have_an_address() -> None:
    page = texts()["reference/commands.md"]
    assert {f"tschema-{name}" for name in COMMANDS} - anchors(page) == set()
    assert {"uir-opt", "uir-reduce", "uir-explain-simplify"} - anchors(page) == set()
    arguments = {"uir-opt.passes", "uir-reduce.command", "tschema-gen.check"}
    assert arguments - {*ANCHOR.findall(page)} == set()


def test_each_diagnostic_has_its_code_as_address() -> None:
    page = with_anchors(texts()["docs/reference/diagnostics.md"])
    assert ANCHOR.findall(page) == [*explanations()]


def test_a_link_to_a_test_leads_to_a_heading() -> None:
    page = source_page("tests/python/test_site.py")
    assert "test_a_link_to_a_test_leads_to_a_heading" in anchors(page)
    assert "\n~~~~~~python linenums=" in page


def test_a_linked_folder_has_pages_of_what_it_holds() -> None:
    found = linked_sources([("docs/x/y.md", "[a](../../recipes/cmake)")], ["docs/x/y.md"])
    assert {"recipes/cmake", "recipes/cmake/CMakeLists.txt"} <= {*found}
    assert "- [`CMakeLists.txt`](cmake/CMakeLists.txt)\n" in source_page("recipes/cmake")


def test_the_page_of_a_notebook_shows_its_run() -> None:
    page = source_page("examples/notebook.ipynb")
    assert "# uir in a notebook\n" in page
    assert "\n~~~~~~python\nimport numpy as np\n" in page
    assert page.count('<div class="uir">') == 7 and "<svg" in page
    assert re.search(r"\n~~~~~~text\n\d+\n~~~~~~\Z", page)
    assert not (ROOT / "trace.json").exists()


def test_a_cell_that_fails_stops_the_build(tmp_path: Path) -> None:
    cell = {"cell_type": "code", "source": ["x = 1\n", "x / 0"]}
    (tmp_path / "broken.ipynb").write_text(json.dumps({"cells": [cell]}))
    before = Path.cwd()
    with pytest.raises(ZeroDivisionError):
        notebook_page(tmp_path / "broken.ipynb")
    assert Path.cwd() == before
