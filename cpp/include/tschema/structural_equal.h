/*!
 * \file tschema/structural_equal.h
 * \brief Structural equality of values, and the first mismatch.
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
 * Bound variables are equal if they have the same binding (alpha-equivalence). The result is that
 * of `tvm_ffi.structural_equal`. The depth is not limited, and shared parts are compared once.
 *
 * \param lhs A value of any type.
 * \param rhs The value to compare with.
 * \param map_free_vars Whether free variables are paired in the order of their occurrence;
 * otherwise each is equal only to itself.
 * \return Whether they are equal.
 * \throws TypeError for an object of a type without structural behaviour.
 * \throws ValueError for tensors that cannot be read: on a device, not contiguous.
 */
bool StructuralEqual(ffi::AnyView lhs, ffi::AnyView rhs, bool map_free_vars = false);

/*! \brief The first mismatch of two values. */
struct Mismatch {
  /*! \brief The access path in the left value, from the root: fields, elements, keys. */
  ffi::Array<ffi::reflection::AccessStep> lhs;
  /*! \brief The access path in the right value; it differs if keys differ or a part is missing. */
  ffi::Array<ffi::reflection::AccessStep> rhs;
  /*! \brief Both as text: `<root>.body.value: 1 != 2`; the middle of long paths is elided. */
  ffi::String text;

  /*!
   * \brief Both paths in the form of tvm-ffi's `GetFirstMismatch`.
   * \note Destroying such a path recurses: beyond about 10,000 steps use the arrays.
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
