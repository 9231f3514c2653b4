/*!
 * \file random.h
 * \brief Draws that are the same on every machine and with every standard library.
 */
#ifndef UIR_TUNING_RANDOM_H_
#define UIR_TUNING_RANDOM_H_

#include <cstddef>
#include <cstdint>

namespace uir::tuning {

/*! \brief SplitMix64 (Steele, Lea and Flood: Fast splittable pseudorandom number generators). */
class Random {
 public:
  explicit Random(int64_t seed) : state_(static_cast<uint64_t>(seed)) {}

  /*! \brief Draw 64 bits. */
  uint64_t Next() {
    uint64_t mixed = state_ += 0x9e3779b97f4a7c15U;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
    return mixed ^ (mixed >> 31);
  }

  /*! \brief Draw a number below a positive count; the bias is below `count / 2**64`. */
  size_t Below(size_t count) {
    return static_cast<size_t>((static_cast<unsigned __int128>(Next()) * count) >> 64);
  }

  /*! \brief Draw a seed for another generator, at least 0. */
  int64_t Seed() { return static_cast<int64_t>(Next() >> 1); }

 private:
  uint64_t state_;
};

}  // namespace uir::tuning

#endif  // UIR_TUNING_RANDOM_H_
