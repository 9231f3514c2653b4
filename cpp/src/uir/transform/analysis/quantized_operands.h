/*!
 * \file quantized_operands.h
 * \brief Operands of products that are quantized: integers of 8 bits, less a zero point, perhaps
 * times a scale.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_QUANTIZED_OPERANDS_H_
#define UIR_TRANSFORM_ANALYSIS_QUANTIZED_OPERANDS_H_

#include <uir/relay/block.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief The least and the greatest magnitude of numbers that are not 0. */
struct Magnitudes {
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
};

/*! \brief `(values - zero) * scale`. */
struct QuantizedOperand {
  /*! \brief Integers of 8 bits. */
  ir::RelayExpr values{ffi::UnsafeInit{}};
  /*! \brief The difference `values - zero` as int32, or `values` as int32. */
  ir::RelayExpr centered{ffi::UnsafeInit{}};
  /*! \brief The zero points as int32; none for 0. */
  ffi::Optional<ir::RelayExpr> zero;
  /*! \brief The scales as float32; none if the operand is of int32. */
  ffi::Optional<ir::RelayExpr> scale;
  /*! \brief Those of the scales. */
  Magnitudes magnitudes;
};

/*! \brief Whether a tensor is known to have one element. */
bool IsSingle(const ir::RelayExpr& factors);

/*! \brief Whether factors are one, or broadcast from the first axis of tensors of a rank alone. */
bool IsOfFirstAxis(const ir::RelayExpr& factors, size_t rank);

/*! \brief Finds operands by the bindings in scope. */
class QuantizedOperands {
 public:
  /*! \brief Take a binding into account, of a function or of a branch or body inside it. */
  void Add(const relay::Binding& binding);

  /*!
   * \brief The quantized operand that a value is; none if it is something else.
   *
   * Scales are constant and finite, with zero points of the type of the values. Zero points
   * and scales have one element along the axis of the terms, as far as they have that axis.
   *
   * \param expr The value.
   * \param terms How many axes the axis of the terms is before the end: 1 for the last one.
   */
  std::optional<QuantizedOperand> Find(const ir::RelayExpr& expr, int64_t terms) const;

  /*! \brief Whether the zero point of an operand is one of its values, so that it can pad them. */
  bool HasZeroOfValues(const QuantizedOperand& operand) const;

  /*! \brief The zero point in the type of the values. \pre The operand has such a zero point. */
  ir::RelayExpr ZeroOfValues(const QuantizedOperand& operand) const;

  /*! \brief Whether a value depends only on constants, by few steps. */
  bool IsConstant(const ir::RelayExpr& expr) const;

 private:
  const relay::CallNode* CallOf(const ir::RelayExpr& expr, std::string_view name) const;
  std::optional<QuantizedOperand> FindCentered(const ir::RelayExpr& expr, int64_t terms) const;
  bool DependsOnConstants(const ir::RelayExpr& expr, int steps) const;
  std::optional<Magnitudes> MagnitudesOfConstant(ir::RelayExpr expr) const;

  std::unordered_map<const ffi::Object*, ir::RelayExpr> values_;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_QUANTIZED_OPERANDS_H_
