"""`tschema lsp` as a user meets it: errors as they are typed, fixes, rename across languages."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from tschema.lsp.project import Project
from tschema.project.config import load_config

from ...support.editor import Editor, edited
from ..conftest import SCHEMA
from .conftest import Toy

ROOT = Path(__file__).resolve().parents[4]


def test_an_error_is_shown_as_it_is_typed_and_its_fix_removes_it(editor: Editor, toy: Toy) -> None:
    editor.open(toy.shape)
    editor.type(toy.shape, "x: ty.int64_t", "x: ty.int46_t")
    editor.until(lambda: editor.codes(toy.shape) == ["TS012"])
    fix, fix_all = editor.actions(toy.shape)
    assert fix.title == "did you mean `ty.int64_t`?" and fix.edit is not None
    assert fix_all.kind == "source.fixAll.tschema"
    editor.apply(fix.edit)
    editor.until(lambda: not editor.codes(toy.shape))
    assert "x: ty.int64_t" in toy.shape.read_text()


WRONG = {
    "a misspelt type": ("x: ty.int64_t", "x: ty.int46_t"),
    "an unknown option": (
        'type_key = "toy.ir.Label"',
        'type_key = "toy.ir.Label"\n    abstrac = True',
    ),
    "no documentation": ("        What it says.\n", ""),
    "a syntax error": ("text: ty.String", "text: ty.Array["),
    "a key that is taken": ("toy.ir.Label", "toy.ir.Point"),
    "two errors and a surrogate pair": (
        "text: ty.String",
        'text: "\U0001f600" = 1\n    more: ty.Strin',
    ),
    "an error in a file that uses it": ("class PointNode", "class SpotNode"),
}


@pytest.mark.parametrize(("old", "new"), WRONG.values(), ids=WRONG)
def test_diagnostics_are_those_of_the_command(
    editor: Editor, toy: Toy, capfd: pytest.CaptureFixture[str], old: str, new: str
) -> None:
    editor.open(toy.shape)
    editor.type(toy.shape, old, new)
    editor.save(toy.shape)
    capfd.readouterr()
    toy.run("gen", "--dry-run", "--format", "sarif")
    results = json.loads(capfd.readouterr().out)["runs"][0]["results"]
    expected = sorted(map(of_sarif, results))
    assert expected
    editor.until(lambda: of_editor(editor, toy) == expected)


def of_sarif(result: dict[str, object]) -> tuple[object, ...]:
    """Return path, code, level, message and place of a result."""
    found = json.loads(json.dumps(result))
    location = found["locations"][0]["physicalLocation"]
    region = location["region"]
    place = tuple(region[name] for name in ("startLine", "startColumn", "endLine", "endColumn"))
    uri = location["artifactLocation"]["uri"]
    return (uri, found["ruleId"], found["level"], found["message"]["text"], place)


def of_editor(editor: Editor, toy: Toy) -> list[tuple[object, ...]]:
    """Return the same of what the editor shows."""
    shown = [
        (path.relative_to(toy.root).as_posix(), one)
        for path, found in editor.shown.items()
        if path.is_relative_to(toy.root)
        for one in found
    ]
    return sorted(
        (
            path,
            one.code,
            str(one.severity and one.severity.name.lower()),
            one.message,
            place(one.range, text_of(editor, toy.root / path)),
        )
        for path, one in shown
    )


def text_of(editor: Editor, path: Path) -> str:
    return editor.texts.get(path) or path.read_text()


def place(found: lsp.Range, text: str) -> tuple[int, ...]:
    """Return a range as SARIF counts: from 1, columns in characters."""
    lines = text.split("\n")
    start, end = (
        len(lines[one.line].encode("utf-16-le")[: 2 * one.character].decode("utf-16-le"))
        for one in (found.start, found.end)
    )
    return (found.start.line + 1, start + 1, found.end.line + 1, end + 1)


def test_what_a_save_repairs_is_shown_no_more(editor: Editor, toy: Toy) -> None:
    editor.open(toy.line)
    editor.open(toy.shape)
    editor.type(toy.shape, "class PointNode", "class SpotNode")
    editor.until(lambda: bool(editor.codes(toy.line)))
    editor.type(toy.shape, "class SpotNode", "class PointNode")
    editor.until(lambda: not editor.codes(toy.line) and not editor.codes(toy.shape))


def test_all_fixes_of_a_file_are_one_action(editor: Editor, toy: Toy) -> None:
    editor.open(toy.shape)
    editor.type(toy.shape, "x: ty.int64_t", "x: ty.int46_t")
    editor.type(toy.shape, "text: ty.String", "text: ty.Strin")
    editor.until(lambda: editor.codes(toy.shape) == ["TS012", "TS012"])
    (action,) = editor.actions(toy.shape, ["source.fixAll"])
    action = editor.wait(editor.client.code_action_resolve_async(action))
    assert action.edit is not None
    editor.apply(action.edit)
    editor.until(lambda: not editor.codes(toy.shape))
    assert "x: ty.int64_t" in toy.shape.read_text() and "text: ty.String" in toy.shape.read_text()


def test_completion_knows_types_bases_options_and_keywords(editor: Editor, toy: Toy) -> None:
    editor.open(toy.line)
    assert "range-checked" in str(editor.complete(toy.line, "width: ty.")["int64_t"].documentation)
    assert {"Object", "PointNode", "LineNode"} <= editor.complete(toy.line, "LineNode(").keys()
    editor.type(toy.line, "    start: PointNode\n", "    \n    start: PointNode = field()\n")
    options = editor.complete(toy.line, 'type_key = "toy.draw.Line"\n    ')
    assert options["structural"].insert_text == "structural = "
    assert {"default", "kw_only", "structural"} <= editor.complete(toy.line, "field(").keys()
    assert {"light", "dark"} == editor.complete(toy.line, "= ToneKind.").keys()
    assert {"declare", "function", "operator"} <= editor.complete(toy.line, "@").keys()
    assert {"PointNode", "LabelNode"} == editor.complete(toy.line, "schema.ir.shape import ").keys()
    editor.type(toy.line, "    \n    start", "    structural = \n    start")
    assert '"dag"' in editor.complete(toy.line, "structural = ")


def test_completion_brings_the_import(editor: Editor, toy: Toy) -> None:
    editor.open(toy.line)
    editor.type(toy.line, "tone: ToneKind", "label: Lab\n    tone: ToneKind")
    item = editor.complete(toy.line, "label: Lab")["LabelNode"]
    item = editor.wait(editor.client.completion_item_resolve_async(item))
    text = edited(editor.texts[toy.line], item.additional_text_edits)
    assert "from schema.ir.shape import LabelNode, PointNode\n" in text


def test_hover_shows_doc_layout_and_three_languages(editor: Editor, toy: Toy) -> None:
    editor.open(toy.line)
    shown = editor.hover(toy.line, "LineNode(Object)")
    assert "A line from a `Point`." in shown and "| `tone` | 32 | 4 |" in shown
    for line in (
        "Line(ir::Point start, ToneKind tone = ToneKind::kDark)",
        "Line(start: Point, tone: ToneKind = ToneKind.dark)",
        "Line::builder(start: Point).build()",
    ):
        assert line in shown
    assert "How dark a line is." in editor.hover(toy.line, "ToneKind = ToneKind.dark")
    field = editor.hover(toy.line, "start: PointNode")
    assert "Where it begins." in field and "8 bytes at offset 24 of 40" in field
    method = editor.hover(toy.line, "length(self")
    assert "double LineNode::Length(double scale)" in method and "Measure the line." in method
    assert "bool draw(Line line, int64_t width = 2)" in editor.hover(toy.line, "draw(line")
    assert "Unique name of the class" in editor.hover(toy.line, "type_key")
    assert "Floating-point number of 64 bits" in editor.hover(toy.line, "ty.float64")
    assert "A point." in editor.hover(toy.line, "Point`.")
    editor.type(toy.line, "start: PointNode\n", "start: PointNode = field(kw_only=True)\n")
    assert "by name only" in editor.hover(toy.line, "kw_only")


def test_hover_and_definition_work_in_every_language(editor: Editor, toy: Toy) -> None:
    for path, word in (
        (toy.header, "class LineNode"),
        (toy.python, "class Line("),
        (toy.rust, "pub struct LineNode"),
        (toy.hand, "double LineNode"),
    ):
        text = word.split(" ")[-1]
        assert editor.definition(path, text) == ["line.py:25: LineNode"], path
        assert "A line from a `Point`." in editor.hover(path, text)
    assert editor.definition(toy.hand, "start->x") == ["line.py:38: start"]
    assert editor.definition(toy.hand, "Length") == ["line.py:42: length"]
    assert editor.definition(toy.header, "kDark") == ["line.py:21: dark"]
    assert editor.definition(toy.line, "PointNode\n") == ["shape.py:7: PointNode"]
    blocks = editor.implementation(toy.line, "LineNode(Object)")
    assert [one.partition(":")[0] for one in blocks].count("line.h") == 2
    assert {"line.h", "line.py", "line.rs"} == {one.partition(":")[0] for one in blocks}


def test_references_are_in_every_language(editor: Editor, toy: Toy) -> None:
    editor.open(toy.shape)
    found = editor.references(toy.shape, "PointNode(Object)")
    assert "shape.py:7: PointNode" in found and "line.py:38: PointNode" in found
    assert {"shape.h", "shape.rs", "line.h"} <= {one.partition(":")[0] for one in found}
    members = editor.references(toy.shape, "x: ty.int64_t")
    assert {"shape.h:28: x", "shape.rs:21: x"} <= {*members}


def test_entries_of_docs_mean_members(editor: Editor, toy: Toy) -> None:
    toy.line.write_text(toy.line.read_text().replace("scale", "start"))  # As the field.
    editor.open(toy.line)
    assert editor.references(toy.line, "start\n            Of the drawing") == []
    for entry, declaration in (
        ("tone\n        Its", "tone: ToneKind"),
        ("light\n", "light = 0"),
        ("width\n", "width: ty.int64_t"),
    ):
        found = editor.references(toy.line, entry)
        assert len(found) > 1 and found == editor.references(toy.line, declaration)
    assert editor.definition(toy.line, "tone\n        Its") == ["line.py:39: tone"]
    editor.apply(editor.rename(toy.line, "tone\n        Its", "shade"))
    assert "    shade: ToneKind" in toy.line.read_text()


def test_a_rename_changes_schema_and_generated_files(editor: Editor, toy: Toy) -> None:
    editor.open(toy.line)
    edit = editor.rename(toy.hand, "LineNode::Length", "StrokeNode")
    paths = editor.apply(edit)
    assert toy.line in paths and toy.header in paths and toy.rust in paths
    assert toy.hand not in paths  # As `tschema rename`, it leaves hand-written lines to people.
    editor.until(lambda: set(editor.codes(toy.hand)) == {"TS097"})
    assert toy.run("gen", "--check") == 0
    assert "class StrokeNode(Object)" in toy.line.read_text()
    assert "pub struct StrokeNode" in toy.rust.read_text()


def test_a_rename_takes_unsaved_texts(editor: Editor, toy: Toy) -> None:
    editor.open(toy.shape)
    editor.type(toy.shape, "A label.", "A label, unsaved.")
    editor.apply(editor.rename(toy.shape, "text: ty.String", "caption"))
    assert "A label, unsaved." in toy.shape.read_text()
    assert toy.run("gen", "--check") == 0
    assert "A label, unsaved." in (toy.root / "rust" / "ir" / "shape.rs").read_text()


def test_a_wrong_new_name_is_refused(editor: Editor, toy: Toy) -> None:
    editor.open(toy.line)
    with pytest.raises(JsonRpcException, match="`1x` is not a valid name of a class"):
        editor.rename(toy.line, "LineNode(Object)", "1x")


def test_an_edit_of_generated_text_is_a_warning_at_its_line(editor: Editor, toy: Toy) -> None:
    editor.open(toy.header)
    editor.until(lambda: toy.header in editor.shown)
    assert editor.codes(toy.header) == []
    editor.type(toy.header, "  ir::Point start;\n", "  ir::Point begin;\n")
    editor.until(lambda: editor.codes(toy.header) == ["TS065"])
    (warning,) = editor.shown[toy.header]
    line = editor.texts[toy.header].split("\n")[warning.range.start.line]
    assert line == "  ir::Point begin;" and "block `LineNode`" in warning.message
    editor.type(toy.header, "  ir::Point begin;\n", "  ir::Point start;\n")
    editor.until(lambda: not editor.codes(toy.header))
    block = editor.texts[toy.header]
    custom = "  // tschema: custom-begin\n  // tschema: custom-end\n};\n// tschema: end"
    first = block[block.index(custom) - 60 : block.index(custom) + len(custom)]
    editor.type(toy.header, first, first.replace("begin\n", "begin\n  int mine = 0;\n"))
    assert editor.hover(toy.header, "LineNode") and editor.codes(toy.header) == []


def test_outline_hints_lenses_and_tokens(editor: Editor, toy: Toy) -> None:
    editor.open(toy.shape)
    editor.open(toy.line)
    document = lsp.TextDocumentIdentifier(toy.line.as_uri())
    ask, client = editor.wait, editor.client
    outline = ask(client.text_document_document_symbol_async(lsp.DocumentSymbolParams(document)))
    tree = {
        one.name: [child.name for child in one.children or ()]
        for one in outline or ()
        if isinstance(one, lsp.DocumentSymbol)
    }
    assert tree == {
        "ToneKind": ["light", "dark"],
        "LineNode": ["start", "tone", "length"],
        "draw": [],
    }
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(100, 0))
    hints = ask(client.text_document_inlay_hint_async(lsp.InlayHintParams(document, whole)))
    assert [one.label for one in hints or ()] == ["@24", "@32"]
    found = lsp.TextDocumentIdentifier(toy.shape.as_uri())
    lenses = ask(client.text_document_code_lens_async(lsp.CodeLensParams(found)))
    titles = [one.command.title for one in lenses or () if one.command]
    assert titles == ["1 user", "0 users"]
    symbols = ask(client.workspace_symbol_async(lsp.WorkspaceSymbolParams("lnnode")))
    assert "LineNode" in {one.name for one in symbols or ()}
    tokens = ask(
        client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(document))
    )
    assert tokens is not None
    words = token_texts(editor.texts[toy.line], tokens.data)
    assert {"LineNode", "start", "length", "ty.float64", "type_key", "draw"} <= words


def token_texts(text: str, data: Sequence[int]) -> set[str]:
    """Return the texts of encoded tokens."""
    lines, found, line, column = text.split("\n"), set(), 0, 0
    for index in range(0, len(data), 5):
        column = data[index + 1] + (0 if data[index] else column)
        line += data[index]
        found.add(lines[line][column : column + data[index + 2]])
    return found


def test_lenses_count_the_breaking_changes_of_a_branch(editor: Editor, toy: Toy) -> None:
    for command in ("init -q -b main", "add -A", "commit -qm first", "checkout -qb mine"):
        git(toy, *command.split())
    editor.open(toy.shape)
    editor.type(toy.shape, "x: ty.int64_t", "x: ty.int32_t")
    editor.save(toy.shape)
    params = lsp.CodeLensParams(lsp.TextDocumentIdentifier(toy.shape.as_uri()))

    def titles() -> list[str]:
        lenses = editor.wait(editor.client.text_document_code_lens_async(params))
        return [one.command.title for one in lenses or () if one.command]

    end = time.monotonic() + 60
    while "2 breaking changes" not in titles() and time.monotonic() < end:
        time.sleep(0.05)
    assert "2 breaking changes" in titles()


def git(toy: Toy, *arguments: str) -> None:
    who = ["-c", "user.name=Me", "-c", "user.email=me@example.org"]
    subprocess.run(["git", *who, *arguments], cwd=toy.root, check=True)


def test_formatting_is_that_of_ruff(editor: Editor, toy: Toy) -> None:
    editor.open(toy.shape)
    editor.type(toy.shape, "x: ty.int64_t", "x :  ty.int64_t")
    document = lsp.TextDocumentIdentifier(toy.shape.as_uri())
    options = lsp.FormattingOptions(4, True)
    params = lsp.DocumentFormattingParams(document, options)
    edits = editor.wait(editor.client.text_document_formatting_async(params))
    assert edited(editor.texts[toy.shape], edits) == SCHEMA


def test_without_the_extra_the_command_says_how_to_install_it(toy: Toy) -> None:
    program = (
        "import sys\n"
        "sys.modules['pygls'] = None\n"
        "from tschema.cli.main import main\n"
        "sys.exit(main(['lsp']))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 3 and done.stdout == ""
    assert "pip install 'tschema[lsp]'" in done.stderr


def test_a_key_press_shows_no_error_that_the_whole_project_does_not_have() -> None:
    project = Project(load_config(ROOT / "tschema.toml"))
    assert project.state.diagnostics == ()
    for file in project.declarations.files:
        project.change(file.source.path, file.source.text + "\n")
        assert [*project.diagnostics()] == [], file.source.path
