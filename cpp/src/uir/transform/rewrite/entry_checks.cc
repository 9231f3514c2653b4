// Assertions about dimensions, with messages that say which parameters have them.
#include "./entry_checks.h"

#include <tschema/walk.h>
#include <uir/ir/script_text.h>

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "./assumptions.h"

namespace uir::transform {

namespace {

/*! \brief Where each variable is bound: "dimension 0 of `x`". */
using Places = std::unordered_map<const ffi::Object*, std::string>;

Places PlacesOf(const std::vector<tir::Buffer>& inputs) {
  Places places;
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

std::string MessageOf(const ir::PrimExpr& condition, const Places& places) {
  std::string message = "`" + ir::ScriptText(condition) + "` must hold";
  std::unordered_set<const ffi::Object*> known;
  tschema::Walk(condition, [&](const tir::VarNode* var) {
    const auto place = places.find(var);
    if (place == places.end() || !known.insert(var).second) return;
    message += known.size() == 1 ? ": " : ", ";
    message += "`" + std::string(var->name) + "` is " + place->second;
  });
  return message;
}

}  // namespace

std::vector<tir::Stmt> EntryChecks(const relay::Function& func,
                                   const std::vector<tir::Buffer>& inputs) {
  const Places places = PlacesOf(inputs);
  const auto name = func->GetAttr("global_symbol").as<ffi::String>();
  std::vector<tir::Stmt> checks;
  for (const ir::PrimExpr& condition : AssumptionsOf(func)) {
    const std::string prefix = name ? std::string(*name) + ": " : "";
    checks.push_back(tir::AssertStmt(ir::StringImm("ValueError"), condition,
                                     {ir::StringImm(prefix + MessageOf(condition, places))},
                                     func->span));
  }
  return checks;
}

}  // namespace uir::transform
