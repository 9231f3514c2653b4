/*!
 * \file work_folder.h
 * \brief A new folder that is removed with its owner.
 */
#ifndef UIR_SRC_DRIVER_WORK_FOLDER_H_
#define UIR_SRC_DRIVER_WORK_FOLDER_H_

#include <filesystem>
#include <string_view>

namespace uir::driver {

/*! \brief A folder with a unique name, for one build. */
class WorkFolder {
 public:
  /*!
   * \brief Make a folder `work-...` in another one, which only this user may read or write.
   * \throws std::filesystem::filesystem_error If that is impossible.
   */
  explicit WorkFolder(const std::filesystem::path& parent);
  WorkFolder(WorkFolder&& other) noexcept;
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  WorkFolder& operator=(WorkFolder&&) = delete;
  ~WorkFolder();

  const std::filesystem::path& path() const { return path_; }

  /*!
   * \brief Move it to another name, where it stays.
   * \return Whether it is there; not if another folder is.
   */
  bool MoveTo(const std::filesystem::path& path);

  /*! \brief Leave it where it is. */
  std::filesystem::path Keep();

 private:
  std::filesystem::path path_;
};

/*!
 * \brief Write a file.
 * \throws std::filesystem::filesystem_error If it cannot be written in full.
 */
void WriteFile(const std::filesystem::path& path, std::string_view content);

/*!
 * \brief Read a file.
 * \throws std::filesystem::filesystem_error If it cannot be read.
 */
std::string ReadFile(const std::filesystem::path& path);

}  // namespace uir::driver

#endif  // UIR_SRC_DRIVER_WORK_FOLDER_H_
