"""Operators and passes in C++: the rows that register them, and the functions that make calls.

In: the operators and functions of a schema file in the JSON IR.  Out: a view of ready-made text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tschema.backends.base import View
from tschema.backends.cpp import names
from tschema.backends.cpp.rows import declaration, forwarded, row
from tschema.backends.cpp.scope import Scope, function_name
from tschema.backends.cpp.stored_calls import stored_calls_view
from tschema.ir.casing import camel_case
from tschema.ir.model import Dialect, Field, Namespace, Operator, Parameter, Schema

_TABLE = "uir.ir."
"""Where the compiler core declares the rows."""
_TYPED_OPERAND = "uir.ir.RelayExpr"
"""Operands whose calls have types that rules infer."""
TYPE_RULE_HEADER = "uir/relay/infer.h"
_PASSES = "uir.transform."
"""Where it declares those of passes."""


def operators_view(space: Namespace, schema: Schema) -> View:
    """Return the view of the operators of a schema file."""
    scope = Scope.of_file(space, schema)
    made = [_Operator(one, space, schema) for one in space.operators]
    passes = _passes(space, scope)
    includes = {include for one in made for include in one.includes()}
    if any(one.stored_calls for one in space.operators):
        includes.add("uir/ir/stored_call.h")
    if passes.rows:
        includes.add("uir/transform/pass_registry.h")
    return View(
        row_type=_qualified("OperatorRow", scope),
        variable=f"{names.tables_prefix(space)}Operators",
        add_operators=_qualified("AddOperators", scope),
        place=names.string_literal(space.source),
        includes=sorted(includes),
        rows=[one.row() for one in made],
        registered=[row_name(one) for one in space.operators if one.key is not None],
        functions=[one.definition() for one in made if not one.operator.custom],
        passes=passes,
        stored_calls=stored_calls_view(space, scope),
        type_rules=[_type_rule(one, scope) for one in custom_rules(space, schema)],
    )


def custom_rules(space: Namespace, schema: Schema) -> list[Operator]:
    """Return the operators whose types functions infer that are written by hand."""
    return [one for one in typed_operators(space, schema) if one.relation == "custom"]


def typed_operators(space: Namespace, schema: Schema) -> list[Operator]:
    """Return the operators on tensors of a schema file, whose calls have types."""
    dialect = schema.dialect(space.name)
    is_typed = dialect is not None and dialect.operand == _TYPED_OPERAND
    return [*space.operators] if is_typed else []


def type_rule_name(operator: Operator) -> str:
    """Return the name of the function that infers the type of an operator's call."""
    return f"Infer{camel_case(operator.name)}"


def _type_rule(operator: Operator, scope: Scope) -> View:
    register = scope.name("uir.relay.RegisterInfer")
    key = names.string_literal(operator.key or operator.name)
    commands = (
        "\\param call The call, whose operands have types.",
        "\\param context Compares dimensions.",
        "\\throws TypeError, ValueError if the operands or the attributes do not fit.",
    )
    return View(
        doc=names.doxygen(f"Infer the type of a call of `{operator.name}`.", *commands),
        declaration=type_rule_head(operator, scope),
        registration=f"{register}({key}, &{type_rule_name(operator)})",
    )


def type_rule_head(operator: Operator, scope: Scope) -> str:
    """Return the declaration of a type rule, which its definition begins with."""
    returns, call, context = (
        scope.name(f"uir.{name}") for name in ("ir.Type", "relay.CallNode", "relay.TypeContext")
    )
    name = type_rule_name(operator)
    return f"{returns} {name}(const {call}* call, {context}* context)"


def _passes(space: Namespace, scope: Scope) -> View:
    """Return the view of the table that registers the passes that functions make."""
    rows = [
        row(names.string_literal(one.pass_name), names.string_literal(one.key))
        for one in space.functions
        if one.makes_pass
    ]
    return View(
        type=scope.name(f"{_PASSES}PassRow"),
        variable=f"{names.tables_prefix(space)}Passes",
        rows=rows,
        add_passes=scope.name(f"{_PASSES}AddPasses"),
        place=names.string_literal(space.source),
    )


def calls(space: Namespace, scope: Scope) -> dict[str, str]:
    """Return what calls the function of each operator with its arguments, by name."""
    invoke = _qualified("InvokeOperator", scope)
    return {
        one.name: f"&{invoke}<{row_name(one)}, &{function_name(one.name)}>"
        for one in space.operators
    }


def row_name(operator: Operator) -> str:
    """Return the variable that holds the row of an operator."""
    return f"k{camel_case(operator.name)}Operator"


def _qualified(name: str, scope: Scope) -> str:
    return scope.name(_TABLE + name)


class _Operator:
    """An operator on its way to C++."""

    def __init__(self, operator: Operator, space: Namespace, schema: Schema) -> None:
        dialect = schema.dialect(space.name)
        assert dialect is not None
        self.operator = operator
        self._space = space
        self._schema = schema
        self._scope = Scope.of_file(space, schema)
        self._dialect: Dialect = dialect
        self._function = schema.function(f"{space.name}.{operator.name}")
        self._params = {param.name: param for param in self._function.params}

    def includes(self) -> Iterator[str]:
        """Yield the headers that its row and its function need."""
        yield "uir/ir/operator_table.h"
        functions = {self._dialect.number}
        if not self.operator.custom and self.operator.builds is None:
            functions.add(self._dialect.make)
        for key in functions - {None}:
            header = names.header_path(self._schema.function_home(str(key)))
            if header != names.header_path(self._space):
                yield header
        if self.operator.builds is not None and not self.operator.custom:
            yield names.header_path(self._schema.home(self.operator.builds))

    def row(self) -> View:
        """Return the view of its row."""
        operator = self.operator
        tables = [
            self._table("Operand", map(self._operand_row, range(len(operator.operands)))),
            self._table("Attribute", map(self._attribute_row, operator.attributes)),
            self._table("Trait", self._traits()),
        ]
        operands, attributes, traits = (one.variable if one.rows else "{}" for one in tables)
        cells = row(
            names.string_literal(operator.key or self._function.key),
            names.string_literal(_brief(self._function.doc)),
            operands,
            attributes,
            names.string_literal(operator.attrs) if operator.attrs else "nullptr",
            traits,
            self._number(),
        )
        return View(
            name=row_name(operator), tables=[one for one in tables if one.rows], cells=cells
        )

    def _table(self, name: str, rows: Iterable[str]) -> View:
        return View(
            type=_qualified(f"{name}Row", self._scope),
            variable=f"k{camel_case(self.operator.name)}{name}s",
            rows=list(rows),
        )

    def _operand_row(self, index: int) -> str:
        operand = self.operator.operands[index]
        position = list(self._params).index(operand.name)
        rest = ["true" if flag else "false" for flag in (operand.optional, operand.variadic)]
        rest += [str(position)] if position != index else []
        while rest and rest[-1] == "false":
            rest.pop()
        return row(
            names.string_literal(operand.name),
            names.string_literal(operand.dtype),
            names.string_literal(self._params[operand.name].doc),
            *rest,
        )

    def _attribute_row(self, name: str) -> str:
        param = self._params[name]
        return row(
            names.string_literal(name), names.type_text(param.type), names.string_literal(param.doc)
        )

    def _traits(self) -> Iterator[str]:
        if self.operator.key is None:
            return
        for name, text in self.operator.rules.items():
            yield row(names.string_literal(name), names.string_literal(text))
        for one in self.operator.traits:
            yield row(names.string_literal(one.name), _trait(one.value))

    def _number(self) -> str:
        if self._dialect.number is None:
            return ""
        function = self._scope.name(self._dialect.number)
        return f"&{_qualified('MakeNumber', self._scope)}<&{function}>"

    def definition(self) -> View:
        """Return the view of the function, which makes a call or a node."""
        scope, function = self._scope, self._function
        params = ", ".join(declaration(param, scope) for param in function.params)
        returns = names.cpp_type(function.returns, scope)
        makes = self._call() if self.operator.builds is None else self._node(self.operator.builds)
        head = f"{returns} {function_name(function.name)}({params})"
        return View(head=head, value=makes)

    def _call(self) -> str:
        operator_of = _qualified("OperatorOf", self._scope)
        arguments = [
            f"{operator_of}<{row_name(self.operator)}>()",
            _array(self._params[one.name] for one in self.operator.operands),
            self._attributes(),
        ]
        if self._dialect.span is not None:
            arguments.append(forwarded(self._params["span"]))
        return f"{self._scope.name(self._dialect.make)}({', '.join(arguments)})"

    def _attributes(self) -> str:
        if self._dialect.attributes is None:
            return _array(self._params[name] for name in self.operator.attributes)
        if self.operator.attrs is None:
            return "std::nullopt"
        return self._node(self.operator.attrs)

    def _node(self, key: str) -> str:
        """Return the construction of a node whose fields have the names of parameters."""
        fields = self._schema.arguments(self._schema.type(key))
        given = [self._given(field) for field in fields]
        return f"{self._scope.name(key)}({', '.join(given)})"

    def _given(self, field: Field) -> str:
        """Return an argument of a constructor: a parameter, or the field's default."""
        if field.name in self._params or field.default is None:
            return forwarded(self._params[field.name])
        return names.cpp_default(field.default, field.type, self._scope)


def _array(params: Iterable[Parameter]) -> str:
    elements = ", ".join(map(forwarded, params))
    return f"ffi::Array<ffi::Any>{{{elements}}}"


def _trait(value: bool | int | str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"int64_t{{{value}}}" if isinstance(value, int) else names.string_literal(value)


def _brief(doc: str) -> str:
    """Return the first paragraph of a text as one line."""
    return " ".join(doc.partition("\n\n")[0].split())
