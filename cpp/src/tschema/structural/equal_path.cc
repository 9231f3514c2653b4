/*!
 * \file equal_path.cc
 * \brief The engine of structural equality: the frames on its stack, read as a path.
 */
#include <algorithm>

#include "./equal_engine.h"

namespace tschema {

using ffi::reflection::AccessStep;

MismatchPath EqualEngine::Path() const {
  MismatchPath path{foreign_steps_, ffi::AnyView::CopyFromTVMFFIAny(different_lhs_),
                    ffi::AnyView::CopyFromTVMFFIAny(different_rhs_)};
  AppendFrames(0, &path.reversed_steps);
  return path;
}

void EqualEngine::AppendFrames(size_t base, std::vector<MismatchStep>* steps) const {
  for (size_t i = frames_.size(); i > base; --i) AppendSteps(frames_[i - 1], steps);
}

void EqualEngine::AppendSteps(const EqualFrame& frame, std::vector<MismatchStep>* steps) const {
  switch (frame.program->equal_body) {
    case NodeBody::kFields: {
      std::string_view name = frame.program->info->fields[frame.cursor - 1].name;
      AccessStep step = AccessStep::Attr(ffi::String(name.data(), name.size()));
      steps->push_back({step, step});
      return;
    }
    case NodeBody::kSequence:
      return steps->push_back(SequenceStep(frame));
    case NodeBody::kMapping:
      return steps->push_back(MappingStep(frame));
    default: {
      // The method itself has found a difference if all of its parts were equal.
      if (frame.cursor > frame.end) return;
      const EqualPart& part = parts_[frame.cursor - 1];
      AppendPartSteps(frame.lhs, frame.rhs, part.lhs, part.rhs, part.where, steps);
    }
  }
}

MismatchStep EqualEngine::SequenceStep(const EqualFrame& frame) const {
  auto index = static_cast<int64_t>(frame.cursor - 1);
  AccessStep item = AccessStep::ArrayItem(index);
  if (frame.cursor <= frame.end) return {item, item};
  AccessStep missing = AccessStep::ArrayItemMissing(index);
  bool is_left_longer = SizeOfSequence(frame.lhs) > SizeOfSequence(frame.rhs);
  return is_left_longer ? MismatchStep{item, missing} : MismatchStep{missing, item};
}

MismatchStep EqualEngine::MappingStep(const EqualFrame& frame) const {
  const ffi::MapBaseObj* lhs = MappingOf(frame.lhs);
  const ffi::MapBaseObj* rhs = MappingOf(frame.rhs);
  ffi::Any storage;
  if (frame.cursor <= frame.end) {
    const ffi::Any& key = PairedKey(frame.position->first, lhs_to_rhs_, &storage);
    bool is_missing = rhs->find(key) == rhs->end();
    return {AccessStep::MapItem(frame.position->first),
            is_missing ? AccessStep::MapItemMissing(key) : AccessStep::MapItem(key)};
  }
  // The right mapping has everything that the left one has, and more.
  auto item = rhs->begin();
  while (lhs->find(PairedKey(item->first, rhs_to_lhs_, &storage)) != lhs->end()) ++item;
  return {AccessStep::MapItemMissing(PairedKey(item->first, rhs_to_lhs_, &storage)),
          AccessStep::MapItem(item->first)};
}

}  // namespace tschema
