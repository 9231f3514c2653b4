/*!
 * \file opaque.cc
 * \brief Fields of classes of other libraries, read through the registry.
 */
#include <tschema/opaque.h>
#include <tschema/type_info.h>
#include <tvm/ffi/error.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace tschema {
namespace detail {

ffi::Any ReadOpaqueField(const ffi::Object* object, const Slot& slot) {
  const std::vector<FieldInfo>& fields = TypeInfoOf(object).fields;
  // A class may register a field that an ancestor has too: the ancestors' fields come first.
  const auto field = std::find_if(fields.rbegin(), fields.rend(),
                                  [&](const FieldInfo& one) { return one.name == slot.name; });
  if (field == fields.rend()) {
    TVM_FFI_THROW(TypeError) << "`" << std::string_view(slot.owner) << "` registers no field `"
                             << std::string_view(slot.name) << "`, which the schema has";
  }
  return field->Read(object);
}

}  // namespace detail
}  // namespace tschema
