/*!
 * \file callable.cc
 * \brief The one wrapper of all table rows that can be called.
 */
#include <tschema/callable.h>
#include <tvm/ffi/error.h>

#include <string_view>
#include <vector>

namespace tschema {
namespace {

/*! \brief Marks the start of named arguments in tvm-ffi's keyword protocol. */
const TVMFFIObject* KeywordMarker() {
  static const ffi::ObjectRef marker =
      ffi::Function::GetGlobalRequired("ffi.GetKwargsObject")().cast<ffi::ObjectRef>();
  return reinterpret_cast<const TVMFFIObject*>(marker.get());
}

/*! \brief Completes the arguments of a call whose number differs from the parameters'. */
class Completion {
 public:
  Completion(const Callable& callable, const TVMFFIAny* args, int32_t num_args)
      : callable_(callable), values_(callable.parameters.size), given_(callable.parameters.size) {
    int32_t position = 0;
    while (position < num_args && args[position].v_obj != KeywordMarker()) {
      if (position == callable_.parameters.size) ThrowTooMany(num_args);
      Give(position, args[position]);
      ++position;
    }
    for (int32_t i = position + 1; i + 1 < num_args; i += 2) GiveNamed(args[i], args[i + 1]);
    for (int32_t i = 0; i < callable_.parameters.size; ++i) FillIn(i);
  }

  const TVMFFIAny* values() const { return values_.data(); }

 private:
  void Give(int32_t index, const TVMFFIAny& value) {
    if (given_[index]) {
      TVM_FFI_THROW(TypeError) << callable_.name << ": argument `"
                               << callable_.parameters[index].name << "` is given twice";
    }
    given_[index] = true;
    values_[index] = value;
  }

  void GiveNamed(const TVMFFIAny& key, const TVMFFIAny& value) {
    ffi::String name = ffi::AnyView::CopyFromTVMFFIAny(key).cast<ffi::String>();
    for (int32_t i = 0; i < callable_.parameters.size; ++i) {
      if (name == callable_.parameters[i].name) return Give(i, value);
    }
    TVM_FFI_THROW(TypeError) << callable_.name << ": there is no argument `" << name << "`";
  }

  void FillIn(int32_t index) {
    if (given_[index]) return;
    const Parameter& parameter = callable_.parameters[index];
    if (parameter.make_default == nullptr) {
      TVM_FFI_THROW(TypeError) << callable_.name << ": argument `" << parameter.name
                               << "` is missing";
    }
    defaults_.push_back(parameter.make_default());
    values_[index] = ffi::AnyView(defaults_.back()).CopyToTVMFFIAny();
  }

  [[noreturn]] void ThrowTooMany(int32_t num_args) const {
    TVM_FFI_THROW(TypeError) << callable_.name << ": takes at most " << callable_.parameters.size
                             << " arguments, not " << num_args;
    TVM_FFI_UNREACHABLE();
  }

  const Callable& callable_;
  std::vector<TVMFFIAny> values_;
  std::vector<bool> given_;
  std::vector<ffi::Any> defaults_;
};

bool IsComplete(const Callable& callable, const TVMFFIAny* args, int32_t num_args) {
  if (num_args != callable.parameters.size) return false;
  for (int32_t i = 0; i < num_args; ++i) {
    // Only a bare `ffi.Object` can be the marker.
    if (args[i].type_index == kTVMFFIObject && args[i].v_obj == KeywordMarker()) return false;
  }
  return true;
}

int SafeCall(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVM_FFI_SAFE_CALL_BEGIN();
  const Callable& callable = *static_cast<const Callable*>(handle);
  ffi::Any value;
  if (IsComplete(callable, args, num_args)) {
    value = callable.call(Arguments(callable, args));
  } else {
    Completion completion(callable, args, num_args);
    value = callable.call(Arguments(callable, completion.values()));
  }
  *result = ffi::detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(value));
  TVM_FFI_SAFE_CALL_END();
}

}  // namespace

ffi::Function MakeFunction(const Callable& callable) {
  return ffi::Function::FromExternC(const_cast<Callable*>(&callable), &SafeCall, nullptr);
}

}  // namespace tschema
