/*!
 * \file tschema/copy.h
 * \brief Copies of objects: of one, or of all that is below it.
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
 * \brief A new object with the same fields: what they refer to is shared.
 * \param object A node or a container.
 * \return The only reference, so that the caller may write to it.
 * \throws TypeError if objects of the type cannot be copied.
 */
ffi::ObjectPtr<ffi::Object> ShallowCopy(const ffi::Object* object);

/*!
 * \brief A copy of a value and of everything below it, fields ignored by equality included.
 *
 * Objects that are held in several places, and cycles, are in the copy what they are in the
 * value.  Strings, bytes, shapes and registered enum values are not copied, having no state.
 *
 * \param value A reference or any value.
 * \throws TypeError if an object below it cannot be copied, such as a function or a tensor;
 *         ValueError if a map's key leads back to the map.
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
