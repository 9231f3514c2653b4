// The fields of a type in script.
#include "./type_fields.h"

#include <tschema/callable.h>
#include <tschema/tvm_ffi_compat.h>
#include <tschema/type_key.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/function.h>
#include <uir/ir/attrs.h>
#include <uir/ir/expr.h>
#include <uir/ir/span.h>
#include <uir/tir/stmt.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace uir::script {

namespace {

using Kind = tschema::TypeExpr::Kind;

bool IsSpan(const tschema::FieldInfo& field) {
  return field.ignored && field.type->kind == Kind::kOptional &&
         field.type->arguments[0].type_index == ir::SpanNode::RuntimeTypeIndex();
}

int64_t SizeOf(const ffi::Any& value) {
  if (const auto* array = value.as<ffi::ArrayObj>()) return static_cast<int64_t>(array->size());
  if (const auto* map = value.as<ffi::MapObj>()) return static_cast<int64_t>(map->size());
  return -1;
}

void AddArgument(TypeFields* type, const tschema::FieldInfo& field,
                 const tschema::Parameter* parameter) {
  if (IsSpan(field)) return;
  TypeFields::Argument argument{&field, false, nullptr};
  if (parameter != nullptr && parameter->make_default != nullptr) {
    argument.has_default = true;
    argument.default_value = parameter->make_default();
  } else if (parameter == nullptr && field.has_default()) {
    argument.has_default = true;
    argument.default_value = field.MakeDefault();
  }
  type->arguments.push_back(std::move(argument));
}

std::unique_ptr<TypeFields> Make(int32_t type_index) {
  const tschema::TypeInfo& info = tschema::TypeInfoOf(type_index);
  auto type = std::make_unique<TypeFields>();
  type->info = &info;
  const bool has_foreign = std::any_of(
      info.fields.begin(), info.fields.end(),
      [](const tschema::FieldInfo& field) { return field.kind == tschema::FieldKind::kForeign; });
  type->is_written = info.is_concrete && !has_foreign && type_index >= kTVMFFIDynObjectBegin &&
                     info.key.find('.') != info.key.npos;
  if (!type->is_written) return type;
  if (info.constructor != nullptr) {
    for (const tschema::Parameter& parameter : info.constructor->parameters) {
      const tschema::FieldInfo* field = info.Find(parameter.name);
      if (field != nullptr) AddArgument(type.get(), *field, &parameter);
    }
  } else {
    for (const tschema::FieldInfo& field : info.fields) {
      if (!field.derived) AddArgument(type.get(), field, nullptr);
    }
  }
  type->by_fields = FormOfFields(*type);
  if (!info.script.empty()) {
    type->form = ParseDeclaredForm(*type, {info.script.data(), info.script.size()});
  }
  return type;
}

}  // namespace

bool TypeFields::Argument::IsDefault(const ffi::Any& value) const {
  if (!has_default) return false;
  // Functions and modules turn no attributes into an empty collection.
  const auto* attrs = value.as<ir::DictAttrsNode>();
  if (attrs != nullptr && default_value == nullptr) return attrs->dict.empty();
  const int64_t size = SizeOf(default_value);
  if (size >= 0) return size == 0 && SizeOf(value) == 0;
  return ffi::AnyEqual()(value, default_value);
}

const TypeFields::Argument* TypeFields::Find(std::string_view name) const {
  for (const Argument& argument : arguments) {
    if (argument.field->name == name) return &argument;
  }
  return nullptr;
}

std::vector<ffi::Any> TypeFields::Read(const ffi::Object* object) const {
  std::vector<ffi::Any> values;
  for (const Argument& argument : arguments) values.push_back(argument.field->Read(object));
  return values;
}

const TypeFields& TypeFields::Of(int32_t type_index) {
  static std::mutex mutex;
  static auto* const types = new std::unordered_map<int32_t, std::unique_ptr<TypeFields>>();
  const std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<TypeFields>& type = (*types)[type_index];
  if (type == nullptr) type = Make(type_index);
  return *type;
}

int32_t FindType(std::string_view path) {
  std::vector<std::string> names;
  ListTypes(&names);
  // Asking for the index of a key that does not exist would be slow: it makes an error.
  if (std::find(names.begin(), names.end(), path) == names.end()) return -1;
  for (const std::string& key : {"uir." + std::string(path), std::string(path)}) {
    if (const std::optional<int32_t> index = tschema::FindTypeIndex(key)) return *index;
  }
  return -1;
}

void ListTypes(std::vector<std::string>* names) {
  static const ffi::Function list = ffi::Function::GetGlobalRequired("ffi.GetRegisteredTypeKeys");
  for (const ffi::String& key : list().cast<ffi::Array<ffi::String>>()) {
    const std::string name(key);
    if (name.find('.') == name.npos) continue;
    names->push_back(name.compare(0, 4, "uir.") == 0 ? name.substr(4) : name);
  }
}

bool TakesExpr(const tschema::TypeExpr* expected) {
  if (expected == nullptr || expected->kind != Kind::kObject) return false;
  return ffi::detail::IsObjectInstance<ir::PrimExprNode>(expected->type_index);
}

const tschema::TypeExpr* ArgumentType(const tschema::TypeExpr* expected, size_t index) {
  if (expected == nullptr || expected->arguments.empty()) return nullptr;
  return &expected->arguments[std::min(index, expected->arguments.size() - 1)];
}

const tschema::TypeExpr* ElementType(const tschema::TypeExpr* expected, size_t index) {
  const bool is_tuple = expected != nullptr && expected->kind == Kind::kTuple;
  return ArgumentType(expected, is_tuple ? index : 0);
}

}  // namespace uir::script
