/*!
 * \file copy_test.cc
 * \brief Copies: sharing, cycles, agreement with tvm-ffi's, depth.
 */
#include <gtest/gtest.h>
#include <tschema/copy.h>
#include <tschema/release.h>
#include <tschema/structural_equal.h>
#include <tschema/walk.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/extra/json.h>
#include <tvm/ffi/extra/serialization.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>

#include <set>
#include <string>

#include "tschema/random_ir.h"
#include "tschema/support/small_stack.h"
#include "tschema/traversal/objects_of.h"

namespace {

using tschema::ShallowCopy;

/*! \brief A text that tells a graph from another, sharing and ignored fields included. */
std::string Graph(const ffi::Any& root) { return ffi::json::Stringify(ffi::ToJSONGraph(root)); }

TEST(DeepCopy, IsTheSameGraphOfOtherObjects) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    tir::Stmt root = RandomIr(seed).Stmt(4);
    tir::Stmt copy = tschema::DeepCopy(root);
    EXPECT_EQ(Graph(copy), Graph(root));
    EXPECT_EQ(Graph(ffi::DeepCopy(root)), Graph(copy));
    std::set<const ffi::Object*> originals = ObjectsOf(root);
    for (const ffi::Object* object : ObjectsOf(copy)) EXPECT_EQ(originals.count(object), 0);
  }
}

TEST(DeepCopy, HoldsEachObjectAsOftenAsTheOriginal) {
  ir::PrimExpr shared = Number(1);
  ir::PrimExpr root = tir::Add(tir::Add(shared, shared), shared);
  ir::PrimExpr copy = tschema::DeepCopy(root);
  auto* outer = copy.as<tir::AddNode>();
  EXPECT_EQ(outer->b.use_count(), 3);
  EXPECT_EQ(outer->a.use_count(), 1);
  EXPECT_EQ(copy.use_count(), 1);
  EXPECT_EQ(shared.use_count(), 4);
}

TEST(DeepCopy, CopiesIgnoredFieldsAndKeys) {
  ir::Span span(ir::SourceName("file"), 1, 1);
  ir::PrimExpr key = Number(1);
  ffi::Map<ffi::Any, ffi::Any> root({{key, tir::Add(key, Number(3), span)}});
  ffi::Map<ffi::Any, ffi::Any> copy = tschema::DeepCopy(root);
  auto entry = *copy.begin();
  auto add = entry.second.cast<tir::Add>();
  EXPECT_FALSE(add->span.value().same_as(span));
  EXPECT_EQ(add->span.value()->line, 1);
  EXPECT_TRUE(add->a.same_as(entry.first.cast<ir::IntImm>()));
  EXPECT_FALSE(add->a.same_as(key));
  EXPECT_EQ(copy.count(add->a), 1);
}

TEST(DeepCopy, OfAnArrayIsANewArray) {
  ffi::Array<ffi::Any> array({1, "text"});
  EXPECT_FALSE(tschema::DeepCopy(array).same_as(array));
  EXPECT_EQ(tschema::DeepCopy(ffi::Array<ffi::Any>()).size(), 0);
}

TEST(DeepCopy, OfWhatHasNoStateIsTheSame) {
  ffi::Any text = ffi::String("a string that is on the heap");
  EXPECT_TRUE(tschema::DeepCopy(text).same_as(text));
  ffi::Any shape = ffi::Shape({1, 2});
  EXPECT_TRUE(tschema::DeepCopy(shape).same_as(shape));
  EXPECT_EQ(tschema::DeepCopy(ffi::Any(1)).cast<int>(), 1);
  EXPECT_EQ(tschema::DeepCopy(ffi::Any(nullptr)), nullptr);
}

TEST(DeepCopy, OfAFunctionIsAnErrorAsInFfi) {
  ffi::Any function = ffi::Function::FromTyped([] {});
  EXPECT_THROW(ffi::DeepCopy(function), ffi::Error);
  EXPECT_THROW(tschema::DeepCopy(function), ffi::Error);
  EXPECT_THROW(tschema::DeepCopy(ffi::Array<ffi::Any>({function})), ffi::Error);
}

/*! \brief Registered without tschema; the setter of its field looks at the elements. */
class HolderNode : public ffi::Object {
 public:
  ffi::Optional<ffi::Array<ir::PrimExpr>> parts;
  ffi::Any held;

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("copy_test.Holder", HolderNode, ffi::Object);
};

/*! \brief One of a kind, as TVM's operators are. */
class UniqueNode : public ffi::Object {
 public:
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindUniqueInstance;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("copy_test.Unique", UniqueNode, ffi::Object);
};

void RegisterForeign() {
  namespace refl = ffi::reflection;
  [[maybe_unused]] static const bool is_registered = [] {
    refl::ObjectDef<HolderNode>(refl::init(false))
        .def_ro("parts", &HolderNode::parts)
        .def_ro("held", &HolderNode::held);
    refl::ObjectDef<UniqueNode>(refl::init(false));
    return true;
  }();
}

TEST(DeepCopy, OfForeignObjectsIsByTheirFunctionAndSetters) {
  RegisterForeign();
  ffi::ObjectPtr<HolderNode> node = ffi::make_object<HolderNode>();
  ir::PrimExpr part = Number(1);
  node->parts = ffi::Array<ir::PrimExpr>({part, tir::Add(part, Number(2))});
  node->held = ffi::ObjectRef(ffi::make_object<HolderNode>(*node));
  ffi::Any root = ffi::ObjectRef(node);
  ffi::Any copy = tschema::DeepCopy(ffi::Array<ffi::Any>({root}))[0];
  EXPECT_EQ(Graph(copy), Graph(root));
  const auto* copied = copy.as<HolderNode>();
  EXPECT_FALSE(copied->parts.value()[0].same_as(part));
  EXPECT_TRUE(copied->parts.value().same_as(copied->held.as<HolderNode>()->parts.value()));
}

TEST(DeepCopy, SharesForeignObjectsThatAreOneOfAKind) {
  RegisterForeign();
  ffi::Any root = ffi::ObjectRef(ffi::make_object<UniqueNode>());
  EXPECT_TRUE(tschema::DeepCopy(ffi::Array<ffi::Any>({root}))[0].same_as(root));
}

TEST(DeepCopy, OfACycleIsACycle) {
  ffi::List<ffi::Any> list;
  ffi::Dict<ffi::Any, ffi::Any> dict;
  list.push_back(ffi::Array<ffi::Any>({list, dict}));
  dict.Set("list", list);
  dict.Set(list, 1);
  ffi::List<ffi::Any> copy = tschema::DeepCopy(list);
  auto array = copy[0].cast<ffi::Array<ffi::Any>>();
  auto copied_dict = array[1].cast<ffi::Dict<ffi::Any, ffi::Any>>();
  EXPECT_FALSE(copy.same_as(list));
  EXPECT_FALSE(copied_dict.same_as(dict));
  EXPECT_TRUE(array[0].same_as(copy));
  EXPECT_TRUE(copied_dict["list"].same_as(copy));
  EXPECT_EQ(copied_dict.count(copy), 1);
  list.clear();
  dict.clear();
  copy.clear();
  copied_dict.clear();
}

TEST(DeepCopy, MapsThatAreKeysOfMaps) {
  auto nest = [](int depth) {
    ffi::Any map = Number(1);
    for (int level = 0; level < depth; ++level) {
      ffi::Map<ffi::Any, ffi::Any> outer;
      outer.Set(map, 1);
      map = outer;
    }
    return map;
  };
  ffi::Any shallow = nest(100);
  EXPECT_EQ(Graph(tschema::DeepCopy(shallow)), Graph(shallow));
  ffi::Any deep = nest(5000);
  EXPECT_THROW(tschema::DeepCopy(deep), ffi::Error);
}

TEST(DeepCopy, AnyDepth) {
  RunOnSmallStack([] {
    ir::PrimExpr sum = DeepSum(kDeep);
    ir::PrimExpr copied_sum = tschema::DeepCopy(sum);
    EXPECT_TRUE(tschema::StructuralEqual(copied_sum, sum));
    ffi::Any containers = DeepContainers(kDeep);
    ffi::Any copy = tschema::DeepCopy(containers);
    EXPECT_TRUE(tschema::StructuralEqual(copy, containers));
    tschema::Dispose(containers);
    copy = nullptr;
  });
}

TEST(DeepCopy, AfterAnErrorDropsTheCopyWithoutRecursion) {
  RunOnSmallStack([] {
    ffi::Any containers = ffi::Function::FromTyped([] {});
    for (int level = 0; level < kDeep; ++level) {
      containers = ffi::Array<ffi::Any>({std::move(containers)});
    }
    EXPECT_THROW(tschema::DeepCopy(containers), ffi::Error);
    tschema::Dispose(containers);
  });
}

TEST(DeepCopy, ManyPathsStayShared) {
  EXPECT_EQ(ObjectsOf(tschema::DeepCopy(ManyPaths(60))).size(), 61);
}

TEST(DeepCopy, ManyChildren) {
  ffi::Array<ffi::Any> children;
  for (int index = 0; index < kDeep; ++index) children.push_back(Number(index));
  ffi::Array<ffi::Any> copy = tschema::DeepCopy(children);
  for (int index = 0; index < kDeep; ++index) {
    ASSERT_EQ(copy[index].cast<ir::IntImm>()->value, index);
    ASSERT_FALSE(copy[index].same_as(children[index]));
  }
}

TEST(DeepCopy, AFunctionForOtherLanguages) {
  ffi::Function copy = ffi::Function::GetGlobalRequired("tschema.deep_copy");
  ir::PrimExpr root = tir::Add(Number(1), Number(2));
  EXPECT_EQ(Graph(copy(root)), Graph(root));
}

TEST(ShallowCopy, SharesWhatTheFieldsReferTo) {
  tir::Add add(Number(1), Number(2));
  ffi::ObjectPtr<ffi::Object> copy = ShallowCopy(add.get());
  auto* copied_add = static_cast<const tir::AddNode*>(copy.get());
  EXPECT_NE(copied_add, add.get());
  EXPECT_TRUE(copied_add->a.same_as(add->a));
  EXPECT_EQ(copied_add->use_count(), 1);
}

TEST(ShallowCopy, OfContainers) {
  for (ffi::ObjectRef container : {ffi::ObjectRef(ffi::Array<ffi::Any>({1, "text"})),
                                   ffi::ObjectRef(ffi::List<ffi::Any>({1, Number(2)})),
                                   ffi::ObjectRef(ffi::Map<ffi::Any, ffi::Any>({{1, 2}})),
                                   ffi::ObjectRef(ffi::Dict<ffi::Any, ffi::Any>({{1, 2}}))}) {
    ffi::Any copy = ffi::ObjectRef(ShallowCopy(container.get()));
    EXPECT_FALSE(copy.same_as(container));
    EXPECT_EQ(Graph(copy), Graph(container));
  }
}

}  // namespace
