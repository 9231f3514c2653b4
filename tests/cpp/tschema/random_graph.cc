// Random values of many types.
#include "tschema/random_graph.h"

#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/container/tensor.h>
#include <uir/ir/attrs.h>
#include <uir/ir/module.h>
#include <uir/tir/arith.h>
#include <uir/tir/expr.h>
#include <uir/tir/function.h>
#include <uir/tir/logic.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

#include "dtypes.h"
#include "tschema/structural/structural_nodes.h"

namespace {

namespace ffi = ::tvm::ffi;
using namespace uir;  // NOLINT(google-build-using-namespace)
using ir::PrimExpr;

constexpr DLDataType kFloat32 = {kDLFloat, 32, 1};
constexpr DLDataType kHandle = {kDLOpaqueHandle, 64, 1};

/*! \brief Memory of the CPU. */
struct HostMemory {
  void AllocData(DLTensor* tensor) { tensor->data = std::malloc(ffi::GetDataSize(*tensor)); }
  void FreeData(DLTensor* tensor) { std::free(tensor->data); }
};

ffi::Tensor NewTensor(int64_t first) {
  ffi::Tensor tensor =
      ffi::Tensor::FromNDAlloc(HostMemory(), ffi::Shape({2}), {kDLInt, 64, 1}, {kDLCPU, 0});
  static_cast<int64_t*>(tensor.data_ptr())[0] = first;
  static_cast<int64_t*>(tensor.data_ptr())[1] = 7;
  return tensor;
}

}  // namespace

int RandomGraph::Shape(int count) { return static_cast<int>(random_() % count); }

int RandomGraph::Small(int count) {
  int number = Shape(count);
  return num_decisions_++ == changed_ ? (number + 1) % count : number;
}

PrimExpr RandomGraph::Leaf() {
  switch (Shape(4)) {
    case 0:
      return AnyVar();
    case 1:
      return tir::Cast(kInt32, ir::FloatImm(kFloat32, Small(5) == 0 ? NAN : 0.5 * Small(9)));
    default:
      return ir::IntImm(kInt32, Small(100));
  }
}

PrimExpr RandomGraph::Binary(int depth) {
  PrimExpr a = Expr(depth - 1);
  PrimExpr b = OneIn(8) ? a : Expr(depth - 1);
  switch (Small(4)) {
    case 0:
      return tir::Add(a, b);
    case 1:
      return tir::Sub(a, b);
    case 2:
      return tir::FloorDiv(a, b);
    default:
      return tir::Max(a, b);
  }
}

PrimExpr RandomGraph::Expr(int depth) {
  if (depth <= 0) return Leaf();
  if (!exprs_.empty() && OneIn(6)) return exprs_[Shape(static_cast<int>(exprs_.size()))];
  PrimExpr expr = Leaf();
  switch (Shape(8)) {
    case 0: {
      tir::Var var = NewVar();
      PrimExpr value = Expr(depth - 1);
      expr = tir::Let(var, value, Expr(depth - 1));
      break;
    }
    case 1:
      expr = tir::Select(tir::LT(Expr(depth - 2), Expr(depth - 2)), Expr(depth - 1), Leaf());
      break;
    case 2:
      expr = tir::BufferLoad(AnyBuffer(), {Expr(depth - 1), Leaf()});
      break;
    default:
      expr = Binary(depth);
  }
  exprs_.push_back(expr);
  return expr;
}

tir::Var RandomGraph::NewVar() {
  // Its name, which nothing looks at, and its type, which counts.
  ffi::String name = "v" + std::to_string(Shape(1000));
  ffi::Optional<ir::Type> type;
  if (OneIn(3)) type = ir::PrimType(kInt32);
  tir::Var var = OneIn(5) ? tir::SizeVar(name, kInt32, type) : tir::Var(name, kInt32, type);
  vars_.push_back(var);
  return var;
}

tir::Var RandomGraph::AnyVar() {
  if (vars_.empty() || OneIn(10)) return NewVar();
  return vars_[Shape(static_cast<int>(vars_.size()))];
}

tir::Buffer RandomGraph::AnyBuffer() {
  if (!buffers_.empty() && !OneIn(5)) return buffers_[Shape(static_cast<int>(buffers_.size()))];
  tir::Buffer buffer(tir::Var("data", kHandle), kInt32, {AnyVar(), Leaf()}, ffi::Array<PrimExpr>(),
                     std::nullopt, "buffer", 64 << Small(2));
  buffers_.push_back(buffer);
  return buffer;
}

tir::Stmt RandomGraph::Nested(int depth) {
  switch (Shape(5)) {
    case 0: {
      tir::Var var = NewVar();
      return tir::For(var, Leaf(), Expr(depth - 1), static_cast<tir::ForKind>(Small(3)),
                      Stmt(depth - 1), std::nullopt, {{"note", Plain()}});
    }
    case 1:
      return tir::IfThenElse(tir::LT(Leaf(), Expr(depth - 1)), Stmt(depth - 1));
    case 2:
      return tir::AttrStmt(Value(depth - 2), "key", Leaf(), Stmt(depth - 1));
    case 3:
      return tir::While(tir::LT(Leaf(), Leaf()), Stmt(depth - 1));
    default:
      return tir::BufferStore(AnyBuffer(), Expr(depth), {Leaf(), Leaf()});
  }
}

tir::Stmt RandomGraph::Stmt(int depth) {
  if (depth <= 0) return tir::Evaluate(Expr(1));
  if (OneIn(3)) return Nested(depth);
  ffi::Array<tir::Stmt> seq;
  for (int i = Shape(4) + 1; i > 0; --i) {
    if (OneIn(3)) {
      tir::Var var = NewVar();
      seq.push_back(tir::Bind(var, Expr(depth - 1)));
    } else {
      seq.push_back(Nested(depth - 1));
    }
  }
  return tir::SeqStmt(seq);
}

ir::BaseFunc RandomGraph::Func(int depth) {
  ffi::Array<tir::Var> params;
  ffi::Map<tir::Var, tir::Buffer> buffer_map;
  for (int i = Shape(4); i > 0; --i) {
    tir::Var param("arg", kHandle);
    params.push_back(param);
    if (OneIn(2)) buffer_map.Set(param, AnyBuffer());
  }
  ir::DictAttrs attrs({{"global_symbol", "f" + std::to_string(Small(9))}, {"level", Plain()}});
  return tir::PrimFunc(params, Stmt(depth), buffer_map, std::nullopt, attrs);
}

ffi::Any RandomGraph::Text() {
  static const char* const kTexts[] = {"", "short", "7 bytes", "a longer text, on the heap"};
  return ffi::String(kTexts[Small(4)]);
}

ffi::Any RandomGraph::Plain() {
  switch (Shape(7)) {
    case 0:
      return Small(2) == 0;
    case 1:
      return Small(3) == 0 ? std::nan("") : 0.25 * Small(7);
    case 2:
      return Text();
    case 3:
      return ffi::Bytes(Small(2) == 0 ? "bytes" : "bytes, more of them");
    case 4:
      return kInt32;
    case 5:
      return DLDevice{kDLCPU, Small(2)};
    default:
      return Small(50);
  }
}

ffi::Any RandomGraph::Key() {
  switch (Shape(4)) {
    case 0:
      return AnyVar();
    case 1:
      return Expr(1);
    case 2:
      return Text();
    default:
      return Shape(9);
  }
}

template <typename Mapping>
ffi::Any RandomGraph::Map(int depth) {
  Mapping mapping;
  for (int i = Shape(7); i > 0; --i) {
    Any key = Key();
    mapping.Set(key, Value(depth - 1));
  }
  return mapping;
}

ffi::Any RandomGraph::Container(int depth) {
  switch (Shape(5)) {
    case 0: {
      ffi::List<Any> list;
      for (int i = Shape(5) + Small(2); i > 0; --i) list.push_back(Value(depth - 1));
      return list;
    }
    case 1:
      return Map<ffi::Map<Any, Any>>(depth);
    case 2:
      return Map<ffi::Dict<Any, Any>>(depth);
    default: {
      ffi::Array<Any> array;
      for (int i = Shape(5); i > 0; --i) array.push_back(Value(depth - 1));
      return array;
    }
  }
}

ffi::Any RandomGraph::Foreign(int depth) {
  using namespace structural_nodes;  // NOLINT(google-build-using-namespace)
  Any a = Value(depth - 1);
  Any b = Value(depth - 1);
  switch (Shape(6)) {
    case 0:
      return Make<DagNode>(a, b);
    case 1:
      return Make<ConstNode>(Plain(), Text());
    case 2:
      return Make<TypedNode>(a, b);
    case 3:
      return Cons(a, b);
    case 4:
      return NamedVar(Small(2) == 0 ? "x" : "a name on the heap");
    default: {
      auto node = ffi::make_object<ForeignNode>();
      node->small = Small(9);
      node->single = Small(3) == 0 ? NAN : 0.1F;
      node->number = Small(3) == 0 ? -0.0 : 0.0;
      node->flag = Small(2) == 0;
      node->text = Text().cast<ffi::String>();
      node->value = a;
      if (Small(2) == 0) node->maybe = Small(9);
      if (OneIn(2)) node->binder = AnyVar();
      if (OneIn(2)) node->pattern = AnyVar();
      node->parts = {b, Plain()};
      node->ignored = Shape(1000);
      return ffi::ObjectRef(std::move(node));
    }
  }
}

ffi::Any RandomGraph::Value(int depth) {
  if (depth <= 0) return OneIn(8) ? Any(nullptr) : Plain();
  if (!values_.empty() && OneIn(5)) return values_[Shape(static_cast<int>(values_.size()))];
  Any value;
  switch (Shape(10)) {
    case 0:
      value = Plain();
      break;
    case 1:
      value = OneIn(2) ? Any(ffi::Shape({1, Small(3), 4})) : Any(NewTensor(Small(3)));
      break;
    case 2:
    case 3:
      value = Foreign(depth);
      break;
    case 4:
    case 5:
      value = Container(depth);
      break;
    case 6:
      value = Func(depth);
      break;
    case 7:
      value = Stmt(depth);
      break;
    case 8:
      value = AnyVar();
      break;
    default:
      value = Expr(depth);
  }
  values_.push_back(value);
  return value;
}
