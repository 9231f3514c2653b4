// Both loaders on truncated and damaged input, and both ways on deep, wide and shared graphs.
#include <gtest/gtest.h>
#include <tschema/binary.h>
#include <tschema/json.h>
#include <tschema/release.h>
#include <tschema/structural_equal.h>

#include <random>
#include <string>
#include <vector>

#include "../support/depth.h"
#include "../support/small_stack.h"
#include "./graphs.h"

namespace serialize_test {
namespace {

std::string ToJSON(const ffi::Any& value) { return tschema::SaveJSON(value); }

std::string ToBinary(const ffi::Any& value) {
  ffi::Bytes bytes = tschema::SaveBinary(value);
  return {bytes.data(), bytes.size()};
}

struct Format {
  const char* name;
  std::string (*save)(const ffi::Any& value);
  ffi::Any (*load)(std::string_view data);
};

const Format kFormats[] = {{"JSON", &ToJSON, &tschema::LoadJSON},
                           {"binary", &ToBinary, &tschema::LoadBinary}};

/*! \brief Whether the data load; every error is a TypeError or ValueError that says where. */
bool Loads(const Format& format, std::string_view data) {
  // A copy without a byte behind it, so that a sanitizer sees a reader that goes too far.
  std::vector<char> exact(data.begin(), data.end());
  try {
    format.load({exact.data(), exact.size()});
    return true;
  } catch (const ffi::Error& error) {
    EXPECT_TRUE(error.kind() == "ValueError" || error.kind() == "TypeError") << error.what();
    EXPECT_NE(error.message().find("(byte "), std::string::npos) << error.what();
    return false;
  }
}

TEST(Loaders, RefuseEveryTruncation) {
  for (const Format& format : kFormats) {
    for (const ffi::Any& value : {ffi::Any(Tree(2)), ffi::Any(ffi::ObjectRef(Kinds())),
                                  ffi::Any(Diamonds(5)), ffi::Any(ffi::String("text"))}) {
      std::string data = format.save(value);
      for (size_t size = 0; size < data.size(); ++size) {
        EXPECT_FALSE(Loads(format, std::string_view(data).substr(0, size))) << format.name << size;
      }
      EXPECT_TRUE(Loads(format, data));
    }
  }
}

TEST(Loaders, SurviveDamage) {
  constexpr int kTries = 3000;
  std::mt19937 random(20240607);
  auto below = [&random](size_t end) { return random() % end; };
  for (const Format& format : kFormats) {
    std::vector<std::string> inputs;
    for (const ffi::Any& value : ManyValues()) inputs.push_back(format.save(value));
    for (int tries = 0; tries < kTries; ++tries) {
      std::string data = inputs[below(inputs.size())];
      for (size_t flips = 1 + below(4); flips > 0; --flips) {
        data[below(data.size())] ^= static_cast<char>(1 << below(8));
      }
      if (below(4) == 0) data.erase(below(data.size()), below(8));
      if (below(4) == 0) data.insert(below(data.size()), data.substr(below(data.size()), below(8)));
      Loads(format, data);
    }
  }
}

TEST(Loaders, HandleManyLevels) {
  RunOnSmallStack([] {
    PrimExpr chain = Chain(kDeep);
    for (const Format& format : kFormats) {
      std::string data = format.save(chain);
      ffi::Any loaded = format.load(data);
      EXPECT_TRUE(tschema::StructuralEqual(loaded, chain)) << format.name;
      // An error at the very end drops what has been built.
      data.back() ^= 1;
      EXPECT_FALSE(Loads(format, data));
    }
  });
}

TEST(Loaders, HandleManyLevelsOfContainers) {
  RunOnSmallStack([] {
    IntImm yes(uir::ir::BoolType(), 1);
    uir::tir::Stmt statement = uir::tir::Evaluate(0);
    for (int level = 0; level < kDeep; level += 2) {
      uir::tir::While loop(yes, std::move(statement));
      statement = uir::tir::SeqStmt({std::move(loop), uir::tir::Evaluate(0)});
    }
    for (const Format& format : kFormats) {
      std::string data = format.save(statement);
      EXPECT_EQ(format.save(format.load(data)), data) << format.name;
    }
  });
}

TEST(Loaders, HandleAMillionChildren) {
  constexpr int kWidth = 1000000;
  ffi::Array<ffi::Any> wide;
  wide.reserve(kWidth);
  for (int64_t value = 0; value < kWidth; ++value) wide.push_back(value);
  for (const Format& format : kFormats) {
    auto loaded = format.load(format.save(wide)).cast<ffi::Array<int64_t>>();
    ASSERT_EQ(loaded.size(), kWidth);
    EXPECT_EQ(loaded[kWidth - 1], kWidth - 1);
  }
}

TEST(Loaders, AreLinearInSharedGraphs) {
  for (const Format& format : kFormats) {
    std::string data = format.save(Diamonds(60));
    EXPECT_LT(data.size(), 8000u);
    EXPECT_EQ(format.save(format.load(data)), data);
  }
}

/*! \brief Bare containers in containers, of each kind in turn: no node of ours drains them. */
ffi::Any NestedContainers(int depth) {
  ffi::Any nested = 1;
  for (int level = 0; level < depth; level += 5) {
    nested = ffi::Array<ffi::Any>({std::move(nested)});
    nested = ffi::List<ffi::Any>({std::move(nested)});
    nested = ffi::Map<ffi::Any, ffi::Any>({{1, std::move(nested)}});
    nested = ffi::Dict<ffi::Any, ffi::Any>({{std::move(nested), 1}});
    ffi::Map<ffi::Any, ffi::Any> dense;
    for (int key = 0; key < 8; ++key) dense.Set(key, nullptr);
    dense.Set(4, std::move(nested));
    nested = std::move(dense);
  }
  return nested;
}

TEST(Loaders, MakeNestedContainersThatAnyoneCanDrop) {
  for (const Format& format : kFormats) {
    ffi::Any nested = NestedContainers(200'000);
    std::string data = format.save(nested);
    tschema::Dispose(nested);
    RunOnSmallStack([&] {
      ffi::Any loaded = format.load(data);
      ffi::Any second = loaded;
      loaded = nullptr;
      EXPECT_EQ(second.cast<ffi::ObjectRef>().use_count(), 2);
      second = nullptr;
      EXPECT_FALSE(Loads(format, data.substr(0, data.size() - 1)));
    });
  }
}

TEST(Loaders, LookIntoASharedContainerOnce) {
  constexpr int kSize = 20000;
  ffi::Array<PrimExpr> args(kSize, IntImm(kInt32, 1));
  uir::ir::GlobalVar callee("f");
  ffi::Array<ffi::Any> calls;
  for (int call = 0; call < kSize; ++call) calls.push_back(uir::tir::Call(kInt32, callee, args));
  for (const Format& format : kFormats) {
    EXPECT_EQ(format.load(format.save(calls)).cast<ffi::Array<ffi::Any>>().size(), kSize);
  }
}

}  // namespace
}  // namespace serialize_test
