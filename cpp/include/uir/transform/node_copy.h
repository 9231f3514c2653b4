/*!
 * \file uir/transform/node_copy.h
 * \brief Mutable copies of nodes, and casts of references.
 */
#ifndef UIR_TRANSFORM_NODE_COPY_H_
#define UIR_TRANSFORM_NODE_COPY_H_

#include <tschema/copy.h>
#include <tschema/functor.h>
#include <tvm/ffi/cast.h>

#include <utility>

namespace uir::transform {

/*! \brief Cast a reference. \pre The object is of that type. */
template <typename Ref>
Ref As(tvm::ffi::ObjectRef reference) {
  return tschema::detail::MoveAs<Ref>(std::move(reference));
}

/*! \brief Make a shallow copy of a node. */
template <typename Ref>
Ref CopyOf(const typename Ref::ContainerType* node) {
  return As<Ref>(tvm::ffi::ObjectRef(tschema::ShallowCopy(node)));
}

/*! \brief The node of a fresh copy, for writing. */
template <typename Ref>
typename Ref::ContainerType* Write(const Ref& copy) {
  return const_cast<typename Ref::ContainerType*>(copy.get());
}

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_NODE_COPY_H_
