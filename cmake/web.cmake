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

  # Modes from recordings: a module of its own, for a worker, so that the audio thread's stays small. It imports one
  # function, which is told how far it is.
  ct_glob(web_modes_sources hosts/web/modes/*.c src/modes/*.c src/measure/fft.c)
  add_executable(contatto_web_modes ${web_modes_sources})
  ct_flags(contatto_web_modes)
  set_target_properties(contatto_web_modes PROPERTIES OUTPUT_NAME modes SUFFIX .wasm)
  target_compile_definitions(contatto_web_modes PRIVATE CT_MODES_BUILDING)
  target_include_directories(contatto_web_modes PRIVATE include src ${PROJECT_SOURCE_DIR})
  target_link_options(contatto_web_modes PRIVATE -mexec-model=reactor -Wl,--strip-all -Wl,--stack-first
    -Wl,-z,stack-size=524288)
  target_link_libraries(contatto_web_modes PRIVATE contatto_core)
endif()
