/*!
 * \file expr.cc
 * \brief Registration and construction of expressions, and a pass over them.
 */
#include <acme/expr.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>

namespace acme {
namespace ir {

namespace refl = tvm::ffi::reflection;

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<ExprNode>().def_ro("dtype", &ExprNode::dtype);
  IntImmNode::RegisterReflection();
  VarNode::RegisterReflection();
  AddNode::RegisterReflection();
  MulNode::RegisterReflection();
  LetNode::RegisterReflection();
  OpNode::RegisterReflection();
  CallNode::RegisterReflection();
  PassNode::RegisterReflection();
  FoldNode::RegisterReflection();
}

void IntImmNode::RegisterReflection() {
  refl::ObjectDef<IntImmNode>().def_ro("value", &IntImmNode::value);
}

IntImm::IntImm(DLDataType dtype, Index value) {
  ffi::ObjectPtr<IntImmNode> node = ffi::make_object<IntImmNode>();
  node->dtype = dtype;
  node->value = value;
  data_ = std::move(node);
}

void VarNode::RegisterReflection() {
  refl::ObjectDef<VarNode>().def_ro("name", &VarNode::name_hint,
                                    refl::AttachFieldFlag::SEqHashIgnore());
}

Var::Var(ffi::String name_hint, DLDataType dtype) {
  ffi::ObjectPtr<VarNode> node = ffi::make_object<VarNode>();
  node->dtype = dtype;
  node->name_hint = std::move(name_hint);
  data_ = std::move(node);
}

Var Var::CopyWithSuffix(const ffi::String& suffix) const {
  return Var((*this)->name_hint + suffix, (*this)->dtype);
}

void AddNode::RegisterReflection() {
  refl::ObjectDef<AddNode>().def_ro("a", &AddNode::a).def_ro("b", &AddNode::b);
}

Add::Add(Expr a, Expr b) {
  ffi::ObjectPtr<AddNode> node = ffi::make_object<AddNode>();
  node->dtype = a->dtype;
  node->a = std::move(a);
  node->b = std::move(b);
  data_ = std::move(node);
}

void MulNode::RegisterReflection() {
  refl::ObjectDef<MulNode>().def_ro("a", &MulNode::a).def_ro("b", &MulNode::b);
}

Mul::Mul(Expr a, Expr b) {
  ffi::ObjectPtr<MulNode> node = ffi::make_object<MulNode>();
  node->dtype = a->dtype;
  node->a = std::move(a);
  node->b = std::move(b);
  data_ = std::move(node);
}

void LetNode::RegisterReflection() {
  refl::ObjectDef<LetNode>()
      .def_ro("var", &LetNode::var, refl::AttachFieldFlag::SEqHashDefSimple())
      .def_ro("value", &LetNode::value)
      .def_ro("body", &LetNode::body);
}

Let::Let(Var var, Expr value, Expr body) {
  ffi::ObjectPtr<LetNode> node = ffi::make_object<LetNode>();
  node->dtype = body->dtype;
  node->var = std::move(var);
  node->value = std::move(value);
  node->body = std::move(body);
  data_ = std::move(node);
}

void OpNode::RegisterReflection() {
  refl::ObjectDef<OpNode>()
      .def_ro("name", &OpNode::name)
      .def_ro("num_inputs", &OpNode::num_inputs)
      .def_ro("effect", &OpNode::effect)
      .def("set_level", &OpNode::SetLevel);
}

const Op& Op::Get(const ffi::String& name) {
  static std::unordered_map<std::string, Op> ops;
  Op& op = ops[name];
  if (!op.defined()) {
    ffi::ObjectPtr<OpNode> node = ffi::make_object<OpNode>();
    node->name = name;
    op = Op(std::move(node));
  }
  return op;
}

void CallNode::RegisterReflection() {
  refl::ObjectDef<CallNode>()
      .def_ro("op", &CallNode::op)
      .def_ro("args", &CallNode::args)
      .def_ro("attrs", &CallNode::attrs);
}

Call::Call(Op op, ffi::Array<Expr> args, Attrs attrs) {
  if (op->num_inputs >= 0 && op->num_inputs != static_cast<int32_t>(args.size())) {
    TVM_FFI_THROW(ValueError) << "`" << op->name << "` takes " << op->num_inputs << " operands";
  }
  ffi::ObjectPtr<CallNode> node = ffi::make_object<CallNode>();
  node->dtype = args.empty() ? DLDataType{kDLInt, 32, 1} : args[0]->dtype;
  node->op = std::move(op);
  node->args = std::move(args);
  node->attrs = std::move(attrs);
  data_ = std::move(node);
}

void PassNode::RegisterReflection() { refl::ObjectDef<PassNode>().def_ro("name", &PassNode::name); }

void FoldNode::RegisterReflection() {
  refl::ObjectDef<FoldNode>().def_ro("rounds", &FoldNode::rounds);
}

Fold::Fold(int32_t rounds) {
  ffi::ObjectPtr<FoldNode> node = ffi::make_object<FoldNode>();
  node->name = "fold";
  node->rounds = rounds;
  data_ = std::move(node);
}

Expr FoldNode::Run(const Expr& expr) const {
  auto fold = [this](const Expr& a, const Expr& b, auto make, auto compute) -> Expr {
    Expr x = Run(a), y = Run(b);
    const auto *left = x.as<IntImmNode>(), *right = y.as<IntImmNode>();
    if (left == nullptr || right == nullptr) return make(x, y);
    return IntImm(x->dtype, compute(left->value, right->value));
  };
  if (const auto* add = expr.as<AddNode>()) {
    return fold(
        add->a, add->b, [](Expr x, Expr y) { return Add(x, y); },
        [](Index x, Index y) { return x + y; });
  }
  if (const auto* mul = expr.as<MulNode>()) {
    return fold(
        mul->a, mul->b, [](Expr x, Expr y) { return Mul(x, y); },
        [](Index x, Index y) { return x * y; });
  }
  return expr;
}

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::GlobalDef()
      .def("atlas.ir.int_imm", [](DLDataType dtype, Index value) { return IntImm(dtype, value); })
      .def("atlas.ir.var", [](ffi::String name, DLDataType dtype) { return Var(name, dtype); })
      .def("atlas.ir.add", [](Expr a, Expr b) { return Add(a, b); })
      .def("atlas.ir.mul", [](Expr a, Expr b) { return Mul(a, b); })
      .def("atlas.ir.let", [](Var var, Expr value, Expr body) { return Let(var, value, body); })
      .def("atlas.ir.op", [](ffi::String name) { return Op::Get(name); })
      .def("atlas.ir.call", [](Op op, ffi::Array<Expr> args) { return Call(op, args); })
      .def("atlas.ir.fold", [](int32_t rounds) { return Fold(rounds); })
      .def("atlas.ir.run", [](Pass pass, Expr expr) { return pass(expr); });
}

}  // namespace ir
}  // namespace acme
