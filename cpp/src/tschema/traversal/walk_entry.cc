/*!
 * \file walk_entry.cc
 * \brief The walk as a C function, for languages that call one: no object is boxed.
 */
#include <tschema/walk.h>
#include <tvm/ffi/function.h>

#include "../support/global_function.h"

namespace tschema {
namespace {

/*! \brief A callback of C; it returns a `WalkAction` and does not throw. */
using Callback = int32_t (*)(void* context, const TVMFFIObject* object);

struct Caller {
  Callback callback;
  void* context;

  static WalkAction Call(void* self, const ffi::Object* object) {
    auto* caller = static_cast<Caller*>(self);
    auto* header = reinterpret_cast<const TVMFFIObject*>(object);
    return static_cast<WalkAction>(caller->callback(caller->context, header));
  }
};

/*!
 * \brief Walk a value, each object once.
 * \return 1 if the walk came to its end, else 0.
 */
extern "C" int32_t TSchemaWalk(const TVMFFIAny* root, int32_t order, Callback callback,
                               void* context) {
  Caller caller = {callback, context};
  return detail::RunWalk(ffi::AnyView::CopyFromTVMFFIAny(*root), {&Caller::Call, &caller, {}},
                         static_cast<WalkOrder>(order));
}

TVM_FFI_STATIC_INIT_BLOCK() {
  SetGlobalFunction("tschema.walk_entry",
                    ffi::Function::FromTyped([] { return reinterpret_cast<void*>(&TSchemaWalk); }));
}

}  // namespace
}  // namespace tschema
