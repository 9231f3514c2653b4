/*!
 * \file byte_products.h
 * \brief Sums of products of uint8 and int8, four terms at a time.
 */
#ifndef UIR_SCHEDULE_NEST_BYTE_PRODUCTS_H_
#define UIR_SCHEDULE_NEST_BYTE_PRODUCTS_H_

#include "../contraction.h"
#include "./nest.h"

namespace uir::schedule::nest {

/*! \brief The bytes of an int32, which are multiplied at once. */
constexpr int64_t kBytes = 4;

/*! \brief Whether a contraction has products of a uint8 and an int8, in a sum over one loop whose
 * known number of terms is a multiple of four. */
bool IsByteProduct(const Contraction& contraction);

/*! \brief Whether the right operand has the bytes of int32, other than weights in panels, and is
 * read where it lies. */
bool ReadsWords(const Contraction& contraction);

/*!
 * \brief Let a contraction read words by one index, of which neighbouring columns are neighbours.
 * \return The declaration of the buffer with one index.
 */
tir::DeclBuffer ReadWordsInLine(Contraction* contraction);

/*!
 * \brief A byte of weights that lie four to an int32.
 * \param packed The weights.
 * \param indices The indices, of which the second last one counts terms.
 * \param load The load of the byte before.
 */
PrimExpr PackedByte(const tir::Buffer& packed, ffi::Array<PrimExpr> indices,
                    const tir::BufferLoadNode* load);

/*!
 * \brief The nest whose terms are `tir.dot4` of four products, if its products are those of a uint8
 * and an int8; else the nest.
 *
 * An operand is then an int32 of four bytes: neighbours in memory, packed weights, or bytes of
 * different lines that a copy of the operand interleaves.
 *
 * \param nest A nest with the operands of a contraction, without loops.
 * \param term Counts all terms of a sum.
 */
Nest ByteProducts(const Nest& nest, const tir::Var& term);

}  // namespace uir::schedule::nest

#endif  // UIR_SCHEDULE_NEST_BYTE_PRODUCTS_H_
