"""The site as MkDocs builds it: the repository's pages, the generated ones, the linked sources."""

from __future__ import annotations

import json
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel

from scripts.docs_site.addresses import ROOT, SUMMARY, address, pages
from scripts.docs_site.navigation import navigation
from scripts.docs_site.reference import API, reference_pages, with_anchors
from scripts.docs_site.rust import write_rustdoc
from scripts.docs_site.sources import NO_SEARCH, linked_sources, source_page

__all__ = ["on_config", "on_files", "on_post_build"]

SCRIPTS = ROOT / "build/site-scripts"
"""What pages load besides the theme: `make docs` puts it there."""
CHANGES = "CHANGELOG.md"
DIAGNOSTICS = "docs/reference/diagnostics.md"
COMMENTS = re.compile(r"\A(<!--.*?-->\n)+\n*")


class Source(File):
    """A file that is no Markdown and has a page."""

    def is_documentation_page(self) -> bool:
        """Return True."""
        return True


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Set the navigation."""
    config.nav = navigation(API)
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Replace the files of docs/ by all pages, under their paths in the repository."""
    theme = [file for file in files if file.src_dir != config.docs_dir]
    texts = {path: (ROOT / path).read_text() for path in pages()} | reference_pages()
    texts[DIAGNOSTICS] = with_anchors(texts[DIAGNOSTICS])
    # A search is for things as they are, not for their history.
    texts[CHANGES] = NO_SEARCH + texts[CHANGES]
    sources = linked_sources(texts.items(), texts)
    return Files(
        [
            *theme,
            *(new_file(File, path, text, config) for path, text in texts.items()),
            *(new_file(Source, path, source_page(path), config) for path in sources),
            *(script(path, config) for path in sorted(SCRIPTS.glob("*.js"))),
        ]
    )


def new_file(kind: type[File], path: str, text: str, config: MkDocsConfig) -> File:
    """Return the file of a page, which links name by its path in the repository."""
    # A title is the first line.
    file = kind.generated(config, path, content=COMMENTS.sub("", text))
    file.dest_uri = address(path)
    is_listed = kind is File and "/operators/" not in path and path != SUMMARY
    file.inclusion = InclusionLevel.INCLUDED if is_listed else InclusionLevel.NOT_IN_NAV
    return file


def script(path: Path, config: MkDocsConfig) -> File:
    """Return the file of a script that pages load."""
    return File.generated(config, f"assets/javascripts/{path.name}", abs_src_path=str(path))


def on_post_build(config: MkDocsConfig) -> None:
    """Add rustdoc's pages, list the versions beside this one, and lead to the newest."""
    write_rustdoc(Path(config.site_dir))
    folder = Path(config.site_dir).parent
    found = sorted((path.parent.name for path in folder.glob("*/sitemap.xml")), key=release)
    versions = [{"version": name, "title": name, "aliases": []} for name in reversed(found)]
    (folder / "versions.json").write_text(json.dumps(versions))
    refresh = f'<meta http-equiv="refresh" content="0; url={found[-1]}/index.html">'
    (folder / "index.html").write_text(f"<!doctype html>\n{refresh}\n")


def release(name: str) -> list[int]:
    """Return the numbers of a version."""
    return [int(number) for number in re.findall(r"\d+", name)]
