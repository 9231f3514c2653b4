/*!
 * \file traffic.h
 * \brief The bytes that loops move between levels of the memory, without running them.
 *
 * A level keeps the data that one step of a loop touches if they fit. Then the loop moves each of
 * them once, else each step moves its own again.
 */
#ifndef UIR_TUNING_TRAFFIC_H_
#define UIR_TUNING_TRAFFIC_H_

#include <tvm/ffi/object.h>

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace uir::tuning {

/*! \brief The sizes of the levels in bytes. */
inline constexpr std::array<double, 3> kLevels = {32.0 * 1024, 1024.0 * 1024, 32.0 * 1024 * 1024};

/*! \brief A load or store. */
struct Access {
  const tvm::ffi::Object* data;
  /*! \brief The bytes of one access. */
  double bytes;
  /*! \brief The bytes of the whole buffer. */
  double size;
  /*! \brief The distance in bytes by which a step of each outer loop moves it, outermost first. */
  std::vector<double> strides;
};

/*! \brief A loop, or the statements of a function. */
struct LoopTree {
  double trips = 1.0;
  std::vector<Access> accesses;
  std::vector<std::unique_ptr<LoopTree>> loops;
};

/*!
 * \brief The bytes that cross from beyond each of the levels.
 * \param root The statements of a function; its own steps do not count.
 */
std::array<double, kLevels.size()> TrafficOf(const LoopTree& root);

}  // namespace uir::tuning

#endif  // UIR_TUNING_TRAFFIC_H_
