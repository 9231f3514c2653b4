/*!
 * \file load_error.cc
 * \brief Errors of the readers, and their places.
 */
#include "./load_error.h"

namespace tschema {

void FailValue(const std::string& message) { throw ffi::Error("ValueError", message, ""); }

void FailType(const std::string& message) { throw ffi::Error("TypeError", message, ""); }

void FailUnknownField(std::string_view name) {
  FailValue("the type has no field `" + std::string(name) +
            "`; files with it load where the declaration has `renamed_from` or `removed_fields`");
}

ffi::Error AtPlace(const ffi::Error& error, const LoadPlace& place) {
  std::string text = error.message() + " (byte " + std::to_string(place.offset);
  if (place.index >= 0) text += std::string(", ") + place.unit + " " + std::to_string(place.index);
  if (place.type != nullptr) {
    text += (place.index >= 0 ? " of type `" : ", type `") + std::string(place.type->key) + "`";
  }
  if (place.field != nullptr) text += ", field `" + std::string(place.field->name) + "`";
  return ffi::Error(error.kind(), text + ")", error.backtrace(), error.cause_chain(),
                    error.extra_context());
}

}  // namespace tschema
