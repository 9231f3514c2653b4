"""The import arrows of the design, in three languages: any other arrow fails.

A layer is a folder (or module) below a language's root. The tables hold the direct arrows; whatever
a layer reaches through them it may import too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]

Arrows = Mapping[str, frozenset[str]]


def arrows(text: str) -> Arrows:
    """Read lines of `layer -> layer layer ...`; a layer with many targets has several."""
    table: dict[str, frozenset[str]] = {}
    for line in text.strip().splitlines():
        layer, targets = line.split("->")
        table[layer.strip()] = table.get(layer.strip(), frozenset()) | frozenset(targets.split())
    return table


# `root` stands for the files directly below a root, which put the layers together.
UIR = arrows("""
    root      -> driver script testing tuning viz
    viz       -> relay
    testing   -> transform arith script
    __main__  -> commands
    commands  -> driver frontend quantization script testing tuning lsp
    lsp       -> script
    quantization -> frontend
    tuning    -> driver
    frontend  -> driver relay tir
    driver    -> transform schedule
    schedule  -> transform tir arith
    transform -> target relay te tir arith
    script    -> relay te tir arith
    arith     -> tir
    target    -> tir
    te        -> tir arith
    relay     -> ir
    tir       -> ir
    ir        -> runtime
    runtime   -> tschema
    tschema   ->
""")

# `_lib` of uir_nodes is the only loader.
UIR_PYTHON = {
    **UIR,
    # Candidates for misspelt names.
    "transform": UIR["transform"] | {"tschema.command_line"},
    "tschema.command_line": frozenset[str](),
    "quantization": UIR["quantization"] | {"tschema.command_line"},
    # Explanations of codes.
    "commands": UIR["commands"] | {"tschema.command_line", "tschema.diagnostics"},
    # What both language servers share: positions and tokens of the protocol.
    "lsp": UIR["lsp"] | {"tschema.diagnostics", "tschema.lsp"},
    "tschema.diagnostics": frozenset[str](),
    "tschema.lsp": frozenset[str](),
    "runtime": frozenset({"_lib"}),
    "_lib": frozenset({"tschema.runtime"}),
    "tschema.runtime": frozenset[str](),
}

TSCHEMA = arrows("""
    __main__        -> cli
    cli             -> native incremental command_line lsp
    lsp             -> adoption compatibility
    native          -> adoption
    adoption        -> importer
    importer        -> editing
    editing         -> conflicts verify
    conflicts       -> pipeline
    compatibility   -> pipeline
    verify          -> backends.cpp regions
    pipeline        -> frontend passes backends regions output
    frontend        -> ir incremental
    passes          -> ir
    backends        -> backends.cpp backends.python backends.rust backends.docs
    backends.cpp    -> backends.base
    backends.python -> backends.base
    backends.rust   -> backends.base
    backends.docs   -> backends.base
    backends.base   -> emit ir project
    emit            -> incremental
    regions         -> ir
    output          -> incremental
    incremental     -> project
    ir              -> diagnostics
    project         -> diagnostics ffi_groups platforms root
    diagnostics     -> command_line
    testing         -> ir
    runtime         -> ffi_groups platforms
    ffi_groups      ->
    platforms       ->
    command_line    ->
    root            ->
""")

TOOLS = frozenset({"importer", "editing", "compatibility", "conflicts", "adoption", "lsp"})
"""The layers that read and edit code that people own; the commands are above them."""


class Import(NamedTuple):
    """One import: where it stands, the layer there, and the layer that it names."""

    place: str
    layer: str
    target: str


def closure(table: Arrows, layer: str) -> frozenset[str]:
    """Return the layer and all that it may import."""
    direct = table.get(layer, frozenset())
    return frozenset({layer}).union(*(closure(table, target) for target in direct))


def forbidden(table: Arrows, imports: Iterable[Import]) -> list[str]:
    """Return a line for each import that the table does not allow."""
    allowed = cache(lambda layer: closure(table, layer) if layer in table else frozenset[str]())
    return [
        f"{found.place}: {found.layer} -> {found.target}"
        for found in imports
        if found.target not in allowed(found.layer)
    ]


def sources(root: str, *suffixes: str) -> Iterator[Path]:
    """Yield the files below a folder of the repository."""
    for path in sorted((ROOT / root).rglob("*")):
        if path.suffix in suffixes:
            yield path


def layer_below(root: Path, path: Path) -> str:
    """Return the layer of a file: the first folder below the root, or the module's own name."""
    first = path.relative_to(root).parts[0]
    return first if (root / first).is_dir() else module_layer(Path(first).stem)


def module_layer(stem: str) -> str:
    """Return the layer of a module directly below a root."""
    names = {"__init__": "root", "lib": "root", "mod": "root"}
    return names.get(stem, stem)


# Python


def python_imports(module: str, text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the full name of everything that a module imports."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = module.split(".")[: -node.level] if node.level else []
            base = ".".join([*parents, *filter(None, [node.module])])
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def module_name(root: Path, path: Path) -> str:
    """Return a name whose last part is dropped by a relative import of level 1."""
    return ".".join(path.relative_to(root).with_suffix("").parts)


def uir_layer(name: str) -> str | None:
    """Return the layer that a full Python name of the compiler core belongs to."""
    package, _, rest = name.partition(".")
    if package == "tschema":
        part = rest.partition(".")[0]
        return f"tschema.{part}" if f"tschema.{part}" in UIR_PYTHON else name
    if package not in ("uir", "uir_nodes"):
        return None
    return rest.partition(".")[0] or "root"


def uir_python(root: str) -> Iterator[Import]:
    """Yield the imports of the compiler core's Python."""
    for path in sources(root, ".py"):
        layer = layer_below(ROOT / root, path)
        name = module_name((ROOT / root).parent, path)
        for line, target in python_imports(name, path.read_text()):
            target_layer = uir_layer(target)
            if target_layer is not None:
                yield Import(f"{path.relative_to(ROOT)}:{line}", layer, target_layer)


def tschema_layer(name: str) -> str:
    """Return the longest layer of the generator that a full name lies in."""
    parts = name.split(".")[1:]
    known = (".".join(parts[:length]) for length in (2, 1))
    return next((layer for layer in known if layer in TSCHEMA), "root")


def tschema_python() -> Iterator[Import]:
    """Yield the imports that the generator's modules make of each other."""
    for path in sources("tschema", ".py"):
        name = module_name(ROOT, path)
        for line, target in python_imports(name, path.read_text()):
            if target.partition(".")[0] == "tschema":
                place = f"{path.relative_to(ROOT)}:{line}"
                yield Import(place, tschema_layer(name), tschema_layer(target))


def schema_python() -> Iterator[Import]:
    """Yield the imports that schema files make of each other."""
    for path in sources("schema", ".py"):
        layer = layer_below(ROOT / "schema", path)
        for line, target in python_imports("schema", path.read_text()):
            if target.startswith("schema."):
                yield Import(f"{path.relative_to(ROOT)}:{line}", layer, target.split(".")[1])


# C++

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"](uir|tschema)/([^>"]+)[>"]', re.MULTILINE)


def cpp_targets(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the layer of every header of ours that a text includes."""
    for match in INCLUDE.finditer(text):
        folder, _, rest = match[2].partition("/")
        layer = "tschema" if match[1] == "tschema" else folder if rest else Path(folder).stem
        yield text.count("\n", 0, match.start()) + 1, layer


def cpp_includes(root: str, layer: str | None = None) -> Iterator[Import]:
    """Yield the includes below a folder, whose layers are its folders if none is given."""
    for path in sources(root, ".h", ".cc"):
        own_layer = layer or cpp_layer(ROOT / root, path)
        for line, target in cpp_targets(path.read_text()):
            yield Import(f"{path.relative_to(ROOT)}:{line}", own_layer, target)


def cpp_layer(root: Path, path: Path) -> str:
    """Return the folder below the root; a file directly there may include every layer."""
    first = path.relative_to(root).parts[0]
    return first if (root / first).is_dir() else "root"


# Rust

RUST_PATH = re.compile(r"(?<![\w:])(crate|uir|super(?:::super)*)::(\{|\w+)")
RUST_NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"', re.DOTALL)


def rust_targets(module: str, text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the layer of every path into the crate `uir`.

    Parameters
    ----------
    module
        The module that the text is: `ir::expr`; empty for the crate's root.
    text
        Rust; paths in comments and strings do not count.
    """
    code = RUST_NOISE.sub(lambda noise: re.sub(r"[^\n]", " ", noise[0]), text)
    for match in RUST_PATH.finditer(code):
        line = code.count("\n", 0, match.start()) + 1
        parents = parent_module(module, match[1])
        names = group_heads(code, match.end()) if match[2] == "{" else [match[2]]
        for name in names:
            yield line, parents[0] if parents else name


def parent_module(module: str, start: str) -> list[str]:
    """Return the module that `crate`, `uir` or a chain of `super` stands for."""
    parts = module.split("::") if module else []
    return parts[: -start.count("super")] if start.startswith("super") else []


def group_heads(code: str, start: int) -> list[str]:
    """Return the first name of each item of a `{...}` group, which opens before `start`."""
    depth, end = 1, start
    while depth:
        depth += {"{": 1, "}": -1}.get(code[end], 0)
        end += 1
    flat = code[start : end - 1]
    while "{" in flat:
        flat = re.sub(r"\{[^{}]*\}", "", flat)
    return re.findall(r"(?:^|,)\s*(\w+)", flat)


def rust_paths(root: str) -> Iterator[Import]:
    """Yield the paths into `uir` of the modules below a folder."""
    for path in sources(root, ".rs"):
        parts = [*path.relative_to(ROOT / root).with_suffix("").parts]
        module = "::".join(parts[:-1] if parts[-1] in ("mod", "lib") else parts)
        layer = module.partition("::")[0] or "root"
        for line, target in rust_targets(module, path.read_text()):
            if layer != "root":
                yield Import(f"{path.relative_to(ROOT)}:{line}", layer, target)


@pytest.mark.parametrize("root", ["python/uir", "generated/python/uir_nodes"])
def test_python_of_uir(root: str) -> None:
    assert forbidden(UIR_PYTHON, uir_python(root)) == []


def test_generated_python_works_without_uir() -> None:
    named = [
        f"{path.relative_to(ROOT)}:{line}: {target}"
        for path in sources("generated/python", ".py")
        for line, target in python_imports(
            module_name(ROOT / "generated/python", path), path.read_text()
        )
        if target.partition(".")[0] == "uir"
    ]
    assert named == []


def test_schema() -> None:
    assert forbidden(UIR, schema_python()) == []


def test_tschema() -> None:
    assert forbidden(TSCHEMA, tschema_python()) == []


def test_tschema_knows_no_compiler() -> None:
    named = [
        f"{path.relative_to(ROOT)}:{line}: {target}"
        for path in sources("tschema", ".py")
        for line, target in python_imports(module_name(ROOT, path), path.read_text())
        if target.partition(".")[0] in ("uir", "uir_nodes", "schema")
    ]
    assert named == []


@pytest.mark.parametrize(
    "root",
    ["cpp/include/uir", "cpp/src/uir", "generated/cpp/include/uir", "generated/cpp/src"],
)
def test_cpp_of_uir(root: str) -> None:
    assert forbidden(UIR, cpp_includes(root)) == []


@pytest.mark.parametrize("root", ["cpp/include/tschema", "cpp/src/tschema"])
def test_cpp_of_tschema(root: str) -> None:
    assert forbidden(UIR, cpp_includes(root, layer="tschema")) == []


@pytest.mark.parametrize("root", ["rust/uir/src", "generated/rust"])
def test_rust_of_uir(root: str) -> None:
    assert forbidden(UIR, rust_paths(root)) == []


def test_rust_of_tschema_knows_no_compiler() -> None:
    named = [
        f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, match.start()) + 1}"
        for path in sources("rust/tschema", ".rs")
        for text in [path.read_text()]
        for match in re.finditer(r"\buir::|extern crate uir", RUST_NOISE.sub("", text))
    ]
    assert named == []


def test_every_root_has_sources() -> None:
    """A renamed folder must not turn the tests above into tests of nothing."""
    roots = ["python/uir", "generated/python/uir_nodes", "schema", "tschema", "cpp/src/uir"]
    roots += ["generated/cpp/src", "generated/cpp/include/uir", "cpp/src/tschema"]
    roots += ["rust/uir/src", "generated/rust", "rust/tschema"]
    suffixes = (".py", ".h", ".cc", ".rs")
    assert [root for root in roots if not any(sources(root, *suffixes))] == []


@pytest.mark.parametrize(
    ("layer", "target"),
    [("ir", "tir"), ("tir", "relay"), ("relay", "tir"), ("target", "transform"), ("te", "relay")],
)
def test_uir_refuses(layer: str, target: str) -> None:
    assert forbidden(UIR, [Import("x:1", layer, target)]) == [f"x:1: {layer} -> {target}"]


def test_siblings_of_tschema_are_refused() -> None:
    siblings = ["frontend", "passes", "render", "regions", "format", "output"]
    pairs = [(one, other) for one in siblings for other in siblings if one != other]
    found = [Import("x:1", one, other) for one, other in pairs]
    assert len(forbidden(TSCHEMA, found)) == len(pairs)


def test_the_generator_may_import_no_tool() -> None:
    generator = closure(TSCHEMA, "verify") | closure(TSCHEMA, "pipeline")
    pairs = [(layer, tool) for layer in generator for tool in TOOLS]
    found = [Import("x:1", layer, tool) for layer, tool in pairs]
    assert {"frontend", "passes", "backends.cpp", "emit", "regions", "output"} < generator
    assert len(forbidden(TSCHEMA, found)) == len(pairs)


@pytest.mark.parametrize("tool", sorted(TOOLS))
def test_a_tool_may_import_the_generator(tool: str) -> None:
    assert {"pipeline", "passes", "regions"} < closure(TSCHEMA, tool)


def test_python_import_is_found() -> None:
    text = "from ..tir.expr import Add\nimport uir.ir\nfrom . import _ffi_api\n"
    assert [*python_imports("uir_nodes.ir.expr", text)] == [
        (1, "uir_nodes.tir.expr.Add"),
        (2, "uir.ir"),
        (3, "uir_nodes.ir._ffi_api"),
    ]


def test_cpp_include_is_found() -> None:
    text = '#include <uir/tir/expr.h>\n#include "uir/ir/expr.h"\n#include <tschema/registry.h>\n'
    assert [*cpp_targets(text)] == [(1, "tir"), (2, "ir"), (3, "tschema")]


def test_rust_path_is_found() -> None:
    text = """
use super::super::tir::expr::Add;
use crate::{ir::{expr::X, span}, tir};
// crate::relay is only named here
pub fn f(x: uir::te::Tensor, y: super::span::Span) {}
"""
    found = [*rust_targets("ir::expr", text)]
    assert found == [(2, "tir"), (3, "ir"), (3, "tir"), (5, "te"), (5, "ir")]
