"""C texts that become modules of tvm-ffi, and programs that stand in for a C compiler."""

from __future__ import annotations

from pathlib import Path

__all__ = ["PRELUDE", "add_module", "fake_compiler"]

PRELUDE = """
#include <stdint.h>
typedef struct { int32_t type_index; uint32_t pad; union { int64_t i; double d; void *p; } v; } Any;
extern void TVMFFIErrorSetRaisedFromCStr(const char *kind, const char *message);
"""


def add_module(constant: int = 0) -> str:
    """Return a text whose function `add` returns the sum of two integers and a constant."""
    return f"""{PRELUDE}
int __tvm_ffi_add(void *self, const Any *args, int32_t count, Any *result) {{
  if (count != 2) {{
    TVMFFIErrorSetRaisedFromCStr("TypeError", "add: expected 2 arguments");
    return -1;
  }}
  result->type_index = 1;
  result->v.i = args[0].v.i + args[1].v.i + {constant};
  return 0;
}}
"""


def fake_compiler(folder: Path, body: str) -> Path:
    """Write a program that knows its version, and does what a shell script says else."""
    path = folder / "fake-cc"
    path.write_text(f'#!/bin/sh\nif [ "$*" = --version ]; then echo fake 1; exit; fi\n{body}\n')
    path.chmod(0o755)
    return path
