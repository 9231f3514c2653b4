/*!
 * \file traversal_hooks.h
 * \brief Makes tvm-ffi's own walk and map run over this library's tables.
 */
#ifndef TSCHEMA_SRC_TRAVERSAL_TRAVERSAL_HOOKS_H_
#define TSCHEMA_SRC_TRAVERSAL_TRAVERSAL_HOOKS_H_

#include <tvm/ffi/c_api.h>

#include <cstdint>

namespace tschema {

/*!
 * \brief Register `__s_visit__`, `__s_mutate__` and `__s_maybe_inplace_mutate__` of a type.
 *
 * One native function serves all types.  If a type has a `PostInit`, mutation runs it on changed
 * objects, which tvm-ffi's reflected mutation does not.
 *
 * \param type_index A concrete type.
 * \param kind How its objects are compared.
 * \param has_post_init Whether the type has a `PostInit`.  Such objects are not written in place,
 *        because they would not notice later changes below them and keep stale derived fields.
 */
void RegisterTraversalHooks(int32_t type_index, TVMFFISEqHashKind kind, bool has_post_init);

}  // namespace tschema

#endif  // TSCHEMA_SRC_TRAVERSAL_TRAVERSAL_HOOKS_H_
