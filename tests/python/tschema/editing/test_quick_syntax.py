"""The quick reader of schema files finds the same as LibCST."""

from __future__ import annotations

from pathlib import Path

import pytest

from tschema.editing.quick_syntax import find_syntax
from tschema.editing.syntax import Definition, FileSyntax, Reference, Text, read_syntax

ROOT = Path(__file__).resolve().parents[4]
FILES = [
    *sorted((ROOT / "tests" / "packages").glob("*/schema/**/*.py")),
    *sorted((ROOT / "schema" / "tir").glob("*.py"))[:4],
]
COMMENTS = '''# First.
# c0 `A`
"""doc"""
# c1

# lead A
@dec  # trail dec
# after dec
class A(B):  # head A
    # before doc
    """d"""
    # before x
    x: int  # trail x "q # r
    y: "ty.A[b.C]" = field(doc="x" # in
      'y # z')
    # lead m
    @method
    def m(self, *a: ty.foreign("x"), k=(1), # par
          y: int=3, **kw):  # head m
        """d"""
        # foot m
      # half
    # foot A
   # three
 # one

    # deep again
# lead B
class B:
    a = (  # open
        1,  # one
    )
    # foot B

# end
    # end deep
class C: x = 1
  # odd
z = 1
'''
RARE = [
    COMMENTS,
    COMMENTS.replace("\n", "\r\n"),
    'class A:\n    x: "A[b.C]" = "\u00e9" r"\\\\" \'#\'  # \u00e9 "#"\n    y = x.z().w\n',
    'a = f"{b}"\nc = lambda d: d\n',
    "",
]


@pytest.mark.parametrize("path", FILES, ids=lambda one: one.relative_to(ROOT).as_posix())
def test_a_schema_file_has_the_same_names(path: Path) -> None:
    text = path.read_text()
    assert sorted_syntax(find_syntax(text)) == sorted_syntax(read_syntax(text))


@pytest.mark.parametrize("text", RARE, ids=range(len(RARE)))
def test_rare_syntax_has_the_same_names(text: str) -> None:
    assert sorted_syntax(find_syntax(text)) == sorted_syntax(read_syntax(text))


def sorted_syntax(
    found: FileSyntax,
) -> tuple[list[Reference], list[Definition], list[Text]]:
    return (
        sorted(found.references, key=lambda one: (one.end, one.dotted)),
        sorted(found.definitions, key=lambda one: one.start),
        sorted(found.texts, key=lambda one: one.start),
    )
