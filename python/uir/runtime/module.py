"""Compiled modules in files."""

from __future__ import annotations

import copyreg
import os
from collections.abc import Mapping
from typing import NoReturn

import tvm_ffi
from tvm_ffi import Module

from . import _ffi_api
from .arrays import as_tensor

__all__ = ["export_library", "load_module", "needed_versions", "tensor_module"]


def _refuse_pickle(module: Module) -> NoReturn:
    """Say how another process gets a compiled module."""
    raise TypeError(
        f"a compiled module, of kind `{module.kind}`, cannot be pickled or copied: write it by "
        "`uir.runtime.export_library`, and load the file by `load_module` in the other process"
    )


# tvm-ffi would say that the type lacks a creator of its graph of JSON.
copyreg.pickle(Module, _refuse_pickle)


def load_module(path: str | os.PathLike[str]) -> Module:
    """Load a module from a shared library, as its file is now.

    It stays loaded until the process ends. The same file gives the same module; a file that was
    replaced or written over since it was loaded gives another one. Do not write into the file of a
    loaded library: write a new file and rename it, as `export_library` does. Else a call of the old
    module, or the exit of the process, can end in a segmentation fault.

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
        If the file is missing, empty or cut off, is not a shared library, is for other processors
        or has no compiled functions, all of which is found before it is mapped; or if it has a
        module of a kind whose loader is not registered, and the message names the package to
        import.
    """
    module = _ffi_api.load_module(os.fspath(path))
    tvm_ffi.get_global_func("ffi.ModuleGlobalsAdd")(module)
    return module


def export_library(module: Module, path: str | os.PathLike[str]) -> None:
    """Write a module, and those that it imports, to a file.

    Modules that `uir.build` and `uir.driver.compile_c` made become one library. It carries the
    others as bytes, which are loaded with it: tvm-ffi calls the function
    `ffi.Module.load_from_bytes.<kind>`. A shared library is loaded by `load_module`, or by
    `tvm_ffi.load_module` in a process that has no uir: it needs the C library and libtvm_ffi alone.

    Parameters
    ----------
    module
        The module, as `uir.build` returns it.
    path
        The file. Its ending decides the kind: a shared library (`.so`), an object to link (`.o`),
        the C text (`.c`) of a module without imports and external functions, or an archive of the
        object with its sources (`.tar`).

    Raises
    ------
    ValueError
        If the module does not write files with this ending, and the message lists the endings;
        if two modules have a function of the same name; or if a module that is imported cannot be
        saved to bytes.
    RuntimeError
        If the file cannot be written or the compiler fails.
    """
    _ffi_api.export_library(module, os.fspath(path))


def needed_versions(path: str | os.PathLike[str]) -> list[str]:
    """Return the versions of symbols that a shared library asks of other libraries.

    Parameters
    ----------
    path
        The library, for the processors of any machine.

    Returns
    -------
    versions
        The names, in order: `GLIBC_2.17` asks for glibc 2.17 or newer, `GLIBCXX_3.4.21` for a
        libstdc++ of GCC 5 or newer. Empty for objects, and for files of other formats than ELF.

    Raises
    ------
    RuntimeError
        If the file is missing, empty or cut off.
    """
    return list(_ffi_api.needed_versions(os.fspath(path)))


def tensor_module(tensors: Mapping[str, object]) -> Module:
    """Return a module that holds tensors, each as a function that returns it.

    Import it by a compiled module: `export_library` then writes one file that carries both. A
    process that loads the file must have imported uir, which registers the loader of the kind.

    Parameters
    ----------
    tensors
        The tensors by name, on the CPU: NumPy arrays and others that speak DLPack.

    Returns
    -------
    module
        A module of kind `uir.tensors`. Its function `<name>` has no parameters, and returns the
        tensor of this name; `tensor_names` returns the names, in order.

    Raises
    ------
    ValueError
        If a tensor is called `tensor_names`.
    """
    return _ffi_api.tensor_module({name: as_tensor(value) for name, value in tensors.items()})
