# What surrounds the core: measuring, files, studies, and the program over all of them.
set(ct_libraries "")
if(TARGET contatto_core)
  set(ct_libraries contatto_core)
endif()

# ct_companion(NAME folder LINKS ... PACKAGES ...): a static library of a folder, if it has sources and its packages are here.
function(ct_companion target folder)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "LINKS;PACKAGES;SOURCES")
  ct_glob(sources ${folder}/*.c)
  ct_packages_missing(missing ${arg_PACKAGES})
  if(sources AND missing)
    ct_skip(${target} "needs ${missing}")
  elseif(sources)
    add_library(${target} STATIC ${sources} ${arg_SOURCES})
    target_include_directories(${target} PUBLIC include src PRIVATE ${PROJECT_SOURCE_DIR})
    foreach(link IN LISTS arg_LINKS)
      if(TARGET ${link})
        target_link_libraries(${target} PUBLIC ${link})
      endif()
    endforeach()
    list(TRANSFORM arg_PACKAGES PREPEND PkgConfig:: OUTPUT_VARIABLE packages)
    target_link_libraries(${target} PUBLIC ${packages} m)
    ct_tidy(${target})
    set(ct_libraries ${target} ${ct_libraries} PARENT_SCOPE)
  endif()
endfunction()

# Built-in scenes are the files in scenes/, carried inside the program. The list is a file of its own so that
# removing a scene re-makes the table too.
ct_glob(scene_files scenes/*.json)
set(scene_table ${PROJECT_BINARY_DIR}/generated/builtin_scenes.c)
set(scene_list ${PROJECT_BINARY_DIR}/generated/builtin_scenes.list)
list(JOIN scene_files "\n" scene_lines)
file(CONFIGURE OUTPUT ${scene_list} CONTENT "${scene_lines}" @ONLY)
add_custom_command(OUTPUT ${scene_table}
  COMMAND ${CMAKE_COMMAND} -DLIST=${scene_list} -DOUTPUT=${scene_table} -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${scene_files} ${scene_list} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  COMMENT "Embedding scenes" VERBATIM)

ct_companion(contatto_measure src/measure LINKS contatto_core)
ct_companion(contatto_file src/file LINKS contatto_measure contatto_core PACKAGES jansson sndfile SOURCES ${scene_table})
ct_companion(contatto_study study LINKS contatto_file contatto_measure contatto_core)

ct_glob(program_sources hosts/cli/*.c)
ct_packages_missing(program_missing jansson sndfile)
if(program_sources AND program_missing)
  ct_skip("the program" "needs ${program_missing}")
elseif(program_sources)
  add_executable(contatto ${program_sources})
  target_include_directories(contatto PRIVATE include src ${PROJECT_SOURCE_DIR})
  target_compile_definitions(contatto PRIVATE CT_PROGRAM_VERSION="${PROJECT_VERSION}")
  target_link_libraries(contatto PRIVATE ${ct_libraries} Threads::Threads)
  set_target_properties(contatto PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  ct_tidy(contatto)
endif()

set(ct_products ${ct_libraries})
foreach(target contatto_shared contatto)
  if(TARGET ${target})
    list(APPEND ct_products ${target})
  endif()
endforeach()
