"""The node reference: what it says, that its links resolve, that docs cannot break it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import deepcopy
from os.path import normpath
from pathlib import Path, PurePosixPath

import pytest

from tschema.backends.docs.backend import emit
from tschema.backends.docs.markdown import cell, code, code_cell, prose, summary
from tschema.emit.render import Renderer
from tschema.frontend import parse_schema
from tschema.ir.model import Schema
from tschema.output.ownership import header_sources
from tschema.passes import build_schema
from tschema.project.config import DocsTarget

ROOT = Path(__file__).resolve().parents[4]
HEADER = '"""Things. More of them."""\n\n'
HEADER += "from tschema import Object, declare, field, function, method, ty\n\n"
SHAPES = '''
@declare
class Mode(ty.IntEnum):
    """
    How it is drawn.

    Attributes
    ----------
    DATA_PAR
        In parallel | not.
    """
    DATA_PAR = 7

@declare
class ShapeNode(Object):
    """
    Base of `SquareNode`.

    Attributes
    ----------
    name
        Its <b>name</b>.
    note
        Said beside it.
    """
    type_key = "toy.ir.Shape"
    abstract = True
    post_init = True
    structural = "dag"
    name: ty.String
    note: ty.Optional[ty.String] = field(default=None, kw_only=True, structural="ignore")

@declare
class SquareNode(ShapeNode):
    """
    A square.

    See Also
    --------
    Square
    Mode
    elsewhere

    Attributes
    ----------
    side
        Length of its sides, see `Shape`.
    """
    type_key = "toy.ir.Square"
    mutable = True
    side: ty.int64_t
    inner: ty.Map[ty.String, ShapeNode] = field(default_factory=dict)
    mode: Mode = field(default=Mode.DATA_PAR)
    area: ty.int64_t = field(init=False)

    @method
    def is_inside(self, other: ShapeNode) -> ty.bool:
        """
        Return whether it is inside another.

        Parameters
        ----------
        other
            The other one.

        Returns
        -------
        found
            Whether it is.
        """
        ...

@function
def makeSquare(side: ty.int64_t, name: ty.String = "a|b") -> SquareNode:
    """Make a square."""
    ...
'''
ALONE = '''
@declare
class AloneNode(Object):
    """
    Nothing but itself, unlike `toy.ir.Square`.
    """
    type_key = "toy.Alone"
'''
ANCHOR = re.compile(r'<a id="([^"]+)"></a>')
LINK = re.compile(r"\[(?:`+[^`]+`+|<code>[^<]*</code>|\*\*\w+\*\*|\w+(?: \w+)*)\]\(([^)\s]+)\)")


def nothing(_text: str) -> None:
    """Link no code span."""


def build(
    folder: Path, package: str = "toy", imports: Mapping[str, Schema] | None = None, **files: str
) -> Schema:
    """Return the schema of texts by path, in which `__` stands for `/`."""
    for name, text in files.items():
        path = folder / package / "schema" / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HEADER + text, encoding="utf-8")
    declarations = parse_schema(folder / package, [PurePosixPath("schema")], package)
    return build_schema(package, declarations, imports or {})[0]


def pages(schema: Schema) -> dict[str, str]:
    """Return the texts of the reference by the names of their files."""
    files = emit(schema, DocsTarget(PurePosixPath("docs")), Renderer())
    assert all(file.language == "docs" for file in files)
    return {str(file.path.relative_to("docs")): file.text for file in files}


def section(page: str, anchor: str) -> str:
    """Return the text from an anchor to the next one."""
    return page.partition(f'<a id="{anchor}"></a>\n')[2].partition("<a id=")[0]


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the reference of a small package."""
    return pages(build(tmp_path_factory.mktemp("toy"), ir__shapes=SHAPES, alone=ALONE))


@pytest.fixture(scope="module")
def own() -> dict[str, str]:
    """Return the reference of this repository's nodes."""
    declarations = parse_schema(ROOT, [PurePosixPath("schema")], "uir")
    return pages(build_schema("uir", declarations, {})[0])


def broken_links(files: Mapping[str, str]) -> list[str]:
    """Return the links that lead nowhere."""
    anchors = {name: set(ANCHOR.findall(text)) for name, text in files.items()}
    broken = []
    for name, text in files.items():
        for link in LINK.findall(text):
            file, _, anchor = link.partition("#")
            target = normpath(PurePosixPath(name).parent / file) if file else name
            if target not in files or (anchor and anchor not in anchors[target]):
                broken.append(f"{name}: {link}")
    return broken


@pytest.mark.parametrize("reference", ["toy", "own"])
def test_every_link_resolves(reference: str, request: pytest.FixtureRequest) -> None:
    files: dict[str, str] = request.getfixturevalue(reference)
    assert broken_links(files) == []
    assert all(text.count("](") == len(LINK.findall(text)) for text in files.values())


@pytest.mark.parametrize("reference", ["toy", "own"])
def test_anchors_are_unique_and_no_headings_slug(
    reference: str, request: pytest.FixtureRequest
) -> None:
    files: dict[str, str] = request.getfixturevalue(reference)
    for text in files.values():
        anchors = ANCHOR.findall(text)
        slugs = {
            re.sub(r"[^\w -]", "", title).lower().replace(" ", "-")
            for title in re.findall(r"^#+ (.*)$", text, re.MULTILINE)
        }
        assert len(set(anchors)) == len(anchors)
        assert not slugs & set(anchors)


@pytest.mark.parametrize("reference", ["toy", "own"])
def test_pages_are_tidy(reference: str, request: pytest.FixtureRequest) -> None:
    files: dict[str, str] = request.getfixturevalue(reference)
    for text in files.values():
        assert "\n\n\n" not in text
        assert text.endswith("\n") and not text.endswith("\n\n")
        assert not re.search(r"[ \t]$", text, re.MULTILINE)


def test_every_declaration_has_a_section(own: dict[str, str]) -> None:
    declarations = parse_schema(ROOT, [PurePosixPath("schema")], "uir")
    for space in build_schema("uir", declarations, {})[0].namespaces:
        keys = [item.key for item in (*space.enums, *space.types, *space.functions)]
        anchors = ANCHOR.findall(own[f"{space.name}.md"])
        assert [key for key in keys if key not in anchors] == []


def test_a_reference_is_an_index_and_a_page_for_each_namespace(toy: dict[str, str]) -> None:
    assert list(toy) == ["index.md", "toy.md", "toy.ir.md"]


def test_the_first_two_lines_name_the_schema(toy: dict[str, str]) -> None:
    heads = {name: text.split("\n")[:2] for name, text in toy.items()}
    assert heads["toy.ir.md"] == [
        "<!-- Generated by tschema from schema/ir. -->",
        "<!-- Do not edit. -->",
    ]
    assert header_sources(toy["toy.ir.md"].encode()) == ("schema/ir",)
    assert header_sources(toy["index.md"].encode()) == ("schema", "schema/ir")


def test_two_runs_give_the_same_text(tmp_path: Path) -> None:
    schema = build(tmp_path, ir__shapes=SHAPES, alone=ALONE)
    assert pages(schema) == pages(deepcopy(schema))


def test_a_page_named_like_the_index_is_set_apart(tmp_path: Path) -> None:
    schema = build(tmp_path, package="index", alone=ALONE.replace("toy", "index"))
    files = pages(schema)
    assert list(files) == ["index.md", "index_.md"]
    assert broken_links(files) == []


def test_contents_list_what_each_file_declares(toy: dict[str, str]) -> None:
    assert (
        "- [**shapes**](#file-shapes): Things.\n"
        "  <br>[`Mode`](#toy.ir.Mode), [`Shape`](#toy.ir.Shape), [`Square`](#toy.ir.Square),"
        " [`makeSquare()`](#toy.ir.makeSquare)\n"
    ) in toy["toy.ir.md"]


def test_facts_of_a_type(toy: dict[str, str]) -> None:
    dag = "Compared by content as a graph: nodes shared on one side are shared on the other."
    assert (
        "### Shape\n\nBase of [`SquareNode`](#toy.ir.Square).\n\n"
        "- Type key `toy.ir.Shape`, data class `ShapeNode`.\n"
        "- Kinds: [`Square`](#toy.ir.Square).\n"
        "- Abstract: make one of its kinds.\n"
        f"- {dag}\n"
        "- Structural equality ignores `note`.\n"
    ) in section(toy["toy.ir.md"], "toy.ir.Shape")
    assert (
        "- Type key `toy.ir.Square`, data class `SquareNode`.\n"
        "- Parent: [`Shape`](#toy.ir.Shape).\n"
        "- Its arguments are checked when it is made.\n"
        "- Mutable: its fields may be written after it is made.\n"
        f"- {dag}\n"
        "- See also [`Mode`](#toy.ir.Mode), `elsewhere`.\n"
    ) in section(toy["toy.ir.md"], "toy.ir.Square")


def test_a_plain_type_has_no_facts_but_its_key(toy: dict[str, str]) -> None:
    assert section(toy["toy.md"], "toy.Alone") == (
        "\n### Alone\n\nNothing but itself, unlike [`toy.ir.Square`](toy.ir.md#toy.ir.Square).\n\n"
        "- Type key `toy.Alone`, data class `AloneNode`.\n\n"
        "- Python: `toy.Alone()`\n- C++: `toy::Alone()`\n- Rust: `toy::Alone::new()`\n"
    )


def test_rows_are_the_constructors_arguments_in_order(toy: dict[str, str]) -> None:
    name = r"Its \<b>name\</b>. From [`Shape`](#toy.ir.Shape)."
    assert (
        "| Field | Type | Default | Meaning |\n"
        "|---|---|---|---|\n"
        f"| `name` | `String` |  | {name} |\n"
        "| `side` | `int64` |  | Length of its sides, see [`Shape`](#toy.ir.Shape). |\n"
        "| `inner` | [`Map[String, Shape]`](#toy.ir.Shape) | `{}` |  |\n"
        "| `mode` | [`Mode`](#toy.ir.Mode) | `Mode.DATA_PAR` |  |\n"
        "| `area` | `int64` | set when made |  |\n\n"
        "Inherited: `note=None` from [`Shape`](#toy.ir.Shape).\n"
    ) in section(toy["toy.ir.md"], "toy.ir.Square")


def test_construction_in_three_languages(toy: dict[str, str]) -> None:
    assert (
        "- Python: `toy.ir.Square(name, side)`\n"
        "- C++: `toy::ir::Square(name, side)`\n"
        "- Rust: `toy::ir::Square::builder(name, side).build()?`\n"
    ) in toy["toy.ir.md"]
    assert "- Python:" not in section(toy["toy.ir.md"], "toy.ir.Shape")


def test_an_argument_by_name_is_spelled_so(tmp_path: Path) -> None:
    fields = "    a: ty.bool = field(default=True)\n    b: ty.bool = field(kw_only=True)\n"
    page = pages(build(tmp_path, nodes=ALONE + fields))["toy.md"]
    assert "| `b` | `bool` | by name |  |\n" in page
    assert "- Python: `toy.Alone(b=b)`\n- C++: `toy::Alone(a, b)`\n" in page
    assert "- Rust: `toy::Alone::builder(b).build()`\n" in page


def test_a_method(toy: dict[str, str]) -> None:
    assert section(toy["toy.ir.md"], "toy.ir.Square.is_inside") == (
        "\n#### Square.is_inside\n\n"
        "```python\nis_inside(other: Shape) -> bool\n```\n\n"
        "Return whether it is inside another.\n\n"
        "- `other` ([`Shape`](#toy.ir.Shape)): The other one.\n"
        "- returns `bool`: Whether it is.\n\n"
        "It is `IsInside` in C++.\n\n"
    )


def test_a_function(toy: dict[str, str]) -> None:
    assert section(toy["toy.ir.md"], "toy.ir.makeSquare") == (
        "\n### makeSquare()\n\n"
        "```python\nmakeSquare(side: int64, name: String = 'a|b') -> Square\n```\n\n"
        "Make a square.\n\n"
        "- `side` (`int64`)\n"
        "- `name` (`String`)\n"
        "- returns [`Square`](#toy.ir.Square)\n\n"
        "Global function `toy.ir.makeSquare`, `toy::ir::makeSquare` in C++,"
        " `toy::ir::make_square` in Rust.\n"
    )


def test_an_enum(toy: dict[str, str]) -> None:
    row = r"| `DATA_PAR` | 7 | `Mode::kDataPar` | In parallel \| not. |"
    assert (
        f"Enum `toy.ir.Mode`.\n\n| Member | Value | C++ | Meaning |\n|---|---|---|---|\n{row}\n"
        in (section(toy["toy.ir.md"], "toy.ir.Mode"))
    )


def test_the_index_draws_the_hierarchies(toy: dict[str, str]) -> None:
    assert (
        "[`toy.ir.Shape`](toy.ir.md#toy.ir.Shape) and the type below it:\n\n"
        "```mermaid\nflowchart LR\n"
        '    n0["Shape"]:::abstract\n'
        '    n0 --> n0_kinds("Square")\n'
        "    classDef abstract stroke-dasharray: 4\n```\n\n"
        "On their own: [`toy.Alone`](toy.md#toy.Alone).\n"
    ) in toy["index.md"]


def test_a_diagram_lists_the_kinds_without_kinds_in_one_box(own: dict[str, str]) -> None:
    diagrams = re.findall(r"```mermaid\n(.*?)```", own["index.md"], re.DOTALL)
    assert max(diagram.count("\n") for diagram in diagrams) <= 25
    statements = next(diagram for diagram in diagrams if 'n0["Stmt"]' in diagram)
    assert "Bind, AttrStmt, AssertStmt,<br>" in statements


def test_types_of_another_package_have_names_and_no_links(tmp_path: Path) -> None:
    base = build(tmp_path, ir__shapes=SHAPES)
    text = SHAPES[: SHAPES.index("@declare\nclass ShapeNode")].replace("Mode", "Style")
    text = "from toy.schema.ir.shapes import Mode, ShapeNode\n" + text
    text += (
        '@declare\nclass DiskNode(ShapeNode):\n    """A disk."""\n'
        '    type_key = "own.Disk"\n    mode: Mode\n'
    )
    files = pages(build(tmp_path, package="own", imports={"toy": base}, disk=text))
    assert "- Parent: `toy.ir.Shape`.\n" in files["own.md"]
    assert "| `mode` | `toy.ir.Mode` |" in files["own.md"]
    assert "`toy.ir.Shape` and the type below it:\n" in files["index.md"]
    assert 'n0["toy.ir.Shape"]:::abstract\n    n0 --> n0_kinds("Disk")\n' in files["index.md"]
    assert broken_links(files) == []


def test_a_package_without_types_has_no_hierarchy(tmp_path: Path) -> None:
    function = '@function\ndef twice(n: ty.int64_t) -> ty.int64_t:\n    """Double it."""\n    ...\n'
    files = pages(build(tmp_path, nodes=function))
    assert "Hierarchy" not in files["index.md"]
    assert "| [`toy`](toy.md) | 1 function | [nodes](toy.md#file-nodes) |\n" in files["index.md"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a * b and snake_case", "a * b and snake_case"),
        ("*a* _b_ __c__", r"\*a\* \_b\_ \_\_c\_\_"),
        ("[x](y) and a[i]", r"\[x](y) and a\[i]"),
        ("<script> a < b, &lt; & $x$", r"\<script> a < b, \&lt; & \$x\$"),
        ("one ` tick", r"one \` tick"),
        ("`a|b` | ``c`d`` \\|", "`a|b` \\| ``c`d`` \\\\\\|"),
        ("# title\n> quote\ntext\n===", "\\# title\n\\> quote\ntext\n\\==="),
        ("a\n:--\nb\n-", "a\n\\:--\nb\n\\-"),
        ("- one\n- two\n* three", "- one\n- two\n* three"),
        ("Notes\n-----\nText.", "**Notes**\n\nText."),
        ("Examples\n--------\n>>> f(*a*)\n1", "**Examples**\n\n```python\n>>> f(*a*)\n1\n```"),
        ("Text:\n\n    x *= <y>", "Text:\n\n```text\n    x *= <y>\n```"),
        ("```\n# code\n\n\n```\nend", "```\n# code\n\n\n```\n\nend"),
        ("~~~~ c\nnever closed", "~~~~ c\nnever closed\n~~~~"),
        ("a\x00b\u202ec", "a\ufffdb\ufffdc"),
    ],
)
def test_a_doc_shows_as_it_was_typed(text: str, expected: str) -> None:
    assert prose(text, nothing) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two\nlines\n\nand more", "two lines<br>and more"),
        ("a | `b|c`", r"a \| <code>b&#124;c</code>"),
    ],
)
def test_a_doc_in_a_cell_is_one_line(text: str, expected: str) -> None:
    assert cell(text, nothing) == expected


def test_code_spans() -> None:
    assert [code(text) for text in ("a", "`a`", "a``b")] == ["`a`", "`` `a` ``", "```a``b```"]
    assert code_cell(r"'\|'") == "<code>&#39;&#92;&#124;&#39;</code>"


def test_a_summary_is_the_first_sentence() -> None:
    assert summary("One\nline. Two.\n\nThree.", nothing) == "One line."
    assert summary("Of f.x only\n\nThree.", nothing) == "Of f.x only"


def test_functors_are_listed_for_each_dispatch_root(own: dict[str, str]) -> None:
    exprs = section(own["uir.tir.md"], "family-PrimExpr")
    assert "`PrimExprFunctor`, `PrimExprVisitor`, `PrimExprMutator`" in exprs
    assert "`#include <uir/tir/prim_expr_functor.h>`" in exprs
    assert "| [`Add`](#uir.tir.Add) | `VisitAdd` | `visit_add` |" in exprs
    stmts = section(own["uir.tir.md"], "family-Stmt")
    assert "They visit nodes of [PrimExpr](#family-PrimExpr) with" in stmts
    assert "family-" not in own["uir.transform.md"]
