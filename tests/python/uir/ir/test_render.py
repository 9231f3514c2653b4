"""Diagnostics as text: the place underlined, in the source or in the script."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import tvm_ffi

from uir.ir import Diagnostic, Note, Severity, SourceMap, SourceName, Span, render_diagnostics
from uir.ir import source_map as sources_of_process
from uir.tir import Var

TEXT = "def f(a):\n\tä = a + b\n    return (a +\n            b)\n"


def span(line: int, column: int, end_line: int = 0, end_column: int = 0) -> Span:
    return Span(SourceName("f.py"), line, column, end_line, end_column)


@pytest.fixture
def sources() -> SourceMap:
    """Return a map with one source."""
    return SourceMap({"f.py": TEXT})


def render(sources: SourceMap, *diagnostics: Diagnostic) -> list[str]:
    return render_diagnostics(diagnostics, sources).splitlines()


def test_nothing_to_say(sources: SourceMap) -> None:
    assert render(sources) == []


def test_a_span_is_underlined(sources: SourceMap) -> None:
    diagnostic = Diagnostic(
        "`b` is not defined",
        span=span(2, 10, 2, 11),
        notes=[Note("parameters are here", span=span(1, 7, 1, 8))],
        help="add a parameter",
    )
    assert render(sources, diagnostic) == [
        "f.py:2:10: error: `b` is not defined",
        "   2 | \tä = a + b",
        "     | \t        ^",
        "  f.py:1:7: note: parameters are here",
        "   1 | def f(a):",
        "     |       ^",
        "  help: add a parameter",
    ]


def test_a_span_of_several_lines_is_underlined_to_the_end_of_the_first(sources: SourceMap) -> None:
    assert render(sources, Diagnostic("odd", Severity.WARNING, span=span(3, 12, 4, 15))) == [
        "f.py:3:12: warning: odd",
        "   3 |     return (a +",
        "     |            ^^^^",
    ]


def test_unknown_columns_and_lines(sources: SourceMap) -> None:
    assert render(sources, Diagnostic("odd", span=span(1, 0))) == [
        "f.py:1: error: odd",
        "   1 | def f(a):",
    ]
    assert render(sources, Diagnostic("odd", span=span(9, 1))) == ["f.py:9:1: error: odd"]
    assert render(sources, Diagnostic("odd", span=span(0, 0))) == ["f.py: error: odd"]


def test_the_span_of_a_node_is_its_place(sources: SourceMap) -> None:
    node = Var("b", "int32", span=span(2, 10, 2, 11))
    assert render(sources, Diagnostic("odd", node=node))[0] == "f.py:2:10: error: odd"


def test_the_map_of_the_process() -> None:
    sources_of_process().add("process.py", "x = 1\r\ny = 2")
    assert sources_of_process().line("process.py", 1) == "x = 1"
    assert sources_of_process().line("process.py", 3) is None
    assert sources_of_process().line("other.py", 1) is None
    at = Span(SourceName("process.py"), 2, 1)
    assert render_diagnostics([Diagnostic("odd", span=at)]).splitlines()[1] == "   2 | y = 2"


@pytest.fixture
def underline() -> Iterator[list[tuple[object, list[tvm_ffi.Object], list[str]]]]:
    """Stand in for the printer, and gather what it is called with."""
    calls: list[tuple[object, list[tvm_ffi.Object], list[str]]] = []

    def script(root: object, nodes: list[tvm_ffi.Object], messages: list[str]) -> str:
        calls.append((root, list(nodes), list(messages)))
        return "the script"

    name = "uir.script.underline"
    real = tvm_ffi.get_global_func(name, allow_missing=True)
    tvm_ffi.register_global_func(name, script, override=True)
    yield calls
    if real is None:
        tvm_ffi.registry.remove_global_func(name)
    else:
        tvm_ffi.register_global_func(name, real, override=True)


def test_nodes_of_one_root_are_underlined_in_one_script(
    sources: SourceMap, underline: list[tuple[object, list[tvm_ffi.Object], list[str]]]
) -> None:
    a, b, root = Var("a"), Var("b"), Var("root")
    found = [Diagnostic("bad a", node=a, root=root), Diagnostic("bad b", node=b, root=root)]
    assert render(sources, *found, Diagnostic("alone", node=a)) == [
        "error: bad a",
        "error: bad b",
        "the script",
        "error: alone",
        "the script",
    ]
    (one, nodes, messages), (alone, _, _) = underline
    assert one is root or root.same_as(one)
    assert [node.same_as(other) for node, other in zip(nodes, (a, b), strict=True)] == [True, True]
    assert messages == ["bad a", "bad b"]
    assert a.same_as(alone)


def test_of_a_long_line_the_part_around_the_carets_is_shown() -> None:
    sources = SourceMap()
    sources.add("long.py", "x" * 100 + "wrong" + "y" * 400)
    at = Span(SourceName("long.py"), 1, 101, 1, 106)
    _, line, carets = render(sources, Diagnostic("odd", span=at))
    assert line == "   1 | ..." + "x" * 60 + "wrong" + "y" * 135 + "..."
    assert carets == "     |    " + " " * 60 + "^^^^^"
