# WebAssembly, without a JavaScript toolchain: the core, and hosts/web as a reactor module that imports nothing.
# The probe exports the whole public surface, so that its import list speaks for every public call.
if(TARGET contatto_core)
  add_executable(contatto_probe $<TARGET_OBJECTS:contatto_objects>)
  ct_flags(contatto_probe)
  set_target_properties(contatto_probe PROPERTIES SUFFIX .wasm LINKER_LANGUAGE C)
  target_link_options(contatto_probe PRIVATE -mexec-model=reactor -Wl,--export-dynamic -Wl,--strip-all)
  target_link_libraries(contatto_probe PRIVATE m)

  # The stack lies below the data: what overflows it traps instead of eating scenes.
  ct_glob(web_sources hosts/web/*.c)
  if(web_sources)
    add_executable(contatto_web ${web_sources} ${scene_table})
    ct_flags(contatto_web)
    set_target_properties(contatto_web PROPERTIES OUTPUT_NAME contatto SUFFIX .wasm)
    target_include_directories(contatto_web PRIVATE include src ${PROJECT_SOURCE_DIR})
    target_link_options(contatto_web PRIVATE -mexec-model=reactor -Wl,--strip-all -Wl,--stack-first
      -Wl,-z,stack-size=524288)
    target_link_libraries(contatto_web PRIVATE contatto_core)
  endif()
endif()
