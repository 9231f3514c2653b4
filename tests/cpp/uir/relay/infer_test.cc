// Types of calls follow from the rules in the operators' rows.
#include <gtest/gtest.h>
#include <tschema/structural_equal.h>
#include <uir/ir/attrs.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/dtype.h>
#include <uir/ir/operator_table.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/call.h>
#include <uir/relay/infer.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>
#include <uir/tir/var.h>

#include <memory>
#include <string>
#include <vector>

#include "uir/relay/relation.h"

namespace uir::relay {
namespace {

namespace ffi = ::tvm::ffi;
using ir::OperandRow;
using ir::OperatorRow;
using ir::TraitRow;

constexpr OperandRow kPair[] = {{"a", "T: number", ""}, {"b", "T", ""}};
constexpr OperandRow kOne[] = {{"x", "T: float", ""}};
constexpr OperandRow kParts[] = {{"parts", "T: any", "", false, true}};
constexpr OperandRow kNorm[] = {{"x", "T: float", ""}, {"scale", "T", "", true, false}};
constexpr OperandRow kTake[] = {{"table", "any", ""}, {"indices", "int", ""}};

constexpr TraitRow kAdd[] = {{"relation", "broadcast"}};
constexpr TraitRow kRelu[] = {{"relation", "same"}};
constexpr TraitRow kLess[] = {{"relation", "broadcast"}, {"result", "bool"}};
constexpr TraitRow kMatmul[] = {{"relation", "(*b, m, k), (*b, k, n) -> (*b, m, n)"}};
constexpr TraitRow kNormRule[] = {{"relation", "(*s, d), (d)? -> (*s, d)"}};
constexpr TraitRow kTakeRule[] = {{"relation", "(v, d), (*i) -> (*i, d)"}};
constexpr TraitRow kStack[] = {{"relation", "(*s)... -> (2, *s)"}};
constexpr TraitRow kPool[] = {{"relation", "(n, h) -> (n, (h - 3) // 2 + 1)"},
                              {"require", "h >= 3 and n % 2 == 0"}};
constexpr TraitRow kSplit[] = {{"relation", "(n, m) -> (n, m // 2), (n,)"}, {"result", "T, int64"}};
constexpr TraitRow kCustom[] = {{"relation", "custom"}};
constexpr TraitRow kMissing[] = {{"relation", "custom"}};

constexpr OperatorRow Row(const char* name, tschema::Rows<OperandRow> operands,
                          tschema::Rows<TraitRow> traits) {
  return {name, "", operands, {}, nullptr, traits, nullptr};
}

constexpr OperatorRow kRows[] = {
    Row("test_infer.add", kPair, kAdd),        Row("test_infer.relu", kOne, kRelu),
    Row("test_infer.less", kPair, kLess),      Row("test_infer.matmul", kPair, kMatmul),
    Row("test_infer.norm", kNorm, kNormRule),  Row("test_infer.take", kTake, kTakeRule),
    Row("test_infer.stack", kParts, kStack),   Row("test_infer.pool", kOne, kPool),
    Row("test_infer.split", kOne, kSplit),     Row("test_infer.custom", kOne, kCustom),
    Row("test_infer.missing", kOne, kMissing), Row("test_infer.late", kOne, kMissing),
};

constexpr const OperatorRow* kTable[] = {
    &kRows[0], &kRows[1], &kRows[2], &kRows[3], &kRows[4],  &kRows[5],
    &kRows[6], &kRows[7], &kRows[8], &kRows[9], &kRows[10], &kRows[11],
};

ir::Type InferDoubled(const CallNode* call, TypeContext* context) {
  const ir::TensorType type = TensorTypeOf(call->args[0], "x");
  const ir::PrimExpr first = context->Compute(ir::ScalarOp::kAdd, type->shape[0], type->shape[0]);
  return ir::TensorType({first}, type->dtype);
}

TVM_FFI_STATIC_INIT_BLOCK() { ir::AddOperators(kTable, "infer_test.cc"); }
UIR_RELAY_REGISTER_INFER("test_infer.custom", InferDoubled);

using Dimensions = std::vector<ir::PrimExpr>;

ir::TensorType TypeOf(const Dimensions& shape, const char* dtype = "float32") {
  return {ffi::Array<ir::PrimExpr>(shape.begin(), shape.end()), ffi::StringToDLDataType(dtype)};
}

Var Operand(const Dimensions& shape, const char* dtype = "float32") {
  return Var("x", TypeOf(shape, dtype));
}

ir::Type TypeOfCall(const char* op, std::vector<ffi::Any> operands) {
  return make_call(ir::get_op(std::string("test_infer.") + op),
                   ffi::Array<ffi::Any>(operands.begin(), operands.end()))
      ->checked_type.value();
}

std::string MessageOf(const char* op, std::vector<ffi::Any> operands) {
  try {
    TypeOfCall(op, std::move(operands));
  } catch (const ffi::Error& error) {
    return error.message();
  }
  return "";
}

void ExpectEqual(const ir::Type& found, const ir::Type& expected) {
  EXPECT_TRUE(tschema::StructuralEqual(found, expected))
      << ir::describe(found) << " and " << ir::describe(expected);
}

TEST(Infer, BroadcastsAsNumPy) {
  ExpectEqual(TypeOfCall("add", {Operand({3, 1}), Operand({4})}), TypeOf({3, 4}));
  ExpectEqual(TypeOfCall("add", {Operand({}), Operand({2, 0})}), TypeOf({2, 0}));
  ExpectEqual(TypeOfCall("less", {Operand({3}), Operand({3})}), TypeOf({3}, "bool"));
  EXPECT_EQ(MessageOf("add", {Operand({2, 3}), Operand({2, 4})}),
            "test_infer.add: operand `b` of shape (2, 4) does not broadcast to (2, 3)");
}

TEST(Infer, PatternsBindDimensionsAndBroadcastPacks) {
  ExpectEqual(TypeOfCall("matmul", {Operand({8, 1, 3, 4}), Operand({5, 4, 6})}),
              TypeOf({8, 5, 3, 6}));
  ExpectEqual(TypeOfCall("take", {Operand({100, 16}), Operand({4, 7}, "int64")}),
              TypeOf({4, 7, 16}));
  EXPECT_EQ(MessageOf("matmul", {Operand({2, 3}), Operand({4, 5})}),
            "test_infer.matmul: operand `b`: dimension 0, `k`, is 4, expected 3, where `k` is 3 in "
            "operand `a` (the shape of `b` is (4, 5))");
  EXPECT_EQ(MessageOf("matmul", {Operand({3}), Operand({4, 5})}),
            "test_infer.matmul: operand `a` has rank 1, expected at least 2 for `(*b, m, k)` (its "
            "shape is (3,))");
}

TEST(Infer, OptionalAndVariadicOperands) {
  ExpectEqual(TypeOfCall("norm", {Operand({2, 3, 8}), nullptr}), TypeOf({2, 3, 8}));
  ExpectEqual(TypeOfCall("norm", {Operand({2, 8}), Operand({8})}), TypeOf({2, 8}));
  EXPECT_EQ(MessageOf("norm", {Operand({2, 8}), Operand({7})}),
            "test_infer.norm: operand `scale`: dimension 0, `d`, is 7, expected 8, where `d` is 8 "
            "in operand `x` (the shape of `scale` is (7,))");
  const ffi::Array<ir::RelayExpr> parts = {Operand({3, 1}), Operand({1, 4})};
  ExpectEqual(TypeOfCall("stack", {parts}), TypeOf({2, 3, 4}));
  const ffi::Array<ir::RelayExpr> wrong = {Operand({3}), Operand({4})};
  EXPECT_EQ(MessageOf("stack", {wrong}),
            "test_infer.stack: operand `parts[1]` of shape (4,) does not broadcast to (3,)");
}

TEST(Infer, ConditionsMustHold) {
  ExpectEqual(TypeOfCall("pool", {Operand({2, 9})}), TypeOf({2, 4}));
  EXPECT_EQ(MessageOf("pool", {Operand({3, 9})}),
            "test_infer.pool: `h >= 3 and n % 2 == 0` must hold, where `n` is 3 in operand `x` and "
            "`h` is 9 in operand `x`");
}

TEST(Infer, DataTypes) {
  EXPECT_EQ(MessageOf("relu", {Operand({2}, "int32")}),
            "test_infer.relu: operand `x` has data type `int32`, expected floating-point");
  EXPECT_EQ(MessageOf("add", {Operand({2}), Operand({2}, "float16")}),
            "test_infer.add: operand `b` has data type `float16`, expected `float32`, that of "
            "operand `a`");
  const ir::Type pair = TypeOfCall("split", {Operand({4, 6}, "float64")});
  ExpectEqual(pair, ir::TupleType({TypeOf({4, 3}, "float64"), TypeOf({4}, "int64")}));
}

TEST(Infer, SymbolicDimensionsAreProvedOrAssumed) {
  const tir::SizeVar n("n"), m("m");
  const ir::PrimExpr doubled = ir::PrimExpr(n) * 2;
  ExpectEqual(TypeOfCall("add", {Operand({ir::PrimExpr(n) + n}), Operand({doubled})}),
              TypeOf({ir::PrimExpr(n) + n}));
  EXPECT_EQ(MessageOf("add", {Operand({n}), Operand({ir::PrimExpr(n) + 1})}),
            "test_infer.add: operand `b` of shape (n + 1,) does not broadcast to (n,)");
  const std::unique_ptr<TypeContext> context = MakeTypeContext();
  const TypeContextScope scope(context.get());
  ExpectEqual(TypeOfCall("add", {Operand({n, 3}), Operand({m, 3})}), TypeOf({n, 3}));
  ASSERT_EQ(context->assumptions().size(), 1);
  EXPECT_EQ(ToText(Shape({context->assumptions()[0]})), "(n == m,)");
  ExpectEqual(TypeOfCall("pool", {Operand({doubled, 9})}), TypeOf({doubled, 4}));
  ExpectEqual(TypeOfCall("pool", {Operand({n, 9})}), TypeOf({n, 4}));
  EXPECT_EQ(ToText(Shape({context->assumptions()[1]})), "(n % 2 == 0,)");
}

TEST(Infer, HandWrittenRules) {
  ExpectEqual(TypeOfCall("custom", {Operand({3})}), TypeOf({6}));
  EXPECT_EQ(MessageOf("missing", {Operand({3})}),
            "test_infer.missing: the relation is `custom`, and no library registers a function "
            "that infers the type");
}

TEST(Infer, ARuleThatIsRegisteredLaterIsFound) {
  EXPECT_NE(MessageOf("late", {Operand({3})}), "");
  RegisterInfer("test_infer.late", InferDoubled);
  ExpectEqual(TypeOfCall("late", {Operand({3})}), TypeOf({6}));
}

TEST(Infer, AnOperandWithoutATypeLeavesTheCallWithoutOne) {
  const ir::RelayExpr call = make_call(ir::get_op("test_infer.relu"), {Var("x", std::nullopt)});
  EXPECT_FALSE(call->checked_type.has_value());
}

TEST(Infer, NumbersTakeTheDataTypeOfTheOtherOperand) {
  const ir::RelayExpr one = as_operand(int64_t{1}, Operand({2}, "float16"));
  ExpectEqual(one->checked_type.value(), TypeOf({}, "float16"));
  EXPECT_EQ(*static_cast<const uint16_t*>(one.as<ConstantNode>()->data.data_ptr()), 0x3C00);
  EXPECT_THROW(as_operand(int64_t{300}, Operand({2}, "int8")), ffi::Error);
  EXPECT_THROW(as_operand(1.5, Operand({2}, "int32")), ffi::Error);
  EXPECT_THROW(as_operand(int64_t{1}, Var("x", std::nullopt)), ffi::Error);
}

}  // namespace
}  // namespace uir::relay
