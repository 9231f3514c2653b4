/*!
 * \file load_error.h
 * \brief Errors of the readers: thrown with a message, to which the place is added.
 */
#ifndef TSCHEMA_SRC_SERIALIZE_LOAD_ERROR_H_
#define TSCHEMA_SRC_SERIALIZE_LOAD_ERROR_H_

#include <tschema/type_info.h>
#include <tvm/ffi/error.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tschema {

/*! \brief Throw a ValueError; the reader adds the place. */
[[noreturn]] void FailValue(const std::string& message);

/*! \brief Throw a TypeError; the reader adds the place. */
[[noreturn]] void FailType(const std::string& message);

/*! \brief Throw a ValueError for a field that the type of an object does not have. */
[[noreturn]] void FailUnknownField(std::string_view name);

/*! \brief The position of a reader. */
struct LoadPlace {
  /*! \brief Bytes from the start of the input. */
  size_t offset = 0;
  /*! \brief `node` of a JSON graph, `value` of a binary one. */
  const char* unit = "node";
  /*! \brief The node or value that is being read, counted from 0, or -1. */
  int64_t index = -1;
  /*! \brief The type of its object, or null. */
  const TypeInfo* type = nullptr;
  /*! \brief The field that is being read, or null. */
  const FieldInfo* field = nullptr;
};

/*! \brief The same error, with the place added to its message. */
ffi::Error AtPlace(const ffi::Error& error, const LoadPlace& place);

}  // namespace tschema

#endif  // TSCHEMA_SRC_SERIALIZE_LOAD_ERROR_H_
