/*!
 * \file value.h
 * \brief Equality and hash of FFI values that need no walk: plain ones, strings, shapes, tensors.
 *
 * The results are those of tvm-ffi.  The engines compare nodes.
 */
#ifndef TSCHEMA_SRC_STRUCTURAL_VALUE_H_
#define TSCHEMA_SRC_STRUCTURAL_VALUE_H_

#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/object.h>

#include <cstdint>

#include "../support/raw_value.h"

namespace tschema {

/*! \brief The result of a comparison of two values without a walk. */
enum class Verdict : uint8_t {
  kEqual,
  kDifferent,
  /*! \brief Objects of one type, whose parts decide. */
  kObjects,
};

namespace detail {

/*! \brief Compare strings or bytes, small or on the heap, and values of different types. */
bool EqualUnlikeValues(const TVMFFIAny& lhs, const TVMFFIAny& rhs);

/*! \brief Compare two heap strings or heap bytes. */
bool EqualHeapBytes(const TVMFFIAny& lhs, const TVMFFIAny& rhs);

/*! \brief Whether two floats are both NaN. */
inline bool AreNaN(double lhs, double rhs) { return lhs != lhs && rhs != rhs; }

}  // namespace detail

/*! \brief Compare two values as far as that needs no walk. */
inline Verdict CompareValues(const TVMFFIAny& lhs, const TVMFFIAny& rhs) {
  bool is_equal;
  if (lhs.type_index != rhs.type_index) {
    is_equal = detail::EqualUnlikeValues(lhs, rhs);
  } else if (IsEntered(lhs)) {
    return Verdict::kObjects;
  } else if (IsHeapBytes(lhs.type_index)) {
    is_equal = detail::EqualHeapBytes(lhs, rhs);
  } else {
    is_equal = (lhs.zero_padding == rhs.zero_padding && lhs.v_uint64 == rhs.v_uint64) ||
               (lhs.type_index == kTVMFFIFloat && detail::AreNaN(lhs.v_float64, rhs.v_float64));
  }
  return is_equal ? Verdict::kEqual : Verdict::kDifferent;
}

/*!
 * \brief Check that the elements of a tensor lie in the memory of the CPU without gaps.
 * \param action The action that requires it, for messages: `compared`.
 * \throws ValueError if they do not.
 */
void CheckReadable(const ffi::TensorObj* tensor, const char* action);

/*! \brief The first byte of a tensor's elements. */
const char* DataOf(const ffi::TensorObj* tensor);

/*! \brief Compare two shapes, tensors or big integers: objects of one type without parts. */
bool EqualLeaves(const ffi::Object* lhs, const ffi::Object* rhs);

inline uint64_t CombineHash(uint64_t hash, uint64_t value) {
  return ffi::detail::StableHashCombine(hash, value);
}

/*! \brief Hash a float as tvm-ffi does: every NaN alike. */
uint64_t HashFloat(double value);

/*! \brief Hash strings and bytes, small or on the heap, and floats. \pre It is none entered. */
uint64_t HashValue(const TVMFFIAny& value);

/*! \brief The hash of None, and so of a reference that is not there. */
inline uint64_t HashNone() { return CombineHash(kTVMFFINone, 0); }

/*! \brief Hash a shape, a tensor or a big integer. */
uint64_t HashLeaf(const ffi::Object* object, uint64_t key_hash);

/*!
 * \brief Hash a key of a map that needs no walk, as tvm-ffi does with keys.
 * \pre The value is not entered, or a big integer.
 */
uint64_t HashKey(const TVMFFIAny& key);

}  // namespace tschema

#endif  // TSCHEMA_SRC_STRUCTURAL_VALUE_H_
