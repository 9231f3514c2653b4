/*!
 * \file small_stack.h
 * \brief Runs a test on a stack of 8 MB, regardless of the shell's limit.
 */
#ifndef TSCHEMA_TESTS_SUPPORT_SMALL_STACK_H_
#define TSCHEMA_TESTS_SUPPORT_SMALL_STACK_H_

#include <gtest/gtest.h>
#include <pthread.h>

#include <cstddef>

/*! \brief Run `body` on a thread of its own and wait for it. */
template <typename Body>
void RunOnSmallStack(Body body) {
  constexpr size_t kStackSize = size_t{8} << 20;
  pthread_attr_t attributes;
  pthread_t thread;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, kStackSize), 0);
  auto run = [](void* argument) -> void* {
    (*static_cast<Body*>(argument))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &body), 0);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
  pthread_attr_destroy(&attributes);
}

#endif  // TSCHEMA_TESTS_SUPPORT_SMALL_STACK_H_
