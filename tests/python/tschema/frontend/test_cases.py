"""Every schema in `tests/schema/pass` is accepted, every one in `fail` is refused as expected.

A case is a file, or a folder with `schema/`, and with `imports/<package>/schema/` where it extends
other packages.  Beside it stands what is expected: `<name>.json` the JSON IR, `<name>.txt` the
messages.  `TSCHEMA_GOLDEN=1` rewrites both.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tschema.diagnostics.errors import Diagnostic, SchemaError, render
from tschema.diagnostics.explain import titles
from tschema.ir.codec import decode, encode
from tschema.ir.model import Schema

SCHEMAS = Path(__file__).parents[3] / "schema"
Built = tuple[Schema, tuple[Diagnostic, ...]]
UPDATE = os.environ.get("TSCHEMA_GOLDEN") == "1"


def find_cases(folder: str) -> list[Path]:
    paths = (SCHEMAS / folder).iterdir()
    return sorted(path for path in paths if path.suffix == ".py" or path.is_dir())


def build_case(path: Path, build_folder: Callable[..., Built]) -> Built:
    if path.is_file():
        return build_folder(path.parent, path.name, "toy")
    packages = sorted(path.glob("imports/*"))
    imports = {one.name: build_folder(one, "schema", one.name)[0] for one in packages}
    return build_folder(path, "schema", "toy", imports)


def expect(path: Path, text: str) -> None:
    if UPDATE:
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def rendered(diagnostics: tuple[Diagnostic, ...]) -> str:
    return "".join(render(diagnostic) + "\n" for diagnostic in diagnostics)


@pytest.mark.parametrize("path", find_cases("pass"), ids=lambda path: path.stem)
def test_accepts(path: Path, build_folder: Callable[..., Built]) -> None:
    schema, warnings = build_case(path, build_folder)
    expect(path.with_suffix(".json"), encode(schema).decode())
    assert decode(encode(schema)) == schema
    messages = path.with_suffix(".txt")
    if warnings or messages.exists():
        expect(messages, rendered(warnings))


@pytest.mark.parametrize("path", find_cases("fail"), ids=lambda path: path.stem)
def test_refuses(path: Path, build_folder: Callable[..., Built]) -> None:
    with pytest.raises(SchemaError) as raised:
        build_case(path, build_folder)
    expect(path.with_suffix(".txt"), rendered(raised.value.diagnostics))


def test_every_code_of_the_schema_has_a_case() -> None:
    messages = [path.read_text(encoding="utf-8") for path in sorted(SCHEMAS.glob("*/*.txt"))]
    expected = [code for code in titles() if code < "TS040" or "TS080" <= code < "TS090"]
    # An unreadable file cannot be checked in; `test_files.py` makes one.
    expected.remove("TS002")
    assert [code for code in expected if not any(f"[{code}]" in text for text in messages)] == []


def test_every_code_that_is_used_has_a_title() -> None:
    messages = [path.read_text(encoding="utf-8") for path in sorted(SCHEMAS.glob("*/*.txt"))]
    used = {code for text in messages for code in re.findall(r"\[(TS\d+)\]", text)}
    assert used <= set(titles())
