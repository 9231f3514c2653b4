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
#include "./printer_state.h"

namespace uir::script {

namespace {

using Binding = PrinterState::Binding;

/*! \brief What a declared object would like to be called. */
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
  // What tvm-ffi reads as `void` it writes as nothing.
  if (dtype == ir::kVoid) return WriteQuoted("void");
  WriteQuoted(Text(ffi::DLDataTypeToString(dtype)));
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
  // A declaration stands in front of all scopes.
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
  const std::string name = state_->names.TakeForever(NameOf(object));
  state_->entries[object] = {name, Binding::kDeclared, true, 0};
  std::string outer = std::exchange(out_, name + " = ");
  const auto shape_declarations = std::exchange(state_->shape_declarations, nullptr);
  ++state_->depth_of_declarations;
  const KnownType& type = state_->TypeOf(object);
  // Forms of types with an identity write their contents; what they hold is declared before.
  if (type.print != nullptr) {
    (*type.print)(this, object, Precedence::kNone);
  } else {
    PrintGeneric(object);
  }
  --state_->depth_of_declarations;
  state_->shape_declarations = shape_declarations;
  out_.push_back('\n');
  state_->declarations += std::exchange(out_, std::move(outer));
}

Printer::Scope::Scope(Printer* printer) : printer_(printer), mark_(printer->state_->scope.size()) {}

Printer::Scope::~Scope() {
  PrinterState& state = *printer_->state_;
  while (state.scope.size() > mark_) {
    PrinterState::Entry& entry = state.entries.at(state.scope.back());
    entry.binding = Binding::kClosed;
    if (entry.is_name) state.names.Release(entry.text);
    state.scope.pop_back();
  }
}

// Parts.

void Printer::Dispatch(const ffi::Object* object, Precedence at_least) {
  const KnownType& type = state_->TypeOf(object);
  const Plan& plan = *state_->plan;
  if (type.has_identity || (!plan.declared.empty() && plan.declared.count(object) != 0)) {
    return Use(object);
  }
  if (type.is_dag && !state_->dags.insert(object).second) DeclareNextTime(object);
  if (type.print != nullptr) return (*type.print)(this, object, at_least);
  PrintGeneric(object);
}

void Printer::PrintExpr(const ir::PrimExprNode* expr, Precedence at_least, DLDataType like) {
  if (!tschema::EnoughStack()) {
    return tschema::RunOnNewStack([&] { PrintExpr(expr, at_least, like); });
  }
  const size_t begin = out_.size();
  if (!PrintConstant(this, expr, like)) Dispatch(expr, at_least);
  NoteExtent(expr, begin, out_.size());
}

void Printer::NoteExtent(const ffi::Object* object, size_t begin, size_t end) {
  if (state_->targets == nullptr || state_->depth_of_declarations > 0) return;
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
  const size_t begin = out_.size() + indent_ * size_t{4};
  const KnownType& type = state_->TypeOf(stmt);
  if (type.print_stmt != nullptr) {
    type.print_stmt(this, stmt);
  } else {
    BeginLine();
    Dispatch(stmt, Precedence::kNone);
    EndLine();
  }
  NoteExtent(stmt, begin, out_.size());
}

void Printer::PrintBody(const ffi::Object* body) {
  const auto* sequence = ffi::AnyView(body).as<tir::SeqStmtNode>();
  if (sequence == nullptr || sequence->seq.size() == 1) return PrintStmt(body);
  if (sequence->seq.empty()) {
    BeginLine();
    Write("pass\n");
  }
  const size_t begin = out_.size() + indent_ * size_t{4};
  for (const tir::Stmt& stmt : sequence->seq) PrintStmt(stmt.get());
  NoteExtent(body, begin, out_.size());
}

void Printer::PrintSuite(const ffi::Object* body) {
  const Scope scope(this);
  ++indent_;
  PrintBody(body);
  --indent_;
}

}  // namespace uir::script
