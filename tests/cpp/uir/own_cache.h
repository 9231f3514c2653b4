/*!
 * \file own_cache.h
 * \brief A folder for files and for the cache of objects, which goes with its test.
 */
#ifndef UIR_TESTS_OWN_CACHE_H_
#define UIR_TESTS_OWN_CACHE_H_

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

/*! \brief A test that compiles programs. */
class OwnCache : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "uir-test-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    setenv("UIR_CACHE_DIR", (folder_ / "cache").c_str(), 1);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

#endif  // UIR_TESTS_OWN_CACHE_H_
