"""The docs backend: an index, and a page for each namespace.

In: the JSON IR and the target's folder.  Out: Markdown.
"""

from __future__ import annotations

from tschema.backends.base import OutputFile, View
from tschema.backends.docs.hierarchy import index_view, namespaces
from tschema.backends.docs.names import INDEX, page_file
from tschema.backends.docs.operators import operator_files
from tschema.backends.docs.view import page_view
from tschema.emit.render import Renderer
from tschema.ir.functor_families import find_families
from tschema.ir.model import Schema
from tschema.project.config import DocsTarget


def emit(schema: Schema, target: DocsTarget, renderer: Renderer) -> list[OutputFile]:
    """Return the reference of a schema."""
    index = renderer.render("docs/index.md.jinja", index=index_view(schema))
    files = [OutputFile(target.dir / INDEX, "docs", index)]
    families = find_families(schema)
    for spaces in namespaces(schema):
        text = _page(page_view(spaces, schema, families), renderer)
        files.append(OutputFile(target.dir / page_file(spaces[0].name), "docs", text))
    return [*files, *operator_files(schema, target.dir, renderer)]


def _page(page: View, renderer: Renderer) -> str:
    sections = [_sections(part, renderer) for part in page.parts]
    parts = list(zip(page.parts, sections, strict=True))
    functors = [renderer.render("docs/functors.md.jinja", functors=one) for one in page.functors]
    return renderer.render("docs/page.md.jinja", page=page, parts=parts, functors=functors)


def _sections(part: View, renderer: Renderer) -> list[str]:
    sections = [renderer.render("docs/enum.md.jinja", enum=enum) for enum in part.enums]
    sections += [renderer.render("docs/type.md.jinja", type=type_) for type_ in part.types]
    sections += [
        renderer.render("docs/function.md.jinja", function=function) for function in part.functions
    ]
    return sections
