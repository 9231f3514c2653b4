// The choices of recipes, recorded in traces or replayed from them.
#include "./decisions.h"

#include <tvm/ffi/error.h>
#include <uir/ir/near_names.h>
#include <uir/transform/with_body.h>

#include <utility>
#include <vector>

namespace uir::schedule {

std::optional<ffi::Array<ffi::String>> LinesOf(const tir::PrimFunc& func, const char* attribute) {
  const ffi::Any found = func->GetAttr(attribute);
  return found == nullptr ? std::nullopt : found.as<ffi::Array<ffi::String>>();
}

tir::PrimFunc WithAttributes(tir::PrimFunc func, ffi::Map<ffi::String, ffi::Any> attributes) {
  return ir::with_attrs(std::move(func), std::move(attributes)).as<tir::PrimFunc>().value();
}

Decisions::Decisions(std::string recipe, const tir::PrimFunc& func) : recipe_(std::move(recipe)) {
  const auto lines = LinesOf(func, kReplay);
  is_replay_ = lines.has_value();
  if (!is_replay_) return;
  for (const ffi::String& line : *lines) {
    TraceLine parsed = ParseTraceLine(line);
    if (parsed.recipe == recipe_) {
      mine_.push_back(std::move(parsed));
    } else {
      others_.push_back(line);
    }
  }
}

std::string UniqueNames::Of(const std::string& name) {
  const int count = ++counts_[name];
  return count == 1 ? name : name + "#" + std::to_string(count);
}

std::vector<std::string> UniqueNames::Known() const {
  std::vector<std::string> known;
  for (const auto& [name, count] : counts_) known.push_back(name);
  return known;
}

std::optional<Choices> Decisions::Replayed(const std::string& nest) const {
  for (const TraceLine& line : mine_) {
    if (line.nest == nest) return line.choices;
  }
  return std::nullopt;
}

std::optional<Choices> Decisions::For(const std::string& nest,
                                      const std::function<std::optional<Choices>()>& choose) {
  const std::string name = names_.Of(nest);
  std::optional<Choices> choices = is_replay_ ? Replayed(name) : choose();
  if (choices) trace_.push_back(PrintTraceLine({recipe_, name, *choices}));
  return choices;
}

tir::PrimFunc Decisions::Finish(tir::PrimFunc func, tir::Stmt body) {
  if (trace_.size() < mine_.size()) {
    for (const TraceLine& line : mine_) {
      const std::string base = line.nest.substr(0, line.nest.rfind('#'));
      if (names_.Has(line.nest) || names_.Has(base)) continue;
      TVM_FFI_THROW(ValueError) << "the trace has the line `" << PrintTraceLine(line)
                                << "`, but the function has no nest `" << line.nest << "` for it"
                                << ir::DidYouMean(line.nest, names_.Known());
    }
    TVM_FFI_THROW(ValueError) << "the trace has " << mine_.size() << " lines of `" << recipe_
                              << "`, but the function has only " << trace_.size()
                              << " nests for them";
  }
  func = transform::WithBody(std::move(func), std::move(body));
  if (trace_.empty()) return func;
  ffi::Array<ffi::String> lines = LinesOf(func, kTrace).value_or(ffi::Array<ffi::String>());
  for (const ffi::String& line : trace_) lines.push_back(line);
  ffi::Map<ffi::String, ffi::Any> attributes = {{kTrace, lines}};
  if (is_replay_) attributes.Set(kReplay, others_);
  return WithAttributes(std::move(func), std::move(attributes));
}

}  // namespace uir::schedule
