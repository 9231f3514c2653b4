# tschema_generate(TARGET target [CONFIG file] [LANGUAGES languages...] [PLUGINS programs...]
#                  [ALLOW_UNDEFINED])
#
# Runs `tschema gen` for the project of `file`, `tschema.toml` beside the CMakeLists.txt by default,
# and makes the target of the C++ that it writes: sources, and the folder of headers. It runs when
# CMake configures, so that every file is there, and in a build where the schema, the configuration,
# an imported schema, tschema itself or a generated file changed. A changed schema compiles what
# includes a header that changed, and no more; a new schema file brings its sources along.
#
# The generated files are not outputs to CMake: `clean` would delete hand-written code in them. They
# are inputs of the build's step instead, so that a hand edit or a missing file is noticed.
#
# A shared library in which something is left undefined is not linked, and the message names
# `tschema verify`, unless ALLOW_UNDEFINED says that the rest comes from elsewhere.
include_guard(GLOBAL)

set(tschema_LINK_PROGRAM "${CMAKE_CURRENT_LIST_DIR}/tschema_link.py")
set(tschema_GENERATE_STAMP "${CMAKE_CURRENT_LIST_DIR}/TschemaStamp.cmake")

function(tschema_generate)
  cmake_policy(VERSION 3.20...4.0)
  cmake_parse_arguments(PARSE_ARGV 0 arg "ALLOW_UNDEFINED" "TARGET;CONFIG" "LANGUAGES;PLUGINS")
  if(arg_UNPARSED_ARGUMENTS OR NOT TARGET "${arg_TARGET}")
    message(FATAL_ERROR "tschema_generate: expected TARGET with a target, and CONFIG, LANGUAGES, "
                        "PLUGINS or ALLOW_UNDEFINED; got: ${ARGV}")
  endif()
  if(NOT arg_CONFIG)
    set(arg_CONFIG tschema.toml)
  endif()
  cmake_path(ABSOLUTE_PATH arg_CONFIG BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/tschema/${arg_TARGET}")
  _tschema_gen_command(command "${folder}" "${arg_CONFIG}" "${arg_LANGUAGES}" "${arg_PLUGINS}")
  _tschema_generate_now("${folder}" "${command}")
  _tschema_generate_in_builds("${arg_TARGET}" "${folder}" "${command}")
  _tschema_add_sources("${arg_TARGET}" "${folder}")
  if(NOT arg_ALLOW_UNDEFINED)
    _tschema_link_closed("${arg_TARGET}" "${arg_CONFIG}")
  endif()
  # With ninja, the step runs before the build is planned: its list of outputs is an input of CMake.
  set_property(
    DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${arg_CONFIG}" "${folder}/outputs.txt"
  )
endfunction()

function(_tschema_gen_command result folder config languages plugins)
  if(NOT Python_EXECUTABLE)
    find_package(Python COMPONENTS Interpreter REQUIRED)
  endif()
  set(command "${Python_EXECUTABLE}" -m tschema gen --config "${config}" --depfile
              "${folder}/gen.d"
  )
  if(languages)
    list(JOIN languages "," languages)
    list(APPEND command --lang "${languages}")
  endif()
  foreach(plugin IN LISTS plugins)
    list(APPEND command --plugin "${plugin}")
  endforeach()
  set(${result} "${command}" PARENT_SCOPE)
endfunction()

function(_tschema_generate_now folder command)
  file(MAKE_DIRECTORY "${folder}")
  execute_process(COMMAND ${command} WORKING_DIRECTORY "${folder}" RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "tschema gen failed, see above")
  endif()
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -P "${tschema_GENERATE_STAMP}" list "${folder}"
    COMMAND_ERROR_IS_FATAL ANY
  )
endfunction()

function(_tschema_generate_in_builds target folder command)
  add_custom_command(
    OUTPUT "${folder}/stamp"
    BYPRODUCTS "${folder}/outputs.txt"
    COMMAND ${command}
    COMMAND "${CMAKE_COMMAND}" -P "${tschema_GENERATE_STAMP}" stamp "${folder}"
    DEPENDS "${tschema_GENERATE_STAMP}"
    DEPFILE "${folder}/stamp.d"
    WORKING_DIRECTORY "${folder}"
    COMMENT "Generating the code of ${target}"
    VERBATIM
  )
  add_custom_target(${target}_generate DEPENDS "${folder}/stamp")
  add_dependencies(${target} ${target}_generate)
endfunction()

# A missing body is an error of the linker, not of the loader on a user's machine. A MODULE, such as
# an extension of Python, takes symbols from the program that loads it.
function(_tschema_link_closed target config)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "SHARED_LIBRARY")
    tschema_closed_link_options(closed)
    target_link_options(${target} PRIVATE ${closed})
  endif()
  get_property(launcher GLOBAL PROPERTY RULE_LAUNCH_LINK)
  if(NOT launcher)
    set(program "\"${Python_EXECUTABLE}\" -I -S \"${tschema_LINK_PROGRAM}\" \"${config}\"")
    set_property(TARGET ${target} PROPERTY RULE_LAUNCH_LINK "${program}")
  endif()
endfunction()

function(_tschema_add_sources target folder)
  file(STRINGS "${folder}/outputs.txt" outputs)
  list(FILTER outputs INCLUDE REGEX "\\.(h|cc|json)$")
  foreach(output IN LISTS outputs)
    if(output MATCHES "\\.json$")
      _tschema_find_include_dir("${output}" "${outputs}")
    else()
      target_sources(${target} PRIVATE "${output}")
    endif()
  endforeach()
  if(include_dir)
    target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${include_dir}>")
  endif()
  # A new schema file is seen before the build is planned, by make too.
  file(STRINGS "${folder}/folders.txt" schema_folders)
  list(TRANSFORM schema_folders APPEND "/*.py")
  file(GLOB ignored CONFIGURE_DEPENDS LIST_DIRECTORIES FALSE ${schema_folders})
endfunction()

# Sets `include_dir` to the folder that `#include` paths start from: what stands before
# `<package>/<ns>/<file>.h`, which the JSON IR tells.
function(_tschema_find_include_dir ir outputs)
  file(READ "${ir}" json)
  string(JSON name ERROR_VARIABLE error GET "${json}" namespaces 0 name)
  string(JSON file ERROR_VARIABLE error GET "${json}" namespaces 0 file)
  string(REPLACE "." "/" namespace_dir "${name}")
  set(header "/${namespace_dir}/${file}.h")
  string(REGEX REPLACE "([.+])" "\\\\\\1" pattern "${header}")
  list(FILTER outputs INCLUDE REGEX "${pattern}$")
  foreach(output IN LISTS outputs)
    string(FIND "${output}" "${header}" length REVERSE)
    string(SUBSTRING "${output}" 0 ${length} include_dir)
    set(include_dir "${include_dir}" PARENT_SCOPE)
  endforeach()
endfunction()
