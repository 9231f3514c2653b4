// Calls: the types of their results, and calls that are made from operands of any kind.
#include <tvm/ffi/error.h>
#include <uir/ir/function.h>
#include <uir/ir/op.h>
#include <uir/relay/call.h>
#include <uir/relay/expr.h>

#include <string>
#include <utility>

#include "./operator_rule.h"
#include "./script_text.h"

namespace uir::relay {

namespace {

constexpr const char* kDestinationPassing = "relay.call_destination_passing";

/*! \brief The type of the outputs, after a check of the callee and of them. */
ir::Type InferDestinationPassing(const CallNode* call) {
  const auto* attrs =
      call->attrs.has_value() ? call->attrs.value().as<CallDestinationPassingAttrsNode>() : nullptr;
  if (attrs == nullptr || call->args.empty()) {
    TVM_FFI_THROW(TypeError) << "a call must have a callee and `CallDestinationPassingAttrs`";
  }
  const ir::RelayExpr callee = call->args[0];
  if (callee.as<ir::GlobalVarNode>() == nullptr && callee.as<ir::ExternFuncNode>() == nullptr) {
    TVM_FFI_THROW(TypeError) << "`callee` must be a GlobalVar or an ExternFunc, got a `"
                             << callee->GetTypeKey() << "`";
  }
  if (attrs->out_types.empty()) TVM_FFI_THROW(ValueError) << "there must be an output";
  for (const ir::Type& type : attrs->out_types) {
    if (type.as<ir::TensorTypeNode>() != nullptr) continue;
    TVM_FFI_THROW(TypeError) << "an output must be a tensor, got `" << ScriptText(type) << "`";
  }
  if (attrs->out_types.size() == 1) return attrs->out_types[0];
  return ir::TupleType(attrs->out_types);
}

/*! \brief Add an operand, or the elements of a variadic one; false if a type is not known. */
bool AddOperand(const ir::RelayExpr& arg, const ir::OperandRow& row, int32_t index,
                TypedOperands* operands) {
  const auto add = [&](const ir::RelayExpr& operand, std::string name) {
    if (!operand->checked_type.has_value()) return false;
    operands->types.emplace_back(TensorTypeOf(operand, name.c_str()));
    operands->names.push_back(std::move(name));
    operands->rows.push_back(index);
    return true;
  };
  if (row.is_variadic) {
    const auto* tuple = arg.as<TupleNode>();
    if (tuple == nullptr) {
      TVM_FFI_THROW(TypeError) << "operand `" << row.name << "` must be a tuple";
    }
    for (size_t i = 0; i < tuple->fields.size(); ++i) {
      const ir::RelayExpr field = tuple->fields[static_cast<int64_t>(i)];
      if (!add(field, std::string(row.name) + "[" + std::to_string(i) + "]")) return false;
    }
    return true;
  }
  if (!row.is_optional || !IsAbsent(arg)) return add(arg, row.name);
  operands->types.emplace_back(std::nullopt);
  operands->names.emplace_back(row.name);
  operands->rows.push_back(index);
  return true;
}

RuleValue ToRuleValue(const ffi::Any& value) {
  if (const auto flag = value.as<bool>()) return RuleValue::Integer(*flag ? 1 : 0);
  if (const auto integer = value.as<int64_t>()) return RuleValue::Integer(*integer);
  if (const auto real = value.as<double>()) return RuleValue::Float(*real);
  if (const auto dimension = value.as<ir::PrimExpr>()) return RuleValue::Dimension(*dimension);
  RuleValue result;
  if (const auto list = value.as<ffi::Array<ffi::Any>>()) {
    result.kind = RuleValue::Kind::kList;
    for (const ffi::Any& element : *list) result.list.push_back(ToRuleValue(element));
  } else if (value == nullptr) {
    result.kind = RuleValue::Kind::kNone;
  }
  return result;
}

/*! \brief The values of the attributes that a pattern names. */
std::vector<RuleValue> SlotsOf(const OperatorRule& rule, const CallNode* call) {
  std::vector<RuleValue> slots(rule.relation->names().size());
  for (size_t i = 0; i < slots.size(); ++i) {
    for (const ir::AttributeRow& attribute : rule.row->attributes) {
      if (attribute.name != rule.relation->names()[i]) continue;
      slots[i] = ToRuleValue(AttributeOf(call, attribute.name));
    }
  }
  return slots;
}

Shape InferReduce(const OperandShapes& operands, const CallNode* call) {
  const RuleValue axis = ToRuleValue(AttributeOf(call, "axis"));
  const RuleValue keepdims = ToRuleValue(AttributeOf(call, "keepdims"));
  std::optional<std::vector<int64_t>> axes;
  if (axis.kind == RuleValue::Kind::kInteger) axes = {axis.integer};
  if (axis.kind == RuleValue::Kind::kList) {
    axes.emplace();
    for (const RuleValue& one : axis.list) axes->push_back(one.integer);
  }
  return Reduce(operands, axes, keepdims.integer != 0);
}

std::vector<Shape> InferShapes(const OperatorRule& rule, const OperandShapes& operands,
                               const CallNode* call, TypeContext* context) {
  switch (rule.kind) {
    case RelationKind::kSame:
      return {SameShape(operands, context)};
    case RelationKind::kBroadcast:
      return {Broadcast(operands, context)};
    case RelationKind::kReduce:
      return {InferReduce(operands, call)};
    default:
      return rule.relation->Infer(operands, SlotsOf(rule, call), context);
  }
}

ir::Type InferCustom(const OperatorRule& rule, const CallNode* call, TypeContext* context) {
  if (rule.infer != nullptr) return rule.infer(call, context);
  TVM_FFI_THROW(ValueError) << "the relation is `custom`, and no library registers a function "
                            << "that infers the type";
  TVM_FFI_UNREACHABLE();
}

/*! \brief The type of a call of an operator with a rule. */
ffi::Optional<ir::Type> InferByRule(const OperatorRule& rule, const CallNode* call,
                                    TypeContext* context) {
  const auto count = static_cast<size_t>(rule.row->operands.size);
  if (call->args.size() != count) {
    TVM_FFI_THROW(TypeError) << "a call must have " << count << " operands, got "
                             << call->args.size();
  }
  TypedOperands operands;
  for (int32_t i = 0; i < rule.row->operands.size; ++i) {
    if (!AddOperand(call->args[i], rule.row->operands[i], i, &operands)) return std::nullopt;
  }
  if (rule.kind == RelationKind::kCustom) {
    InferDataTypes(rule, operands, call, 0);
    return InferCustom(rule, call, context);
  }
  OperandShapes shapes{operands.names, {}};
  for (const std::optional<ir::TensorType>& type : operands.types) {
    shapes.shapes.push_back(type ? std::optional<Shape>((*type)->shape) : std::nullopt);
  }
  const std::vector<Shape> results = InferShapes(rule, shapes, call, context);
  const std::vector<DLDataType> dtypes = InferDataTypes(rule, operands, call, results.size());
  if (results.size() == 1) return ir::TensorType(results[0], dtypes[0]);
  ffi::Array<ir::Type> fields;
  for (size_t i = 0; i < results.size(); ++i) {
    fields.push_back(ir::TensorType(results[i], dtypes[i]));
  }
  return ir::TupleType(std::move(fields));
}

ffi::Optional<ir::Type> InferOperator(const ir::Op& op, const CallNode* call,
                                      TypeContext* context) {
  if (op->name == kDestinationPassing) return InferDestinationPassing(call);
  const OperatorRule* rule = FindOperatorRule(op);
  if (rule == nullptr) return std::nullopt;
  return InferByRule(*rule, call, context);
}

/*! \brief The types of values; nothing if one is not known. */
std::optional<ffi::Array<ir::Type>> TypesOf(const ffi::Array<ir::RelayExpr>& values) {
  ffi::Array<ir::Type> types;
  for (const ir::RelayExpr& value : values) {
    if (!value->checked_type.has_value()) return std::nullopt;
    types.push_back(value->checked_type.value());
  }
  return types;
}

/*! \brief Run a rule; its errors name the callee. */
template <typename Rule>
ffi::Optional<ir::Type> WithErrorsOf(const ffi::String& callee, Rule rule) {
  try {
    return rule();
  } catch (const ffi::Error& error) {
    throw ffi::Error(error.kind(), std::string(callee) + ": " + error.message(), error.backtrace());
  }
}

/*! \brief An operand of the node: a tuple for what is absent or variadic. */
ir::RelayExpr ToOperand(const ffi::Any& value) {
  if (value == nullptr) return Tuple(ffi::Array<ir::RelayExpr>());
  if (const auto elements = value.as<ffi::Array<ir::RelayExpr>>()) return Tuple(*elements);
  return value.cast<ir::RelayExpr>();
}

}  // namespace

bool IsAbsent(const ir::RelayExpr& operand) {
  const auto* tuple = operand.as<TupleNode>();
  return tuple != nullptr && tuple->fields.empty();
}

ir::TensorType TensorTypeOf(const ir::RelayExpr& operand, const char* name) {
  if (operand->checked_type.has_value()) {
    if (auto type = operand->checked_type.value().as<ir::TensorType>()) return *std::move(type);
  }
  TVM_FFI_THROW(TypeError) << "operand `" << name << "` must be a tensor, got `"
                           << (operand->checked_type.has_value()
                                   ? ScriptText(operand->checked_type.value())
                                   : "a value without a type")
                           << "`";
  TVM_FFI_UNREACHABLE();
}

ffi::Optional<ir::Type> InferCall(const CallNode* call, TypeContext* context) {
  if (const auto callee = call->op.as<ir::Op>()) {
    return WithErrorsOf((*callee)->name, [&] { return InferOperator(*callee, call, context); });
  }
  if (!call->op->checked_type.has_value()) return std::nullopt;
  const auto type = call->op->checked_type.value().as<ir::FuncType>();
  if (!type) {
    TVM_FFI_THROW(TypeError) << "Call: `op` must be a function, got `"
                             << ScriptText(call->op->checked_type.value()) << "`";
  }
  const auto arguments = TypesOf(call->args);
  if (!arguments) return std::nullopt;
  return InferFunctionCall(*type, *arguments, context);
}

void CallNode::PostInit() {
  const ffi::Optional<ir::Type> inferred = InferCall(this, CurrentTypeContext());
  // The type of a call of a function of the module comes from type inference, which knows it.
  if (inferred.has_value() || op.as<ir::GlobalVarNode>() == nullptr) checked_type = inferred;
}

ir::RelayExpr make_call(ir::Op op, ffi::Array<ffi::Any> operands, ffi::Optional<ir::Attrs> attrs,
                        ffi::Optional<ir::Span> span) {
  ffi::Array<ir::RelayExpr> args;
  for (const ffi::Any& operand : operands) args.push_back(ToOperand(operand));
  return Call(std::move(op), std::move(args), std::move(attrs), std::move(span));
}

}  // namespace uir::relay
