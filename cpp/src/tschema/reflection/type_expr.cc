/*!
 * \file type_expr.cc
 * \brief Types as a schema spells them: a parser, and the check of a value.
 */
#include "./type_expr.h"

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>

namespace tschema {
namespace {

using Kind = TypeExpr::Kind;

struct Name {
  std::string_view text;
  Kind kind;
  int32_t type_index;
};

constexpr std::array<Name, 18> kNames = {{
    {"Any", Kind::kAny, kTVMFFIAny},
    {"bool", Kind::kBool, kTVMFFIBool},
    {"DataType", Kind::kDataType, kTVMFFIDataType},
    {"Device", Kind::kDevice, kTVMFFIDevice},
    {"String", Kind::kString, kTVMFFIStr},
    {"Bytes", Kind::kBytes, kTVMFFIBytes},
    {"Object", Kind::kObject, kTVMFFIObject},
    {"Function", Kind::kObject, kTVMFFIFunction},
    {"Tensor", Kind::kObject, kTVMFFITensor},
    {"Shape", Kind::kObject, kTVMFFIShape},
    {"Module", Kind::kObject, kTVMFFIModule},
    {"Optional", Kind::kOptional, kTVMFFIAny},
    {"Array", Kind::kArray, kTVMFFIArray},
    {"List", Kind::kList, kTVMFFIList},
    {"Map", Kind::kMap, kTVMFFIMap},
    {"Dict", Kind::kDict, kTVMFFIDict},
    {"Tuple", Kind::kTuple, kTVMFFIArray},
    {"Union", Kind::kUnion, kTVMFFIAny},
}};

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

/*! \brief Index of a type key; that of `ffi.Object` for an unregistered type. */
int32_t IndexOf(std::string_view key) {
  TVMFFIByteArray bytes = {key.data(), key.size()};
  int32_t index = 0;
  return TVMFFITypeKeyToIndex(&bytes, &index) == 0 ? index : static_cast<int32_t>(kTVMFFIObject);
}

int Bits(std::string_view digits) { return std::atoi(std::string(digits).c_str()); }

TypeExpr SignedInteger(int bits) {
  TypeExpr type;
  type.kind = Kind::kInt;
  type.high = std::numeric_limits<int64_t>::max() >> (64 - bits);
  type.low = -type.high - 1;
  return type;
}

TypeExpr UnsignedInteger(int bits) {
  TypeExpr type;
  type.kind = Kind::kInt;
  type.high = bits == 64 ? std::numeric_limits<int64_t>::max() : (int64_t{1} << bits) - 1;
  return type;
}

TypeExpr Named(std::string_view name) {
  if (StartsWith(name, "int")) return SignedInteger(Bits(name.substr(3)));
  if (StartsWith(name, "uint")) return UnsignedInteger(Bits(name.substr(4)));
  TypeExpr type;
  if (StartsWith(name, "float")) {
    type.kind = Kind::kFloat;
  } else if (StartsWith(name, "enum ")) {
    type = SignedInteger(32);
    type.kind = Kind::kEnum;
  } else {
    auto known = std::find_if(kNames.begin(), kNames.end(),
                              [name](const Name& entry) { return entry.text == name; });
    type.kind = known == kNames.end() ? Kind::kObject : known->kind;
    type.type_index = known == kNames.end() ? IndexOf(name) : known->type_index;
  }
  return type;
}

/*! \brief Parses one type and moves behind it. */
TypeExpr Parse(std::string_view* rest) {
  const char* begin = rest->data();
  size_t end = std::min(rest->find_first_of("[],"), rest->size());
  TypeExpr type = Named(rest->substr(0, end));
  rest->remove_prefix(end);
  if (StartsWith(*rest, "[")) {
    rest->remove_prefix(1);
    type.arguments.push_back(Parse(rest));
    while (StartsWith(*rest, ", ")) {
      rest->remove_prefix(2);
      type.arguments.push_back(Parse(rest));
    }
    rest->remove_prefix(std::min<size_t>(1, rest->size()));
  }
  type.text = std::string(begin, rest->data() - begin);
  return type;
}

bool IsInstance(int32_t type_index, int32_t expected) {
  if (type_index == expected) return true;
  if (type_index < kTVMFFIStaticObjectBegin) return false;
  if (expected == kTVMFFIObject) return true;
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(type_index);
  int32_t depth = TVMFFIGetTypeInfo(expected)->type_depth;
  return info->type_depth > depth && info->type_ancestors[depth]->type_index == expected;
}

/*! \brief Whether a sequence's elements are all of the argument's type. */
bool AcceptsElements(const TypeExpr& type, const ffi::SeqBaseObj* sequence) {
  if (type.arguments.empty() || type.arguments[0].kind == Kind::kAny) return true;
  return std::all_of(sequence->begin(), sequence->end(), [&type](const ffi::Any& element) {
    return type.arguments[0].Accepts(element);
  });
}

bool AcceptsEntries(const TypeExpr& type, const ffi::MapBaseObj* mapping) {
  if (type.arguments.empty()) return true;
  for (const auto& [key, value] : *mapping) {
    if (!type.arguments[0].Accepts(key) || !type.arguments[1].Accepts(value)) return false;
  }
  return true;
}

bool AcceptsTuple(const TypeExpr& type, const ffi::ArrayObj* tuple) {
  if (tuple->size() != type.arguments.size()) return false;
  for (size_t index = 0; index < tuple->size(); ++index) {
    if (!type.arguments[index].Accepts((*tuple)[index])) return false;
  }
  return true;
}

template <typename T>
const T* Cast(ffi::AnyView value) {
  return ffi::detail::AnyUnsafe::RawObjectPtrFromAnyViewAfterCheck<const T>(value);
}

}  // namespace

TypeExpr ParseTypeExpr(std::string_view text) { return Parse(&text); }

bool TypeExpr::Accepts(ffi::AnyView value) const {
  int32_t index = value.type_index();
  switch (kind) {
    case Kind::kAny:
      return true;
    case Kind::kBool:
    case Kind::kDataType:
    case Kind::kDevice:
      return index == type_index;
    case Kind::kInt:
    case Kind::kEnum: {
      if (index != kTVMFFIInt) return false;
      int64_t number = value.CopyToTVMFFIAny().v_int64;
      return low <= number && number <= high;
    }
    case Kind::kFloat:
      return index == kTVMFFIFloat;
    case Kind::kString:
      return index == kTVMFFIStr || index == kTVMFFISmallStr;
    case Kind::kBytes:
      return index == kTVMFFIBytes || index == kTVMFFISmallBytes;
    case Kind::kObject:
      return IsInstance(index, type_index);
    case Kind::kOptional:
      return index == kTVMFFINone || arguments[0].Accepts(value);
    case Kind::kArray:
    case Kind::kList:
      return index == type_index && AcceptsElements(*this, Cast<ffi::SeqBaseObj>(value));
    case Kind::kMap:
    case Kind::kDict:
      return index == type_index && AcceptsEntries(*this, Cast<ffi::MapBaseObj>(value));
    case Kind::kTuple:
      return index == kTVMFFIArray && AcceptsTuple(*this, Cast<ffi::ArrayObj>(value));
    case Kind::kUnion:
      return std::any_of(arguments.begin(), arguments.end(),
                         [value](const TypeExpr& argument) { return argument.Accepts(value); });
  }
  return false;
}

}  // namespace tschema
