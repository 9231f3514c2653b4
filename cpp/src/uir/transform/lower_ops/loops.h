/*!
 * \file loops.h
 * \brief Stages of several statements, for results that no single expression computes.
 */
#ifndef UIR_TRANSFORM_LOWER_OPS_LOOPS_H_
#define UIR_TRANSFORM_LOWER_OPS_LOOPS_H_

#include <uir/ir/tensor_type.h>
#include <uir/tir/builder.h>

#include <functional>
#include <string>
#include <vector>

#include "./index_math.h"
#include "./operator_call.h"

namespace uir::transform {

/*! \brief Runs the statements of a stage, which store into buffers. */
using StageFunction =
    std::function<void(tir::Builder* builder, const std::vector<tir::Buffer>& outputs)>;

/*! \brief A stage that stores tensors of some types; `body` may read values. */
Values StoreInLoops(const std::string& name, const std::vector<ir::TensorType>& outputs,
                    const StageFunction& body);

/*! \brief A loop for each extent, from the outermost one; `body` takes their variables. */
void InLoops(tir::Builder* builder, const Indices& extents,
             const std::function<void(const Indices&)>& body);

/*! \brief The element of a matrix in a row and a column. */
using MatrixElement = std::function<PrimExpr(const PrimExpr& row, const PrimExpr& column)>;

/*! \brief A product of matrices: `result[i, j] = sum(k: a(i, k) * b(k, j))`. */
void StoreProduct(tir::Builder* builder, const tir::Buffer& result, const Indices& shape,
                  const PrimExpr& sum, const MatrixElement& a, const MatrixElement& b);

/*! \brief A variable with a value, up to the end of the scope. */
tir::Var BindValue(tir::Builder* builder, const std::string& name, const PrimExpr& value);

/*! \brief A scalar variable in memory. */
tir::Buffer LocalScalar(tir::Builder* builder, const std::string& name, DLDataType dtype);

/*! \brief The value of a scalar variable. */
PrimExpr Load(const tir::Buffer& scalar);

/*! \brief Give a scalar variable a value. */
void StoreScalar(tir::Builder* builder, const tir::Buffer& scalar, const PrimExpr& value);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_LOWER_OPS_LOOPS_H_
