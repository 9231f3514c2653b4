"""Compiled modules: files that hold them."""

from tschema import function, ty


@function
def load_module(path: ty.String) -> ty.Module:
    """
    Load a module from a shared library, as its file is now.

    The same file gives the same module while that is in use. A file that was replaced or
    written over since it was loaded gives another module.

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
        If the file is missing, empty or cut off, is not a shared library, is for other
        processors or has no compiled functions, all of which is found before it is mapped; or
        if it has a module of a kind whose loader is not registered, and the message names the
        package to import.
    """
    ...


@function
def needed_versions(path: ty.String) -> ty.Array[ty.String]:
    """
    Return the versions of symbols that a shared library asks of other libraries.

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
    ...


@function
def export_library(module: ty.Module, path: ty.String) -> None:
    """
    Write a module, and those that it imports, to a file.

    Modules that `build` and `compile_c` made become one library. It carries the others as
    bytes, which are loaded with it: tvm-ffi calls `ffi.Module.load_from_bytes.<kind>`. A shared
    library is loaded by `load_module`, or by the same function of tvm-ffi in a process that has
    no uir: it needs the C library and libtvm_ffi alone.

    Parameters
    ----------
    module
        The module, such as the result of `build`.
    path
        The file. Its ending selects the format: a shared library (`.so`), an object to link
        (`.o`), the C text (`.c`) of a module without imports and external functions, or an
        archive of the object with its sources (`.tar`).

    Raises
    ------
    ValueError
        If the module does not write files with this ending, and the message lists the endings;
        if two modules have a function of the same name; or if a module that is imported cannot
        be saved to bytes.
    RuntimeError
        If the file cannot be written or the compiler fails.
    """
    ...
