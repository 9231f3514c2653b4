"""Names of users that C, its headers or the emitted text have too: they compile."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

import uir
from uir import ir, te, tir
from uir.driver import find_compiler
from uir.target import Target, emit_c

KEYWORDS = (
    "alignas alignof auto bool break case catch char char8_t class co_await co_return co_yield "
    "concept const const_cast consteval constexpr constinit continue decltype default delete do "
    "double dynamic_cast else enum explicit export extern false float for friend goto if inline "
    "int long mutable namespace new noexcept not nullptr operator or private protected public "
    "register reinterpret_cast requires restrict return short signed sizeof static static_assert "
    "static_cast struct switch template this thread_local throw true try typedef typeid typename "
    "typeof typeof_unqual union unsigned using virtual void volatile wchar_t while xor _Atomic "
    "_Bool _Complex _Generic _Noreturn _Static_assert _Thread_local asm fortran"
)

# Types, constants and functions of headers, of tvm-ffi and of the helpers of the text.
OTHERS = (
    "EOF FILE NULL INT32_MAX M_PI errno stdin stdout stderr assert malloc free memcpy memset "
    "snprintf exp sqrtf size_t int64_t float32x8 DLTensor TVMFFIAny kTensor kInt kFloat kPointer "
    "kPoolOpen fail check_size check_extents new_tensor args result outputs self num_args main "
    "I N A output pool linux unix i386"
)

HEADERS = (
    "cpuid dlfcn limits linux/futex math pthread sched signal stdarg stdbool stddef stdint stdio "
    "stdlib string sys/mman sys/syscall time unistd"
)


def macros() -> list[str]:
    """Return the macros of all headers that texts include."""
    text = "".join(f"#include <{name}.h>\n" for name in HEADERS.split())
    command = [*find_compiler(), "-std=gnu11", "-D_GNU_SOURCE", "-dM", "-E", "-xc", "-"]
    defined = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return sorted(set(re.findall(r"^#define (\w+)", defined.stdout, re.MULTILINE)))


def module_of(names: list[str]) -> ir.IRModule:
    """Return a function for each name, which is that of its size, its buffers and itself too."""
    functions = {}
    for name in names:
        size = tir.SizeVar(name, "int32")
        x = te.placeholder((size,), "float32", name)
        y = te.compute((size,), lambda i, x=x: x[i] + 1.0, name=name)
        func = te.create_prim_func([x, y])
        functions[ir.GlobalVar(name)] = ir.with_attr(func, "global_symbol", name)
    return ir.IRModule(functions)


def test_headers_are_those_of_the_texts() -> None:
    """A header that a helper begins to include must be among those whose macros are tried."""
    sources = Path(__file__).parents[4] / "cpp/src/uir/target"
    text = "".join(path.read_text() for path in sorted(sources.glob("**/*.c*")))
    assert "//! helper " in text
    used = re.findall(r'[ "(]<([a-z/]+)\.h>', text)
    used += re.findall(r"^#include <((?:linux/|sys/)?[a-z]+)\.h>", text, re.MULTILINE)
    own = ("tschema/", "tvm/", "uir/")
    assert {name for name in used if not name.startswith(own)} <= {*HEADERS.split()}


@pytest.mark.parametrize("step", [16, pytest.param(1, marks=pytest.mark.deep)])
def test_every_macro_and_word_is_a_name(tmp_path: Path, step: int) -> None:
    defined = macros()
    assert len(defined) > 1000 and {"INT32_MAX", "M_PI_2", "SYS_exit"} <= {*defined}
    names = sorted({*defined[::step], *KEYWORDS.split(), *OTHERS.split()})
    text = emit_c(uir.lower(module_of(names)), Target("c"))
    headers = "".join(f"#include <{name}.h>\n" for name in HEADERS.split())
    path = tmp_path / "names.c"
    path.write_text(f"#define _GNU_SOURCE 1\n{headers}{text}")
    command = [*find_compiler(), "-std=gnu11", "-fsyntax-only", "-w", path]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr[:3000]


def test_names_of_headers_run() -> None:
    names = ["INT32_MAX", "NULL", "EOF", "M_PI", "M_PI_2", "kTensor", "DLTensor", "class", "int"]
    library = uir.build(module_of(names))
    x = np.arange(3, dtype=np.float32)
    for name in names:
        y = np.empty_like(x)
        library[name](x, y)
        assert y.tolist() == [1, 2, 3]
        with pytest.raises(ValueError, match=f"^{name}: .*`{name}` must "):
            library[name](np.zeros((1, 2), np.float32), y)
