/*!
 * \file uir/tir/bit_set.h
 * \brief Sets of small numbers.
 */
#ifndef UIR_TIR_BIT_SET_H_
#define UIR_TIR_BIT_SET_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace uir::tir {

/*! \brief A set of small non-negative numbers, with one bit for each. */
class BitSet {
 public:
  void Add(size_t number) {
    words_.resize(std::max(words_.size(), number / 64 + 1));
    words_[number / 64] |= uint64_t{1} << number % 64;
  }
  void Remove(size_t number) {
    if (number / 64 < words_.size()) words_[number / 64] &= ~(uint64_t{1} << number % 64);
  }

  void Unite(const BitSet& other) {
    words_.resize(std::max(words_.size(), other.words_.size()));
    for (size_t i = 0; i < other.words_.size(); ++i) words_[i] |= other.words_[i];
  }
  void Intersect(const BitSet& other) {
    words_.resize(std::min(words_.size(), other.words_.size()));
    for (size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
  }
  void Subtract(const BitSet& other) {
    const size_t size = std::min(words_.size(), other.words_.size());
    for (size_t i = 0; i < size; ++i) words_[i] &= ~other.words_[i];
  }

  bool IsSubsetOf(const BitSet& other) const {
    for (size_t i = 0; i < words_.size(); ++i) {
      const uint64_t word = i < other.words_.size() ? other.words_[i] : 0;
      if ((words_[i] & ~word) != 0) return false;
    }
    return true;
  }

  /*! \brief The numbers, in ascending order. */
  std::vector<size_t> Numbers() const {
    std::vector<size_t> numbers;
    for (size_t i = 0; i < words_.size() * 64; ++i) {
      if ((words_[i / 64] >> i % 64 & 1) != 0) numbers.push_back(i);
    }
    return numbers;
  }

 private:
  std::vector<uint64_t> words_;
};

}  // namespace uir::tir

#endif  // UIR_TIR_BIT_SET_H_
