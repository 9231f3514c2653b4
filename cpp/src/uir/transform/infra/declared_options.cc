// Options that types declare, by reflection: those of compiled types and of types loaded from a
// schema.
#include "./declared_options.h"

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <mutex>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "./type_lookup.h"

namespace uir::transform {

namespace {

constexpr std::string_view kSuffix = "Options";

/*! \brief `UnrollLoop` of `uir.transform.UnrollLoopOptions`, `toy.Unroll` of `toy.UnrollOptions`.
 */
std::string PassNameOf(std::string_view type_key) {
  const std::string_view package = type_key.substr(0, type_key.find('.'));
  std::string_view name = type_key.substr(type_key.rfind('.') + 1);
  const bool is_suffixed =
      name.size() > kSuffix.size() && name.substr(name.size() - kSuffix.size()) == kSuffix;
  if (is_suffixed) name.remove_suffix(kSuffix.size());
  return package == "uir" ? std::string(name) : std::string(package) + '.' + std::string(name);
}

/*! \brief The type with an index if it is a registered type of options, else null. */
const tschema::TypeInfo* OptionsTypeAt(int32_t type_index) {
  const ffi::TypeInfo* type = type_index < 0 ? nullptr : TVMFFIGetTypeInfo(type_index);
  const bool is_registered = type != nullptr && type->metadata != nullptr;
  if (!is_registered || !IsBelow(type_index, PassOptionsNode::RuntimeTypeIndex())) return nullptr;
  const tschema::TypeInfo& info = tschema::TypeInfoOf(type_index);
  return info.is_concrete ? &info : nullptr;
}

}  // namespace

std::string DeclaredOption::Name() const {
  return PassNameOf(type->key) + '.' + std::string(field->name);
}

ffi::String DeclaredOption::TypeName() const {
  using Kind = tschema::TypeExpr::Kind;
  switch (field->type->kind) {
    case Kind::kBool:
      return "bool";
    case Kind::kInt:
      return "int";
    case Kind::kFloat:
      return "float";
    case Kind::kString:
      return "str";
    default:
      return field->type->text;
  }
}

ffi::Any DeclaredOption::Default() const {
  return field->has_default() ? field->MakeDefault() : ffi::Any();
}

void ForNewOptions(const std::function<void(const DeclaredOption&)>& add) {
  static std::mutex mutex;
  static auto* const seen = new std::unordered_set<int32_t>;
  static const auto keys = ffi::Function::GetGlobalRequired("ffi.GetRegisteredTypeKeys");
  const std::lock_guard<std::mutex> lock(mutex);
  for (const ffi::String& key : keys().cast<ffi::Array<ffi::String>>()) {
    const tschema::TypeInfo* type = OptionsTypeAt(TypeIndexOf(key));
    if (type == nullptr || !seen->insert(type->type_index).second) continue;
    for (const tschema::FieldInfo& field : type->fields) add({type, &field});
  }
}

PassOptions MakeOptions(const tschema::TypeInfo& type,
                        const std::function<ffi::Any(const DeclaredOption&)>& value_of) {
  const ffi::ObjectPtr<ffi::Object> made = type.Create();
  for (const tschema::FieldInfo& field : type.fields) {
    const DeclaredOption option{&type, &field};
    ffi::Any value = value_of(option);
    if (value == nullptr && !field.has_default() && !field.type->Accepts(value)) {
      TVM_FFI_THROW(ValueError) << "PassContext: option `" << option.Name()
                                << "` has no default and must be set";
    }
    field.Write(made.get(), value);
  }
  if (type.hooks.post_init != nullptr) type.hooks.post_init(made.get());
  return ffi::Any(ffi::ObjectRef(made)).cast<PassOptions>();
}

const tschema::TypeInfo& OptionsTypeOf(const ffi::String& type_key) {
  const tschema::TypeInfo* type = OptionsTypeAt(TypeIndexOf(type_key));
  if (type == nullptr) {
    TVM_FFI_THROW(TypeError) << "`" << type_key
                             << "` is not a type of options, a subclass of `PassOptions`";
  }
  return *type;
}

}  // namespace uir::transform
