// The registry of lowerings.
#include "./operator_call.h"

#include <tvm/ffi/cast.h>

#include <unordered_map>
#include <utility>

namespace uir::transform {

namespace {

using Lowerings = std::unordered_map<std::string, LowerFunction>;

/*! \brief The one registry; it is never destroyed, because libraries may outlive static objects. */
Lowerings& Registry() {
  static Lowerings* const registry = new Lowerings();
  return *registry;
}

bool Declares(const ir::Op& op, const char* rule) { return ir::op_attr(op, rule) != nullptr; }

}  // namespace

void RegisterLowering(const char* op_name, LowerFunction function) noexcept {
  Registry().emplace(op_name, function);
}

LowerFunction FindLowering(const ir::Op& op) {
  const auto found = Registry().find(std::string(op->name));
  if (found != Registry().end()) return found->second;
  if (Declares(op, "scalar")) return &LowerScalar;
  return Declares(op, "compute") ? &LowerCompute : nullptr;
}

std::string OperatorCall::Name() const {
  const std::string name = row->name;
  return name.substr(name.rfind('.') + 1);
}

Value OperatorCall::Result(ElementFunction element, size_t index) const {
  return {Name(), results[index]->shape, results[index]->dtype, std::move(element)};
}

}  // namespace uir::transform
