# What the wheel gets beside its Python packages, and the CMake package for both places.
include_guard(GLOBAL)

set(TSCHEMA_CMAKE_DIR share/cmake/tschema)

# The build tree: absolute paths into the checkout.
set(tschema_config_INCLUDE_DIRS
    "${PROJECT_SOURCE_DIR}/cpp/include" "${PROJECT_SOURCE_DIR}/generated/cpp/include"
)
set(tschema_config_LIBRARY_DIR "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}")
set(tschema_config_MODULE_DIR "${PROJECT_SOURCE_DIR}/cmake")
configure_file(
  cmake/tschemaConfig.cmake.in ${PROJECT_BINARY_DIR}/${TSCHEMA_CMAKE_DIR}/tschemaConfig.cmake @ONLY
)

# The wheel: everything below the package `tschema`, wherever that is.
set(tschema_config_INCLUDE_DIRS [[${CMAKE_CURRENT_LIST_DIR}/../../../include]])
set(tschema_config_LIBRARY_DIR [[${CMAKE_CURRENT_LIST_DIR}/../../../lib]])
set(tschema_config_MODULE_DIR [[${CMAKE_CURRENT_LIST_DIR}]])
configure_file(
  cmake/tschemaConfig.cmake.in ${PROJECT_BINARY_DIR}/install/tschemaConfig.cmake @ONLY
)
file(WRITE ${PROJECT_BINARY_DIR}/install/tschema-build.json
     "{\"version\": 1, \"tvm_ffi\": \"${tschema_tvm_ffi_VERSION}\", \"sources\": null}\n"
)

install(TARGETS tschema uir LIBRARY DESTINATION lib)
install(FILES ${PROJECT_BINARY_DIR}/install/tschema-build.json DESTINATION lib)
install(DIRECTORY cpp/include/ generated/cpp/include/ DESTINATION include)
install(
  FILES ${PROJECT_BINARY_DIR}/install/tschemaConfig.cmake cmake/TschemaTvmFfi.cmake
        cmake/TschemaBuildInfo.cmake cmake/TschemaGenerate.cmake cmake/TschemaStamp.cmake
  DESTINATION ${TSCHEMA_CMAKE_DIR}
)
install(CODE "set(python \"${Python_EXECUTABLE}\")\nset(root \"${PROJECT_SOURCE_DIR}\")")
install(
  CODE [[
  execute_process(
    COMMAND "${python}" "${root}/scripts/install_schema.py" "${root}/schema"
            "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/../uir/schema" uir
    COMMAND_ERROR_IS_FATAL ANY
  )]]
)
