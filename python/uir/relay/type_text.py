"""Short texts of types of tensors."""

from uir_nodes.ir import TensorType, TupleType

__all__ = ["type_text"]


def type_text(found: object) -> str:
    """Return a type of tensors as `float32 (batch, 3)`, one of a tuple in parentheses."""
    if isinstance(found, TupleType):
        return f"({', '.join(map(type_text, found.fields))})"
    if not isinstance(found, TensorType):
        return str(found)
    return f"{found.dtype} ({', '.join(str(dim) for dim in found.shape)})"
