// Assertions about dimensions, with messages that name the parameters.
#include "./entry_checks.h"

#include <tschema/walk.h>
#include <uir/ir/script_text.h>
#include <uir/ir/symbol.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "./assumptions.h"

namespace uir::transform {

namespace {

/*! \brief The dimension that binds each variable: "dimension 0 of `x`". */
using ParameterPlaces = std::unordered_map<const ffi::Object*, std::string>;

ParameterPlaces PlacesOf(const std::vector<tir::Buffer>& inputs) {
  ParameterPlaces places;
  for (const tir::Buffer& input : inputs) {
    for (size_t axis = 0; axis < input->shape.size(); ++axis) {
      const ir::PrimExpr extent = input->shape[static_cast<int64_t>(axis)];
      if (extent.as<tir::VarNode>() == nullptr) continue;
      places.emplace(extent.get(), "dimension " + std::to_string(axis) + " of `" +
                                       std::string(input->name) + "`");
    }
  }
  return places;
}

/*! \brief "`n == m` must hold: `n` is ", n, ", dimension 0 of `x`; `m` is ", m, "...". */
ffi::Array<ir::PrimExpr> MessageOf(const ir::PrimExpr& condition, const std::string& prefix,
                                   const ParameterPlaces& places) {
  std::string text = prefix + "`" + ir::ScriptText(condition) + "` must hold";
  ffi::Array<ir::PrimExpr> parts;
  std::unordered_set<const ffi::Object*> known;
  tschema::Walk(condition, [&](const tir::VarNode* var) {
    const auto place = places.find(var);
    if (place == places.end() || !known.insert(var).second) return;
    text += (known.size() == 1 ? ": `" : "; `") + std::string(var->name) + "` is ";
    parts.push_back(ir::StringImm(text));
    parts.push_back(ffi::GetRef<ir::PrimExpr>(var));
    text = ", " + place->second;
  });
  parts.push_back(ir::StringImm(text));
  return parts;
}

/*! \brief The begin of messages about a function. */
std::string PrefixOf(const relay::Function& func) {
  const auto name = ir::SymbolOf(func.get());
  return name ? std::string(*name) + ": " : "";
}

}  // namespace

std::vector<tir::Stmt> EntryChecks(const relay::Function& func,
                                   const std::vector<tir::Buffer>& inputs) {
  return ChecksOf(AssumptionsOf(func), func, inputs);
}

std::vector<tir::Stmt> ChecksOf(const ffi::Array<ir::PrimExpr>& conditions,
                                const relay::Function& func,
                                const std::vector<tir::Buffer>& inputs) {
  const ParameterPlaces places = PlacesOf(inputs);
  const std::string prefix = PrefixOf(func);
  std::vector<tir::Stmt> checks;
  for (const ir::PrimExpr& condition : conditions) {
    checks.push_back(tir::AssertStmt(ir::StringImm("ValueError"), condition,
                                     MessageOf(condition, prefix, places), func->span));
  }
  return checks;
}

tir::Stmt CheckOfSize(const ir::PrimExpr& count, const tir::Buffer& rows,
                      const relay::Function& func) {
  const ir::PrimExpr most = tir::cast(rows->shape[0], count->dtype);
  const ir::PrimExpr is_valid = tir::logical_and(
      tir::less_equal(ir::IntImm(count->dtype, 0), count), tir::less_equal(count, most));
  const std::string text = PrefixOf(func) + "the number of first rows must be from 0 to ";
  const ffi::Array<ir::PrimExpr> message = {ir::StringImm(text), most, ir::StringImm(", got "),
                                            count};
  return tir::AssertStmt(ir::StringImm("ValueError"), is_valid, message, func->span);
}

}  // namespace uir::transform
