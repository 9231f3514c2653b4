/*!
 * \file functions.cc
 * \brief Saving and loading as global functions, for the other languages.
 */
#include <tschema/binary.h>
#include <tschema/json.h>
#include <tvm/ffi/function.h>

#include "../support/global_function.h"

namespace tschema {
namespace {

ffi::Any LoadJSONString(const ffi::String& text) { return LoadJSON({text.data(), text.size()}); }

ffi::Any LoadBinaryBytes(const ffi::Bytes& data) { return LoadBinary({data.data(), data.size()}); }

TVM_FFI_STATIC_INIT_BLOCK() {
  SetGlobalFunction("tschema.save_json", ffi::Function::FromTyped(SaveJSON, "tschema.save_json"));
  SetGlobalFunction("tschema.load_json",
                    ffi::Function::FromTyped(LoadJSONString, "tschema.load_json"));
  SetGlobalFunction("tschema.save_binary",
                    ffi::Function::FromTyped(SaveBinary, "tschema.save_binary"));
  SetGlobalFunction("tschema.load_binary",
                    ffi::Function::FromTyped(LoadBinaryBytes, "tschema.load_binary"));
}

}  // namespace
}  // namespace tschema
