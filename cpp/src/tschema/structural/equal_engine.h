/*!
 * \file equal_engine.h
 * \brief The engine of structural equality.
 *
 * In: two values. Out: whether they are equal, and the way to the first difference. It recurses at
 * any depth, on new stack segments where one runs out; a plain tree's last field is a loop.
 * Nothing is allocated for a tree without variables and sharing.
 */
#ifndef TSCHEMA_SRC_STRUCTURAL_EQUAL_ENGINE_H_
#define TSCHEMA_SRC_STRUCTURAL_EQUAL_ENGINE_H_

#include <tschema/pointer_map.h>
#include <tschema/structural.h>
#include <tschema/tvm_ffi_compat.h>
#include <tschema/type_info.h>
#include <tvm/ffi/function.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../support/cycle.h"
#include "./equal_pairs.h"
#include "./mismatch.h"
#include "./structural_descriptor.h"
#include "./value.h"

namespace tschema {

class EqualEngine {
 public:
  /*! \brief In which order parts are compared. */
  enum class Order {
    /*! \brief Plain fields before the others. */
    kFast,
    /*! \brief As declared, so that the first difference is the first one, with the way to it. */
    kDeclared,
  };

  EqualEngine(TVMFFIDefRegionKind region, Order order) : region_(region), order_(order) {}
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
  class PartSink;

  /*! \brief The levels of recursion between two checks of the stack. */
  static constexpr int kMaxUnchecked = 128;

  bool CompareValue(const TVMFFIAny& lhs, const TVMFFIAny& rhs, Region region, int depth);
  bool CompareObjects(const ffi::Object* lhs, const ffi::Object* rhs, Region region, int depth);
  bool CompareChild(const ffi::Object* lhs, const ffi::Object* rhs, Region region, int depth);
  bool Descend(const ffi::Object* lhs, const ffi::Object* rhs, Region region, int depth);
  [[gnu::noinline]] bool DescendChecked(const ffi::Object* lhs, const ffi::Object* rhs,
                                        Region region);
  bool CompareInOrder(const ffi::Object* lhs, const ffi::Object* rhs, Region region, int depth);
  [[gnu::noinline]] bool CompareSpecial(const Pair& pair, const StructuralDescriptor& descriptor,
                                        int depth);
  bool CompareBody(const Pair& body, const StructuralDescriptor& descriptor, int depth);
  bool CompareFields(const Pair& pair, const StructuralDescriptor& descriptor, int depth);
  bool CompareFieldsInOrder(const Pair& pair, const StructuralDescriptor& descriptor, int depth);
  bool CompareEdge(const Pair& pair, const Edge& edge, int depth);
  bool CompareSequences(const Pair& pair, int depth);
  bool CompareMappings(const Pair& pair, int depth);

  Verdict CheckRule(const Pair& pair, const StructuralDescriptor& descriptor);
  bool Bind(const Pair& pair, NodeRule rule);
  /*!
   * \brief The key of the other map that corresponds to a key, under the pairing of variables.
   * \param storage Where a key is made that is not there already.
   */
  static const ffi::Any& PairedKey(const ffi::Any& key,
                                   const PointerMap<const ffi::Object*>& paired, ffi::Any* storage);

  // Hand-written methods, and foreign code.
  bool CallMethod(const Pair& pair, const StructuralDescriptor& descriptor, int depth);
  bool CallForeign(const Pair& pair, const StructuralDescriptor& descriptor, int depth);
  template <typename Call>
  bool CallOutside(const Pair& pair, int depth, Call call);
  template <typename AppendSteps>
  bool ComparePart(const TVMFFIAny& lhs, const TVMFFIAny& rhs, uint8_t region, AppendSteps append);

  /*! \brief Keep a value alive, so that no other object takes its address. */
  void Retain(ffi::Any value) { retained_.push_back(std::move(value)); }

  // The path to the first difference, which is recorded while the recursion unwinds.
  bool Differ(const TVMFFIAny& lhs, const TVMFFIAny& rhs);
  bool DifferInSize(const Pair& pair, size_t size);
  template <typename MakeStep>
  bool DifferBelow(MakeStep make_step);

  Region region_;
  Order order_;
  PointerMap<const ffi::Object*> lhs_to_rhs_;
  PointerMap<const ffi::Object*> rhs_to_lhs_;
  EqualPairs equal_pairs_;
  /*! \brief Open shared left objects that are paired only when they are closed. */
  Stack<const ffi::Object*> open_;
  std::vector<ffi::Any> retained_;
  ffi::Function foreign_callback_{nullptr};
  /*! \brief The region, the depth and the first step of the parts of the running method. */
  Region part_region_ = kTVMFFIDefRegionKindNone;
  int part_depth_ = 0;
  size_t first_part_step_ = 0;
  /*! \brief The steps to the difference, innermost first, and what differs, in declared order. */
  std::vector<MismatchStep> steps_;
  TVMFFIAny different_lhs_{};
  TVMFFIAny different_rhs_{};
};

}  // namespace tschema

#endif  // TSCHEMA_SRC_STRUCTURAL_EQUAL_ENGINE_H_
