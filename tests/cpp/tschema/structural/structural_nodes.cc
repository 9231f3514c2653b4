// Registers the nodes of structural_nodes.h, with tschema and without.
#include "tschema/structural/structural_nodes.h"

#include <tschema/registry.h>
#include <tvm/ffi/extra/structural_equal.h>
#include <tvm/ffi/extra/structural_hash.h>
#include <tvm/ffi/reflection/registry.h>

namespace structural_nodes {

namespace {

namespace refl = ::tvm::ffi::reflection;
using tschema::Callable;
using tschema::Field;
using tschema::kAccess;
using tschema::New;
using tschema::Parameter;

constexpr unsigned kCustom = tschema::kCustomSEqualReduce | tschema::kCustomSHashReduce;

constexpr Field kNamedVarFields[] = {
    {"name_hint", offsetof(NamedVarNode, name_hint), &kAccess<ffi::String>, 0, "String", ""},
    {"note", offsetof(NamedVarNode, note), &kAccess<ffi::Any>, 0, "Any", ""},
};
constexpr Parameter kNamedVarArguments[] = {{"name_hint", "String"}, {"note", "Any"}};
constexpr Callable kNewNamedVar = {"structural_nodes.NamedVar",
                                   &New<NamedVarNode, ffi::String, ffi::Any>, kNamedVarArguments,
                                   "structural_nodes.NamedVar"};

using Functions = ffi::Map<ObjectRef, ffi::Any>;
constexpr Field kTableFields[] = {
    {"functions", offsetof(TableNode, functions), &kAccess<Functions>, 0, "Map[Object, Any]", ""},
    {"version", offsetof(TableNode, version), &kAccess<int64_t>, 0, "int64", ""},
};
constexpr Parameter kTableArguments[] = {{"functions", "Map[Object, Any]"}, {"version", "int64"}};
constexpr Callable kNewTable = {"structural_nodes.Table", &New<TableNode, Functions, int64_t>,
                                kTableArguments, "structural_nodes.Table"};

constexpr Field kEitherFields[] = {
    {"a", offsetof(EitherNode, a), &kAccess<ffi::Any>, 0, "Any", ""},
    {"b", offsetof(EitherNode, b), &kAccess<ffi::Any>, 0, "Any", ""},
};
constexpr Parameter kEitherArguments[] = {{"a", "Any"}, {"b", "Any"}};
constexpr Callable kNewEither = {"structural_nodes.Either", &New<EitherNode, ffi::Any, ffi::Any>,
                                 kEitherArguments, "structural_nodes.Either"};

constexpr Parameter kValueArguments[] = {{"value", "int64"}};
constexpr Field kMarkedFields[] = {
    {"value", offsetof(MarkedNode, value), &kAccess<int64_t>, 0, "int64", ""},
};
constexpr Callable kNewMarked = {"structural_nodes.Marked", &New<MarkedNode, int64_t>,
                                 kValueArguments, "structural_nodes.Marked"};
constexpr Field kSilentFields[] = {
    {"value", offsetof(SilentNode, value), &kAccess<int64_t>, 0, "int64", ""},
};
constexpr Callable kNewSilent = {"structural_nodes.Silent", &New<SilentNode, int64_t>,
                                 kValueArguments, "structural_nodes.Silent"};

constexpr Field kConsFields[] = {
    {"head", offsetof(ConsNode, head), &kAccess<ffi::Any>, 0, "Any", ""},
    {"tail", offsetof(ConsNode, tail), &kAccess<ffi::Any>, 0, "Any", ""},
    {"weight", offsetof(ConsNode, weight), &kAccess<double>, 0, "float64", ""},
};
constexpr Parameter kConsArguments[] = {{"head", "Any"}, {"tail", "Any"}, {"weight", "float64"}};
constexpr Callable kNewCons = {"structural_nodes.Cons", &New<ConsNode, ffi::Any, ffi::Any, double>,
                               kConsArguments, "structural_nodes.Cons"};

constexpr tschema::Type kTypes[] = {
    tschema::Concrete<NamedVarNode, kCustom>("1", "", kNamedVarFields, kNewNamedVar),
    tschema::Concrete<TableNode, kCustom>("2", "", kTableFields, kNewTable),
    tschema::Concrete<EitherNode, kCustom>("3", "", kEitherFields, kNewEither),
    tschema::Concrete<MarkedNode, kCustom>("4", "", kMarkedFields, kNewMarked),
    tschema::Concrete<SilentNode, kCustom>("5", "", kSilentFields, kNewSilent),
    tschema::Concrete<ConsNode, kCustom>("6", "", kConsFields, kNewCons),
};
constexpr tschema::Unit kUnit = {kTypes, {}};
constexpr const tschema::Unit* kUnits[] = {&kUnit};
constexpr tschema::Package kPackage = {"structural_nodes", "1", tschema::kFFIVersion, kUnits};

using Compare = ffi::TypedFunction<bool(ffi::AnyView, ffi::AnyView, int, ffi::AnyView)>;
using Combine = ffi::TypedFunction<int64_t(ffi::AnyView, int64_t, int)>;

bool EqualUnordered(const UnorderedNode* lhs, const UnorderedNode* rhs, const Compare& compare) {
  if (compare(lhs->a, rhs->a, 0, "a") && compare(lhs->b, rhs->b, 0, "b")) return true;
  return compare(lhs->a, rhs->b, 0, "a") && compare(lhs->b, rhs->a, 0, "b");
}

int64_t HashUnordered(const UnorderedNode* self, int64_t hash, const Combine& combine) {
  return combine(self->a, hash, 0) ^ combine(self->b, hash, 0);
}

void RegisterForeign() {
  refl::ObjectDef<ForeignNode>(refl::init(false))
      .def_ro("small", &ForeignNode::small)
      .def_ro("single", &ForeignNode::single)
      .def_ro("number", &ForeignNode::number)
      .def_ro("flag", &ForeignNode::flag)
      .def_ro("text", &ForeignNode::text)
      .def_ro("value", &ForeignNode::value)
      .def_ro("maybe", &ForeignNode::maybe)
      .def_ro("binder", &ForeignNode::binder, refl::AttachFieldFlag::SEqHashDefSimple())
      .def_ro("pattern", &ForeignNode::pattern, refl::AttachFieldFlag::SEqHashDefPattern())
      .def_ro("parts", &ForeignNode::parts)
      .def_ro("ignored", &ForeignNode::ignored, refl::AttachFieldFlag::SEqHashIgnore());
}

template <typename Node>
void RegisterPair() {
  refl::ObjectDef<Node>(refl::init(false)).def_ro("a", &Node::a).def_ro("b", &Node::b);
}

bool RegisterOnce() {
  tschema::Register(kPackage);
  RegisterForeign();
  RegisterPair<DagNode>();
  RegisterPair<ConstNode>();
  RegisterPair<UniqueNode>();
  RegisterPair<UnsupportedNode>();
  RegisterPair<TypedNode>();
  RegisterPair<UnorderedNode>();
  refl::TypeAttrDef<UnorderedNode>()
      .def(ffi::type_attr::kSEqual.name, EqualUnordered)
      .def(ffi::type_attr::kSHash.name, HashUnordered);
  return true;
}

}  // namespace

void Register() { [[maybe_unused]] static bool is_registered = RegisterOnce(); }

}  // namespace structural_nodes
