/*!
 * \file callback.h
 * \brief Calls of functions that users gave a part of a search, with the part named in errors.
 */
#ifndef UIR_TUNING_CALLBACK_H_
#define UIR_TUNING_CALLBACK_H_

#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>
#include <uir/ir/type_name.h>
#include <uir/tuning/adapters.h>

#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "../transform/infra/pass_error.h"

namespace uir::tuning {

namespace ffi = ::tvm::ffi;

/*! \brief A part of a search, as messages name it: `cost model` and its name. */
struct Part {
  const char* noun;
  ffi::String name;

  /*! \brief Call a function, and add the part to its errors. */
  template <typename Callable>
  auto Run(const Callable& callable) const -> decltype(callable()) {
    return transform::WithErrorsIn({noun, name, "", {}}, callable);
  }
};

/*!
 * \brief The value that a function of a user returned.
 * \param made The value.
 * \param function The name of the function.
 * \param wanted The type in words.
 * \throws TypeError if it is of another type.
 */
template <typename T>
T Returned(const ffi::Any& made, const char* function, const char* wanted) {
  if (std::optional<T> value = made.try_cast<T>()) return *std::move(value);
  TVM_FFI_THROW(TypeError) << "`" << function << "` must return " << wanted << ", got `"
                           << ir::TypeNameOf(made) << "`";
  TVM_FFI_UNREACHABLE();
}

/*! \throws ValueError if a relative time is not positive and finite. */
inline void CheckTime(double time) {
  if (std::isfinite(time) && time > 0) return;
  TVM_FFI_THROW(ValueError) << "a time must be positive and finite, got " << time;
}

/*! \brief The lines of a trace as one text, by which traces are compared. */
inline std::string TextOf(const Trace& trace) {
  std::string text;
  for (const ffi::String& line : trace) text += std::string(line) + "\n";
  return text;
}

}  // namespace uir::tuning

#endif  // UIR_TUNING_CALLBACK_H_
