// The registry of lowerings, which may be functions of other languages.
#include "./operator_call.h"

#include <tvm/ffi/cast.h>
#include <tvm/ffi/error.h>
#include <uir/transform/lowering.h>

#include <mutex>
#include <unordered_map>
#include <utility>

namespace uir::transform {

namespace {

/*! \brief The lowerings of operators, by name. */
class LoweringRegistry {
 public:
  /*! \brief The only registry; never destroyed, because libraries may outlive static objects. */
  static LoweringRegistry& Global() {
    static LoweringRegistry* const registry = new LoweringRegistry();
    return *registry;
  }

  /*! \brief Add a lowering; false if the operator has one already. */
  bool Add(const std::string& op_name, LowerFunction function) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return lowerings_.emplace(op_name, std::move(function)).second;
  }

  LowerFunction Find(const std::string& op_name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = lowerings_.find(op_name);
    return found == lowerings_.end() ? nullptr : found->second;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, LowerFunction> lowerings_;
};

/*! \brief An operand in the form that a registered function takes. */
ffi::Any Passed(const ir::OperandRow& row, const Values& operand) {
  ffi::Array<te::Tensor> tensors;
  for (const Value& value : operand) tensors.push_back(value.Stored());
  if (row.is_variadic) return tensors;
  return tensors.empty() ? ffi::Any() : ffi::Any(tensors[0]);
}

void CheckTensor(const OperatorCall& call, const te::Tensor& tensor, const ir::TensorType& type) {
  if (tensor->dtype == type->dtype && tensor->shape.size() == type->shape.size()) return;
  TVM_FFI_THROW(TypeError) << "the lowering of `" << call.row->name << "` must return a tensor of "
                           << "`" << type->dtype << "` and rank " << type->shape.size()
                           << ", got one of `" << tensor->dtype << "` and rank "
                           << tensor->shape.size();
}

/*! \brief Convert the results of a registered function. */
Values CallLowering(const ffi::Function& lowering, const OperatorCall& call) {
  ffi::Array<ffi::Any> operands;
  for (size_t i = 0; i < call.operands.size(); ++i) {
    operands.push_back(Passed(call.row->operands[static_cast<int32_t>(i)], call.operands[i]));
  }
  const ffi::Any made = lowering(ffi::GetRef<relay::Call>(call.call), operands);
  ffi::Array<te::Tensor> tensors;
  if (const auto tensor = made.as<te::Tensor>()) tensors.push_back(*tensor);
  if (const auto list = made.try_cast<ffi::Array<te::Tensor>>()) tensors = *list;
  if (tensors.size() != call.results.size()) {
    TVM_FFI_THROW(TypeError) << "the lowering of `" << call.row->name << "` must return "
                             << call.results.size() << " tensors, got " << tensors.size();
  }
  Values values;
  for (size_t i = 0; i < tensors.size(); ++i) {
    CheckTensor(call, tensors[static_cast<int64_t>(i)], call.results[i]);
    values.emplace_back(tensors[static_cast<int64_t>(i)]);
  }
  return values;
}

bool Declares(const ir::Op& op, const char* rule) { return ir::op_attr(op, rule) != nullptr; }

}  // namespace

void RegisterLowering(const char* op_name, Values (*function)(const OperatorCall&)) noexcept {
  LoweringRegistry::Global().Add(op_name, function);
}

void register_lowering(ffi::String op_name, ffi::Function lowering) {
  const auto run = [lowering = std::move(lowering)](const OperatorCall& call) {
    return CallLowering(lowering, call);
  };
  if (LoweringRegistry::Global().Add(op_name, run)) return;
  TVM_FFI_THROW(ValueError) << "`" << op_name << "` has a registered lowering";
}

LowerFunction FindLowering(const ir::Op& op) {
  if (LowerFunction registered = LoweringRegistry::Global().Find(op->name)) return registered;
  if (Declares(op, "scalar")) return &LowerScalar;
  if (Declares(op, "compute")) return &LowerCompute;
  return nullptr;
}

std::string OperatorCall::Name() const {
  const std::string name = row->name;
  return name.substr(name.rfind('.') + 1);
}

Value OperatorCall::Result(ElementFunction element, size_t index) const {
  return {Name(), results[index]->shape, results[index]->dtype, std::move(element)};
}

}  // namespace uir::transform
