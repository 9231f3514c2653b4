/*!
 * \file uir/transform/node_copy.h
 * \brief Copies of nodes that their maker may write, and references of a known type.
 */
#ifndef UIR_TRANSFORM_NODE_COPY_H_
#define UIR_TRANSFORM_NODE_COPY_H_

#include <tschema/copy.h>
#include <tschema/functor.h>
#include <tvm/ffi/cast.h>

#include <utility>

namespace uir::transform {

/*! \brief The same reference as one of another type. \pre The object is of that type. */
template <typename Ref>
Ref As(tvm::ffi::ObjectRef reference) {
  return tschema::detail::MoveAs<Ref>(std::move(reference));
}

/*! \brief A copy of a node, which shares all fields. */
template <typename Ref>
Ref CopyOf(const typename Ref::ContainerType* node) {
  return As<Ref>(tvm::ffi::ObjectRef(tschema::ShallowCopy(node)));
}

/*! \brief The node of a copy, to be written before anyone else sees it. */
template <typename Ref>
typename Ref::ContainerType* Write(const Ref& copy) {
  return const_cast<typename Ref::ContainerType*>(copy.get());
}

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_NODE_COPY_H_
