/*!
 * \file agreed_hash.h
 * \brief The structural hash, which has to be tvm-ffi's too.
 */
#ifndef TSCHEMA_TESTS_STRUCTURAL_AGREED_HASH_H_
#define TSCHEMA_TESTS_STRUCTURAL_AGREED_HASH_H_

#include <gtest/gtest.h>
#include <tschema/structural_hash.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/extra/structural_hash.h>

/*! \brief Our hash; the test fails if tvm-ffi's is another. */
inline uint64_t Hash(const ::tvm::ffi::Any& value, bool map_free_vars = false) {
  uint64_t hash = tschema::StructuralHash(value, map_free_vars);
  EXPECT_EQ(hash, ::tvm::ffi::StructuralHash::Hash(value, map_free_vars));
  return hash;
}

#endif  // TSCHEMA_TESTS_STRUCTURAL_AGREED_HASH_H_
