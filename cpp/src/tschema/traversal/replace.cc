/*!
 * \file replace.cc
 * \brief Copies of nodes with changes, for languages whose functors make them.
 */
#include <tschema/copy.h>
#include <tschema/type_info.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>

#include <utility>

#include "../support/global_function.h"

namespace tschema {
namespace {

/*! \brief The type information of a node. */
const TypeInfo& InfoOfNode(const ffi::Object* node) {
  if (node->type_index() < kTVMFFIDynObjectBegin) {
    TVM_FFI_THROW(TypeError) << "a `" << node->GetTypeKey() << "` is not a node";
  }
  return TypeInfoOf(node);
}

void WriteField(const TypeInfo& info, ffi::Object* node, const ffi::String& name,
                ffi::AnyView value) {
  const FieldInfo* field = info.Find({name.data(), name.size()});
  if (field == nullptr) {
    TVM_FFI_THROW(AttributeError) << "`" << info.key << "` has no field `" << name << "`";
  }
  field->Write(node, value);
}

void RunPostInit(const TypeInfo& info, ffi::Object* node) {
  if (info.hooks.post_init != nullptr) info.hooks.post_init(node);
}

/*! \brief A copy with other values in some fields, on which `PostInit` has run. */
void ReplacePacked(ffi::PackedArgs args, ffi::Any* result) {
  if (args.size() % 2 == 0) {
    TVM_FFI_THROW(TypeError) << "expected a node, then names of fields and values in turn";
  }
  auto node = args[0].cast<ffi::ObjectRef>();
  const TypeInfo& info = InfoOfNode(node.get());
  ffi::ObjectPtr<ffi::Object> copy = ShallowCopy(node.get());
  for (int32_t index = 1; index < args.size(); index += 2) {
    WriteField(info, copy.get(), args[index].cast<ffi::String>(), args[index + 1]);
  }
  RunPostInit(info, copy.get());
  *result = ffi::ObjectRef(std::move(copy));
}

/*! \brief A copy with one reference, which the caller may still write. */
ffi::ObjectRef CopyNode(const ffi::ObjectRef& object) {
  return ffi::ObjectRef(ShallowCopy(object.get()));
}

/*! \brief Run `PostInit` on a new node with one reference. */
void FinishNode(const ffi::ObjectRef& node) {
  RunPostInit(InfoOfNode(node.get()), const_cast<ffi::Object*>(node.get()));
}

TVM_FFI_STATIC_INIT_BLOCK() {
  SetGlobalFunction("tschema.replace", ffi::Function::FromPacked(&ReplacePacked));
  SetGlobalFunction("tschema.shallow_copy", ffi::Function::FromTyped(&CopyNode));
  SetGlobalFunction("tschema.post_init", ffi::Function::FromTyped(&FinishNode));
}

}  // namespace
}  // namespace tschema
