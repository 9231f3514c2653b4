/*!
 * \file tschema/opaque.h
 * \brief Classes of other libraries whose layout no schema knows: their fields are read by name.
 *
 * In: an object and the name of a field. Out: its value, as the C++ type in the schema.
 * Generated classes of such types have no members, and their objects are never made here.
 */
#ifndef TSCHEMA_OPAQUE_H_
#define TSCHEMA_OPAQUE_H_

#include <tschema/convert.h>
#include <tschema/type_key.h>
#include <tschema/value_check.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/object.h>

#include <atomic>
#include <cstdint>
#include <limits>

namespace tschema {

namespace detail {

/*! \brief An index that no object has: that of a type whose library is not loaded. */
inline constexpr int32_t kNoTypeIndex = std::numeric_limits<int32_t>::max();

/*! \brief Return the index of a type that another library registers, or `kNoTypeIndex`. */
template <typename Node>
int32_t OpaqueTypeIndex() {
  static std::atomic<int32_t> known{kNoTypeIndex};
  int32_t index = known.load(std::memory_order_relaxed);
  if (index == kNoTypeIndex) {
    index = FindTypeIndex(Node::_type_key).value_or(kNoTypeIndex);
    known.store(index, std::memory_order_relaxed);
  }
  return index;
}

/*! \brief The number of a type's ancestors, as its library registers it: a schema may lack some. */
template <typename Node>
struct OpaqueTypeDepth {
  operator int32_t() const {
    const int32_t index = OpaqueTypeIndex<Node>();
    return index == kNoTypeIndex ? 0 : TVMFFIGetTypeInfo(index)->type_depth;
  }
};

/*!
 * \brief Read a field through the getter that is registered for it.
 * \throws TypeError if the object's type has no such field.
 */
ffi::Any ReadOpaqueField(const ffi::Object* object, const Slot& slot);

}  // namespace detail

/*!
 * \brief Read a field of an opaque class.
 * \param node The object; not null.
 * \param name The name under which the field is registered.
 * \param type The type of the field, as the schema spells it, for messages.
 * \tparam T The type of the field.
 * \throws TypeError if there is no such field, or its value is of another type.
 * \throws ValueError if its value is an integer that does not fit, or not a member of the enum.
 */
template <typename T, typename Node>
T ReadField(const Node* node, const char* name, const char* type) {
  const Slot slot{Node::_type_key, name, type};
  return Convert<T>(detail::ReadOpaqueField(node, slot), slot);
}

}  // namespace tschema

/*!
 * \brief Declare the type information of an opaque class, whose library registers it.
 *
 * \param TypeKey The type key.
 * \param TypeName The name of the class.
 */
#define TSCHEMA_DECLARE_OPAQUE_INFO(TypeKey, TypeName)                                         \
  static constexpr const char* _type_key = TypeKey;                                            \
  static constexpr ::tschema::detail::OpaqueTypeDepth<TypeName> _type_depth{};                 \
  static constexpr uint32_t _type_child_slots = 0;                                             \
  static constexpr bool _type_child_slots_can_overflow = true;                                 \
  static constexpr bool _type_final = false;                                                   \
  static constexpr bool _type_mutable = false;                                                 \
  static int32_t RuntimeTypeIndex() { return ::tschema::detail::OpaqueTypeIndex<TypeName>(); } \
  static int32_t _GetOrAllocRuntimeTypeIndex() { return RuntimeTypeIndex(); }                  \
  TypeName() = delete

#endif  // TSCHEMA_OPAQUE_H_
