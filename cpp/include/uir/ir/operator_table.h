/*!
 * \file uir/ir/operator_table.h
 * \brief Operators as data: the rows that emitted code registers, and calls through them.
 *
 * A declaration (`@operator`) becomes one `OperatorRow`. `AddOperators` enters a table of rows in
 * the registry (`uir/ir/op.h`): the operands become `Op::arguments`, and each trait becomes an
 * attribute of the operator, so that `op_attr(op, "relation")` is the text of the rule.
 */
#ifndef UIR_IR_OPERATOR_TABLE_H_
#define UIR_IR_OPERATOR_TABLE_H_

#include <tschema/callable.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/optional.h>
#include <uir/ir/op.h>

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace uir::ir {

/*! \brief An operand of an operator. */
struct OperandRow {
  const char* name;
  /*! \brief A type variable, a class of data types or both: `T: float`, `T`, `int`. */
  const char* dtype;
  const char* doc;
  /*! \brief Whether it may be absent. */
  bool is_optional = false;
  /*! \brief Whether it takes any number of expressions. */
  bool is_variadic = false;
  /*! \brief Its position among the arguments if attributes precede it, else -1. */
  int32_t position = -1;
};

/*! \brief An attribute of an operator: an argument that is not an operand. */
struct AttributeRow {
  const char* name;
  /*! \brief The type as a schema spells it: `Array[int64]`. */
  const char* type;
  const char* doc;
};

/*! \brief A fact about an operator, which becomes an attribute in the registry. */
struct TraitRow {
  enum class Kind : uint8_t { kText, kNumber, kBool };

  constexpr TraitRow(const char* name, const char* text) : name(name), text(text) {}
  constexpr TraitRow(const char* name, int64_t number)
      : name(name), kind(Kind::kNumber), number(number) {}
  constexpr TraitRow(const char* name, bool value) : name(name), kind(Kind::kBool), number(value) {}

  const char* name;
  Kind kind = Kind::kText;
  const char* text = "";
  int64_t number = 0;
};

/*! \brief Converts a plain number to a constant; `like` is the other operand, or None. */
using NumberFunction = ffi::Any (*)(const ffi::Any& number, const ffi::Any& like);

/*! \brief The declaration of an operator. */
struct OperatorRow {
  /*! \brief Its name in the registry: `tir.exp`. */
  const char* name = nullptr;
  const char* doc = nullptr;
  tschema::Rows<OperandRow> operands;
  tschema::Rows<AttributeRow> attributes;
  /*! \brief The type key of the node of attributes; null if they are arguments of the call. */
  const char* attrs_key = nullptr;
  /*! \brief Traits such as `kind`, `relation`, `require` or `scalar`, and those of the dialect. */
  tschema::Rows<TraitRow> traits;
  /*! \brief Null in a dialect that takes no plain numbers. */
  NumberFunction number = nullptr;
  /*! \brief The name of a global function that replaces `number` in loaded rows; may be null. */
  const char* number_key = nullptr;
};

/*!
 * \brief Register operators before the next query of the registry.
 * \param rows Must live as long as the process, as the rows of a table do.
 * \param place Where they are declared, such as `schema/tir/math.py`.
 */
void AddOperators(tschema::Rows<const OperatorRow*> rows, const char* place) noexcept;

/*!
 * \brief Register an operator now.
 * \param row Must live as long as the process.
 * \param place Where it is declared.
 */
Op RegisterOperator(const OperatorRow& row, const ffi::String& place);

/*! \brief The operator of a row, found once. */
template <const OperatorRow& kRow>
const Op& OperatorOf() {
  static const Op* const op = new Op(get_op(kRow.name));
  return *op;
}

/*! \brief The row of an operator; null for one that was registered without. */
const OperatorRow* FindOperatorRow(const Op& op);

/*! \brief The names of operands and attributes, in the order of the function's arguments. */
std::vector<std::string_view> ArgumentNamesOf(const OperatorRow& row);

/*! \brief The index of the operand with a name, or -1. */
int32_t FindOperand(const OperatorRow& row, std::string_view name);

/*! \brief The rule for the data type of the result; empty if it is that of the first operand. */
std::string_view ResultRuleOf(const OperatorRow& row);

/*! \brief The position of the attribute that holds the data type of the result; -1 if none does. */
int32_t ResultAttributeOf(const OperatorRow& row);

/*!
 * \brief Convert the plain numbers among the operands of a call to constants.
 *
 * A number takes the data type of the operand with the same type variable.
 *
 * \param row The operator.
 * \param operands One for each declared operand: an expression or a number, None for an absent
 * one, an array for a variadic one.
 */
void ConvertNumbers(const OperatorRow& row, std::vector<ffi::Any>* operands);

/*! \brief The value of an attribute that is a list: `[1]` for 1, otherwise the given value. */
ffi::Any ListOfOne(const ffi::Any& value);

namespace detail {

/*! \brief The operands of a call, with plain numbers converted to constants. */
std::vector<ffi::Any> OperandsOf(const OperatorRow& row, const tschema::Arguments& arguments);

/*! \brief The index of the operand at a position of the arguments; -1 for an attribute. */
int32_t OperandAt(const OperatorRow& row, int32_t place);

/*! \brief Reject a value that is not a source location, such as the `0` of `f(x, 1, 0)`, which
 * should have been `f(x, [1, 0])`. */
void CheckLocation(const OperatorRow& row, const ffi::Any& value);

template <typename T>
constexpr bool kIsList = false;
template <typename T>
constexpr bool kIsList<ffi::Array<T>> = true;
template <typename T>
constexpr bool kIsList<ffi::Optional<ffi::Array<T>>> = true;

template <typename T>
T ArgumentAt(const OperatorRow& row, const std::vector<ffi::Any>& operands,
             const tschema::Arguments& arguments, std::size_t place) {
  const int32_t index = OperandAt(row, static_cast<int32_t>(place));
  if (index >= 0) {
    // For any other value, `Get` below throws an error with the parameter's name.
    const ffi::Any& value = operands[static_cast<std::size_t>(index)];
    if (std::optional<T> operand = value.try_cast<T>()) return *std::move(operand);
  }
  const auto position = static_cast<int32_t>(place);
  if constexpr (kIsList<T>) {
    const ffi::Any list = ListOfOne(arguments.Get<ffi::Any>(position));
    if (std::optional<T> converted = list.try_cast<T>()) return *std::move(converted);
  }
  if constexpr (std::is_same_v<T, ffi::Optional<Span>>) {
    CheckLocation(row, arguments.Get<ffi::Any>(position));
  }
  return arguments.Get<T>(position);
}

template <typename Result, typename... Args, std::size_t... kIndex>
ffi::Any CallOperator(const OperatorRow& row, Result (*function)(Args...),
                      const tschema::Arguments& arguments, std::index_sequence<kIndex...>) {
  const std::vector<ffi::Any> operands = OperandsOf(row, arguments);
  return ffi::Any(function(ArgumentAt<std::decay_t<Args>>(row, operands, arguments, kIndex)...));
}

template <typename Result, typename... Args>
ffi::Any CallOperator(const OperatorRow& row, Result (*function)(Args...),
                      const tschema::Arguments& arguments) {
  return CallOperator(row, function, arguments, std::index_sequence_for<Args...>{});
}

template <typename Result, typename Like>
ffi::Any CallNumber(Result (*function)(ffi::Any, Like), const ffi::Any& number,
                    const ffi::Any& like) {
  return ffi::Any(function(number, like.cast<Like>()));
}

}  // namespace detail

/*! \brief Call the function of an operator, with plain numbers converted to operands. */
template <const OperatorRow& kRow, auto kFunction>
ffi::Any InvokeOperator(const tschema::Arguments& arguments) {
  return detail::CallOperator(kRow, kFunction, arguments);
}

/*! \brief The `NumberFunction` of a function such as `tir::as_operand(value, like)`. */
template <auto kFunction>
ffi::Any MakeNumber(const ffi::Any& number, const ffi::Any& like) {
  return detail::CallNumber(kFunction, number, like);
}

}  // namespace uir::ir

#endif  // UIR_IR_OPERATOR_TABLE_H_
