/*!
 * \file graphs.h
 * \brief Graphs for the tests of saving and loading.
 */
#ifndef TSCHEMA_TESTS_SERIALIZE_GRAPHS_H_
#define TSCHEMA_TESTS_SERIALIZE_GRAPHS_H_

#include <uir/ir/dtype.h>
#include <uir/ir/module.h>
#include <uir/ir/op.h>
#include <uir/ir/tensor_type.h>
#include <uir/tir/arith.h>
#include <uir/tir/block.h>
#include <uir/tir/buffer.h>
#include <uir/tir/expr.h>
#include <uir/tir/function.h>
#include <uir/tir/logic.h>
#include <uir/tir/reduce.h>
#include <uir/tir/stmt.h>
#include <uir/transform/context.h>

#include <vector>

#include "./nodes.h"
#include "dtypes.h"

namespace serialize_test {

using uir::ir::IntImm;
using uir::ir::PrimExpr;

/*! \brief A complete binary tree of additions of constants. */
inline PrimExpr Tree(int depth, int64_t* next) {
  if (depth == 0) return IntImm(kInt32, (*next)++);
  PrimExpr a = Tree(depth - 1, next);
  PrimExpr b = Tree(depth - 1, next);
  return uir::tir::Add(a, b);
}

inline PrimExpr Tree(int depth) {
  int64_t next = 0;
  return Tree(depth, &next);
}

/*! \brief `1 + 1 + ... + 1`, nested to the left. */
inline PrimExpr Chain(int depth) {
  PrimExpr chain = IntImm(kInt32, 0);
  IntImm one(kInt32, 1);
  for (int level = 0; level < depth; ++level) chain = uir::tir::Add(std::move(chain), one);
  return chain;
}

/*! \brief A graph of `depth` nodes with two to the power of `depth` paths. */
inline PrimExpr Diamonds(int depth) {
  PrimExpr top = IntImm(kInt32, 1);
  for (int level = 0; level < depth; ++level) top = uir::tir::Add(top, top);
  return top;
}

/*! \brief A value of every kind that a field can hold. */
inline ffi::ObjectPtr<KindsNode> Kinds() {
  auto node = ffi::make_object<KindsNode>();
  node->flag = true;
  node->i8 = -128;
  node->i16 = -32768;
  node->i32 = -2147483647 - 1;
  node->i64 = INT64_MIN;
  node->u8 = 255;
  node->u16 = 65535;
  node->u32 = 4294967295u;
  node->u64 = static_cast<uint64_t>(INT64_MAX);
  node->f32 = 0.1f;
  node->f64 = 1e-300;
  node->color = Color::kBlue;
  node->dtype = {kDLFloat, 16, 4};
  node->device = {kDLCUDA, 3};
  node->text = "quotes \" and \\, a tab\t, a bell\x07, and \xE2\x82\xAC";
  node->bytes = ffi::Bytes("\x00\xFF bytes", 8);
  node->any = ffi::Array<ffi::Any>{
      1, 2.5, true, nullptr, ffi::String("short"), node->dtype, node->device, ffi::Bytes("raw", 3)};
  node->maybe = 7;
  node->either = ffi::String("a string of more than seven bytes");
  node->object = ffi::Array<ffi::Any>{};
  node->list = {1, ffi::List<ffi::Any>{2}};
  node->dict = {{"key", 1}, {"a longer key", ffi::Dict<ffi::String, ffi::Any>{}}};
  node->map = {{1, 2}, {ffi::String("x"), nullptr}, {2.5, true}};
  node->pair = ffi::Tuple<int64_t, ffi::String>(5, ffi::String("five"));
  node->colors = {Color::kRed, Color::kBlue};
  node->numbers = {1.0, -0.0, 1e300};
  node->shape = ffi::Shape({2, 3, -1});
  return node;
}

inline uir::ir::Span SomeSpan() {
  return uir::ir::Span(uir::ir::SourceName("a/file.py"), 3, 1, 3, 20);
}

/*! \brief A module with a function that holds every expression and statement. */
inline uir::ir::IRModule SomeModule() {
  using namespace uir::tir;  // NOLINT(build/namespaces)
  namespace ir = uir::ir;
  DLDataType f32 = ir::FloatType(32);
  IntImm one(kInt32, 1, SomeSpan());
  IntImm yes(ir::BoolType(), 1);
  ir::FloatImm half(f32, 0.5);
  Var x("x");
  SizeVar n("n");
  Buffer buffer = decl_buffer({n, one}, f32, "buffer");
  ir::Op exp = ir::get_op("tir.exp");
  std::vector<PrimExpr> exprs = {Add(x, one),
                                 Sub(x, one),
                                 Mul(x, one),
                                 Div(x, one),
                                 Mod(x, one),
                                 FloorDiv(x, one),
                                 FloorMod(x, one),
                                 Min(x, one),
                                 Max(x, one),
                                 EQ(x, one),
                                 NE(x, one),
                                 LT(x, one),
                                 LE(x, one),
                                 GT(x, one),
                                 GE(x, one),
                                 And(yes, Not(yes)),
                                 Or(yes, yes),
                                 Cast(f32, x),
                                 Select(yes, x, one),
                                 Let(x, one, Add(x, x)),
                                 Ramp(x, one, 4),
                                 Broadcast(half, 4),
                                 Shuffle({Broadcast(x, 2)}, {one}),
                                 Call(f32, exp, {half}),
                                 Call(f32, ir::GlobalVar("other"), {}),
                                 BufferLoad(buffer, {x, one}),
                                 ProducerLoad(DataProducer({n}, f32, "producer"), {x})};
  Var lhs("lhs", f32);
  Var rhs("rhs", f32);
  IterVar axis(Var("k"), ir::Range(0, n), IterVarType::kCommReduce);
  CommReducer sum({lhs}, {rhs}, {Add(lhs, rhs)}, {ir::FloatImm(f32, 0)});
  exprs.push_back(Reduce(sum, {axis}, {BufferLoad(buffer, {x, one})}, yes));
  ffi::Array<Stmt> stmts;
  for (const PrimExpr& expr : exprs) stmts.push_back(Evaluate(expr));
  BufferRegion region(buffer, {ir::Range(0, n), ir::Range(0, 1)});
  BufferStore store(buffer, half, {x, one});
  Block block({axis}, {region}, {region}, "block", store, {buffer},
              {MatchBufferRegion(decl_buffer({n, one}, f32, "part"), region)}, {{"hint", 1}},
              store);
  stmts.push_back(Bind(x, one));
  stmts.push_back(AttrStmt(buffer, "key", one, store));
  stmts.push_back(AssertStmt(ir::StringImm("ValueError"), yes, {ir::StringImm("message")}));
  stmts.push_back(AllocBuffer(buffer));
  stmts.push_back(DeclBuffer(buffer, {{"axis", ffi::Array<ffi::Any>{1, 2.5}}}));
  stmts.push_back(IfThenElse(yes, store, Evaluate(one)));
  stmts.push_back(For(x, 0, n, ForKind::kUnrolled, store));
  stmts.push_back(While(yes, store));
  stmts.push_back(BlockRealize({one}, yes, block));
  ir::FuncType type({ir::PrimType(f32), ir::PointerType(ir::PrimType(f32), "global")},
                    ir::TupleType({ir::TensorType({n, one}, f32)}));
  PrimFunc func({x, buffer->data}, SeqStmt(stmts), {{buffer->data, buffer}}, type,
                ir::DictAttrs({{"global_symbol", ffi::String("main")}}), SomeSpan());
  return ir::IRModule(
      {{ir::GlobalVar("main"), func}, {ir::GlobalVar("other"), ir::ExternFunc("other_symbol")}});
}

/*! \brief Values of many kinds, small ones and whole modules. */
inline std::vector<ffi::Any> ManyValues() {
  IntImm shared(kInt32, 5);
  return {nullptr,
          true,
          int64_t{-7},
          0.1,
          ffi::String("short"),
          ffi::String("a string of more than seven bytes"),
          ffi::Bytes("\x00\x01\xFE\xFF", 4),
          kInt32,
          DLDevice{kDLCUDA, 1},
          ffi::Shape({1, 2, 3}),
          ffi::Array<ffi::Any>{},
          ffi::Array<ffi::Any>{shared, shared, uir::tir::Add(shared, shared)},
          ffi::List<ffi::Any>{1, 2},
          ffi::Map<ffi::Any, ffi::Any>{{ffi::String("k"), shared}, {shared, 1}},
          ffi::Dict<ffi::Any, ffi::Any>{{1, shared}},
          ffi::ObjectRef(Kinds()),
          Tree(4),
          Chain(20),
          Diamonds(60),
          uir::transform::PassContext(3, {"a"}, {"b"}),
          uir::transform::PassInfo(1, "name", {"other"}),
          SomeModule()};
}

}  // namespace serialize_test

#endif  // TSCHEMA_TESTS_SERIALIZE_GRAPHS_H_
