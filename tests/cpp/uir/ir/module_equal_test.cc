// Structural equality and hash of modules: functions are paired by name, calls follow the pairs.
#include <gtest/gtest.h>
#include <tschema/json.h>
#include <tschema/structural_equal.h>
#include <tschema/structural_hash.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/extra/structural_equal.h>
#include <tvm/ffi/extra/structural_hash.h>
#include <uir/ir/dtype.h>
#include <uir/ir/expr.h>
#include <uir/ir/module.h>
#include <uir/tir/expr.h>
#include <uir/tir/function.h>
#include <uir/tir/operators.h>
#include <uir/tir/stmt.h>
#include <uir/tir/var.h>

#include <string>
#include <utility>
#include <vector>

#include "dtypes.h"

namespace uir {
namespace {

namespace ffi = ::tvm::ffi;
using ir::GlobalVar;
using ir::IRModule;
using tir::PrimFunc;

PrimFunc Returns(ir::PrimExpr value) { return PrimFunc({}, tir::Evaluate(std::move(value))); }

ir::PrimExpr CallOf(const GlobalVar& callee) { return tir::Call(kInt32, callee, {}); }

using Functions = std::vector<std::pair<GlobalVar, PrimFunc>>;

IRModule Module(const Functions& functions) {
  ffi::Map<GlobalVar, ir::BaseFunc> map;
  for (const auto& [var, func] : functions) map.Set(var, func);
  return IRModule(map);
}

/*! \brief Two functions that call each other, with variables of its own. */
IRModule Recursive(const char* one = "even", const char* other = "odd") {
  GlobalVar even(one), odd(other);
  return Module({{even, Returns(CallOf(odd))}, {odd, Returns(CallOf(even))}});
}

std::string MismatchOf(const IRModule& lhs, const IRModule& rhs) {
  std::optional<tschema::Mismatch> mismatch = tschema::FirstMismatch(lhs, rhs);
  return mismatch ? std::string(mismatch->text) : "equal";
}

void ExpectEqual(const IRModule& lhs, const IRModule& rhs) {
  EXPECT_EQ(MismatchOf(lhs, rhs), "equal");
  EXPECT_TRUE(tschema::StructuralEqual(lhs, rhs));
  EXPECT_TRUE(ffi::StructuralEqual()(lhs, rhs));
  EXPECT_EQ(tschema::StructuralHash(lhs), tschema::StructuralHash(rhs));
  EXPECT_EQ(tschema::StructuralHash(lhs), ffi::StructuralHash()(lhs));
}

void ExpectUnequal(const IRModule& lhs, const IRModule& rhs) {
  EXPECT_NE(MismatchOf(lhs, rhs), "equal");
  EXPECT_FALSE(tschema::StructuralEqual(lhs, rhs));
  EXPECT_FALSE(ffi::StructuralEqual()(lhs, rhs));
  EXPECT_NE(tschema::StructuralHash(lhs), tschema::StructuralHash(rhs));
}

TEST(ModuleEqual, FunctionsInOtherOrder) {
  GlobalVar f("f"), g("g"), h("h");
  PrimFunc one = Returns(1), two = Returns(2), three = Returns(3);
  GlobalVar other_f("f"), other_g("g"), other_h("h");
  ExpectEqual(Module({{f, one}, {g, two}, {h, three}}),
              Module({{other_h, Returns(3)}, {other_f, Returns(1)}, {other_g, Returns(2)}}));
}

TEST(ModuleEqual, CallsFollowTheVariables) {
  ExpectEqual(Recursive(), Recursive());
  GlobalVar even("even"), odd("odd");
  IRModule to_itself = Module({{even, Returns(CallOf(even))}, {odd, Returns(CallOf(odd))}});
  ExpectUnequal(Recursive(), to_itself);
}

TEST(ModuleEqual, CallsOfFunctionsOfOtherModulesDiffer) {
  GlobalVar f("f"), other_f("f");
  // The same name, but no variable of its module: nothing says that it means the same.
  ExpectUnequal(Module({{f, Returns(CallOf(f))}}), Module({{other_f, Returns(CallOf(f))}}));
}

TEST(ModuleEqual, NamesMatter) {
  ExpectUnequal(Recursive(), Recursive("even", "odds"));
  EXPECT_EQ(
      MismatchOf(Module({{GlobalVar("f"), Returns(1)}}), Module({{GlobalVar("g"), Returns(1)}})),
      "<root>.global_var_map_[\"f\"].name_hint: \"f\" != \"g\"");
}

TEST(ModuleEqual, NumbersOfFunctionsMatter) {
  GlobalVar f("f"), g("g");
  IRModule one = Module({{f, Returns(1)}});
  IRModule two = Module({{f, Returns(1)}, {g, Returns(2)}});
  ExpectUnequal(one, two);
  ExpectUnequal(two, one);
  ExpectUnequal(Module({}), one);
  ExpectEqual(Module({}), Module({}));
}

TEST(ModuleEqual, AChangedBodyIsNamed) {
  GlobalVar f("f"), g("g"), other_f("f"), other_g("g");
  IRModule lhs = Module({{f, Returns(1)}, {g, Returns(CallOf(f))}});
  IRModule rhs = Module({{other_g, Returns(CallOf(other_f))}, {other_f, Returns(2)}});
  ExpectUnequal(lhs, rhs);
  EXPECT_EQ(MismatchOf(lhs, rhs), "<root>.functions[`uir.ir.GlobalVar`].body.value.value: 1 != 2");
}

TEST(ModuleEqual, LoadedCopiesAreEqual) {
  for (const IRModule& module : {Recursive(), Module({{GlobalVar("f"), Returns(1)}})}) {
    std::string text = tschema::SaveJSON(module);
    ExpectEqual(module, tschema::LoadJSON(text).cast<IRModule>());
  }
}

}  // namespace
}  // namespace uir
