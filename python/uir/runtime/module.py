"""Compiled modules in files."""

from __future__ import annotations

import os

import tvm_ffi
from tvm_ffi import Module

from . import _ffi_api

__all__ = ["export_library", "load_module"]


def load_module(path: str | os.PathLike[str]) -> Module:
    """Load a module from a shared library.

    It stays loaded until the process ends.

    Parameters
    ----------
    path
        The library: what `export_library` wrote.

    Returns
    -------
    module
        The module, whose functions are those of the library.

    Raises
    ------
    RuntimeError
        If the file is missing or is not a shared library.
    """
    return tvm_ffi.load_module(os.fspath(path))


def export_library(module: Module, path: str | os.PathLike[str]) -> None:
    """Write a module to a file.

    A shared library is loaded by `load_module`, or by `tvm_ffi.load_module` in a process that has
    no uir: it needs the C library and libtvm_ffi alone.

    Parameters
    ----------
    module
        The module: what `uir.build` returns.
    path
        The file. Its ending says what is written: a shared library (`.so`), an object to link
        (`.o`), the C text (`.c`), or an archive of the object with its sources (`.tar`).

    Raises
    ------
    ValueError
        If the module does not write files with this ending, and the message lists the endings;
        or if it imports other modules, which the file would lack.
    RuntimeError
        If the file cannot be written or the compiler fails.
    """
    _ffi_api.export_library(module, os.fspath(path))
