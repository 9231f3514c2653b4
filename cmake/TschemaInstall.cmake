# What the wheels get beside their Python packages, a component each, and the CMake packages for the
# wheels and for the build tree.
include_guard(GLOBAL)

file(WRITE ${PROJECT_BINARY_DIR}/install/tschema-build.json
     "{\"version\": 1, \"tvm_ffi\": \"${tschema_tvm_ffi_VERSION}\", \"sources\": null}\n"
)

# tschema_install(library INCLUDE_DIRS folders of this repository... MODULES files...)
#
# The wheel has all of it below the package of the same name, wherever that is.
function(tschema_install library)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "INCLUDE_DIRS;MODULES")
  set(cmake_dir share/cmake/${library})
  set(template cmake/${library}Config.cmake.in)

  list(TRANSFORM arg_INCLUDE_DIRS PREPEND "${PROJECT_SOURCE_DIR}/" OUTPUT_VARIABLE include_dirs)
  set(library_dir "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}")
  set(module_dir "${PROJECT_SOURCE_DIR}/cmake")
  configure_file(${template} ${PROJECT_BINARY_DIR}/${cmake_dir}/${library}Config.cmake @ONLY)

  set(include_dirs [[${CMAKE_CURRENT_LIST_DIR}/../../../include]])
  set(library_dir [[${CMAKE_CURRENT_LIST_DIR}/../../../lib]])
  set(module_dir [[${CMAKE_CURRENT_LIST_DIR}]])
  configure_file(${template} ${PROJECT_BINARY_DIR}/install/${library}Config.cmake @ONLY)

  set(config "${PROJECT_BINARY_DIR}/install/${library}Config.cmake")
  set(info "${PROJECT_BINARY_DIR}/install/tschema-build.json")
  # On Windows a library is a RUNTIME, and an ARCHIVE to link with.
  install(
    TARGETS ${library}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${library}
    RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${library}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${library}
  )
  install(FILES ${info} DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${library})
  install(FILES ${config} ${arg_MODULES} DESTINATION ${cmake_dir} COMPONENT ${library})
  foreach(folder IN LISTS arg_INCLUDE_DIRS)
    install(DIRECTORY ${folder}/${library} DESTINATION include COMPONENT ${library})
  endforeach()
endfunction()

tschema_install(
  tschema
  INCLUDE_DIRS cpp/include
  MODULES cmake/TschemaTvmFfi.cmake cmake/TschemaBuildInfo.cmake cmake/TschemaGenerate.cmake
          cmake/TschemaPlatform.cmake cmake/TschemaStamp.cmake cmake/tschema_link.py
)
tschema_install(uir INCLUDE_DIRS cpp/include generated/cpp/include)

# tschema_install_by(component script arguments...)
#
# Runs a script of this repository; `PREFIX` in an argument is where the component goes.
function(tschema_install_by component script)
  list(JOIN ARGN "\" \"" arguments)
  string(REPLACE PREFIX "\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}" arguments "${arguments}")
  set(program "\"${Python_EXECUTABLE}\" \"${PROJECT_SOURCE_DIR}/scripts/${script}\"")
  install(CODE "execute_process(COMMAND ${program} \"${arguments}\" COMMAND_ERROR_IS_FATAL ANY)"
          COMPONENT ${component}
  )
endfunction()

# The schema sources, which users import as `uir.schema`.
install(FILES generated/schema.json DESTINATION schema COMPONENT uir)
tschema_install_by(uir install_schema.py "${PROJECT_SOURCE_DIR}/schema" PREFIX/schema uir)

# The crates that generated Rust stands on, which `tschema new` writes into a Cargo.toml.
tschema_install_by(tschema install_crates.py "${PROJECT_SOURCE_DIR}" PREFIX/rust)
