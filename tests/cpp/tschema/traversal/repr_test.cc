/*!
 * \file repr_test.cc
 * \brief Texts of values: those of tvm-ffi, and what that cannot write.
 */
#include <gtest/gtest.h>
#include <tschema/release.h>
#include <tschema/repr.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/device.h>
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "tschema/random_ir.h"
#include "tschema/support/small_stack.h"

namespace {

using tschema::Repr;

/*! \brief A node whose type has a text of its own. */
class BoxNode : public ffi::Object {
 public:
  ffi::Any content;

  explicit BoxNode(ffi::UnsafeInit) {}
  explicit BoxNode(ffi::Any content) : content(std::move(content)) {}

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.repr.Box", BoxNode, ffi::Object);
};

ffi::ObjectRef Box(ffi::Any content) {
  return ffi::ObjectRef(ffi::make_object<BoxNode>(std::move(content)));
}

ffi::String ReprOfBox(const ffi::Object* self, const ffi::Function& repr) {
  ffi::String content = repr(static_cast<const BoxNode*>(self)->content).cast<ffi::String>();
  return "<" + std::string(content) + ">";
}

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = ::tvm::ffi::reflection;
  refl::ObjectDef<BoxNode>().def_ro("content", &BoxNode::content);
  refl::TypeAttrDef<BoxNode>().def("__ffi_repr__", &ReprOfBox);
}

void ExpectTextOfFfi(const ffi::Any& value) { EXPECT_EQ(Repr(value), ffi::ReprPrint(value)); }

TEST(Repr, OfRandomGraphs) {
  for (uint32_t seed = 0; seed < 200; ++seed) ExpectTextOfFfi(RandomIr(seed).Stmt(4));
}

TEST(Repr, OfPlainValues) {
  for (double number : {0.0, -0.0, 0.1, 1e100, 1e-7, 123456789.0, std::nan(""), -std::nan(""),
                        std::numeric_limits<double>::infinity()}) {
    ExpectTextOfFfi(number);
  }
  ExpectTextOfFfi(nullptr);
  ExpectTextOfFfi(true);
  ExpectTextOfFfi(std::numeric_limits<int64_t>::min());
  ExpectTextOfFfi(kInt32);
  ExpectTextOfFfi(ffi::Any(DLDevice{kDLCUDA, 1}));
  ExpectTextOfFfi("it's \"quoted\"\n\t\x01\xc3\xa9 and rather long");
  ExpectTextOfFfi("small");
  ExpectTextOfFfi(ffi::Bytes("\x00\xff\"ab", 5));
  ExpectTextOfFfi(ffi::Bytes("bytes that are on the heap \x80", 28));
  ExpectTextOfFfi(static_cast<void*>(nullptr));
}

TEST(Repr, OfContainers) {
  ExpectTextOfFfi(ffi::Array<ffi::Any>());
  ExpectTextOfFfi(ffi::Array<ffi::Any>({1}));
  ExpectTextOfFfi(ffi::List<ffi::Any>());
  ExpectTextOfFfi(ffi::List<ffi::Any>({1, ffi::Array<ffi::Any>({"two"})}));
  ExpectTextOfFfi(ffi::Map<ffi::Any, ffi::Any>());
  ExpectTextOfFfi(ffi::Map<ffi::Any, ffi::Any>({{"a", 1}, {2, ffi::List<ffi::Any>()}}));
  ExpectTextOfFfi(ffi::Dict<ffi::Any, ffi::Any>({{Number(1), Number(2)}}));
  ExpectTextOfFfi(ffi::Shape({1, 2}));
  ExpectTextOfFfi(ffi::Function::FromTyped([] {}));
}

TEST(Repr, LeavesHiddenFieldsOut) {
  ir::Span span(ir::SourceName("file"), 1, 1);
  EXPECT_EQ(Repr(tir::Add(Number(1), Number(2), span)),
            "uir.tir.Add(dtype=int32, a=uir.ir.IntImm(dtype=int32, value=1), "
            "b=uir.ir.IntImm(dtype=int32, value=2))");
}

TEST(Repr, CallsTheFunctionOfAType) {
  ffi::ObjectRef box = Box(Box(tir::Add(Number(1), Number(2))));
  ExpectTextOfFfi(box);
  ExpectTextOfFfi(ffi::Array<ffi::Any>({box, box, Box(nullptr)}));
  EXPECT_EQ(Repr(Box(Box(1))), "<<1>>");
}

TEST(Repr, OfACycle) {
  ffi::List<ffi::Any> list;
  list.push_back(ffi::Array<ffi::Any>({list, Box(list)}));
  ExpectTextOfFfi(list);
  EXPECT_EQ(Repr(list), "[(..., <...>)]");
  list.clear();
}

TEST(Repr, WithAddresses) {
  ::setenv("TVM_FFI_REPR_WITH_ADDR", "1", 1);
  ffi::List<ffi::Any> list;
  list.push_back(list);
  ExpectTextOfFfi(list);
  ExpectTextOfFfi(RandomIr(1).Stmt(3));
  ::unsetenv("TVM_FFI_REPR_WITH_ADDR");
  list.clear();
}

TEST(Repr, AnyDepth) {
  RunOnSmallStack([] {
    EXPECT_GT(Repr(DeepSum(kDeep)).size(), size_t{50} * kDeep);
    ffi::Any containers = DeepContainers(kDeep);
    EXPECT_GT(Repr(containers).size(), size_t{2} * kDeep);
    tschema::Dispose(containers);
  });
}

TEST(Repr, ManyPathsMakeATextOfBoundedLength) {
  ExpectTextOfFfi(ManyPaths(10));
  ffi::String text = Repr(ManyPaths(60));
  EXPECT_LT(text.size(), size_t{64} << 20);
  EXPECT_NE(std::string(text).find("b=..."), std::string::npos);
}

TEST(Repr, ManyChildren) {
  ffi::Array<ffi::Any> children;
  for (int index = 0; index < kDeep; ++index) children.push_back(Number(index));
  EXPECT_GT(Repr(children).size(), size_t{30} * kDeep);
}

TEST(Repr, AFunctionForOtherLanguages) {
  ffi::Function repr = ffi::Function::GetGlobalRequired("tschema.repr");
  EXPECT_EQ(repr(ffi::Array<ffi::Any>({1})).cast<ffi::String>(), "(1,)");
}

}  // namespace
