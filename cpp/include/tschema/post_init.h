/*!
 * \file tschema/post_init.h
 * \brief The end of generated constructors of classes with a `PostInit`.
 */
#ifndef TSCHEMA_POST_INIT_H_
#define TSCHEMA_POST_INIT_H_

#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/object.h>

namespace tschema {

/*!
 * \brief Run a node's `PostInit` on an object under construction.
 *
 * The allocator sets the type index only after the constructor; it is set here earlier, so that a
 * `PostInit` of an abstract parent can name the node in messages.
 */
template <typename Node>
void PostInit(Node* node) {
  ::tvm::ffi::detail::ObjectUnsafe::GetHeader(node)->type_index = Node::RuntimeTypeIndex();
  node->PostInit();
}

}  // namespace tschema

#endif  // TSCHEMA_POST_INIT_H_
