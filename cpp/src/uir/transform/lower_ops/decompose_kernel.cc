// Decomposes operators without lowerings, and computes in float32 if their floats have 16 bits.
#include "./decompose_kernel.h"

#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/rounding.h>
#include <uir/transform/binding_rewriter.h>

#include <utility>

#include "../rewrite/decomposer.h"
#include "./operator_call.h"

namespace uir::transform {

namespace {

/*! \brief Whether a value is a tensor of floats of 16 bits. */
bool IsNarrowTensor(const ffi::Optional<ir::Type>& type) {
  const auto* tensor = type.has_value() ? type.value().as<ir::TensorTypeNode>() : nullptr;
  return tensor != nullptr && WideType(tensor->dtype) != tensor->dtype;
}

/*! \brief Casts the operands of calls that will be decomposed to float32, and the results back. */
class TensorWidener : public BindingRewriter {
 protected:
  void RewriteBinding(const relay::Binding& binding) override {
    const auto* call = binding->value.as<relay::CallNode>();
    if (call == nullptr || !IsTakenApart(call)) return BindingRewriter::RewriteBinding(binding);
    const ir::RelayExpr value = VisitCall(call);
    Emit(binding, Widened(value.as<relay::CallNode>()));
  }

 private:
  static bool IsTakenApart(const relay::CallNode* call) {
    const auto op = call->op.as<ir::Op>();
    if (!op || FindLowering(*op) != nullptr || ir::op_attr(*op, "decompose") == nullptr) {
      return false;
    }
    for (const ir::RelayExpr& arg : call->args) {
      if (IsNarrowTensor(arg->checked_type)) return true;
    }
    return false;
  }

  ir::RelayExpr Widened(const relay::CallNode* call) {
    ffi::Array<ir::RelayExpr> args;
    for (const ir::RelayExpr& arg : call->args) {
      args.push_back(IsNarrowTensor(arg->checked_type)
                         ? ir::RelayExpr(EmitNew(relay::cast(arg, ir::FloatType(32)), "wide"))
                         : arg);
    }
    const relay::Var y = EmitNew(relay::Call(call->op, args, call->attrs, call->span), "y");
    const auto* tuple = call->checked_type.value().as<ir::TupleTypeNode>();
    if (tuple == nullptr) return relay::cast(y, DataTypeOf(call->checked_type.value()));
    ffi::Array<ir::RelayExpr> fields;
    for (size_t i = 0; i < tuple->fields.size(); ++i) {
      const auto at = static_cast<int64_t>(i);
      const relay::Var field = EmitNew(relay::TupleGetItem(y, at), "field");
      fields.push_back(EmitNew(relay::cast(field, DataTypeOf(tuple->fields[at])), "narrow"));
    }
    return relay::Tuple(std::move(fields));
  }

  static DLDataType DataTypeOf(const ir::Type& type) {
    return type.as<ir::TensorType>().value()->dtype;
  }
};

}  // namespace

relay::Function DecomposeKernel(const relay::Function& kernel) {
  Decompositions decompositions([](const ir::Op& op) { return FindLowering(op) != nullptr; });
  return Decompose(TensorWidener().Run(kernel), &decompositions);
}

}  // namespace uir::transform
