// The registry of operators and their attributes.
#include <tschema/interned.h>
#include <tvm/ffi/error.h>
#include <uir/ir/near_names.h>
#include <uir/ir/op.h>
#include <uir/ir/op_registry.h>
#include <uir/ir/stored_call.h>

#include <algorithm>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace uir::ir {

namespace {

/*! \brief The source location, for messages; empty if unknown. */
std::string At(const ffi::String& place) {
  return place.empty() ? "" : " at " + std::string(place);
}

class OpRegistry {
 public:
  /*! \brief The only registry; never destroyed, because objects outlive static objects. */
  static OpRegistry& Global() {
    static OpRegistry* const registry = new OpRegistry();
    return *registry;
  }

  void Add(OpProvider provider) {
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    providers_.push_back(std::move(provider));
  }

  void Register(Op op, ffi::String place) {
    const std::lock_guard<std::recursive_mutex> lock = Locked();
    const auto [found, added] = entries_.emplace(op->name, Entry{op, place, {}});
    if (added) return;
    const Entry& first = found->second;
    TVM_FFI_THROW(ValueError) << "operator `" << op->name << "` is registered already"
                              << At(first.place) << ", as \"" << first.op->description
                              << "\"; the second one" << At(place) << " is \"" << op->description
                              << "\"";
  }

  ffi::Optional<Op> Find(const ffi::String& name) {
    const std::lock_guard<std::recursive_mutex> lock = Locked();
    const auto found = entries_.find(name);
    return found == entries_.end() ? ffi::Optional<Op>() : found->second.op;
  }

  std::vector<std::string> Names() {
    const std::lock_guard<std::recursive_mutex> lock = Locked();
    std::vector<std::string> names;
    for (const auto& [name, entry] : entries_) names.emplace_back(name);
    std::sort(names.begin(), names.end());
    return names;
  }

  void SetAttr(const Op& op, const ffi::String& attr_name, ffi::Any value, ffi::String place) {
    const std::lock_guard<std::recursive_mutex> lock = Locked();
    const auto found = entries_.find(op->name);
    if (found == entries_.end() || !found->second.op.same_as(op)) {
      TVM_FFI_THROW(ValueError) << "operator `" << op->name << "` is not registered";
    }
    if (value == nullptr) {
      TVM_FFI_THROW(ValueError) << "attribute `" << attr_name << "` of operator `" << op->name
                                << "` must not be None";
    }
    const auto [attr, added] =
        found->second.attrs.emplace(attr_name, Attr{std::move(value), place});
    if (added) return;
    TVM_FFI_THROW(ValueError) << "operator `" << op->name << "` has the attribute `" << attr_name
                              << "` already" << Both(attr->second.place, place);
  }

  ffi::Any GetAttr(const Op& op, const ffi::String& attr_name) {
    const std::lock_guard<std::recursive_mutex> lock = Locked();
    const Entry* entry = EntryOf(op);
    if (entry == nullptr) return ffi::Any();
    const auto found = entry->attrs.find(attr_name);
    return found == entry->attrs.end() ? ffi::Any() : found->second.value;
  }

  ffi::Map<ffi::String, ffi::Any> Attrs(const Op& op) {
    const std::lock_guard<std::recursive_mutex> lock = Locked();
    ffi::Map<ffi::String, ffi::Any> attrs;
    const Entry* entry = EntryOf(op);
    if (entry == nullptr) return attrs;
    for (const auto& [name, attr] : entry->attrs) attrs.Set(name, attr.value);
    return attrs;
  }

  ffi::Map<Op, ffi::Any> AttrMap(const ffi::String& attr_name) {
    const std::lock_guard<std::recursive_mutex> lock = Locked();
    ffi::Map<Op, ffi::Any> values;
    for (const auto& [name, entry] : entries_) {
      const auto found = entry.attrs.find(attr_name);
      if (found != entry.attrs.end()) values.Set(entry.op, found->second.value);
    }
    return values;
  }

 private:
  struct Attr {
    ffi::Any value;
    ffi::String place;
  };

  struct Entry {
    Op op;
    ffi::String place;
    std::unordered_map<std::string, Attr> attrs;
  };

  static std::string Both(const ffi::String& first, const ffi::String& second) {
    if (first.empty() && second.empty()) return "";
    return ": first" + At(first) + ", again" + At(second);
  }

  /*! \brief The entry of an operator; null for another object with the name of a registered one. */
  const Entry* EntryOf(const Op& op) const {
    const auto found = entries_.find(op->name);
    return found == entries_.end() || !found->second.op.same_as(op) ? nullptr : &found->second;
  }

  /*! \brief Lock, with the operators of all dialects added. */
  std::lock_guard<std::recursive_mutex> Locked() {
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    while (!providers_.empty()) {
      const OpProvider provider = std::move(providers_.front());
      providers_.pop_front();
      provider();
    }
    return std::lock_guard<std::recursive_mutex>(mutex_);
  }

  std::recursive_mutex mutex_;
  std::deque<OpProvider> providers_;
  std::unordered_map<std::string, Entry> entries_;
};

// Operators are interned: files store the name, and copies share the object.
TVM_FFI_STATIC_INIT_BLOCK() {
  tschema::RegisterInterned<OpNode>(
      [](const ffi::Object* op) { return static_cast<const OpNode*>(op)->name; },
      [](const ffi::String& name) -> ffi::ObjectRef { return FindStoredOp(name); });
}

}  // namespace

void AddOpProvider(OpProvider provider) noexcept { OpRegistry::Global().Add(std::move(provider)); }

void OpNode::PostInit() {
  if (name.empty()) TVM_FFI_THROW(ValueError) << "Op: `name` must not be empty";
  const int64_t described = static_cast<int64_t>(arguments.size());
  if (num_inputs < -1 || (num_inputs >= 0 && described != 0 && described != num_inputs)) {
    TVM_FFI_THROW(ValueError) << "Op: `num_inputs` of `" << name << "` must be -1 or the number of "
                              << "`arguments`, which is " << described << ", got " << num_inputs;
  }
}

Op get_op(ffi::String name) {
  if (ffi::Optional<Op> op = OpRegistry::Global().Find(name)) return op.value();
  TVM_FFI_THROW(ValueError) << "there is no operator `" << name << "`"
                            << DidYouMean(std::string_view(name.data(), name.size()),
                                          OpRegistry::Global().Names());
  TVM_FFI_UNREACHABLE();
}

bool has_op(ffi::String name) { return OpRegistry::Global().Find(name).has_value(); }

ffi::Array<ffi::String> list_op_names() {
  ffi::Array<ffi::String> names;
  for (const std::string& name : OpRegistry::Global().Names()) names.push_back(name);
  return names;
}

void register_op(Op op, ffi::String place) {
  OpRegistry::Global().Register(std::move(op), std::move(place));
}

void set_op_attr(Op op, ffi::String attr_name, ffi::Any value, ffi::String place) {
  OpRegistry::Global().SetAttr(op, attr_name, std::move(value), std::move(place));
}

ffi::Any op_attr(Op op, ffi::String attr_name) {
  return OpRegistry::Global().GetAttr(op, attr_name);
}

ffi::Map<ffi::String, ffi::Any> op_attrs(Op op) { return OpRegistry::Global().Attrs(op); }

ffi::Map<Op, ffi::Any> op_attr_map(ffi::String attr_name) {
  return OpRegistry::Global().AttrMap(attr_name);
}

}  // namespace uir::ir
