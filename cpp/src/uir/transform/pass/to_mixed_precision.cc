// Computes products and convolutions of float32 with floats of 16 bits.
//
// A value has two forms: that of float32, to which the variable of its binding stays bound, and one
// of 16 bits, by which operators of 16 bits read it. Each is converted to the other where it is
// needed first; `DeadCode` removes unused forms.
#include <tvm/ffi/error.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/call.h>
#include <uir/relay/infer.h>
#include <uir/relay/rounding.h>
#include <uir/transform/binding_rewriter.h>
#include <uir/transform/mixed_precision.h>
#include <uir/transform/relay_pass.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "../analysis/tensor_type_of.h"

namespace uir::transform {

namespace {

using ir::RelayExpr;

/*! \brief The greatest finite number of float16. */
constexpr float kMostHalf = 65504;
constexpr DLDataType kBFloat = {kDLBfloat, 16, 1};
constexpr DLDataType kWide = {kDLFloat, 32, 1};

/*! \brief How an operator takes part. */
enum class Role {
  /*! \brief It computes with 16 bits. */
  kNarrow,
  /*! \brief It computes with 16 bits if an operand has them. */
  kFollow,
  kStay,
};

/*! \brief Elementwise operators whose results are as good as their operands. */
bool IsHarmless(std::string_view name) {
  static const std::unordered_set<std::string_view> names = {
      "relay.abs",      "relay.add",     "relay.clip",    "relay.leaky_relu",
      "relay.maximum",  "relay.minimum", "relay.gelu",    "relay.multiply",
      "relay.negative", "relay.relu",    "relay.sigmoid", "relay.silu",
      "relay.subtract", "relay.tanh",    "relay.where",   "relay.max_pool"};
  return names.count(name) != 0;
}

Role RoleOf(const ir::Op& op) {
  const auto kind = ir::op_attr(op, "kind").as<ffi::String>();
  if (kind == ffi::String("contraction")) return Role::kNarrow;
  const bool moves = kind == ffi::String("view") ||
                     (kind == ffi::String("injective") && op->name != "relay.resize");
  return moves || IsHarmless(std::string_view(op->name.data(), op->name.size())) ? Role::kFollow
                                                                                 : Role::kStay;
}

bool HasElements(const RelayExpr& value, DLDataType dtype) {
  const ir::TensorTypeNode* type = TensorTypeOf(value);
  return type != nullptr && type->dtype == dtype;
}

/*! \brief Whether a constant has a finite number that float16 lacks. */
bool ExceedsHalf(const RelayExpr& value) {
  const auto* constant = value.as<relay::ConstantNode>();
  if (constant == nullptr || constant->data.dtype() != ir::FloatType(32)) return false;
  if (!constant->data.IsContiguous()) return true;
  const DLTensor& raw = *constant->data.GetDLTensorPtr();
  const auto* numbers =
      reinterpret_cast<const float*>(static_cast<const char*>(raw.data) + raw.byte_offset);
  return std::any_of(numbers, numbers + constant->data.numel(), [](float number) {
    return std::isfinite(number) && std::abs(number) > kMostHalf;
  });
}

class PrecisionChanger : public BindingRewriter {
 public:
  PrecisionChanger(DLDataType dtype, std::unordered_set<const ffi::Object*> kept)
      : dtype_(dtype), kept_(std::move(kept)) {}

 protected:
  void RewriteBinding(const relay::Binding& binding) override {
    const RelayExpr& value = binding->value;
    if (value->IsInstance<relay::ConstantNode>()) constants_.emplace(binding->var.get(), value);
    if (const auto* item = value.as<relay::TupleGetItemNode>()) NoteItem(binding->var, item);
    const auto* call = value.as<relay::CallNode>();
    if (call == nullptr || !IsNarrowed(call)) return BindingRewriter::RewriteBinding(binding);
    ffi::Array<RelayExpr> args;
    for (const RelayExpr& arg : call->args) {
      args.push_back(HasElements(arg, kWide) ? NarrowOf(arg) : VisitRelayExpr(arg));
    }
    const relay::Call narrow(call->op, std::move(args), call->attrs, call->span);
    if (TensorTypeOf(value) == nullptr) return EmitTuple(binding, narrow);
    if (!HasElements(narrow, dtype_)) return Emit(binding, narrow);
    const relay::Var var = EmitNew(narrow, binding->var->name);
    Note(binding->var, var);
    Emit(binding, relay::cast(var, kWide));
  }

  /*! \brief Forms that a branch makes are not in scope outside of it. */
  relay::Block VisitBlock(const relay::BlockNode* op) override {
    const size_t outer = noted_.size();
    relay::Block block = BindingRewriter::VisitBlock(op);
    for (; noted_.size() > outer; noted_.pop_back()) narrow_.erase(noted_.back().get());
    return block;
  }

 private:
  bool IsNarrowed(const relay::CallNode* call) const {
    const auto* op = call->op.as<ir::OpNode>();
    if (op == nullptr || kept_.count(op) != 0) return false;
    const Role role = RoleOf(ffi::GetRef<ir::Op>(op));
    if (role == Role::kStay || !ReturnsWide(call)) return false;
    bool has_wide = false, has_narrow = false;
    for (const RelayExpr& arg : call->args) {
      if (!HasElements(arg, kWide)) continue;
      if (dtype_ == ir::FloatType(16) && ExceedsHalf(ConstantOf(arg))) return false;
      has_wide = true;
      has_narrow = has_narrow || IsNarrow(arg);
    }
    return role == Role::kNarrow ? has_wide : has_narrow;
  }

  /*! \brief Whether a call returns numbers of float32, in one tensor or several. */
  static bool ReturnsWide(const relay::CallNode* call) {
    if (!call->checked_type.has_value()) return false;
    const auto is_wide = [](const ir::Type& type) {
      const auto* tensor = type.as<ir::TensorTypeNode>();
      return tensor != nullptr && tensor->dtype == kWide;
    };
    const auto* tuple = call->checked_type.value().as<ir::TupleTypeNode>();
    if (tuple == nullptr) return is_wide(call->checked_type.value());
    return std::all_of(tuple->fields.begin(), tuple->fields.end(), is_wide);
  }

  /*! \brief The constant that a value is, or the value. */
  RelayExpr ConstantOf(const RelayExpr& value) const {
    const auto found = constants_.find(value.get());
    return found == constants_.end() ? value : found->second;
  }

  bool IsNarrow(const RelayExpr& value) const {
    return narrow_.count(value.get()) != 0 && !IsRounded(value);
  }

  /*! \brief Whether the form of 16 bits is rounded from one of float32. */
  bool IsRounded(const RelayExpr& value) const { return rounded_.count(value.get()) != 0; }

  void Note(const RelayExpr& value, const RelayExpr& narrow) {
    if (narrow_.emplace(value.get(), narrow).second) noted_.push_back(value);
  }

  RelayExpr NarrowOf(const RelayExpr& value) {
    const auto found = narrow_.find(value.get());
    if (found != narrow_.end()) return found->second;
    const RelayExpr narrow = EmitNew(relay::cast(VisitRelayExpr(value), dtype_), "narrow");
    rounded_.insert(value.get());
    Note(value, narrow);
    return narrow;
  }

  /*! \brief Bind a tuple of numbers of float32, and keep those of 16 bits for its items. */
  void EmitTuple(const relay::Binding& binding, const RelayExpr& narrow) {
    const relay::Var parts = EmitNew(narrow, binding->var->name);
    const auto* type = narrow->checked_type.value().as<ir::TupleTypeNode>();
    ffi::Array<RelayExpr> items, wide;
    for (size_t i = 0; i < type->fields.size(); ++i) {
      items.push_back(EmitNew(relay::TupleGetItem(parts, static_cast<int64_t>(i)), "part"));
      wide.push_back(EmitNew(relay::cast(items.back(), kWide), "wide"));
    }
    items_.emplace(binding->var.get(), std::move(items));
    Emit(binding, relay::Tuple(std::move(wide)));
  }

  void NoteItem(const relay::Var& var, const relay::TupleGetItemNode* item) {
    const auto found = items_.find(item->tuple_value.get());
    if (found != items_.end()) Note(var, found->second[item->index]);
  }

  DLDataType dtype_;
  std::unordered_set<const ffi::Object*> kept_;
  /*! \brief The forms of 16 bits of values in scope, by the variables before the pass. */
  std::unordered_map<const ffi::Object*, RelayExpr> narrow_;
  /*! \brief The values of `narrow_`, in the order in which they came into scope. */
  std::vector<RelayExpr> noted_;
  std::unordered_set<const ffi::Object*> rounded_;
  std::unordered_map<const ffi::Object*, ffi::Array<RelayExpr>> items_;
  std::unordered_map<const ffi::Object*, RelayExpr> constants_;
};

/*! \brief The operators that stay. */
std::unordered_set<const ffi::Object*> OperatorsOf(const ffi::Array<ffi::String>& names) {
  std::unordered_set<const ffi::Object*> ops;
  for (const ffi::String& name : names) ops.insert(ir::get_op(name).get());
  return ops;
}

}  // namespace

Pass ToMixedPrecision(DLDataType dtype, ffi::Array<ffi::String> keep) {
  if (dtype != kBFloat && dtype != ir::FloatType(16)) {
    TVM_FFI_THROW(ValueError) << "ToMixedPrecision: `dtype` must be `bfloat16` or `float16`, got `"
                              << dtype << "`";
  }
  auto run = [dtype, kept = OperatorsOf(keep)](const relay::Function& func, const ir::IRModule&,
                                               const PassContext&) {
    return PrecisionChanger(dtype, kept).Run(func);
  };
  return MakeFunctionPass(run, 0, "ToMixedPrecision", {"InferType", "ToANormalForm"});
}

}  // namespace uir::transform
