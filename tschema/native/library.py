"""The library of a package, made from its declarations.

In: a project and a compiler.  Out: the library and its `schema.json`, in place only when all of it
succeeded.  The project's own files are read, never written.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path, PurePosixPath

from msgspec import Struct

from tschema.adoption.plan import Plan, Progress, Request, make_plan
from tschema.diagnostics.errors import Diagnostic, SchemaError, schema_error
from tschema.ir import codec
from tschema.ir.locate import Locator
from tschema.ir.model import Schema
from tschema.native.compiler import CompileError, Compiler
from tschema.native.project import MADE_UP
from tschema.output import files as output
from tschema.project.config import Config, CppTarget
from tschema.regions.merge import HandEdit
from tschema.verify import check_library, missing_body, required_bodies

_SUFFIXES = (".cc", ".cpp", ".cxx")
_SCHEMA_NAME = "schema.json"
_BUILD_INFO_NAME = "tschema-build.json"


class BuildRequest(Struct, frozen=True):
    """A request to build a library."""

    config: Config
    """A project with a C++ target in files of its own."""
    output: Path
    """The library."""
    sources: tuple[Path, ...] = ()
    """C++ files that people wrote, and folders of them."""
    keep: Path | None = None
    """Where to leave the generated C++ and the objects; nowhere if None."""
    jobs: int = 1


class Built(Struct, frozen=True):
    """The result of a build."""

    library: Path
    schema: Path
    warnings: tuple[Diagnostic, ...]
    edits: tuple[HandEdit, ...] = ()
    """Hand edits of generated text; nothing was built where there are any."""


def build_library(request: BuildRequest, compiler: Compiler, progress: Progress) -> Built:
    """
    Build the library of a package.

    Parameters
    ----------
    request
        The sources, the library and the configuration.

    Returns
    -------
    built
        The library, and the JSON IR beside it, which `load_types` takes.

    Raises
    ------
    SchemaError
        The declarations are wrong, something that they declare is not defined, or the library does
        not register a declaration.
    CompileError
        The compiler refused a source, or the linker.
    OutputError
        A file cannot be written.
    """
    schema_path = request.output.with_name(_SCHEMA_NAME)
    _check_free(schema_path, request.config.package)
    sources = list(_find_sources(request.sources))
    with _workplace(request.keep) as folder:
        plan = _generate(request.config, folder, progress)
        if plan.edits:
            return Built(request.output, schema_path, plan.warnings, plan.edits)
        data = plan.files[request.config.ir]
        schema = codec.decode(data, str(request.config.ir))
        library = _compile(request, compiler, folder, sources, schema, progress)
        progress("checking the library")
        found = [*check_library(schema, library, Locator(request.config.root, schema))]
        if found:
            raise SchemaError(found)
        _publish(request.output, library.read_bytes(), data)
    return Built(request.output, schema_path, plan.warnings)


@contextmanager
def _workplace(keep: Path | None) -> Iterator[Path]:
    """Give a folder to build in, which goes away afterwards unless it is to be kept."""
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        yield keep.absolute()
        return
    with tempfile.TemporaryDirectory(prefix="tschema-build-") as folder:
        yield Path(folder)


def _cpp(config: Config) -> CppTarget:
    assert isinstance(config.cpp, CppTarget)
    return config.cpp


def _generate(config: Config, folder: Path, progress: Progress) -> Plan:
    """Write the C++ into a folder, with the custom regions that the project's own files have."""
    target = _cpp(config)
    for path in () if target is MADE_UP else (target.include, target.source):
        if (config.root / path).is_dir() and folder != config.root:
            shutil.copytree(config.root / path, folder / path, dirs_exist_ok=True)
    plan = make_plan(Request(config, frozenset({"cpp"}), out_dir=folder), progress)
    if not plan.edits:
        output.write(folder, plan.files, plan.changes)
    return plan


def _find_sources(paths: tuple[Path, ...]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(one for one in path.rglob("*") if one.suffix in _SUFFIXES)
        elif path.is_file():
            yield path
        else:
            raise schema_error("TS052", f"there is no source `{path}`")


def _compile(
    request: BuildRequest,
    compiler: Compiler,
    folder: Path,
    sources: list[Path],
    schema: Schema,
    progress: Progress,
) -> Path:
    """Compile and link in the folder; return the library."""
    target = _cpp(request.config)
    generated = sorted((folder / target.source).rglob("*.cc"))
    objects = folder / "objects"
    objects.mkdir(exist_ok=True)
    progress("compiling")
    includes = [folder / target.include, *sorted({path.parent for path in sources})]
    files = [*generated, *(path.absolute() for path in sources)]
    made = compiler.compile(files, objects, includes, request.jobs)
    progress("linking")
    library = folder / request.output.name
    try:
        compiler.link(made, library)
    except CompileError as error:
        missing = [*_missing_bodies(error.text, schema, request.config)]
        if missing:
            raise SchemaError(missing) from error
        raise
    return library


_UNDEFINED = re.compile(r"undefined (?:reference to|symbol:) [`']?([\w:~]+)\(")


def _missing_bodies(text: str, schema: Schema, config: Config) -> Iterator[Diagnostic]:
    """Yield the declared functions that the linker missed."""
    missed = set(_UNDEFINED.findall(text))
    locator = Locator(config.root, schema)
    for space in schema.namespaces:
        for body in required_bodies(space, schema):
            if body.name in missed:
                help = f"write `{body.name}` in a C++ file, and name that with `--source`"
                yield missing_body(body, locator, help)


def _check_free(schema_path: Path, package: str) -> None:
    """Refuse to replace the `schema.json` of another package."""
    try:
        found = json.loads(schema_path.read_bytes())["package"]
    except FileNotFoundError:
        return
    except (OSError, ValueError, KeyError, TypeError):
        found = None
    if found != package:
        whose = f"is that of package `{found}`" if found else "was not generated by tschema"
        message = f"`{schema_path}` {whose}, and would be overwritten"
        help = "put the library into a folder of its own"
        raise schema_error("TS066", message, help)


def _publish(library: Path, code: bytes, schema: bytes) -> None:
    """Write the library and what belongs to it into its folder."""
    files = {PurePosixPath(library.name): code, PurePosixPath(_SCHEMA_NAME): schema}
    if _may_describe(library.parent):
        files[PurePosixPath(_BUILD_INFO_NAME)] = _build_info()
    old = output.read_outputs(library.parent, files) if library.parent.is_dir() else {}
    output.write(library.parent, files, output.compare(files, old))
    os.chmod(library, 0o755 & ~_umask())


def _may_describe(folder: Path) -> bool:
    """Return whether no other build system describes its build in a folder."""
    try:
        found = json.loads((folder / _BUILD_INFO_NAME).read_bytes())
    except (OSError, ValueError):
        return True
    return isinstance(found, dict) and found.get("sources") is None


def _build_info() -> bytes:
    """Return what loaders compare with the version of tvm-ffi that is installed."""
    content = {"version": 1, "tvm_ffi": metadata.version("apache-tvm-ffi"), "sources": None}
    return (json.dumps(content, indent=2) + "\n").encode()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
