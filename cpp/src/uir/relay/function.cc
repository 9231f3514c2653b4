// High-level functions, and calls of functions that write their outputs to parameters.
#include <tschema/structural_equal.h>
#include <tschema/walk.h>
#include <tvm/ffi/error.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/op.h>
#include <uir/ir/op_registry.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/bounded.h>
#include <uir/relay/function.h>

#include <unordered_set>
#include <utility>

namespace uir::relay {

namespace {

UIR_IR_REGISTER_OP("relay.call_destination_passing")
    .Describe("Call of a function that writes its outputs through parameters: it, its arguments.");

UIR_IR_REGISTER_OP("relay.require")
    .Describe("Check of conditions on dimensions.")
    .NumInputs(0)
    .Attr("effect", "update_state");

void CheckParams(const FunctionNode* func) {
  std::unordered_set<const VarNode*> known;
  for (const Var& param : func->params) {
    if (!known.insert(param.get()).second) {
      TVM_FFI_THROW(ValueError) << "Function: `params` must be distinct, `" << param->name
                                << "` occurs twice";
    }
    if (!param->type_annotation.has_value()) {
      TVM_FFI_THROW(ValueError) << "Function: parameter `" << param->name
                                << "` must have a type annotation";
    }
  }
}

/*!
 * \brief Whether a function shares the type object of its result: unless the given type differs.
 *
 * A loaded function has its own type object, and a result whose type was inferred again. Sharing
 * makes the function serialize as before. A type with a location is not shared.
 */
bool IsTypeOfResult(const ffi::Optional<ir::Type>& given, const ffi::Optional<ir::Type>& inferred) {
  if (!given.has_value()) return true;
  return inferred.has_value() && !given.value()->span.has_value() &&
         tschema::StructuralEqual(given.value(), inferred.value());
}

/*! \brief The variables that calls of `first_rows` bind, in order. */
ffi::Array<ir::PrimExpr> BoundSizes(const Block& body) {
  ffi::Array<ir::PrimExpr> sizes;
  tschema::Walk(body, [&](const FirstRowsAttrsNode* rows) { sizes.push_back(rows->size); });
  return sizes;
}

}  // namespace

bool FunctionNode::SEqualReduce(const FunctionNode* other, tschema::SEqualReducer equal) const {
  return equal.DefPatternEqual(params, other->params) &&
         equal.DefPatternEqual(BoundSizes(body), BoundSizes(other->body)) &&
         equal(attrs, other->attrs) && equal(body, other->body) && equal(ret_type, other->ret_type);
}

void FunctionNode::SHashReduce(tschema::SHashReducer hash_reduce) const {
  hash_reduce.DefPatternHash(params);
  const ffi::Array<ir::PrimExpr> sizes = BoundSizes(body);
  if (!sizes.empty()) hash_reduce.DefPatternHash(sizes);
  hash_reduce(attrs);
  hash_reduce(body);
  hash_reduce(ret_type);
}

void FunctionNode::PostInit() {
  BaseFuncNode::PostInit();
  CheckParams(this);
  if (IsTypeOfResult(ret_type, body->result->checked_type)) ret_type = body->result->checked_type;
  checked_type = ret_type.has_value() ? FuncType() : ffi::Optional<ir::Type>();
}

ir::FuncType FunctionNode::FuncType() const {
  if (!ret_type.has_value()) {
    TVM_FFI_THROW(ValueError) << "Function: the type of the result is not known yet";
  }
  ffi::Array<ir::Type> types;
  for (const Var& param : params) types.push_back(param->type_annotation.value());
  return ir::FuncType(std::move(types), ret_type.value());
}

ir::RelayExpr call_destination_passing(ir::RelayExpr callee, ffi::Array<ir::RelayExpr> args,
                                       ffi::Array<ir::Type> out_types,
                                       ffi::Optional<ir::Span> span) {
  static const ir::Op op = ir::get_op("relay.call_destination_passing");
  ffi::Array<ir::RelayExpr> operands = {std::move(callee)};
  for (ir::RelayExpr arg : args) operands.push_back(std::move(arg));
  return Call(op, std::move(operands), CallDestinationPassingAttrs(std::move(out_types)),
              std::move(span));
}

ir::RelayExpr require(ffi::Array<ir::PrimExpr> conditions, ffi::Optional<ir::Span> span) {
  static const ir::Op op = ir::get_op("relay.require");
  return Call(op, {}, RequireAttrs(std::move(conditions)), std::move(span));
}

}  // namespace uir::relay
