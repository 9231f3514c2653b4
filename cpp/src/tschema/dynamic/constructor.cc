/*!
 * \file constructor.cc
 * \brief Fills in an object from arguments, by the table of its type.
 */
#include "./constructor.h"

#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/error.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "../reflection/bound_arguments.h"
#include "../registration/type_text.h"

namespace tschema {
namespace dynamic {
namespace {

/*! \brief The destination of an argument. */
struct Assignment {
  /*! \brief Bytes from the start of the object. */
  int64_t offset;
  const ValueType* type;
  Slot slot;
};

class Constructor final : public Signature {
 public:
  Constructor(const Table& table, void (*post_init)(ffi::Object*))
      : table_(table), post_init_(post_init) {
    for (const std::string& name : table.type().init) {
      const Slotted& slotted = table.Find(name);
      parameters_.push_back(&slotted);
      Slot slot = {this->name(), slotted.field.name.c_str(), slotted.text.c_str()};
      assignments_.push_back({slotted.field.offset, &slotted.type, slot});
    }
    for (const Slotted& slotted : table.fields()) {
      if (IsMade(slotted)) made_.push_back(&slotted);
    }
  }

  const char* name() const final { return table_.type().key.c_str(); }
  int32_t size() const final { return static_cast<int32_t>(parameters_.size()); }
  const char* ParameterName(int32_t index) const final {
    return parameters_[index]->field.name.c_str();
  }
  bool HasDefault(int32_t index) const final {
    return parameters_[index]->field.default_value.has_value();
  }
  ffi::Any MakeDefault(int32_t index) const final {
    return table_.MakeDefault(*parameters_[index]);
  }

  ffi::ObjectPtr<ffi::Object> Construct(const TVMFFIAny* values) const {
    ffi::ObjectPtr<ffi::Object> object = table_.New();
    char* base = reinterpret_cast<char*>(object.get());
    for (const Assignment& assignment : assignments_) {
      assignment.type->Assign(base + assignment.offset, ffi::AnyView::CopyFromTVMFFIAny(*values++),
                              assignment.slot);
    }
    for (const Slotted* slotted : made_) {
      slotted->type.Assign(AddressOf(*slotted, object.get()), table_.MakeDefault(*slotted), Slot{});
    }
    if (post_init_ != nullptr) post_init_(object.get());
    return object;
  }

 private:
  /*! \brief Whether a field is not an argument and gets a fresh container. */
  bool IsMade(const Slotted& slotted) const {
    const std::vector<std::string>& init = table_.type().init;
    return std::find(init.begin(), init.end(), slotted.field.name) == init.end() &&
           slotted.field.default_value && !slotted.field.default_value->factory.empty();
  }

  const Table& table_;
  void (*post_init_)(ffi::Object*);
  std::vector<const Slotted*> parameters_;
  /*! \brief One for each of `parameters_`, compactly. */
  std::vector<Assignment> assignments_;
  std::vector<const Slotted*> made_;
};

int SafeCall(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVM_FFI_SAFE_CALL_BEGIN();
  const auto& constructor = *static_cast<const Constructor*>(handle);
  ffi::ObjectPtr<ffi::Object> object;
  if (ArePositional(constructor.size(), args, num_args)) {
    object = constructor.Construct(args);
  } else {
    BoundArguments bound(constructor, args, num_args);
    object = constructor.Construct(bound.values());
  }
  *result = ffi::detail::AnyUnsafe::MoveAnyToTVMFFIAny(ffi::Any(ffi::ObjectRef(std::move(object))));
  TVM_FFI_SAFE_CALL_END();
}

}  // namespace

ffi::Function MakeConstructor(const Table& table, void (*post_init)(ffi::Object*)) {
  // The type, and with it its constructor, lives as long as the process.
  return ffi::Function::FromExternC(new Constructor(table, post_init), &SafeCall, nullptr);
}

std::string ConstructorSchema(const Table& table) {
  std::string schema = R"({"type":"ffi.Function","args":[)" + TypeSchema(table.type().key);
  for (const std::string& name : table.type().init) {
    schema += "," + TypeSchema(table.Find(name).text);
  }
  return schema + "]}";
}

}  // namespace dynamic
}  // namespace tschema
