# cmake -DLIST=scenes.list -DMORE=study.list -DOUTPUT=table.c -P embed.cmake
# Writes the files named in LIST, then those in MORE, one per line, as a table of byte arrays: bytes have no length limit, unlike
# string literals, and carry UTF-8 unchanged. Each is closed with a zero so that it is a string as well.
file(STRINGS "${LIST}" files ENCODING UTF-8)
set(arrays "")
set(rows "")
set(count 0)
list(LENGTH files listed)
file(STRINGS "${MORE}" more ENCODING UTF-8)
foreach(path IN LISTS files more)
  get_filename_component(name "${path}" NAME_WLE)
  file(READ "${path}" hex HEX)
  string(LENGTH "${hex}" digits)
  math(EXPR length "${digits} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes "${bytes}")
  string(APPEND arrays "static const unsigned char scene_${count}[] = {\n${bytes}0};\n\n")
  string(APPEND rows "    {\"${name}\", (const char *)scene_${count}, ${length}},\n")
  math(EXPR count "${count} + 1")
endforeach()
file(WRITE "${OUTPUT}" "/* The files of scenes/, in alphabetical order, and behind them those of study/. Made by cmake/embed.cmake. */
#include \"file/builtin.h\"

${arrays}const struct ct_builtin_scene ct_builtin_scenes[] = {
${rows}    {0, 0, 0},
};

const size_t ct_builtin_scene_count = ${listed};
")
