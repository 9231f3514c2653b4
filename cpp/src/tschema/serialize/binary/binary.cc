/*!
 * \file binary.cc
 * \brief Loads the binary form, with places in errors, and the global functions;
 * `binary_writer.cc` saves.
 */
#include <tschema/binary.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include "../../support/global_function.h"
#include "./binary_reader.h"

namespace tschema {

ffi::Any LoadBinary(std::string_view data) {
  BinaryReader reader(data);
  try {
    return reader.Read();
  } catch (const ffi::Error& error) {
    throw AtPlace(error, reader.place());
  }
}

TVM_FFI_STATIC_INIT_BLOCK() {
  SetGlobalFunction("tschema.save_binary",
                    ffi::Function::FromTyped(SaveBinary, "tschema.save_binary"));
  auto load = [](const ffi::Bytes& data) { return LoadBinary({data.data(), data.size()}); };
  SetGlobalFunction("tschema.load_binary", ffi::Function::FromTyped(load, "tschema.load_binary"));
}

}  // namespace tschema
