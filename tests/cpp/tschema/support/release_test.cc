/*!
 * \file release_test.cc
 * \brief Destruction: depth, order, sharing, weak references, containers, threads.
 */
#include <gtest/gtest.h>
#include <tschema/release.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "depth.h"
#include "small_stack.h"

namespace {

namespace ffi = ::tvm::ffi;

/*! \brief How many links there are. */
std::atomic<int> num_links{0};

class LinkNode : public ffi::Object {
 public:
  ffi::ObjectRef next;
  ffi::Any value;

  LinkNode(ffi::ObjectRef next, ffi::Any value) : next(std::move(next)), value(std::move(value)) {
    ++num_links;
  }
  ~LinkNode() {
    --num_links;
    tschema::Release(next, value);
  }
  LinkNode(const LinkNode&) = delete;
  LinkNode& operator=(const LinkNode&) = delete;

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.release.Link", LinkNode, ffi::Object);
};

ffi::ObjectRef MakeLink(ffi::ObjectRef next, ffi::Any value = nullptr) {
  return ffi::ObjectRef(ffi::make_object<LinkNode>(std::move(next), std::move(value)));
}

ffi::WeakObjectPtr<ffi::Object> WeakReferenceTo(const ffi::ObjectRef& object) {
  return ffi::WeakObjectPtr<ffi::Object>(
      ffi::detail::ObjectUnsafe::ObjectPtrFromObjectRef<ffi::Object>(object));
}

/*! \brief A chain of links, each held by the next one in the way that `wrap` says. */
template <typename Wrap>
ffi::ObjectRef Chain(int length, Wrap wrap) {
  ffi::ObjectRef chain = MakeLink(ffi::ObjectRef(nullptr));
  for (int level = 1; level < length; ++level) chain = wrap(std::move(chain));
  return chain;
}

template <typename Wrap>
void ExpectDeepChainIsDestroyed(Wrap wrap) {
  RunOnSmallStack([&] {
    ffi::ObjectRef chain = Chain(kDeep, wrap);
    EXPECT_GE(num_links, 1);
    chain = ffi::ObjectRef(nullptr);
  });
  EXPECT_EQ(num_links, 0);
}

TEST(Release, ChainOfReferences) {
  ExpectDeepChainIsDestroyed([](ffi::ObjectRef chain) { return MakeLink(std::move(chain)); });
}

TEST(Release, ChainOfValues) {
  ExpectDeepChainIsDestroyed([](ffi::ObjectRef chain) {
    return MakeLink(ffi::ObjectRef(nullptr), ffi::Any(std::move(chain)));
  });
}

TEST(Release, ChainThroughArrays) {
  ExpectDeepChainIsDestroyed([](ffi::ObjectRef chain) {
    return MakeLink(ffi::Array<ffi::ObjectRef>({std::move(chain)}));
  });
}

TEST(Release, ChainThroughMaps) {
  ExpectDeepChainIsDestroyed([](ffi::ObjectRef chain) {
    return MakeLink(ffi::Map<ffi::String, ffi::ObjectRef>({{"next", std::move(chain)}}));
  });
}

TEST(Release, ChainOfContainersInContainers) {
  RunOnSmallStack([] {
    ffi::ObjectRef chain = MakeLink(ffi::ObjectRef(nullptr));
    for (int level = 0; level < kDeep; level += 4) {
      chain = ffi::Array<ffi::Any>({std::move(chain)});
      chain = ffi::List<ffi::Any>({std::move(chain)});
      chain = ffi::Map<ffi::Any, ffi::Any>({{1, std::move(chain)}});
      chain = ffi::Dict<ffi::Any, ffi::Any>({{std::move(chain), 1}});
    }
    MakeLink(std::move(chain));
  });
  EXPECT_EQ(num_links, 0);
}

TEST(Release, ChainWithWeakReferences) {
  std::vector<ffi::WeakObjectPtr<ffi::Object>> weak;
  ExpectDeepChainIsDestroyed([&weak](ffi::ObjectRef chain) {
    weak.push_back(WeakReferenceTo(chain));
    return MakeLink(std::move(chain));
  });
  for (const auto& pointer : weak) ASSERT_TRUE(pointer.expired());
}

TEST(Release, DisposeEmptiesContainersInContainers) {
  RunOnSmallStack([] {
    ffi::Any chain = MakeLink(ffi::ObjectRef(nullptr));
    for (int level = 0; level < kDeep; ++level) chain = ffi::Array<ffi::Any>({std::move(chain)});
    tschema::Dispose(chain);
    EXPECT_EQ(chain.type_index(), kTVMFFINone);
  });
  EXPECT_EQ(num_links, 0);
}

TEST(Release, WideArray) {
  ffi::Array<ffi::Any> children;
  for (int index = 0; index < kDeep; ++index) children.push_back(MakeLink(ffi::ObjectRef(nullptr)));
  MakeLink(std::move(children));
  EXPECT_EQ(num_links, 0);
}

TEST(Release, SharedChildOutlivesItsParent) {
  ffi::ObjectRef shared = MakeLink(ffi::ObjectRef(nullptr), 7);
  MakeLink(MakeLink(shared), shared);
  EXPECT_EQ(num_links, 1);
  EXPECT_EQ(shared.use_count(), 1);
  EXPECT_EQ(shared.as<LinkNode>()->value.cast<int>(), 7);
  shared = ffi::ObjectRef(nullptr);
  EXPECT_EQ(num_links, 0);
}

TEST(Release, SharedTwiceInOneParentIsDestroyedOnce) {
  ffi::ObjectRef child = MakeLink(ffi::ObjectRef(nullptr));
  ffi::ObjectRef parent = MakeLink(child, child);
  child = ffi::ObjectRef(nullptr);
  EXPECT_EQ(num_links, 2);
  parent = ffi::ObjectRef(nullptr);
  EXPECT_EQ(num_links, 0);
}

TEST(Release, WeakReferenceSeesTheDestruction) {
  ffi::ObjectRef child = MakeLink(ffi::ObjectRef(nullptr));
  ffi::WeakObjectPtr<ffi::Object> weak = WeakReferenceTo(child);
  ffi::ObjectRef parent = MakeLink(std::move(child));
  EXPECT_FALSE(weak.expired());
  parent = ffi::ObjectRef(nullptr);
  EXPECT_TRUE(weak.expired());
  EXPECT_EQ(num_links, 0);
}

TEST(Release, ThreadsGiveUpTheSameChildren) {
  constexpr int kThreads = 4;
  for (int round = 0; round < 200; ++round) {
    std::vector<ffi::ObjectRef> roots;
    ffi::ObjectRef shared = Chain(50, [](ffi::ObjectRef chain) { return MakeLink(chain, chain); });
    for (int index = 0; index < kThreads; ++index) roots.push_back(MakeLink(shared, shared));
    shared = ffi::ObjectRef(nullptr);
    std::vector<std::thread> threads;
    threads.reserve(kThreads);
    for (ffi::ObjectRef& root : roots) {
      threads.emplace_back([&root] { root = ffi::ObjectRef(nullptr); });
    }
    for (std::thread& thread : threads) thread.join();
    ASSERT_EQ(num_links, 0);
  }
}

}  // namespace
