// Stored calls: a table of older forms, by the name of the operator in files.
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/error.h>
#include <uir/ir/op_registry.h>
#include <uir/ir/stored_call.h>
#include <uir/ir/upgrade.h>

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace uir::ir {

namespace {

/*! \brief An older form of an operator's calls. */
struct Form {
  Op op;
  /*! \brief The number of arguments of a stored call; -1 if unchanged. */
  int32_t num_arguments;
  /*! \brief The declared rule; null if a function upgrades the call. */
  const StoredCallRow* row;
  /*! \brief Takes the arguments and the attributes, and returns both; may be null. */
  ffi::Optional<ffi::Function> upgrade;
};

/*! \brief The forms by name; never destroyed, because operators outlive it. */
class FormTable {
 public:
  static FormTable& Global() {
    static FormTable* const table = new FormTable();
    return *table;
  }

  void Add(const std::string& name, Form form) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<Form>& forms = forms_[name];
    for (const Form& known : forms) {
      if (known.num_arguments != form.num_arguments && known.op.same_as(form.op)) continue;
      TVM_FFI_THROW(ValueError) << "stored calls of `" << name << "`, which operator `"
                                << form.op->name << "` claims, are those of `" << known.op->name
                                << "` already";
    }
    forms.push_back(std::move(form));
    has_forms_.store(true, std::memory_order_release);
  }

  bool HasForms() const { return has_forms_.load(std::memory_order_acquire); }

  std::vector<Form> Find(const std::string& name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = forms_.find(name);
    return found == forms_.end() ? std::vector<Form>() : found->second;
  }

  /*! \brief The operator of a former name in stored calls; one object for each name. */
  Op Former(const ffi::String& name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = formers_.find(name);
    if (found != formers_.end()) return found->second;
    return formers_.emplace(name, Op(name)).first->second;
  }

 private:
  std::mutex mutex_;
  std::atomic<bool> has_forms_{false};
  std::map<std::string, std::vector<Form>> forms_;
  std::map<std::string, Op> formers_;
};

ffi::Any UpgradedValue(const UpgradedArgument& argument, const ffi::Array<ffi::Any>& args) {
  switch (argument.kind) {
    case UpgradedArgument::Kind::kAbsent:
      return nullptr;
    case UpgradedArgument::Kind::kStored:
      return args[argument.number];
    case UpgradedArgument::Kind::kBool:
      return argument.number != 0;
    case UpgradedArgument::Kind::kInt:
      return argument.number;
    case UpgradedArgument::Kind::kFloat:
      return argument.real;
    case UpgradedArgument::Kind::kText:
      return ffi::String(argument.text);
  }
  return nullptr;
}

UpgradedCall Upgrade(const Form& form, const ffi::Array<ffi::Any>& args, const ffi::Any& attrs) {
  if (form.upgrade.has_value()) {
    const ffi::Any made = (*form.upgrade)(args, attrs);
    const auto parts = made.try_cast<ffi::Array<ffi::Any>>();
    if (!parts || parts->size() != 2) {
      TVM_FFI_THROW(TypeError) << "the upgrade of stored calls of `" << form.op->name
                               << "` must return the arguments and the attributes";
    }
    return {form.op, (*parts)[0].cast<ffi::Array<ffi::Any>>(), (*parts)[1]};
  }
  if (form.num_arguments < 0) return {form.op, args, attrs};
  ffi::Array<ffi::Any> upgraded;
  for (const UpgradedArgument& one : form.row->arguments)
    upgraded.push_back(UpgradedValue(one, args));
  return {form.op, std::move(upgraded), attrs};
}

}  // namespace

void AddStoredCalls(tschema::Rows<StoredCallRow> rows) noexcept {
  AddOpProvider([rows] {
    for (const StoredCallRow& row : rows) AddStoredCall(row);
  });
}

void AddStoredCall(const StoredCallRow& row) {
  FormTable::Global().Add(row.name, {get_op(row.op), row.num_arguments, &row, {}});
}

void register_upgrade(Op op, ffi::String name, int32_t num_arguments, ffi::Function upgrade) {
  FormTable::Global().Add(name, {std::move(op), num_arguments, nullptr, std::move(upgrade)});
}

Op FindStoredOp(const ffi::String& name) {
  if (has_op(name)) return get_op(name);
  const std::vector<Form> forms = FormTable::Global().Find(name);
  if (forms.empty()) return get_op(name);  // Fails with similar names.
  const bool is_renamed = forms.size() == 1 && forms[0].num_arguments < 0;
  return is_renamed ? forms[0].op : FormTable::Global().Former(name);
}

bool HasStoredCalls() { return FormTable::Global().HasForms(); }

std::optional<UpgradedCall> UpgradeStoredCall(const OpNode* op, const ffi::Array<ffi::Any>& args,
                                              const ffi::Any& attrs) {
  const std::vector<Form> forms = FormTable::Global().Find(op->name);
  const auto count = static_cast<int32_t>(args.size());
  const Form* fitting = nullptr;
  for (const Form& form : forms) {
    const bool fits = form.num_arguments == count;
    if (fits || (form.num_arguments < 0 && fitting == nullptr)) fitting = &form;
  }
  if (fitting != nullptr) return Upgrade(*fitting, args, attrs);
  const bool is_former = !forms.empty() && forms[0].op->name != op->name;
  if (!is_former) return std::nullopt;
  std::string expected;
  for (const Form& form : forms) {
    expected += (expected.empty() ? "" : " or ") + std::to_string(form.num_arguments);
  }
  TVM_FFI_THROW(ValueError) << "a stored call of `" << op->name << "`, which is `"
                            << forms[0].op->name << "` now, must have " << expected
                            << " arguments, got " << count;
  TVM_FFI_UNREACHABLE();
}

}  // namespace uir::ir
