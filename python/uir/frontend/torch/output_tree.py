"""The structure of a program's outputs: tuples, dictionaries and classes with tensors in them.

In: how `torch.export` took the outputs apart.  Out: a text, which is an attribute of `main`, and
the outputs as the program returns them, from the results of `main`.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

__all__ = ["Leaf", "structure_of", "structured"]

# A tensor, a number that is a result, a number that is a result but known, or another known value.
Leaf: TypeAlias = "str | dict[str, Any]"

# The structures that this process has seen, by their texts: those of classes that have no name to
# be found by are known here alone.
SEEN: dict[str, Any] = {}


def structure_of(spec: object, leaves: Sequence[Leaf]) -> str:
    """Return the structure of outputs as a text.

    Parameters
    ----------
    spec
        The `TreeSpec` of the outputs.
    leaves
        The kind of each output, in their order: "tensor", "number", `{"number": value}` for a
        number that is always the same, `{"value": value}` for None and text, which are not results.

    Returns
    -------
    str
        JSON, which `structured` reads.
    """
    pytree = importlib.import_module("torch.utils._pytree")
    try:
        tree = pytree.treespec_dumps(spec)
    except (NotImplementedError, TypeError):
        # A class that is registered without a name to find it by.
        tree = str(spec)
    SEEN[tree] = spec
    return json.dumps({"tree": tree, "leaves": list(leaves)})


def structured(results: Sequence[object], structure: str) -> Any:
    """Return outputs as the program returns them.

    Parameters
    ----------
    results
        The results of `main` as tensors of PyTorch: the outputs, then the new values of the tensors
        that the program changes.
    structure
        The text of the structure.

    Returns
    -------
    outputs
        The outputs; if the program changes inputs or buffers, a tuple of them and the new values.

    Raises
    ------
    TypeError
        If the outputs have a class that is not registered in this process.
    """
    described = json.loads(structure)
    rest = iter(results)
    leaves = [value_of(leaf, rest) for leaf in described["leaves"]]
    pytree = importlib.import_module("torch.utils._pytree")
    outputs = pytree.tree_unflatten(leaves, spec_of(described["tree"]))
    changed = list(rest)
    return (outputs, *changed) if changed else outputs


def value_of(leaf: Leaf, results: Iterator[Any]) -> Any:
    """Return the value of an output, with the next result if it has one."""
    if isinstance(leaf, dict) and "value" in leaf:
        return leaf["value"]
    result = next(results)
    if isinstance(leaf, dict):
        return leaf["number"]
    return result if leaf == "tensor" else result.item()


def spec_of(tree: str) -> Any:
    """Return the structure that a text describes, which PyTorch has to know."""
    if tree in SEEN:
        return SEEN[tree]
    pytree = importlib.import_module("torch.utils._pytree")
    try:
        return pytree.treespec_loads(tree)
    except (NotImplementedError, ValueError) as error:
        raise TypeError(
            f"as_torch_function: the outputs have a class that this process does not know: {tree}\n"
            "help: register it first, with a `serialized_type_name`, as for `torch.export.save`"
        ) from error
