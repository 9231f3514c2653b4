/*!
 * \file parallel_matmuls.h
 * \brief Products of one value by several constant matrices, such as the queries, keys and values
 * of attention.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_PARALLEL_MATMULS_H_
#define UIR_TRANSFORM_ANALYSIS_PARALLEL_MATMULS_H_

#include <uir/relay/function.h>

#include <cstdint>
#include <unordered_set>
#include <vector>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief One of the products. */
struct ParallelMatmul {
  relay::Var product;
  ir::RelayExpr weight;
  /*! \brief The number of columns of the weight. */
  int64_t num_columns;
  /*! \brief The sum of the product and a constant row, if this is the only use of the product. */
  ffi::Optional<relay::Var> sum;
  ffi::Optional<ir::RelayExpr> summand;
};

/*! \brief Products of one value, in the order of their bindings. */
struct ParallelMatmuls {
  ir::RelayExpr data;
  std::vector<ParallelMatmul> products;

  /*! \brief Whether each product has a summand. */
  bool HaveSummands() const;
};

/*!
 * \brief The sets of at least two products in the body of a function in A-normal form with types.
 *
 * \param func The function.
 * \param constants The variables of values that depend on constants alone.
 */
std::vector<ParallelMatmuls> FindParallelMatmuls(
    const relay::Function& func, const std::unordered_set<const ffi::Object*>& constants);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_PARALLEL_MATMULS_H_
