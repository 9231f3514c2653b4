"""From graphs of ONNX to functions of `relay`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import onnx

from uir_nodes.ir import BaseFunc, GlobalVar, IRModule, RelayExpr, SourceName, Span, with_attr
from uir_nodes.relay import Constant, Tuple

from ... import relay
from ..errors import Refused, SymbolicSizes, Unsupported, UnsupportedModelError, only_refusals
from ..refusals import reason_of
from ..tensors import Array
from .branches import Outer, Rest, convert_if
from .broadcasting import with_common_shape
from .errors import UnknownElements, UnknownElementsError
from .expansion import Expansion, Origin, expand
from .known import elements_of
from .loops import LOOPS, convert_loop
from .model import Model, opset_of, read_model
from .narrow_tensors import constant_value
from .node import Node
from .operator_definitions import DEFINITIONS
from .operators import converters, is_own
from .operators.random_draws import RANDOM
from .random_numbers import RandomState
from .refusals import REFUSED
from .scopes import Branch, Scope
from .sequences import OF_VALUES, converter_of_values, named_tensors
from .signature import Shape, Signature
from .value import Value

__all__ = ["SPECIAL", "from_onnx"]

# The operators whose attributes are graphs.
OF_GRAPHS = ("If", *LOOPS)

# The operators of ONNX's own that need more than their inputs and attributes.
SPECIAL = (*OF_GRAPHS, *OF_VALUES, *RANDOM)


def from_onnx(
    model: Model,
    shapes: Mapping[str, Shape] | None = None,
    constants: Mapping[str, Array] | None = None,
    sizes: Mapping[str, int] | None = None,
) -> IRModule:
    """Import a model of ONNX as a module with the function `main`.

    The parameters of `main` are the inputs of the graph, in their order; its value is the output,
    or a tuple of several outputs. An output `y` that is a sequence gives one output for each of its
    tensors, named `y.0`, `y.1` and so on. Initializers become constants, a dimension with a
    `dim_param` a variable of shapes, and the name of a node the source of its expressions. The
    attributes `input_names` and `output_names` of `main` hold the names that the model uses.

    If nodes draw random numbers, the last parameter is `random_state`, of shape (2,) and `uint32`.
    Equal states give equal numbers.

    Parameters
    ----------
    model
        A model, its bytes, or the path of its file, next to which external data lies.
    shapes
        Shapes of inputs by name, instead of those of the model; a text means a symbolic dimension.
    constants
        Values of inputs by name. They are not parameters then. Shapes, axes and the like must be
        constants: `Reshape` needs to know its shape.
    sizes
        Sizes of symbolic dimensions by name. Conditions that depend on them choose the branch of an
        `If` during the import.

    Returns
    -------
    IRModule
        The module.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If the model is damaged or malformed, or `shapes`, `constants` or `sizes` do not fit its
        inputs.
    UnknownElementsError
        If a shape or the like depends on inputs that are not constants; the error has their names.
    UnsupportedModelError
        If nodes are not supported; the error has all of them, with their names and the reasons.
    """
    proto = read_model(model)
    opset = opset_of(proto)
    expansion = expand(proto, {*converters(), *RANDOM})
    signature = Signature(proto.graph, shapes or {}, constants or {}, sizes or {})
    return Importer(opset, signature).module(expansion)


def unknown_operator(proto: onnx.NodeProto) -> str:
    """Return why the operator of a node is refused."""
    own = is_own(proto.domain)
    reason = reason_of(proto.op_type, REFUSED.get("" if own else proto.domain, {}))
    domain = "" if own else f" of the domain `{proto.domain}`"
    because = f": {reason}" if reason not in (None, "not in relay") else ""
    return f"no such operator{domain} in relay{because}"


def check_outputs(proto: onnx.NodeProto, count: int) -> None:
    """Check that a node has no more outputs than its operator.

    Raises
    ------
    Refused
        If it has.
    """
    if any(proto.output[count:]):
        raise Refused(f"{len(proto.output)} outputs, and the operator has {count}")


class Importer:
    """Converts the nodes of one model."""

    def __init__(self, opset: int, signature: Signature) -> None:
        self.opset = opset
        self.signature = signature
        self.problems: list[Unsupported] = []
        self.needed: set[str] = set()
        self.left_out: dict[str, str] = {}
        self._tried = 0
        self._builder = relay.builder()
        self.random_state = RandomState(self._builder, signature.names)

    def module(self, expansion: Expansion) -> IRModule:
        """Return the module of a model."""
        graph = expansion.model.graph
        scope = Scope(self._builder, {})
        inputs = []
        for name, value in self.signature.inputs(scope.builder, self.problems):
            scope.values[name] = value
            if value.elements is None:
                inputs.append(name)
        self.initialize(graph, scope)
        scope = self.run(graph, scope, expansion.origins) or scope
        names = [output.name for output in graph.output]
        if not names:
            raise ValueError("from_onnx: the model has no outputs")
        self.problems += [
            Unsupported(name, "output", self.left_out[name])
            for name in names
            if name in self.left_out
        ]
        if self.problems:
            raise UnsupportedModelError("from_onnx", self.problems)
        if self.needed:
            raise UnknownElementsError(self.needed)
        for name in names:
            if name not in scope.values:
                raise ValueError(f"from_onnx: the model does not define its output `{name}`")
        try:
            outputs = named_tensors([(name, scope.values[name]) for name in names])
        except Refused as refused:
            problem = Unsupported(", ".join(names), "output", str(refused))
            raise UnsupportedModelError("from_onnx", [problem]) from None
        fields = [field for _, field in outputs]
        result = fields[0] if len(fields) == 1 else Tuple(fields)
        func: BaseFunc = scope.builder.make_func(result)
        func = with_attr(func, "global_symbol", "main")
        func = with_attr(func, "input_names", inputs + self.random_state.names)
        func = with_attr(func, "output_names", [name for name, _ in outputs])
        return IRModule({GlobalVar("main"): func})

    def initialize(self, graph: onnx.GraphProto, scope: Scope) -> None:
        """Define the constants of a graph."""
        for tensor in graph.initializer:
            try:
                scope.values[tensor.name] = constant_value(tensor)
            except Refused as refused:
                name = scope.path + tensor.name
                self.problems.append(Unsupported(name, "initializer", str(refused)))

    def run(
        self,
        graph: onnx.GraphProto,
        scope: Scope,
        origins: Sequence[Origin],
        start: int = 0,
        outer: Outer | None = None,
    ) -> Scope | None:
        """Convert the nodes of a graph from a place on; those that fail define nothing.

        Returns
        -------
        scope
            The values of the outermost graph, if branches took all its other nodes along.
        """
        for place in range(start, len(graph.node)):
            proto, origin = graph.node[place], origins[place]
            try:
                with only_refusals("from_onnx", proto.op_type, origin.node):
                    rest = Rest(graph, origins, place + 1, outer)
                    final = self.convert(proto, origin, scope, rest)
                    if final is not None:
                        return final
            except UnknownElements as unknown:
                self.needed |= unknown.inputs
                if not unknown.inputs:
                    self.refuse(
                        proto,
                        origin,
                        "shapes or axes depend on values that are known only at run time",
                    )
            except Refused as refused:
                names = refused.names if isinstance(refused, SymbolicSizes) else []
                self.refuse(proto, origin, str(refused), self.signature.help_for(names))
        return None

    def refuse(self, proto: onnx.NodeProto, origin: Origin, reason: str, todo: str = "") -> None:
        """Note why a node is not supported, in terms of the user's one."""
        if proto.op_type != origin.operator:
            reason = f"{reason}, in the definition of {origin.operator}"
        self.problems.append(Unsupported(origin.node, proto.op_type, reason, help=todo))

    def help_since(self, begin: int, todo: str) -> None:
        """Add an action to the problems from a place on that have none."""
        later = [one if one.help else one._replace(help=todo) for one in self.problems[begin:]]
        self.problems[begin:] = later

    def result(self, graph: onnx.GraphProto, scope: Scope) -> RelayExpr:
        """Return the output of a graph, or the tuple of several outputs."""
        outputs = [scope.values[output.name].expr for output in graph.output]
        return outputs[0] if len(outputs) == 1 else Tuple(outputs)

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Note the problems of conversions apart from those of the model."""
        outer = self.problems, self.needed, self.left_out
        self.problems, self.needed, self.left_out = [], set(), dict(self.left_out)
        try:
            yield
        finally:
            self.problems, self.needed, self.left_out = outer

    def count_trial(self, nodes: int, most: int) -> None:
        """Count nodes that are converted apart.

        Raises
        ------
        Refused
            If they are more than `most`, all together.
        """
        self._tried += nodes
        if self._tried > most:
            raise Refused(f"more than {most:,} nodes behind branches of different types")

    def convert(
        self, proto: onnx.NodeProto, origin: Origin, scope: Scope, rest: Rest
    ) -> Scope | None:
        """Convert a node, unless one that it depends on has failed.

        Returns
        -------
        scope
            The values of the outermost graph, if branches took all its other nodes along.
        """
        span = Span(SourceName(origin.node), 0, 0)
        definition = DEFINITIONS.get((proto.domain, proto.op_type))
        is_special = proto.op_type in SPECIAL and is_own(proto.domain)
        converter = converters(proto.domain).get(proto.op_type)
        if converter is None and definition is None and not is_special:
            raise Refused(unknown_operator(proto))
        for name in proto.input:
            if name in self.left_out:
                raise Refused(f"input `{name}`: {self.left_out[name]}")
        if any(name and name not in scope.values for name in proto.input):
            return None
        values = [scope.values[name] if name else None for name in proto.input]
        node = Node(proto, values, self.opset, lambda expr: scope.builder.emit(expr, "", span))
        if definition is not None:
            self.run_definition(definition(node), proto, origin, scope)
            return None
        if proto.op_type in RANDOM and is_special:
            self.draw(proto, node, scope, span)
            return None
        of_values = converter_of_values(proto, node)
        if of_values is not None:
            check_outputs(proto, 1)
            scope.values[proto.output[0]] = of_values(node)
            return None
        if converter is None:
            if proto.op_type == "If":
                return convert_if(self, proto, node, origin, scope, rest)
            convert_loop(self, proto, node, origin, scope)
            return None
        outputs = converter(with_common_shape(node))
        fields = list(outputs) if isinstance(outputs, Sequence) else [outputs]
        self.define(proto, fields, elements_of(node, converter, fields), span, scope)
        return None

    def draw(self, proto: onnx.NodeProto, node: Node, scope: Scope, span: Span) -> None:
        """Define the output of a node by random numbers, which no input makes known."""
        check_outputs(proto, 1)
        (name,) = proto.output
        seed = node.attribute("seed")
        stream = self.random_state.stream((scope.path, name), seed, node.bind)
        drawn = RANDOM[proto.op_type](node, stream)
        scope.values[name] = Value(scope.builder.emit(drawn, name, span))

    def run_definition(
        self, graph: onnx.GraphProto, proto: onnx.NodeProto, origin: Origin, scope: Scope
    ) -> None:
        """Convert the definition of a node, and define the outputs of the node by those of it."""
        check_outputs(proto, len(graph.output))
        values = {
            one.name: scope.values[name]
            for one, name in zip(graph.input, proto.input, strict=False)
            if name
        }
        inner = Scope(scope.builder, values, scope.path)
        self.initialize(graph, inner)
        self.run(graph, inner, [origin._replace(graphs={})] * len(graph.node))
        scope.values.update(
            (name, inner.values[one.name])
            for name, one in zip(proto.output, graph.output, strict=False)
            if name and one.name in inner.values
        )

    def define(
        self,
        proto: onnx.NodeProto,
        outputs: Sequence[RelayExpr | None],
        known: Sequence[Array | None],
        span: Span,
        scope: Scope,
    ) -> None:
        """Bind the outputs of a node, with their known elements."""
        check_outputs(proto, len(outputs))
        operands = [scope.values[name] for name in proto.input if name]
        inputs = frozenset[str]().union(*(one.inputs for one in operands))
        for name, expr, elements in zip(proto.output, outputs, known, strict=False):
            if name and expr is None:
                self.left_out[name] = f"this output of {proto.op_type} is not supported"
            elif name and expr is not None:
                # A constant has no variable, so that passes see its elements where it is used.
                is_constant = isinstance(expr, Constant)
                value = expr if is_constant else scope.builder.emit(expr, name, span)
                scope.values[name] = Value(value, elements, inputs)

    def run_branch(self, branch: Branch, inner: Scope) -> Scope | None:
        """Convert the nodes of a branch; return its values, or None if an output has none.

        Raises
        ------
        Refused
            If one is an output of a node that is not supported.
        """
        final = self.run(branch.graph, inner, branch.origins) or inner
        return final if self.has_outputs(branch.graph, final) else None

    def has_outputs(self, graph: onnx.GraphProto, scope: Scope) -> bool:
        """Return whether all outputs of a branch are defined.

        Raises
        ------
        Refused
            If one is an output of a node that is not supported.
        """
        missing = [output.name for output in graph.output if output.name not in scope.values]
        for name in missing:
            if name in self.left_out:
                raise Refused(f"output `{name}` of a branch: {self.left_out[name]}")
        return not missing
