/*!
 * \file acme/expr.h
 * \brief A small language of expressions.
 */
#ifndef ACME_EXPR_H_
#define ACME_EXPR_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#if defined(__GNUC__)
#define ACME_DLL __attribute__((visibility("default")))
#else
#define ACME_DLL
#endif

/*! \brief Define what copies a node before it is changed, unless the reference is the only one. */
#define ACME_DEFINE_COPY_ON_WRITE(Node)                                        \
  Node* CopyOnWrite() {                                                        \
    if (!data_.unique()) data_ = ::tvm::ffi::make_object<Node>(*operator->()); \
    return static_cast<Node*>(data_.get());                                    \
  }

namespace acme {
namespace ir {

namespace ffi = tvm::ffi;

using Index = int64_t;
using Attrs = ffi::Map<ffi::String, ffi::Any>;

/*! \brief What a call does besides giving a value. */
enum class Effect : int {
  /*! \brief None. */
  kPure = 0,
  /*! \brief It reads memory. */
  kReads = 1,
  /*! \brief It writes memory. */
  kWrites = 2,
};

/*!
 * \brief Base of all expressions.
 * \note The data type is set when an expression is made.
 */
class ACME_DLL ExprNode : public ffi::Object {
 public:
  /*! \brief Its data type. */
  DLDataType dtype = DLDataType{kDLInt, 32, 1};

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  static constexpr const uint32_t _type_child_slots = 16;
  TVM_FFI_DECLARE_OBJECT_INFO("atlas.ir.Expr", ExprNode, ffi::Object);
};

/*!
 * \brief Reference to an expression, which may be null.
 * \sa ExprNode
 */
class Expr : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Expr, ffi::ObjectRef, ExprNode);
};

/*! \brief An integer that is known. */
class ACME_DLL IntImmNode : public ExprNode {
 public:
  /*! \brief Its value. */
  Index value;

  static void RegisterReflection();
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("atlas.ir.IntImm", IntImmNode, ExprNode);
};

class IntImm : public Expr {
 public:
  ACME_DLL IntImm(DLDataType dtype, Index value);
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(IntImm, Expr, IntImmNode);
  ACME_DEFINE_COPY_ON_WRITE(IntImmNode)
};

/*! \brief A variable. */
class ACME_DLL VarNode : public ExprNode {
 public:
  /*! \brief Its name, which need not be its own. */
  ffi::String name_hint;

  static void RegisterReflection();
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindFreeVar;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("atlas.ir.Var", VarNode, ExprNode);
};

class Var : public Expr {
 public:
  ACME_DLL explicit Var(ffi::String name_hint, DLDataType dtype = DLDataType{kDLInt, 32, 1});
  Var CopyWithSuffix(const ffi::String& suffix) const;
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Var, Expr, VarNode);
};

/*! \brief `a + b`. */
class ACME_DLL AddNode : public ExprNode {
 public:
  /*! \brief The left operand. */
  Expr a;
  /*! \brief The right operand. */
  Expr b;

  static void RegisterReflection();
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("atlas.ir.Add", AddNode, ExprNode);
};

class Add : public Expr {
 public:
  ACME_DLL Add(Expr a, Expr b);
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Add, Expr, AddNode);
  ACME_DEFINE_COPY_ON_WRITE(AddNode)
};

/*! \brief `a * b`. */
class ACME_DLL MulNode : public ExprNode {
 public:
  /*! \brief The left operand. */
  Expr a;
  /*! \brief The right operand. */
  Expr b;

  static void RegisterReflection();
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("atlas.ir.Mul", MulNode, ExprNode);
};

class Mul : public Expr {
 public:
  ACME_DLL Mul(Expr a, Expr b);
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Mul, Expr, MulNode);
  ACME_DEFINE_COPY_ON_WRITE(MulNode)
};

/*! \brief A value that has a name in an expression. */
class ACME_DLL LetNode : public ExprNode {
 public:
  /*! \brief The name. */
  Var var;
  /*! \brief What it stands for. */
  Expr value;
  /*! \brief Where it may be used. */
  Expr body;

  static void RegisterReflection();
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("atlas.ir.Let", LetNode, ExprNode);
};

class Let : public Expr {
 public:
  ACME_DLL Let(Var var, Expr value, Expr body);
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Let, Expr, LetNode);
};

/*! \brief What can be called. */
class ACME_DLL OpNode : public ffi::Object {
 public:
  /*! \brief Its name. */
  ffi::String name;
  /*! \brief Number of operands, or -1 for any. */
  int32_t num_inputs = -1;
  /*! \brief What a call of it does. */
  Effect effect = Effect::kPure;

  /*! \brief Note a level of support; not part of what is registered. */
  void SetLevel(int level) { levels_.push_back(level); }
  const std::vector<int>& levels() const { return levels_; }

  static void RegisterReflection();
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindUniqueInstance;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("atlas.ir.Op", OpNode, ffi::Object);

 private:
  std::vector<int> levels_;
  std::string note_;
};

class Op : public ffi::ObjectRef {
 public:
  ACME_DLL static const Op& Get(const ffi::String& name);
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Op, ffi::ObjectRef, OpNode);
};

/*! \brief A call. */
class ACME_DLL CallNode : public ExprNode {
 public:
  /*! \brief What is called. */
  Op op;
  /*! \brief Its operands. */
  ffi::Array<Expr> args;
  /*! \brief What else is said about it. */
  Attrs attrs;

  static void RegisterReflection();
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("atlas.ir.Call", CallNode, ExprNode);
};

class Call : public Expr {
 public:
  ACME_DLL Call(Op op, ffi::Array<Expr> args, Attrs attrs = Attrs());
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Call, Expr, CallNode);
  ACME_DEFINE_COPY_ON_WRITE(CallNode)
};

/*! \brief Something that changes expressions. */
class ACME_DLL PassNode : public ffi::Object {
 public:
  /*! \brief Its name. */
  ffi::String name;

  virtual ~PassNode() = default;
  /*! \brief Return an expression that means the same. */
  virtual Expr Run(const Expr& expr) const { return expr; }

  static void RegisterReflection();
  static constexpr const uint32_t _type_child_slots = 1;
  TVM_FFI_DECLARE_OBJECT_INFO("atlas.ir.Pass", PassNode, ffi::Object);
};

class Pass : public ffi::ObjectRef {
 public:
  Expr operator()(const Expr& expr) const { return (*this)->Run(expr); }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Pass, ffi::ObjectRef, PassNode);
};

/*! \brief Computes what is known. */
class ACME_DLL FoldNode : public PassNode {
 public:
  /*! \brief Number of times that it goes over an expression. */
  int32_t rounds = 1;

  Expr Run(const Expr& expr) const final;

  static void RegisterReflection();
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("atlas.ir.Fold", FoldNode, PassNode);
};

class Fold : public Pass {
 public:
  ACME_DLL explicit Fold(int32_t rounds);
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Fold, Pass, FoldNode);
};

}  // namespace ir
}  // namespace acme

#endif  // ACME_EXPR_H_
