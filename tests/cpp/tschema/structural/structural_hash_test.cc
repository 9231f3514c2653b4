// Structural hash: what it looks at, what it does not, and its values.
#include <gtest/gtest.h>
#include <tschema/structural_hash.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/structural_hash.h>
#include <uir/ir/expr.h>
#include <uir/ir/span.h>
#include <uir/tir/arith.h>
#include <uir/tir/expr.h>
#include <uir/tir/var.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

#include "dtypes.h"
#include "tschema/structural/agreed_hash.h"
#include "tschema/structural/structural_nodes.h"

namespace {

namespace ffi = ::tvm::ffi;
using namespace structural_nodes;  // NOLINT(google-build-using-namespace)
using ffi::Any;
using tschema::StructuralHash;
using uir::ir::IntImm;
using uir::tir::Add;
using uir::tir::Let;
using uir::tir::Var;

class StructuralHashTest : public testing::Test {
 protected:
  void SetUp() override { structural_nodes::Register(); }
};

TEST_F(StructuralHashTest, IsTheSameInEveryProcess) {
  EXPECT_EQ(Hash(1), 2654435835U);
  EXPECT_EQ(Hash("text"), Hash(ffi::String("text")));
  EXPECT_EQ(Hash(nullptr), 2654435769U);
}

TEST_F(StructuralHashTest, IgnoresWhatEqualityIgnores) {
  uir::ir::Span span(uir::ir::SourceName("file.py"), 1, 2, 3, 4);
  EXPECT_EQ(Hash(IntImm(kInt32, 1, span)), Hash(IntImm(kInt32, 1)));
  Var x("x"), y("y");
  EXPECT_EQ(Hash(Let(x, 1, Add(x, x))), Hash(Let(y, 1, Add(y, y))));
  EXPECT_NE(Hash(x), Hash(y));
  EXPECT_EQ(Hash(x, true), Hash(y, true));
  EXPECT_NE(Hash(Add(x, y), true), Hash(Add(x, x), true));
}

TEST_F(StructuralHashTest, TakesEveryFieldOfAForeignNode) {
  auto make = [] { return ffi::make_object<ForeignNode>(); };
  uint64_t plain = Hash(ffi::ObjectRef(make()));
  auto changed = [&](auto change) {
    ffi::ObjectPtr<ForeignNode> node = make();
    change(node.get());
    return Hash(ffi::ObjectRef(std::move(node)));
  };
  EXPECT_NE(plain, changed([](ForeignNode* node) { node->small = -1; }));
  EXPECT_NE(plain, changed([](ForeignNode* node) { node->single = NAN; }));
  EXPECT_NE(plain, changed([](ForeignNode* node) { node->number = -0.0; }));
  EXPECT_NE(plain, changed([](ForeignNode* node) { node->flag = true; }));
  EXPECT_NE(plain, changed([](ForeignNode* node) { node->text = "a text on the heap"; }));
  EXPECT_NE(plain, changed([](ForeignNode* node) { node->value = Cons(1, 2); }));
  EXPECT_NE(plain, changed([](ForeignNode* node) { node->maybe = 1; }));
  EXPECT_NE(plain, changed([](ForeignNode* node) { node->binder = Var("x"); }));
  EXPECT_NE(plain, changed([](ForeignNode* node) { node->parts = {1}; }));
  EXPECT_EQ(plain, changed([](ForeignNode* node) { node->ignored = 1; }));
}

TEST_F(StructuralHashTest, TellsSharingOnlyWhereItCounts) {
  Any leaf = Make<DagNode>(1, 2), same = Make<DagNode>(1, 2);
  EXPECT_NE(Hash(ffi::Array<Any>{leaf, leaf}), Hash(ffi::Array<Any>{leaf, same}));
  Any tree = Cons(1, 2), other = Cons(1, 2);
  EXPECT_EQ(Hash(ffi::Array<Any>{tree, tree}), Hash(ffi::Array<Any>{tree, other}));
}

TEST_F(StructuralHashTest, DoesNotDependOnTheOrderOfAMap) {
  ffi::Map<Any, Any> ab{{"a", Cons(1, 2)}, {2, 3}}, ba{{2, 3}, {"a", Cons(1, 2)}};
  EXPECT_EQ(Hash(ab), Hash(ba));
}

TEST_F(StructuralHashTest, TakesVariablesInASharedContainerOnce) {
  // The variable has one reference, but is reached twice.
  ffi::Array<Any> array{Let(Var("x"), 1, 2)};
  Hash(ffi::Array<Any>{array, array, Let(Var("y"), 1, 2)}, true);
}

/*! \brief Memory of the CPU. */
struct HostMemory {
  void AllocData(DLTensor* tensor) { tensor->data = std::calloc(1, ffi::GetDataSize(*tensor)); }
  void FreeData(DLTensor* tensor) { std::free(tensor->data); }
};

TEST_F(StructuralHashTest, TakesTheContentsOfTensors) {
  auto make = [](int8_t value) {
    ffi::Tensor tensor =
        ffi::Tensor::FromNDAlloc(HostMemory(), ffi::Shape({3}), {kDLInt, 8, 1}, {kDLCPU, 0});
    static_cast<int8_t*>(tensor.data_ptr())[2] = value;
    return tensor;
  };
  EXPECT_EQ(Hash(make(1)), Hash(make(1)));
  EXPECT_NE(Hash(make(1)), Hash(make(2)));
}

TEST_F(StructuralHashTest, RefusesTypesWithoutStructuralBehaviour) {
  try {
    StructuralHash(Make<UnsupportedNode>(1, 2));
    FAIL() << "no error";
  } catch (const ffi::Error& error) {
    EXPECT_EQ(error.kind(), "TypeError");
    EXPECT_NE(std::string(error.message()).find("`structural_nodes.Unsupported`"),
              std::string::npos);
  }
}

TEST_F(StructuralHashTest, IsAGlobalFunctionToo) {
  auto hash = ffi::Function::GetGlobalRequired("tschema.structural_hash");
  Any value = Add(IntImm(kInt32, 1), IntImm(kInt32, 2));
  EXPECT_EQ(static_cast<uint64_t>(hash(value, false).cast<int64_t>()), Hash(value));
}

}  // namespace
