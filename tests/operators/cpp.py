"""A source in C++ that calls each operator of relay once, with the attributes of `fixed_call`."""

from __future__ import annotations

import json
from typing import Any

from .declarations import Operand, Operator, Parameter, operators
from .fixed import fixed_call

_SOURCE = """\
// Calls of the operators of relay, written by `python -m tests.operators cpp`.
{includes}
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/function.h>

#include <map>
#include <string>

namespace {{

namespace ffi = ::tvm::ffi;
namespace ir = ::uir::ir;
namespace relay = ::uir::relay;

using Operands = ffi::Array<ffi::Any>;
using MakeCall = ir::RelayExpr (*)(const Operands&);
using Optional = ffi::Optional<ir::RelayExpr>;
using Array = ffi::Array<ir::RelayExpr>;
using Extent = ffi::Variant<int64_t, ir::PrimExpr>;

const std::map<std::string, MakeCall>& Calls() {{
  static const std::map<std::string, MakeCall> calls = {{
{entries}
  }};
  return calls;
}}

ir::RelayExpr MakeCallOf(const ffi::String& name, const Operands& operands) {{
  return Calls().at(name)(operands);
}}

ir::RelayExpr CallGlobal(const ffi::String& name, const Operands& operands) {{
  const ffi::Function function = ffi::Function::GetGlobalRequired(name);
  return function(operands[0], operands[1]).cast<ir::RelayExpr>();
}}

}}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(call_global, CallGlobal);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(make_call_of, MakeCallOf);
"""
_ENTRY = """\
      {{"{name}",
       [](const Operands& {operands}) -> ir::RelayExpr {{
         return relay::{name}({arguments});
       }}}},"""
_SCALARS = {
    "int64": "int64_t", "float64": "double", "bool": "bool", "String": "ffi::String",
    "DataType": "DLDataType", "Union": "Extent",
}  # fmt: skip


def cpp_source() -> str:
    """Return the text of the source.

    `make_call_of` takes a name and the operands, `call_global` a global function and two operands.
    """
    declared = operators().values()
    files = sorted({operator.file for operator in declared})
    includes = "\n".join(f"#include <uir/relay/{file}.h>" for file in files)
    return _SOURCE.format(includes=includes, entries="\n".join(map(_entry, declared)))


def _entry(operator: Operator) -> str:
    call = fixed_call(operator)
    operands = {operand.name: operand for operand in operator.operands}
    arguments = []
    for parameter in operator.parameters:
        if parameter.name in operands:
            place = list(operands).index(parameter.name)
            arguments.append(_operand(place, operands[parameter.name]))
        elif parameter.name in call.attributes:
            arguments.append(_value(call.attributes[parameter.name], parameter.type))
        else:
            arguments.append(_default(parameter))
    # What is left out at the end takes the defaults that C++ declares.
    while arguments and operator.parameters[len(arguments) - 1].name not in {
        *operands, *call.attributes
    }:  # fmt: skip
        arguments.pop()
    unused = "operands" if operands else ""
    return _ENTRY.format(name=operator.name, operands=unused, arguments=", ".join(arguments))


def _operand(place: int, operand: Operand) -> str:
    cls = "ir::RelayExpr"
    if operand.optional:
        cls = "Optional"
    if operand.variadic:
        cls = "Array"
    return f"operands[{place}].cast<{cls}>()"


def _default(parameter: Parameter) -> str:
    assert parameter.has_default, parameter
    return _value(parameter.default, parameter.type)


def _type(declared: dict[str, Any]) -> str:
    if declared["kind"] == "Array":
        return f"ffi::Array<{_type(declared['args'][0])}>"
    return _SCALARS[declared["kind"]]


def _value(value: Any, declared: dict[str, Any]) -> str:
    """Return a value as C++ writes it."""
    kind = declared["kind"]
    if kind == "Optional":
        return "std::nullopt" if value is None else _value(value, declared["args"][0])
    if kind == "Array":
        elements = ", ".join(_value(element, declared["args"][0]) for element in value)
        return f"{_type(declared)}{{{elements}}}"
    if kind == "Union":
        return f"Extent(int64_t{{{value}}})"
    if kind == "DataType":
        return f'ffi::StringToDLDataType("{value}")'
    if kind == "String":
        return f"ffi::String({json.dumps(value)})"
    if kind == "bool":
        return "true" if value else "false"
    return f"{_SCALARS[kind]}{{{value}}}"
