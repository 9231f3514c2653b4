"""`If`: both branches, one of them, or both with the rest of the graph.

A branch whose value has another type than that of the other branch takes the rest of its graph
along: the same nodes are converted behind each of them, and the types of the outputs agree. Where
the rest has no result behind one branch, the sizes must choose the other one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import onnx

from uir_nodes.ir import PrimExpr, SourceName, Span
from uir_nodes.relay import Block, If

from ... import relay, tir
from ...ir import structural_equal
from ..errors import Refused
from ..tensors import dtype_of
from .errors import UnknownElements
from .expansion import Origin
from .node import Node
from .scopes import Branch, Scope
from .squeezes import assumes
from .value import Value

if TYPE_CHECKING:
    from .importer import Importer

__all__ = ["Rest", "convert_if"]

BRANCHES = ("then_branch", "else_branch")

# The nodes that are converted behind branches of different types, all trials together.
MOST_NODES = 10_000


class Rest(NamedTuple):
    """The nodes of a graph after one of them, and where all its nodes come from."""

    graph: onnx.GraphProto
    origins: Sequence[Origin]
    start: int


class Trial(NamedTuple):
    """A branch and the rest of the graph in one block, with the values of the graph then.

    The block is None if a node has no result; `problem` says which, or `needed` has the inputs
    whose elements it needs.
    """

    block: Block | None
    scope: Scope
    problem: str = ""
    needed: frozenset[str] = frozenset()


class Choice(NamedTuple):
    """An `If` while it is converted."""

    proto: onnx.NodeProto
    node: Node
    span: Span
    branches: list[Branch]


def convert_if(
    importer: Importer,
    proto: onnx.NodeProto,
    node: Node,
    origin: Origin,
    scope: Scope,
    rest: Rest,
) -> bool:
    """Convert both branches, or the one that a known condition chooses.

    Returns
    -------
    is_done
        Whether the rest of the graph has been converted too, up to its outputs.

    Raises
    ------
    Refused
        If the branches have results of different types that no rest of a graph makes equal.
    """
    graphs = check_if(proto, node)
    condition = node.values[0]
    assert condition is not None
    branches = [
        Branch.of(origin, name, graph) for name, graph in zip(BRANCHES, graphs, strict=True)
    ]
    choice = Choice(proto, node, Span(SourceName(origin.node), 0, 0), branches)
    if condition.elements is not None and sizes_of(condition) is None:
        inline(importer, choice, 0 if node.number(0) else 1, scope)
        return False
    blocks = [block_of(importer, branch, scope) for branch in branches]
    if None in blocks:
        return False
    then, other = (block for block in blocks if block is not None)
    types = [block.result.checked_type for block in (then, other)]
    if not structural_equal(*types):
        reason = f"branches of the types `{types[0]}` and `{types[1]}`"
        return divide(importer, choice, scope, rest, reason, assumes(then, condition))
    flag = relay.reshape(node.input(0), [])
    whole = scope.builder.emit(If(flag, then, other), "", choice.span)
    fields = [whole] if len(proto.output) == 1 else list(whole)
    importer.define(proto, fields, [None] * len(fields), choice.span, scope)
    return False


def check_if(proto: onnx.NodeProto, node: Node) -> list[onnx.GraphProto]:
    """Return the graphs of an `If`, whose condition and numbers of outputs are checked."""
    if dtype_of(node.input(0)) != "bool":
        raise Refused(f"the condition must be of data type bool, got {dtype_of(node.input(0))}")
    graphs = []
    for name in BRANCHES:
        graph = node.attribute(name)
        if graph is None or len(graph.output) != len(proto.output):
            found = 0 if graph is None else len(graph.output)
            raise Refused(f"{len(proto.output)} outputs, and a branch has {found}")
        graphs.append(graph)
    return graphs


def block_of(importer: Importer, branch: Branch, scope: Scope) -> Block | None:
    """Return the block of a branch; None if a node fails."""
    inner = Scope(relay.builder(), scope.values, branch.path)
    importer.initialize(branch.graph, inner)
    if not importer.run_branch(branch, inner):
        return None
    return inner.builder.make_block(importer.result(branch.graph, inner))


def inline(importer: Importer, choice: Choice, place: int, scope: Scope) -> bool:
    """Convert a branch as a part of the graph; return whether its outputs are defined then."""
    branch = choice.branches[place]
    inner = Scope(scope.builder, scope.values, branch.path)
    importer.initialize(branch.graph, inner)
    if not importer.run_branch(branch, inner):
        return False
    for name, output in zip(choice.proto.output, branch.graph.output, strict=True):
        scope.values[name] = inner.values[output.name]
    return True


def sizes_of(condition: Value) -> PrimExpr | None:
    """Return a condition that depends on symbolic sizes; None for any other one."""
    elements = condition.elements
    found = None if elements is None or elements.size != 1 else elements.reshape(-1)[0]
    return found if isinstance(found, PrimExpr) else None


def divide(
    importer: Importer, choice: Choice, scope: Scope, rest: Rest, reason: str, is_assumed: bool
) -> bool:
    """Convert the rest of a graph behind each branch, or behind the one that has a result.

    Parameters
    ----------
    importer
        The importer of the model.
    choice
        The `If`.
    scope
        The values of the graph.
    rest
        The nodes behind the `If`.
    reason
        Why the branches cannot be those of one `If`.
    is_assumed
        Whether the first branch has its type only if the condition holds, as that of
        `x.squeeze(axis)`. It is taken if the outputs have different types.

    Returns
    -------
    is_done
        Whether the outputs of the graph are defined.

    Raises
    ------
    Refused
        If neither has a result, their types differ, or one has none and the condition does not
        follow from sizes.
    UnknownElements
        If a result depends on elements of inputs.
    """
    trials = [trial(importer, choice, place, scope, rest) for place in (0, 1)]
    blocks = [one.block for one in trials]
    works = [block is not None for block in blocks]
    condition = choice.node.values[0]
    assert condition is not None
    sizes = sizes_of(condition)
    if all(works):
        then, other = (block for block in blocks if block is not None)
        types = [block.result.checked_type for block in (then, other)]
        if structural_equal(*types):
            join(importer, choice, [one.scope for one in trials], [then, other], scope, rest)
            return True
        if not is_assumed:
            raise Refused(f"{reason}, and outputs of `{types[0]}` and `{types[1]}` after them")
    elif not any(works) or sizes is None:
        needed = trials[0].needed | trials[1].needed
        if needed:
            raise UnknownElements(needed)
        problem = next(one.problem for one in trials if one.block is None)
        raise Refused(f"{reason}; behind one of them, {problem}")
    assert sizes is not None
    require(sizes if works[0] else tir.Not(sizes), choice.span, scope)
    inline(importer, choice, works.index(True), scope)
    return False


def require(condition: PrimExpr, span: Span, scope: Scope) -> None:
    """Let the function check a condition on sizes."""
    scope.builder.emit(relay.require([condition]), "checked", span)


def trial(importer: Importer, choice: Choice, place: int, scope: Scope, rest: Rest) -> Trial:
    """Convert a branch and the rest of the graph, and note no unsupported nodes."""
    importer.count_trial(len(rest.graph.node) - rest.start, MOST_NODES)
    inner = Scope(relay.builder(), scope.values, scope.path)
    with importer.apart():
        try:
            if inline(importer, choice, place, inner):
                importer.run(rest.graph, inner, rest.origins, rest.start)
        except Refused as refused:
            return Trial(None, inner, str(refused))
        if importer.problems:
            return Trial(None, inner, str(importer.problems[0]))
        if any(output.name not in inner.values for output in rest.graph.output):
            return Trial(None, inner, "an output has no value", frozenset(importer.needed))
        return Trial(inner.builder.make_block(importer.result(rest.graph, inner)), inner)


def join(
    importer: Importer,
    choice: Choice,
    ends: Sequence[Scope],
    blocks: Sequence[Block],
    scope: Scope,
    rest: Rest,
) -> None:
    """Bind the outputs of the graph to those of the two blocks."""
    flag = relay.reshape(choice.node.input(0), [])
    whole = scope.builder.emit(If(flag, *blocks), "", choice.span)
    outputs = rest.graph.output
    fields = [whole] if len(outputs) == 1 else list(whole)
    condition = choice.node.values[0]
    assert condition is not None
    for output, field in zip(outputs, fields, strict=True):
        inputs = condition.inputs.union(*(end.values[output.name].inputs for end in ends))
        bound = scope.builder.emit(field, output.name, choice.span)
        scope.values[output.name] = Value(bound, None, inputs)
