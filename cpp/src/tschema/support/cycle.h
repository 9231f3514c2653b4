/*!
 * \file cycle.h
 * \brief Finds objects that are below themselves, at no cost to graphs that are not deep.
 *
 * An engine that never comes to the end of a cycle fills its stack.  Each time a stack is full it
 * is searched, which is linear in its size and so adds a constant to the cost of a push.
 */
#ifndef TSCHEMA_SRC_SUPPORT_CYCLE_H_
#define TSCHEMA_SRC_SUPPORT_CYCLE_H_

#include <tvm/ffi/error.h>
#include <tvm/ffi/object.h>

#include <cstddef>

#include "./pointer_map.h"
#include "./stack.h"

namespace tschema {

/*!
 * \brief Refuse a cycle before a frame is pushed.
 * \param frames Objects, each below the one before.
 * \param shared_object The object of a frame if it has several owners and may not be its own
 *        descendant, else null.
 * \param action What cannot be done with a cycle: "hash".
 * \throws ValueError if an object stands in two frames.
 */
template <typename Frame, typename SharedObject>
[[gnu::noinline]] void SearchCycle(const Stack<Frame>& frames, SharedObject shared_object,
                                   const char* action) {
  struct Nothing {};
  PointerMap<Nothing> seen;
  for (size_t index = 0; index < frames.size(); ++index) {
    const tvm::ffi::Object* object = shared_object(frames[index]);
    if (object == nullptr || seen.Insert(object, {}).second) continue;
    TVM_FFI_THROW(ValueError) << "cannot " << action << " a cycle: an object of type `"
                              << object->GetTypeKey() << "` is below itself";
  }
}

template <typename Frame, typename SharedObject>
inline void RefuseCycle(const Stack<Frame>& frames, SharedObject shared_object,
                        const char* action) {
  if (__builtin_expect(frames.IsFull(), 0)) SearchCycle(frames, shared_object, action);
}

}  // namespace tschema

#endif  // TSCHEMA_SRC_SUPPORT_CYCLE_H_
