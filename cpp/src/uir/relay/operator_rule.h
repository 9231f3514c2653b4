/*!
 * \file operator_rule.h
 * \brief The rule for the types of an operator's results, from its row of the table.
 */
#ifndef UIR_SRC_RELAY_OPERATOR_RULE_H_
#define UIR_SRC_RELAY_OPERATOR_RULE_H_

#include <uir/ir/operator_table.h>
#include <uir/relay/infer.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "./relation.h"

namespace uir::relay {

enum class RelationKind : uint8_t { kSame, kBroadcast, kReduce, kPattern, kCustom };

enum class DataTypeClass : uint8_t { kAny, kFloat, kInt, kNumber, kBool, kExactly };

/*! \brief The data types of an operand: `T: float`, `T`, `float` or `int64`. */
struct DataTypeRule {
  /*! \brief The variable; empty for none. */
  std::string variable;
  /*! \brief `float`, `int`, `number`, `bool`, `any` or a data type. */
  std::string text;
  DataTypeClass accepted = DataTypeClass::kAny;
  /*! \brief The data type of `kExactly`. */
  DLDataType dtype{};
};

/*! \brief A rule, parsed. */
struct OperatorRule {
  const ir::OperatorRow* row = nullptr;
  RelationKind kind = RelationKind::kSame;
  /*! \brief The pattern; `nullopt` for other kinds. */
  std::optional<Relation> relation;
  /*! \brief The attributes that the pattern names, by slot; null for a dimension. */
  std::vector<const ir::AttributeRow*> slots;
  std::vector<DataTypeRule> operands;
  /*! \brief For each result a variable, a data type or an attribute; empty for the first operand.
   */
  std::vector<std::string> results;
  /*! \brief The function of the kind `kCustom`; may be null. */
  InferFunction infer = nullptr;
};

/*!
 * \brief The rule of an operator, null for one without a relation.
 * \throws ValueError if its texts do not parse.
 */
const OperatorRule* FindOperatorRule(const ir::Op& op);

/*!
 * \brief Check the data types of the operands.
 * \throws TypeError if the data type of an operand violates the rule.
 */
void CheckDataTypes(const OperatorRule& rule, const TypedOperands& operands);

/*! \brief The data type of the result with an index. */
DLDataType ResultDataType(const OperatorRule& rule, const TypedOperands& operands,
                          const CallNode* call, size_t index);

/*! \brief The value of an attribute; None if the node lacks it. */
ffi::Any AttributeOf(const CallNode* call, const std::string& name);

}  // namespace uir::relay

#endif  // UIR_SRC_RELAY_OPERATOR_RULE_H_
