/*!
 * \file uir/arith/data.h
 * \brief Bindings in an analyzer, and queries of passes before they make index arithmetic.
 *
 * Sums and products of indices are assumed to fit their type; those of data, which depend on
 * memory, wrap around (docs/compiler/arith.md).
 */
#ifndef UIR_ARITH_DATA_H_
#define UIR_ARITH_DATA_H_

#include <uir/arith/analyzer.h>
#include <uir/tir/var.h>

namespace uir::arith {

/*!
 * \brief Add the value that a `Bind` or a `Let` gives a variable to an analyzer's facts.
 *
 * The variable counts as data if its value is data, or a sum that is not proved to fit its type.
 * \param analyzer The analyzer.
 * \param var The variable.
 * \param value Its value, of the same data type.
 */
void BindDefinition(const Analyzer& analyzer, const tir::Var& var, const ir::PrimExpr& value);

/*! \brief Whether an analyzer has a fact about a variable. */
bool IsKnown(const Analyzer& analyzer, const tir::Var& var);

/*! \brief Whether a value depends on memory, on calls with effects, or on variables that do. */
bool IsData(const Analyzer& analyzer, const ir::PrimExpr& expr);

/*! \brief Whether an analyzer has simplified an expression with a `Let`. */
bool HasMetLet(const Analyzer& analyzer);

/*! \brief Whether a sum or product of integers is proved to fit its type. */
bool Fits(const Analyzer& analyzer, const ir::PrimExpr& expr);

}  // namespace uir::arith

#endif  // UIR_ARITH_DATA_H_
