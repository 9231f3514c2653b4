/*!
 * \file relation.h
 * \brief The relation of the shapes of an operator's operands and results, from its text.
 *
 * In: types of operands and the values of attributes. Out: the shapes of the results, or an error
 * that names the operand and the dimension. It knows no calls.
 */
#ifndef UIR_SRC_RELAY_RELATION_H_
#define UIR_SRC_RELAY_RELATION_H_

#include <tvm/ffi/container/array.h>
#include <uir/ir/operator_table.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/type_context.h>

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "./formula.h"

namespace uir::relay {

using Shape = ffi::Array<ir::PrimExpr>;

/*! \brief A dimension of a pattern. */
struct DimensionPattern {
  ir::Formula formula;
  /*! \brief `*b`: any number of dimensions, which broadcast. */
  bool is_pack = false;
};

/*! \brief The shape of an operand or a result. */
struct ShapePattern {
  std::vector<DimensionPattern> dimensions;
  bool is_optional = false;
  bool is_variadic = false;
  /*! \brief The index of the pack; without one, the number of dimensions. */
  size_t pack = 0;
  std::string text;
};

/*! \brief An operand of a call, or an element of a variadic one. */
struct TypedOperand {
  const ir::OperandRow* row = nullptr;
  /*! \brief Null for an absent one. */
  const ir::TensorTypeNode* type = nullptr;
  /*! \brief The index in a variadic operand; -1 for another one. */
  int64_t element = -1;

  /*! \brief The name in messages: `x`, or `x[2]` for an element. */
  std::string Name() const;
};

/*! \brief The operands of one call, in memory that its inference lends. */
using TypedOperands = std::pmr::vector<TypedOperand>;

/*! \brief A shape pattern such as `(*b, m, k), (*b, k, n) -> (*b, m, n)`, parsed. */
class Relation {
 public:
  /*!
   * \brief Parse a relation.
   * \param text The relation.
   * \param require A condition on dimensions and attributes; empty for none.
   * \throws ValueError if one of them does not parse.
   */
  Relation(std::string_view text, std::string_view require);

  /*! \brief The names of dimensions and attributes, by slot. */
  const std::vector<std::string>& names() const { return names_; }

  /*!
   * \brief The shapes of the results.
   * \param operands The operands.
   * \param slots The values of the attributes; other slots are unset.
   * \param context Compares and computes dimensions.
   * \throws TypeError for a wrong rank or dimension.
   * \throws ValueError if the condition does not hold.
   */
  std::vector<Shape> Infer(const TypedOperands& operands, RuleValues slots,
                           TypeContext* context) const;

 private:
  std::vector<std::string> names_;
  std::vector<ShapePattern> operands_;
  std::vector<ShapePattern> results_;
  std::optional<ir::Formula> require_;
  std::string require_text_;
};

/*! \brief `(2, n, 16)`, for messages. */
std::string ToText(const Shape& shape);

/*!
 * \brief The shape that operands broadcast to, as in NumPy.
 * \param operands The operands; absent ones do not count.
 * \throws TypeError if two dimensions are neither equal nor 1.
 */
Shape Broadcast(const TypedOperands& operands, TypeContext* context);

/*! \brief The shape of all operands, which must be the same. */
Shape SameShape(const TypedOperands& operands, TypeContext* context);

/*!
 * \brief The shape without the reduced axes.
 * \param axes The axes, from -rank to rank - 1, without duplicates; `nullopt` for all.
 * \param keepdims Whether reduced dimensions stay, with the extent 1.
 */
Shape Reduce(const TypedOperands& operands, const std::optional<std::vector<int64_t>>& axes,
             bool keepdims);

}  // namespace uir::relay

#endif  // UIR_SRC_RELAY_RELATION_H_
