/*!
 * \file dtypes.h
 * \brief Data types that many tests use.
 */
#ifndef TSCHEMA_TESTS_DTYPES_H_
#define TSCHEMA_TESTS_DTYPES_H_

#include <tvm/ffi/dtype.h>

inline constexpr DLDataType kInt32{kDLInt, 32, 1};
inline constexpr DLDataType kInt64{kDLInt, 64, 1};

#endif  // TSCHEMA_TESTS_DTYPES_H_
