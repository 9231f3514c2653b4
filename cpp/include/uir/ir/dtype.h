/*!
 * \file uir/ir/dtype.h
 * \brief Construction and queries of data types.
 *
 * Must not know nodes.
 */
#ifndef UIR_IR_DTYPE_H_
#define UIR_IR_DTYPE_H_

#include <tvm/ffi/dtype.h>

#include <cstdint>

namespace uir::ir {

namespace ffi = ::tvm::ffi;

/*! \brief Make `bool`, or a vector of it. */
constexpr DLDataType BoolType(int lanes = 1) { return {kDLBool, 8, static_cast<uint16_t>(lanes)}; }

/*! \brief Make a signed integer type of `bits` bits. */
constexpr DLDataType IntType(int bits, int lanes = 1) {
  return {kDLInt, static_cast<uint8_t>(bits), static_cast<uint16_t>(lanes)};
}

/*! \brief Make an unsigned integer type of `bits` bits. */
constexpr DLDataType UIntType(int bits, int lanes = 1) {
  return {kDLUInt, static_cast<uint8_t>(bits), static_cast<uint16_t>(lanes)};
}

/*! \brief Make an IEEE floating-point type of `bits` bits. */
constexpr DLDataType FloatType(int bits, int lanes = 1) {
  return {kDLFloat, static_cast<uint8_t>(bits), static_cast<uint16_t>(lanes)};
}

/*! \brief The type of addresses. */
inline constexpr DLDataType kHandle = {kDLOpaqueHandle, 64, 1};

/*! \brief The type of no value. */
inline constexpr DLDataType kVoid = {kDLOpaqueHandle, 0, 0};

/*! \brief The number of lanes; a scalable vector counts as its negated factor, `void` as 0. */
constexpr int LanesOf(DLDataType dtype) { return static_cast<int16_t>(dtype.lanes); }

/*! \brief The same type with another number of lanes. */
constexpr DLDataType WithLanes(DLDataType dtype, int lanes) {
  return {dtype.code, dtype.bits, static_cast<uint16_t>(lanes)};
}

/*! \brief The type of one lane. */
constexpr DLDataType ElementOf(DLDataType dtype) { return WithLanes(dtype, 1); }

/*! \brief Whether the type has one lane. */
constexpr bool IsScalar(DLDataType dtype) { return dtype.lanes == 1; }

/*! \brief Whether a lane is a boolean. */
constexpr bool IsBool(DLDataType dtype) { return dtype.code == kDLBool; }

/*! \brief Whether a lane is an integer, signed or unsigned. */
constexpr bool IsInteger(DLDataType dtype) { return dtype.code == kDLInt || dtype.code == kDLUInt; }

/*! \brief Whether an element is floating-point, of any format. */
constexpr bool IsFloat(DLDataType dtype) {
  return dtype.code == kDLFloat || dtype.code == kDLBfloat ||
         (dtype.code >= kDLFloat8_e3m4 && dtype.code <= kDLFloat4_e2m1fn);
}

/*! \brief Whether an element is a number. */
constexpr bool IsNumber(DLDataType dtype) { return IsInteger(dtype) || IsFloat(dtype); }

/*! \brief Whether the type is `handle`. */
constexpr bool IsHandle(DLDataType dtype) {
  return dtype.code == kDLOpaqueHandle && dtype.bits != 0;
}

/*! \brief The least value of a scalar integer type or `bool`. */
int64_t MinValue(DLDataType dtype);

/*! \brief The greatest value of a scalar integer type or `bool`, at most INT64_MAX. */
int64_t MaxValue(DLDataType dtype);

/*! \brief The greatest finite value of a floating-point type; infinity if unknown. */
double MaxFinite(DLDataType dtype);

}  // namespace uir::ir

#endif  // UIR_IR_DTYPE_H_
