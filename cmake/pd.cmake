# The library for Pure Data: build/pd/contatto is a folder as Pd's own package manager installs it, with the binary, the
# abstractions, the help patches and the examples in it. Pd's header comes with puredata-dev.
find_path(CT_PD_INCLUDE m_pd.h PATH_SUFFIXES pd)
ct_glob(pd_sources hosts/pd/*.c)
if(NOT TARGET contatto_file)
  ct_skip("the objects for Pure Data" "need libsndfile1-dev")
  return()
elseif(NOT CT_PD_INCLUDE)
  message(STATUS "without the objects for Pure Data: puredata-dev is not here") # nothing that ./run would miss
  return()
endif()

set(ct_pd_folder ${PROJECT_BINARY_DIR}/pd/contatto)
add_library(contatto_pd MODULE ${pd_sources})
ct_flags(contatto_pd)
ct_computes_little(contatto_pd)
target_include_directories(contatto_pd PRIVATE include ${PROJECT_SOURCE_DIR})
target_include_directories(contatto_pd SYSTEM PRIVATE ${CT_PD_INCLUDE})
target_link_libraries(contatto_pd PRIVATE contatto_file contatto_core Threads::Threads m)
if(APPLE)
  set(pd_suffix .pd_darwin)
  target_link_options(contatto_pd PRIVATE -undefined dynamic_lookup)
else()
  set(pd_suffix .pd_linux)
endif()
set_target_properties(contatto_pd PROPERTIES PREFIX "" SUFFIX ${pd_suffix} OUTPUT_NAME contatto
  LIBRARY_OUTPUT_DIRECTORY ${ct_pd_folder})
ct_tidy(contatto_pd)

# What lies beside the binary is copied on every build, and what is gone from the sources goes.
ct_glob(pd_patches hosts/pd/*.pd hosts/pd/examples/* hosts/pd/README.txt)
set(pd_copied "")
foreach(patch IN LISTS pd_patches)
  file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR}/hosts/pd ${patch})
  add_custom_command(OUTPUT ${ct_pd_folder}/${name} DEPENDS ${patch}
    COMMAND ${CMAKE_COMMAND} -E copy ${patch} ${ct_pd_folder}/${name})
  list(APPEND pd_copied ${ct_pd_folder}/${name})
endforeach()
add_custom_command(OUTPUT ${ct_pd_folder}/LICENSE DEPENDS ${PROJECT_SOURCE_DIR}/LICENSE
  COMMAND ${CMAKE_COMMAND} -E copy ${PROJECT_SOURCE_DIR}/LICENSE ${ct_pd_folder}/LICENSE)
add_custom_target(contatto_pd_patches ALL DEPENDS ${pd_copied} ${ct_pd_folder}/LICENSE)
add_dependencies(contatto_pd contatto_pd_patches)
list(APPEND ct_products contatto_pd)

# Where Pd looks below /usr and ~/.local; the same folder can be packed for deken.
if(CT_INSTALL)
  set(pd_place lib/pd/extra/contatto) # whatever the system calls its folder of libraries
  install(TARGETS contatto_pd LIBRARY DESTINATION ${pd_place} COMPONENT pd)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/hosts/pd/ DESTINATION ${pd_place} COMPONENT pd
    FILES_MATCHING PATTERN "*.pd" PATTERN "README.txt")
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${pd_place} COMPONENT pd)
endif()
