/*!
 * \file tschema/post_init.h
 * \brief How a generated constructor ends when its class has a `PostInit`.
 */
#ifndef TSCHEMA_POST_INIT_H_
#define TSCHEMA_POST_INIT_H_

#include <tvm/ffi/object.h>

namespace tschema {

/*!
 * \brief Run a node's own checks on an object that is being constructed.
 *
 * The allocator sets the type index only after the constructor; it is set here before, so that a
 * `PostInit` of an abstract parent can name the node it checks.
 */
template <typename Node>
void PostInit(Node* node) {
  ::tvm::ffi::detail::ObjectUnsafe::GetHeader(node)->type_index = Node::RuntimeTypeIndex();
  node->PostInit();
}

}  // namespace tschema

#endif  // TSCHEMA_POST_INIT_H_
