"""The arrows inside the C++ libraries and the crate `tschema`; no cycle of files in any language.

A layer of C++ is a folder below `cpp/src/<library>`. Public headers are flat, since emitted code
includes them: each lies in the layer of the source of its name, or in that which `HEADERS` names.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .support import file_graphs
from .support.file_graphs import Graph, cpp_graph, cycles, python_graph, rust_graph
from .support.project import ROOT
from .test_layers import Arrows, Import, arrows, forbidden

LIBTSCHEMA = arrows("""
    dynamic          -> registration
    registration     -> traversal
    serialize/binary -> serialize/json
    serialize/json   -> serialize
    serialize        -> structural
    traversal        -> structural
    structural       -> reflection
    reflection       -> support
    support          ->
""")

SCRIPT = arrows("""
    root   -> tvm build
    tvm    -> build
    build  -> print
    print  -> syntax
    syntax ->
""")

TRANSFORM = arrows("""
    pass      -> lower_ops rewrite infra
    lower_ops -> rewrite
    rewrite   -> analysis
    analysis  ->
    infra     ->
""")

ARITH = arrows("""
    rules -> root
    root  ->
""")

CPP = {
    "tschema": LIBTSCHEMA,
    "uir/script": SCRIPT,
    "uir/transform": TRANSFORM,
    "uir/arith": ARITH,
}

HEADERS = {
    "tschema": {
        "deep_construction": "registration",
        "default_construction": "registration",
        "enum": "support",
        "foreign_members": "registration",
        "hooks": "registration",
        "layout_of": "support",
        "object_pool": "support",
        "pointer_map": "support",
        "post_init": "registration",
        "registration_error": "support",
        "structural": "structural",
        "tvm_ffi_compat": "support",
        "type_filter": "traversal",
        "value_check": "support",
    },
    "uir/script": {"syntax": "syntax", "text": "syntax"},
    "uir/transform": {
        "flat_seq": "rewrite",
        "linear_visitor": "analysis",
        "linear_mutator": "rewrite",
        "node_copy": "rewrite",
        "pass": "infra",
        "pass_config": "infra",
        "pass_kind": "infra",
        "pass_registry": "infra",
        "substitute": "rewrite",
    },
    "uir/arith": {"constraint": "root", "data": "root", "deduce_bound": "root"},
}

CRATE = arrows("""
    reflect      -> call values
    rewrite      -> call mutable tuple union values witness
    replacements -> cast
    object       -> structural
    structural   -> call
    load_types   -> call
    arguments    -> call
    check        -> call
    cases        -> cast
    values       -> cast dict
    witness      -> cast
    convert      -> dict
    dict         -> container
    tuple        -> container
    union        -> container
    mutable      -> container
    container    -> call
    call         -> backtrace cast
    cast         -> type_table
    type_table   ->
    int_enum     -> container
    layout       ->
    opaque       ->
    backtrace    ->
    operand      ->
    stack        ->
    walk         ->
""")

GRAPHS = {
    "cpp": cpp_graph,
    "the crate tschema": lambda: rust_graph("rust/tschema/src"),
    "the crate uir": lambda: rust_graph("rust/uir/src", "generated/rust"),
    "tschema": lambda: python_graph("tschema"),
    "uir": lambda: python_graph("python/uir", "generated/python/uir_nodes"),
}


def cpp_layers(library: str) -> dict[Path, str]:
    """Return the layer of each source and public header of a library."""
    root = ROOT / "cpp/src" / library
    sources = sorted(path for path in root.rglob("*") if path.suffix in (".h", ".cc"))
    layers = {
        path: path.parent.relative_to(root).as_posix().replace(".", "root") for path in sources
    }
    of_stem = {path.stem: layer for path, layer in layers.items() if path.suffix == ".cc"}
    of_stem |= HEADERS[library]
    for path in (ROOT / "cpp/include" / library).glob("*.h"):
        layers[path] = of_stem[path.stem]
    return layers


def named(graph: Graph, layers: dict[Path, str]) -> Iterator[Import]:
    """Yield what files of known layers name of each other."""
    for path, layer in layers.items():
        for target, line in graph[path].items():
            if target in layers:
                yield Import(f"{path.relative_to(ROOT)}:{line}", layer, layers[target])


@pytest.mark.parametrize("library", CPP)
def test_cpp(library: str) -> None:
    assert forbidden(CPP[library], named(cpp_graph(), cpp_layers(library))) == []


@pytest.mark.parametrize("library", CPP)
def test_every_layer_of_cpp_has_sources(library: str) -> None:
    assert set(cpp_layers(library).values()) == set(CPP[library])


def test_crate() -> None:
    graph = rust_graph("rust/tschema/src")
    layers = {path: path.stem for path in graph}
    assert set(layers.values()) == set(CRATE)
    assert forbidden(CRATE, named(graph, layers)) == []


@pytest.mark.parametrize("table", [*CPP.values(), CRATE])
def test_no_arrow_runs_in_a_circle(table: Arrows) -> None:
    assert cycles({Path(layer): map(Path, targets) for layer, targets in table.items()}) == []


@pytest.mark.parametrize("graph", GRAPHS)
def test_no_cycle_of_files(graph: str) -> None:
    found = GRAPHS[graph]()
    assert any(found.values())
    assert [[str(path.relative_to(ROOT)) for path in cycle] for cycle in cycles(found)] == []


def test_a_cycle_is_found() -> None:
    a, b, c = Path("a"), Path("b"), Path("c")
    assert cycles({a: [b], b: [c], c: [a]}) == [[a, b, c]]
    assert cycles({a: [b, c], b: [c], c: []}) == []


def test_rust_paths_are_found() -> None:
    text = "use crate::{call, ffi::{Any, X}};\nuse super::super::ir::expr::{A, B::C};\n"
    assert [*file_graphs.rust_paths(("tir", "expr"), text)] == [
        (1, ["call"]),
        (1, ["ffi"]),
        (2, ["ir", "expr", "A"]),
        (2, ["ir", "expr", "B", "C"]),
    ]


def test_imports_for_annotations_alone_are_passed_by() -> None:
    text = "from . import a\nif TYPE_CHECKING:\n    from . import b\ndef f():\n    import c\n"
    found = file_graphs.imported(["p"], file_graphs.ast.parse(text))
    assert [*found] == [(1, "p.a"), (5, "c")]
