// What the run-time table says of generated types, of builtins and of types as text.
#include <gtest/gtest.h>
#include <tschema/access.h>
#include <tschema/functor.h>
#include <tschema/type_info.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <uir/ir/expr.h>
#include <uir/tir/stmt.h>
#include <uir/tir/var.h>

#include <cstdlib>
#include <limits>
#include <string>

#include "dtypes.h"
#include "tschema/reflection/type_expr.h"
#include "tschema/serialize/type_codec.h"
#include "tschema/structural/structural_descriptor.h"

namespace {

namespace ffi = ::tvm::ffi;
using tschema::FieldInfo;
using tschema::FieldKind;
using tschema::TypeInfo;
using tschema::TypeInfoOf;

TEST(TypeInfo, RefusesIndicesBeyondItsTable) {
  for (int32_t index : {-1, tschema::detail::kMaxTypes, std::numeric_limits<int32_t>::max()}) {
    EXPECT_THROW(TypeInfoOf(index), ffi::Error) << index;
    EXPECT_THROW(tschema::StructuralDescriptorOf(index), ffi::Error) << index;
    EXPECT_THROW(tschema::TypeCodecOf(index), ffi::Error) << index;
  }
}

/*! \brief Register more types than the tables hold, and use the last one. */
void UseTypeBeyondTables() {
  int32_t index = 0;
  for (int number = 0; index < tschema::detail::kMaxTypes; ++number) {
    std::string key = "test.type_info.T" + std::to_string(number);
    TVMFFIByteArray bytes{key.data(), key.size()};
    int32_t parent = kTVMFFIObject;
    index = TVMFFITypeGetOrAllocIndex(&bytes, -1, 1, 0, 0, parent);
  }
  static constexpr const char* kKeys[] = {"test.type_info.Case"};
  static const tschema::CaseTable kCases(nullptr, kKeys);
  std::exit(kCases.Contains(index) || kCases.IsOwn(index) ? 1 : 0);
}

TEST(CaseTable, TellsTypesBeyondItsTable) {
  EXPECT_EXIT(UseTypeBeyondTables(), testing::ExitedWithCode(0), "");
}

TEST(Access, RefusesTheFieldsOfNull) {
  void* field = reinterpret_cast<void*>(uintptr_t{40});
  for (const tschema::Access& access : {tschema::kAccess<int64_t>, tschema::kAccess<ffi::String>,
                                        tschema::kAccess<ffi::ObjectRef>}) {
    TVMFFIAny value{};
    EXPECT_NE(access.getter(field, &value), 0);
    EXPECT_NE(access.setter(field, &value), 0);
    ffi::Error error = ffi::detail::MoveFromSafeCallRaised();
    EXPECT_EQ(error.message(), "the object has no content: its constructor has not run");
  }
}

TEST(TypeInfo, ListsInheritedFieldsFirst) {
  const TypeInfo& info = TypeInfoOf(uir::ir::IntImmNode::RuntimeTypeIndex());
  ASSERT_EQ(info.fields.size(), 3u);
  EXPECT_EQ(info.fields[0].name, "span");
  EXPECT_EQ(info.fields[0].kind, FieldKind::kObject);
  EXPECT_TRUE(info.fields[0].ignored);
  EXPECT_EQ(info.fields[1].kind, FieldKind::kDataType);
  EXPECT_EQ(info.fields[2].kind, FieldKind::kInt64);
  EXPECT_EQ(info.edges.size(), 1u);
  EXPECT_TRUE(info.is_concrete);
  EXPECT_EQ(info.key, "uir.ir.IntImm");
  EXPECT_EQ(info.size, static_cast<int32_t>(sizeof(uir::ir::IntImmNode)));
}

TEST(TypeInfo, KnowsEnumsBindersAndHooks) {
  const TypeInfo& loop = TypeInfoOf(uir::tir::ForNode::RuntimeTypeIndex());
  EXPECT_EQ(loop.Find("kind")->kind, FieldKind::kEnum);
  EXPECT_TRUE(loop.Find("loop_var")->binds);
  EXPECT_NE(loop.hooks.post_init, nullptr);
  EXPECT_EQ(loop.hooks.visit, nullptr);
  EXPECT_EQ(loop.Find("no_such_field"), nullptr);
}

TEST(TypeInfo, ReadsAndWritesFields) {
  uir::ir::IntImm imm(kInt32, 7);
  const FieldInfo& value = *TypeInfoOf(imm.get()).Find("value");
  EXPECT_EQ(value.Get<int64_t>(imm.get()), 7);
  EXPECT_EQ(value.Read(imm.get()).cast<int64_t>(), 7);
  ffi::ObjectPtr<ffi::Object> made = TypeInfoOf(imm.get()).Create();
  value.Write(made.get(), 9);
  EXPECT_EQ(static_cast<uir::ir::IntImmNode*>(made.get())->value, 9);
  EXPECT_THROW(value.Write(made.get(), ffi::String("nine")), ffi::Error);
}

TEST(TypeInfo, MakesDefaults) {
  const FieldInfo* span = TypeInfoOf(uir::ir::IntImmNode::RuntimeTypeIndex()).Find("span");
  ASSERT_TRUE(span->has_default());
  EXPECT_EQ(span->MakeDefault(), nullptr);
}

TEST(TypeInfo, RefusesToMakeAbstractTypes) {
  EXPECT_THROW(TypeInfoOf(uir::ir::PrimExprNode::RuntimeTypeIndex()).Create(), ffi::Error);
}

TEST(TypeInfo, DescribesBuiltins) {
  EXPECT_TRUE(TypeInfoOf(kTVMFFIArray).fields.empty());
  EXPECT_EQ(TypeInfoOf(kTVMFFIArray).key, "ffi.Array");
}

TEST(TypeExpr, ChecksIntegersByRange) {
  tschema::TypeExpr narrow = tschema::ParseTypeExpr("uint8");
  EXPECT_TRUE(narrow.Accepts(255));
  EXPECT_FALSE(narrow.Accepts(256));
  EXPECT_FALSE(narrow.Accepts(-1));
  EXPECT_FALSE(narrow.Accepts(true));
  EXPECT_TRUE(tschema::ParseTypeExpr("int64").Accepts(INT64_MIN));
}

TEST(TypeExpr, LooksIntoContainers) {
  uir::tir::Var x("x", kInt32);
  tschema::TypeExpr variables = tschema::ParseTypeExpr("Array[uir.tir.Var]");
  EXPECT_TRUE(variables.Accepts(ffi::Array<ffi::Any>{x}));
  EXPECT_FALSE(variables.Accepts(ffi::Array<ffi::Any>{x, uir::ir::IntImm(kInt32, 1)}));
  tschema::TypeExpr attrs = tschema::ParseTypeExpr("Map[String, Any]");
  EXPECT_TRUE(attrs.Accepts(ffi::Map<ffi::Any, ffi::Any>{{ffi::String("a"), 1}}));
  EXPECT_FALSE(attrs.Accepts(ffi::Map<ffi::Any, ffi::Any>{{1, 1}}));
}

TEST(TypeExpr, TakesOptionalsUnionsAndTuples) {
  tschema::TypeExpr type = tschema::ParseTypeExpr("Optional[Union[int64, uir.ir.PrimExpr]]");
  EXPECT_TRUE(type.Accepts(nullptr));
  EXPECT_TRUE(type.Accepts(3));
  EXPECT_TRUE(type.Accepts(uir::ir::IntImm(kInt32, 3)));
  EXPECT_FALSE(type.Accepts(ffi::String("three")));
  tschema::TypeExpr pair = tschema::ParseTypeExpr("Tuple[String, int64]");
  EXPECT_EQ(pair.arguments.size(), 2u);
  EXPECT_TRUE(pair.Accepts(ffi::Array<ffi::Any>{ffi::String("a"), 1}));
  EXPECT_FALSE(pair.Accepts(ffi::Array<ffi::Any>{ffi::String("a")}));
}

}  // namespace
