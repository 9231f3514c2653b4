"""`schema-language.md` is what the vocabulary, the docstrings and the generator say."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tschema.lsp import words

from .examples import LANGUAGES, Outcome, run_examples
from .page import page
from .table import examples

ROOT = Path(__file__).resolve().parents[4]
PAGE = ROOT / "docs" / "schema" / "schema-language.md"


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    return run_examples(examples(), tmp_path_factory.mktemp("language"))


@pytest.mark.parametrize(
    "known",
    [
        words.types,
        words.class_options,
        words.field_options,
        words.method_options,
        words.function_options,
        words.operator_options,
        words.operand_options,
        words.dialect_options,
        words.decorators,
    ],
)
def test_editors_show_a_text_for_each_word(known: object) -> None:
    assert callable(known)
    texts = known()
    assert texts
    assert [name for name, text in texts.items() if not text] == []


def test_the_page_is_fresh(outcomes: dict[str, Outcome]) -> None:
    text = page(examples(), outcomes)
    if os.environ.get("TSCHEMA_GOLDEN") == "1":
        PAGE.write_text(text, "utf-8")
    assert PAGE.read_text("utf-8") == text


def test_each_type_is_in_each_language(outcomes: dict[str, Outcome]) -> None:
    for name in words.types():
        lines = outcomes[f"type {name}"].lines
        assert lines["cpp"]
        if name != "foreign":
            assert lines["python"] and lines["rust"], name


def test_most_words_change_the_emitted_code(outcomes: dict[str, Outcome]) -> None:
    silent = [
        name
        for name, outcome in outcomes.items()
        if not any(outcome.lines[language] for language in LANGUAGES)
    ]
    assert len(silent) < len(outcomes) / 4, silent
