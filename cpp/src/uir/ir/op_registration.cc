// Registration of operators while libraries load.
#include <uir/ir/op_registry.h>

#include <memory>
#include <utility>

namespace uir::ir {

void OpRegistration::Register() const {
  ffi::Array<AttrFieldInfo> arguments;
  for (const ArgumentText& argument : arguments_) {
    arguments.push_back(AttrFieldInfo(argument.name, argument.type_info, argument.description));
  }
  const bool is_described = num_inputs_ < 0 && !arguments_.empty();
  const int32_t num_inputs = is_described ? static_cast<int32_t>(arguments_.size()) : num_inputs_;
  const Op op(name_, description_, std::move(arguments), num_inputs);
  register_op(op, place_);
  for (const auto& set : attrs_) set(op, place_);
}

namespace detail {

OpRegistration& KeepOp(const char* name, const char* place) {
  auto registration = std::make_shared<OpRegistration>(name, place);
  OpRegistration& kept = *registration;
  AddOpProvider([registration = std::move(registration)] { registration->Register(); });
  return kept;
}

}  // namespace detail

}  // namespace uir::ir
