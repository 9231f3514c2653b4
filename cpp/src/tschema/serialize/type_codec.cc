/*!
 * \file type_codec.cc
 * \brief Derives the encodings of types from their TypeInfo.
 */
#include "./type_codec.h"

#include <tschema/callable.h>
#include <tschema/release.h>
#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/enum.h>
#include <tvm/ffi/error.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>

#include "../reflection/attrs.h"
#include "../reflection/stored_forms.h"
#include "../support/raw_value.h"
#include "./json_text.h"
#include "./output.h"
#include "./tensor_data.h"

namespace tschema {

namespace detail {

PerType<TypeCodec> type_codecs;

}  // namespace detail

namespace {

Wire WireOf(FieldKind kind) {
  switch (kind) {
    case FieldKind::kBool:
      return Wire::kBool;
    case FieldKind::kInt8:
    case FieldKind::kInt16:
    case FieldKind::kInt32:
    case FieldKind::kInt64:
    case FieldKind::kUInt8:
    case FieldKind::kUInt16:
    case FieldKind::kUInt32:
    case FieldKind::kUInt64:
    case FieldKind::kEnum:
      return Wire::kInteger;
    case FieldKind::kFloat32:
      return Wire::kFloat32;
    case FieldKind::kFloat64:
      return Wire::kFloat64;
    case FieldKind::kDataType:
      return Wire::kDataType;
    case FieldKind::kDevice:
      return Wire::kDevice;
    case FieldKind::kString:
      return Wire::kString;
    default:
      return Wire::kValue;
  }
}

/*! \brief The type of a field that tvm-ffi writes into its object; it goes by that type too. */
int32_t InlineType(const FieldInfo& field) {
  switch (field.reflected->field_static_type_index) {
    case kTVMFFINone:
    case kTVMFFIBool:
    case kTVMFFIInt:
    case kTVMFFIFloat:
    case kTVMFFIDataType:
      return field.reflected->field_static_type_index;
    default:
      return kTVMFFIAny;
  }
}

/*! \brief The default of a constructor's argument, or null; a parent may require the argument. */
ffi::Any (*ArgumentDefault(const TypeInfo& type, std::string_view name))() {
  if (type.constructor == nullptr) return nullptr;
  for (const Parameter& parameter : type.constructor->parameters) {
    if (parameter.name == name) return parameter.make_default;
  }
  return nullptr;
}

bool HoldsEnum(const TypeExpr& type) {
  return type.kind == TypeExpr::Kind::kEnum ||
         std::any_of(type.arguments.begin(), type.arguments.end(), HoldsEnum);
}

/*! \brief Whether the known type is enough to check a value, without the setter. */
bool IsDirect(const FieldInfo& field) {
  if (field.kind == FieldKind::kForeign || HoldsEnum(*field.type)) return false;
  return field.kind == FieldKind::kAny || field.type->kind != TypeExpr::Kind::kAny;
}

SureObjects SureObjectsOf(const FieldInfo& field) {
  using Kind = TypeExpr::Kind;
  const TypeExpr* type = field.type;
  bool is_optional = type->kind == Kind::kOptional;
  if (is_optional) type = &type->arguments[0];
  if (field.kind != FieldKind::kObject || type->kind != Kind::kObject) return {};
  ffi::Any slots = GetTypeAttr(type->type_index, kChildSlotsAttr);
  int32_t num_children = slots == nullptr ? 0 : slots.cast<int32_t>();
  return {type->type_index, type->type_index + num_children, is_optional};
}

DataForm FormOf(const TypeInfo& type, const TypeCodec& codec) {
#if TSCHEMA_FFI_HAS_VISIT
  if (ffi::detail::IsObjectInstance<ffi::IntEnumObj>(type.type_index)) return DataForm::kEnumNumber;
#endif
  if (ffi::detail::IsObjectInstance<ffi::EnumObj>(type.type_index)) return DataForm::kEnumName;
  if (codec.to_json.defined() && codec.from_json.defined()) return DataForm::kHook;
  return type.is_concrete ? DataForm::kFields : DataForm::kNone;
}

ffi::Function FunctionAttr(int32_t type_index, const char* name) {
  return GetTypeAttr(type_index, name).as<ffi::Function>().value_or(ffi::Function(nullptr));
}

std::string QuotedName(std::string_view name) {
  Output quoted;
  if (!AppendJSONString(name, &quoted)) {
    TVM_FFI_THROW(ValueError) << "the name `" << name << "` is not UTF-8";
  }
  return std::string(quoted.view());
}

std::string ValueFieldsOf(const TypeCodec& codec) {
  std::string names;
  for (const FieldStep& step : codec.steps) {
    if (step.is_inline()) names += (names.empty() ? "[" : ",") + QuotedName(step.field->name);
  }
  return QuotedName(codec.type->key) + ":" + names + (names.empty() ? "" : "]");
}

/*! \brief Make all texts of a codec, and its views of them. */
void AddTexts(TypeCodec* codec) {
  codec->value_fields = ValueFieldsOf(*codec);
  const bool is_tensor = codec->type->type_index == kTVMFFITensor;
  const std::string key = QuotedName(is_tensor ? kSavedTensorKey : codec->type->key);
  std::string head = R"({"type":)" + key + R"(,"data":)";
  std::string labels;
  for (const FieldStep& step : codec->steps) labels += "," + QuotedName(step.field->name) + ":";
  size_t size = head.size() + labels.size() + 1;
  // The first label follows the head, so that both can be written at once. Its comma is replaced by
  // the brace that opens the fields.
  std::string text = head + labels + labels;
  codec->text = std::make_unique<char[]>(text.size() + Output::kPadding);
  char* begin = codec->text.get();
  std::memcpy(begin, text.data(), text.size());
  const char* label = begin + head.size() + labels.size();
  for (FieldStep& step : codec->steps) {
    step.label = {label, QuotedName(step.field->name).size() + 2};
    label += step.label.size();
  }
  codec->json_head = {begin, head.size()};
  codec->json_size = size + codec->steps.size() * Output::kMaxNumber;
  if (codec->form != DataForm::kFields || codec->steps.empty()) return;
  begin[head.size()] = '{';
  codec->json_head = {begin, head.size() + codec->steps[0].label.size()};
}

void AddSteps(TypeCodec* codec) {
  for (const FieldInfo& field : codec->type->fields) {
    FieldStep step{&field,
                   InlineType(field),
                   WireOf(field.kind),
                   IsDirect(field),
                   SureObjectsOf(field),
                   ArgumentDefault(*codec->type, field.name),
                   {}};
    if (!step.is_inline()) codec->json_edges.push_back(&field);
    if (step.wire == Wire::kValue) codec->binary_edges.push_back(&field);
    if (field.derived && codec->type->hooks.post_init != nullptr) {
      codec->derived.push_back(static_cast<uint32_t>(codec->steps.size()));
    }
    codec->steps.push_back(step);
  }
}

std::string_view ViewOf(const ffi::String& text) { return {text.data(), text.size()}; }

/*! \brief Add the forms in files of older versions of the fields that a type declares. */
void AddStoredForms(int32_t type_index, TypeCodec* codec) {
  for (const auto& [name, value] : StoredValuesOf(type_index)) {
    codec->stored_values.emplace_back(codec->type->Find(ViewOf(name)), value);
  }
  for (const auto& [name, field] : FormerFieldsOf(type_index)) {
    auto found = std::find_if(codec->steps.begin(), codec->steps.end(), [&](const FieldStep& step) {
      return step.field->name == ViewOf(field);
    });
    const bool is_removed = found == codec->steps.end();
    int64_t position = is_removed ? TypeCodec::kRemoved : found - codec->steps.begin();
    codec->former_fields.insert(codec->former_fields.begin(), {name, position});
  }
}

void AddStoredForms(TypeCodec* codec) {
  const TVMFFITypeInfo* type = codec->type->reflected;
  for (int32_t depth = 0; depth < type->type_depth; ++depth) {
    AddStoredForms(type->type_ancestors[depth]->type_index, codec);
  }
  AddStoredForms(type->type_index, codec);
}

/*! \brief The object in a field if only the object that is being destroyed holds it, else None. */
ffi::Any OwnedChild(const FieldInfo& field, const ffi::Object* object) {
  try {
    ffi::Any child = field.Read(object);
    bool is_owned =
        child.type_index() >= kTVMFFIStaticObjectBegin && child.as<ffi::Object>()->use_count() == 2;
    return is_owned ? child : nullptr;
  } catch (const ffi::Error&) {
    return nullptr;  // An error of the getter: leave the field to the destructor.
  }
}

/*! \brief Delete an object of foreign code, whose children outlive it and go to the list. */
void DeleteForeign(void* self, int flags) {
  auto* object = static_cast<ffi::Object*>(self);
  const TypeCodec& codec = TypeCodecOf(object->type_index());
  bool is_destroyed = (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) != 0;
  if (is_destroyed) {
    for (const FieldInfo& field : codec.type->edges) {
      ffi::Any child = OwnedChild(field, object);
      if (child == nullptr || !detail::DeferReference(RawOf(child).v_obj)) continue;
      ffi::detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(child));  // The list holds it now.
    }
  }
  codec.foreign_deleter.load(std::memory_order_acquire)(self, flags);
  if (is_destroyed) FinishRelease();
}

/*! \brief Have a new object of foreign code destroyed without recursion. */
void DestroyForeignIteratively(const TypeCodec& codec, ffi::Object* object) {
  TVMFFIObject* header = ffi::detail::ObjectUnsafe::GetHeader(object);
  auto expected = header->deleter;
  decltype(expected) known = nullptr;
  // Objects of one type have one deleter; where they do not, the others keep their own.
  if (codec.foreign_deleter.compare_exchange_strong(known, expected) || known == expected) {
    header->deleter = &DeleteForeign;
  }
}

void SetHooks(int32_t type_index, TypeCodec* codec) {
  // Files hold tensors in one form, with and without another library's hooks.
  const bool is_tensor = type_index == kTVMFFITensor;
  codec->to_json = is_tensor ? TensorToJSON() : FunctionAttr(type_index, kDataToJsonAttr);
  codec->from_json = is_tensor ? TensorFromJSON() : FunctionAttr(type_index, kDataFromJsonAttr);
}

std::unique_ptr<TypeCodec> BuildCodec(int32_t type_index) {
  auto codec = std::make_unique<TypeCodec>();
  codec->type = &TypeInfoOf(type_index);
  SetHooks(type_index, codec.get());
  codec->form = FormOf(*codec->type, *codec);
  bool has_fields = codec->form == DataForm::kFields;
  const TVMFFITypeMetadata* metadata = codec->type->reflected->metadata;
  codec->is_recursive = !codec->type->is_leaf && GetTypeAttr(type_index, kDigestAttr) == nullptr;
  bool is_simple = has_fields && metadata != nullptr && !codec->is_recursive;
  codec->creator = is_simple ? metadata->creator : nullptr;
  if (has_fields) AddSteps(codec.get());
  if (has_fields) AddStoredForms(codec.get());
  AddTexts(codec.get());
  return codec;
}

}  // namespace

namespace detail {

const TypeCodec* MakeTypeCodec(int32_t type_index) {
  static std::mutex mutex;
  TypeInfoOf(type_index);  // Refuses an index that is out of range.
  std::lock_guard<std::mutex> lock(mutex);
  if (const TypeCodec* known = type_codecs.Find(type_index)) return known;
  const TypeCodec* built = BuildCodec(type_index).release();
  type_codecs.Set(type_index, built);
  return built;
}

std::unique_ptr<TypeCodec> CopyTypeCodec(const TypeCodec& codec) {
  return BuildCodec(codec.type->type_index);
}

}  // namespace detail

int64_t TypeCodec::Find(std::string_view name) const {
  auto found = std::find_if(steps.begin(), steps.end(),
                            [name](const FieldStep& step) { return step.field->name == name; });
  if (found != steps.end()) return found - steps.begin();
  auto former = std::find_if(former_fields.begin(), former_fields.end(),
                             [name](const auto& one) { return ViewOf(one.name) == name; });
  return former == former_fields.end() ? kUnknown : former->position;
}

ffi::ObjectPtr<ffi::Object> TypeCodec::CreateSlowly() const {
  if (form != DataForm::kFields) {
    TVM_FFI_THROW(TypeError) << "objects of type `" << type->key << "` cannot be made";
  }
  ffi::ObjectPtr<ffi::Object> object = type->Create();
  // The codec of a file does not outlive the object.
  if (is_recursive) DestroyForeignIteratively(TypeCodecOf(type->type_index), object.get());
  return object;
}

}  // namespace tschema
