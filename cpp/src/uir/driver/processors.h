/*!
 * \file processors.h
 * \brief What instruction sets mean to compilers.
 */
#ifndef UIR_SRC_DRIVER_PROCESSORS_H_
#define UIR_SRC_DRIVER_PROCESSORS_H_

#include <string>
#include <vector>

namespace uir::driver {

/*! \brief The processors that an instruction set is for; empty for those of this machine. */
std::string ArchOf(const std::string& isa);

/*! \brief The architecture of this machine, as compilers call it. */
std::string ThisArch();

/*! \brief The arguments by which the compiler uses the instructions of a machine. */
std::vector<std::string> FlagsOf(const std::string& isa);

}  // namespace uir::driver

#endif  // UIR_SRC_DRIVER_PROCESSORS_H_
