// Tensor-level functions: checks of parameters and of their buffers, and equality.
#include <tvm/ffi/error.h>
#include <uir/ir/dtype.h>
#include <uir/ir/operand.h>
#include <uir/ir/tensor_type.h>
#include <uir/tir/function.h>

#include <unordered_set>
#include <utility>

namespace uir::tir {

bool PrimFuncNode::SEqualReduce(const PrimFuncNode* other, tschema::SEqualReducer equal) const {
  return equal.DefPatternEqual(params, other->params) &&
         equal.DefPatternEqual(buffer_map, other->buffer_map) && equal(attrs, other->attrs) &&
         equal(ret_type, other->ret_type) && equal(body, other->body);
}

void PrimFuncNode::SHashReduce(tschema::SHashReducer hash_reduce) const {
  hash_reduce.DefPatternHash(params);
  hash_reduce.DefPatternHash(buffer_map);
  hash_reduce(attrs);
  hash_reduce(ret_type);
  hash_reduce(body);
}

void PrimFuncNode::PostInit() {
  BaseFuncNode::PostInit();
  if (!ret_type.has_value()) ret_type = ir::TupleType(ffi::Array<ir::Type>());
  std::unordered_set<const VarNode*> known;
  for (const Var& param : params) {
    if (known.insert(param.get()).second) continue;
    TVM_FFI_THROW(ValueError) << "PrimFunc: `params` must be distinct, got `" << param->name
                              << "` twice";
  }
  for (const auto& [param, buffer] : buffer_map) {
    if (known.count(param.get()) == 0) {
      TVM_FFI_THROW(ValueError) << "PrimFunc: the keys of `buffer_map` must be `params`, got `"
                                << param->name << "`";
    }
    if (!ir::IsHandle(param->dtype)) {
      ir::ThrowOperand(this, "a `handle` for a buffer", {"buffer_map", param});
    }
  }
}

ir::FuncType PrimFuncNode::FuncType() const {
  ffi::Array<ir::Type> types;
  for (const Var& param : params) {
    types.push_back(param->type_annotation.value_or(ir::PrimType(param->dtype)));
  }
  return ir::FuncType(types, ret_type.value());
}

ir::FuncType func_type_of(PrimFunc func) {
  ffi::Array<ir::Type> types;
  const ir::FuncType plain = func->FuncType();
  for (size_t i = 0; i < func->params.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    const auto found = func->buffer_map.find(func->params[at]);
    if (found == func->buffer_map.end()) {
      types.push_back(plain->arg_types[at]);
    } else {
      const Buffer& buffer = (*found).second;
      types.push_back(ir::TensorType(buffer->shape, buffer->dtype));
    }
  }
  return ir::FuncType(std::move(types), plain->ret_type);
}

}  // namespace uir::tir
