"""Modules that hold tensors beside code."""

from tschema import function, ty


@function
def tensor_module(tensors: ty.Map[ty.String, ty.Tensor]) -> ty.Module:
    """
    Return a module that holds tensors, each as a function that returns it.

    Import it by a compiled module: `export_library` then writes one file that carries both. A
    process that loads the file must have loaded uir, which registers the loader of the kind.

    Parameters
    ----------
    tensors
        The tensors by name, on the CPU.

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
    ...
