/*!
 * \file equal_frames.cc
 * \brief The engine of structural equality: the walk by frames, at any depth and in any order.
 */
#include <tvm/ffi/error.h>

#include <algorithm>
#include <vector>

#include "../support/cycle.h"
#include "./equal_engine.h"
#include "./equal_words.h"

namespace tschema {

namespace {

/*! \brief A field as an edge, plain ones through their getters. */
Edge EdgeOf(const FieldInfo& field) {
  bool is_in_place = field.kind == FieldKind::kObject || field.kind == FieldKind::kAny ||
                     field.kind == FieldKind::kString || field.kind == FieldKind::kBytes;
  return {field.offset, is_in_place ? field.kind : FieldKind::kForeign, FieldRegion(field), &field};
}

}  // namespace

EqualFrame EqualEngine::NewFrame(const Pair& body, const StructuralProgram& program,
                                 Region outer_region) {
  return {body.lhs, body.rhs, &program, outer_region, body.region, 0, 0, true, 0, {}};
}

bool EqualEngine::CompareDeeply(const Pair& pair) {
  size_t base = frames_.size();
  return Enter(pair) && Run(base);
}

bool EqualEngine::Run(size_t base) {
  Pair part;
  while (frames_.size() > base) {
    switch (Next(&frames_.Top(), &part)) {
      case Progress::kPair:
        if (!Enter(part)) return false;
        break;
      case Progress::kDifferent:
        return false;
      case Progress::kDone: {
        EqualFrame frame = frames_.Pop();
        if (!Bind({frame.lhs, frame.rhs, frame.outer_region}, frame.program->rule)) return false;
      }
    }
  }
  return true;
}

bool EqualEngine::Enter(const Pair& pair) {
  Pair unused;
  if (pair.lhs->type_index() != pair.rhs->type_index()) {
    return Judge(ValueOf(pair.lhs), ValueOf(pair.rhs), &unused) == Verdict::kEqual;
  }
  const StructuralProgram& program = StructuralProgramOf(pair.lhs->type_index());
  different_lhs_ = ValueOf(pair.lhs);
  different_rhs_ = ValueOf(pair.rhs);
  Verdict verdict = CheckRule(pair, program);
  if (verdict != Verdict::kObjects) return verdict == Verdict::kEqual;
  Pair body{pair.lhs, pair.rhs, BodyRegion(pair.region, program.rule)};
  if (program.equal_body == NodeBody::kLeaf) return EqualLeaves(pair.lhs, pair.rhs);
  if (program.equal_body == NodeBody::kForeignMethod) {
    return CallForeign(body, program, kMaxRecursion) && Bind(pair, program.rule);
  }
  // Pairs of trees that come again are taken for equal; these are decided at their end only.
  RefuseCycle(
      frames_,
      [](const EqualFrame& open) {
        NodeRule rule = open.program->rule;
        bool is_open_to_the_end = rule == NodeRule::kVar || rule == NodeRule::kDag;
        return is_open_to_the_end && IsShared(open.lhs) ? open.lhs : nullptr;
      },
      "compare");
  frames_.Push(NewFrame(body, program, pair.region));
  return Open(&frames_.Top());
}

bool EqualEngine::Open(EqualFrame* frame) {
  const StructuralProgram& program = *frame->program;
  switch (program.equal_body) {
    case NodeBody::kFields:
      frame->end = order_ == Order::kFast ? program.edges.size() : program.info->fields.size();
      return order_ == Order::kDeclared || EqualWords(frame->lhs, frame->rhs, program);
    case NodeBody::kSequence: {
      size_t lhs_size = SizeOfSequence(frame->lhs);
      size_t rhs_size = SizeOfSequence(frame->rhs);
      frame->end = std::min(lhs_size, rhs_size);
      return order_ == Order::kDeclared || lhs_size == rhs_size;
    }
    case NodeBody::kMapping:
      frame->end = MappingOf(frame->lhs)->size();
      frame->position = MappingOf(frame->lhs)->begin();
      return order_ == Order::kDeclared || frame->end == MappingOf(frame->rhs)->size();
    case NodeBody::kMethod:
      return CallMethod(frame);
    default:
      ThrowNotStructural(*program.info, "compared");
  }
}

EqualEngine::Progress EqualEngine::Next(EqualFrame* frame, Pair* pair) {
  switch (frame->program->equal_body) {
    case NodeBody::kFields:
      return NextField(frame, pair);
    case NodeBody::kSequence:
      return NextElement(frame, pair);
    case NodeBody::kMapping:
      return NextItem(frame, pair);
    default:
      return NextPart(frame, pair);
  }
}

EqualEngine::Progress EqualEngine::NextField(EqualFrame* frame, Pair* pair) {
  while (frame->cursor < frame->end) {
    size_t index = frame->cursor++;
    const std::vector<FieldInfo>& fields = frame->program->info->fields;
    if (order_ == Order::kDeclared && fields[index].ignored) continue;
    Edge edge = order_ == Order::kFast ? frame->program->edges[index] : EdgeOf(fields[index]);
    Verdict verdict = JudgeEdge(frame->lhs, frame->rhs, edge, pair);
    if (verdict == Verdict::kEqual) continue;
    pair->region = InnerRegion(frame->region, edge.region);
    return verdict == Verdict::kObjects ? Progress::kPair : Progress::kDifferent;
  }
  return Progress::kDone;
}

EqualEngine::Progress EqualEngine::NextElement(EqualFrame* frame, Pair* pair) {
  const TVMFFIAny* lhs = ElementsOf(frame->lhs);
  const TVMFFIAny* rhs = ElementsOf(frame->rhs);
  pair->region = frame->region;
  while (frame->cursor < frame->end) {
    size_t index = frame->cursor++;
    Verdict verdict = Judge(lhs[index], rhs[index], pair);
    if (verdict == Verdict::kObjects) return Progress::kPair;
    if (verdict == Verdict::kDifferent) return Progress::kDifferent;
  }
  ++frame->cursor;
  bool are_alike = SizeOfSequence(frame->lhs) == SizeOfSequence(frame->rhs);
  return are_alike ? Progress::kDone : Progress::kDifferent;
}

EqualEngine::Progress EqualEngine::NextItem(EqualFrame* frame, Pair* pair) {
  const ffi::MapBaseObj* rhs = MappingOf(frame->rhs);
  pair->region = frame->region;
  while (frame->cursor < frame->end) {
    if (frame->cursor++ != 0) ++frame->position;
    ffi::Any storage;
    auto found = rhs->find(PairedKey(frame->position->first, lhs_to_rhs_, &storage));
    if (found == rhs->end()) return Progress::kDifferent;
    Verdict verdict = Judge(RawOf(frame->position->second), RawOf(found->second), pair);
    if (verdict == Verdict::kObjects) return Progress::kPair;
    if (verdict == Verdict::kDifferent) return Progress::kDifferent;
  }
  ++frame->cursor;
  return rhs->size() == frame->end ? Progress::kDone : Progress::kDifferent;
}

EqualEngine::Progress EqualEngine::NextPart(EqualFrame* frame, Pair* pair) {
  while (frame->cursor < frame->end) {
    const EqualPart& part = parts_[frame->cursor++];
    pair->region = InnerRegion(frame->region, part.region);
    Verdict verdict = Judge(part.lhs, part.rhs, pair);
    if (verdict == Verdict::kObjects) return Progress::kPair;
    if (verdict == Verdict::kDifferent) return Progress::kDifferent;
  }
  ++frame->cursor;
  if (!frame->answer) return Progress::kDifferent;
  parts_.Truncate(frame->first_part);
  return Progress::kDone;
}

}  // namespace tschema
