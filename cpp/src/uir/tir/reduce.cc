// Iteration variables and reductions, whose tuples have the same length and types.
#include <tvm/ffi/error.h>
#include <uir/ir/dtype.h>
#include <uir/ir/operand.h>
#include <uir/tir/reduce.h>

namespace uir::tir {

void IterVarNode::PostInit() {
  ir::CheckScalarInteger(this, {"var", var});
  if (!dom.has_value()) return;
  ir::CheckSameType(this, {"var", var}, {"dom.min", dom.value()->min});
}

void CommReducerNode::PostInit() {
  const int64_t size = static_cast<int64_t>(result.size());
  ir::CheckSameSize(this, "lhs", lhs.size(), "result", size);
  ir::CheckSameSize(this, "rhs", rhs.size(), "result", size);
  ir::CheckSameSize(this, "identity_element", identity_element.size(), "result", size);
  for (int64_t i = 0; i < size; ++i) {
    ir::CheckSameType(this, {"result", result[i]}, {"lhs", lhs[i]});
    ir::CheckSameType(this, {"result", result[i]}, {"rhs", rhs[i]});
    ir::CheckSameType(this, {"result", result[i]}, {"identity_element", identity_element[i]});
  }
}

void ReduceNode::PostInit() {
  const int64_t size = static_cast<int64_t>(combiner->result.size());
  ir::CheckSameSize(this, "source", source.size(), "combiner.result", size);
  if (!init.empty()) ir::CheckSameSize(this, "init", init.size(), "combiner.result", size);
  for (int64_t i = 0; i < size; ++i) {
    ir::CheckSameType(this, {"source", source[i]}, {"combiner.result", combiner->result[i]});
    if (!init.empty()) ir::CheckSameType(this, {"source", source[i]}, {"init", init[i]});
  }
  ir::CheckScalarBool(this, {"condition", condition});
  for (const IterVar& iter_var : axis) {
    if (iter_var->iter_type == IterVarType::kCommReduce) continue;
    TVM_FFI_THROW(ValueError) << "Reduce: `axis` must be of `IterVarType.COMM_REDUCE`, `"
                              << iter_var->var->name << "` is not";
  }
  if (value_index < 0 || value_index >= size) {
    TVM_FFI_THROW(ValueError) << "Reduce: `value_index` must be at least 0 and below " << size
                              << ", the values of `combiner`, got " << value_index;
  }
  dtype = source[value_index]->dtype;
}

}  // namespace uir::tir
