/*!
 * \file fold.h
 * \brief Values that Python knows: numbers, strings, booleans and data types around a text.
 */
#ifndef UIR_SCRIPT_BUILD_FOLD_H_
#define UIR_SCRIPT_BUILD_FOLD_H_

#include <optional>
#include <string_view>

#include "./builder_state.h"

namespace uir::script {

/*! \brief Whether Python knows a value, and the text does not write it as a literal. */
bool IsFolded(const ffi::Any& value, const SyntaxNode* node);
/*! \brief Whether such a value is true; none of another one. */
std::optional<bool> FoldedTruth(const ffi::Any& value, const SyntaxNode* node);
/*! \brief The value that Python computes; none if Python cannot compute it. */
std::optional<ffi::Any> FoldUnary(std::string_view symbol, const ffi::Any& value);
std::optional<ffi::Any> FoldBinary(std::string_view symbol, const ffi::Any& a, const ffi::Any& b);
/*! \brief The value of an operation or a conditional expression: plain if Python knows it. */
ffi::Any BuildOperation(Builder* builder, const SyntaxNode* node, DLDataType like = kNoType);
/*! \brief An element of a buffer, a list or a dictionary. */
ffi::Any BuildSubscript(Builder* builder, const SyntaxNode* node);

}  // namespace uir::script

#endif  // UIR_SCRIPT_BUILD_FOLD_H_
