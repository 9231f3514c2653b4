"""The backend `uir` of `torch.compile`, which PyTorch finds by the entry point of this package."""

from .backend import compile_graph

__all__ = ["compile_graph"]
