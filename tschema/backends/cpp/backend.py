"""The C++ backend: a header and a source for each schema file, and one that registers all.

In: the JSON IR and the target's folders.  Out: unformatted files, custom regions empty.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from tschema.backends.base import OutputFile
from tschema.backends.cpp.files import file_view
from tschema.backends.cpp.view import FileView, TypeView
from tschema.config import CppTarget
from tschema.model import Namespace, Schema
from tschema.render import Renderer

__all__ = ["emit"]


def emit(schema: Schema, target: CppTarget, renderer: Renderer) -> list[OutputFile]:
    """Return the C++ files of a schema."""
    views = [file_view(space, schema) for space in schema.namespaces]
    files = []
    for space, view in zip(schema.namespaces, views, strict=True):
        source = target.source / _folder(space) / f"{space.file}.cc"
        files += [
            OutputFile(target.include / view.header, "cpp", _header(view, renderer)),
            OutputFile(source, "cpp", renderer.render("cpp/source.cc.jinja", file=view)),
        ]
    files.append(
        OutputFile(target.source / "registry.cc", "cpp", _registry(schema, views, renderer))
    )
    return files


def _folder(space: Namespace) -> PurePosixPath:
    """Return the folder of a namespace, without the package."""
    return PurePosixPath(*space.name.split(".")[1:])


def _header(view: FileView, renderer: Renderer) -> str:
    parts = [renderer.render("cpp/enum.h.jinja", enum=enum) for enum in view.enums]
    parts += [_classes(type_view, renderer) for type_view in view.types]
    return renderer.render("cpp/header.h.jinja", file=view, parts=parts)


def _classes(view: TypeView, renderer: Renderer) -> str:
    node = renderer.render("cpp/node.h.jinja", type=view, node=view.node)
    return node + "\n" + renderer.render("cpp/reference.h.jinja", ref=view.ref)


def _registry(schema: Schema, views: list[FileView], renderer: Renderer) -> str:
    return renderer.render(
        "cpp/registry.cc.jinja",
        files=views,
        package=schema.package,
        digest=schema.digest,
        sources=", ".join(sorted({view.source.partition("/")[0] for view in views})),
    )
