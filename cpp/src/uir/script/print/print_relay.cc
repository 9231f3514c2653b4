// High-level functions: straight-line bindings, calls of operators, infix operators.
#include <tschema/structural_equal.h>
#include <uir/ir/op.h>
#include <uir/ir/operator_table.h>
#include <uir/ir/symbol.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/function.h>
#include <uir/relay/infer.h>
#include <uir/script/forms.h>

#include <algorithm>
#include <string>
#include <utility>

#include "./infix.h"
#include "./print_parts.h"
#include "./printer_state.h"
#include "./tensor_literal.h"
#include "./type_fields.h"

namespace uir::script {

namespace {

using relay::CallNode;

void PrintRelay(Printer* printer, const ir::RelayExpr& expr,
                Precedence at_least = Precedence::kNone) {
  printer->PrintNode(expr.get(), at_least);
}

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

void PrintRelayElements(Printer* printer, const ffi::Array<ir::RelayExpr>& elements) {
  const char* separator = "";
  for (const ir::RelayExpr& element : elements) {
    printer->Write(separator);
    PrintRelay(printer, element);
    separator = ", ";
  }
}

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

// Functions.

class RelayFunctionPrinter {
 public:
  RelayFunctionPrinter(Printer* printer, const relay::FunctionNode* func)
      : printer_(printer), func_(func) {}

  void Print(const std::string& name, const ffi::String& real_name) {
    const Printer::Scope scope(printer_);
    const bool was_relay = std::exchange(printer_->state().is_relay, true);
    const std::optional<ffi::String> symbol = ir::SymbolOf(func_);
    PrintDecorator(printer_, "@relay.function", name, real_name, symbol.has_value());
    PrintSignature(name);
    ++printer_->indent();
    PrintFunctionAttrs(printer_, "relay.func_attr(", func_,
                       symbol.has_value() && *symbol == real_name);
    PrintBindings(func_->body->bindings);
    printer_->BeginLine();
    printer_->Write("return ");
    PrintRelay(printer_, func_->body->result);
    printer_->EndLine();
    --printer_->indent();
    printer_->state().is_relay = was_relay;
  }

 private:
  void PrintSignature(const std::string& name) {
    std::string declarations;
    printer_->BeginLine();
    printer_->Write("def " + name + "(");
    printer_->state().shape_declarations = &declarations;
    const char* separator = "";
    for (const relay::Var& param : func_->params) {
      printer_->Write(separator);
      printer_->Write(printer_->Bind(param.get(), param->name) + ": ");
      printer_->PrintValue(param->type_annotation.value());
      separator = ", ";
    }
    printer_->Write(')');
    if (func_->ret_type.has_value()) {
      printer_->Write(" -> ");
      printer_->PrintValue(func_->ret_type.value());
    }
    printer_->state().shape_declarations = nullptr;
    printer_->Write(":\n");
    printer_->Write(declarations);
  }

  void PrintBindings(const ffi::Array<relay::Binding>& bindings) {
    for (const relay::Binding& binding : bindings) {
      const size_t begin = printer_->text().size() + printer_->indent() * size_t{4};
      if (const auto* branch = binding->value.as<relay::IfNode>()) {
        PrintBranches(binding, branch);
      } else if (const auto* loop = binding->value.as<relay::WhileNode>()) {
        PrintLoop(binding, loop);
      } else {
        PrintBinding(binding);
      }
      printer_->Note(binding.get(), begin);
      printer_->Note(binding->value.get(), begin);
    }
  }

  void PrintBinding(const relay::Binding& binding) {
    printer_->BeginLine();
    // The value is outside of the variable's scope.
    const size_t begin = printer_->text().size();
    PrintRelay(printer_, binding->value);
    const size_t end = printer_->text().size();
    PrintAnnotation(binding);
    const std::string annotation = printer_->text().substr(end);
    printer_->text().resize(end);
    const std::string name = printer_->Bind(binding->var.get(), binding->var->name);
    printer_->Insert(begin, name + annotation + " = ", binding->var.get());
    printer_->EndLine();
  }

  /*! \brief The type of a variable, where it does not follow from the value. */
  void PrintAnnotation(const relay::Binding& binding) {
    const ffi::Optional<ir::Type> type = binding->var->type_annotation;
    const auto* call = binding->value.as<CallNode>();
    const bool is_inferred = call == nullptr || call->op.as<ir::GlobalVarNode>() == nullptr;
    const ffi::Optional<ir::Type> inferred =
        is_inferred ? binding->value->checked_type : ffi::Optional<ir::Type>();
    if (type.has_value() == inferred.has_value() &&
        (!type.has_value() || tschema::StructuralEqual(type.value(), inferred.value()))) {
      return;
    }
    printer_->Write(": ");
    printer_->PrintValue(type);
  }

  void PrintBranches(const relay::Binding& binding, const relay::IfNode* branch) {
    printer_->BeginLine();
    printer_->Write("if ");
    PrintRelay(printer_, branch->condition);
    printer_->Write(":\n");
    const std::string name = NameOf(binding);
    PrintBranch(binding, branch->true_branch, name);
    printer_->BeginLine();
    printer_->Write("else:\n");
    PrintBranch(binding, branch->false_branch, name);
    printer_->BindReserved(binding->var.get(), name);
  }

  /*! \brief The name of a variable that is in scope only after its value. */
  std::string NameOf(const relay::Binding& binding) {
    return printer_->IsKnown(binding->var.get())
               ? printer_->Bind(binding->var.get(), binding->var->name)
               : printer_->state().names.Take(binding->var->name);
  }

  /*! \brief `for s, i in relay.loop(condition, [x, y]):` and a body that assigns a tuple. */
  void PrintLoop(const relay::Binding& binding, const relay::WhileNode* loop) {
    printer_->BeginLine();
    const size_t begin = printer_->text().size();
    printer_->Write(" in relay.loop(");
    PrintRelay(printer_, loop->condition);
    printer_->Write(", [");
    PrintRelayElements(printer_, loop->initial);
    printer_->Write("]):\n");
    const std::string name = NameOf(binding);
    PrintSteps(binding, loop, name, begin);
    printer_->BindReserved(binding->var.get(), name);
  }

  /*! \brief Insert the names of a loop's variables before its header's rest, and print its body. */
  void PrintSteps(const relay::Binding& binding, const relay::WhileNode* loop,
                  const std::string& name, size_t begin) {
    const Printer::Scope scope(printer_);
    std::string params;
    for (const relay::Var& param : loop->params) {
      params += (params.empty() ? "" : ", ") + printer_->Bind(param.get(), param->name);
    }
    printer_->Insert(begin, "for " + params, nullptr);
    PrintBranch(binding, loop->body, name);
  }

  void PrintBranch(const relay::Binding& binding, const relay::Block& block,
                   const std::string& name) {
    const Printer::Scope scope(printer_);
    ++printer_->indent();
    PrintBindings(block->bindings);
    printer_->BeginLine();
    printer_->Write(name);
    PrintAnnotation(binding);
    printer_->Write(" = ");
    PrintRelay(printer_, block->result);
    printer_->EndLine();
    --printer_->indent();
  }

  Printer* printer_;
  const relay::FunctionNode* func_;
};

void PrintRelayDefinition(Printer* printer, const ffi::Object* func, const std::string& name,
                          const ffi::String& real_name) {
  RelayFunctionPrinter(printer, static_cast<const relay::FunctionNode*>(func))
      .Print(name, real_name);
}

TVM_FFI_STATIC_INIT_BLOCK() {
  RegisterPrinter("uir.ir.TensorType", &PrintTensorType);
  RegisterPrinter("uir.relay.Constant", &PrintRelayConstant);
  RegisterPrinter("uir.relay.Tuple", &PrintTuple);
  RegisterPrinter("uir.relay.TupleGetItem", &PrintTupleGetItem);
  RegisterPrinter("uir.relay.Call", &PrintRelayCall);
  RegisterPrinter("uir.relay.If", &PrintNestedBlocks);
  RegisterPrinter("uir.relay.While", &PrintNestedBlocks);
  RegisterDefinitionPrinter("uir.relay.Function", &PrintRelayDefinition);
}

}  // namespace

}  // namespace uir::script
