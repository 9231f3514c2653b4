/*!
 * \file equal_engine.h
 * \brief The engine of structural equality.
 *
 * In: two values. Out: whether they are equal, and the stack of frames at the mismatch. It recurses
 * to a fixed depth and then uses an explicit stack; a plain tree's last field is a loop at any
 * depth.  Nothing is allocated for a tree without variables and sharing.
 */
#ifndef TSCHEMA_SRC_STRUCTURAL_EQUAL_ENGINE_H_
#define TSCHEMA_SRC_STRUCTURAL_EQUAL_ENGINE_H_

#include <tschema/structural.h>
#include <tschema/type_info.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/function.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../support/pointer_map.h"
#include "../support/stack.h"
#include "./equal_pairs.h"
#include "./mismatch.h"
#include "./structural_program.h"
#include "./value.h"

namespace tschema {

/*! \brief A deferred comparison of a hand-written method. */
struct EqualPart {
  TVMFFIAny lhs;
  TVMFFIAny rhs;
  TVMFFIDefRegionKind region;
  /*! \brief Where the left part was read. */
  const void* where;
};

/*!
 * \brief The key of the right map that corresponds to a key of the left map, under the pairing of
 * variables.
 * \param storage Where a key is made that is not there already.
 */
const ffi::Any& PairedKey(const ffi::Any& key, const PointerMap<const ffi::Object*>& paired,
                          ffi::Any* storage);

/*! \brief Two objects under comparison, with the progress. */
struct EqualFrame {
  const ffi::Object* lhs;
  const ffi::Object* rhs;
  const StructuralProgram* program;
  /*! \brief The region that the objects stand in, which decides whether variables are bound. */
  TVMFFIDefRegionKind outer_region;
  /*! \brief The region of the parts. */
  TVMFFIDefRegionKind region;
  /*! \brief The number of the next part; more than `end` when the parts are not to blame. */
  size_t cursor;
  size_t end;
  /*! \brief What a hand-written method returned, and the first of its parts. */
  bool answer;
  size_t first_part;
  /*! \brief The item of the left mapping under comparison. */
  ffi::MapBaseObj::iterator position;
};

class EqualEngine {
 public:
  /*! \brief In which order parts are compared. */
  enum class Order {
    /*! \brief Plain fields before the others. */
    kFast,
    /*! \brief As declared, so that the first difference is the first one. */
    kDeclared,
  };
  /*! \brief Whether to try if hand-written methods keep to the rules: debug builds do. */
  enum class Methods { kTrusted, kChecked };
#ifdef NDEBUG
  static constexpr Methods kDefaultMethods = Methods::kTrusted;
#else
  static constexpr Methods kDefaultMethods = Methods::kChecked;
#endif

  EqualEngine(TVMFFIDefRegionKind region, Order order, Methods methods = kDefaultMethods)
      : region_(region), order_(order), methods_(methods) {}
  EqualEngine(const EqualEngine&) = delete;
  EqualEngine& operator=(const EqualEngine&) = delete;

  bool Compare(const TVMFFIAny& lhs, const TVMFFIAny& rhs);

  /*!
   * \brief The way to the first difference.
   * \pre `Compare` has returned false, in declared order.
   */
  MismatchPath Path() const;

 private:
  using Region = TVMFFIDefRegionKind;

  /*! \brief Two objects to be compared. */
  struct Pair {
    const ffi::Object* lhs;
    const ffi::Object* rhs;
    Region region;
  };
  enum class Progress { kPair, kDone, kDifferent };
  class PartRecorder;
  class PartReplay;

  // By recursion.
  bool CompareObjects(const ffi::Object* lhs, const ffi::Object* rhs, Region region, int depth);
  bool CompareChild(const ffi::Object* lhs, const ffi::Object* rhs, Region region, int depth);
  [[gnu::noinline]] bool CompareSpecial(const Pair& pair, const StructuralProgram& program,
                                        int depth);
  bool CompareFields(const Pair& pair, const StructuralProgram& program, int depth);
  bool CompareSequences(const Pair& pair, int depth);
  bool CompareInFrame(const Pair& pair, const StructuralProgram& program, int depth);
  bool Descend(const ffi::Object* lhs, const ffi::Object* rhs, Region region, int depth);

  // By frames.
  static EqualFrame NewFrame(const Pair& body, const StructuralProgram& program,
                             Region outer_region);
  [[gnu::noinline]] bool CompareDeeply(const Pair& pair);
  bool Run(size_t base);
  bool Enter(const Pair& pair);
  bool Open(EqualFrame* frame);
  Progress Next(EqualFrame* frame, Pair* pair);
  Progress NextField(EqualFrame* frame, Pair* pair);
  Progress NextElement(EqualFrame* frame, Pair* pair);
  Progress NextItem(EqualFrame* frame, Pair* pair);
  Progress NextPart(EqualFrame* frame, Pair* pair);

  Verdict CheckRule(const Pair& pair, const StructuralProgram& program);
  bool Bind(const Pair& pair, NodeRule rule);
  /*! \brief Compare two values, or say which objects decide; remember what differs. */
  Verdict Judge(const TVMFFIAny& lhs, const TVMFFIAny& rhs, Pair* pair);
  [[gnu::noinline]] Verdict JudgeEdge(const ffi::Object* lhs, const ffi::Object* rhs,
                                      const Edge& edge, Pair* pair);

  // Methods that people wrote, which name their parts, and foreign code, which wants answers.
  bool CallMethod(EqualFrame* frame);
  void CheckMethod(const EqualFrame& frame) const;
  bool CallForeign(const Pair& pair, const StructuralProgram& program, int depth);
  bool CompareForForeign(const ffi::Any& lhs, const ffi::Any& rhs, uint8_t region,
                         ffi::AnyView name);

  /*! \brief Keep a value alive, so that no other object takes its address. */
  void Retain(ffi::Any value) { retained_.push_back(std::move(value)); }

  // The way to the first difference.
  void AppendSteps(const EqualFrame& frame, std::vector<MismatchStep>* steps) const;
  void AppendFrames(size_t base, std::vector<MismatchStep>* steps) const;
  MismatchStep SequenceStep(const EqualFrame& frame) const;
  MismatchStep MappingStep(const EqualFrame& frame) const;

  Region region_;
  Order order_;
  Methods methods_;
  PointerMap<const ffi::Object*> lhs_to_rhs_;
  PointerMap<const ffi::Object*> rhs_to_lhs_;
  EqualPairs equal_pairs_;
  Stack<EqualFrame> frames_;
  Stack<EqualPart> parts_;
  std::vector<ffi::Any> retained_;
  ffi::Function foreign_callback_{nullptr};
  Region foreign_region_ = kTVMFFIDefRegionKindNone;
  int foreign_depth_ = 0;
  /*! \brief Steps below the frames, innermost first: those that foreign code has left behind. */
  std::vector<MismatchStep> foreign_steps_;
  /*! \brief The first of them that belongs to the foreign method that runs. */
  size_t foreign_first_step_ = 0;
  /*! \brief What differs, in declared order. */
  TVMFFIAny different_lhs_{};
  TVMFFIAny different_rhs_{};
};

inline bool EqualEngine::Descend(const ffi::Object* lhs, const ffi::Object* rhs, Region region,
                                 int depth) {
  if (__builtin_expect(depth >= kMaxRecursion, 0)) return CompareDeeply({lhs, rhs, region});
  return CompareObjects(lhs, rhs, region, depth + 1);
}

}  // namespace tschema

#endif  // TSCHEMA_SRC_STRUCTURAL_EQUAL_ENGINE_H_
