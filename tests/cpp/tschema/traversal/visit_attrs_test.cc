/*!
 * \file visit_attrs_test.cc
 * \brief Attributes of objects whose type is known only at run time.
 */
#include <gtest/gtest.h>
#include <tschema/visit_attrs.h>
#include <tvm/ffi/reflection/registry.h>

#include <map>
#include <string>
#include <utility>

#include "tschema/random_ir.h"

namespace {

/*! \brief Notes each attribute as text; adds one to integers of 64 bits. */
class FieldNoter : public tschema::AttrVisitor {
 public:
  std::map<std::string, std::string> notes;

  void Visit(const char* key, bool* value) override { Note(key, "bool", *value); }
  void Visit(const char* key, int8_t* value) override { Note(key, "int8", *value); }
  void Visit(const char* key, int16_t* value) override { Note(key, "int16", *value); }
  void Visit(const char* key, int32_t* value) override { Note(key, "int32", *value); }
  void Visit(const char* key, int64_t* value) override { Note(key, "int64", (*value)++); }
  void Visit(const char* key, uint8_t* value) override { Note(key, "uint8", *value); }
  void Visit(const char* key, uint16_t* value) override { Note(key, "uint16", *value); }
  void Visit(const char* key, uint32_t* value) override { Note(key, "uint32", *value); }
  void Visit(const char* key, uint64_t* value) override { Note(key, "uint64", *value); }
  void Visit(const char* key, float* value) override { Note(key, "float", *value); }
  void Visit(const char* key, double* value) override { Note(key, "double", *value); }
  void Visit(const char* key, DLDataType* value) override { Note(key, "dtype", value->bits); }
  void Visit(const char* key, DLDevice* value) override { Note(key, "device", value->device_id); }
  void Visit(const char* key, ffi::String* value) override { notes[key] = "String " + *value; }
  void Visit(const char* key, ffi::Bytes* value) override { Note(key, "Bytes", value->size()); }
  void Visit(const char* key, ffi::Any* value) override {
    notes[key] = "Any " + value->GetTypeKey();
    if (value->type_index() == kTVMFFIInt) *value = value->cast<int64_t>() + 1;
  }
  void Visit(const char* key, ffi::ObjectRef* value) override {
    notes[key] = "object " + (value->defined() ? (*value)->GetTypeKey() : "None");
  }

 private:
  template <typename T>
  void Note(const char* key, const std::string& type, T value) {
    notes[key] = type + " " + std::to_string(value);
  }
};

using Notes = std::map<std::string, std::string>;

Notes NotesOf(const ffi::ObjectRef& object) {
  FieldNoter noter;
  tschema::VisitAttrs(const_cast<ffi::Object*>(object.get()), &noter);
  return noter.notes;
}

TEST(VisitAttrs, HandsOnEveryFieldAsItIsInMemory) {
  tir::Stmt loop = tir::For(tir::Var("i", kInt32), Number(0), Number(9), tir::ForKind::kUnrolled,
                            tir::Evaluate(Number(1)));
  EXPECT_EQ(NotesOf(loop), (Notes{{"annotations", "object ffi.Map"},
                                  {"body", "object uir.tir.Evaluate"},
                                  {"extent", "object uir.ir.IntImm"},
                                  {"kind", "int32 3"},
                                  {"loop_var", "object uir.tir.Var"},
                                  {"min", "object uir.ir.IntImm"},
                                  {"span", "object None"},
                                  {"step", "object None"},
                                  {"thread_binding", "object None"}}));
  EXPECT_EQ(NotesOf(tir::AttrStmt(1.5, "key", Number(1), loop))["node"], "Any float");
  EXPECT_EQ(NotesOf(tir::AttrStmt(1.5, "key", Number(1), loop))["attr_key"], "String key");
}

TEST(VisitAttrs, VisitorsMayWrite) {
  ir::IntImm number = Number(1);
  EXPECT_EQ(NotesOf(number)["value"], "int64 1");
  EXPECT_EQ(number->value, 2);
}

TEST(VisitAttrs, GeneratedMethodDoesTheSame) {
  tir::Add add(Number(1), Number(2));
  FieldNoter noter;
  const_cast<tir::AddNode*>(add.get())->VisitAttrs(&noter);
  EXPECT_EQ(noter.notes, NotesOf(add));
  EXPECT_EQ(noter.notes.size(), 4);
}

/*! \brief A node of code that does not use this library. */
class ForeignNode : public ffi::Object {
 public:
  ffi::Any any = 1;
  int16_t narrow = 5;

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.visit_attrs.Foreign", ForeignNode, ffi::Object);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  ::tvm::ffi::reflection::ObjectDef<ForeignNode>()
      .def_rw("any", &ForeignNode::any)
      .def_rw("narrow", &ForeignNode::narrow);
}

TEST(VisitAttrs, FieldsOfForeignCodeAreWrittenBack) {
  ffi::ObjectPtr<ForeignNode> node = ffi::make_object<ForeignNode>();
  EXPECT_EQ(NotesOf(ffi::ObjectRef(node)), (Notes{{"any", "Any int"}, {"narrow", "Any int"}}));
  EXPECT_EQ(node->any.cast<int>(), 2);
  EXPECT_EQ(node->narrow, 6);
}

TEST(VisitAttrs, AContainerHasNone) { EXPECT_EQ(NotesOf(ffi::Array<ffi::Any>({1})), Notes()); }

}  // namespace
