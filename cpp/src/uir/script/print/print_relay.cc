// Values of high-level functions: calls of operators, infix operators, tuples and constants.
#include "./print_relay.h"

#include <uir/ir/op.h>
#include <uir/ir/operator_table.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/function.h>
#include <uir/relay/infer.h>
#include <uir/script/forms.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "./infix.h"
#include "./printer_state.h"
#include "./tensor_literal.h"
#include "./type_fields.h"

namespace uir::script {

void PrintRelay(Printer* printer, const ir::RelayExpr& expr, Precedence at_least) {
  printer->PrintNode(expr.get(), at_least);
}

void PrintRelayElements(Printer* printer, const ffi::Array<ir::RelayExpr>& elements) {
  const char* separator = "";
  for (const ir::RelayExpr& element : elements) {
    printer->Write(separator);
    PrintRelay(printer, element);
    separator = ", ";
  }
}

namespace {

using relay::CallNode;

// Types and constants.

void PrintTensorType(Printer* printer, const ffi::Object* node, Precedence) {
  const auto* type = static_cast<const ir::TensorTypeNode*>(node);
  printer->Write("relay.Tensor(");
  printer->PrintTuple(type->shape);
  printer->Write(", ");
  printer->WriteDType(type->dtype);
  printer->Write(')');
}

void PrintRelayConstant(Printer* printer, const ffi::Object* node, Precedence) {
  const auto* constant = static_cast<const relay::ConstantNode*>(node);
  const std::optional<std::string> literal = TensorLiteral(constant->data);
  if (!literal) return printer->PrintGeneric(node);
  printer->Write("relay.const(" + *literal + ", ");
  printer->WriteDType(constant->data.dtype());
  printer->Write(')');
}

// Tuples.

void PrintTuple(Printer* printer, const ffi::Object* node, Precedence) {
  if (!printer->state().is_relay) return printer->PrintGeneric(node);
  const auto* tuple = static_cast<const relay::TupleNode*>(node);
  printer->Write('(');
  PrintRelayElements(printer, tuple->fields);
  printer->Write(tuple->fields.size() == 1 ? ",)" : ")");
}

void PrintTupleGetItem(Printer* printer, const ffi::Object* node, Precedence) {
  if (!printer->state().is_relay) return printer->PrintGeneric(node);
  const auto* item = static_cast<const relay::TupleGetItemNode*>(node);
  PrintRelay(printer, item->tuple_value, Precedence::kPrimary);
  printer->Write('[');
  printer->WriteInt(item->index);
  printer->Write(']');
}

// Calls.

/*! \brief Whether the operands and the attributes are those of the operator's row. */
bool IsOfRow(const CallNode* call, const ir::OperatorRow* row) {
  if (row == nullptr || call->args.size() != static_cast<size_t>(row->operands.size)) return false;
  const bool has_attrs = call->attrs.has_value();
  if (has_attrs != (row->attrs_key != nullptr)) return false;
  if (has_attrs && call->attrs.value()->GetTypeKey() != row->attrs_key) return false;
  for (int32_t i = 0; i < row->operands.size; ++i) {
    if (row->operands[i].is_variadic && call->args[i].as<relay::TupleNode>() == nullptr) {
      return false;
    }
  }
  return true;
}

void PrintOperand(Printer* printer, const ir::RelayExpr& operand, const ir::OperandRow& row) {
  if (row.is_variadic) {
    printer->Write('[');
    PrintRelayElements(printer, operand.as<relay::TupleNode>()->fields);
    printer->Write(']');
  } else if (row.is_optional && relay::IsAbsent(operand)) {
    printer->Write("None");
  } else {
    PrintRelay(printer, operand);
  }
}

/*! \brief Print the attributes that differ from their defaults; return what separates more. */
const char* PrintAttributes(Printer* printer, const ir::Attrs& attrs, const char* separator) {
  const TypeFields& type = TypeFields::Of(attrs->type_index());
  for (const TypeFields::Argument& argument : type.arguments) {
    const ffi::Any value = argument.field->Read(attrs.get());
    if (argument.IsDefault(value)) continue;
    printer->Write(separator);
    printer->Write(argument.field->name);
    printer->Write('=');
    printer->PrintValue(value, argument.field->type);
    separator = ", ";
  }
  return separator;
}

void PrintOperatorCall(Printer* printer, const CallNode* call, const ir::OperatorRow& row) {
  printer->Write(row.name);
  printer->Write('(');
  // Operands after attributes are named, like attributes.
  const auto* const end = std::find_if(row.operands.begin(), row.operands.end(),
                                       [](const auto& one) { return one.position >= 0; });
  const auto leading = static_cast<int32_t>(end - row.operands.begin());
  int32_t count = leading;
  while (count > 0 && row.operands[count - 1].is_optional &&
         relay::IsAbsent(call->args[count - 1])) {
    --count;
  }
  for (int32_t i = 0; i < count; ++i) {
    if (i > 0) printer->Write(", ");
    PrintOperand(printer, call->args[i], row.operands[i]);
  }
  const char* separator = count > 0 ? ", " : "";
  if (call->attrs.has_value()) separator = PrintAttributes(printer, call->attrs.value(), separator);
  for (int32_t i = leading; i < row.operands.size; ++i) {
    if (relay::IsAbsent(call->args[i])) continue;
    printer->Write(separator + std::string(row.operands[i].name) + "=");
    PrintOperand(printer, call->args[i], row.operands[i]);
    separator = ", ";
  }
  printer->Write(')');
}

/*! \brief A scalar constant as a number, where the parser gives it the same data type. */
bool PrintNumber(Printer* printer, const ir::RelayExpr& operand, const ir::RelayExpr& other) {
  const auto* constant = operand.as<relay::ConstantNode>();
  if (constant == nullptr || other.as<relay::ConstantNode>() != nullptr) return false;
  if (!constant->data.shape().empty() || !other->checked_type.has_value()) return false;
  const auto* type = other->checked_type.value().as<ir::TensorTypeNode>();
  if (type == nullptr || type->dtype != constant->data.dtype()) return false;
  const std::optional<std::string> literal = TensorLiteral(constant->data);
  if (!literal || (*literal)[0] == '-') return false;
  printer->Write(*literal);
  return true;
}

bool PrintRelayInfix(Printer* printer, const CallNode* call, const ir::OperatorRow& row,
                     Precedence at_least) {
  const Infix* infix = FindInfixOf(row.name);
  if (infix == nullptr || call->attrs.has_value()) return false;
  const Printer::Parentheses parentheses(printer, infix->precedence, at_least);
  if (call->args.size() == 1) {
    printer->Write(infix->symbol);
    PrintRelay(printer, call->args[0], infix->precedence);
    return true;
  }
  const ir::RelayExpr a = call->args[0], b = call->args[1];
  const bool is_comparison = infix->precedence == Precedence::kCompare;
  if (!PrintNumber(printer, a, b)) {
    PrintRelay(printer, a, is_comparison ? Above(infix->precedence) : infix->precedence);
  }
  printer->Write(" " + std::string(infix->symbol) + " ");
  if (!PrintNumber(printer, b, a)) PrintRelay(printer, b, Above(infix->precedence));
  return true;
}

bool PrintDestinationPassing(Printer* printer, const CallNode* call) {
  const auto* attrs = call->attrs.has_value()
                          ? call->attrs.value().as<relay::CallDestinationPassingAttrsNode>()
                          : nullptr;
  if (attrs == nullptr || call->args.empty()) return false;
  printer->Write("relay.call_destination_passing(");
  PrintRelay(printer, call->args[0]);
  printer->Write(", [");
  PrintRelayElements(printer, {call->args.begin() + 1, call->args.end()});
  printer->Write("], ");
  if (attrs->out_types.size() == 1) {
    printer->PrintValue(attrs->out_types[0]);
  } else {
    printer->PrintValue(attrs->out_types);
  }
  printer->Write(')');
  return true;
}

bool PrintRequire(Printer* printer, const CallNode* call) {
  const auto* attrs =
      call->attrs.has_value() ? call->attrs.value().as<relay::RequireAttrsNode>() : nullptr;
  if (attrs == nullptr || !call->args.empty()) return false;
  printer->Write("relay.require(");
  printer->PrintValue(attrs->conditions);
  printer->Write(')');
  return true;
}

/*! \brief `Module.f(x)` or `f(x)`. */
bool PrintFunctionCall(Printer* printer, const CallNode* call) {
  const bool is_named = call->op.as<ir::GlobalVarNode>() || call->op.as<relay::VarNode>();
  if (!is_named || call->attrs.has_value()) return false;
  PrintRelay(printer, call->op);
  printer->Write('(');
  PrintRelayElements(printer, call->args);
  printer->Write(')');
  return true;
}

bool PrintKnownCall(Printer* printer, const CallNode* call, Precedence at_least) {
  const auto op = call->op.as<ir::Op>();
  if (!op) return PrintFunctionCall(printer, call);
  if ((*op)->name == "relay.call_destination_passing") {
    return PrintDestinationPassing(printer, call);
  }
  if ((*op)->name == "relay.require") return PrintRequire(printer, call);
  const ir::OperatorRow* row = ir::FindOperatorRow(*op);
  if (!IsOfRow(call, row)) return false;
  if (!PrintRelayInfix(printer, call, *row, at_least)) PrintOperatorCall(printer, call, *row);
  return true;
}

void PrintRelayCall(Printer* printer, const ffi::Object* node, Precedence at_least) {
  const auto* call = static_cast<const CallNode*>(node);
  if (!printer->state().is_relay || !PrintKnownCall(printer, call, at_least)) {
    const bool was_relay = std::exchange(printer->state().is_relay, false);
    printer->PrintGeneric(node);
    printer->state().is_relay = was_relay;
  }
}

/*! \brief An `If` or a loop that is not bound to a name: its blocks have no syntax of their own. */
void PrintNestedBlocks(Printer* printer, const ffi::Object* node, Precedence) {
  const bool was_relay = std::exchange(printer->state().is_relay, false);
  printer->PrintGeneric(node);
  printer->state().is_relay = was_relay;
}

TVM_FFI_STATIC_INIT_BLOCK() {
  RegisterPrinter("uir.ir.TensorType", &PrintTensorType);
  RegisterPrinter("uir.relay.Constant", &PrintRelayConstant);
  RegisterPrinter("uir.relay.Tuple", &PrintTuple);
  RegisterPrinter("uir.relay.TupleGetItem", &PrintTupleGetItem);
  RegisterPrinter("uir.relay.Call", &PrintRelayCall);
  RegisterPrinter("uir.relay.If", &PrintNestedBlocks);
  RegisterPrinter("uir.relay.While", &PrintNestedBlocks);
}

}  // namespace

}  // namespace uir::script
