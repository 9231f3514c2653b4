/*!
 * \file tschema/interned.h
 * \brief Interned types, with one object for each name, such as operators.
 *
 * \code
 *   TVM_FFI_STATIC_INIT_BLOCK() {
 *     tschema::RegisterInterned<OpNode>(
 *         [](const ffi::Object* op) { return static_cast<const OpNode*>(op)->name; },
 *         [](const ffi::String& name) -> ffi::ObjectRef { return get_op(name); });
 *   }
 * \endcode
 *
 * The JSON form (also of tvm-ffi's reader and writer), the binary form and pickles store the name,
 * and loading looks it up. Deep copies share the object.
 */
#ifndef TSCHEMA_INTERNED_H_
#define TSCHEMA_INTERNED_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/string.h>

#include <cstdint>

namespace tschema {

namespace ffi = ::tvm::ffi;

/*! \brief The name of an object of the type. */
using InternedName = ffi::String (*)(const ffi::Object* object);

/*! \brief The object of that name; throws if there is none, and the loader adds the position. */
using InternedFind = ffi::ObjectRef (*)(const ffi::String& name);

namespace detail {

void RegisterInterned(int32_t type_index, InternedName name_of, InternedFind find);

}  // namespace detail

/*!
 * \brief Register a type as interned.
 * \tparam Node The type, with `structural = "unique"`; subtypes are not included.
 * \param name_of Returns the name of an object.
 * \param find Returns the object with a name.
 * \note Call it before the first object is saved, loaded or copied: in a static initializer.
 */
template <typename Node>
void RegisterInterned(InternedName name_of, InternedFind find) {
  static_assert(Node::_type_s_eq_hash_kind == kTVMFFISEqHashKindUniqueInstance);
  // A static initializer may run before the one that sets `Node::_type_index`.
  detail::RegisterInterned(Node::_GetOrAllocRuntimeTypeIndex(), name_of, find);
}

}  // namespace tschema

#endif  // TSCHEMA_INTERNED_H_
