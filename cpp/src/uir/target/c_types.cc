// How C spells data types and constants.
#include "./c_types.h"

#include <tvm/ffi/dtype.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace uir::target {

namespace {

bool IsStandardWidth(int bits) { return bits == 8 || bits == 16 || bits == 32 || bits == 64; }

/*! \brief The shortest decimal text that `reads_back` accepts. */
template <typename ReadsBack>
std::string ShortestDecimal(double value, ReadsBack reads_back) {
  char text[40];
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text, sizeof(text), "%.*g", digits, value);
    if (reads_back(text)) break;
  }
  // Whole numbers are written out: 100.0 rather than 1e+02.
  const bool is_whole = value == std::trunc(value) && std::fabs(value) < 1e9;
  if (is_whole) std::snprintf(text, sizeof(text), "%.1f", value);
  std::string literal = text;
  if (literal.find_first_of(".e") == std::string::npos) literal += ".0";
  return literal;
}

std::string FiniteLiteral(double value, DLDataType dtype) {
  if (dtype.bits == 64) {
    return ShortestDecimal(value, [&](const char* text) { return std::atof(text) == value; });
  }
  const auto rounded = static_cast<float>(value);
  const auto is_same = [&](const char* text) { return std::strtof(text, nullptr) == rounded; };
  return ShortestDecimal(rounded, is_same) + "f";
}

/*! \brief The bits of the nearest bfloat16; of two such, the even one. */
std::string BFloat16Literal(double value) {
  const auto rounded = static_cast<float>(value);
  uint32_t bits = 0;
  std::memcpy(&bits, &rounded, sizeof(bits));
  bits = std::isnan(value) ? 0x7FC00000 : bits + 0x7FFF + (bits >> 16 & 1);
  char text[8];
  std::snprintf(text, sizeof(text), "0x%04X", bits >> 16);
  return text;
}

}  // namespace

std::optional<std::string> ScalarTypeOf(DLDataType dtype) {
  if (ir::IsHandle(dtype)) return "void*";
  if (ir::IsBool(dtype)) return "bool";
  if (ir::IsInteger(dtype) && IsStandardWidth(dtype.bits)) {
    return (dtype.code == kDLInt ? "int" : "uint") + std::to_string(dtype.bits) + "_t";
  }
  if (IsBFloat16(dtype)) return "uint16_t";
  if (dtype.code != kDLFloat) return std::nullopt;
  switch (dtype.bits) {
    case 16:
      return "_Float16";
    case 32:
      return "float";
    case 64:
      return "double";
    default:
      return std::nullopt;
  }
}

std::string TypeSuffix(DLDataType dtype) { return std::string(ffi::DLDataTypeToString(dtype)); }

bool IsTypeSuffix(std::string_view text) {
  for (const std::string_view kind : {"int", "uint", "float", "bfloat", "bool"}) {
    if (text.substr(0, kind.size()) != kind) continue;
    return text.substr(kind.size()).find_first_not_of("0123456789x") == text.npos;
  }
  return false;
}

int BytesOf(DLDataType dtype) { return (dtype.bits + 7) / 8; }

std::string IntLiteral(int64_t value, DLDataType dtype) {
  if (ir::IsBool(dtype)) return value != 0 ? "true" : "false";
  if (value == std::numeric_limits<int64_t>::min()) return "INT64_MIN";
  if (value == std::numeric_limits<int32_t>::min()) return "INT32_MIN";
  if (value == std::numeric_limits<int64_t>::max()) return "INT64_MAX";
  if (value == std::numeric_limits<int32_t>::max()) return "INT32_MAX";
  std::string digits = std::to_string(value);
  const bool fits_int =
      std::numeric_limits<int32_t>::min() < value && value <= std::numeric_limits<int32_t>::max();
  if (fits_int) return digits;
  return digits + (dtype.code == kDLUInt ? dtype.bits == 32 ? "u" : "ull" : "ll");
}

std::string FloatLiteral(double value, DLDataType dtype) {
  if (IsBFloat16(dtype)) return BFloat16Literal(value);
  const std::string conversion = dtype.bits == 64 ? "(double)" : IsHalf(dtype) ? "(_Float16)" : "";
  if (std::isnan(value)) return conversion + "NAN";
  if (dtype.bits != 64 && std::fabs(value) > std::numeric_limits<float>::max()) {
    value = std::copysign(std::numeric_limits<double>::infinity(), value);
  }
  if (std::isinf(value)) return conversion + (value < 0 ? "-INFINITY" : "INFINITY");
  return (IsHalf(dtype) ? conversion : "") + FiniteLiteral(value, dtype);
}

std::string DTypeLiteral(DLDataType dtype) {
  return "(DLDataType){" + std::to_string(dtype.code) + ", " + std::to_string(dtype.bits) + ", " +
         std::to_string(dtype.lanes) + "}";
}

Boxed BoxedAs(DLDataType dtype) {
  if (ir::IsHandle(dtype)) return {"kPointer", "v_ptr"};
  if (ir::IsBool(dtype)) return {"kBool", "v_int64"};
  return ir::IsFloat(dtype) ? Boxed{"kFloat", "v_float64"} : Boxed{"kInt", "v_int64"};
}

std::string StringLiteral(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      literal += std::string("\\") + c;
    } else if (c == '\n') {
      literal += "\\n";
    } else if (code < 0x20 || code == 0x7F || c == '?') {
      // A question mark might begin a trigraph.
      char escape[8];
      std::snprintf(escape, sizeof(escape), c == '?' ? "\\?" : "\\%03o", code);
      literal += escape;
    } else {
      literal += c;
    }
  }
  return literal + "\"";
}

std::string NameLiteral(std::string_view text) {
  std::string shown;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 || code == 0x7F) {
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\x%02x", code);
      shown += escape;
    } else {
      shown += c;
    }
  }
  return StringLiteral(shown);
}

}  // namespace uir::target
