/*!
 * \file object_builder.cc
 * \brief Fills in objects: plain fields at once, others where their type accepts the value.
 */
#include "./object_builder.h"

#include <tschema/release.h>
#include <tschema/structural_equal.h>
#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/dtype.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../reflection/field_value.h"

namespace tschema {
namespace {

[[noreturn]] void FailRange(const TypeExpr& type, int64_t value) {
  FailValue(std::to_string(value) + " is out of the range of `" + type.text + "`, " +
            std::to_string(type.low) + " to " + std::to_string(type.high));
}

/*! \brief The type of a field; that of the value of an optional one. */
const TypeExpr& ValueType(const FieldInfo& field) {
  const TypeExpr& type = *field.type;
  return type.kind == TypeExpr::Kind::kOptional ? type.arguments[0] : type;
}

/*! \brief Let the setter take or refuse the value. */
void Write(const FieldInfo& field, ffi::Object* object, ffi::AnyView value) {
  if (value.type_index() == kTVMFFIInt) {
    const TypeExpr& type = ValueType(field);
    const auto number = value.cast<int64_t>();
    bool is_integer = field.type->kind == TypeExpr::Kind::kInt;
    if (is_integer && !type.Accepts(value)) FailRange(type, number);
    if (type.kind == TypeExpr::Kind::kFloat) CheckExact(field, number);
  }
  try {
    field.Write(object, value);
  } catch (const ffi::Error& error) {
    // Setters of compiled types do not know the name of the type in the schema.
    const std::string expected = "`" + field.type->text + "`";
    if (error.message().find(expected) != std::string::npos) throw;
    throw ffi::Error(error.kind(), error.message() + "; " + expected + " is expected",
                     error.backtrace(), error.cause_chain(), error.extra_context());
  }
}

/*! \brief Replace the value of a field that holds an object or an FFI value. */
void ReplaceField(const FieldInfo& field, ffi::Object* object, ffi::Any value) {
  if (field.kind != FieldKind::kObject) {
    field.Get<ffi::Any>(object) = std::move(value);
    return;
  }
  TVMFFIObject*& slot = field.Get<TVMFFIObject*>(object);
  TVMFFIObject* old = slot;
  TVMFFIAny raw = ffi::detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(value));
  slot = raw.type_index == kTVMFFINone ? nullptr : raw.v_obj;
  if (old != nullptr) ffi::detail::ObjectUnsafe::DecRefObjectHandle(old);
}

/*! \brief Bytes of a plain field, which cannot hold more than eight. */
size_t SizeOf(const FieldInfo& field) { return static_cast<size_t>(field.reflected->size); }

uint64_t BitsOf(const FieldInfo& field, const ffi::Object* object) {
  uint64_t bits = 0;
  std::memcpy(&bits, &field.Get<char>(object), SizeOf(field));
  return bits;
}

[[noreturn]] void FailMissing(const FieldInfo& field) {
  FailValue(
      "the field is missing, and has no default; older files load where it has one, of type `" +
      field.type->text + "`");
}

[[noreturn]] void FailDerived(const FieldInfo& field, LoadPlace* place) {
  place->field = &field;
  FailValue("the field disagrees with its value derived from the other fields");
}

/*! \brief The field as an owned value. */
ffi::Any FieldValueOf(const FieldInfo& field, const ffi::Object* object) {
  if (field.kind == FieldKind::kForeign) return field.Read(object);
  return ffi::AnyView::CopyFromTVMFFIAny(ReadField(field, object));
}

bool IsEqual(const ffi::Any& lhs, const ffi::Any& rhs) {
  const TVMFFIAny& a = RawOf(lhs);
  const TVMFFIAny& b = RawOf(rhs);
  if (a.type_index == b.type_index && a.v_uint64 == b.v_uint64) return true;
  return StructuralEqual(lhs, rhs);
}

}  // namespace

DLDevice MakeDevice(int64_t device_type, int64_t device_id) {
  for (int64_t value : {device_type, device_id}) {
    bool fits = value == static_cast<int32_t>(value);
    if (!fits) FailValue(std::to_string(value) + " is out of the range of `int32`");
  }
  return {static_cast<DLDeviceType>(device_type), static_cast<int32_t>(device_id)};
}

void CheckExact(const FieldInfo& field, int64_t value) {
  const TypeExpr& type = ValueType(field);
  const int num_digits = type.text == "float32" ? std::numeric_limits<float>::digits
                                                : std::numeric_limits<double>::digits;
  const uint64_t magnitude = value < 0 ? -static_cast<uint64_t>(value) : uint64_t(value);
  if (value == 0) return;
  const int num_bits = 64 - __builtin_clzll(magnitude) - __builtin_ctzll(magnitude);
  if (num_bits <= num_digits) return;
  FailValue("the integer " + std::to_string(value) + " is not exact as `" + type.text + "`");
}

void ObjectBuilder::StoreBool(const FieldStep& step, ffi::Object* object, bool value) {
  if (step.field->kind != FieldKind::kBool) return Write(*step.field, object, value);
  step.field->Get<bool>(object) = value;
}

void ObjectBuilder::StoreInteger(const FieldStep& step, ffi::Object* object, int64_t value) {
  const FieldInfo& field = *step.field;
  bool is_integer = FieldKind::kInt8 <= field.kind && field.kind <= FieldKind::kUInt64;
  if (!is_integer) return Write(field, object, value);
  if (value < field.type->low || value > field.type->high) FailRange(*field.type, value);
  VisitInteger(field, static_cast<void*>(object), [value](auto* place) {
    *place = static_cast<std::remove_pointer_t<decltype(place)>>(value);
  });
}

void ObjectBuilder::StoreFloat(const FieldStep& step, ffi::Object* object, double value) {
  const FieldInfo& field = *step.field;
  if (field.kind == FieldKind::kFloat64) {
    field.Get<double>(object) = value;
  } else if (field.kind == FieldKind::kFloat32) {
    if (std::isfinite(value) && std::fabs(value) > std::numeric_limits<float>::max()) {
      FailValue("the number is out of the range of `float32`");
    }
    field.Get<float>(object) = static_cast<float>(value);
  } else {
    Write(field, object, value);
  }
}

void ObjectBuilder::StoreDataType(const FieldStep& step, ffi::Object* object, DLDataType value) {
  if (step.field->kind != FieldKind::kDataType) return Write(*step.field, object, value);
  step.field->Get<DLDataType>(object) = value;
}

void ObjectBuilder::StoreDevice(const FieldStep& step, ffi::Object* object, DLDevice value) {
  if (step.field->kind != FieldKind::kDevice) return Write(*step.field, object, value);
  step.field->Get<DLDevice>(object) = value;
}

void ObjectBuilder::Store(const FieldStep& step, ffi::Object* object, ffi::Any value) {
  const FieldInfo& field = *step.field;
  bool is_stored_as_is =
      step.sure_objects.Have(value.type_index()) ||
      (step.is_direct && !IsPlain(field.kind) && acceptance_.Accepts(*field.type, RawOf(value)));
  if (is_stored_as_is) {
    ReplaceField(field, object, std::move(value));
  } else {
    Write(field, object, value);
  }
}

ffi::Any ObjectBuilder::MakeContainer(int32_t type_index, ffi::Any* begin, ffi::Any* end) {
  auto first = std::make_move_iterator(begin);
  auto last = std::make_move_iterator(end);
  switch (type_index) {
    case kTVMFFIArray:
      return DestroyedIteratively(ffi::Array<ffi::Any>(first, last));
    case kTVMFFIList:
      return DestroyedIteratively(ffi::List<ffi::Any>(first, last));
    case kTVMFFIMap:
      return MakeMapping<ffi::Map<ffi::Any, ffi::Any>>(begin, end);
    default:
      return MakeMapping<ffi::Dict<ffi::Any, ffi::Any>>(begin, end);
  }
}

template <typename Mapping>
ffi::Any ObjectBuilder::MakeMapping(ffi::Any* begin, ffi::Any* end) {
  if ((end - begin) % 2 != 0) FailValue("a mapping has a key without a value");
  entries_.clear();
  for (; begin != end; begin += 2) entries_.emplace_back(std::move(begin[0]), std::move(begin[1]));
  Mapping mapping(entries_.begin(), entries_.end());
  if (mapping.size() != entries_.size()) FailValue("a mapping has a key twice");
  entries_.clear();
  return DestroyedIteratively(std::move(mapping));
}

void ObjectBuilder::StoreMissing(const TypeCodec& codec, const FieldStep& step,
                                 ffi::Object* object) {
  const FieldInfo& field = *step.field;
  bool is_set_later = field.derived && codec.type->hooks.post_init != nullptr;
  if (is_set_later) missing_.push_back(&field);
  for (const auto& [stored, value] : codec.stored_values) {
    if (stored == &field) return field.Write(object, value);
  }
  if (step.make_default != nullptr) return field.Write(object, step.make_default());
  if (field.has_default()) return field.Write(object, field.MakeDefault());
  if (!is_set_later) FailMissing(field);
  if (IsPlain(field.kind)) std::memset(&field.Get<char>(object), 0, SizeOf(field));
}

void ObjectBuilder::Finish(const TypeCodec& codec, ffi::Object* object, LoadPlace* place) {
  place->field = nullptr;
  if (codec.type->hooks.post_init == nullptr) return;
  if (codec.derived.empty()) {
    codec.type->hooks.post_init(object);
  } else if (codec.derived.size() == 1 && missing_.empty() &&
             IsPlain(codec.steps[codec.derived[0]].field->kind)) {
    FinishPlain(codec, object, place);
  } else {
    FinishDerived(codec, object, place);
  }
}

void ObjectBuilder::FinishPlain(const TypeCodec& codec, ffi::Object* object, LoadPlace* place) {
  const FieldInfo& field = *codec.steps[codec.derived[0]].field;
  uint64_t stored = BitsOf(field, object);
  codec.type->hooks.post_init(object);
  if (stored != BitsOf(field, object)) FailDerived(field, place);
}

void ObjectBuilder::FinishDerived(const TypeCodec& codec, ffi::Object* object, LoadPlace* place) {
  std::vector<std::pair<const FieldInfo*, ffi::Any>> stored;
  for (uint32_t index : codec.derived) {
    const FieldInfo* field = codec.steps[index].field;
    bool is_missing = std::find(missing_.begin(), missing_.end(), field) != missing_.end();
    if (!is_missing) stored.emplace_back(field, FieldValueOf(*field, object));
  }
  missing_.clear();
  codec.type->hooks.post_init(object);
  for (const auto& [field, value] : stored) {
    if (!IsEqual(value, FieldValueOf(*field, object))) FailDerived(*field, place);
  }
}

}  // namespace tschema
