/*!
 * \file cycle.h
 * \brief Finds objects that are below themselves, at no cost to graphs that are not deep.
 *
 * An engine that never comes to the end of a cycle fills its stack of open objects.  Each time that
 * stack is full it is searched, which is linear in its size and so adds a constant to the cost of a
 * push.
 */
#ifndef TSCHEMA_SRC_SUPPORT_CYCLE_H_
#define TSCHEMA_SRC_SUPPORT_CYCLE_H_

#include <tschema/pointer_map.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/object.h>

#include <cstddef>

#include "./stack.h"

namespace tschema {

/*! \throws ValueError if an object stands twice on a stack. */
[[gnu::noinline]] inline void SearchCycle(const Stack<const tvm::ffi::Object*>& open,
                                          const char* action) {
  struct Nothing {};
  PointerMap<Nothing> seen;
  for (size_t index = 0; index < open.size(); ++index) {
    if (seen.Insert(open[index], {}).second) continue;
    TVM_FFI_THROW(ValueError) << "cannot " << action << " a cycle: an object of type `"
                              << open[index]->GetTypeKey() << "` is below itself";
  }
}

/*!
 * \brief Push an object that may not be its own descendant.
 * \param action What cannot be done with a cycle: "hash".
 * \throws ValueError if the objects on the stack, each below the one before, form a cycle.
 */
inline void PushOpen(const tvm::ffi::Object* object, const char* action,
                     Stack<const tvm::ffi::Object*>* open) {
  if (__builtin_expect(open->IsFull(), 0)) SearchCycle(*open, action);
  open->Push(object);
}

}  // namespace tschema

#endif  // TSCHEMA_SRC_SUPPORT_CYCLE_H_
