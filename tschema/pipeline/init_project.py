"""The start of tschema in an existing repository: its configuration, and its build's needs.

In: a `Repository`.  Out: the text of `tschema.toml`, and lines for the user to add.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import PurePosixPath

from msgspec import Struct

from tschema.emit.render import Renderer
from tschema.pipeline.repository import BuildSystem, Repository

_SCHEMA = ("schema", "declarations", "tschema_schema")


class Start(Struct, frozen=True):
    """The first configuration of a repository, and its next steps."""

    config: str
    """The text of `tschema.toml`."""
    schema: PurePosixPath
    """The folder of schema files."""
    steps: tuple[str, ...]
    """The remaining steps, a paragraph each."""


def start_in(repository: Repository, package: str) -> Start:
    """
    Return the first configuration of a repository, and its next steps.

    Parameters
    ----------
    package
        First part of its type keys.
    """
    schema = next((name for name in _SCHEMA if name not in repository.taken), _SCHEMA[-1])
    roots = [name for name in repository.packages() if name != package]
    config = Renderer().render(
        "init/tschema.toml.jinja",
        package=package,
        roots=_listed(roots),
        schema=schema,
        headers=_listed([*repository.header_patterns()]),
        sidecar=str((repository.sources or PurePosixPath("src")) / "tschema"),
        namespaces=[
            f"{json.dumps(prefix)} = {json.dumps(name)}"
            for prefix, name in repository.namespaces().items()
        ],
        python=str(repository.python.parent / "generated") if repository.python else "",
        crate=str(repository.crate / "src/generated") if repository.crate else "",
    )
    return Start(config, PurePosixPath(schema), tuple(_steps(repository, schema)))


def _listed(values: list[str]) -> str:
    return json.dumps(values) if values else ""


def _steps(repository: Repository, schema: str) -> Iterator[str]:
    """Yield the user's next steps."""
    if repository.classes:
        yield _import_step(repository, schema)
        yield "put blocks around the classes, by lines that are added:\n    tschema gen --adopt"
    else:
        yield f"declare a first class in `{schema}`, and generate code:\n    tschema gen"
    for system in repository.build_systems:
        if system != "pyproject" or len(repository.build_systems) == 1:
            yield _RECIPES[system].format(library=repository.library or "TARGET")


def _import_step(repository: Repository, schema: str) -> str:
    """Return the command that declares the existing classes, and which works as it is printed."""
    headers = [*map(str, repository.code_folders()), *map(str, repository.dependencies)]
    command = f"tschema import --headers {shlex.join(headers)}"
    if repository.dependencies:
        # The classes of others are their own.
        command += "".join(f" --key {name}" for name in repository.packages())
    if repository.built is not None:
        command += f" --registry {shlex.quote(str(repository.built))}"
        where = "from headers and sources and the built library"
        return f"declare the existing classes in `{schema}`, {where}:\n    {command}"
    library = f"build/lib{repository.library or repository.packages()[0]}.so"
    return (
        f"declare the existing classes in `{schema}`, from headers and sources:\n    {command}\n"
        f"once the library is built, add `--registry {library}`: it knows signatures of lambdas"
    )


_RECIPES: dict[BuildSystem, str] = {
    "cmake": """\
add to CMakeLists.txt, and configure with `cmake -S . -B build $(tschema cmake-args)`:
    find_package(tschema REQUIRED)
    target_link_libraries({library} PUBLIC tschema::tschema)
    tschema_generate(TARGET {library} CONFIG tschema.toml)""",
    "make": """\
add to the Makefile, and compile the sources of the sidecar too:
    CPPFLAGS += $(shell tschema cxx-args)
    LDLIBS += $(shell tschema link-args)
    $(shell tschema gen)""",
    "cargo": """\
add the crates `tschema` and `tvm-ffi` to Cargo.toml, and a `build.rs` that runs
    tschema gen --lang rust
docs/teams/build-systems.md has one that tells Cargo the inputs""",
    "scikit-build": """\
add `tschema` to `requires` of `[build-system]` in pyproject.toml: CMake finds it there""",
    "pyproject": """\
check in continuous integration that the generated files are up to date:
    tschema gen --check""",
}
"""The lines that the user adds to a build system."""
