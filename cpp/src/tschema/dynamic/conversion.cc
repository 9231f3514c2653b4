/*!
 * \file conversion.cc
 * \brief Conversion and checks of values, case by case like the C++ types of tvm-ffi.
 */
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>

#include <algorithm>
#include <utility>

#include "../reflection/field_value.h"
#include "../reflection/type_expr.h"
#include "./value_type.h"

namespace tschema {
namespace dynamic {
namespace {

/*! \pre The value is an object. */
const ffi::Object* Cast(ffi::AnyView value) { return ObjectOf(value.CopyToTVMFFIAny()); }

const ffi::SeqBaseObj* Sequence(ffi::AnyView value) {
  return static_cast<const ffi::SeqBaseObj*>(Cast(value));
}

template <typename T>
std::optional<ffi::Any> TryCast(ffi::AnyView value) {
  if (std::optional<T> cast = value.try_cast<T>()) return ffi::Any(*std::move(cast));
  return std::nullopt;
}

}  // namespace

// -- Values without conversion -----------------------------------------------------------------

bool ValueType::Holds(ffi::AnyView value) const {
  int32_t index = value.type_index();
  switch (kind_) {
    case Kind::kAny:
      return true;
    case Kind::kBool:
      return index == kTVMFFIBool;
    case Kind::kInt:
    case Kind::kEnum:
      return index == kTVMFFIInt;
    case Kind::kFloat:
      return index == kTVMFFIFloat;
    case Kind::kDataType:
      return index == kTVMFFIDataType;
    case Kind::kDevice:
      return index == kTVMFFIDevice;
    case Kind::kString:
      return IsString(index);
    case Kind::kBytes:
      return IsBytes(index);
    case Kind::kObject:
      return (is_nullable_ && index == kTVMFFINone) || IsInstance(index);
    case Kind::kOptional:
      return index == kTVMFFINone || args_[0].Holds(value);
    case Kind::kTuple:
      if (index == type_index_ && SizeOfSequence(Cast(value)) != args_.size()) return false;
      [[fallthrough]];
    case Kind::kArray:
    case Kind::kList:
    case Kind::kMap:
    case Kind::kDict:
      return index == type_index_ && HoldsParts(value);
    case Kind::kUnion:
      return std::any_of(args_.begin(), args_.end(),
                         [value](const ValueType& type) { return type.Holds(value); });
  }
  return false;
}

bool ValueType::HoldsParts(ffi::AnyView container) const {
  bool takes_any = std::all_of(args_.begin(), args_.end(),
                               [](const ValueType& type) { return type.kind_ == Kind::kAny; });
  return takes_any ||
         AllParts(args_, kind_ == Kind::kTuple, Cast(container),
                  [](const ValueType& type, const ffi::Any& part) { return type.Holds(part); });
}

// -- Conversions -------------------------------------------------------------------------------

std::optional<ffi::Any> ValueType::TryConvert(ffi::AnyView value) const {
  switch (kind_) {
    case Kind::kAny:
      return ffi::Any(value);
    case Kind::kBool:
    case Kind::kInt:
    case Kind::kEnum:
    case Kind::kFloat:
      return TryConvertNumber(value);
    case Kind::kDataType:
      return TryCast<DLDataType>(value);
    case Kind::kDevice:
      return TryCast<DLDevice>(value);
    case Kind::kString:
      return TryCast<ffi::String>(value);
    case Kind::kBytes:
      return TryCast<ffi::Bytes>(value);
    case Kind::kObject:
      if (type_index_ == kTVMFFIShape) return TryCast<ffi::Shape>(value);
      if (!Holds(value)) return std::nullopt;
      return ffi::Any(value);
    case Kind::kOptional:
      if (value == nullptr) return ffi::Any(nullptr);
      return args_[0].TryConvert(value);
    case Kind::kArray:
      return TryConvertSequence<ffi::Array<ffi::Any>>(value);
    case Kind::kList:
      return TryConvertSequence<ffi::List<ffi::Any>>(value);
    case Kind::kMap:
      return TryConvertMapping<ffi::Map<ffi::Any, ffi::Any>>(value);
    case Kind::kDict:
      return TryConvertMapping<ffi::Dict<ffi::Any, ffi::Any>>(value);
    case Kind::kTuple:
      return TryConvertTuple(value);
    case Kind::kUnion:
      return TryConvertAlternative(value);
  }
  return std::nullopt;
}

std::optional<ffi::Any> ValueType::TryConvertNumber(ffi::AnyView value) const {
  if (kind_ == Kind::kBool) return TryCast<bool>(value);
  if (kind_ != Kind::kFloat) return TryCast<int64_t>(value);
  return extent_.size == sizeof(float) ? TryCast<float>(value) : TryCast<double>(value);
}

std::optional<ffi::Any> ValueType::TryConvertAlternative(ffi::AnyView value) const {
  if (Holds(value)) return ffi::Any(value);
  for (const ValueType& type : args_) {
    if (std::optional<ffi::Any> converted = type.TryConvert(value)) return converted;
  }
  return std::nullopt;
}

template <typename Container>
std::optional<ffi::Any> ValueType::TryConvertSequence(ffi::AnyView value) const {
  if (!IsSequence(value.type_index())) return std::nullopt;
  if (Holds(value)) return ffi::Any(value);
  Container converted;
  for (const ffi::Any& element : *Sequence(value)) {
    std::optional<ffi::Any> one = args_[0].TryConvert(element);
    if (!one) return std::nullopt;
    converted.push_back(*std::move(one));
  }
  return ffi::Any(std::move(converted));
}

template <typename Container>
std::optional<ffi::Any> ValueType::TryConvertMapping(ffi::AnyView value) const {
  if (!IsMapping(value.type_index())) return std::nullopt;
  if (Holds(value)) return ffi::Any(value);
  Container converted;
  for (const auto& [key, mapped] : *MappingOf(Cast(value))) {
    std::optional<ffi::Any> new_key = args_[0].TryConvert(key);
    std::optional<ffi::Any> new_mapped = args_[1].TryConvert(mapped);
    if (!new_key || !new_mapped) return std::nullopt;
    converted.Set(*std::move(new_key), *std::move(new_mapped));
  }
  return ffi::Any(std::move(converted));
}

std::optional<ffi::Any> ValueType::TryConvertTuple(ffi::AnyView value) const {
  if (value.type_index() != kTVMFFIArray) return std::nullopt;
  const ffi::SeqBaseObj* elements = Sequence(value);
  if (elements->size() != args_.size()) return std::nullopt;
  if (Holds(value)) return ffi::Any(value);
  ffi::Array<ffi::Any> converted;
  for (size_t index = 0; index < args_.size(); ++index) {
    std::optional<ffi::Any> one = args_[index].TryConvert(elements->begin()[index]);
    if (!one) return std::nullopt;
    converted.push_back(*std::move(one));
  }
  return ffi::Any(std::move(converted));
}

// -- Checks of converted values ----------------------------------------------------------------

ffi::Any ValueType::Convert(ffi::AnyView value, const Slot& slot) const {
  if (is_checked_integer()) {
    std::optional<int64_t> wide = value.try_cast<int64_t>();
    if (!wide) ::tschema::detail::ThrowNotAnInteger(slot, value);
    CheckInteger(*wide, slot);
    return ffi::Any(*wide);
  }
  if (kind_ == Kind::kOptional && args_[0].is_checked_integer()) {
    return value == nullptr ? ffi::Any(nullptr) : args_[0].Convert(value, slot);
  }
  std::optional<ffi::Any> converted = TryConvert(value);
  if (!converted) {
    if (kind_ == Kind::kInt) ::tschema::detail::ThrowNotAnInteger(slot, value);
    ThrowMisfit(value, slot);
  }
  Check(*converted, slot);
  return *std::move(converted);
}

void ValueType::ThrowMisfit(ffi::AnyView value, const Slot& slot) const {
  auto takes = [](const void* type, ffi::AnyView part) {
    return static_cast<const ValueType*>(type)->TryConvert(part).has_value();
  };
  const ValueType& type = kind_ == Kind::kOptional ? args_[0] : *this;
  switch (type.kind_) {
    case Kind::kArray:
    case Kind::kList:
      ::tschema::detail::ThrowWrongPart(slot, value, {}, {takes, &type.args_[0]});
    case Kind::kMap:
    case Kind::kDict:
      ::tschema::detail::ThrowWrongPart(slot, value, {takes, &type.args_[0]},
                                        {takes, &type.args_[1]});
    default:
      ThrowWrongType(slot, value);
  }
}

void ValueType::Check(ffi::AnyView value, const Slot& slot) const {
  if (!needs_check_) return;
  switch (kind_) {
    case Kind::kInt:
    case Kind::kEnum:
      return CheckInteger(value, slot);
    case Kind::kObject:
      if (value == nullptr) ThrowWrongType(slot, value);
      return;
    case Kind::kOptional:
      if (value != nullptr) args_[0].Check(value, slot);
      return;
    case Kind::kArray:
    case Kind::kList:
    case Kind::kTuple:
    case Kind::kMap:
    case Kind::kDict:
      return CheckParts(value, slot);
    case Kind::kUnion:
      return CheckAlternatives(value, slot);
    default:
      return;
  }
}

void ValueType::CheckInteger(ffi::AnyView value, const Slot& slot) const {
  int64_t number = value.cast<int64_t>();
  if (kind_ == Kind::kEnum) {
    if (!members_->Contains(number)) ThrowNotAMember(slot, number);
  } else if (number < low_ || number > high_) {
    ThrowOutOfRange(slot, number, low_, static_cast<uint64_t>(high_));
  }
}

void ValueType::CheckParts(ffi::AnyView container, const Slot& slot) const {
  AllParts(args_, kind_ == Kind::kTuple, Cast(container),
           [&slot](const ValueType& type, const ffi::Any& part) {
             type.Check(part, slot);
             return true;
           });
}

void ValueType::CheckAlternatives(ffi::AnyView value, const Slot& slot) const {
  if (value == nullptr) ThrowWrongType(slot, value);
  bool is_taken = std::any_of(args_.begin(), args_.end(), [value, &slot](const ValueType& type) {
    return type.Takes(value, slot);
  });
  if (is_taken) return;
  for (const ValueType& type : args_) type.Check(value, slot);
}

bool ValueType::Takes(ffi::AnyView value, const Slot& slot) const {
  if (!Holds(value)) return false;
  if (kind_ == Kind::kEnum) return members_->Contains(value.cast<int64_t>());
  if (kind_ == Kind::kInt) {
    int64_t number = value.cast<int64_t>();
    return low_ <= number && number <= high_;
  }
  Check(value, slot);
  return true;
}

}  // namespace dynamic
}  // namespace tschema
