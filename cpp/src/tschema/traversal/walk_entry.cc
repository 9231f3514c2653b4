/*!
 * \file walk_entry.cc
 * \brief The walk as a C function, for languages that call one: no object is boxed.
 */
#include <tschema/walk.h>
#include <tvm/ffi/function.h>

#include "../support/global_function.h"

namespace tschema {
namespace {

/*!
 * \brief A C callback, which the engine calls directly: one call for each object.
 *
 * It returns a `WalkAction` as a byte, and does not throw.  An object is its `TVMFFIObject`.
 */
using Callback = decltype(detail::WalkCallback::call);

/*!
 * \brief Walk a value, each object once.
 * \return 1 if the walk completed, else 0.
 */
extern "C" int32_t TSchemaWalk(const TVMFFIAny* root, int32_t order, Callback callback,
                               void* context) {
  return detail::RunWalk(ffi::AnyView::CopyFromTVMFFIAny(*root), {callback, context, {}},
                         static_cast<WalkOrder>(order));
}

TVM_FFI_STATIC_INIT_BLOCK() {
  SetGlobalFunction("tschema.walk_entry",
                    ffi::Function::FromTyped([] { return reinterpret_cast<void*>(&TSchemaWalk); }));
}

}  // namespace
}  // namespace tschema
