/*!
 * \file uir/ir/stored_call.h
 * \brief Upgrades of calls of operators in files of older versions.
 *
 * An operator may have had another name, and its calls other arguments. Its declaration has the
 * upgrade (`@operator(upgrade="soft(x) -> soften(x, low=1.0)")`), or a function is registered
 * (`register_upgrade`). The constructors of calls use `UpgradeStoredCall`.
 */
#ifndef UIR_IR_STORED_CALL_H_
#define UIR_IR_STORED_CALL_H_

#include <tschema/callable.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <uir/ir/op.h>

#include <cstdint>
#include <optional>

namespace uir::ir {

/*! \brief An argument of an upgraded call: a stored argument, a constant, or absent. */
struct UpgradedArgument {
  enum class Kind : uint8_t { kAbsent, kStored, kBool, kInt, kFloat, kText };

  constexpr UpgradedArgument() = default;
  /*! \brief A stored argument, a boolean or an integer. */
  constexpr UpgradedArgument(Kind kind, int64_t number) : kind(kind), number(number) {}
  constexpr UpgradedArgument(Kind kind, double real) : kind(kind), real(real) {}
  constexpr UpgradedArgument(Kind kind, const char* text) : kind(kind), text(text) {}

  Kind kind = Kind::kAbsent;
  /*! \brief The position of a stored argument, or the value of a constant. */
  int64_t number = 0;
  double real = 0;
  const char* text = "";
};

/*! \brief The form of an operator's calls in files of an older version. */
struct StoredCallRow {
  /*! \brief The name of the operator in the registry. */
  const char* op = nullptr;
  /*! \brief Its name in files. */
  const char* name = nullptr;
  /*! \brief The number of arguments of a stored call; -1 if the arguments are unchanged. */
  int32_t num_arguments = -1;
  tschema::Rows<UpgradedArgument> arguments = {};
};

/*! \brief A stored call in its current form. */
struct UpgradedCall {
  Op op;
  /*! \brief Expressions, plain values for constants, and None for an absent operand. */
  ffi::Array<ffi::Any> args;
  /*! \brief The node of attributes, or None. */
  ffi::Any attrs;
};

/*!
 * \brief Register older forms of the calls of operators.
 * \param rows Must live as long as the process, as the rows of a table do. The first query of the
 * registry throws if a form is taken.
 */
void AddStoredCalls(tschema::Rows<StoredCallRow> rows) noexcept;

/*!
 * \brief Register an older form of an operator's calls.
 * \param row Must live as long as the process.
 * \throws ValueError if the form is taken, or the operator is unknown.
 */
void AddStoredCall(const StoredCallRow& row);

/*!
 * \brief The operator that a file names.
 *
 * A former name whose calls have other arguments gives an operator outside the registry, which is
 * valid only in a call of the stored form.
 *
 * \throws ValueError if the operator is unknown.
 */
Op FindStoredOp(const ffi::String& name);

/*! \brief Whether any operator has an older form; otherwise no call needs an upgrade. */
bool HasStoredCalls();

/*!
 * \brief Upgrade a stored call; `nullopt` if it has the current form.
 * \param op The callee.
 * \param args Its arguments.
 * \param attrs The node of attributes, or None.
 * \throws ValueError if the operator was renamed, and no form has these arguments.
 */
std::optional<UpgradedCall> UpgradeStoredCall(const OpNode* op, const ffi::Array<ffi::Any>& args,
                                              const ffi::Any& attrs);

}  // namespace uir::ir

#endif  // UIR_IR_STORED_CALL_H_
