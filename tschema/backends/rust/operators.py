"""The functions of operators in Rust: each starts a builder, which makes the call.

In: an operator's function in the JSON IR.  Out: a view of ready-made text.
"""

from __future__ import annotations

from tschema.backends.base import View
from tschema.backends.rust import docs, layout
from tschema.backends.rust.names import Scope, declared_names, identifier, named_identifier
from tschema.ir.casing import camel_case, snake_case
from tschema.ir.keywords import SCOPE_NAMES, escaped
from tschema.ir.model import Function, Namespace, Parameter, TypeRef


def operator_view(function: Function, space: Namespace, scope: Scope) -> View:
    """Return the view of the function of an operator, and of its builder."""
    operands = _operands(function, space)
    required = [param for param in function.params if param.default is None]
    params = [f"{identifier(one)}: {_parameter(one, operands, scope)}" for one in required]
    values = [_named(one, _argument(one, operands, scope)) for one in required]
    builder = _builder(function, scope)
    started = layout.listed("tschema::arguments! { ", values, " }", 4 + len(builder) + 2)
    name = escaped(snake_case(function.name), "Rust", SCOPE_NAMES)
    return View(
        # A parameter with a default is documented by the builder's method that sets it.
        doc=docs.callable(function, required),
        head=layout.signature(f"pub fn {name}", params, builder, 0),
        body=f"{builder}({started if required else 'tschema::Arguments::new()'})",
        builder=View(
            doc=f"A call of [`{name}`], not made yet; unset arguments take their defaults.",
            head=f'pub {builder} -> Result<{scope.value(function.returns)}>: "{function.key}"',
            setters=[
                _setter(one, operands, scope) for one in function.params if one.default is not None
            ],
        ),
    )


def _operands(function: Function, space: Namespace) -> frozenset[str]:
    """Return the operands of an operator that are expressions, not arrays of them."""
    found = next(one for one in space.operators if one.name == function.name)
    return frozenset(operand.name for operand in found.operands if not operand.variadic)


def _builder(function: Function, scope: Scope) -> str:
    """Return the name of the builder, which no declared name of the namespace is."""
    name = f"{camel_case(function.name)}Call"
    spaces = (one for one in scope.schema.namespaces if one.name == scope.space.name)
    taken = {name for one in spaces for name in declared_names(one)}
    while name in taken:
        name = f"{name}Call"
    return name


def _setter(param: Parameter, operands: frozenset[str], scope: Scope) -> View:
    is_filled = param.default is not None and param.default.literal is None
    is_optional = param.type.kind == "Optional" and is_filled
    inner = param.type.args[0] if is_optional else param.type
    value = _value(identifier(param), inner, param.name in operands, scope)
    taken = _taken(inner, param.name in operands, scope)
    setter = "build_" if param.name == "build" else identifier(param)
    spelled = setter if setter == param.name else f'{setter} as "{param.name}"'
    return View(declaration=f"{spelled}: {taken} => {value},", doc=docs.markdown(param.doc))


def _parameter(param: Parameter, operands: frozenset[str], scope: Scope) -> str:
    return _taken(param.type, param.name in operands, scope)


def _argument(param: Parameter, operands: frozenset[str], scope: Scope) -> str:
    return _value(identifier(param), param.type, param.name in operands, scope)


def _taken(type_ref: TypeRef, is_operand: bool, scope: Scope) -> str:
    if is_operand:
        return f"impl tschema::IntoOperand<{scope.value(type_ref)}>"
    return scope.parameter(type_ref)


def _value(name: str, type_ref: TypeRef, is_operand: bool, scope: Scope) -> str:
    return f"{name}.into_operand()" if is_operand else scope.argument(type_ref, name)


def _named(param: Parameter, value: str) -> str:
    return param.name if value == param.name else f"{named_identifier(param)}: {value}"
