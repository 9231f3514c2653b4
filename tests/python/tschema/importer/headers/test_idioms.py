"""The ways in which C++ code declares, registers and refers to classes of objects."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import UNSET

from tschema.importer.records import Found, FoundClass, FoundDefault, FoundField
from tschema.ir.model import TypeRef

ReadFiles = Callable[..., Found]
ReadClass = Callable[[str], FoundClass]

IN_THE_HEADER = """
#ifndef ACME_IR_H_
#define ACME_IR_H_
#include <tvm/ffi/reflection/registry.h>
namespace acme {
namespace ir {

namespace ffi = tvm::ffi;

/*!
 * \\brief A constant.
 *
 * Its value has the type `dtype`.
 * \\sa IntImm
 */
class ACME_DLL IntImmNode : public ffi::Object {
 public:
  /*! \\brief The value. */
  int64_t value;
  DLDataType dtype;  //!< Its data type.
  /// Where it stands,
  /// in the source.
  ffi::Optional<ffi::String> span;

  int64_t Doubled() const { return 2 * value; }

  static void RegisterReflection() {
    namespace refl = tvm::ffi::reflection;
    refl::ObjectDef<IntImmNode>()
        .def_ro("value", &IntImmNode::value)
        .def_ro("dtype", &IntImmNode::dtype, refl::DefaultValue(DLDataType{kDLInt, 32, 1}))
        .def_rw("span", &IntImmNode::span, refl::AttachFieldFlag::SEqHashIgnore(),
                refl::default_value(nullptr), refl::kw_only(true), refl::repr(false))
        .def("doubled", &IntImmNode::Doubled, "Twice the value.");
  }

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("acme.ir.IntImm", IntImmNode, ffi::Object);
};

class IntImm : public ffi::ObjectRef {
 public:
  /*!
   * \\brief Make a constant.
   * \\param value The value.
   */
  explicit IntImm(int64_t value, DLDataType dtype = DLDataType{kDLInt, 32, 1});
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(IntImm, ffi::ObjectRef, IntImmNode);
  TVM_DEFINE_OBJECT_REF_COW_METHOD(IntImmNode);
};

}  // namespace ir
}  // namespace acme
#endif  // ACME_IR_H_
"""


def field(found: FoundClass, name: str) -> FoundField:
    return next(one for one in found.fields if one.name == name)


def test_class(read_class: ReadClass) -> None:
    found = read_class(IN_THE_HEADER)
    assert (found.key, found.name, found.parent) == ("acme.ir.IntImm", "IntImmNode", "ffi.Object")
    assert (found.cpp_namespace, found.header) == ("acme::ir", "acme/ir.h")
    assert (found.final, found.mutable, found.structural) == (True, True, "tree")
    assert (found.registered, found.child_slots, found.polymorphic) == (True, 0, False)
    assert found.cpp_base is None
    # It need not point to its own reference class.
    assert found.doc == "A constant.\n\nIts value has the type `dtype`."
    assert found.location is not None and found.location.line == 16
    assert (found.unsaid, found.omitted) == ((), ())


def test_fields(read_class: ReadClass) -> None:
    found = read_class(IN_THE_HEADER)
    value, dtype, span = found.fields
    assert (value.type, value.doc) == (TypeRef(kind="int64"), "The value.")
    assert (value.writable, value.registered, value.offset) == (False, True, 24)
    assert (dtype.type, dtype.doc, dtype.offset) == (
        TypeRef(kind="DataType"),
        "Its data type.",
        32,
    )
    assert dtype.default == FoundDefault(value="int32", cpp="DLDataType{kDLInt, 32, 1}")
    optional = TypeRef(kind="Optional", args=(TypeRef(kind="String"),))
    assert (span.type, span.doc) == (optional, "Where it stands, in the source.")
    assert (span.structural, span.writable, span.offset) == ("ignore", True, 40)
    assert (span.kw_only, span.repr, span.init) == (True, False, True)
    assert span.default == FoundDefault(value=None, cpp="nullptr")
    assert found.size == 56


def test_method(read_class: ReadClass) -> None:
    (method,) = read_class(IN_THE_HEADER).methods
    assert (method.name, method.doc) == ("doubled", "Twice the value.")
    assert (method.params, method.returns) == ((), TypeRef(kind="int64"))
    assert (method.static, method.cpp) == (False, "&IntImmNode::Doubled")


def test_reference(read_class: ReadClass) -> None:
    reference = read_class(IN_THE_HEADER).reference
    assert reference is not None
    assert (reference.name, reference.cpp_namespace) == ("IntImm", "acme::ir")
    assert (reference.nullable, reference.cow, reference.by_hand) == (False, True, False)
    ((value, dtype),) = reference.constructors
    assert (value.name, value.type, value.doc) == ("value", TypeRef(kind="int64"), "The value.")
    assert (dtype.name, dtype.type) == ("dtype", TypeRef(kind="DataType"))
    assert dtype.default is not None and dtype.default.value == "int32"


def test_registration_in_a_source_file(read_files: ReadFiles) -> None:
    found = read_files(
        node="""
        namespace acme {
        class PairObj : public tvm::ffi::Object {
         public:
          uint8_t first;
          float second;
          TVM_FFI_DECLARE_OBJECT_INFO("acme.Pair", PairObj, tvm::ffi::Object);
        };
        }
        """,
        node_cc="""
        #include <acme/node.h>
        namespace acme {
        TVM_FFI_STATIC_INIT_BLOCK() {
          namespace refl = tvm::ffi::reflection;
          refl::ObjectDef<PairObj>(refl::init(false))
              .def_ro("first", &PairObj::first, "The first.");
        }
        TVM_FFI_STATIC_INIT_BLOCK({
          tvm::ffi::reflection::ObjectDef<acme::PairObj>().def_rw("second", &PairObj::second);
        });
        }  // namespace acme
        """,
    )
    (pair,) = found.classes
    first, second = pair.fields
    assert (first.type, first.doc, first.registered) == (TypeRef(kind="uint8"), "The first.", True)
    assert (second.type, second.writable, second.offset) == (TypeRef(kind="float32"), True, 28)
    assert pair.reference is None
    assert pair.header == "acme/node.h"


def test_registration_through_a_variable(read_files: ReadFiles) -> None:
    found = read_files(
        node="""
        struct AObj : tvm::ffi::Object {
          int32_t a, b;
          TVM_FFI_DECLARE_OBJECT_INFO("x.A", AObj, tvm::ffi::Object);
        };
        """,
        node_cc="""
        void Register() {
          auto def = tvm::ffi::reflection::ObjectDef<AObj>();
          def.def_ro("a", &AObj::a);
          other.def_ro("c", &AObj::c);
          def.def_ro("b", &AObj::b, "B.")
              .def("f", [](const AObj* self, int64_t n) -> bool { return n; });
        }
        """,
    )
    (one,) = found.classes
    assert [(field.name, field.registered) for field in one.fields] == [("a", True), ("b", True)]
    (method,) = one.methods
    assert [param.name for param in method.params] == ["n"]
    assert method.returns == TypeRef(kind="bool")


def test_a_reference_written_by_hand(read_files: ReadFiles) -> None:
    found = read_files(
        node="""
        namespace acme {
        class TypeNode : public tvm::ffi::Object {
         public:
          TVM_FFI_DECLARE_OBJECT_INFO("acme.Type", TypeNode, tvm::ffi::Object);
        };
        class Type : public tvm::ffi::ObjectRef {
         public:
          explicit Type(tvm::ffi::ObjectPtr<TypeNode> n) : tvm::ffi::ObjectRef(std::move(n)) {}
          Type(const Type& other) = default;
          Type(int64_t code, tvm::ffi::String name);
          const TypeNode* operator->() const { return static_cast<const TypeNode*>(get()); }
          using ContainerType = TypeNode;
          static constexpr bool _type_is_nullable = false;
        };
        class IntType : public Type {
         public:
          using Type::Type;
        };
        struct UserNode : public tvm::ffi::Object {
          Type type;
          IntType narrow;
          tvm::ffi::Array<Type> types;
          TVM_FFI_DECLARE_OBJECT_INFO("acme.User", UserNode, tvm::ffi::Object);
        };
        }
        """
    )
    type_, user = found.classes
    assert type_.reference is not None
    assert (type_.reference.by_hand, type_.reference.nullable) == (True, False)
    assert [[one.name for one in params] for params in type_.reference.constructors] == [
        ["code", "name"]
    ]
    node = TypeRef(kind="node", key="acme.Type")
    assert field(user, "type").type == node
    assert field(user, "types").type == TypeRef(kind="Array", args=(node,))
    # A second reference class refers to the same data class, under a name of its own.
    narrow = field(user, "narrow")
    assert narrow.type == node
    assert narrow.cpp_type == "IntType"
    assert (narrow.size, user.size) == (8, 48)


def test_macros_of_older_releases(read_files: ReadFiles) -> None:
    found = read_files(
        node="""
        namespace tvm {
        class BaseNode : public Object {
         public:
          Array<Integer> shape;
          DataType dtype;
          void VisitAttrs(AttrVisitor* v) {
            v->Visit("dtype", &dtype);
            v->Visit("dims", &shape);
          }
          static constexpr const char* _type_key = "Base";
          static constexpr const uint32_t _type_child_slots = 3;
          TVM_DECLARE_BASE_OBJECT_INFO(BaseNode, Object);
        };
        class LeafNode : public BaseNode {
         public:
          static constexpr const char* _type_key = "Leaf";
          TVM_DECLARE_FINAL_OBJECT_INFO(LeafNode, BaseNode);
        };
        class Base : public ObjectRef {
         public:
          TVM_DEFINE_MUTABLE_OBJECT_REF_METHODS(Base, ObjectRef, BaseNode);
        };
        class Leaf : public Base {
         public:
          TVM_DEFINE_NOTNULLABLE_OBJECT_REF_METHODS(Leaf, Base, LeafNode);
          TVM_DEFINE_OBJECT_REF_COW_METHOD(LeafNode)
        };
        }
        """
    )
    base, leaf = found.classes
    assert (base.key, base.parent, base.child_slots) == ("Base", "ffi.Object", 3)
    assert (leaf.key, leaf.parent, leaf.final) == ("Leaf", "Base", True)
    dims, dtype = base.fields
    assert (dims.name, dims.cpp_name, dims.registered) == ("dims", "shape", True)
    assert (dims.type, dims.unknown_type) == (None, "Array<Integer>")
    assert dtype.type == TypeRef(kind="DataType")
    assert base.reference is not None and base.reference.nullable
    assert leaf.reference is not None
    assert (leaf.reference.nullable, leaf.reference.cow) == (False, True)


def test_macros_of_a_project(read_files: ReadFiles) -> None:
    """What a macro of the project's own stands for is read where that is given."""
    found = read_files(
        macros="""
        #define ACME_NODE(Name, Parent)                                       \\
          TVM_FFI_DECLARE_OBJECT_INFO("acme." #Name, Name##Node, Parent)
        #define ACME_REF(Name, Parent) \\
          TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Name, Parent, Name##Node)
        """,
        node="""
        class AddNode : public tvm::ffi::Object {
         public:
          bool flag;
          ACME_NODE(Add, tvm::ffi::Object);
        };
        class Add : public tvm::ffi::ObjectRef {
         public:
          ACME_REF(Add, tvm::ffi::ObjectRef);
        };
        """,
    )
    (add,) = found.classes
    assert (add.key, add.name) == ("acme.Add", "AddNode")
    assert add.reference is not None and add.reference.name == "Add"


def test_members_that_are_not_registered(read_class: ReadClass) -> None:
    found = read_class(
        """
        class CacheObj : public tvm::ffi::Object {
         public:
          int64_t size() const { return size_; }
          TVM_FFI_DECLARE_OBJECT_INFO("acme.Cache", CacheObj, tvm::ffi::Object);
          static void Register() {
            tvm::ffi::reflection::ObjectDef<CacheObj>().def_ro("size", &CacheObj::size_);
          }
         protected:
          mutable std::vector<std::pair<int, int>> entries_;
         private:
          int64_t size_ = kDefaultSize;
          std::unordered_map<std::string, int64_t> index_{16};
          const char* name_ = "}";
          void (*deleter_)(void*, int) = nullptr;
          static int count;
          friend class Cache;
        };
        """
    )
    entries, size, index, name, deleter = found.fields
    assert (entries.name, entries.registered, entries.mutable) == ("entries_", False, True)
    assert (entries.access, entries.size, entries.align) == ("protected", 24, 8)
    assert entries.type is not None and entries.type.key == "std::vector<std::pair<int, int>>"
    assert (size.name, size.cpp_name, size.access) == ("size", "size_", "private")
    assert (size.cpp_init, size.registered) == ("kDefaultSize", True)
    assert (index.cpp_init, index.size, index.offset) == ("{16}", 56, 56)
    assert (name.cpp_init, name.size) == ('"}"', 8)
    assert name.type is not None and name.type.key == "const char*"
    assert (deleter.size, deleter.offset, found.size) == (8, 120, 128)
    assert found.unsaid == ("`deleter_` is a pointer to a function without an alias",)


def test_aliases_of_types(read_class: ReadClass) -> None:
    found = read_class(
        """
        namespace acme {
        using Index = int64_t;
        typedef uint32_t Width;
        using Indices = tvm::ffi::Array<Index>;
        class AObj : public tvm::ffi::Object {
         public:
          using Buffer = std::vector<Index>;
          Index index;
          Width width;
          Indices indices;
          size_t count;
          int64_t plain;
          tvm::ffi::Map<tvm::ffi::String, Index> map;
          Buffer buffer;
          TVM_FFI_DECLARE_OBJECT_INFO("acme.A", AObj, tvm::ffi::Object);
        };
        }
        """
    )
    told = {one.name: (str(one.type), one.cpp_type) for one in found.fields}
    assert told == {
        "index": ("int64", "Index"),
        "width": ("uint32", "Width"),
        "indices": ("Array[int64]", "Indices"),
        "count": ("uint64", "size_t"),
        "plain": ("int64", None),
        "map": ("Map[String, int64]", "tvm::ffi::Map<tvm::ffi::String, Index>"),
        "buffer": ("Buffer", None),
    }
    assert field(found, "buffer").size == 24


def test_enums(read_files: ReadFiles) -> None:
    found = read_files(
        ir="""
        namespace acme { namespace tir {
        /*! \\brief How a loop runs. */
        enum class ForKind : int {
          kSerial = 0,    //!< One after the other.
          kParallel = 1 << 2,
          kVectorized,
          kUser = kLast,
        };
        enum Old { kA };
        enum class Narrow : uint8_t { kB };
        class ForNode : public tvm::ffi::Object {
         public:
          enum class Inner { kC };
          ForKind kind;
          Old old;
          Narrow narrow;
          Inner inner;
          TVM_FFI_DECLARE_OBJECT_INFO_FINAL("acme.tir.For", ForNode, tvm::ffi::Object);
        };
        }}
        """
    )
    (loop,) = found.classes
    kind, old, narrow, inner = loop.fields
    assert (kind.type, kind.size) == (TypeRef(kind="enum", key="acme.tir.ForKind"), 4)
    # No schema declares these: names without scope, 8 bits, an enum of a class.
    assert [str(one.type and one.type.kind) for one in (old, narrow, inner)] == ["foreign"] * 3
    assert [one.size for one in (old, narrow, inner)] == [4, 1, 4]
    (enum,) = found.enums
    assert (enum.key, enum.doc) == ("acme.tir.ForKind", "How a loop runs.")
    assert [(one.name, one.value, one.doc) for one in enum.members] == [
        ("kSerial", 0, "One after the other."),
        ("kParallel", 4, ""),
        ("kVectorized", 5, ""),
    ]
    assert enum.unsaid == ("the value of `kUser` is not a literal",)


def test_an_untyped_base(read_files: ReadFiles) -> None:
    found = read_files(
        ir="""
        namespace acme {
        class ExprNode : public tvm::ffi::Object {
         public:
          int32_t id;
          static constexpr uint32_t _type_child_slots = 7;
          static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindDAGNode;
          TVM_FFI_DECLARE_OBJECT_INFO("acme.Expr", ExprNode, tvm::ffi::Object);
        };
        template <typename T>
        class NodeBase : public ExprNode {
         public:
          void Helper() const;
        };
        class AddNode : public NodeBase<AddNode> {
         public:
          bool wraps;
          TVM_FFI_DECLARE_OBJECT_INFO_FINAL("acme.Add", AddNode, ExprNode);
        };
        }
        """
    )
    expr, add = found.classes
    assert (add.parent, add.cpp_base) == ("acme.Expr", "NodeBase<AddNode>")
    assert (add.structural, expr.child_slots) == ("dag", 7)
    # The child's member stands in the padding of its parent.
    assert [one.offset for one in (*expr.fields, *add.fields)] == [24, 28]
    assert (expr.size, add.size, add.unsaid) == (32, 32, ())


def test_a_template_that_declares_for_its_heirs(read_files: ReadFiles) -> None:
    found = read_files(
        ir="""
        template <typename T>
        class BinaryNode : public tvm::ffi::Object {
         public:
          int64_t a;
          static void RegisterReflection() {
            tvm::ffi::reflection::ObjectDef<T>().def_ro("a", &T::a);
          }
          static constexpr int _type_child_slots [[maybe_unused]] = 0;
          TVM_FFI_DECLARE_OBJECT_INFO_PREDEFINED_TYPE_KEY(T, tvm::ffi::Object);
        };
        class AddNode : public BinaryNode<AddNode> {
         public:
          static constexpr const char* _type_key = "acme.Add";
        };
        """
    )
    (add,) = found.classes
    assert (add.key, add.parent, add.child_slots) == ("acme.Add", "ffi.Object", 0)
    assert [(one.name, one.registered, one.offset) for one in add.fields] == [("a", True, 24)]
    assert (add.size, add.unsaid) == (32, ())
    assert add.by_hand == ("its base `BinaryNode` is untyped and has members",)


def test_a_template_whose_heirs_name_their_key_otherwise(read_files: ReadFiles) -> None:
    found = read_files(
        ir="""
        template <typename T, typename V>
        class ValueNode : public tvm::ffi::Object {
         public:
          V value;
          static void RegisterReflection() {
            tvm::ffi::reflection::ObjectDef<T>().def_ro("value", &T::value);
          }
          TVM_FFI_DECLARE_OBJECT_INFO_FINAL(T::kKey, T, tvm::ffi::Object);
        };
        class IntNode : public ValueNode<IntNode, int64_t> {
         public:
          static constexpr const char* kKey = "acme.Int";
        };
        """
    )
    (one,) = found.classes
    assert (one.key, one.final, one.cpp_base) == ("acme.Int", True, "ValueNode<IntNode, int64_t>")
    assert [(field.name, field.unknown_type) for field in one.fields] == [("value", "V")]


def test_a_registered_enum_that_no_schema_declares_is_an_integer(read_files: ReadFiles) -> None:
    found = read_files(
        ir="""
        namespace acme {
        enum Kind { kA, kB = 3 };
        enum Color : uint8_t { kRed };
        class ForNode : public tvm::ffi::Object {
         public:
          Kind kind;
          Color color;
          Kind hidden;
          static void RegisterReflection() {
            tvm::ffi::reflection::ObjectDef<ForNode>()
                .def_ro("kind", &ForNode::kind)
                .def_ro("color", &ForNode::color);
          }
          TVM_FFI_DECLARE_OBJECT_INFO_FINAL("acme.For", ForNode, tvm::ffi::Object);
        };
        }
        """
    )
    (one,) = found.classes
    kinds = [(field.type.kind, field.cpp_type) for field in one.fields if field.type]
    assert kinds == [("int32", "Kind"), ("uint8", "Color"), ("foreign", None)]


def test_virtual_functions(read_files: ReadFiles) -> None:
    found = read_files(
        ir="""
        class PassNode : public tvm::ffi::Object {
         public:
          virtual ~PassNode() = default;
          virtual int Run(int x) const = 0;
          int64_t level;
          TVM_FFI_DECLARE_OBJECT_INFO("acme.Pass", PassNode, tvm::ffi::Object);
        };
        class FoldNode : public PassNode {
         public:
          int Run(int x) const final { return x; }
          bool deep;
          TVM_FFI_DECLARE_OBJECT_INFO_FINAL("acme.Fold", FoldNode, PassNode);
        };
        """
    )
    base, fold = found.classes
    assert (base.polymorphic, fold.polymorphic) == (True, True)
    # The table pointer stands before the header, from which offsets count.
    assert [one.offset for one in (*base.fields, *fold.fields)] == [24, 32]
    assert (base.size, fold.size) == (40, 48)
    assert (base.default_constructible, fold.default_constructible) == (False, False)


def test_default_construction(read_files: ReadFiles) -> None:
    found = read_files(
        ir="""
        #define NODE(Name, ...)                                               \\
          TVM_FFI_DECLARE_OBJECT_INFO("x." #Name, Name, tvm::ffi::Object)
        struct Plain : tvm::ffi::Object { int64_t a; NODE(Plain); };
        struct Told : tvm::ffi::Object { Told() = default; explicit Told(int); NODE(Told); };
        struct Filled : tvm::ffi::Object { explicit Filled(int64_t a) {} NODE(Filled); };
        struct Unsafe : tvm::ffi::Object {
          explicit Unsafe(tvm::ffi::UnsafeInit) {}
          static void R() { tvm::ffi::reflection::ObjectDef<Unsafe>(); }
          NODE(Unsafe);
        };
        struct Abstract : tvm::ffi::Object {
          explicit Abstract(int) {}
          static void R() { tvm::ffi::reflection::ObjectDef<Abstract>(); }
          NODE(Abstract);
        };
        struct Made : tvm::ffi::Object {
          explicit Made(int64_t a) {}
          static void R() {
            namespace refl = tvm::ffi::reflection;
            refl::ObjectDef<Made>().def(refl::init<int64_t>());
          }
          NODE(Made);
        };
        class Ref : public tvm::ffi::ObjectRef {
         public:
          TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Ref, tvm::ffi::ObjectRef, Plain);
        };
        struct Holds : tvm::ffi::Object { Ref ref; NODE(Holds); };
        struct Initialized : tvm::ffi::Object { Ref ref = MakeRef(); NODE(Initialized); };
        """
    )
    made = {one.name: (one.default_constructible, one.abstract) for one in found.classes}
    assert made == {
        "Plain": (True, None),
        "Told": (True, None),
        "Filled": (False, None),
        "Unsafe": (False, False),
        "Abstract": (False, True),
        "Made": (False, False),
        "Holds": (False, None),
        "Initialized": (True, None),
    }


def test_methods(read_class: ReadClass) -> None:
    found = read_class(
        """
        namespace acme {
        int64_t FreeSize(const BagObj* self, bool deep = false);
        class BagObj : public tvm::ffi::Object {
         public:
          /*!
           * \\brief Add an element.
           * \\param item What to add.
           * \\return The new size.
           */
          int64_t Add(const tvm::ffi::String& item, std::optional<double> weight);
          void Over(int64_t a);
          void Over(double a, bool b);
          static BagObj* Make(tvm::ffi::Array<tvm::ffi::Any> items);
          static void R() {
            namespace refl = tvm::ffi::reflection;
            refl::ObjectDef<BagObj>()
                .def("add", &BagObj::Add)
                .def("size", &FreeSize)
                .def("over", static_cast<void (BagObj::*)(double, bool)>(&BagObj::Over))
                .def("other", refl::overload_cast<int64_t>(&BagObj::Over))
                .def("unknown", &BagObj::Over)
                .def("deduced", [](const BagObj* self) { return self->x; })
                .def("clear", [](BagObj* self, int n) { self->Clear(); })
                .def_static("make", &BagObj::Make)
                .def("__hook__", &BagObj::Add)
                .def_type_attr("__s__", 1);
          }
          TVM_FFI_DECLARE_OBJECT_INFO("acme.Bag", BagObj, tvm::ffi::Object);
        };
        }
        """
    )
    told = {
        one.name: ([str(param.type) for param in one.params], str(one.returns), one.static)
        for one in found.methods
    }
    assert told == {
        "add": (["String", "Optional[float64]"], "int64", False),
        "size": (["bool"], "int64", False),
        "over": (["float64", "bool"], "None", False),
        "other": (["int64"], "None", False),
        "unknown": ([], "None", False),
        "deduced": ([], "None", False),
        "clear": (["int32"], "None", False),
        "make": (["Array[Any]"], "acme.Bag", True),
    }
    methods = {one.name: one for one in found.methods}
    add = methods["add"]
    assert (add.doc, add.returns_doc) == ("Add an element.", "The new size.")
    assert [(one.name, one.doc) for one in add.params] == [("item", "What to add."), ("weight", "")]
    assert methods["unknown"].returns is None and methods["deduced"].returns is None
    assert methods["size"].params[0].default == FoundDefault(value=False, cpp="false")
    assert found.omitted == ("hook `__hook__`", 'type attribute "__s__"')


def test_default_values(read_class: ReadClass) -> None:
    texts = {
        "true": True,
        "-1": -1,
        "int64_t{-1}": -1,
        "0x10": 16,
        "1'000": 1000,
        "10u": 10,
        "1.5f": 1.5,
        "float{8.0f}": 8.0,
        "1e-3": 0.001,
        '"a\\n" "b"': "a\nb",
        'String("default")': "default",
        'R"(raw)"': "raw",
        "std::nullopt": None,
        "DataType::Float(16, 4)": "float16x4",
        "DataType::Bool()": "bool",
        'ffi::StringToDLDataType("int8")': "int8",
        "static_cast<int>(Kind::kA)": UNSET,
        "ffi::Array<Expr>()": UNSET,
    }
    members = "".join(f"  Any m{idx};\n" for idx in range(len(texts)))
    defs = "".join(
        f'.def_ro("m{idx}", &A::m{idx}, refl::DefaultValue({text}))'
        for idx, text in enumerate(texts)
    )
    found = read_class(
        f"""
        struct A : tvm::ffi::Object {{
        {members}
          Any list;
          static void R() {{
            refl::ObjectDef<A>(){defs}
              .def_ro("list", &A::list, refl::default_factory([]() {{ return List<int>(); }}));
          }}
          TVM_FFI_DECLARE_OBJECT_INFO("x.A", A, tvm::ffi::Object);
        }};
        """
    )
    defaults = [one.default for one in found.fields]
    assert [one and one.value for one in defaults[:-1]] == [*texts.values()]
    assert [one and one.cpp for one in defaults[:-1]] == [*texts]
    assert defaults[-2] is not None and defaults[-2].factory == "list"
    assert defaults[-1] is not None and defaults[-1].factory == "list"


def test_defaults_of_the_type_of_the_field(read_files: ReadFiles) -> None:
    found = read_files(
        ir="""
        struct SpanNode : tvm::ffi::Object {
          TVM_FFI_DECLARE_OBJECT_INFO("x.Span", SpanNode, tvm::ffi::Object);
        };
        struct Span : tvm::ffi::ObjectRef {
          TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Span, tvm::ffi::ObjectRef, SpanNode);
        };
        struct A : tvm::ffi::Object {
          Span null, made, number; bool flag; int32_t count; double share;
          static void R() {
            refl::ObjectDef<A>()
                .def_ro("null", &A::null, refl::DefaultValue(Span()))
                .def_ro("made", &A::made, refl::DefaultValue(Span(1)))
                .def_ro("number", &A::number, refl::DefaultValue(1))
                .def_ro("flag", &A::flag, refl::DefaultValue(1))
                .def_ro("count", &A::count, refl::DefaultValue(true))
                .def_ro("share", &A::share, refl::DefaultValue(2));
          }
          TVM_FFI_DECLARE_OBJECT_INFO("x.A", A, tvm::ffi::Object);
        };
        """
    )
    a = found.classes[1]
    values = {one.name: one.default and one.default.value for one in a.fields}
    assert values["null"] is None
    assert (values["made"], values["number"]) == (UNSET, UNSET)
    assert (values["flag"], values["count"], values["share"]) == (True, 1, 2.0)
    assert [type(values[name]) for name in ("flag", "count", "share")] == [bool, int, float]
    assert a.omitted == (
        "the default of `made`, which no literal makes",
        "the default of `number`, which no literal makes",
    )


def test_defaults_that_are_members_of_enums(read_class: ReadClass) -> None:
    found = read_class(
        """
        namespace acme {
        enum class Kind : int { kA, kB };
        class AObj : public tvm::ffi::Object {
         public:
          Kind kind; int32_t code; int64_t both; String text;
          static void R() {
            refl::ObjectDef<AObj>()
                .def_ro("kind", &AObj::kind, refl::DefaultValue(Kind::kB))
                .def_ro("code", &AObj::code, refl::DefaultValue(static_cast<int>(Kind::kA)))
                .def_ro("both", &AObj::both,
                        refl::DefaultValue(static_cast<int>(Kind::kA) | static_cast<int>(Kind::kB)))
                .def_ro("text", &AObj::text, refl::DefaultValue(Kind::kA));
          }
          TVM_FFI_DECLARE_OBJECT_INFO("acme.A", AObj, tvm::ffi::Object);
        };
        }
        """
    )
    members = [one.default and one.default.member for one in found.fields]
    assert members == [("acme.Kind", "kB"), ("acme.Kind", "kA"), None, None]
    assert len(found.omitted) == 2


def test_lambdas_keep_their_macros_and_literals(read_class: ReadClass) -> None:
    found = read_class(
        r"""
        class BagObj : public tvm::ffi::Object {
         public:
          static void RegisterReflection() {
            refl::ObjectDef<BagObj>()
                .def("guarded", [](const BagObj* self) -> int64_t {
                  BAG_TRY_BEGIN();  // Errors of the bag become those of the caller.
                  LOG(INFO) << "two  blanks // stay" << self;
                  return 1;
                  BAG_TRY_END();
                })
                .def("chosen", [](const BagObj* self) -> int64_t {
            #ifdef BAG_FAST
                  return 1;
            #else
                  return 2;
            #endif
                });
          }
          TVM_FFI_DECLARE_OBJECT_INFO_FINAL("x.Bag", BagObj, tvm::ffi::Object);
        };
        """
    )
    assert [method.cpp for method in found.methods] == [
        "[](const BagObj* self) -> int64_t { BAG_TRY_BEGIN(); "
        'LOG(INFO) << "two  blanks // stay" << self; return 1; BAG_TRY_END(); }'
    ]
    assert found.omitted == ("method `chosen`, in which directives are",)
