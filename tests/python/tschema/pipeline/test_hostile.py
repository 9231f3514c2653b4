"""Hostile schema files: each gives a located error or right code, never a traceback."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tschema.emit.format import CLANG_STYLE
from tschema.project.programs import find_program

from ..conftest import CONFIG, Project, Result

IMPORTS = "from tschema import Object, declare, field, function, method, ty\n\n\n"
EVERY_LANGUAGE = CONFIG + (
    '[cpp]\ninclude = "generated/include"\nsource = "generated/src"\n'
    '[rust]\ndir = "generated/rust"\n[docs]\ndir = "generated/docs"\n'
)
LOCATED = re.compile(r"^schema/.*:\d+:\d+: error\[TS\d{3}\]: ", re.MULTILINE)


def node(name: str, body: str = "", doc: str = '"""A node."""') -> str:
    """Return the declaration of a class of namespace `toy.ir`."""
    return (
        f'@declare\nclass {name}Node(Object):\n    {doc}\n\n    type_key = "toy.ir.{name}"\n{body}'
    )


def field_of(kind: str, default: str | None = None, doc: str = "A field.") -> str:
    given = f"default={default}, " if default is not None else ""
    return f"    x: {kind} = field({given}doc={doc!r})\n"


@pytest.fixture
def gen(project: Project) -> Callable[..., Result]:
    """Return a function that runs `gen` on the text of a schema file, for some languages."""

    def run(text: str | bytes, languages: str = "python") -> Result:
        (project.root / "tschema.toml").write_text(EVERY_LANGUAGE)
        project.schema.write_bytes(text.encode() if isinstance(text, str) else text)
        result = project.run("gen", "--lang", languages)
        assert result.status in (0, 2), result.err[-2000:]
        assert "Traceback" not in result.err
        if result.status == 2:
            assert not (project.root / "generated").exists()
        return result

    return run


MARK = "__import__('pathlib').Path('executed').touch()"


@pytest.mark.parametrize(
    "text",
    [
        f"{MARK}\n",
        f"import os\nos.open('executed', os.O_CREAT)\n{node('A')}",
        IMPORTS + node("A", f"    {MARK}\n"),
        IMPORTS + node("A", f"    x: {MARK}\n"),
        IMPORTS + node("A", f'    x: "{MARK}"\n'),
        IMPORTS + node("A", field_of("int", MARK)),
        IMPORTS + node("A").replace('"toy.ir.A"', MARK),
        IMPORTS + node("A").replace("@declare", f"@declare({MARK})"),
        IMPORTS + node("A").replace("(Object)", f"({MARK})"),
        IMPORTS + node("A").replace("(Object)", f"(Object, metaclass={MARK})"),
        IMPORTS + node("A", f"    @method\n    def f(self, a: int = {MARK}) -> int: ...\n"),
        IMPORTS + node("A", f"    x: int = field(default_factory=lambda: {MARK})\n"),
        IMPORTS + f"@function\ndef f() -> int:\n    '''F.'''\n    {MARK}\n",
        IMPORTS + f"if {MARK}:\n    pass\n",
        IMPORTS + f'f"{{{MARK}}}"\n',
    ],
)
def test_nothing_is_executed(gen: Callable[..., Result], project: Project, text: str) -> None:
    refused = gen(text)
    assert refused.status == 2
    assert LOCATED.search(refused.err)
    assert not (project.root / "executed").exists()


TEXTS = [
    "{{ 7 * 7 }} {% raw %} {# c #} {%- endfor %} {{ self.__class__ }}",
    "back\\slash \\n \\ end\\",
    "*/ int injected; /* // \\",
    '""" + injected + """',
    "''' \" ' `",
    '"); injected(); ("',
    "]]> --> <script>alert(1)</script> | [a](b) ```",
    "#define X\\\n??/",
    "%s %d {0} {x} $HOME `ls` $(ls)",
    "\x00 \x01 \x1b[31m \x7f \x85 \ufeff",
    "left \u202e right \u2066 \u2028 \u2029 end",
    "tab\tform\x0cfeed\x0bvertical\rreturn",
    "日本語 \U0001f600 é",
    "// tschema: end\n    # tschema: end\n    // tschema: custom-begin\n    # tschema: Other",
    "# tschema-unit\n    // tschema-unit\n    tschema-unit",
    "r#\"raw\"# '\\'' b'x' //! /// /** */",
]


@pytest.mark.parametrize("text", TEXTS)
def test_any_text_is_data(gen: Callable[..., Result], project: Project, text: str) -> None:
    doc = repr(f"A node.\n\n    {text}\n    ")
    body = field_of("ty.String", repr(text), text) + (
        f"\n    @method\n    def f(self, s: str = {text!r}) -> int:\n        {doc}\n        ...\n"
    )
    enum = f"\n\n@declare\nclass K(ty.IntEnum):\n    {doc}\n\n    ONE = 1\n"
    made = gen(f"{doc}\n{IMPORTS}{node('A', body, doc)}{enum}", "cpp,python,rust,docs")
    assert made.status == 0, made.err
    schema = json.loads((project.root / "generated" / "schema.json").read_bytes())
    (declared,) = schema["namespaces"][0]["types"]
    assert declared["fields"][0]["default"]["value"] == text
    tree = ast.parse(project.output.read_text())
    assert not [one for one in ast.walk(tree) if getattr(one, "id", "") == "injected"]
    check_generated_texts(project.root / "generated")
    assert project.run("gen", "--check").status == 0


def check_generated_texts(folder: Path) -> None:
    """Require that the formatters accept all files, and that no text has left its comment."""
    for path in folder.rglob("*"):
        if path.suffix in (".h", ".cc"):
            code = strip_cpp(path.read_text())
            assert "injected" not in code
            program = find_program("clang-format")
            assert program is not None
            command = [program, f"--style={CLANG_STYLE}", "--dry-run", "-Werror", str(path)]
            subprocess.run(command, check=True)
        elif path.suffix == ".rs":
            command = ["rustfmt", "--check", "--config", "max_width=100,skip_children=true"]
            if path.name != "mod.rs":
                subprocess.run([*command, "--edition=2021", str(path)], check=True)


def strip_cpp(text: str) -> str:
    """Return C++ without comments and strings."""
    noise = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"'
    return re.sub(noise, "", text, flags=re.DOTALL)


@pytest.mark.parametrize(
    "text",
    [
        node("A" * 10_000),
        node("A", f"    {'x' * 10_000}: int\n"),
        node("A", f"    x: {'X' * 10_000}\n"),
        f"@function\ndef {'f' * 10_000}() -> int:\n    '''F.'''\n    ...\n",
        f"@function\ndef f({'p' * 10_000}: int) -> int:\n    '''F.'''\n    ...\n",
        f"@declare\nclass {'K' * 10_000}(ty.IntEnum):\n    '''K.'''\n\n    A = 1\n",
        f"@declare\nclass K(ty.IntEnum):\n    '''K.'''\n\n    {'A' * 10_000} = 1\n",
        node("A").replace("toy.ir.A", "toy.ir." + "A" * 10_000),
    ],
    ids=range(8),
)
def test_names_of_10000_characters(gen: Callable[..., Result], text: str) -> None:
    refused = gen(IMPORTS + text, "cpp,python,rust,docs")
    assert refused.status == 2
    assert LOCATED.search(refused.err)
    assert max(map(len, refused.err.splitlines())) < 1000


def test_names_of_80_characters(gen: Callable[..., Result]) -> None:
    long = "a" * 80
    text = node(
        "A" * 76, f"    {long}: int\n\n    @method\n    def {long[:-1]}b(self) -> int: ...\n"
    )
    function = f"\n\n@function\ndef {long}() -> int: ...\n"
    assert gen(IMPORTS + text + function, "cpp,python,rust,docs").status == 0


@pytest.mark.parametrize("word", ["file", "end"])
@pytest.mark.parametrize(
    "text",
    [
        "@declare\nclass {}(Object):\n    '''N.'''\n\n    type_key = 'toy.ir.X'\n",
        "@declare\nclass {}Node(Object):\n    '''N.'''\n\n    type_key = 'toy.ir.{}'\n",
        "@declare\nclass {}(ty.IntEnum):\n    '''K.'''\n\n    ONE = 1\n",
    ],
)
def test_words_of_markers_are_no_names_of_blocks(
    gen: Callable[..., Result], word: str, text: str
) -> None:
    refused = gen(IMPORTS + text.replace("{}", word))
    assert refused.status == 2
    assert "has a name which the markers of blocks use themselves" in refused.err


@pytest.mark.parametrize("word", ["file", "end"])
def test_words_of_markers_are_names_of_other_things(gen: Callable[..., Result], word: str) -> None:
    body = f"    {word}: int\n"
    function = f"\n\n@function\ndef {word}({word}: int) -> int: ...\n"
    assert gen(IMPORTS + node("A", body) + function, "cpp,python,rust,docs").status == 0


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (node("A", field_of("ty.Array[" * 60 + "int" + "]" * 60)), 0),
        (node("A", field_of("ty.Array[" * 1000 + "int" + "]" * 1000)), 2),
        (node("A", field_of("int", "(" * 1000 + "1" + ")" * 1000)), 2),
        (node("A", field_of("int", "-" * 5000 + "1")), 2),
        ("".join("    " * depth + "if x:\n" for depth in range(90)) + "    " * 90 + "pass\n", 2),
        ("".join("    " * depth + "class A:\n" for depth in range(90)) + "    " * 90 + "pass\n", 2),
    ],
    ids=range(6),
)
def test_deep_nesting(gen: Callable[..., Result], text: str, status: int) -> None:
    assert gen(IMPORTS + text).status == status


def chain(length: int) -> str:
    """Return classes that each derive from the one before."""
    first = node("N0", "    final = False\n")
    rest = (
        node(f"N{number}", "    final = False\n").replace("(Object)", f"(N{number - 1}Node)")
        for number in range(1, length)
    )
    return "\n\n".join([first, *rest])


def test_a_hierarchy_that_is_too_deep(gen: Callable[..., Result]) -> None:
    refused = gen(IMPORTS + chain(1500))
    assert refused.status == 2
    assert refused.err.count("error[") == 1
    assert "class `N201Node` has 201 ancestors, more than 200" in refused.err


def test_a_hierarchy_that_is_just_deep(gen: Callable[..., Result]) -> None:
    assert gen(IMPORTS + chain(201), "python,docs").status == 0


@pytest.mark.parametrize(
    "text",
    [
        node("A", field_of("ty.String", repr("s" * 200_000))),
        node("A", doc=f'"""{"w" * 200_000}"""'),
        node("A", doc=f'"""{"some words " * 20_000}"""'),
        "\n\n".join(node(f"N{number}") for number in range(500)),
        "@declare\nclass K(ty.IntEnum):\n    '''K.'''\n\n"
        + "".join(f"    A{number} = {number}\n" for number in range(3000)),
        node("A", "".join(f"    x{number}: int\n" for number in range(300))),
        "#" * 5_000_000 + "\n" + node("A"),
    ],
    ids=["default", "word", "words", "classes", "members", "fields", "comment"],
)
def test_huge_files(gen: Callable[..., Result], text: str) -> None:
    assert gen(IMPORTS + text, "cpp,python,rust,docs").status == 0


def test_a_thousand_faults_are_all_reported(gen: Callable[..., Result]) -> None:
    text = "\n\n".join(node(f"N{number}", "    x: Unknown\n") for number in range(1000))
    refused = gen(IMPORTS + text)
    assert refused.status == 2
    assert "tschema: 1000 errors, nothing was written" in refused.err


@pytest.mark.parametrize("text", ["", "\n", '"""Only this."""\n', "# Nothing.\n", IMPORTS])
def test_files_that_declare_nothing(gen: Callable[..., Result], text: str) -> None:
    assert gen(text, "cpp,python,rust,docs").status == 0


def test_half_characters(gen: Callable[..., Result], project: Project) -> None:
    half = "\\ud800"
    made = gen(
        f'"""Nodes {half}."""\n'
        + IMPORTS
        + node("A", f'    x: int = field(doc="A field {half}.")\n', f'"""A node {half}."""'),
        "cpp,python,rust,docs",
    )
    assert made.status == 0
    assert "A node \ufffd." in (project.root / "generated" / "schema.json").read_text("utf-8")
    (project.root / "generated").rename(project.root / "kept")
    for default in (f"'{half}'", f"'\\udfff{half}'"):
        refused = gen(IMPORTS + node("A", field_of("ty.String", default)))
        assert refused.status == 2
        assert "lone surrogates" in refused.err
    assert gen((IMPORTS + node("A", doc='"""\ud800"""')).encode("utf-8", "surrogatepass")).status


@pytest.mark.parametrize(
    "data",
    [
        (IMPORTS + node("A")).encode("utf-16"),
        b"# -*- coding: latin-1 -*-\n" + node("A", doc='"""\xe9"""').encode("latin-1"),
        b"# -*- coding: utf-7 -*-\n+AAo-import os\n",
        b"# -*- coding: nonsense -*-\nx = 1\n",
        b"\x00" * 100,
        bytes(range(256)),
        b"x = '\x00'\n",
        b"\xff\xfe",
    ],
    ids=range(8),
)
def test_bytes_that_are_no_text(gen: Callable[..., Result], data: bytes) -> None:
    refused = gen(data)
    assert refused.status == 2
    assert "error[TS00" in refused.err


def write_cycle(folder: Path) -> None:
    for name, other in (("a", "b"), ("b", "c"), ("c", "a")):
        upper = name.upper()
        text = f"from schema.ir.{other} import {other.upper()}Node\n{IMPORTS}{node(upper)}"
        (folder / f"{name}.py").write_text(text)


def test_cyclic_imports(project: Project) -> None:
    project.schema.unlink()
    write_cycle(project.schema.parent)
    refused = project.run("gen")
    assert refused.status == 2
    assert "error[TS007]: import cycle: `schema.ir.a` -> `schema.ir.b`" in refused.err


def test_links_that_loop(project: Project) -> None:
    folder = project.schema.parent
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    assert project.run("gen").status == 0
    (folder / "self.py").symlink_to("self.py")
    refused = project.run("gen")
    assert refused.status == 2
    assert "cannot read `schema/ir/self.py`: too many levels of symbolic links" in refused.err


def test_a_root_that_loops(project: Project) -> None:
    (project.root / "loop").symlink_to("loop")
    (project.root / "tschema.toml").write_text('package = "toy"\nschema = ["loop"]\n')
    refused = project.run("gen")
    assert refused.status == 2
    assert "schema root `loop` does not exist" in refused.err


def test_what_is_no_file(project: Project) -> None:
    os.mkfifo(project.schema.parent / "pipe.py")
    (project.schema.parent / "folder.py").mkdir()
    refused = project.run("gen")
    assert refused.status == 2
    assert "`schema/ir/pipe.py` is not a regular file" in refused.err
    assert "`schema/ir/folder.py` is not a regular file" in refused.err


def test_an_output_that_is_a_pipe(project: Project) -> None:
    project.output.parent.mkdir(parents=True)
    os.mkfifo(project.output)
    refused = project.run("gen")
    assert refused.status == 3
    assert "cannot read `generated/python/toy_nodes/ir/shape.py`: not a regular file" in refused.err


def test_a_pipe_among_the_outputs_of_an_earlier_run(project: Project) -> None:
    assert project.run("gen").status == 0
    project.output.unlink()
    os.mkfifo(project.output)
    assert project.run("gen").status == 3


def test_what_a_killed_run_has_left_is_removed_by_the_next(project: Project) -> None:
    assert project.run("gen").status == 0
    left = project.output.with_name(f".{project.output.name}.2.tschema-new")
    left.write_bytes(b"half of it")
    assert project.run("gen").status == 0
    assert not left.exists()


def test_many_faults_take_time_in_proportion(project: Project) -> None:
    """The lines of a file are found once, not once for each diagnostic."""

    def seconds(count: int) -> float:
        fields = "".join(f"    f{index}: ty.int64_t\n" for index in range(count))
        text = (
            f'{IMPORTS}@declare\nclass ANode(Object):\n    """A."""\n\n    type_key = "toy.ir.A"\n'
        )
        project.schema.write_text(text + fields)
        start = time.process_time()
        done = project.run("gen", "--lang", "python", "--format", "github")
        assert (done.err + done.out).count("title=TS036") == count
        return time.process_time() - start

    seconds(10)
    assert seconds(3000) < 12 * seconds(500)


@pytest.mark.parametrize(
    "name", ["a b.py", "a\nb.py", "a\x1b[31m.py", os.fsdecode(b"b\xff.py"), "é.py", "a.b.py"]
)
def test_odd_names_of_files(project: Project, name: str) -> None:
    (project.schema.parent / name).write_text(IMPORTS + node("A"))
    refused = project.run("gen")
    assert refused.status == 2
    assert "is not made of ASCII letters" in refused.err
    assert "\x1b" not in refused.err


def test_controls_do_not_reach_the_terminal(project: Project) -> None:
    project.schema.write_text(IMPORTS + node("A", "    x: '\x1b[31m\u202e'  # \x9b0m\n"))
    refused = project.run("gen")
    assert refused.status == 2
    assert "\\x1b[31m\\u202e" in refused.err
    assert not {"\x1b", "\u202e", "\x9b"}.intersection(refused.err)


def test_an_init_file_is_not_executed(project: Project) -> None:
    (project.schema.parent / "__init__.py").write_text(f"{MARK}\n")
    assert project.run("gen").status == 2
    assert not (project.root / "executed").exists()


@pytest.mark.parametrize("name", ["tvm", "ffi", "std", "tschema"])
def test_a_folder_that_hides_a_library(project: Project, name: str) -> None:
    """A namespace `acme::tvm` would make each `tvm::ffi` in it another one."""
    folder = project.schema.parent / name
    folder.mkdir()
    (folder / "nodes.py").write_text(IMPORTS + node("A", "    x: ty.int64_t\n"))
    refused = project.run("gen")
    assert refused.status == 2
    assert f"folder `{name}` has a name which emitted C++" in refused.err


@pytest.mark.parametrize("name", ["class", "namespace", "std", "tschema", "_toy"])
def test_a_package_that_no_language_can_name(project: Project, name: str) -> None:
    (project.root / "tschema.toml").write_text(EVERY_LANGUAGE.replace('"toy"', f'"{name}"'))
    text = IMPORTS + node("A").replace('"toy.ir.A"', f'"{name}.ir.A"')
    project.schema.write_text(text)
    result = project.run("gen", "--dry-run")
    assert result.status == 2
    assert f"error[TS021]: package `{name}`" in result.err


@pytest.mark.parametrize("name", ["from", "async", "None", "assert", "self", "object"])
def test_a_name_that_python_has_itself_is_a_located_error(
    gen: Callable[..., Result], name: str
) -> None:
    result = gen(IMPORTS + node("A", f"    {name}: int\n"))
    assert result.status == 2
    assert LOCATED.search(result.err)
    assert f"{name}: int" in result.err
    member = f'@declare\nclass Mode(ty.IntEnum):\n    """M."""\n\n    {name} = 0\n'
    if name not in ("self", "object"):
        assert LOCATED.search(gen(IMPORTS + member).err)


@pytest.mark.parametrize("name", ["crate", "operator", "final", "register", "Some", "EOF", "errno"])
def test_a_name_that_another_language_has_is_escaped(gen: Callable[..., Result], name: str) -> None:
    assert gen(IMPORTS + node("A", field_of("int").replace("x:", f"{name}:"))).status == 0


def test_a_line_of_a_megabyte(gen: Callable[..., Result]) -> None:
    doc = "It is long. " * 90_000
    started = time.process_time()
    assert gen(IMPORTS + node("A", field_of("int", doc=doc)), "cpp,docs,python").status == 0
    assert time.process_time() - started < 10
