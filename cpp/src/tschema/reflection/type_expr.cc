/*!
 * \file type_expr.cc
 * \brief Types as a schema spells them: a parser, and the check of a value.
 */
#include "./type_expr.h"

#include <tschema/type_key.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>

#include "../support/starts_with.h"
#include "./field_value.h"

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

/*! \brief Index of a type key; that of `ffi.Object` for an unregistered type. */
int32_t IndexOf(std::string_view key) { return FindTypeIndex(key).value_or(kTVMFFIObject); }

/*! \brief An integer; the ABI carries unsigned ones up to 2^63 - 1. */
TypeExpr Integer(int bits, bool is_signed) {
  TypeExpr type;
  type.kind = Kind::kInt;
  type.high = std::numeric_limits<int64_t>::max() >> (64 - bits);
  if (is_signed) {
    type.low = -type.high - 1;
  } else if (bits < 64) {
    type.high = 2 * type.high + 1;
  }
  return type;
}

/*! \brief An integer or a float of a size that fields can have. */
std::optional<TypeExpr> FindNumber(std::string_view name) {
  TypeExpr type;
  type.kind = Kind::kFloat;
  if (name == "float32" || name == "float64") return type;
  bool is_signed = !StartsWith(name, "u");
  for (int bits : {8, 16, 32, 64}) {
    if (name == (is_signed ? "int" : "uint") + std::to_string(bits))
      return Integer(bits, is_signed);
  }
  return std::nullopt;
}

TypeExpr Named(std::string_view name) {
  if (std::optional<TypeExpr> known = FindTypeExpr(name)) return *std::move(known);
  TypeExpr type;
  if (StartsWith(name, "float")) {
    type.kind = Kind::kFloat;
  } else if (StartsWith(name, "enum ")) {
    type = Integer(32, /*is_signed=*/true);
    type.kind = Kind::kEnum;
  } else {
    type.kind = Kind::kObject;
    type.type_index = IndexOf(name);
  }
  return type;
}

/*! \brief Parses one type and moves past it. */
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

bool TakesAny(const TypeExpr& type) {
  return std::all_of(type.arguments.begin(), type.arguments.end(),
                     [](const TypeExpr& argument) { return argument.kind == Kind::kAny; });
}

/*! \brief Only of tuples, any two of which differ in length by their types. */
bool HasLengthOf(const TypeExpr& type, const ffi::Object* container) {
  return type.kind != Kind::kTuple || SizeOfSequence(container) == type.arguments.size();
}

}  // namespace

TypeExpr ParseTypeExpr(std::string_view text) { return Parse(&text); }

std::optional<TypeExpr> FindTypeExpr(std::string_view name) {
  for (const Name& known : kNames) {
    if (known.text != name) continue;
    TypeExpr type;
    type.kind = known.kind;
    type.type_index = known.type_index;
    return type;
  }
  return FindNumber(name);
}

bool IsInstance(int32_t type_index, int32_t expected) {
  if (type_index == expected) return true;
  if (type_index < kTVMFFIStaticObjectBegin) return false;
  if (expected == kTVMFFIObject) return true;
  const TVMFFITypeInfo* type = TypeInfoOf(type_index).reflected;
  int32_t depth = TypeInfoOf(expected).reflected->type_depth;
  return type->type_depth > depth && type->type_ancestors[depth]->type_index == expected;
}

bool TypeExpr::Accepts(ffi::AnyView value) const {
  struct : TypeCheck {
  } check;
  return check.Accepts(*this, value.CopyToTVMFFIAny());
}

bool TypeCheck::Accepts(const TypeExpr& type, const TVMFFIAny& value) {
  int32_t index = value.type_index;
  switch (type.kind) {
    case Kind::kAny:
      return true;
    case Kind::kBool:
    case Kind::kDataType:
    case Kind::kDevice:
      return index == type.type_index;
    case Kind::kInt:
    case Kind::kEnum:
      return index == kTVMFFIInt && type.low <= value.v_int64 && value.v_int64 <= type.high;
    case Kind::kFloat:
      return index == kTVMFFIFloat;
    case Kind::kString:
      return IsString(index);
    case Kind::kBytes:
      return IsBytes(index);
    case Kind::kObject:
      return IsInstance(index, type.type_index);
    case Kind::kOptional:
      return index == kTVMFFINone || Accepts(type.arguments[0], value);
    case Kind::kUnion:
      return std::any_of(type.arguments.begin(), type.arguments.end(),
                         [&](const TypeExpr& argument) { return Accepts(argument, value); });
    default:
      return index == type.type_index && HasLengthOf(type, ObjectOf(value)) &&
             (TakesAny(type) || AcceptsParts(type, ObjectOf(value)));
  }
}

bool TypeCheck::AcceptsParts(const TypeExpr& type, const ffi::Object* container) {
  return AllParts(type.arguments, type.kind == Kind::kTuple, container,
                  [this](const TypeExpr& argument, const ffi::Any& part) {
                    return Accepts(argument, RawOf(part));
                  });
}

}  // namespace tschema
