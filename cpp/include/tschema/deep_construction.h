/*!
 * \file tschema/deep_construction.h
 * \brief Constructors of classes with many ancestors, each of which sets its own members only.
 *
 * A call that hands each inherited member on would cost a C++ compiler the square of the depth.
 */
#ifndef TSCHEMA_DEEP_CONSTRUCTION_H_
#define TSCHEMA_DEEP_CONSTRUCTION_H_

#include <tschema/callable.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>

#include <utility>

namespace tschema {

/*! \brief Make an empty `Node`, and have a function set every member from the arguments. */
template <typename Node, void (*kSetMembers)(Node* node, const Arguments& arguments)>
ffi::Any SetMembers(const Arguments& arguments) {
  ffi::ObjectPtr<Node> node = ffi::make_object<Node>(ffi::UnsafeInit{});
  kSetMembers(node.get(), arguments);
  return ffi::Any(ffi::ObjectRef(std::move(node)));
}

}  // namespace tschema

#endif  // TSCHEMA_DEEP_CONSTRUCTION_H_
