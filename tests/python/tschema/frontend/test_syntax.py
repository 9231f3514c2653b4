"""`parse_edited`: a text that is parsed by parts has the tree of the whole."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest

from tschema.frontend import syntax
from tschema.frontend.syntax import TooDeep, parse_edited, parse_module

ROOT = Path(__file__).resolve().parents[4]
FILES = [
    *sorted((ROOT / "schema" / "tir").glob("*.py"))[:4],
    *sorted((ROOT / "tests" / "packages").glob("*/schema/**/*.py"))[:8],
]
UNUSUAL = {
    "a blank line in a text": 'class A:\n    """One.\n\nimport x\n"""\n\nclass B: pass\n',
    "a blank line in parentheses": "x = (1,\n\ny)\n\n@declare\nclass B: pass\n",
    "a blank line after a decorator": "@declare\n\nclass A:\n    x: int\n\n\nclass B: pass\n",
    "a blank line after a backslash": "x = 1 + \\\n\ny\n",
    "an else after a blank line": "if x:\n    y\n\nelse:\n    z\n\nz\n",
    "comments between parts": "import a\n\n# Of A.\n\nclass A: pass\n# After.\n\nx = '\\n'\n",
    "other ends of lines": "class A: pass\r\n\r\nclass B: pass\r\n\n\nclass C: pass\r\rx = 1\n",
    "form feeds": "import a\n\n\x0c\n\nclass A: pass\n\n\x0bclass B: pass\n",
    "not ASCII": "\ufeffx = 'é'\n\nclass É:\n    '''ü'''\n    y: 'ö' = 1\n\nz = 2\n",
    "no end of the last line": "class A: pass\n\nclass B: pass",
    "nothing": "",
    "blank lines": "\n\n\n\n",
    "a doc": '"""Doc.\n\nMore.\n"""\n\nimport a\n\n"""No doc."""\n',
    "an error in the first part": "class A(:\n\nclass B: pass\n",
    "an error in the last part": "class A: pass\n\nclass B: pass\n\nx = = 1\n",
    "an indented part": "class A: pass\n\n  x = 1\n\ny = 2\n",
    "an open text": 'class A: pass\n\nx = """\n\ny = 1\n',
    "a NUL": "class A: pass\n\nx = '\0'\n",
}


def outcome(parse: object, text: str) -> str:
    """Return a tree with all places, or the error."""
    assert callable(parse)
    try:
        return ast.dump(parse(text), include_attributes=True)
    except SyntaxError as error:
        return f"{error.msg} {error.lineno} {error.offset} {error.end_lineno} {error.end_offset}"
    except (ValueError, TooDeep) as error:
        return repr(error)


@pytest.mark.parametrize("text", UNUSUAL.values(), ids=UNUSUAL)
def test_unusual_texts(text: str) -> None:
    assert outcome(parse_edited, text) == outcome(parse_module, text)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_random_edits_of_schema_files(file: Path) -> None:
    text, draw = file.read_text(), random.Random(file.stem)
    for _ in range(40):
        first = draw.randrange(len(text))
        last = min(first + draw.choice((0, 0, 1, 40)), len(text))
        new = draw.choice(("", "x", "\n", "\n\n", '"""', "\n\nclass X: pass\n", "(", ")", "    "))
        edited = text[:first] + new + text[last:]
        found = outcome(parse_edited, edited)
        assert found == outcome(parse_module, edited)
        if found.startswith("Module"):
            text = edited


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(TooDeep):
        parse_edited(f"class A: pass\n\nx = {'-' * 9000}1\n")


def test_parts_without_an_edit_are_not_parsed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    before = "class A:\n    x: int\n\n\nclass B:\n    y: int\n\n\nclass C:\n    z: int\n"
    parse_edited(before)
    parsed: list[str] = []
    tree = syntax._tree

    def note(text: str) -> ast.Module:
        parsed.append(text.strip())
        return tree(text)

    monkeypatch.setattr(syntax, "_tree", note)
    parse_edited(before.replace("y: int", "y: str"))
    assert parsed == ["class B:\n    y: str"]
