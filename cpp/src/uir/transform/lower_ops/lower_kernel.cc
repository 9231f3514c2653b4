// Kernels: makes a tensor for each binding, then one function from the stored tensors.
#include "./lower_kernel.h"

#include <tschema/structural_equal.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/ir/symbol.h>
#include <uir/te/create.h>

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../analysis/use_counts.h"
#include "./constant_element.h"
#include "./decompose_kernel.h"
#include "./operator_call.h"

namespace uir::transform {

namespace {

/*! \brief The tensor types of a value's type; for a tuple, those of its fields. */
std::vector<ir::TensorType> FlatTensorTypes(const ir::Type& type) {
  std::vector<ir::TensorType> types;
  if (const auto tuple = type.as<ir::TupleType>()) {
    for (const ir::Type& field : (*tuple)->fields) {
      types.push_back(field.as<ir::TensorType>().value());
    }
    return types;
  }
  return {type.as<ir::TensorType>().value()};
}

class KernelLowerer {
 public:
  KernelLowerer(const relay::Function& kernel, std::vector<ir::TensorType> results)
      : kernel_(kernel), results_(std::move(results)), uses_(CountUses(kernel)) {}

  LoweredKernel Run() {
    ffi::Array<ffi::ObjectRef> args;
    for (const relay::Var& param : kernel_->params) {
      const auto type = param->type_annotation.value().as<ir::TensorType>().value();
      const te::Tensor tensor(te::PlaceholderOp(param->name, type->shape, type->dtype), 0);
      known_.emplace(param.get(), Values{Value(tensor)});
      args.push_back(tensor);
    }
    for (const relay::Binding& binding : kernel_->body->bindings) {
      if (!Bind(binding)) return {std::nullopt, missing_};
    }
    const Values results = Run(kernel_->body->result);
    if (!missing_.empty()) return {std::nullopt, missing_};
    for (const te::Tensor& output : Outputs(results)) args.push_back(output);
    return {Private(te::create_prim_func(args)), ""};
  }

 private:
  bool Bind(const relay::Binding& binding) {
    Values values = Run(binding->value);
    if (!missing_.empty()) return false;
    const auto uses = uses_.find(binding->var.get());
    if (uses != uses_.end() && uses->second > 1) {
      for (const Value& value : values) value.StoreIfComputed();
    }
    known_.emplace(binding->var.get(), std::move(values));
    return true;
  }

  /*! \brief The tensors of a value; for a tuple, those of its fields. */
  Values Run(const ir::RelayExpr& expr) {
    if (expr.as<relay::VarNode>() != nullptr) return known_.at(expr.get());
    if (const auto* constant = expr.as<relay::ConstantNode>()) return Constant(constant);
    if (const auto* item = expr.as<relay::TupleGetItemNode>()) {
      const Values all = Run(item->tuple_value);
      if (!missing_.empty()) return {};
      return {all.at(static_cast<size_t>(item->index))};
    }
    if (const auto* tuple = expr.as<relay::TupleNode>()) {
      Values all;
      for (const ir::RelayExpr& field : tuple->fields) {
        for (Value& value : Run(field)) all.push_back(std::move(value));
      }
      return all;
    }
    if (const auto* call = expr.as<relay::CallNode>()) return Call(call);
    missing_ = expr->GetTypeKey();
    return {};
  }

  static Values Constant(const relay::ConstantNode* constant) {
    const auto type = constant->checked_type.value().as<ir::TensorType>().value();
    return {Value::Constant(type->shape, ConstantElement(constant))};
  }

  Values Call(const relay::CallNode* call) {
    const auto op = call->op.as<ir::Op>();
    const ir::OperatorRow* row = op ? ir::FindOperatorRow(*op) : nullptr;
    const LowerFunction lower = row == nullptr ? nullptr : FindLowering(*op);
    if (lower == nullptr) return Missing(call);
    OperatorCall lowered{call, row, {}, FlatTensorTypes(call->checked_type.value())};
    for (int32_t i = 0; i < row->operands.size; ++i) {
      lowered.operands.push_back(Run(call->args[i]));
    }
    if (!missing_.empty()) return {};
    Values values = lower(lowered);
    if (values.empty() && !lowered.results.empty()) return Missing(call);
    for (const Value& value : values) value.Rename(lowered.Name());
    return values;
  }

  Values Missing(const relay::CallNode* call) {
    const auto op = call->op.as<ir::Op>();
    missing_ = op ? std::string((*op)->name) : call->op->GetTypeKey();
    return {};
  }

  /*! \brief A result with the dimensions of its type, which may be equal only by assumption. */
  static Value WithShape(const Value& value, const Indices& shape) {
    if (tschema::StructuralEqual(value.shape(), shape)) return value;
    return Value::View(value, shape, [value](const Indices& indices) { return value.At(indices); });
  }

  /*! \brief The tensors of results, each stored once; none is a parameter. */
  std::vector<te::Tensor> Outputs(const Values& results) const {
    std::vector<te::Tensor> outputs;
    for (size_t i = 0; i < results.size(); ++i) {
      const Value result = WithShape(results[i], results_[i]->shape);
      te::Tensor output = result.Stored();
      const auto is_same = [&](const te::Tensor& other) {
        return other->op.same_as(output->op) && other->value_index == output->value_index;
      };
      const bool is_param = output->op.as<te::PlaceholderOpNode>() != nullptr;
      if (is_param || std::any_of(outputs.begin(), outputs.end(), is_same)) {
        output = ComputeTensor(result.name() + "_copy", result.shape(),
                               [&](const Indices& indices) { return result.At(indices); });
      }
      outputs.push_back(output);
    }
    return outputs;
  }

  /*! \brief A function with the location of the call and without an exported symbol. */
  tir::PrimFunc Private(const tir::PrimFunc& func) const {
    ffi::Map<ffi::String, ffi::Any> attrs = func->attrs.value()->dict;
    attrs.erase(ir::kGlobalSymbol);
    return tir::PrimFunc(func->params, func->body, func->buffer_map, func->ret_type,
                         ir::DictAttrs(std::move(attrs)), kernel_->span);
  }

  relay::Function kernel_;
  std::vector<ir::TensorType> results_;
  std::unordered_map<const ffi::Object*, int64_t> uses_;
  std::unordered_map<const ffi::Object*, Values> known_;
  std::string missing_;
};

}  // namespace

LoweredKernel LowerKernel(const relay::Function& kernel) {
  return KernelLowerer(DecomposeKernel(kernel), FlatTensorTypes(kernel->ret_type.value())).Run();
}

}  // namespace uir::transform
