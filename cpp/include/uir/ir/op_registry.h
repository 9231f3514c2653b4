/*!
 * \file uir/ir/op_registry.h
 * \brief How a dialect brings its operators along.
 *
 * The functions of `uir/ir/op.h` are the registry itself.  A dialect adds its operators in a
 * static initializer, where nothing may throw and no object should be made: it leaves a function,
 * and the registry calls it when it is first asked.
 */
#ifndef UIR_IR_OP_REGISTRY_H_
#define UIR_IR_OP_REGISTRY_H_

#include <uir/ir/op.h>

#include <functional>
#include <vector>

namespace uir::ir {

/*! \brief Adds operators by `register_op` and `set_op_attr`. */
using OpProvider = std::function<void()>;

/*! \brief Have operators added before the registry answers its next question. */
void AddOpProvider(OpProvider provider) noexcept;

/*!
 * \brief What an operator is made of, gathered while libraries load.
 *
 * \code
 *   UIR_IR_REGISTER_OP("toy.square")
 *       .Describe("Square of a number.")
 *       .Argument("x", "float32", "The number.")
 *       .Attr("TCallEffectKind", static_cast<int64_t>(tir::CallEffectKind::kPure));
 * \endcode
 */
class OpRegistration {
 public:
  /*! \brief `place` is where the operator is registered, `file:line`. */
  OpRegistration(const char* name, const char* place) : name_(name), place_(place) {}

  /*! \brief Say what the operator computes. */
  OpRegistration& Describe(const char* description) {
    description_ = description;
    return *this;
  }
  /*! \brief Say how many arguments a call has, where they are not described. */
  OpRegistration& NumInputs(int32_t num_inputs) {
    num_inputs_ = num_inputs;
    return *this;
  }
  /*! \brief Describe the next argument. */
  OpRegistration& Argument(const char* name, const char* type_info, const char* description) {
    arguments_.push_back({name, type_info, description});
    return *this;
  }
  /*! \brief Give the operator an attribute: a plain value or a text. */
  template <typename T>
  OpRegistration& Attr(const char* name, T value) {
    attrs_.push_back([name, value](const Op& op, const ffi::String& place) {
      set_op_attr(op, name, ffi::Any(value), place);
    });
    return *this;
  }

  /*! \brief Add the operator; what the registry does when it is first asked. */
  void Register() const;

 private:
  struct ArgumentText {
    const char* name;
    const char* type_info;
    const char* description;
  };

  const char* name_;
  const char* place_;
  const char* description_ = "";
  int32_t num_inputs_ = -1;
  std::vector<ArgumentText> arguments_;
  std::vector<std::function<void(const Op&, const ffi::String&)>> attrs_;
};

namespace detail {

/*! \brief Keeps a registration that is gathered while libraries load. */
OpRegistration& KeepOp(const char* name, const char* place);

}  // namespace detail

}  // namespace uir::ir

#define UIR_IR_TEXT_OF_(Value) #Value
#define UIR_IR_TEXT_OF(Value) UIR_IR_TEXT_OF_(Value)
#define UIR_IR_JOIN_(A, B) A##B
#define UIR_IR_JOIN(A, B) UIR_IR_JOIN_(A, B)

/*! \brief Where this stands in the sources: `file:line`. */
#define UIR_IR_PLACE __FILE__ ":" UIR_IR_TEXT_OF(__LINE__)

/*! \brief Register an operator when the library loads; at namespace scope. */
#define UIR_IR_REGISTER_OP(Name)                                                            \
  [[maybe_unused]] static ::uir::ir::OpRegistration& UIR_IR_JOIN(uir_ir_op_, __COUNTER__) = \
      ::uir::ir::detail::KeepOp(Name, UIR_IR_PLACE)

#endif  // UIR_IR_OP_REGISTRY_H_
