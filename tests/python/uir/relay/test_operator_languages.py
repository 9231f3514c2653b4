"""The same call of every operator from Python, C++ and Rust."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
import tvm_ffi

from uir import ir, relay

from ....operators.cpp import cpp_source
from ....operators.fixed import fixed_call
from ...support.crate import LIBRARIES, run
from ...support.project import ROOT
from .operator_cases import NAMES, OPERATORS, make, variables


@pytest.fixture(scope="module")
def cpp(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Compile and load the C++ calls that the declarations give."""
    folder = tmp_path_factory.mktemp("operators")
    (folder / "calls.cc").write_text(cpp_source(), encoding="utf-8")
    includes = [f"-I{ROOT / path / 'include'}" for path in ("cpp", "generated/cpp")]
    flags = run("tvm-ffi-config", "--cxxflags", folder=folder).split()
    run(
        "c++", "-std=c++17", "-shared", "-fPIC", "-O0", *flags, *includes, "calls.cc",
        f"-L{LIBRARIES}", "-luir", "-ltschema", f"-Wl,-rpath,{LIBRARIES}", "-o", "libcalls.so",
        folder=folder,
    )  # fmt: skip
    return tvm_ffi.load_module(str(folder / "libcalls.so"))


@pytest.fixture(scope="module")
def rust() -> Any:
    """Load the library of Rust calls."""
    library = ROOT / "build" / "cargo" / "debug" / "libuir_interop.so"
    assert library.exists(), f"{library} is missing: run `make rust`"
    return tvm_ffi.load_module(str(library))


def test_operators_that_are_data_are_called_by_name(cpp: Any, rust: Any, loom: ModuleType) -> None:
    x = relay.Var("x", relay.Tensor((4, 3)))
    for y in (relay.Var("y", relay.Tensor((4, 3))), 2):
        expected = loom.dye(x, y)
        for library in (cpp, rust):
            found = library.call_global("loom.dye", [x, y])
            assert ir.structural_equal(found, expected), ir.first_mismatch(found, expected)
            assert ir.structural_equal(found.checked_type, expected.checked_type)


@pytest.mark.parametrize("name", NAMES)
def test_calls_are_equal(name: str, cpp: Any, rust: Any) -> None:
    call = fixed_call(OPERATORS[name])
    operands = variables(OPERATORS[name], call.operands)
    expected = make(OPERATORS[name], operands, call.attributes)
    for library in (cpp, rust):
        found = library.make_call_of(name, operands)
        assert ir.structural_equal(found, expected), ir.first_mismatch(found, expected)
        assert ir.structural_equal(found.checked_type, expected.checked_type)
        assert type(found.attrs) is type(expected.attrs)
