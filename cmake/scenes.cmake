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
