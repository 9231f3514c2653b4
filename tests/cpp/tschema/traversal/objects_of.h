/*!
 * \file objects_of.h
 * \brief The objects of a graph, to tell what was copied from what is shared.
 */
#ifndef TSCHEMA_TESTS_TRAVERSAL_OBJECTS_OF_H_
#define TSCHEMA_TESTS_TRAVERSAL_OBJECTS_OF_H_

#include <tschema/walk.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/object.h>

#include <set>

/*! \brief Every object that a walk from `root` meets. */
inline std::set<const ::tvm::ffi::Object*> ObjectsOf(::tvm::ffi::AnyView root) {
  std::set<const ::tvm::ffi::Object*> objects;
  tschema::Walk(root, [&](const ::tvm::ffi::Object* object) { objects.insert(object); });
  return objects;
}

#endif  // TSCHEMA_TESTS_TRAVERSAL_OBJECTS_OF_H_
