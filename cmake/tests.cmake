# test/test_*.c are cmocka programs, test/test_*.sh are run by sh, test/web/test_*.mjs by node, most of them with a
# browser; each is one ctest entry named after its file.
# A line "ctest: WORDS" near the top of a test sets its labels and time limit:
#   slow         too long for instrumented builds, but for `./check long`
#   plain        meaningless in instrumented builds
#   alone        runs with nothing else beside it (timings)
#   timeout=900  seconds instead of 600; those with long limits start first
# Tests with a browser have the label `browser`. Exit code 77 means skipped.
enable_testing()

function(ct_describe_test name file)
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(STRINGS ${file} line REGEX "^[ /*#]*ctest: " LIMIT_COUNT 1 ENCODING UTF-8)
  string(REGEX MATCH "timeout=([0-9]+)" found "${line}")
  set(timeout 600)
  if(found)
    set(timeout ${CMAKE_MATCH_1})
  endif()
  set(labels "")
  foreach(label slow plain alone)
    if(line MATCHES "ctest: .*${label}")
      list(APPEND labels ${label})
    endif()
  endforeach()
  list(APPEND labels ${ARGN})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${timeout} COST ${timeout} LABELS "${labels}" SKIP_RETURN_CODE 77)
  if(TARGET ${name} AND NOT line MATCHES "ctest: .*(slow|plain)")
    add_dependencies(tests_instrumented ${name})
  endif()
  if(TARGET ${name} AND name MATCHES "thread|queue")
    add_dependencies(tests_threads ${name})
  endif()
  if("alone" IN_LIST labels)
    set_tests_properties(${name} PROPERTIES RUN_SERIAL ON)
  endif()
endfunction()

# What the sanitizers' presets run, and nothing more.
add_custom_target(tests_instrumented)
add_custom_target(tests_threads)
foreach(target contatto contatto_pd)
  if(TARGET ${target})
    add_dependencies(tests_instrumented ${target})
  endif()
endforeach()

set(test_directory ${PROJECT_BINARY_DIR}/test)
file(MAKE_DIRECTORY ${test_directory})

ct_glob(test_sources test/test_*.c)
ct_glob(test_support test/support/*.c)
ct_glob(test_scripts test/test_*.sh)
ct_glob(web_tests test/web/test_*.mjs)
find_program(CT_NODE NAMES node nodejs)
set(tests_skipped "")
ct_packages_missing(tests_missing cmocka jansson sndfile)
if(tests_missing)
  set(tests_skipped "the tests need ${tests_missing}\n")
  set(test_sources "")
  set(test_scripts "")
  set(web_tests "")
endif()
file(WRITE ${PROJECT_BINARY_DIR}/skipped-tests.txt "${tests_skipped}")

# Where the sources are only looked at, nobody runs the tests; their warnings are those of the other builds.
if(CT_TIDY)
  set(test_sources "")
  set(test_scripts "")
  set(web_tests "")
endif()

if(test_sources AND test_support)
  add_library(contatto_test_support STATIC ${test_support})
  ct_flags(contatto_test_support)
  target_include_directories(contatto_test_support PUBLIC include src test ${PROJECT_SOURCE_DIR})
  target_link_libraries(contatto_test_support PUBLIC contatto_io contatto_file contatto_measure contatto_core PkgConfig::cmocka)
  list(PREPEND ct_libraries contatto_test_support)
endif()

foreach(source IN LISTS test_sources)
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  ct_flags(${name})
  if(CT_LLD) # a hundred and fifty programs: in a third of the time
    target_link_options(${name} PRIVATE -fuse-ld=lld)
  endif()
  ct_judges(${name})
  target_include_directories(${name} PRIVATE include src test ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${name} PRIVATE CT_TEST_DATA="${PROJECT_SOURCE_DIR}/test/data"
    CT_ROOT="${PROJECT_SOURCE_DIR}" CT_PROGRAM="${PROJECT_BINARY_DIR}/contatto")
  set(links ${ct_libraries})
  if(name MATCHES "thread|queue") # what these stand on is all that is built for the thread sanitizer
    set(links contatto_test_support contatto_core)
  endif()
  target_link_libraries(${name} PRIVATE ${links} PkgConfig::cmocka Threads::Threads ${CMAKE_DL_LIBS} m)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${test_directory})
  if(TARGET contatto AND NOT name MATCHES "thread|queue")
    add_dependencies(${name} contatto)
  endif()
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${test_directory})
  ct_describe_test(${name} ${source})
endforeach()

foreach(script IN LISTS test_scripts)
  get_filename_component(name ${script} NAME_WE)
  add_test(NAME ${name} COMMAND sh ${script} WORKING_DIRECTORY ${test_directory})
  ct_describe_test(${name} ${script})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT
    "CONTATTO=${PROJECT_BINARY_DIR}/contatto;ROOT=${PROJECT_SOURCE_DIR};BUILD=${PROJECT_BINARY_DIR};CC=${CMAKE_C_COMPILER};CMAKE=${CMAKE_COMMAND}")
endforeach()

# Where node is missing the tests are there all the same, and say so.
foreach(script IN LISTS web_tests)
  get_filename_component(name ${script} NAME_WE)
  if(CT_NODE)
    add_test(NAME ${name} COMMAND ${CT_NODE} ${script} WORKING_DIRECTORY ${test_directory})
  else()
    add_test(NAME ${name} COMMAND sh -c "echo skipped: needs node; exit 77")
  endif()
  ct_describe_test(${name} ${script} browser)
  set_tests_properties(${name} PROPERTIES ENVIRONMENT
    "CONTATTO=${PROJECT_BINARY_DIR}/contatto;ROOT=${PROJECT_SOURCE_DIR};BUILD=${PROJECT_BINARY_DIR}")
endforeach()
