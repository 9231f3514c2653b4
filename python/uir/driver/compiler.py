"""The C compiler, which runs as a process, and its results."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from tvm_ffi import Module

from . import _ffi_api

__all__ = ["compile_c", "find_compiler", "use_installed_zig"]


def find_compiler() -> list[str]:
    """Return the command of the C compiler.

    It is the environment variable `UIR_CC`, whose words are the program and its first arguments;
    else `cc`; else Zig's from the Python package `ziglang`, which the extra `uir[compiler]`
    installs.

    Returns
    -------
    command
        The path of the program, and its first arguments.

    Raises
    ------
    RuntimeError
        If there is no compiler, or `UIR_CC` names a program that does not exist.
    """
    return list(_ffi_api.find_compiler())


def compile_c(source: str, flags: Sequence[str] = (), constants: bytes = b"") -> Module:
    """Compile a C text into a module and load it.

    Objects are cached by content: compiling the same text again with the same compiler and flags
    only loads the library. The time limit of the compiler is `UIR_CC_TIMEOUT` seconds, 300 by
    default.

    Parameters
    ----------
    source
        C11 with GNU extensions. The function `__tvm_ffi_<name>` with the signature of
        `TVMFFISafeCallType` becomes the function `<name>` of the module.
    flags
        Further arguments of the compiler, such as `-march=native`.
    constants
        The file `constants.bin` in the compiler's working folder, which the text may include with
        the assembler's `.incbin`.

    Returns
    -------
    module
        A module of kind `c`. Its `inspect_source` returns the text, and its `write_to_file` writes
        `so`, `o`, `c` and `tar`.

    Raises
    ------
    RuntimeError
        If there is no compiler, or it fails, crashes or exceeds the time limit. The message has its
        command, its output and the C file, which is kept.
    ValueError
        If `UIR_CC_TIMEOUT` is not a positive number.
    """
    return _ffi_api.compile_c(source, flags, constants)


def use_installed_zig() -> None:
    """Take the package `ziglang` of this interpreter where there is no other compiler."""
    _ffi_api.set_fallback_compiler(_zig_command)


def _zig_command() -> list[str]:
    spec = find_spec("ziglang")
    if spec is None or spec.origin is None:
        return []
    return [str(Path(spec.origin).with_name("zig")), "cc"]
