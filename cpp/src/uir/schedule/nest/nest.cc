// Primitives of nests: each returns a new one.
#include "./nest.h"

#include <tvm/ffi/error.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>
#include <uir/transform/substitute.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace uir::schedule::nest {

namespace {

/*! \brief Whether each axis has its loops from large steps to small ones, and all names differ. */
void CheckLoops(const std::vector<Loop>& loops) {
  for (size_t i = 0; i < loops.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const Loop &outer = loops[j], &inner = loops[i];
      if (outer.options.name == inner.options.name) {
        TVM_FFI_THROW(ValueError) << "two loops have the name `" << inner.options.name << "`";
      }
      if (!outer.axis.same_as(inner.axis) || outer.step % inner.step == 0) continue;
      TVM_FFI_THROW(ValueError) << "the step of the loop `" << inner.options.name
                                << "` must divide that of the loop `" << outer.options.name
                                << "` around it, got " << inner.step << " and " << outer.step;
    }
  }
}

size_t PlaceOfAxis(const Nest& nest, const tir::Var& var) {
  const auto found = std::find_if(nest.axes.begin(), nest.axes.end(),
                                  [&](const Axis& axis) { return axis.var.same_as(var); });
  return static_cast<size_t>(found - nest.axes.begin());
}

/*! \brief A name that lists can quote. */
std::string Sanitized(const ffi::String& name) {
  std::string made(name);
  for (char& letter : made) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(letter)) != 0;
    if (!is_plain && letter != '.') letter = '_';
  }
  return made;
}

/*! \brief Whether the terms of an element come in the order of the axes: then no loop over a later
 * axis is around one over an earlier axis. */
void CheckOrderOfTerms(const Nest& nest) {
  for (size_t i = 0; i < nest.loops.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const Loop &outer = nest.loops[j], &inner = nest.loops[i];
      if (!nest.IsSum(outer) || !nest.IsSum(inner)) continue;
      if (PlaceOfAxis(nest, outer.axis) <= PlaceOfAxis(nest, inner.axis)) continue;
      TVM_FFI_THROW(ValueError) << "the terms of a sum would come in another order: the loop `"
                                << outer.options.name << "` would be around `" << inner.options.name
                                << "`";
    }
  }
}

}  // namespace

void SplitFused(const std::vector<Axis>& axes, PrimExpr fused,
                ffi::Map<tir::Var, PrimExpr>* values) {
  for (size_t i = axes.size(); i-- > 0;) {
    if (tir::IntConstOf(axes[i].extent) == 0) {
      // Nothing is counted.
      values->Set(axes[i].var, tir::make_const(0, axes[i].var->dtype));
      continue;
    }
    values->Set(axes[i].var, i == 0 ? fused : tir::floormod(fused, axes[i].extent));
    if (i != 0) fused = tir::floordiv(fused, axes[i].extent);
  }
}

const Axis& Nest::AxisOf(const tir::Var& var) const {
  const auto found = std::find_if(axes.begin(), axes.end(),
                                  [&](const Axis& axis) { return axis.var.same_as(var); });
  if (found == axes.end())
    TVM_FFI_THROW(ValueError) << "the nest has no axis `" << var->name << "`";
  return *found;
}

size_t Nest::PlaceOf(const std::string& name) const {
  const auto found = std::find_if(loops.begin(), loops.end(),
                                  [&](const Loop& loop) { return loop.options.name == name; });
  if (found == loops.end()) TVM_FFI_THROW(ValueError) << "the nest has no loop `" << name << "`";
  return static_cast<size_t>(found - loops.begin());
}

std::string Nest::NameOf(const tir::Var& axis) const {
  std::string name = Sanitized(axis->name);
  size_t number = 1;
  for (size_t i = 0; i < PlaceOfAxis(*this, axis); ++i) {
    if (Sanitized(axes[i].var->name) == name) ++number;
  }
  return number == 1 ? name : name + "#" + std::to_string(number);
}

int64_t Nest::InnermostStep(const tir::Var& axis) const {
  int64_t step = 0;
  for (const Loop& loop : loops) {
    if (loop.axis.same_as(axis)) step = loop.step;
  }
  return step;
}

int64_t Nest::Lanes() const {
  if (loops.size() < 2) return 0;
  const Loop &lane = loops.back(), &vector = loops[loops.size() - 2];
  const bool has_lanes =
      lane.kind == tir::ForKind::kVectorized && lane.step == 1 && vector.axis.same_as(lane.axis);
  return has_lanes ? vector.step : 0;
}

Nest Nest::Tile(const tir::Var& axis, int64_t step, TileOptions options) const {
  const Axis& of = AxisOf(axis);
  if (step < 1) TVM_FFI_THROW(ValueError) << "a step must be at least 1, got " << step;
  if (options.name.empty()) options.name = NameOf(axis) + ":" + std::to_string(step);
  if (of.kind == AxisKind::kSum && step > 1 && options.tail != Tail::kMin) {
    TVM_FFI_THROW(ValueError) << "blocks of terms, as those of `" << axis->name
                              << "`, need the tail `min`";
  }
  Nest made = *this;
  made.loops.push_back({axis, step, std::move(options)});
  CheckLoops(made.loops);
  CheckOrderOfTerms(made);
  return made;
}

Nest Nest::Reorder(const std::vector<std::string>& names) const {
  Nest made = *this;
  made.loops.clear();
  for (const std::string& name : names) made.loops.push_back(loops[PlaceOf(name)]);
  if (made.loops.size() != loops.size()) {
    TVM_FFI_THROW(ValueError) << "`reorder` takes all " << loops.size() << " loops, got "
                              << names.size();
  }
  CheckLoops(made.loops);
  CheckOrderOfTerms(made);
  return made;
}

namespace {

Nest WithKind(Nest nest, const std::string& name, tir::ForKind kind, const char* word) {
  Loop& loop = nest.loops[nest.PlaceOf(name)];
  if (kind != tir::ForKind::kUnrolled && nest.IsSum(loop)) {
    TVM_FFI_THROW(ValueError) << "the loop `" << name << "` cannot be " << word
                              << ": it adds up terms";
  }
  loop.kind = kind;
  return nest;
}

}  // namespace

Nest Nest::Parallel(const std::string& name) const {
  return WithKind(*this, name, tir::ForKind::kParallel, "parallel");
}

Nest Nest::Unroll(const std::string& name) const {
  return WithKind(*this, name, tir::ForKind::kUnrolled, "unrolled");
}

Nest Nest::Vectorize(const std::string& name) const {
  return WithKind(*this, name, tir::ForKind::kVectorized, "a vector");
}

Nest Nest::Cache(const tir::Var& operand, const std::string& at, std::vector<CacheIndex> map,
                 tir::ForKind kind) const {
  PlaceOf(at);
  const bool is_known = std::any_of(operands.begin(), operands.end(), [&](const Operand& known) {
    return known.var.same_as(operand);
  });
  if (!is_known) TVM_FFI_THROW(ValueError) << "the nest has no operand `" << operand->name << "`";
  for (const CacheIndex& index : map) AxisOf(index.axis);
  Nest made = *this;
  made.copies.push_back({operand, at, std::move(map), kind});
  return made;
}

Nest Nest::Registers(const std::string& at) const {
  const size_t around = PlaceOf(at) + 1;
  if (!start || Lanes() == 0 || around + 2 > loops.size()) {
    TVM_FFI_THROW(ValueError) << "inside of the loop `" << at << "`, no lanes are summed up";
  }
  for (size_t i = 0; i < around; ++i) {
    if (!IsSum(loops[i]) || loops[i].options.tail == Tail::kMin) continue;
    TVM_FFI_THROW(ValueError) << "the loop `" << loops[i].options.name
                              << "` over terms, outside of registers, needs the tail `min`";
  }
  for (size_t i = around; i < loops.size(); ++i) {
    const bool is_vector = i + 2 == loops.size();
    if (IsSum(loops[i]) && i > around && !IsSum(loops[i - 1])) {
      TVM_FFI_THROW(ValueError) << "in registers, the loop `" << loops[i].options.name
                                << "` over terms must be around those over elements";
    }
    if (loops[i].step == 1 || is_vector) continue;
    TVM_FFI_THROW(ValueError) << "in registers, the step of the loop `" << loops[i].options.name
                              << "` must be 1, got " << loops[i].step;
  }
  Nest made = *this;
  made.around_registers = around;
  return made;
}

Nest Nest::Fuse(const std::vector<tir::Var>& of, const tir::Var& fused, AxisKind kind) const {
  std::vector<Axis> parts;
  PrimExpr extent = tir::make_const(1, fused->dtype);
  bool fits = true;
  for (const tir::Var& var : of) {
    parts.push_back(AxisOf(var));
    extent = extent * parts.back().extent;
    fits = fits && parts.back().kind == kind;
    if (kind != AxisKind::kSum) continue;
    fits = fits && PlaceOfAxis(*this, var) == PlaceOfAxis(*this, of[0]) + parts.size() - 1;
  }
  const auto is_part = [&](const tir::Var& var) {
    return std::any_of(of.begin(), of.end(), [&](const tir::Var& one) { return one.same_as(var); });
  };
  fits = fits && std::none_of(loops.begin(), loops.end(),
                              [&](const Loop& loop) { return is_part(loop.axis); });
  if (!fits) {
    TVM_FFI_THROW(ValueError)
        << "the axes that become `" << fused->name
        << "` must be of its kind, have no loops, and keep the order of terms";
  }
  transform::Substitution values;
  SplitFused(parts, fused, &values);
  Nest made = *this;
  Fusion fusion = {{}, Sanitized(fused->name)};
  for (const tir::Var& var : of) fusion.of.push_back(NameOf(var));
  made.fusions.push_back(std::move(fusion));
  made.axes.clear();
  if (of.empty()) made.axes.push_back({fused, extent, kind});
  for (const Axis& axis : axes) {
    if (!of.empty() && axis.var.same_as(of[0])) made.axes.push_back({fused, extent, kind});
    if (!is_part(axis.var)) made.axes.push_back(axis);
  }
  made.store = transform::Substitute(tir::Stmt(store), values).as<tir::BufferStore>().value();
  for (Operand& operand : made.operands) {
    operand.value = transform::Substitute(operand.value, values);
  }
  if (made.epilogue) made.epilogue->value = transform::Substitute(made.epilogue->value, values);
  return made;
}

}  // namespace uir::schedule::nest
