# Writes tschema-build.json beside the libraries; tschema/runtime/build_info.py explains it.
include_guard(GLOBAL)

# The program that writes it: in a wheel this file is in tschema/share/cmake/tschema.
find_file(
  tschema_BUILD_INFO_PROGRAM build_info.py
  PATHS "${CMAKE_CURRENT_LIST_DIR}/../tschema/runtime" "${CMAKE_CURRENT_LIST_DIR}/../../../runtime"
  NO_DEFAULT_PATH REQUIRED
)
mark_as_advanced(tschema_BUILD_INFO_PROGRAM)

# tschema_record_build(TARGETS libraries... SOURCES files and folders...)
#
# Digests the sources before the libraries compile, and publishes the digest after all of them
# linked, so that the loader can tell when they are stale. The libraries share a folder.
function(tschema_record_build)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "TARGETS;SOURCES")
  set(program "${Python_EXECUTABLE}" -I -S "${tschema_BUILD_INFO_PROGRAM}")
  set(library_dir "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}")
  add_custom_target(
    ${PROJECT_NAME}_record ALL
    COMMAND ${program} record "${library_dir}" "${tschema_tvm_ffi_VERSION}"
            "${CMAKE_CURRENT_SOURCE_DIR}" ${arg_SOURCES}
    WORKING_DIRECTORY "${CMAKE_BINARY_DIR}"  # What the loader says to build again.
    COMMENT "Digesting the sources of ${PROJECT_NAME}"
    VERBATIM
  )
  add_custom_target(
    ${PROJECT_NAME}_publish ALL
    COMMAND ${program} publish "${library_dir}"
    COMMENT "Publishing the digest of ${PROJECT_NAME}"
    VERBATIM
  )
  foreach(target IN LISTS arg_TARGETS)
    add_dependencies(${target} ${PROJECT_NAME}_record)
    add_dependencies(${PROJECT_NAME}_publish ${target})
  endforeach()
endfunction()
