/*!
 * \file equal_words.h
 * \brief Equality of the plain fields of two objects of one type.
 */
#ifndef TSCHEMA_SRC_STRUCTURAL_EQUAL_WORDS_H_
#define TSCHEMA_SRC_STRUCTURAL_EQUAL_WORDS_H_

#include <tschema/type_info.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "./structural_descriptor.h"
#include "./value.h"

namespace tschema {

/*! \brief Whether masked words, which differ, hold floats that are both NaN. */
inline bool AreBothNaN(uint64_t lhs, uint64_t rhs, const WordTest& word) {
  if (word.kind == FieldKind::kFloat64) {
    double left, right;
    std::memcpy(&left, &lhs, sizeof(left));
    std::memcpy(&right, &rhs, sizeof(right));
    return detail::AreNaN(left, right);
  }
  if (word.kind != FieldKind::kFloat32) return false;
  int shift = __builtin_ctzll(word.mask);
  auto left_bits = static_cast<uint32_t>(lhs >> shift);
  auto right_bits = static_cast<uint32_t>(rhs >> shift);
  float left, right;
  std::memcpy(&left, &left_bits, sizeof(left));
  std::memcpy(&right, &right_bits, sizeof(right));
  return detail::AreNaN(left, right);
}

inline bool EqualWord(const ffi::Object* lhs, const ffi::Object* rhs, const WordTest& word) {
  uint64_t left = LoadWord(lhs, word.offset) & word.mask;
  uint64_t right = LoadWord(rhs, word.offset) & word.mask;
  return left == right || AreBothNaN(left, right, word);
}

/*! \brief Compare the plain fields. */
[[gnu::noinline]] inline bool EqualWords(const ffi::Object* lhs, const ffi::Object* rhs,
                                         const StructuralDescriptor& descriptor) {
  return std::all_of(descriptor.words.begin(), descriptor.words.end(),
                     [&](const WordTest& word) { return EqualWord(lhs, rhs, word); });
}

/*! \brief Compare the plain fields. \pre The shape is not `kOther`. */
inline bool EqualSimpleWords(const ffi::Object* lhs, const ffi::Object* rhs,
                             const StructuralDescriptor& descriptor) {
  uint64_t difference = 0;
  for (int i = 0; i < kMaxSimpleWords; ++i) {
    uint32_t offset = descriptor.simple_words[i];
    difference |= (LoadWord(lhs, offset) ^ LoadWord(rhs, offset)) & descriptor.simple_masks[i];
  }
  if (__builtin_expect(difference == 0, 1)) return true;
  return descriptor.has_floats && EqualWords(lhs, rhs, descriptor);
}

}  // namespace tschema

#endif  // TSCHEMA_SRC_STRUCTURAL_EQUAL_WORDS_H_
