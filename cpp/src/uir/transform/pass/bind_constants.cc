// Collects the constant tensors of functions in an attribute of the module.
#include <tschema/structural_equal.h>
#include <tvm/ffi/cast.h>
#include <tvm/ffi/container/tensor.h>
#include <uir/ir/node_error.h>
#include <uir/ir/op.h>
#include <uir/tir/call.h>
#include <uir/tir/expr.h>
#include <uir/transform/entry_passes.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/pass.h>
#include <uir/transform/with_body.h>

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../analysis/tensor_hash.h"

namespace uir::transform {

namespace {

constexpr const char* kConstants = "constants";

ffi::Array<ffi::Tensor> ConstantsIn(const ffi::Any& attribute) {
  return attribute.as<ffi::Array<ffi::Tensor>>().value_or(ffi::Array<ffi::Tensor>());
}

/*! \brief A list of tensors without duplicates. */
class ConstantTable {
 public:
  /*! \brief Append a tensor, even if it is a duplicate. */
  void Append(const ffi::Tensor& tensor) {
    places_[SampledHash(tensor)].push_back(static_cast<int64_t>(tensors_.size()));
    tensors_.push_back(tensor);
  }

  /*! \brief The index of a tensor, which is appended unless it is a duplicate. */
  int64_t IndexOf(const ffi::Tensor& tensor) {
    for (const int64_t place : places_[SampledHash(tensor)]) {
      if (tschema::StructuralEqual(tensors_[place], tensor)) return place;
    }
    Append(tensor);
    return static_cast<int64_t>(tensors_.size()) - 1;
  }

  const ffi::Array<ffi::Tensor>& tensors() const { return tensors_; }

 private:
  ffi::Array<ffi::Tensor> tensors_;
  std::unordered_map<uint64_t, std::vector<int64_t>> places_;
};

/*! \brief Replaces the indices of one function's constants. */
class ConstantBinder : public LinearMutator {
 public:
  ConstantBinder(const ffi::Array<ffi::Tensor>& constants, ConstantTable* table)
      : constants_(constants), table_(table) {}

 protected:
  ir::PrimExpr VisitCall(const tir::CallNode* op) override {
    static const ir::Op constant_data = ir::get_op("tir.constant_data");
    if (!op->op.same_as(constant_data)) return LinearMutator::VisitCall(op);
    const auto* index = op->args[0].as<ir::IntImmNode>();
    if (index == nullptr || index->value < 0 ||
        index->value >= static_cast<int64_t>(constants_.size())) {
      ir::ThrowAt(op, "ValueError",
                  "the function has " + std::to_string(constants_.size()) +
                      " constants; the index is beyond them");
    }
    return tir::constant_data(table_->IndexOf(constants_[index->value]), op->span);
  }

 private:
  const ffi::Array<ffi::Tensor>& constants_;
  ConstantTable* table_;
};

ir::IRModule BindModule(const ir::IRModule& module) {
  ConstantTable table;
  for (const ffi::Tensor& tensor : ConstantsIn(module->GetAttr(kConstants))) table.Append(tensor);
  ffi::Map<ir::GlobalVar, ir::BaseFunc> functions = module->functions;
  bool is_changed = false;
  for (const auto& [var, func] : module->functions) {
    const auto prim = func.as<tir::PrimFunc>();
    if (!prim || func->GetAttr(kConstants) == nullptr) continue;
    const ffi::Array<ffi::Tensor> constants = ConstantsIn(func->GetAttr(kConstants));
    const tir::PrimFunc bound = WithBody(*prim, ConstantBinder(constants, &table)((*prim)->body));
    functions.Set(var, ir::with_attr(bound, kConstants, nullptr));
    is_changed = true;
  }
  if (!is_changed) return module;
  const ir::IRModule bound(std::move(functions), module->attrs);
  if (table.tensors().empty()) return bound;
  return ir::module_with_attr(bound, kConstants, table.tensors());
}

}  // namespace

Pass BindConstants() {
  auto run = [](const ir::IRModule& module, const PassContext&) { return BindModule(module); };
  return MakeModulePass(run, 0, "BindConstants");
}

}  // namespace uir::transform
