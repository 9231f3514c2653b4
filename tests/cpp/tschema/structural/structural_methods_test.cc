// Structural methods that people wrote: ours and tvm-ffi's engines use them.
#include <gtest/gtest.h>
#include <tschema/structural_equal.h>
#include <tschema/structural_hash.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/structural_equal.h>
#include <tvm/ffi/extra/structural_hash.h>

#include <string>

#include "error_of.h"
#include "tschema/structural/agreed_hash.h"
#include "tschema/structural/structural_nodes.h"

namespace {

namespace ffi = ::tvm::ffi;
using namespace structural_nodes;  // NOLINT(google-build-using-namespace)
using ffi::Any;
using tschema::StructuralEqual;
using tschema::StructuralHash;

/*! \brief Both engines' answer, which is one. */
bool Equal(const Any& lhs, const Any& rhs) {
  bool is_equal = StructuralEqual(lhs, rhs);
  EXPECT_EQ(is_equal, ffi::StructuralEqual()(lhs, rhs));
  return is_equal;
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Any Table(const char* note, Any first_body) {
  ObjectRef main(ffi::make_object<NamedVarNode>("main", note));
  ObjectRef helper(ffi::make_object<NamedVarNode>("a helper on the heap", note));
  ffi::Map<ObjectRef, Any> functions;
  // A function that calls another, and one that calls itself.
  if (note[0] == 'x') {
    functions.Set(main, ffi::Array<Any>{first_body, helper});
    functions.Set(helper, ffi::Array<Any>{2, helper});
  } else {
    functions.Set(helper, ffi::Array<Any>{2, helper});
    functions.Set(main, ffi::Array<Any>{first_body, helper});
  }
  return ObjectRef(ffi::make_object<TableNode>(functions, 1));
}

class StructuralMethods : public testing::Test {
 protected:
  void SetUp() override { structural_nodes::Register(); }
};

TEST_F(StructuralMethods, AreUsedByBothEngines) {
  ObjectRef x = NamedVar("x"), other_x = NamedVar("x"), y = NamedVar("y");
  EXPECT_FALSE(Equal(x, other_x));
  EXPECT_TRUE(StructuralEqual(x, other_x, /*map_free_vars=*/true));
  EXPECT_FALSE(StructuralEqual(x, y, /*map_free_vars=*/true));
  Hash(x);
  EXPECT_EQ(StructuralHash(x, true), ffi::StructuralHash::Hash(other_x, true));
  EXPECT_NE(StructuralHash(x, true), StructuralHash(y, true));
}

TEST_F(StructuralMethods, BindTheVariablesOfATableFirst) {
  EXPECT_TRUE(Equal(Table("x", 1), Table("y", 1)));
  EXPECT_FALSE(Equal(Table("x", 1), Table("y", 3)));
  EXPECT_EQ(Hash(Table("x", 1)), Hash(Table("y", 1)));
  EXPECT_NE(Hash(Table("x", 1)), Hash(Table("y", 3)));
}

TEST_F(StructuralMethods, HaveTheirPartsNamedInPaths) {
  std::optional<tschema::Mismatch> mismatch = tschema::FirstMismatch(Table("x", 1), Table("y", 3));
  EXPECT_EQ(std::string(mismatch->text),
            "<root>.functions[`structural_nodes.NamedVar`][0]: 1 != 3");
  mismatch = tschema::FirstMismatch(Cons(1, Cons(2, 3)), Cons(1, Cons(4, 3)));
  EXPECT_EQ(std::string(mismatch->text), "<root>.tail.head: 2 != 4");
}

TEST_F(StructuralMethods, MayCombinePartsInAnyWay) {
  auto either = [](Any a, Any b) -> Any { return ObjectRef(ffi::make_object<EitherNode>(a, b)); };
  Any one = ffi::Array<Any>{1}, two = ffi::Array<Any>{2}, three = ffi::Array<Any>{3};
  EXPECT_TRUE(Equal(either(one, two), either(two, two)));
  EXPECT_TRUE(Equal(either(one, two), either(one, three)));
  EXPECT_FALSE(Equal(either(one, two), either(two, three)));
  // A difference that the method passes over is not the first one.
  std::optional<tschema::Mismatch> mismatch = tschema::FirstMismatch(
      ffi::Array<Any>{either(one, two), 5}, ffi::Array<Any>{either(two, two), 6});
  EXPECT_EQ(std::string(mismatch->text), "<root>[1]: 5 != 6");
  mismatch = tschema::FirstMismatch(either(one, two), either(two, three));
  EXPECT_EQ(std::string(mismatch->text), "<root>.b[0]: 2 != 3");
}

TEST_F(StructuralMethods, MayNotMarkATreeAsAVariable) {
  Any node = ObjectRef(ffi::make_object<MarkedNode>(1));
  const char* expected = "TypeError: a structural method of type `structural_nodes.Marked`";
  EXPECT_TRUE(Has(ErrorOf([&] { StructuralEqual(node, node); }), expected));
  EXPECT_TRUE(Has(ErrorOf([&] { StructuralHash(node); }), expected));
  EXPECT_TRUE(Has(ErrorOf([&] { ffi::StructuralEqual()(node, node); }), expected));
  EXPECT_TRUE(Has(ErrorOf([&] { ffi::StructuralHash()(node); }), expected));
}

TEST_F(StructuralMethods, AreMissedWhereAClassTurnsThemOff) {
  Any node = ObjectRef(ffi::make_object<SilentNode>(1));
  std::string compared = "TypeError: objects of type `structural_nodes.Silent` cannot be compared";
  std::string hashed = "TypeError: objects of type `structural_nodes.Silent` cannot be hashed";
  EXPECT_TRUE(Has(ErrorOf([&] { StructuralEqual(node, node); }), compared));
  EXPECT_TRUE(Has(ErrorOf([&] { tschema::FirstMismatch(node, node); }), compared));
  EXPECT_TRUE(Has(ErrorOf([&] { ffi::StructuralEqual()(node, node); }), compared));
  EXPECT_TRUE(Has(ErrorOf([&] { StructuralHash(node); }), hashed));
  EXPECT_TRUE(Has(ErrorOf([&] { ffi::StructuralHash()(node); }), hashed));
}

TEST_F(StructuralMethods, OfForeignCodeAreHonoured) {
  Any a = Cons(1, 2), b = Cons(3, 4);
  EXPECT_TRUE(Equal(Make<UnorderedNode>(a, b), Make<UnorderedNode>(Cons(3, 4), Cons(1, 2))));
  EXPECT_FALSE(Equal(Make<UnorderedNode>(a, b), Make<UnorderedNode>(a, a)));
  EXPECT_EQ(Hash(Make<UnorderedNode>(a, b)), Hash(Make<UnorderedNode>(b, a)));
  std::optional<tschema::Mismatch> mismatch = tschema::FirstMismatch(
      ffi::Array<Any>{Make<UnorderedNode>(a, b)}, ffi::Array<Any>{Make<UnorderedNode>(a, a)});
  EXPECT_EQ(std::string(mismatch->text), "<root>[0].b.tail: 4 != 2");
}

TEST_F(StructuralMethods, OfForeignCodeMayFailAndGoOn) {
  // The first try of the outer node takes the shared parts for equal before it fails.
  Any shared = Cons(1, 2), other = Cons(1, 2);
  Any lhs = Make<UnorderedNode>(ffi::Array<Any>{shared, 5}, ffi::Array<Any>{shared, 6});
  Any rhs = Make<UnorderedNode>(ffi::Array<Any>{other, 6}, ffi::Array<Any>{other, 5});
  EXPECT_TRUE(Equal(lhs, rhs));
  Any wrong = Make<UnorderedNode>(ffi::Array<Any>{other, 6}, ffi::Array<Any>{Cons(1, 3), 5});
  EXPECT_FALSE(Equal(lhs, wrong));
}

}  // namespace
