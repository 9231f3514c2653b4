/*!
 * \file uir/ir/op_registry.h
 * \brief Registration of the operators of a dialect.
 *
 * The functions of `uir/ir/op.h` are the registry itself. A dialect registers its operators in a
 * static initializer, which must not throw or make objects: it registers a function that the
 * registry calls on first use.
 */
#ifndef UIR_IR_OP_REGISTRY_H_
#define UIR_IR_OP_REGISTRY_H_

#include <uir/ir/op.h>

#include <functional>
#include <vector>

namespace uir::ir {

/*! \brief Adds operators by `register_op` and `set_op_attr`. */
using OpProvider = std::function<void()>;

/*! \brief Register a function that adds operators before the next query of the registry. */
void AddOpProvider(OpProvider provider) noexcept;

/*!
 * \brief The description of an operator, collected while libraries load.
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

  /*! \brief Describe the operator. */
  OpRegistration& Describe(const char* description) {
    description_ = description;
    return *this;
  }
  /*! \brief Set the number of arguments of a call, if they are not described. */
  OpRegistration& NumInputs(int32_t num_inputs) {
    num_inputs_ = num_inputs;
    return *this;
  }
  /*! \brief Describe the next argument. */
  OpRegistration& Argument(const char* name, const char* type_info, const char* description) {
    arguments_.push_back({name, type_info, description});
    return *this;
  }
  /*! \brief Set an attribute of the operator: a plain value or a string. */
  template <typename T>
  OpRegistration& Attr(const char* name, T value) {
    attrs_.push_back([name, value](const Op& op, const ffi::String& place) {
      set_op_attr(op, name, ffi::Any(value), place);
    });
    return *this;
  }

  /*! \brief Add the operator, on first use of the registry. */
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

/*! \brief Holds a registration that is collected while libraries load. */
OpRegistration& KeepOp(const char* name, const char* place);

}  // namespace detail

}  // namespace uir::ir

#define UIR_IR_TEXT_OF_(Value) #Value
#define UIR_IR_TEXT_OF(Value) UIR_IR_TEXT_OF_(Value)
#define UIR_IR_JOIN_(A, B) A##B
#define UIR_IR_JOIN(A, B) UIR_IR_JOIN_(A, B)

/*! \brief The source location: `file:line`. */
#define UIR_IR_PLACE __FILE__ ":" UIR_IR_TEXT_OF(__LINE__)

/*! \brief Register an operator when the library loads; at namespace scope. */
#define UIR_IR_REGISTER_OP(Name)                                                            \
  [[maybe_unused]] static ::uir::ir::OpRegistration& UIR_IR_JOIN(uir_ir_op_, __COUNTER__) = \
      ::uir::ir::detail::KeepOp(Name, UIR_IR_PLACE)

#endif  // UIR_IR_OP_REGISTRY_H_
