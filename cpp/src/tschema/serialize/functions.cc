/*!
 * \file functions.cc
 * \brief Saving and loading as global functions, for the other languages.
 */
#include <tschema/binary.h>
#include <tschema/json.h>
#include <tvm/ffi/function.h>

namespace tschema {
namespace {

/*! \brief Register a function, unless another copy of this library has done so. */
template <typename F>
void RegisterOnce(const char* name, F function) {
  if (ffi::Function::GetGlobal(name)) return;
  ffi::Function::SetGlobal(name, ffi::Function::FromTyped(function, name));
}

ffi::Any LoadJSONString(const ffi::String& text) { return LoadJSON({text.data(), text.size()}); }

ffi::Any LoadBinaryBytes(const ffi::Bytes& data) { return LoadBinary({data.data(), data.size()}); }

TVM_FFI_STATIC_INIT_BLOCK() {
  RegisterOnce("tschema.save_json", SaveJSON);
  RegisterOnce("tschema.load_json", LoadJSONString);
  RegisterOnce("tschema.save_binary", SaveBinary);
  RegisterOnce("tschema.load_binary", LoadBinaryBytes);
}

}  // namespace
}  // namespace tschema
