"""`If`: both branches, one of them, or both with the rest of the graph.

A branch whose value has another type than that of the other branch takes the rest of its graph
along: the same nodes are converted behind each of them, and the types of the outputs agree. Where
the rest has no result behind one branch, the sizes must choose the other one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import onnx

from uir_nodes.ir import PrimExpr, SourceName, Span
from uir_nodes.relay import Block, If

from ... import relay, tir
from ...ir import structural_equal
from ..errors import Refused
from ..tensors import dims, dtype_of
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
    """The nodes behind one of a graph.

    Attributes
    ----------
    graph
        The graph.
    origins
        Where its nodes come from.
    start
        The place of the first of the nodes.
    outer
        The `If` whose branch the graph is, if that is a part of another graph.
    """

    graph: onnx.GraphProto
    origins: Sequence[Origin]
    start: int
    outer: Outer | None = None

    def chain(self) -> Iterator[Rest]:
        """Yield the rest of this graph and of those around it."""
        rest: Rest | None = self
        while rest is not None:
            yield rest
            rest = None if rest.outer is None else rest.outer.rest


class Outer(NamedTuple):
    """An `If` of which one branch is a part of its graph: its outputs, scope and rest."""

    outputs: Sequence[str]
    scope: Scope
    rest: Rest


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
) -> Scope | None:
    """Convert both branches, or the one that a known condition chooses.

    Returns
    -------
    scope
        The values of the outermost graph, if it has been converted up to its outputs.

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
        return inline(importer, choice, 0 if node.number(0) else 1, scope, rest)
    before = len(importer.problems)
    blocks = [block_of(importer, branch, scope) for branch in branches]
    if None in blocks:
        if blocks != [None, None]:
            importer.help_since(before, help_for(condition, scope))
        return None
    then, other = (block for block in blocks if block is not None)
    types = [block.result.checked_type for block in (then, other)]
    if not structural_equal(*types):
        reason = f"branches of the types `{types[0]}` and `{types[1]}`"
        return divide(importer, choice, scope, rest, reason, assumes(then, condition))
    flag = relay.reshape(node.input(0), [])
    whole = scope.builder.emit(If(flag, then, other), "", choice.span)
    fields = [whole] if len(proto.output) == 1 else list(whole)
    importer.define(proto, fields, [None] * len(fields), choice.span, scope)
    return None


def help_for(condition: Value, scope: Scope) -> str:
    """Return how to leave out a branch that fails, if inputs of one element choose it."""
    names = sorted(condition.inputs)
    shapes = [dims(scope.values[name].expr) for name in names if name in scope.values]
    if not names or any(size != 1 for shape in shapes for size in shape):
        return ""
    listed = ", ".join(f"`{name}`" for name in names)
    option = f"`--constant {names[0]}=FILE.npy`"
    return f"{listed} chooses whether this runs: give it by `constants`, or {option}"


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
    final = importer.run_branch(branch, inner)
    if final is None:
        return None
    return inner.builder.make_block(importer.result(branch.graph, final))


def inline(
    importer: Importer, choice: Choice, place: int, scope: Scope, rest: Rest
) -> Scope | None:
    """Convert a branch as a part of the graph, and define the outputs of the `If`.

    Returns
    -------
    scope
        The values of the outermost graph, if it has been converted up to its outputs.
    """
    branch = choice.branches[place]
    inner = Scope(scope.builder, scope.values, branch.path)
    importer.initialize(branch.graph, inner)
    outer = Outer(choice.proto.output, scope, rest)
    final = importer.run(branch.graph, inner, branch.origins, 0, outer)
    if final is None and importer.has_outputs(branch.graph, inner):
        define_outputs(scope, outer, branch.graph, inner)
    return final


def define_outputs(scope: Scope, outer: Outer, graph: onnx.GraphProto, inner: Scope) -> None:
    """Define the outputs of an `If` by those of its branch."""
    for name, output in zip(outer.outputs, graph.output, strict=True):
        scope.values[name] = inner.values[output.name]


def follow(importer: Importer, rest: Rest, scope: Scope) -> Scope | None:
    """Convert the rest of a graph and of those around it.

    Returns
    -------
    scope
        The values of the outermost graph; None if a node has no result.
    """
    final = importer.run(rest.graph, scope, rest.origins, rest.start, rest.outer)
    if final is not None or not importer.has_outputs(rest.graph, scope):
        return final
    if rest.outer is None:
        return scope
    outside = rest.outer.scope
    after = Scope(scope.builder, outside.values, outside.path)
    define_outputs(after, rest.outer, rest.graph, scope)
    return follow(importer, rest.outer.rest, after)


def sizes_of(condition: Value) -> PrimExpr | None:
    """Return a condition that depends on symbolic sizes; None for any other one."""
    elements = condition.elements
    found = None if elements is None or elements.size != 1 else elements.reshape(-1)[0]
    return found if isinstance(found, PrimExpr) else None


def divide(
    importer: Importer, choice: Choice, scope: Scope, rest: Rest, reason: str, is_assumed: bool
) -> Scope | None:
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
    scope
        The values of the outermost graph, if it has been converted up to its outputs.

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
            return join(choice, trials, scope, rest)
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
    return inline(importer, choice, works.index(True), scope, rest)


def require(condition: PrimExpr, span: Span, scope: Scope) -> None:
    """Let the function check a condition on sizes."""
    scope.builder.emit(relay.require([condition]), "checked", span)


def trial(importer: Importer, choice: Choice, place: int, scope: Scope, rest: Rest) -> Trial:
    """Convert a branch and the rest of the graph, and note no unsupported nodes."""
    nodes = sum(len(one.graph.node) - one.start for one in rest.chain())
    importer.count_trial(nodes, MOST_NODES)
    inner = Scope(relay.builder(), scope.values, scope.path)
    with importer.apart():
        try:
            final = inline(importer, choice, place, inner, rest)
            if final is None and all(name in inner.values for name in choice.proto.output):
                final = follow(importer, rest, inner)
        except Refused as refused:
            return Trial(None, inner, str(refused))
        if importer.problems:
            return Trial(None, inner, str(importer.problems[0]))
        if final is None:
            return Trial(None, inner, "an output has no value", frozenset(importer.needed))
        (*_, last) = rest.chain()
        block = inner.builder.make_block(importer.result(last.graph, final))
        return Trial(block, final)


def join(choice: Choice, trials: Sequence[Trial], scope: Scope, rest: Rest) -> Scope:
    """Bind the outputs of the outermost graph to those behind the two branches."""
    flag = relay.reshape(choice.node.input(0), [])
    blocks = [one.block for one in trials if one.block is not None]
    whole = scope.builder.emit(If(flag, *blocks), "", choice.span)
    (*_, last) = rest.chain()
    outputs = last.graph.output
    fields = [whole] if len(outputs) == 1 else list(whole)
    condition = choice.node.values[0]
    assert condition is not None
    final = Scope(scope.builder, scope.values, scope.path)
    for output, field in zip(outputs, fields, strict=True):
        inputs = condition.inputs.union(*(one.scope.values[output.name].inputs for one in trials))
        bound = scope.builder.emit(field, output.name, choice.span)
        final.values[output.name] = Value(bound, None, inputs)
    return final
