/*!
 * \file uir/script/builder.h
 * \brief The interface for parsers of custom syntax: values of syntax, and names.
 *
 * A form that finds an error calls `Fail`, and the parser continues with the next statement.
 */
#ifndef UIR_SCRIPT_BUILDER_H_
#define UIR_SCRIPT_BUILDER_H_

#include <tschema/type_info.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/optional.h>
#include <uir/ir/expr.h>
#include <uir/ir/types.h>
#include <uir/script/printer.h>
#include <uir/script/syntax.h>
#include <uir/tir/buffer.h>
#include <uir/tir/stmt.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace uir::script {

struct BuilderState;

/*! \brief Builds the values of the syntax of one text. */
class Builder {
 public:
  explicit Builder(std::unique_ptr<BuilderState> state);
  ~Builder();
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  /*! \name Values */
  /*! \{ */
  /*!
   * \brief The value of an expression.
   * \param expected The type of its destination; null for any type: then numbers and strings are
   * plain values.
   */
  ffi::Any Value(const SyntaxNode* node, const tschema::TypeExpr* expected = nullptr);
  /*! \brief An expression; a number takes the data type `like`. */
  ir::PrimExpr Expr(const SyntaxNode* node, DLDataType like = kNoType);
  /*! \brief An operand: a plain number takes the data type of the other one. */
  ffi::Any Operand(const SyntaxNode* node);
  /*! \brief The expressions of a list or a tuple, or a single one. */
  ffi::Array<ir::PrimExpr> Exprs(const SyntaxNode* node);
  /*! \brief A value that is a Python constant. */
  ffi::String String(const SyntaxNode* node);
  int64_t Int(const SyntaxNode* node);
  bool Bool(const SyntaxNode* node);
  DLDataType DType(const SyntaxNode* node);
  ffi::Map<ffi::String, ffi::Any> Attrs(const SyntaxNode* node);
  /*! \brief A plain number or an expression as an expression. */
  ir::PrimExpr ToExpr(const ffi::Any& value, const SyntaxNode* node, DLDataType like = kNoType);
  /*! \brief The buffer with a name. */
  tir::Buffer Buffer(const SyntaxNode* node);
  /*! \brief `A[0:16, i]`. */
  tir::BufferRegion Region(const SyntaxNode* node);
  /*! \brief Two operands, promoted to a common data type. */
  std::pair<ir::PrimExpr, ir::PrimExpr> Operands(const SyntaxNode* a, const SyntaxNode* b);
  /*! \brief Two integers of one data type: a plain one takes that of the other. */
  std::pair<ir::PrimExpr, ir::PrimExpr> Pair(const SyntaxNode* a, const SyntaxNode* b);
  /*! \brief The extent of the range from `begin` to `end`. */
  ir::PrimExpr Extent(const ir::PrimExpr& begin, const ir::PrimExpr& end);
  /*! \brief The type after `->`, or in an annotation. */
  ir::Type Type(const SyntaxNode* node);
  /*! \brief The dotted name of a node, without the package `uir`; empty for another kind of node.
   * */
  std::string_view Path(const SyntaxNode* node);
  /*! \} */

  /*! \name Statements */
  /*! \{ */
  /*! \brief The statement of a suite, in a new scope. */
  tir::Stmt Suite(const SyntaxNode* suite);
  /*! \brief The statements of a suite in the current scope, starting at `first`. */
  tir::Stmt Body(const SyntaxNode* suite, size_t first = 0);
  /*! \brief The statement of a syntax node; `nullopt` for a declaration. */
  std::optional<tir::Stmt> Statement(const SyntaxNode* node);
  /*! \} */

  /*! \name Names */
  /*! \{ */
  /*! \brief Bind a name to a value until the scope ends. */
  void Define(const SyntaxNode* name, ffi::Any value);
  /*! \brief The same; a binding of the name in the text then binds the same object. */
  void Declare(const SyntaxNode* name, ffi::Any value);
  /*! \brief Mark a name as erroneous, so that its uses fail without another message. */
  void Poison(const SyntaxNode* target);
  /*! \brief The variable that a binding of a name binds: the declared one, or a new one. */
  tir::Var BindVar(const SyntaxNode* name, DLDataType dtype);
  /*! \brief The same with an annotation: `tir.int32`, `tir.SizeVar("int32")`. */
  tir::Var BindAnnotated(const SyntaxNode* name, const SyntaxNode* annotation);
  /*! \brief The value that was declared by a name, or None. */
  ffi::Any Declared(std::string_view name);
  /*! \} */

  /*! \brief Throw a mistake. */
  [[noreturn]] void Fail(const SyntaxNode* node, std::string message, std::string help = "");
  /*! \brief Throw an error for an unknown name, with a suggestion. */
  [[noreturn]] void FailUnknown(const SyntaxNode* node, std::string_view path);
  /*! \brief Call a function; report its exceptions as errors at the node. */
  template <typename F>
  auto At(const SyntaxNode* node, F&& function) {
    try {
      return function();
    } catch (const ffi::Error& error) {
      Fail(node, error.message());
    }
  }
  /*! \brief Record the span of a new node. */
  void SetSpan(const ffi::Object* object, const SyntaxNode* node);
  template <typename Ref>
  Ref Spanned(Ref ref, const SyntaxNode* node) {
    SetSpan(ref.get(), node);
    return ref;
  }

  /*! \brief A scope of names. */
  class Scope {
   public:
    explicit Scope(Builder* builder);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Builder* builder_;
    size_t mark_;
  };

  BuilderState& state() { return *state_; }

 private:
  std::unique_ptr<BuilderState> state_;
};

/*! \brief The arguments of a call by name, where `begin|start` is an argument with two names;
 * unknown ones are errors. */
class CallArguments {
 public:
  CallArguments(Builder* builder, const SyntaxNode* call, std::vector<std::string_view> names);

  /*! \brief The argument, or null. */
  const SyntaxNode* operator[](std::string_view name) const;
  /*! \brief The argument; reports an error if it is missing. */
  const SyntaxNode* Required(std::string_view name) const;
  const SyntaxNode* call() const { return call_; }

 private:
  Builder* builder_;
  const SyntaxNode* call_;
  std::vector<std::string_view> names_;
  std::vector<const SyntaxNode*> values_;
};

}  // namespace uir::script

#endif  // UIR_SCRIPT_BUILDER_H_
