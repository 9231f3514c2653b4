// Calls: inference of the types of their results, and construction from operands of any kind.
#include <tvm/ffi/cast.h>
#include <tvm/ffi/error.h>
#include <uir/ir/dtype.h>
#include <uir/ir/function.h>
#include <uir/ir/op.h>
#include <uir/ir/script_text.h>
#include <uir/relay/call.h>
#include <uir/relay/expr.h>

#include <array>
#include <cstddef>
#include <memory_resource>
#include <string>
#include <utility>

#include "./operator_rule.h"
#include "./shape_rule.h"
#include "./stored_call.h"
#include "./type_memo.h"

namespace uir::relay {

namespace {

constexpr const char* kDestinationPassing = "relay.call_destination_passing";
constexpr const char* kRequire = "relay.require";

/*! \brief The type of the outputs; checks the callee and the outputs. */
ir::Type InferDestinationPassing(const CallNode* call, TypeContext* context) {
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
    const auto* tensor = type.as<ir::TensorTypeNode>();
    if (tensor == nullptr) {
      TVM_FFI_THROW(TypeError) << "an output must be a tensor, got `" << ir::ScriptText(type)
                               << "`";
    }
    CheckNotNegative("out_types", tensor->shape, context);
  }
  if (attrs->out_types.size() == 1) return attrs->out_types[0];
  return ir::TupleType(attrs->out_types);
}

/*! \brief The empty tuple; checks the conditions. */
ir::Type InferRequire(const CallNode* call) {
  const auto* attrs =
      call->attrs.has_value() ? call->attrs.value().as<RequireAttrsNode>() : nullptr;
  if (attrs == nullptr || !call->args.empty()) {
    TVM_FFI_THROW(TypeError) << "a call must have `RequireAttrs` and no operand";
  }
  if (attrs->conditions.empty()) TVM_FFI_THROW(ValueError) << "there must be a condition";
  for (const ir::PrimExpr& condition : attrs->conditions) {
    if (ir::IsBool(condition->dtype)) continue;
    TVM_FFI_THROW(TypeError) << "a condition must be boolean, got `" << ir::ScriptText(condition)
                             << "`";
  }
  return ir::TupleType(ffi::Array<ir::Type>());
}

[[noreturn]] void FailTensor(const ir::RelayExprNode* operand, const std::string& name) {
  const ffi::Optional<ir::Type>& type = operand->checked_type;
  TVM_FFI_THROW(TypeError) << "operand `" << name << "` must be a tensor, got `"
                           << (type.has_value() ? ir::ScriptText(type.value())
                                                : "a value without a type")
                           << "`";
  TVM_FFI_UNREACHABLE();
}

const TupleNode* AsTuple(const ir::RelayExprNode* operand) {
  return operand->IsInstance<TupleNode>() ? static_cast<const TupleNode*>(operand) : nullptr;
}

/*! \brief Add an operand, or the elements of a variadic one; false if a type is unknown. */
bool AddOperand(const ir::RelayExprNode* arg, const ir::OperandRow& row, TypedOperands* operands) {
  const auto add = [&](const ir::RelayExprNode* value, int64_t element) {
    if (!value->checked_type.has_value()) return false;
    TypedOperand& operand = operands->emplace_back(TypedOperand{&row, nullptr, element});
    operand.type = value->checked_type.value().as<ir::TensorTypeNode>();
    if (operand.type == nullptr) FailTensor(value, operand.Name());
    return true;
  };
  if (row.is_variadic) {
    const auto* tuple = AsTuple(arg);
    if (tuple == nullptr) {
      TVM_FFI_THROW(TypeError) << "operand `" << row.name << "` must be a tuple";
    }
    for (size_t i = 0; i < tuple->fields.size(); ++i) {
      const auto element = static_cast<int64_t>(i);
      if (!add(tuple->fields[element].get(), element)) return false;
    }
    return true;
  }
  const auto* absent = row.is_optional ? AsTuple(arg) : nullptr;
  if (absent == nullptr || !absent->fields.empty()) return add(arg, -1);
  operands->push_back({&row});
  return true;
}

/*! \brief The values of the attributes that a pattern names. */
RuleValues SlotsOf(const OperatorRule& rule, const CallNode* call,
                   std::pmr::memory_resource* memory) {
  RuleValues values(rule.slots.size(), memory);
  for (size_t i = 0; i < values.size(); ++i) {
    if (rule.slots[i] != nullptr) values[i] = AttributeOf(call, rule.slots[i]->name);
  }
  return values;
}

Shape InferReduce(const TypedOperands& operands, const CallNode* call) {
  const ffi::Any axis = AttributeOf(call, "axis");
  std::optional<std::vector<int64_t>> axes;
  if (const std::optional<int64_t> only = ir::IntegerOf(axis)) axes = {*only};
  if (const ffi::ArrayObj* list = ListOf(axis)) {
    axes.emplace();
    for (const ffi::Any& one : *list) axes->push_back(one.cast<int64_t>());
  }
  return Reduce(operands, axes, ir::IntegerOf(AttributeOf(call, "keepdims")).value_or(0) != 0);
}

/*! \brief The shape of the only result. \pre The relation is not a pattern. */
Shape InferShape(const OperatorRule& rule, const TypedOperands& operands, const CallNode* call,
                 TypeContext* context) {
  if (rule.kind == RelationKind::kSame) return SameShape(operands, context);
  if (rule.kind == RelationKind::kBroadcast) return Broadcast(operands, context);
  return InferReduce(operands, call);
}

/*! \brief The type of a result; an operand's object if that has the same shape and data type. */
ir::TensorType ResultType(const TypedOperands& operands, const Shape& shape, DLDataType dtype) {
  for (const TypedOperand& operand : operands) {
    if (operand.type == nullptr || operand.type->span.has_value()) continue;
    if (operand.type->shape.same_as(shape) && operand.type->dtype == dtype) {
      return ffi::GetRef<ir::TensorType>(operand.type);
    }
  }
  return {shape, dtype};
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
  // Enough for most calls; larger ones use the heap.
  std::array<std::byte, 512> stack;
  std::pmr::monotonic_buffer_resource memory(stack.data(), stack.size());
  TypedOperands operands(&memory);
  operands.reserve(count);
  const auto* args = static_cast<const ffi::ArrayObj*>(call->args.get());
  for (int32_t i = 0; i < rule.row->operands.size; ++i) {
    const auto* arg = args->begin()[i].as<ir::RelayExprNode>();
    if (!AddOperand(arg, rule.row->operands[i], &operands)) return std::nullopt;
  }
  if (rule.kind == RelationKind::kCustom) {
    CheckDataTypes(rule, operands);
    return InferCustom(rule, call, context);
  }
  if (rule.kind != RelationKind::kPattern) {
    const Shape shape = InferShape(rule, operands, call, context);
    CheckDataTypes(rule, operands);
    return ResultType(operands, shape, ResultDataType(rule, operands, call, 0));
  }
  const std::vector<Shape> shapes =
      rule.relation->Infer(operands, SlotsOf(rule, call, &memory), context);
  CheckDataTypes(rule, operands);
  ffi::Array<ir::Type> types;
  for (size_t i = 0; i < shapes.size(); ++i) {
    types.push_back(ResultType(operands, shapes[i], ResultDataType(rule, operands, call, i)));
    if (shapes.size() == 1) return types[0];
  }
  return ir::TupleType(std::move(types));
}

/*! \brief The type of a call of an operator, by its rule. */
ffi::Optional<ir::Type> RunRule(const ir::Op& op, const CallNode* call, TypeContext* context) {
  if (op->name == kDestinationPassing) return InferDestinationPassing(call, context);
  if (op->name == kRequire) return InferRequire(call);
  const OperatorRule* rule = FindOperatorRule(op);
  if (rule == nullptr) return std::nullopt;
  return InferByRule(*rule, call, context);
}

/*! \brief The type of a call of an operator, by its rule or from the memo of the context. */
ffi::Optional<ir::Type> InferOperator(const ir::OpNode* op, const CallNode* call,
                                      TypeContext* context) {
  TypeMemo* const memo = context->memo();
  if (memo == nullptr) return RunRule(ffi::GetRef<ir::Op>(op), call, context);
  const TypeQuestion question(call);
  if (!question.is_valid()) return RunRule(ffi::GetRef<ir::Op>(op), call, context);
  if (const TypedResult* known = memo->Find(question, call->attrs)) {
    if (known->assumptions.has_value()) context->Assume(known->assumptions.value());
    return known->type;
  }
  const size_t mark = context->assumptions().size();
  const ffi::Optional<ir::Type> type = RunRule(ffi::GetRef<ir::Op>(op), call, context);
  if (!type.has_value()) return type;
  return memo->Add(question, call->attrs, {type.value(), context->AssumedSince(mark)});
}

/*! \brief The types of values; `nullopt` if one is unknown. */
std::optional<ffi::Array<ir::Type>> TypesOf(const ffi::Array<ir::RelayExpr>& values) {
  ffi::Array<ir::Type> types;
  for (const ir::RelayExpr& value : values) {
    if (!value->checked_type.has_value()) return std::nullopt;
    types.push_back(value->checked_type.value());
  }
  return types;
}

/*! \brief Run a rule, and add the name of the callee to its errors. */
template <typename Rule>
ffi::Optional<ir::Type> WithErrorsOf(const ffi::String& callee, Rule rule) {
  try {
    return rule();
  } catch (const ffi::Error& error) {
    throw ffi::Error(error.kind(), std::string(callee) + ": " + error.message(), error.backtrace());
  }
}

}  // namespace

bool IsAbsent(const ir::RelayExprNode* operand) {
  const auto* tuple = AsTuple(operand);
  return tuple != nullptr && tuple->fields.empty();
}

ir::TensorType TensorTypeOf(const ir::RelayExpr& operand, const char* name) {
  if (operand->checked_type.has_value()) {
    if (auto type = operand->checked_type.value().as<ir::TensorType>()) return *std::move(type);
  }
  FailTensor(operand.get(), name);
}

ffi::Optional<ir::Type> InferCall(const CallNode* call, TypeContext* context) {
  if (const auto* op = call->op.as<ir::OpNode>()) {
    return WithErrorsOf(op->name, [&] { return InferOperator(op, call, context); });
  }
  if (!call->op->checked_type.has_value()) return std::nullopt;
  const auto type = call->op->checked_type.value().as<ir::FuncType>();
  if (!type) {
    TVM_FFI_THROW(TypeError) << "Call: `op` must be a function, got `"
                             << ir::ScriptText(call->op->checked_type.value()) << "`";
  }
  const auto arguments = TypesOf(call->args);
  if (!arguments) return std::nullopt;
  return InferFunctionCall(*type, *arguments, context);
}

void CallNode::PostInit() {
  UpgradeStored(this);
  TypeContext* context = CurrentTypeContext();
  const size_t mark = context->assumptions().size();
  ffi::Optional<ir::Type> inferred;
  try {
    inferred = InferCall(this, context);
  } catch (const ffi::Error&) {
    if (!AddAbsentOperands(this)) throw;
    inferred = InferCall(this, context);
  }
  // Only type inference knows the types of the module's functions.
  if (!inferred.has_value() && op.as<ir::GlobalVarNode>() != nullptr) return;
  checked_type = inferred;
  assumptions = context->AssumedSince(mark);
}

ir::RelayExpr make_call(ir::Op op, ffi::Array<ffi::Any> operands, ffi::Optional<ir::Attrs> attrs,
                        ffi::Optional<ir::Span> span) {
  ffi::Array<ir::RelayExpr> args;
  for (const ffi::Any& operand : operands) args.push_back(ToOperand(operand));
  return Call(std::move(op), std::move(args), std::move(attrs), std::move(span));
}

}  // namespace uir::relay
