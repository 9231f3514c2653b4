"""The C compiler, which is a process, and its output."""

from tschema import function, ty


@function
def find_compiler() -> ty.Array[ty.String]:
    """
    Return the command of the C compiler.

    It is the environment variable `UIR_CC`, whose words are the program and its first
    arguments; else `cc`; else Zig's from the Python package `ziglang`, which the extra
    `uir[compiler]` installs.

    Returns
    -------
    command
        The path of the program, and its first arguments.

    Raises
    ------
    RuntimeError
        If there is no compiler, or `UIR_CC` names a program that does not exist.
    """
    ...


@function
def set_fallback_compiler(find: ty.Function) -> None:
    """
    Say which compiler is taken where `UIR_CC` is not set and `cc` is missing.

    Parameters
    ----------
    find
        A function without parameters that returns a command, or an empty array if it has none.
        In Python it finds the package `ziglang` of the interpreter that runs.
    """
    ...


@function
def compile_c(
    source: ty.String,
    flags: ty.Array[ty.String] = (),
    constants: ty.Bytes = b"",
) -> ty.Module:
    """
    Compile a C text into a module and load it.

    Objects are cached by content: compiling the same text again with the same compiler and
    flags only loads the library. The time limit of the compiler is `UIR_CC_TIMEOUT` seconds,
    300 by
    default.

    Parameters
    ----------
    source
        C11 with GNU extensions. The function `__tvm_ffi_<name>` with the signature of
        `TVMFFISafeCallType` becomes the function `<name>` of the module.
    flags
        Further arguments of the compiler, such as `-march=native`.
    constants
        The file `constants.bin` in the compiler's working folder, which the text may include
        with the assembler's `.incbin`.

    Returns
    -------
    module
        A module of kind `c`. Its `inspect_source` returns the text, and its `write_to_file`
        writes `so`, `o`, `c` and `tar`.

    Raises
    ------
    RuntimeError
        If there is no compiler, or it fails, crashes or exceeds the time limit. The message has
        its command, its output and the C file, which is kept.
    ValueError
        If `UIR_CC_TIMEOUT` is not a positive number.
    """
    ...
