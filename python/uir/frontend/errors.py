"""Errors in models, for users and for the parts of importers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

__all__ = [
    "InternalError",
    "Refused",
    "SymbolicSizes",
    "Unsupported",
    "UnsupportedModelError",
    "grouped",
    "only_refusals",
]


class Refused(Exception):
    """The reason why an operator cannot be converted, as the text of the error.

    Parameters
    ----------
    reason
        The reason.
    help
        An action that helps the user, if one is known.
    """

    def __init__(self, reason: str = "", help: str = "") -> None:
        super().__init__(reason)
        self.help = help


class SymbolicSizes(Refused):
    """A size that must be a number depends on symbolic dimensions.

    Parameters
    ----------
    what
        The thing that depends on the dimensions.
    names
        Their names.
    """

    def __init__(self, what: str, names: Sequence[str]) -> None:
        many = "dimension" if len(names) == 1 else "dimensions"
        listed = ", ".join(f"`{name}`" for name in names)
        super().__init__(f"{what} depends on the symbolic {many} {listed}")
        self.names = list(names)


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
        if is_large_size(error):
            raise Refused(f"a size that its data type does not hold: {error}") from error
        raise InternalError(importer, operator, node, error) from error


def is_check_of_relay(error: Exception) -> bool:
    """Return whether an operator of relay refuses its operands or attributes.

    Its checks name it first, as in `relay.softmax: ...`; `uir.relay.softmax: ...` is the text about
    an argument of a type that the function does not take.
    """
    return isinstance(error, TypeError | ValueError) and str(error).startswith("relay.")


def is_large_size(error: Exception) -> bool:
    """Return whether an expression of sizes has a number beyond its data type."""
    return isinstance(error, ValueError) and str(error).startswith("IntImm: `value`")


class Unsupported(NamedTuple):
    """A node that is not supported, and why.

    Attributes
    ----------
    node
        The name that the user's model has for it.
    operator
        Its operator.
    reason
        Why it is not supported.
    source
        Where the user wrote it, as in "model.py:12: `y = x.nonzero()`", if that is known.
    help
        An action that helps the user, if one is known.
    """

    node: str
    operator: str
    reason: str
    source: str = ""
    help: str = ""

    def __str__(self) -> str:
        return f"{self.operator} `{self.node}`: {self.reason}"


# A line about nodes that are alike has the names of so many.
MOST_NAMES = 3


class UnsupportedModelError(NotImplementedError):
    """Nodes of a model are not supported.

    The text has nodes of one operator and one reason in one line. The attribute `nodes` has all of
    them, in the order of the graph.

    Parameters
    ----------
    importer
        The function that refuses the model.
    nodes
        The nodes.
    """

    def __init__(self, importer: str, nodes: Sequence[Unsupported]) -> None:
        count = "a node is" if len(nodes) == 1 else f"{len(nodes)} nodes are"
        super().__init__("\n".join([f"{importer}: {count} not supported:", *grouped(nodes)]))
        self.nodes = list(nodes)


def grouped(nodes: Sequence[Unsupported]) -> Iterator[str]:
    """Yield lines about nodes, those of the same operator and reason together."""
    groups: dict[tuple[str, str], list[Unsupported]] = {}
    for node in nodes:
        groups.setdefault((node.operator, node.reason), []).append(node)
    for (operator, reason), alike in groups.items():
        # Several nodes of a definition have the name of the node that it defines.
        distinct = list(dict.fromkeys(node.node for node in alike))
        names = ", ".join(f"`{name}`" for name in distinct[:MOST_NAMES])
        others = len(distinct) - MOST_NAMES
        more = f" and {others} more" if others > 0 else ""
        yield f"  {operator} {names}{more}: {reason}"
        yield from dict.fromkeys(
            line for node in alike[:MOST_NAMES] for line in [f"    at {node.source}"] if node.source
        )
        yield from dict.fromkeys(f"    help: {node.help}" for node in alike if node.help)
