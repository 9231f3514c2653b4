/*!
 * \file tar.h
 * \brief Archives in the format ustar (POSIX.1-1988), the same bytes for the same files.
 */
#ifndef UIR_SRC_DRIVER_TAR_H_
#define UIR_SRC_DRIVER_TAR_H_

#include <string>
#include <string_view>

namespace uir::driver {

/*! \brief An archive of a few files. */
class TarArchive {
 public:
  /*!
   * \brief Add a file.
   * \param name At most 99 bytes, without folders.
   * \param content Less than 8 GiB.
   */
  void Add(std::string_view name, std::string_view content);

  /*! \brief End the archive. */
  std::string Finish();

 private:
  std::string bytes_;
};

}  // namespace uir::driver

#endif  // UIR_SRC_DRIVER_TAR_H_
