/*!
 * \file packed_matrix.h
 * \brief Matrices of small integers, several of which lie in a word.
 */
#ifndef UIR_TRANSFORM_LOWER_OPS_PACKED_MATRIX_H_
#define UIR_TRANSFORM_LOWER_OPS_PACKED_MATRIX_H_

#include <cstdint>
#include <optional>

#include "./operator_call.h"

namespace uir::transform {

/*! \brief The matrix of a call of `relay.matmul_n_bits`. */
struct PackedMatrix {
  Value words;
  Value scales;
  std::optional<Value> zeros;
  int64_t bits;
  int64_t columns;

  explicit PackedMatrix(const OperatorCall& call);

  PrimExpr panels() const { return words.shape()[0]; }
  PrimExpr blocks() const { return words.shape()[1]; }
  PrimExpr words_of_block() const { return words.shape()[2]; }
  int64_t numbers_of_word() const { return words.dtype().bits / bits; }

  /*! \brief The power of two that a number is multiplied with where it lies. */
  int64_t PowerOf(int64_t number) const;

  /*! \brief A number of a word, times its power of two. */
  PrimExpr Number(const PrimExpr& word, int64_t number, DLDataType dtype) const;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_LOWER_OPS_PACKED_MATRIX_H_
