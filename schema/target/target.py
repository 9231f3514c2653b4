"""What code is generated for, and the text of C that a lowered module becomes."""

from schema.ir.module import IRModuleNode
from tschema import Object, declare, field, function, ty


@declare
class TargetNode(Object):
    """
    Machine and language that code is generated for.

    See Also
    --------
    Target

    Attributes
    ----------
    kind
        The language that is emitted: `c`.
    isa
        The instruction set of the machine: `native` for that of the machine at hand; `x86-64` for
        all processors of this kind, with code for AVX-512, for AVX2 and for neither (a library
        selects the best when it is loaded); `x86-64-v3` (AVX2) and `x86-64-v4` (AVX-512) alone;
        `aarch64` (NEON); or `generic` for what every machine of the kind at hand has.
    checks
        What emitted code checks at run time besides arguments and assertions: `bounds` for the
        index of each access of a buffer, before it; an index that is out of bounds raises an
        `IndexError` that names function, buffer, index and extent. Empty for no checks.
    division
        What integers divided by 0 are: `checked` for a ValueError of the call, which names the
        operator, the source and the divisor; `numpy` for NumPy's result, which is 0.
    glibc
        The oldest glibc that a shared library shall work with, such as `2.17`: it is linked by the
        compiler of the extra `uir[compiler]` if this system has a newer one, and `build` refuses a
        library that needs a newer one. Empty for that of this system.
    """

    type_key = "uir.target.Target"
    post_init = True
    kind: ty.String = field(default="c")
    isa: ty.String = field(default="native")
    checks: ty.String = field(default="")
    division: ty.String = field(default="checked", kw_only=True)
    glibc: ty.String = field(default="", kw_only=True)


@function(api=True)
def emit_c(module: IRModuleNode, target: TargetNode) -> ty.String:
    """
    Emit the functions of a lowered module as one text of C.

    The text is C11 with GNU extensions, needs no header but those of C, and is the same for the
    same module. Each function with the attribute `global_symbol` becomes an entry
    `__tvm_ffi_<symbol>`, which checks its arguments; its callees become static functions. Where
    a function has the attribute `num_outputs`, the entry allocates and returns that many of its
    last buffers, and the entry `__tvm_ffi_<symbol>_into` takes them.

    Parameters
    ----------
    module
        Functions on scalars and buffers: without blocks, each buffer flat, loops of kind
        `ForKind.VECTORIZED` replaced by vectors.
    target
        The machine.

    Returns
    -------
    text
        The text. It is compiled with `-fwrapv -fno-strict-aliasing -ffp-contract=off`, and
        linked with libtvm_ffi.

    Raises
    ------
    ValueError
        If the module has nodes without a form in C, or nodes that another pass must lower
        first; the message lists all of it with its places, and names the passes to run.
    """
    ...


@function(api=True)
def constant_bytes(module: IRModuleNode) -> ty.Bytes:
    """
    Return the content of the file that the text of a module includes.

    Parameters
    ----------
    module
        The module; its attribute `constants` holds the tensors, and none is an empty file.

    Returns
    -------
    content
        The elements of the tensors; each tensor starts at a multiple of 64 bytes. The C
        compiler finds the file as `constants.bin` in its working folder.

    Raises
    ------
    TypeError
        If the attribute is not an array of tensors.
    ValueError
        If a tensor is not on the CPU.
    """
    ...
