/*!
 * \file c_types.h
 * \brief How C spells data types and constants.
 *
 * Knows nothing of nodes.
 */
#ifndef UIR_TARGET_C_TYPES_H_
#define UIR_TARGET_C_TYPES_H_

#include <uir/ir/dtype.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace uir::target {

namespace ffi = ::tvm::ffi;

/*! \brief The type of a scalar, such as `int32_t`; none if C has no such type. */
std::optional<std::string> ScalarTypeOf(DLDataType dtype);

/*! \brief The name of a data type as part of an identifier: `int32`, `float32x8`. */
std::string TypeSuffix(DLDataType dtype);

/*! \brief Whether a text is such a name. */
bool IsTypeSuffix(std::string_view text);

/*! \brief The bytes of one lane. */
int BytesOf(DLDataType dtype);

/*! \brief The lanes of a vector in C, a power of two. */
constexpr int PaddedLanes(int lanes) {
  int padded = 1;
  while (padded < lanes) padded *= 2;
  return padded;
}

/*! \brief Whether C promotes a type to `int` in arithmetic; it promotes no lanes. */
constexpr bool IsPromoted(DLDataType dtype) {
  return ir::IsInteger(dtype) && dtype.bits < 32 && ir::IsScalar(dtype);
}

/*! \brief Whether a type is `int8` or `uint8`. */
constexpr bool IsByte(DLDataType dtype) {
  return (dtype.code == kDLInt || dtype.code == kDLUInt) && dtype.bits == 8;
}

/*! \brief Whether a type is `float16`. */
constexpr bool IsHalf(DLDataType dtype) { return dtype.code == kDLFloat && dtype.bits == 16; }

/*! \brief Whether a type is `bfloat16`, for whose bits C has integers. */
constexpr bool IsBFloat16(DLDataType dtype) { return dtype.code == kDLBfloat && dtype.bits == 16; }

/*! \brief The least text of an integer; its C type may be narrower than a 64-bit `dtype`. */
std::string IntLiteral(int64_t value, DLDataType dtype);

/*! \brief The shortest text of a floating-point number that reads as the number. */
std::string FloatLiteral(double value, DLDataType dtype);

/*! \brief A data type as a value of DLPack. */
std::string DTypeLiteral(DLDataType dtype);

/*! \brief How tvm-ffi keeps a value: its kind in C, and its member of `TVMFFIAny`. */
struct Boxed {
  const char* kind;
  const char* member;
};

/*! \brief How tvm-ffi keeps values of a data type. */
Boxed BoxedAs(DLDataType dtype);

/*! \brief A string in quotes, with special characters escaped. */
std::string StringLiteral(std::string_view text);

/*!
 * \brief A name, or a text with names, for a message: a string in quotes that shows controls.
 *
 * A NUL would end the message, and other controls may reach a terminal.
 */
std::string NameLiteral(std::string_view text);

}  // namespace uir::target

#endif  // UIR_TARGET_C_TYPES_H_
