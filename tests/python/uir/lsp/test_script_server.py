"""`uir lsp` as a user meets it: errors as they are typed, types, definitions, an outline."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from uir import ir
from uir.commands import main

from ...support.editor import Editor
from ...support.process import run_python

TEXT = """\
@uir.script.ir_module
class Module:
    @tir.prim_func(private=True)
    def scaled(x: tir.float32) -> tir.float32:
        return x * 2.0

    @tir.prim_func
    def main(A: tir.Buffer((n, 4), "float32"), p: tir.handle("float32", "global")):
        n = tir.SizeVar("n", "int32")
        for i in range(n):
            for j in range(4):
                doubled: tir.float32 = Module.scaled(A[i, j], dtype="float32")
                A[i, j] = doubled + tir.exp(1.5)

    @relay.function
    def high(t: relay.Tensor((2, 3), "float32"), c: relay.Tensor((), "bool")):
        wide = relay.concatenate([t, t], axis=1)
        if c:
            out = relay.exp(wide)
        else:
            out = wide + 1.0
        return relay.negative(out)
"""


@pytest.fixture(scope="module")
def editor() -> Iterator[Editor]:
    made = Editor("uir")
    yield made
    made.close()


@pytest.fixture
def file(editor: Editor, tmp_path: Path) -> Path:
    path = tmp_path / "module.py"
    path.write_text(TEXT)
    editor.open(path)
    return path


SAME_SYMBOL = """\
    @tir.prim_func
    def other(x: tir.int32):
        tir.func_attr({"global_symbol": "main"})
        tir.evaluate(x)

    @relay.function
"""
WRONG = {
    "an unknown operator": ("relay.exp(", "relay.expp("),
    "an unknown variable": ("doubled +", "doubledd +"),
    "characters beyond ASCII": ("tir.exp(1.5)", 'tir.exp("😀", zz)'),
    "a wrong number of indices": ("A[i, j] = ", "A[i] = "),
    "no Python": ("range(n):", "range(n"),
    "several errors": ("(4):\n                doubled", "(4 + z):\n                doublet"),
    "a missing function": ("Module.scaled(", "Module.scale("),
    "a variable out of scope": ('main(A: tir.Buffer((n, 4), "float32")', "main(A: tir.handle"),
    "an argument of another type": ("A[i, j], dtype=", "i, dtype="),
    "two functions of one symbol": ("    @relay.function\n", SAME_SYMBOL),
}
HEAD = re.compile(
    r"^(?:error: )?(?:(?P<file>\S+):(?P<line>\d+):(?P<column>\d+): )?error: (?P<text>.*)"
)


@pytest.mark.parametrize(("old", "new"), WRONG.values(), ids=WRONG)
def test_diagnostics_are_those_of_the_command(
    editor: Editor, file: Path, capfd: pytest.CaptureFixture[str], old: str, new: str
) -> None:
    editor.type(file, old, new)
    editor.save(file)
    editor.until(lambda: bool(editor.shown.get(file)))
    capfd.readouterr()
    assert main(["opt", "--verify", str(file)]) == 1
    expected = said(capfd.readouterr().err)
    assert expected and of_editor(editor, file) == expected


def said(output: str) -> list[tuple[object, ...]]:
    """Return the line, the column, the width and the texts of each error that a command prints."""
    found: list[tuple[object, ...]] = []
    for line in output.splitlines():
        head = HEAD.match(line)
        if head is not None:
            place = (int(head["line"]), int(head["column"])) if head["line"] else None
            found.append((place, 0, head["text"]))
        elif set(line.strip()) <= {"|", " ", "^"} and "^" in line:
            found[-1] = (found[-1][0], line.count("^"), found[-1][2])
        elif line.startswith(("  help: ", "  note: ")):
            found[-1] = (*found[-1][:2], f"{found[-1][2]}\n{line.strip().removeprefix('note: ')}")
    return found


def of_editor(editor: Editor, file: Path) -> list[tuple[object, ...]]:
    lines = editor.texts[file].split("\n")
    return [of_diagnostic(one, lines) for one in editor.shown[file]]


def of_diagnostic(one: lsp.Diagnostic, lines: list[str]) -> tuple[object, ...]:
    start, end = one.range.start, one.range.end
    encoded = lines[start.line].encode("utf-16-le")
    column = len(encoded[: 2 * start.character].decode("utf-16-le")) + 1
    width = len(encoded[2 * start.character : 2 * end.character].decode("utf-16-le"))
    return (start.line + 1, column), max(width, 1), one.message


def test_a_repaired_text_has_no_diagnostics(editor: Editor, file: Path) -> None:
    editor.type(file, "relay.exp(", "relay.expp(")
    editor.until(lambda: bool(editor.shown.get(file)))
    editor.type(file, "relay.expp(", "relay.exp(")
    editor.until(lambda: editor.shown[file] == [])


TYPES = {
    "a parameter": ("x * 2.0", "x: tir.float32"),
    "a size": ("n):\n            for", 'n: tir.SizeVar("int32")'),
    "a size before its declaration": ("n, 4)", 'n: tir.SizeVar("int32")'),
    "a buffer": ("A[i, j] = ", 'A: tir.Buffer((n, 4), "float32")'),
    "a loop variable": ("j] = ", "j: tir.int32"),
    "a variable": ("doubled +", "doubled: tir.float32"),
    "a pointer": ("p: tir", 'p: ir.PointerType(ir.PrimType("float32"), "global")'),
    "a tensor": ("wide)", 'wide: relay.Tensor((2, 6), "float32")'),
    "a tensor after its branches": ("out)", 'out: relay.Tensor((2, 6), "float32")'),
    "a product": ("* 2.0", "x * 2.0: tir.float32"),
    "a function": ("scaled(A", "def scaled(x: tir.float32) -> tir.float32"),
    "a module": ("Module.scaled", "class Module"),
    "an operator": ("concatenate", "relay.concatenate(tensors: "),
}


@pytest.mark.parametrize(("place", "expected"), TYPES.values(), ids=TYPES)
def test_types_are_shown(editor: Editor, file: Path, place: str, expected: str) -> None:
    assert editor.hover(file, place).startswith(f"```python\n{expected}")


def test_types_stay_while_a_text_has_errors(editor: Editor, file: Path) -> None:
    editor.type(file, "relay.exp(", "relay.expp(")
    assert 'A: tir.Buffer((n, 4), "float32")' in editor.hover(file, "A[i, j] = ")
    editor.type(file, "for j in range(4):", "for j in range(4:")
    assert 'A: tir.Buffer((n, 4), "float32")' in editor.hover(file, "A[i, j] = ")


def test_names_of_packages_are_those_of_the_parser(editor: Editor, file: Path) -> None:
    found = editor.complete(file, "doubled + tir.")
    assert {"exp", "float32", "Buffer", "evaluate", "block"} < {*found}
    assert not {"StmtVisitor", "prim_func", "IRBuilder"} & {*found}
    relay = editor.complete(file, "wide = relay.con")
    assert relay["concatenate"].detail and relay["concatenate"].detail.startswith("(tensors: ")
    assert relay["concatenate"].documentation
    for package, names in (("tir", found), ("relay", relay)):
        operators = (str(one).split(".") for one in ir.list_op_names())
        assert {one[1] for one in operators if one[0] == package and len(one) == 2} <= {*names}


def test_names_of_the_text_are_offered(editor: Editor, file: Path) -> None:
    assert {*editor.complete(file, "A[i, j] = ")} >= {
        "A",
        "n",
        "i",
        "j",
        "doubled",
        "Module",
        "tir",
    }
    assert not {"x", "wide", "t"} & {*editor.complete(file, "A[i, j] = ")}
    assert {*editor.complete(file, "doubled: tir.float32 = Module.")} == {"scaled", "main", "high"}
    assert editor.complete(file, 'dtype="') == {}


def test_a_line_that_does_not_parse_is_completed(editor: Editor, file: Path) -> None:
    editor.type(file, "relay.negative(out)", "relay.neg")
    editor.type(file, "out = relay.exp(wide)", "out = relay.exp(wi")
    assert "negative" in editor.complete(file, "return relay.neg")
    assert {"wide", "t", "c"} <= {*editor.complete(file, "out = relay.exp(wi")}


MEANINGS = {
    "a use": ("doubled +", "module.py:12: doubled"),
    "the innermost variable": ("j] = ", "module.py:11: j"),
    "a parameter": ("A[i, j] = ", "module.py:8: A"),
    "a declaration below its use": ("n, 4)", "module.py:9: n"),
    "a function": ("scaled(A", "module.py:4: scaled"),
    "a module": ("Module.scaled", "module.py:2: Module"),
    "the last branch": ("out)", "module.py:21: out"),
}


@pytest.mark.parametrize(("place", "expected"), MEANINGS.values(), ids=MEANINGS)
def test_names_lead_to_their_definitions(
    editor: Editor, file: Path, place: str, expected: str
) -> None:
    assert editor.definition(file, place) == [expected]


def test_an_operator_has_no_definition_in_the_text(editor: Editor, file: Path) -> None:
    assert editor.definition(file, "concatenate") == []


def test_references_are_those_of_one_variable(editor: Editor, file: Path) -> None:
    found = editor.references(file, "i in range")
    assert found == ["module.py:10: i", "module.py:12: i", "module.py:13: i"]


def test_the_outline_has_functions_below_their_module(editor: Editor, file: Path) -> None:
    params = lsp.DocumentSymbolParams(lsp.TextDocumentIdentifier(file.as_uri()))
    (module,) = editor.wait(editor.client.text_document_document_symbol_async(params)) or ()
    assert isinstance(module, lsp.DocumentSymbol) and module.name == "Module"
    functions = {one.name: one.range.end.line + 1 for one in module.children or ()}
    assert functions == {"scaled": 5, "main": 13, "high": 22}


def test_tokens_tell_kinds_of_names_apart(editor: Editor, file: Path) -> None:
    assert tokens(editor, file)[:12] == [
        ("uir", "namespace"),
        ("script", "namespace"),
        ("ir_module", "decorator"),
        ("Module", "class"),
        ("tir", "namespace"),
        ("prim_func", "decorator"),
        ("scaled", "function"),
        ("x", "parameter"),
        ("tir", "namespace"),
        ("float32", "type"),
        ("tir", "namespace"),
        ("float32", "type"),
    ]
    assert {("doubled", "variable"), ("exp", "function"), ("A", "parameter")} < {
        *tokens(editor, file)
    }


def tokens(editor: Editor, file: Path) -> list[tuple[str, str]]:
    """Return the words of a file with the types of their tokens."""
    provider = editor.capabilities.semantic_tokens_provider
    assert provider is not None
    params = lsp.SemanticTokensParams(lsp.TextDocumentIdentifier(file.as_uri()))
    found = editor.wait(editor.client.text_document_semantic_tokens_full_async(params))
    assert found is not None
    lines, line, column = editor.texts[file].split("\n"), 0, 0
    words = []
    for at in range(0, len(found.data), 5):
        down, right, length, kind, _ = found.data[at : at + 5]
        line, column = line + down, right if down else column + right
        words.append((lines[line][column : column + length], provider.legend.token_types[kind]))
    return words


PROGRAM = "from uir import tir\n\n\n@tir.prim_func\ndef main(x: tir.int32):\n    f(x)\n"


def test_programs_of_python_are_left_alone(editor: Editor, file: Path, tmp_path: Path) -> None:
    program, script = tmp_path / "program.py", tmp_path / "script.uir"
    for path in (program, script):
        path.write_text(PROGRAM)
        editor.open(path)
    editor.until(lambda: bool(editor.shown.get(script)))
    assert "unknown name `f`" in editor.shown[script][0].message
    assert program not in editor.shown


def test_without_the_library_the_extra_is_named(tmp_path: Path) -> None:
    hidden = "import sys; sys.modules['pygls'] = sys.modules['pygls.lsp.server'] = None\n"
    code = f"{hidden}from uir.commands import main\nsys.exit(main(['lsp']))"
    with pytest.raises(AssertionError, match=r"install `uir\[lsp\]`"):
        run_python(code)
