/*!
 * \file atlas_test.cc
 * \brief What the library promises in C++.
 */
#include <acme/expr.h>
#include <atlas/geometry.h>
#include <atlas/options.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(what)                                                 \
  if (!(what)) {                                                    \
    std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what); \
    std::exit(1);                                                   \
  }

void TestGeometry() {
  using namespace atlas;
  Point origin(0, 0), corner(3, 4);
  CHECK(corner->Norm() == 5);
  CHECK(Segment("s", origin, corner)->Length() == 5);
  CHECK(Box("b", origin, corner)->Area() == 12);
  CHECK(Box("b", origin, corner)->Contains(Point(1, 1)));
  CHECK(Polyline("p", {origin, corner, origin}, 1)->Length() == 10);
  Group inner("g", {Circle("c", origin, 1), Marker("m", corner, 3, true)}, {});
  CHECK(Group("o", {inner, Text("t", origin, "text", std::nullopt)}, {})->Count() == 3);
  CHECK(Scene({inner}, 2)->Count() == 2);
  bool refused = false;
  try {
    Circle("c", origin, -1);
  } catch (const tvm::ffi::Error& error) {
    refused = error.kind() == "ValueError";
  }
  CHECK(refused);
}

void TestOptions() {
  using namespace atlas::options;
  Page page = Page::A4();
  CHECK(page->InnerWidth() == 523);
  Axis axis("x", 0, 4);
  CHECK(axis->Place(1) == 0.25 && axis->asked() == 1);
  Legend legend(tvm::ffi::Array<String>{"one"});
  CHECK(legend->entries().size() == 1 && legend->font->family == "serif");
  Palette palette({Color(1, 0, 0), Color(0, 1, 0)});
  CHECK(palette->At(3)->green == 1);
  CHECK(Series("s", {1, 2})->Sum() == 3);
  Series series("s", {1, 2, 3, 4, 5});
  CHECK(Chart(page, {axis, Axis("y", 0, 1)}, {series}, palette)->Check() == 1);
  CHECK(!Grid(Color())->color.defined());
}

void TestExpr() {
  using namespace acme::ir;
  DLDataType int32{kDLInt, 32, 1};
  Var x("x");
  CHECK(x.CopyWithSuffix("_1")->name_hint == "x_1");
  Expr sum = Add(IntImm(int32, 2), IntImm(int32, 3));
  CHECK(Fold(1)(sum).as<IntImmNode>()->value == 5);
  Add one(x, x), other = one;
  other.CopyOnWrite()->b = IntImm(int32, 1);
  CHECK(one->b.same_as(x) && other->b.as<IntImmNode>() != nullptr);
  CHECK(Op::Get("exp").same_as(Op::Get("exp")));
  CHECK(Call(Op::Get("exp"), {x})->attrs.empty());
  CHECK(Let(x, sum, x)->body.same_as(x));
  CHECK(!Expr().defined());
}

int main() {
  TestGeometry();
  TestOptions();
  TestExpr();
  std::puts("atlas_test: passed");
}
