/*!
 * \file pair_sorter.h
 * \brief Loops that sort pairs of a key and a position, stably.
 */
#ifndef UIR_TRANSFORM_LOWER_OPS_PAIR_SORTER_H_
#define UIR_TRANSFORM_LOWER_OPS_PAIR_SORTER_H_

#include <uir/tir/builder.h>

#include <string>

#include "./index_math.h"

namespace uir::transform {

/*! \brief An `int64`, the type in which pairs are counted. */
PrimExpr PairIndex(int64_t value);

/*! \brief An unsigned integer of the same width with the order of elements: NaN is greater than any
 * number, -0.0 equals 0.0, and all NaN are equal. */
PrimExpr SortKey(const PrimExpr& element);

/*!
 * \brief Emits the loops that store and sort pairs in separate buffers.
 *
 * Few pairs are sorted by insertion, many by the bytes of their keys, the last byte first (Knuth,
 * The Art of Computer Programming 3, algorithms 5.2.1S and 5.2.5R). Both are stable. The time is
 * O(n) for n pairs, and the memory twice that of the pairs.
 */
class PairSorter {
 public:
  /*!
   * \param builder Gets the loops, and at once the buffers.
   * \param key The data type of keys, which is unsigned.
   * \param place The data type of positions and of the number of pairs.
   * \param capacity The maximal number of pairs, at least 1.
   */
  PairSorter(tir::Builder* builder, DLDataType key, DLDataType place, PrimExpr capacity);

  /*! \brief The number of pairs. */
  PrimExpr Count() const;
  /*! \brief The key of the pair with a rank. \pre The pairs are sorted. */
  PrimExpr Key(const PrimExpr& rank) const;
  /*! \brief The position of the pair with a rank. \pre The pairs are sorted. */
  PrimExpr Place(const PrimExpr& rank) const;

  void Clear();
  /*! \brief Append a pair. \pre The number of pairs is below the capacity. */
  void Append(const PrimExpr& key, const PrimExpr& place);
  /*! \brief Sort the pairs. \pre The first `num_sorted` are sorted. */
  void Sort(const PrimExpr& num_sorted);
  /*! \brief Drop all but the first pairs. */
  void Truncate(const PrimExpr& count);

 private:
  tir::Buffer Allocate(const std::string& name, DLDataType dtype, const PrimExpr& extent);
  PrimExpr IsFew(const PrimExpr& num_sorted) const;
  void InsertRest(const PrimExpr& num_sorted);
  void SortByBytes();
  void CountDescents();
  void SortFrom(const PrimExpr& first_byte);
  void ClearDigits();
  void CountDigits(int64_t first_byte, int64_t end_byte);
  void SortByByte(const PrimExpr& byte);
  void StartsOfDigits(const PrimExpr& byte);
  PrimExpr Digit(const PrimExpr& key, const PrimExpr& byte) const;
  void SetPair(const PrimExpr& at, const PrimExpr& key, const PrimExpr& place);

  tir::Builder* builder_;
  PrimExpr capacity_;
  int64_t num_bytes_;
  /*! \brief The keys, in one of two halves. */
  tir::Buffer keys_;
  tir::Buffer places_;
  /*! \brief For each byte of keys and each value of it, a number of pairs or a position. */
  tir::Buffer digits_;
  tir::Buffer count_;
  /*! \brief The start of the half with the pairs. */
  tir::Buffer begin_;
  /*! \brief Scalar variables of the loops. */
  tir::Buffer key_;
  tir::Buffer place_;
  tir::Buffer at_;
  tir::Buffer first_byte_;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_LOWER_OPS_PAIR_SORTER_H_
