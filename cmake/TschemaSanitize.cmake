# Compiles all that follows for the sanitizers that TSCHEMA_SANITIZE names: `make asan`, `make tsan`.
# Assertions stay in, so that misuse that only debug builds notice is noticed.
if(TSCHEMA_SANITIZE STREQUAL "")
  return()
endif()

set(CMAKE_CXX_FLAGS_RELEASE "-O1 -g1 -fno-omit-frame-pointer")
if(TSCHEMA_SANITIZE STREQUAL "address")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all)
  add_link_options(-fsanitize=address,undefined)
elseif(TSCHEMA_SANITIZE STREQUAL "thread")
  # The fence in tvm-ffi's `DecRef` is unknown to ThreadSanitizer, and its header is everywhere.
  add_compile_options(-fsanitize=thread -Wno-tsan)
  add_link_options(-fsanitize=thread)
else()
  message(FATAL_ERROR "TSCHEMA_SANITIZE is `${TSCHEMA_SANITIZE}`, not `address` or `thread`")
endif()
