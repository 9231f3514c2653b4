// Accesses of objects' fields by name become loads at their offsets.
//
// References that may be null or of another type are checked where they are read, bound, passed or
// returned.
#include <tvm/ffi/cast.h>
#include <tvm/ffi/error.h>
#include <uir/ir/dtype.h>
#include <uir/ir/node_error.h>
#include <uir/ir/op.h>
#include <uir/ir/script_text.h>
#include <uir/tir/expr.h>
#include <uir/tir/object_access.h>
#include <uir/tir/object_layout.h>
#include <uir/tir/op.h>
#include <uir/transform/linear_mutator.h>
#include <uir/transform/pass.h>
#include <uir/transform/tir_passes.h>
#include <uir/transform/with_body.h>

#include <optional>
#include <string>
#include <utility>

namespace uir::transform {

namespace {

using ir::PrimExpr;
using tir::ObjectType;

/*! \brief Call a function, and locate its errors at a node. */
template <typename Callable>
auto At(const ffi::Object* node, const Callable& callable) -> decltype(callable()) {
  try {
    return callable();
  } catch (const ffi::Error& error) {
    ir::ThrowAt(node, error.kind().c_str(), error.message());
  }
}

class FieldLowerer : public LinearMutator {
 public:
  FieldLowerer(const tir::PrimFuncNode* func, ir::IRModule module)
      : func_(func), module_(std::move(module)) {}

 protected:
  PrimExpr VisitCall(const tir::CallNode* op) override {
    static const ir::Op get_field = ir::get_op("tir.get_field");
    static const ir::Op object_field = ir::get_op("tir.object_field");
    static const ir::Op ret = ir::get_op("tir.ret");
    const PrimExpr visited = LinearMutator::VisitCall(op);
    if (op->op.same_as(get_field)) return Lowered(op, visited.as<tir::CallNode>());
    if (op->op.same_as(object_field)) CheckLoad(op);
    if (op->op.same_as(ret)) return WithChecked(op, visited, 0, func_->ret_type);
    const auto callee = op->op.as<ir::GlobalVar>();
    return callee ? WithCheckedArguments(op, visited, *callee) : visited;
  }

  tir::Stmt VisitBind(const tir::BindNode* op) override {
    PrimExpr value = Checked(op->value, VisitPrimExpr(op->value), TypeOf(op->var));
    if (value.same_as(op->value)) return ffi::GetRef<tir::Stmt>(op);
    return tir::Bind(op->var, std::move(value), op->span);
  }

  PrimExpr VisitLet(const tir::LetNode* op) override {
    PrimExpr value = Checked(op->value, VisitPrimExpr(op->value), TypeOf(op->var));
    PrimExpr body = VisitPrimExpr(op->body);
    if (value.same_as(op->value) && body.same_as(op->body)) return ffi::GetRef<PrimExpr>(op);
    return tir::Let(op->var, std::move(value), std::move(body), op->span);
  }

 private:
  static ffi::Optional<ObjectType> TypeOf(const tir::Var& var) {
    return tir::ObjectTypeOf(var->type_annotation);
  }

  /*! \brief The load that replaces a read of a field by its name. */
  static PrimExpr Lowered(const tir::CallNode* op, const tir::CallNode* visited) {
    // The type of the original argument: its reads are loads by now in `visited`.
    const ffi::Optional<ObjectType> type = tir::object_type_of(op->args[0]);
    if (!type.has_value()) {
      ir::ThrowAt(op, "TypeError",
                  "the type of `" + ir::ScriptText(op->args[0]) +
                      "` is not known; bind it to a variable that `tir.reference_to` annotates");
    }
    const ffi::String key = type.value()->key;
    const ffi::String field = op->args[1].as<ir::StringImmNode>()->value;
    return At(op, [&] {
      const PrimExpr object = Checked(op->args[0], visited->args[0], ObjectType(key));
      return tir::object_field(object, key, field, std::nullopt, op->dtype, op->span);
    });
  }

  /*! \brief Check that a load agrees with the registered layout. */
  static void CheckLoad(const tir::CallNode* op) {
    const auto text = [&](int index) { return op->args[index].as<ir::StringImmNode>()->value; };
    const auto* offset = op->args[3].as<ir::IntImmNode>();
    At(op,
       [&] { return tir::object_field(op->args[0], text(1), text(2), offset->value, op->dtype); });
  }

  /*!
   * \brief A reference, with a check of its type unless it is known.
   * \param stated The reference in the program.
   * \param value The lowered reference.
   */
  static PrimExpr Checked(const PrimExpr& stated, PrimExpr value,
                          const ffi::Optional<ObjectType>& type) {
    // Null belongs to every nullable type; any other object is checked.
    if (!type.has_value()) return value;
    if (tir::IsSubtype(tir::object_type_of(stated), type.value())) return value;
    const std::string name = ir::ScriptText(stated);
    const PrimExpr object = tir::as_object(value, type.value()->key, name, stated->span);
    if (!type.value()->nullable) return object;
    const PrimExpr is_null = tir::call_intrin(ir::BoolType(), "tir.isnullptr", {value});
    return tir::call_intrin(ir::kHandle, "tir.if_then_else", {is_null, value, object},
                            stated->span);
  }

  PrimExpr WithChecked(const tir::CallNode* op, const PrimExpr& visited, int64_t index,
                       const ffi::Optional<ir::Type>& type) const {
    const auto* call = visited.as<tir::CallNode>();
    const PrimExpr arg = Checked(op->args[index], call->args[index], tir::ObjectTypeOf(type));
    if (arg.same_as(call->args[index])) return visited;
    ffi::Array<PrimExpr> args = call->args;
    args.Set(index, arg);
    return tir::Call(call->dtype, call->op, std::move(args), call->span);
  }

  PrimExpr WithCheckedArguments(const tir::CallNode* op, PrimExpr visited,
                                const ir::GlobalVar& callee) const {
    const auto found = module_->functions.find(callee);
    const auto* func =
        found == module_->functions.end() ? nullptr : (*found).second.as<tir::PrimFuncNode>();
    if (func == nullptr || func->params.size() != op->args.size()) return visited;
    for (size_t i = 0; i < func->params.size(); ++i) {
      visited = WithChecked(op, visited, static_cast<int64_t>(i), func->params[i]->type_annotation);
    }
    return visited;
  }

  const tir::PrimFuncNode* func_;
  ir::IRModule module_;
};

}  // namespace

Pass LowerObjectFields() {
  auto run = [](tir::PrimFunc func, ir::IRModule module, const PassContext&) {
    tir::Stmt body = FieldLowerer(func.get(), std::move(module)).VisitStmt(func->body);
    return WithBody(std::move(func), std::move(body));
  };
  return MakePrimFuncPass(run, 0, "LowerObjectFields");
}

}  // namespace uir::transform
