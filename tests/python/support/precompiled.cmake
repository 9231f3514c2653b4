# What the projects of the tests include at the end of `project`: the options of `precompiled.py`.
set(CMAKE_CXX_EXTENSIONS OFF)
add_compile_options(${TSCHEMA_TEST_OPTIONS})
