"""What one language saves, another one loads: the same text, the same bytes, equal objects."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import tvm_ffi

from tschema.runtime import load_binary, load_json, save_binary, save_json

from .conftest import leads_to_function, same

LIBRARY = Path(__file__).resolve().parents[5] / "build" / "cargo" / "debug" / "libuir_interop.so"


@pytest.fixture(scope="module")
def rust() -> tvm_ffi.Module:
    """Load the library that is written in Rust."""
    assert LIBRARY.exists(), f"{LIBRARY} is missing: run `make rust`"
    library = tvm_ffi.load_module(str(LIBRARY))
    library["init"]()
    return library


def test_rust_and_python_save_alike_and_load_each_others_files(
    rust: tvm_ffi.Module, node: Any
) -> None:
    if leads_to_function(node):
        return
    text, data = save_json(node), save_binary(node)
    assert rust["save_json"](node) == text
    assert bytes(rust["save_binary"](node)) == data
    for loaded in (
        rust["load_json"](text),
        rust["load_binary"](data),
        load_json(rust["save_json"](node)),
        load_binary(rust["save_binary"](node)),
    ):
        assert same(node, loaded)


def test_errors_of_the_loaders_come_through_rust(rust: tvm_ffi.Module) -> None:
    with pytest.raises(ValueError, match=r"\(byte \d+"):
        rust["load_json"]('{"nodes":[')
    with pytest.raises(ValueError, match=r"\(byte \d+"):
        rust["load_binary"](b"\x89TSB\x01")
