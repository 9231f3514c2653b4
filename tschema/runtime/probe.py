"""The program that `tschema verify` runs to list the registrations of a library.

In: the library's path as the argument, type keys as a JSON list on standard input.  Out: JSON on
standard output.

    {"types": {"toy.ir.Point": {"digest": "...", "owner": "...", "fields": ["..."],
      "methods": ["..."]}},
     "functions": ["toy.ir.origin"]}

On failure, the last line of standard error is the message, and the exit status is not 0.
"""

from __future__ import annotations

import ctypes
import json
import sys
from pathlib import Path

import tvm_ffi
from tvm_ffi import core

from tschema.runtime.library_file import explain_truncation

__all__ = ["describe"]


def describe(library: str, keys: list[str]) -> dict[str, object]:
    """
    Load a library, and list the registrations of it and its dependencies.

    Parameters
    ----------
    library
        Its path, or a name for the system to find.
    keys
        The types to describe; one that is not registered is left out.

    Returns
    -------
    description
        See the module.

    Raises
    ------
    OSError
        The library cannot be loaded, or is cut off.
    ImportError
        Registering was refused.
    """
    path = Path(library)
    if path.is_file() and (reason := explain_truncation(path)):
        raise OSError(reason)
    ctypes.CDLL(library)
    errors = tvm_ffi.get_global_func("tschema.registration_errors", allow_missing=True)
    refused = [] if errors is None else list(errors())
    if refused:
        raise ImportError("; ".join(map(str, refused)))
    indices = {key: core._object_type_key_to_index(key) for key in keys}
    types = {key: _type(key, index) for key, index in indices.items() if index is not None}
    return {"types": types, "functions": tvm_ffi.registry.list_global_func_names()}


def _type(key: str, type_index: int) -> dict[str, object]:
    digest, owner = (
        core._lookup_type_attr(type_index, name)
        for name in ("__tschema_digest__", "__tschema_owner__")
    )
    info = core._lookup_or_register_type_info_from_type_key(key)
    return {
        "digest": None if digest is None else str(digest),
        "owner": None if owner is None else str(owner),
        "fields": [str(field.name) for field in info.fields or ()],
        "methods": [str(method.name) for method in info.methods or ()],
    }


def _main() -> None:
    try:
        print(json.dumps(describe(sys.argv[1], json.load(sys.stdin))))
    except Exception as error:
        sys.exit(" ".join(str(error).split()))


if __name__ == "__main__":
    _main()
