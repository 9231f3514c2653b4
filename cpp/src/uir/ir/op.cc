// The registry of operators and their attributes.
#include <tvm/ffi/error.h>
#include <uir/ir/op.h>
#include <uir/ir/op_registry.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace uir::ir {

namespace {

class OpRegistry {
 public:
  /*! \brief The one registry; it is never destroyed, because objects outlive static ones. */
  static OpRegistry& Global() {
    static OpRegistry* const registry = new OpRegistry();
    return *registry;
  }

  void Add(OpProvider provider) {
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    providers_.push_back(provider);
  }

  void Register(Op op) {
    const std::lock_guard<std::recursive_mutex> lock = Locked();
    const auto [entry, added] = ops_.emplace(op->name, op);
    if (added) return;
    TVM_FFI_THROW(ValueError) << "operator `" << op->name << "` is registered already, as \""
                              << entry->second->description << "\"; the second one is \""
                              << op->description << "\"";
  }

  Op Get(const ffi::String& name) {
    const std::lock_guard<std::recursive_mutex> lock = Locked();
    const auto found = ops_.find(name);
    if (found == ops_.end()) {
      TVM_FFI_THROW(ValueError) << "there is no operator `" << name << "`";
    }
    return found->second;
  }

  ffi::Array<ffi::String> Names() {
    const std::lock_guard<std::recursive_mutex> lock = Locked();
    std::vector<ffi::String> names;
    for (const auto& [name, op] : ops_) names.emplace_back(name);
    std::sort(names.begin(), names.end());
    return ffi::Array<ffi::String>(names.begin(), names.end());
  }

  void SetAttr(const Op& op, const ffi::String& attr_name, ffi::Any value) {
    const std::lock_guard<std::recursive_mutex> lock = Locked();
    const auto found = ops_.find(op->name);
    if (found == ops_.end() || !found->second.same_as(op)) {
      TVM_FFI_THROW(ValueError) << "operator `" << op->name << "` is not registered";
    }
    if (value == nullptr) {
      TVM_FFI_THROW(ValueError) << "attribute `" << attr_name << "` of operator `" << op->name
                                << "` must not be None";
    }
    if (!attrs_[attr_name].emplace(op.get(), std::move(value)).second) {
      TVM_FFI_THROW(ValueError) << "operator `" << op->name << "` has the attribute `" << attr_name
                                << "` already";
    }
  }

  ffi::Any GetAttr(const Op& op, const ffi::String& attr_name) {
    const std::lock_guard<std::recursive_mutex> lock = Locked();
    const auto values = attrs_.find(attr_name);
    if (values == attrs_.end()) return ffi::Any();
    const auto found = values->second.find(op.get());
    return found == values->second.end() ? ffi::Any() : found->second;
  }

 private:
  /*! \brief Lock, with the operators of all dialects added. */
  std::lock_guard<std::recursive_mutex> Locked() {
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    for (OpProvider provider : std::exchange(providers_, {})) provider();
    return std::lock_guard<std::recursive_mutex>(mutex_);
  }

  std::recursive_mutex mutex_;
  std::vector<OpProvider> providers_;
  std::unordered_map<std::string, Op> ops_;
  std::unordered_map<std::string, std::unordered_map<const OpNode*, ffi::Any>> attrs_;
};

}  // namespace

void AddOpProvider(OpProvider provider) noexcept { OpRegistry::Global().Add(provider); }

void OpNode::PostInit() {
  if (name.empty()) TVM_FFI_THROW(ValueError) << "Op: `name` must not be empty";
  const int64_t described = static_cast<int64_t>(arguments.size());
  if (num_inputs < -1 || (num_inputs >= 0 && described != 0 && described != num_inputs)) {
    TVM_FFI_THROW(ValueError) << "Op: `num_inputs` of `" << name << "` must be -1 or the number of "
                              << "`arguments`, which is " << described << ", got " << num_inputs;
  }
}

Op get_op(ffi::String name) { return OpRegistry::Global().Get(name); }

ffi::Array<ffi::String> list_op_names() { return OpRegistry::Global().Names(); }

void register_op(Op op) { OpRegistry::Global().Register(std::move(op)); }

void set_op_attr(Op op, ffi::String attr_name, ffi::Any value) {
  OpRegistry::Global().SetAttr(op, attr_name, std::move(value));
}

ffi::Any op_attr(Op op, ffi::String attr_name) {
  return OpRegistry::Global().GetAttr(op, attr_name);
}

}  // namespace uir::ir
