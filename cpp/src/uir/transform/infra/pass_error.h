/*!
 * \file pass_error.h
 * \brief Errors that say in which pass they came up, and where in the script.
 */
#ifndef UIR_TRANSFORM_INFRA_PASS_ERROR_H_
#define UIR_TRANSFORM_INFRA_PASS_ERROR_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/string.h>
#include <uir/ir/type_name.h>

#include <exception>
#include <new>
#include <optional>
#include <utility>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief The kind of an error raised in Python already, such as by Ctrl-C: nothing may be added.
 */
inline constexpr const char* kRaisedElsewhere = "EnvErrorAlreadySet";

/*! \brief Where an error came up. */
struct ErrorPlace {
  /*! \brief What it is: `pass`, `instrument`. */
  const char* noun;
  ffi::String name;
  /*! \brief The function that a pass was at; empty if it was at the module. */
  ffi::String function;
  /*! \brief What to print around the node at fault: a function or a module; null for nothing. */
  ffi::ObjectRef root;
};

/*!
 * \brief Throw an error again, with the place in its message.
 *
 * Its kind, its backtrace and what it carries are kept; the script follows the message.
 */
[[noreturn]] void RethrowIn(const ErrorPlace& place, const ffi::Error& error);

/*! \brief Throw what is being caught again, as an error with the place in its message. */
[[noreturn]] void RethrowCurrentIn(const ErrorPlace& place);

/*! \brief Call something; its errors name a place. */
template <typename Callable>
auto WithErrorsIn(const ErrorPlace& place, const Callable& callable) -> decltype(callable()) {
  try {
    return callable();
  } catch (...) {
    RethrowCurrentIn(place);
  }
}

/*!
 * \brief Return what a pass made, as a reference of the type that it must make.
 * \param what What makes it, in messages.
 * \throws TypeError if it is of another type.
 */
template <typename Ref>
Ref CheckedResult(const ffi::Any& result, const char* what) {
  if (std::optional<Ref> made = result.as<Ref>()) return *std::move(made);
  TVM_FFI_THROW(TypeError) << what << " must return a `" << Ref::ContainerType::_type_key
                           << "`, got `" << ir::TypeNameOf(result) << "`";
  TVM_FFI_UNREACHABLE();
}

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_INFRA_PASS_ERROR_H_
