/*!
 * \file from_json_hook.h
 * \brief Types whose fields hold tensors, which tvm-ffi's own reader of JSON cannot make.
 */
#ifndef TSCHEMA_SRC_REGISTRATION_FROM_JSON_HOOK_H_
#define TSCHEMA_SRC_REGISTRATION_FROM_JSON_HOOK_H_

#include <cstdint>

namespace tschema {

/*!
 * \brief Have tvm-ffi's reader refuse a type by name if its fields hold tensors.
 *
 * That reader cannot make tensors, and before 0.1.15 it crashes when it tries.  (tvm-ffi's writer
 * refuses tensors by itself.)
 *
 * \param type_index A concrete type, whose fields are registered.
 */
void RegisterFromJsonHook(int32_t type_index);

}  // namespace tschema

#endif  // TSCHEMA_SRC_REGISTRATION_FROM_JSON_HOOK_H_
