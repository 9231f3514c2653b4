/*!
 * \file intrinsics.h
 * \brief The operators of `tir` that are one operator or one function in C, as data.
 */
#ifndef UIR_TARGET_INTRINSICS_H_
#define UIR_TARGET_INTRINSICS_H_

#include <string_view>

#include "./c_expr.h"

namespace uir::target {

/*! \brief The form of an intrinsic in C. */
enum class IntrinsicKind {
  /*! \brief A binary operator. */
  kInfix,
  /*! \brief A function of `<math.h>`, whose name ends with `f` for `float`. */
  kLibrary,
  /*! \brief A macro of `<math.h>` with a boolean result. */
  kPredicate,
  /*! \brief A family of helper functions of floating-point numbers. */
  kFloatHelper,
  /*! \brief A family of helper functions of integers. */
  kIntHelper,
};

/*! \brief An intrinsic, and its equivalent in C. */
struct Intrinsic {
  /*! \brief The name of the operator without `tir.`. */
  const char* name;
  IntrinsicKind kind;
  /*! \brief The operator, the function without its ending, or the key of the helper. */
  const char* in_c;
  /*! \brief The binding of an operator. */
  Binding binding = Binding::kPrimary;
};

/*! \brief The row of an intrinsic for floats or for integers, or null. */
const Intrinsic* FindIntrinsic(std::string_view name, bool is_float);

/*! \brief Whether a name is that of a function of `<math.h>` that emitted code may call. */
bool IsLibraryFunction(std::string_view name);

}  // namespace uir::target

#endif  // UIR_TARGET_INTRINSICS_H_
