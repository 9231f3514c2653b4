"""Digests of the elements of tensors, which tell whether they have changed."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from secrets import token_bytes
from typing import Any

from uir_nodes.ir import GlobalVar, IRModule
from uir_nodes.tir import Evaluate, PrimFunc, SizeVar, Var

from .... import ir, tir
from ....driver import build

__all__ = ["Digests"]

# Those of a row, one for the rows and one for the last bytes: `digests.c`.
KEYS = 258


class Digests:
    """Takes digests of tensors, by keys that are random in each process.

    A change of a tensor leaves its digest with a probability below 2^-27.

    Parameters
    ----------
    tensors
        Tensors of PyTorch on the CPU. The bytes from the first element of each to the last are
        read, so that elements between those of a tensor count too.
    """

    def __init__(self, tensors: Sequence[Any]) -> None:
        torch = importlib.import_module("torch")
        self._function, self._keys = compiled()
        self._addresses = torch.tensor([one.data_ptr() for one in tensors], dtype=torch.int64)
        self._sizes = torch.tensor([bytes_of(one) for one in tensors], dtype=torch.int64)
        self._empty = torch.empty_like

    def __call__(self) -> Any:
        """Return the digests of the memory that the tensors had: a tensor of int64."""
        found = self._empty(self._addresses)
        self._function(self._addresses, self._sizes, self._keys, found)
        return found


def bytes_of(tensor: Any) -> int:
    """Return how many bytes there are from the first element of a tensor to its last."""
    if tensor.numel() == 0:
        return 0
    pairs = zip(tensor.shape, tensor.stride(), strict=True)
    return int((sum((size - 1) * stride for size, stride in pairs) + 1) * tensor.itemsize)


@cache
def compiled() -> tuple[Callable[..., Any], Any]:
    """Return the function of `digests.c`, and keys."""
    torch = importlib.import_module("torch")
    keys = torch.frombuffer(bytearray(token_bytes(KEYS * 4)), dtype=torch.uint32)
    return build(program())["main"], keys


def program() -> IRModule:
    """Return a module that calls `digests.c`: addresses, sizes and keys, then the digests."""
    count = SizeVar("count", "int64")
    kinds = {"addresses": "int64", "sizes": "int64", "keys": "uint32", "digests": "int64"}
    buffers = [
        tir.decl_buffer([KEYS if name == "keys" else count], kind, name)
        for name, kind in kinds.items()
    ]
    addresses, sizes, keys, digests = (buffer.data for buffer in buffers)
    call = tir.call_extern("void", "uir_digests", addresses, sizes, count, keys, digests)
    params = {Var(buffer.name, "handle"): buffer for buffer in buffers}
    main = ir.with_attr(PrimFunc(list(params), Evaluate(call), params), "global_symbol", "main")
    source = Path(__file__).with_name("digests.c").read_text()
    function = ir.extern_func("uir_digests", source)
    return IRModule({GlobalVar("main"): main, GlobalVar("uir_digests"): function})
