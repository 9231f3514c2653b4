"""Elements of inputs that the importer must know."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import Refused

__all__ = ["UnknownElements", "UnknownElementsError"]


class UnknownElements(Refused):
    """The conversion of a node needs the elements of values that depend on inputs."""

    def __init__(self, inputs: Iterable[str]) -> None:
        super().__init__()
        self.inputs = frozenset(inputs)


class UnknownElementsError(ValueError):
    """Shapes depend on the elements of inputs: they must be given as constants."""

    def __init__(self, inputs: Iterable[str]) -> None:
        self.inputs = sorted(inputs)
        names = ", ".join(f"`{name}`" for name in self.inputs)
        super().__init__(
            f"from_onnx: shapes or axes depend on the elements of {names}: give them by "
            f"`constants`, or `--constant {self.inputs[0]}=FILE.npy`"
        )
