"""What is wrong with a model, for users and for the parts of importers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

__all__ = ["InternalError", "Refused", "Unsupported", "UnsupportedModelError", "only_refusals"]


class Refused(Exception):
    """What an operator cannot be converted for; the text names it."""


class InternalError(RuntimeError):
    """An importer has failed inside, which is a bug of it; the cause is chained.

    Parameters
    ----------
    importer
        The function that imports the model.
    operator
        The operator that it converted.
    node
        The node.
    cause
        What failed.
    """

    def __init__(self, importer: str, operator: str, node: str, cause: Exception) -> None:
        super().__init__(
            f"{importer}: internal error at {operator} `{node}`: {type(cause).__name__}: {cause}\n"
            "help: this is a bug of the importer, not of the model: please report it, with this "
            "text, the operator and the types of its operands"
        )
        self.operator = operator
        self.node = node


@contextmanager
def only_refusals(importer: str, operator: str, node: str) -> Iterator[None]:
    """Let nothing but refusals out of the conversion of a node.

    Parameters
    ----------
    importer
        The function that imports the model.
    operator
        The operator of the node.
    node
        The node.

    Raises
    ------
    Refused
        If the conversion refuses the node, or an operator of relay its operands.
    InternalError
        If it fails otherwise.
    MemoryError
        If it needs more memory than there is.
    """
    try:
        yield
    except (Refused, InternalError, MemoryError):
        raise
    except Exception as error:
        if is_check_of_relay(error):
            raise Refused(str(error)) from error
        raise InternalError(importer, operator, node, error) from error


def is_check_of_relay(error: Exception) -> bool:
    """Return whether an operator of relay refuses its operands or attributes.

    Its checks name it first, as in `relay.softmax: ...`; `uir.relay.softmax: ...` is the text about
    an argument of a type that the function does not take.
    """
    return isinstance(error, TypeError | ValueError) and str(error).startswith("relay.")


class Unsupported(NamedTuple):
    """A node that is not supported, and why."""

    node: str
    operator: str
    reason: str

    def __str__(self) -> str:
        return f"{self.operator} `{self.node}`: {self.reason}"


class UnsupportedModelError(NotImplementedError):
    """Nodes of a model are not supported: all of them, in the order of the graph.

    Parameters
    ----------
    importer
        The function that refuses the model.
    nodes
        The nodes.
    """

    def __init__(self, importer: str, nodes: Sequence[Unsupported]) -> None:
        lines = "".join(f"\n  {node}" for node in nodes)
        count = "a node is" if len(nodes) == 1 else f"{len(nodes)} nodes are"
        super().__init__(f"{importer}: {count} not supported:{lines}")
        self.nodes = list(nodes)
