/*!
 * \file cycle.h
 * \brief Finds objects that are below themselves, at no cost to graphs that are not deep.
 *
 * An engine in a cycle fills its stack of open objects.  Each time the stack is full, it is
 * searched.  The search is linear in the size of the stack, so its amortized cost per push is
 * constant.
 */
#ifndef TSCHEMA_SRC_SUPPORT_CYCLE_H_
#define TSCHEMA_SRC_SUPPORT_CYCLE_H_

#include <tschema/pointer_map.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/object.h>

#include <cstddef>

#include "./stack.h"

namespace tschema {

/*! \throws ValueError if an object is on a stack twice. */
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
 * \param action The action that a cycle prevents: "hash".
 * \throws ValueError if the objects on the stack, each below the previous one, form a cycle.
 */
inline void PushOpen(const tvm::ffi::Object* object, const char* action,
                     Stack<const tvm::ffi::Object*>* open) {
  if (__builtin_expect(open->IsFull(), 0)) SearchCycle(*open, action);
  open->Push(object);
}

}  // namespace tschema

#endif  // TSCHEMA_SRC_SUPPORT_CYCLE_H_
