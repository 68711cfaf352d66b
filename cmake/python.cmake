# What python/ is made from beside libcontatto.so: the measures as a shared library. Only names of
# contatto/measure.h are shown.
if(NOT TARGET contatto_measure OR TARGET contatto_measure_shared OR NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
  return()
endif()
ct_glob(measure_sources src/measure/*.c)
add_library(contatto_measure_shared SHARED ${measure_sources})
target_include_directories(contatto_measure_shared PRIVATE include src)
target_link_libraries(contatto_measure_shared PRIVATE m)
set_target_properties(contatto_measure_shared PROPERTIES OUTPUT_NAME contatto_measure VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR} C_VISIBILITY_PRESET default)
set(measure_map ${PROJECT_SOURCE_DIR}/cmake/measure.map)
target_link_options(contatto_measure_shared PRIVATE -Wl,--version-script=${measure_map})
set_property(TARGET contatto_measure_shared APPEND PROPERTY LINK_DEPENDS ${measure_map})
list(APPEND ct_products contatto_measure_shared)
