#pragma once
#include <tvm/ffi/tvm_ffi.h>

#include <utility>

namespace toy {
namespace op {

using namespace tvm::ffi;

/*! \brief What has a value. */
class ExprNode : public Object {
 public:
  String dtype;
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  static constexpr const uint32_t _type_child_slots = 8;
  TVM_FFI_DECLARE_OBJECT_INFO("toy.op.Expr", ExprNode, Object);
};

class Expr : public ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Expr, ObjectRef, ExprNode);
};

template <typename T>
class BinaryOpNode : public ExprNode {
 public:
  /*! \brief The left operand. */
  Expr a;
  /*! \brief The right operand. */
  Expr b;
  BinaryOpNode() = default;
  BinaryOpNode(Expr a, Expr b) : a(std::move(a)), b(std::move(b)) {}

  static void RegisterReflection() {
    namespace refl = tvm::ffi::reflection;
    refl::ObjectDef<T>().def_ro("a", &T::a).def_ro("b", &T::b);
  }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL(T::kTypeKey, T, ExprNode);
};

class AddNode : public BinaryOpNode<AddNode> {
 public:
  static constexpr const char* kTypeKey = "toy.op.Add";
};

class Add : public Expr {
 public:
  Add(Expr a, Expr b) : Add(make_object<AddNode>()) {
    auto* n = const_cast<AddNode*>(static_cast<const AddNode*>(get()));
    n->a = std::move(a);
    n->b = std::move(b);
  }
  explicit Add(ObjectPtr<AddNode> n) : Expr(n) {}
  using ContainerType = AddNode;
};

class MulNode : public BinaryOpNode<MulNode> {
 public:
  static constexpr const char* kTypeKey = "toy.op.Mul";
  using BinaryOpNode<MulNode>::BinaryOpNode;
};

class Mul : public Expr {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Mul, Expr, MulNode);
};

template <typename T, typename V>
class ValueNode : public ExprNode {
 public:
  V value{};
  int64_t count = 1;
  static void RegisterReflection() {
    tvm::ffi::reflection::ObjectDef<T>().def_ro("value", &T::value).def_ro("count", &T::count);
  }
};

class IntNode : public ValueNode<IntNode, int64_t> {
 public:
  bool is_small = false;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.op.Int", IntNode, ExprNode);
};

class TextNode : public ValueNode<TextNode, String> {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.op.Text", TextNode, ExprNode);
};

// Unscoped enums.
enum Kind { kSerial = 0, kParallel = 1, kVectorized = 4 };
enum Color : uint8_t { kRed, kGreen };
enum Flags : int { kNone = 0, kFirst = 1 << 0, kSecond = 1 << 1, kAll = kFirst | kSecond };

class ForNode : public ExprNode {
 public:
  enum Mode { kFast, kSlow = 3 };
  Kind kind = kSerial;
  Color color = kGreen;
  Flags flags = kAll;
  Mode mode = kSlow;
  int64_t extent = 0;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.op.For", ForNode, ExprNode);
};

class For : public Expr {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(For, Expr, ForNode);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<ExprNode>().def_ro("dtype", &ExprNode::dtype);
  AddNode::RegisterReflection();
  MulNode::RegisterReflection();
  IntNode::RegisterReflection();
  TextNode::RegisterReflection();
  refl::ObjectDef<ForNode>()
      .def_ro("kind", &ForNode::kind)
      .def_ro("color", &ForNode::color, "Its color.")
      .def_ro("flags", &ForNode::flags, refl::default_value(kAll))
      .def_ro("mode", &ForNode::mode)
      .def_ro("extent", &ForNode::extent);
}

}  // namespace op
}  // namespace toy
