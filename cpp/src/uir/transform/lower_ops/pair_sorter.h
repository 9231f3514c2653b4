/*!
 * \file pair_sorter.h
 * \brief Loops that sort pairs of a key and a place, stably.
 */
#ifndef UIR_TRANSFORM_LOWER_OPS_PAIR_SORTER_H_
#define UIR_TRANSFORM_LOWER_OPS_PAIR_SORTER_H_

#include <uir/tir/builder.h>

#include <string>

#include "./index_math.h"

namespace uir::transform {

/*! \brief An integer of the type in which pairs are counted, int64. */
PrimExpr PairIndex(int64_t value);

/*! \brief An unsigned integer of as many bits that orders elements: NaN is greater than numbers,
 * -0.0 equals 0.0, and all NaN are equal. */
PrimExpr SortKey(const PrimExpr& element);

/*!
 * \brief Emits the loops that keep and sort pairs in buffers of their own.
 *
 * Few pairs are inserted one after the other, many are sorted by the bytes of their keys, from the
 * last one (Knuth, The Art of Computer Programming 3, algorithms 5.2.1S and 5.2.5R). Both are
 * stable. Time is O(n) for n pairs, and memory twice that of the pairs.
 */
class PairSorter {
 public:
  /*!
   * \param builder Takes the loops, and now the buffers.
   * \param key The data type of keys, an unsigned one.
   * \param place The data type of places and of the number of pairs.
   * \param capacity The most pairs, at least 1.
   */
  PairSorter(tir::Builder* builder, DLDataType key, DLDataType place, PrimExpr capacity);

  /*! \brief The number of pairs. */
  PrimExpr Count() const;
  /*! \brief The key of a rank. \pre The pairs are sorted. */
  PrimExpr Key(const PrimExpr& rank) const;
  /*! \brief The place of a rank. \pre The pairs are sorted. */
  PrimExpr Place(const PrimExpr& rank) const;

  void Clear();
  /*! \brief Add a pair behind the others. \pre There are fewer than the capacity. */
  void Append(const PrimExpr& key, const PrimExpr& place);
  /*! \brief Sort the pairs, of which the first `num_sorted` are in order. */
  void Sort(const PrimExpr& num_sorted);
  /*! \brief Keep only the first pairs. */
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
  PrimExpr DigitCount(const PrimExpr& byte, const PrimExpr& digit) const;
  void SetPair(const PrimExpr& at, const PrimExpr& key, const PrimExpr& place);

  tir::Builder* builder_;
  PrimExpr capacity_;
  int64_t num_bytes_;
  /*! \brief Two halves, of which one has the pairs. */
  tir::Buffer keys_;
  tir::Buffer places_;
  /*! \brief For each byte of keys and each value of it a number of pairs, or a place. */
  tir::Buffer digits_;
  tir::Buffer count_;
  /*! \brief Where the half of the pairs begins. */
  tir::Buffer begin_;
  /*! \brief Scalars of the loops. */
  tir::Buffer key_;
  tir::Buffer place_;
  tir::Buffer at_;
  tir::Buffer first_byte_;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_LOWER_OPS_PAIR_SORTER_H_
