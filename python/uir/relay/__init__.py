"""High-level functions on tensors, without memory and loops."""

__all__: list[str] = []
