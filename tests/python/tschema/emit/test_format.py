"""Formatting: each language with its formatter, failures reported, foreign settings ignored."""

from __future__ import annotations

import random
import re
from pathlib import Path, PurePosixPath

import pytest

from tschema.backends import load_backend
from tschema.emit import format as format_module
from tschema.emit import units
from tschema.emit.format import FormatError, format_texts
from tschema.emit.render import Renderer
from tschema.emit.table_rows import lay_out_rows
from tschema.incremental.store import Store
from tschema.pipeline import run as driver
from tschema.project.config import load_config

from ...support.project import ROOT


def test_each_language_has_its_formatter(tmp_path: Path) -> None:
    texts = {
        PurePosixPath("ns/a.h"): "struct A{int*  x;};\n",
        PurePosixPath("ns/a.py"): "x=( 'a' )\n",
        PurePosixPath("rust/mod.rs"): "pub   mod a;\n",
        PurePosixPath("rust/a.rs"): "fn f( ){ }\n",
        PurePosixPath("a.md"): "#  untouched \n",
    }
    assert format_texts(texts, tmp_path) == {
        PurePosixPath("ns/a.h"): "struct A {\n  int* x;\n};\n",
        PurePosixPath("ns/a.py"): 'x = "a"\n',
        PurePosixPath("rust/mod.rs"): "pub mod a;\n",
        PurePosixPath("rust/a.rs"): "fn f() {}\n",
        PurePosixPath("a.md"): "#  untouched \n",
    }


def test_settings_of_the_project_have_no_say(tmp_path: Path) -> None:
    (tmp_path / "ruff.toml").write_text('format.quote-style = "single"\n')
    (tmp_path / ".clang-format").write_text("IndentWidth: 8\n")
    (tmp_path / "rustfmt.toml").write_text("tab_spaces = 8\n")
    texts = {
        PurePosixPath("a.py"): "x='a'\n",
        PurePosixPath("a.h"): "struct A {\nint x;\n};\n",
        PurePosixPath("a.rs"): "fn f() {\ng();\n}\n",
    }
    formatted = format_texts(texts, tmp_path)
    assert formatted[PurePosixPath("a.py")] == 'x = "a"\n'
    assert "\n  int x;" in formatted[PurePosixPath("a.h")]
    assert "\n    g();" in formatted[PurePosixPath("a.rs")]


def test_failures_of_all_formatters_are_reported(tmp_path: Path) -> None:
    texts = {PurePosixPath("a.py"): "x = (\n", PurePosixPath("a.rs"): "fn {\n"}
    with pytest.raises(FormatError) as caught:
        format_texts(texts, tmp_path)
    assert "ruff failed on generated text:" in str(caught.value)
    assert "rustfmt failed on generated text:" in str(caught.value)
    assert "/tschema-" not in str(caught.value)


def test_a_missing_formatter_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(format_module, "find_program", lambda _name: None)
    with pytest.raises(FormatError, match="`rustfmt` is not found: install Rust"):
        format_texts({PurePosixPath("a.rs"): ""}, tmp_path)


def test_a_missing_formatter_leaves_the_others_to_be_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = format_module.find_program
    missing = ("clang-format", "rustfmt")
    monkeypatch.setattr(
        format_module, "find_program", lambda name: None if name in missing else find(name)
    )
    texts = {"a.h": "int  x;\n", "a.py": "x = (\n", "a.rs": "fn  f(){}\n"}
    with pytest.raises(FormatError) as caught:
        format_texts({PurePosixPath(path): texts[path] for path in texts}, tmp_path)
    said = str(caught.value)
    assert "`clang-format` is not found" in said and "`rustfmt` is not found" in said
    assert "ruff failed on generated text:" in said


def _word(chance: random.Random, longest: int) -> str:
    return "".join(chance.choice("abcdefgh_") for _ in range(chance.randrange(1, longest)))


def _row(chance: random.Random) -> str:
    name, words = "x" + _word(chance, 20), chance.randrange(18)
    cells = [
        f'"{name}"',
        f"offsetof(X{_word(chance, 24)}Node, {name})",
        f"&tschema::kAccess<{chance.choice(_CPP_TYPES)}>",
        chance.choice(["0", "tschema::kIgnore", "tschema::kKwOnly | tschema::kNoRepr"]),
        chance.choice(['"int64"', '"Optional[uir.ir.Span]"', '"Map[String, Array[Any]]"']),
    ]
    if words:
        doc = " ".join(_word(chance, 9) for _ in range(words))
        cells.append(f'"{doc}, (\\"{doc[:3]}\\")"')
    defaults = ["", "&tschema::None", "[]() -> ffi::Any { return int64_t{1}; }"]
    return ", ".join(filter(None, [*cells, chance.choice(defaults)]))


_CPP_TYPES = [
    *("int64_t", "ffi::String", "ffi::Optional<ir::Span>", "ForKind", "::uir::ir::Expr"),
    *("ffi::Map<ffi::String, ffi::Array<tir::PrimExpr>>", "ffi::Variant<ir::Expr, double>"),
]


def test_rows_are_laid_out_as_the_formatter_does(tmp_path: Path) -> None:
    chance = random.Random(1)
    tables = [
        f"constexpr tschema::Field k{index}[] = {{\n"
        + "".join(f"    {{{_row(chance)}}},\n" for _ in range(chance.randrange(1, 9)))
        + "};\n"
        for index in map("T{}".format, range(300))
    ]
    ours = [lay_out_rows(table) for table in tables]
    paths = [PurePosixPath(f"table{index}.cc") for index in range(len(tables))]
    formatted = format_texts(dict(zip(paths, tables, strict=True)), tmp_path)
    laid_out = [(path, text) for path, text in zip(paths, ours, strict=True) if text is not None]
    assert len(laid_out) > len(tables) / 2
    for path, text in laid_out:
        assert formatted[path] == text


@pytest.mark.parametrize(
    "text",
    [
        "    {1, 2},\n",
        f'    {{{"x" * 60}, "{"long " * 20}"}},\n',
        f"constexpr int {'x' * 100} = 1;\n",
    ],
)
def test_what_only_the_formatter_can_tell_is_left_to_it(text: str) -> None:
    assert lay_out_rows(text) is None


def test_units_are_formatted_as_they_are_where_they_stand(tmp_path: Path) -> None:
    """Markers of units go, and the blank lines between units stay as a formatter leaves them."""
    block = "// tschema: {0}\nstruct {0}{{int*  x;}};\n// tschema: end\n"
    text = "namespace n {{\n\n{}\n\n\n{}\n//@ unit\nint  a;\n//@ end\n\n}}  // namespace n\n"
    path = PurePosixPath("a.h")
    store = Store()
    for _ in range(2):
        done = format_texts(
            {path: text.format(block.format("A"), block.format("B"))}, tmp_path, store
        )
        assert done[path] == (
            "namespace n {\n\n"
            "// tschema: A\nstruct A {\n  int* x;\n};\n// tschema: end\n\n"
            "// tschema: B\nstruct B {\n  int* x;\n};\n// tschema: end\n\n"
            "int a;\n\n}  // namespace n\n"
        )


def test_units_make_the_same_as_whole_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is formatted apart is what the formatter makes of it where it stands."""
    config = load_config(ROOT / "tests" / "golden" / "atlas" / "tschema.toml")
    schema, _ = driver.build_schema(config)
    texts = {
        file.path: file.text
        for language, target in config.targets().items()
        for file in load_backend(language)(schema, target, Renderer())
    }
    apart = format_texts(texts, config.root)
    monkeypatch.setattr(units, "_UNIT", re.compile(r"(?!x)x()()"))
    whole = {path: re.sub(r"^//@.*\n", "", text, flags=re.M) for path, text in texts.items()}
    assert format_texts(whole, config.root) == apart
