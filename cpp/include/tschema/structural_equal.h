/*!
 * \file tschema/structural_equal.h
 * \brief Structural equality of values, and where the first difference is.
 */
#ifndef TSCHEMA_STRUCTURAL_EQUAL_H_
#define TSCHEMA_STRUCTURAL_EQUAL_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/reflection/access_path.h>
#include <tvm/ffi/string.h>

#include <optional>

namespace tschema {

namespace ffi = ::tvm::ffi;

/*!
 * \brief Return whether two values are structurally equal.
 *
 * Variables are equal when they are bound at the same places (alpha-equivalence); the answer is
 * that of `tvm_ffi.structural_equal`.  Any depth is fine, and shared parts are compared once.
 *
 * \param lhs A value of any type.
 * \param rhs The value to compare with.
 * \param map_free_vars Whether variables that neither side binds are paired as they come; else
 *        each is equal to itself alone.
 * \return Whether they are equal.
 * \throws TypeError for an object of a type without structural behaviour.
 * \throws ValueError for tensors that cannot be read: on a device, not contiguous.
 */
bool StructuralEqual(ffi::AnyView lhs, ffi::AnyView rhs, bool map_free_vars = false);

/*! \brief Where two values differ. */
struct Mismatch {
  /*! \brief The way into the left value, from the root: fields, elements, keys. */
  ffi::Array<ffi::reflection::AccessStep> lhs;
  /*! \brief The way into the right value; another one where keys differ or something is missing. */
  ffi::Array<ffi::reflection::AccessStep> rhs;
  /*! \brief Both in words: `<root>.body.value: 1 != 2`; long paths without their middle. */
  ffi::String text;

  /*!
   * \brief The two ways as tvm-ffi's `GetFirstMismatch` gives them.
   * \note Destroying such a path recurses: beyond some 10,000 steps use the arrays.
   */
  ffi::reflection::AccessPathPair Paths() const;
};

/*!
 * \brief Find the first difference, in the order of the fields.
 * \return None if the values are equal.
 * \throws as `StructuralEqual`.
 */
std::optional<Mismatch> FirstMismatch(ffi::AnyView lhs, ffi::AnyView rhs,
                                      bool map_free_vars = false);

}  // namespace tschema

#endif  // TSCHEMA_STRUCTURAL_EQUAL_H_
