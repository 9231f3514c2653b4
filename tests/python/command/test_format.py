"""Formatting: each language with its formatter, failures reported, settings of nobody else."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from tschema import format as format_module
from tschema.format import FormatError, format_texts


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
    monkeypatch.setattr(format_module.shutil, "which", lambda *_args, **_kwargs: None)
    with pytest.raises(FormatError, match="`rustfmt` is not found: install Rust"):
        format_texts({PurePosixPath("a.rs"): ""}, tmp_path)
