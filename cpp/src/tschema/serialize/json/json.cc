/*!
 * \file json.cc
 * \brief Loads JSON, with places in errors, and the global functions; `json_writer.cc` saves.
 */
#include <tschema/json.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include "../../support/global_function.h"
#include "./json_reader.h"

namespace tschema {

ffi::Any LoadJSON(std::string_view text) {
  JSONReader reader(text);
  try {
    return reader.Read();
  } catch (const ffi::Error& error) {
    throw AtPlace(error, reader.place());
  }
}

TVM_FFI_STATIC_INIT_BLOCK() {
  SetGlobalFunction("tschema.save_json", ffi::Function::FromTyped(SaveJSON, "tschema.save_json"));
  auto load = [](const ffi::String& text) { return LoadJSON({text.data(), text.size()}); };
  SetGlobalFunction("tschema.load_json", ffi::Function::FromTyped(load, "tschema.load_json"));
}

}  // namespace tschema
