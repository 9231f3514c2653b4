/*!
 * \file json.cc
 * \brief Loads JSON, with errors that say where; `json_writer.cc` saves it.
 */
#include <tschema/json.h>
#include <tvm/ffi/error.h>

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

}  // namespace tschema
