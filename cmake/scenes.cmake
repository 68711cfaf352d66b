# Built-in scenes are the files in scenes/, carried inside the program; so are the scenes and plans of studies, which
# are found by name but in no list. The lists are files of their own so that removing a scene re-makes the table too.
ct_glob(scene_files scenes/*.json)
ct_glob(study_files study/*.json)
set(scene_table ${PROJECT_BINARY_DIR}/generated/builtin_scenes.c)
set(scene_list ${PROJECT_BINARY_DIR}/generated/builtin_scenes.list)
list(JOIN scene_files "\n" scene_lines)
file(CONFIGURE OUTPUT ${scene_list} CONTENT "${scene_lines}" @ONLY)
set(study_list ${PROJECT_BINARY_DIR}/generated/builtin_study.list)
list(JOIN study_files "\n" study_lines)
file(CONFIGURE OUTPUT ${study_list} CONTENT "${study_lines}" @ONLY)
add_custom_command(OUTPUT ${scene_table}
  COMMAND ${CMAKE_COMMAND} -DLIST=${scene_list} -DMORE=${study_list} -DOUTPUT=${scene_table} -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${scene_files} ${scene_list} ${study_files} ${study_list} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  COMMENT "Embedding scenes" VERBATIM)
