/*!
 * \file pass_error.h
 * \brief Errors of passes, with the name of the pass and the underlined script.
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

/*! \brief The kind of an error that Python has raised already, such as by Ctrl-C; its message
 * cannot be changed. */
inline constexpr const char* kRaisedElsewhere = "EnvErrorAlreadySet";

/*! \brief The pass or instrument that an error comes from. */
struct ErrorPlace {
  /*! \brief `pass` or `instrument`. */
  const char* noun;
  ffi::String name;
  /*! \brief The function that a pass was transforming; empty for a pass over the module. */
  ffi::String function;
  /*! \brief The function or module to print, with the node at fault underlined; may be null. */
  ffi::ObjectRef root;
};

/*!
 * \brief Throw an error again, with the place and the underlined script in its message.
 *
 * The error keeps its kind, backtrace and context.
 */
[[noreturn]] void RethrowIn(const ErrorPlace& place, const ffi::Error& error);

/*! \brief Throw the exception that is being caught as an error with the place in its message. */
[[noreturn]] void RethrowCurrentIn(const ErrorPlace& place);

/*! \brief Call a function, and add a place to its errors. */
template <typename Callable>
auto WithErrorsIn(const ErrorPlace& place, const Callable& callable) -> decltype(callable()) {
  try {
    return callable();
  } catch (...) {
    RethrowCurrentIn(place);
  }
}

/*!
 * \brief Check the type of a pass's result.
 * \param what Names the function that returned it, in messages.
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
