"""A source in Rust that calls each operator of relay once, with the attributes of `fixed_call`."""

from __future__ import annotations

import json
from typing import Any

from .declarations import Operand, Operator, Parameter, operators
from .draws import Draw
from .fixed import fixed_call

_SOURCE = """\
// Calls of the operators of relay, written by `python -m tests.operators rust`.

/// Call an operator by its name, with attributes that are fixed.
pub fn make_call_of(name: String, operands: Array<Any>) -> Result<RelayExpr> {{
    let operand = |place: usize| -> Result<RelayExpr> {{ operands.get(place)?.try_into() }};
    let operands = |place: usize| -> Result<Array<RelayExpr>> {{ operands.get(place)?.try_into() }};
    match name.as_str() {{
{arms}
        other => panic!("no operator `{{other}}`"),
    }}
}}
"""
_SCALARS = {"int64": "i64", "Union": "i64", "float64": "f64"}


def rust_source() -> str:
    """Return the text of the source; `make_call_of` takes a name and the operands."""
    return _SOURCE.format(arms="\n".join(map(_arm, operators().values())))


def _arm(operator: Operator) -> str:
    call = fixed_call(operator)
    operands = {operand.name: operand for operand in operator.operands}
    arguments, setters = [], []
    for parameter in operator.parameters:
        value = _argument(parameter, operands, call)
        if value is None:
            continue
        if parameter.has_default:
            setters.append(f".{parameter.name}({value})")
        else:
            arguments.append(value)
    # A raw identifier, because `where` and `mod` are keywords.
    function = f"relay::r#{operator.name}({', '.join(arguments)})"
    return f'        "{operator.name}" => {function}{"".join(setters)}.build(),'


def _argument(parameter: Parameter, operands: dict[str, Operand], call: Draw) -> str | None:
    """Return an argument, or None where the default is taken."""
    if parameter.name not in operands:
        value = call.attributes.get(parameter.name)
        if value is None:
            return None
        text = _value(value, parameter.type)
        # A setter takes None too where it is not the default.
        has_none = parameter.type["kind"] == "Optional" and parameter.default is not None
        return f"Some({text})" if has_none else text
    place = list(operands).index(parameter.name)
    if call.operands[place] is None:
        return None
    if operands[parameter.name].variadic:
        return f"operands({place})?"
    return f"&operand({place})?"


def _value(value: Any, declared: dict[str, Any]) -> str:
    """Return a value as Rust writes it."""
    kind = declared["kind"]
    if kind == "Optional":
        return _value(value, declared["args"][0])
    if kind == "Array":
        element = declared["args"][0]
        elements = ", ".join(_value(one, element) for one in value)
        return f"[{elements}]" if value else f"Vec::<{_SCALARS[element['kind']]}>::new()"
    if kind == "DataType":
        return f'DLDataType::try_from_str("{value}")?'
    if kind == "String":
        return json.dumps(value)
    if kind == "bool":
        return str(value).lower()
    return f"{value}_{_SCALARS[kind]}"
