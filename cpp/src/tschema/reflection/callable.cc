/*!
 * \file callable.cc
 * \brief The one wrapper of all table rows that can be called.
 */
#include <tschema/callable.h>
#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/error.h>

#include "./bound_arguments.h"

namespace tschema {
namespace {

/*! \brief The parameters of a row. */
class CallableSignature final : public Signature {
 public:
  explicit CallableSignature(const Callable& callable) : callable_(callable) {}

  const char* name() const final { return callable_.name; }
  int32_t size() const final { return callable_.parameters.size; }
  const char* ParameterName(int32_t index) const final { return callable_.parameters[index].name; }
  bool HasDefault(int32_t index) const final {
    return callable_.parameters[index].make_default != nullptr;
  }
  ffi::Any MakeDefault(int32_t index) const final {
    return callable_.parameters[index].make_default();
  }

 private:
  const Callable& callable_;
};

int SafeCall(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVM_FFI_SAFE_CALL_BEGIN();
  const Callable& callable = *static_cast<const Callable*>(handle);
  ffi::Any value;
  if (ArePositional(callable.parameters.size, args, num_args)) {
    value = callable.call(Arguments(callable, args));
  } else {
    CallableSignature signature(callable);
    BoundArguments bound(signature, args, num_args);
    value = callable.call(Arguments(callable, bound.values()));
  }
  *result = ffi::detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(value));
  TVM_FFI_SAFE_CALL_END();
}

}  // namespace

ffi::Function MakeFunction(const Callable& callable) {
  return ffi::Function::FromExternC(const_cast<Callable*>(&callable), &SafeCall, nullptr);
}

}  // namespace tschema
