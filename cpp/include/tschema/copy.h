/*!
 * \file tschema/copy.h
 * \brief Shallow and deep copies of objects.
 */
#ifndef TSCHEMA_COPY_H_
#define TSCHEMA_COPY_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/cast.h>
#include <tvm/ffi/object.h>

#include <type_traits>
#include <utility>

namespace tschema {

namespace ffi = ::tvm::ffi;

namespace detail {

ffi::Any RunDeepCopy(ffi::AnyView value);

}  // namespace detail

/*!
 * \brief Make a shallow copy: a new object with the same fields.
 * \param object A node or a container.
 * \return The only reference, so that the caller may write to it.
 * \throws TypeError if objects of the type cannot be copied.
 */
ffi::ObjectPtr<ffi::Object> ShallowCopy(const ffi::Object* object);

/*!
 * \brief Make a deep copy of a value, including fields that equality ignores.
 *
 * The copy has the same sharing and cycles. Strings, bytes, shapes and registered enum values are
 * immutable and not copied, and neither are tensors. Objects of other libraries are copied by the
 * function that they registered, unless equality of their type is identity.
 *
 * \param value A reference or any value.
 * \throws TypeError if an object in it cannot be copied, such as a function; ValueError if a map is
 * reachable from its own key.
 */
template <typename T>
T DeepCopy(const T& value) {
  ffi::Any copy = detail::RunDeepCopy(value);
  if constexpr (std::is_same_v<T, ffi::Any>) {
    return copy;
  } else {
    return std::move(copy).template cast<T>();
  }
}

}  // namespace tschema

#endif  // TSCHEMA_COPY_H_
