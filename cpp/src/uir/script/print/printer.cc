// The names of objects, and which form writes them.
#include <tschema/stack_guard.h>
#include <tvm/ffi/dtype.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/script/printer.h>
#include <uir/tir/buffer.h>
#include <uir/tir/stmt.h>

#include <utility>

#include "../syntax/literals.h"
#include "./print_parts.h"
#include "./printer_state.h"
#include "./sharing.h"
#include "./type_fields.h"

namespace uir::script {

namespace {

using Binding = PrinterState::Binding;

/*! \brief Deeper statements share one line, as indentation grows with the square of the depth. */
constexpr int kDeepestSuite = 100;

/*! \brief The preferred name of a declared object. */
Text NameOf(const ffi::Object* object) {
  if (const auto* var = ffi::AnyView(object).as<tir::VarNode>()) return var->name;
  if (const auto* buffer = ffi::AnyView(object).as<tir::BufferNode>()) return buffer->name;
  if (const auto* global = ffi::AnyView(object).as<ir::GlobalVarNode>()) return global->name_hint;
  const tschema::TypeInfo& info = tschema::TypeInfoOf(object);
  for (const char* field_name : {"name", "name_hint"}) {
    const tschema::FieldInfo* field = info.Find(field_name);
    if (field == nullptr || field->kind != tschema::FieldKind::kString) continue;
    return field->Get<ffi::String>(object);
  }
  const size_t dot = info.key.rfind('.');
  return dot == info.key.npos ? info.key : info.key.substr(dot + 1);
}

void NameDeclared(PrinterState* state, const ffi::Object* object, Text name) {
  state->entries[object] = {state->names.TakeForever(name), Binding::kDeclared, true, 0};
}

KnownType Describe(const ffi::Object* object) {
  const tschema::TypeInfo& info = tschema::TypeInfoOf(object);
  KnownType type;
  type.print = FindPrinter(info.key);
  type.print_stmt = FindStmtPrinter(info.key);
  type.is_expr = object->IsInstance<ir::PrimExprNode>();
  type.is_stmt = object->IsInstance<tir::StmtNode>();
  type.has_identity = info.structural_kind == kTVMFFISEqHashKindFreeVar ||
                      (info.structural_kind == kTVMFFISEqHashKindUniqueInstance &&
                       !object->IsInstance<ir::OpNode>() && !info.fields.empty());
  if (!info.script.empty() && type.print_stmt == nullptr) {
    const TypeFields& fields = TypeFields::Of(info.type_index);
    const bool is_stmt = fields.form && fields.form->kind != DeclaredForm::Kind::kCall;
    if (is_stmt) type.declared_stmt = &fields;
  }
  type.is_dag = info.structural_kind == kTVMFFISEqHashKindDAGNode;
  return type;
}

}  // namespace

const KnownType& PrinterState::TypeOf(const ffi::Object* object) {
  const auto index = static_cast<size_t>(object->type_index());
  if (index >= types.size()) types.resize(index + 1);
  if (types[index] == nullptr) {
    owned_types.push_back(std::make_unique<KnownType>(Describe(object)));
    types[index] = owned_types.back().get();
  }
  return *types[index];
}

Printer::Printer(Plan* plan) : state_(std::make_unique<PrinterState>()) { state_->plan = plan; }

Printer::~Printer() = default;

// Text.

void Printer::WriteInt(int64_t value) { out_ += std::to_string(value); }

void Printer::WriteQuoted(Text text) { AppendQuoted(&out_, text); }

void Printer::WriteDType(DLDataType dtype) {
  // tvm-ffi reads `void`, but writes it as an empty string.
  if (dtype == ir::kVoid) return WriteQuoted("void");
  WriteQuoted(Text(ffi::DLDataTypeToString(dtype)));
}

void Printer::WriteDTypeName(DLDataType dtype) {
  Write("tir.");
  // The usual ones at once: tvm-ffi writes names to a stream.
  const bool is_usual = (dtype.code == kDLInt || dtype.code == kDLFloat) && dtype.lanes == 1;
  if (!is_usual) {
    const ffi::String name = ffi::DLDataTypeToString(dtype);
    // tvm-ffi writes `void` as an empty string.
    return Write(name.empty() ? std::string_view("void") : Text(name));
  }
  Write(dtype.code == kDLInt ? "int" : "float");
  WriteInt(dtype.bits);
}

void Printer::Insert(size_t place, std::string_view text, const ffi::Object* object) {
  out_.insert(place, text);
  for (auto& [object, extent] : state_->extents) {
    if (extent.begin < place) continue;
    extent.begin += text.size();
    extent.end += text.size();
  }
  if (object != nullptr) NoteExtent(object, place, place + text.size());
}

// Names.

bool Printer::IsKnown(const ffi::Object* object) const {
  return state_->entries.count(object) != 0 || state_->plan->declared.count(object) != 0;
}

void Printer::DeclareNextTime(const ffi::Object* object) {
  if (state_->plan->declared.insert(object).second) state_->plan->is_stale = true;
}

bool Printer::Hide(const tir::VarNode* var) {
  const bool is_plain =
      var->type_index() == tir::VarNode::RuntimeTypeIndex() && !var->type_annotation.has_value();
  if (!is_plain || IsKnown(var) || state_->plan->named_handles.count(var) != 0) return false;
  state_->entries[var] = {"", Binding::kHidden, false, 0};
  return true;
}

bool Printer::DeclareInFunction(const ffi::Object* object) {
  if (state_->shape_declarations == nullptr || state_->plan->declared.count(object) != 0) {
    return false;
  }
  const auto* var = ffi::AnyView(object).as<tir::VarNode>();
  const bool is_plain = var != nullptr && !var->type_annotation.has_value() &&
                        (var->type_index() == tir::VarNode::RuntimeTypeIndex() ||
                         var->type_index() == tir::SizeVarNode::RuntimeTypeIndex());
  if (!is_plain) return false;
  const std::string name = Bind(var, var->name);
  std::string outer = std::exchange(out_, name + " = ");
  (*state_->TypeOf(object).print)(this, object, Precedence::kNone);
  state_->shape_declarations->append(std::string((indent_ + 1) * size_t{4}, ' ') + out_ + "\n");
  out_ = std::move(outer);
  return true;
}

void Printer::Use(const ffi::Object* object) {
  const auto function = state_->functions.find(object);
  if (function != state_->functions.end()) return Write(function->second);
  auto found = state_->entries.find(object);
  if (found == state_->entries.end()) {
    if (!DeclareInFunction(object)) Declare(object);
    found = state_->entries.find(object);
  }
  const PrinterState::Entry& entry = found->second;
  const bool is_outside =
      entry.binding == Binding::kOpen && entry.depth < state_->depth_of_declarations;
  // A use outside of the scope needs a declaration, which precedes all scopes.
  if (entry.binding == Binding::kClosed || is_outside) DeclareNextTime(object);
  if (entry.binding == Binding::kHidden) {
    state_->plan->named_handles.insert(object);
    state_->plan->is_stale = true;
  }
  Write(entry.text);
}

std::string Printer::Bind(const ffi::Object* object, Text name) {
  const auto found = state_->entries.find(object);
  if (found != state_->entries.end()) {
    if (found->second.binding != Binding::kDeclared) DeclareNextTime(object);
    return found->second.text;
  }
  if (state_->plan->declared.count(object) != 0) {
    Declare(object);
    return state_->entries.at(object).text;
  }
  std::string text = state_->names.Take(name);
  state_->entries[object] = {text, Binding::kOpen, true, state_->depth_of_declarations};
  state_->scope.push_back(object);
  return text;
}

std::string Printer::WriteReserved(const tir::VarNode* var) {
  const bool is_plain =
      var->type_index() == tir::VarNode::RuntimeTypeIndex() && !var->type_annotation.has_value();
  const std::string name = is_plain && !IsKnown(var) ? state_->names.Take(var->name) : BindVar(var);
  const size_t begin = out_.size();
  Write(name);
  NoteExtent(var, begin, out_.size());
  return name;
}

void Printer::BindReserved(const ffi::Object* var, const std::string& name) {
  const auto found = state_->entries.find(var);
  if (found != state_->entries.end()) {
    // The text in between uses the variable outside its scope.
    if (found->second.text != name) DeclareNextTime(var);
    return;
  }
  state_->entries[var] = {name, Binding::kOpen, true, state_->depth_of_declarations};
  state_->scope.push_back(var);
}

std::string Printer::BindVar(const tir::VarNode* var) {
  const bool is_plain =
      var->type_index() == tir::VarNode::RuntimeTypeIndex() && !var->type_annotation.has_value();
  if (!is_plain) Declare(var);
  return Bind(var, var->name);
}

void Printer::Alias(const ffi::Object* object, std::string text) {
  const bool is_declared = state_->depth_of_declarations > 0;
  const Binding binding = is_declared ? Binding::kDeclared : Binding::kOpen;
  state_->entries[object] = {std::move(text), binding, false, state_->depth_of_declarations};
  if (!is_declared) state_->scope.push_back(object);
}

void Printer::Declare(const ffi::Object* object) {
  if (state_->entries.count(object) != 0) return;
  const bool is_shared = state_->plan->shared.count(object) != 0;
  if (!is_shared) NameDeclared(state_.get(), object, NameOf(object));
  std::string outer = std::exchange(out_, "");
  auto outer_extents = std::exchange(state_->extents, {});
  const auto shape_declarations = std::exchange(state_->shape_declarations, nullptr);
  ++state_->depth_of_declarations;
  is_shared ? WriteShared(object) : WriteDeclared(object);
  --state_->depth_of_declarations;
  state_->shape_declarations = shape_declarations;
  // Shared nodes inside it are declared, and numbered, before it.
  if (is_shared) NameDeclared(state_.get(), object, "shared");
  const std::string line = state_->entries.at(object).text + " = " + out_ + "\n";
  const size_t shift = state_->declarations.size() + line.size() - out_.size() - 1;
  for (const auto& [part, extent] : std::exchange(state_->extents, std::move(outer_extents))) {
    state_->declared_extents.try_emplace(part, Extent{extent.begin + shift, extent.end + shift});
  }
  if (is_shared) state_->shared_declarations += line;
  state_->declarations += line;
  out_ = std::move(outer);
}

/*! \brief Write the definition of a declared object, after declarations of the objects in it. */
void Printer::WriteDeclared(const ffi::Object* object) {
  const KnownType& type = state_->TypeOf(object);
  type.print != nullptr ? (*type.print)(this, object, Precedence::kNone) : PrintGeneric(object);
}

void Printer::WriteShared(const ffi::Object* object) {
  Write("ir.shared(");
  IsContainer(object) ? WriteContainer(object, nullptr) : WriteDeclared(object);
  Write(')');
}

Printer::Scope::Scope(Printer* printer) : printer_(printer), mark_(printer->state_->scope.size()) {}

Printer::Scope::~Scope() {
  PrinterState& state = *printer_->state_;
  while (state.scope.size() > mark_) {
    PrinterState::Entry& entry = state.entries.at(state.scope.back());
    entry.binding = Binding::kClosed;
    if (entry.is_name) state.closed_names.push_back(entry.text);
    state.scope.pop_back();
  }
  // Inside a signature, keep the names of ended scopes: declarations for the whole function must
  // not reuse them.
  if (state.shape_declarations != nullptr) return;
  for (const std::string& name : state.closed_names) state.names.Release(name);
  state.closed_names.clear();
}

// Parts.

void Printer::Dispatch(const ffi::Object* object, Precedence at_least) {
  const KnownType& type = state_->TypeOf(object);
  if (type.has_identity || IsNamed(*state_, object)) return Use(object);
  if (type.is_dag && !state_->dags.insert(object).second) DeclareNextTime(object);
  if (type.print != nullptr) return (*type.print)(this, object, at_least);
  PrintGeneric(object);
}

void Printer::PrintExpr(const ir::PrimExprNode* expr, Precedence at_least, DLDataType like) {
  if (!tschema::EnoughStack()) {
    return tschema::RunOnNewStack([&] { PrintExpr(expr, at_least, like); });
  }
  WritePart(expr, out_.size(), [&] {
    if (!PrintConstant(this, expr, like)) Dispatch(expr, at_least);
  });
}

void Printer::PrintNode(const ffi::Object* node, Precedence at_least) {
  if (!tschema::EnoughStack()) {
    return tschema::RunOnNewStack([&] { PrintNode(node, at_least); });
  }
  WritePart(node, out_.size(), [&] { Dispatch(node, at_least); });
}

void Printer::NoteExtent(const ffi::Object* object, size_t begin, size_t end) {
  if (state_->targets == nullptr) return;
  if (state_->targets->count(object) != 0) {
    state_->extents.try_emplace(object, Extent{begin, end});
  }
}

void Printer::PrintExprs(const ffi::Array<ir::PrimExpr>& exprs) {
  for (size_t i = 0; i < exprs.size(); ++i) {
    if (i > 0) Write(", ");
    PrintExpr(exprs[i].get());
  }
}

void Printer::PrintTuple(const ffi::Array<ir::PrimExpr>& exprs) {
  Write('(');
  PrintExprs(exprs);
  Write(exprs.size() == 1 ? ",)" : ")");
}

void Printer::PrintStmt(const ffi::Object* stmt) {
  if (!tschema::EnoughStack()) return tschema::RunOnNewStack([&] { PrintStmt(stmt); });
  WritePart(stmt, out_.size() + indent_ * size_t{4}, [&] {
    const KnownType& type = state_->TypeOf(stmt);
    if (indent_ < kDeepestSuite && !IsNamed(*state_, stmt)) {
      if (type.print_stmt != nullptr) return type.print_stmt(this, stmt);
      if (type.declared_stmt != nullptr) return PrintDeclaredStmt(this, stmt, *type.declared_stmt);
    }
    BeginLine();
    Dispatch(stmt, Precedence::kNone);
    EndLine();
  });
}

void Printer::PrintSuite(const ffi::Object* body) {
  const Scope scope(this);
  // Measuring ignores indentation, which sharing does not save.
  const int deeper = IsMeasuring(*state_) ? 0 : 1;
  indent_ += deeper;
  PrintStmt(body);
  indent_ -= deeper;
}

}  // namespace uir::script
