#!/bin/sh
# ctest: plain timeout=1200
# The installed package as a stranger uses it. The examples build without a word at -Wall -Wextra -Wpedantic as C11 and
# C++17, shared and static, through find_package, through pkg-config, and as a part of another project; each makes the
# samples that the program renders of the same scene, bit by bit. The installed tree is moved before it is used.
# As a part of another project nothing of ours reaches that project, and nothing of its flags changes our sound.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
CMAKE=${CMAKE:-cmake}
jobs=$(nproc 2>/dev/null || echo 2)
warnings="-Wall -Wextra -Wpedantic -Werror"
unset PKG_CONFIG_PATH LD_LIBRARY_PATH CMAKE_PREFIX_PATH CFLAGS CXXFLAGS LDFLAGS CC_FLAGS 2>/dev/null || true

fail() {
  echo "test_package: $1" >&2
  exit 1
}

quiet() { # command...: shows what it said only when it fails
  "$@" >"$work/said" 2>&1 || {
    cat "$work/said" >&2
    fail "this fails: $*"
  }
}

command -v c++ >/dev/null 2>&1 || { echo "skipped: needs a C++ compiler"; exit 77; }
command -v pkg-config >/dev/null 2>&1 || { echo "skipped: needs pkg-config"; exit 77; }

# ---- what the program renders: the bar of plain.c, and a built-in scene

# The samples of a WAV file of ours: all that follows the head of its data chunk.
samples() { # wav
  at=$(LC_ALL=C grep -abo -m1 data "$1" | head -n1 | cut -d: -f1)
  tail -c +$((at + 9)) "$1"
}
{
  echo '{'
  sed '1,/JSON({$/d; /^});$/,$d' "$ROOT/examples/plain.c"
  echo '}'
} >"$work/bar.json"
quiet "$CONTATTO" render "$work/bar.json" --seconds 1 -o "$work/bar.wav"
samples "$work/bar.wav" >"$work/bar.f32"
[ "$(wc -c <"$work/bar.f32")" -eq 192000 ] || fail "the bar is not one second"
quiet "$CONTATTO" render hammer -o "$work/hammer.wav"
samples "$work/hammer.wav" >"$work/hammer.f32"
[ "$(wc -c <"$work/hammer.f32")" -gt 192000 ] || fail "hammer makes no sound"

compared=0
same() { # program expected arguments...
  program=$1 expected=$2
  shift 2
  "$program" "$@" >"$work/made.f32" 2>"$work/made.said" || fail "$program fails: $(cat "$work/made.said")"
  cmp "$work/made.f32" "$expected" || fail "$program makes other samples than the program renders"
  compared=$((compared + 1))
}

all_three() { # folder of plain, cpp, demo
  same "$1/plain" "$work/bar.f32"
  same "$1/cpp" "$work/bar.f32"
  same "$1/demo" "$work/hammer.f32" hammer
  grep -q 'LUFS' "$work/made.said" || fail "$1/demo measured nothing"
}

# ---- installed, and moved

quiet "$CMAKE" --install "$BUILD" --prefix "$work/first"
mv "$work/first" "$work/prefix with a space"
prefix="$work/prefix with a space"
ln -s "$prefix" "$work/prefix" # for pkg-config, whose output is split at spaces
libdir=$(find "$prefix" -name contatto.pc | sed "s|.*/prefix with a space/||; s|/pkgconfig/contatto.pc||")
for file in share/contatto/scenes/hammer.json share/doc/contatto/examples/plain.c share/doc/contatto/README.md \
  share/doc/contatto/docs/embedding.md share/doc/contatto/LICENSE share/man/man1/contatto.1 \
  share/bash-completion/completions/contatto include/contatto/contatto.h include/contatto/file.h \
  include/contatto/measure.h bin/contatto "$libdir/libcontatto.so" "$libdir/libcontatto.a"; do
  [ -e "$prefix/$file" ] || fail "$file is not installed"
done
[ "$(ls "$prefix/share/contatto/scenes" | wc -l)" -eq "$(ls "$ROOT/scenes" | wc -l)" ] || fail "some scenes are not installed"
strangers=$(grep -rlI -e "$BUILD" -e "$ROOT" -e "$work/first" "$prefix/$libdir" "$prefix/include" || true)
[ -z "$strangers" ] || fail "these name the place they were built or installed in: $strangers"
quiet "$prefix/bin/contatto" render "$prefix/share/contatto/scenes/hammer.json" -o "$work/installed.wav"
cmp "$work/installed.wav" "$work/hammer.wav" || fail "the installed program or scene sounds otherwise"

# ---- find_package
for static in OFF ON; do
  quiet "$CMAKE" -S "$prefix/share/doc/contatto/examples" -B "$work/found-$static" -DSTATIC=$static \
    -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS="$warnings" -DCMAKE_CXX_FLAGS="$warnings" \
    -DCMAKE_C_STANDARD=11 -DCMAKE_C_EXTENSIONS=OFF -DCMAKE_CXX_STANDARD=17 -DCMAKE_CXX_EXTENSIONS=OFF
  quiet "$CMAKE" --build "$work/found-$static" --parallel "$jobs"
  all_three "$work/found-$static"
done
# click to strike, without a screen, a mouse or a loudspeaker: SDL writes what would be heard into a file, as fast as it is
# made. Nothing before the first knock, which comes after a quarter of a second; then sound, in bounds.
knock() { # folder
  SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=disk SDL_DISKAUDIOFILE=$work/live.f32 SDL_DISKAUDIODELAY=0 quiet "$1/live" 3
  od -An -v -t f4 -w4 "$work/live.f32" | awk '{ size = $1 < 0 ? -$1 : $1; if (size > peak) peak = size; if (NR == 12000) before = peak }
    END { print NR " frames, peak " peak; exit !(NR >= 48000 && before == 0 && peak > 0.01 && peak <= 1) }' ||
    fail "$1/live does not sound as it should"
}
without=
if pkg-config --exists sdl2; then
  knock "$work/found-OFF"
  knock "$work/found-ON"
else
  without="examples/live.c needs libsdl2-dev"
fi
readelf -d "$work/found-OFF/plain" | grep -q 'NEEDED.*libcontatto\.so' || fail "contatto::contatto is not the shared library"
! readelf -d "$work/found-ON/demo" | grep -q 'NEEDED.*libcontatto' || fail "contatto::file_static is not static"

# the version file: refuses another major version and a newer one; a component that is not there is an error
asks() { # arguments of find_package
  mkdir -p "$work/asks"
  printf 'cmake_minimum_required(VERSION 3.16)\nproject(asks C)\nfind_package(contatto %s)\n' "$1" >"$work/asks/CMakeLists.txt"
  rm -rf "$work/asks/build"
  "$CMAKE" -S "$work/asks" -B "$work/asks/build" -DCMAKE_PREFIX_PATH="$prefix" >"$work/said" 2>&1
}
version=$("$CONTATTO" --version | sed 's/.* //')
asks "$version EXACT REQUIRED COMPONENTS measure file" || { cat "$work/said" >&2 && fail "find_package does not find $version"; }
! asks "99 REQUIRED" || fail "find_package finds version 99"
! asks "REQUIRED COMPONENTS no_such" || fail "find_package finds a component that is not there"

# ---- pkg-config; static as it is where there are no shared libraries
mkdir "$work/config" "$work/config-static"
cp -R "$prefix/." "$work/only-static"
find "$work/only-static" -name 'libcontatto*.so*' -exec rm {} +
with_pkg_config() { # tree out flags...
  tree=$1 out=$2
  shift 2
  PKG_CONFIG_PATH=$tree/$libdir/pkgconfig
  export PKG_CONFIG_PATH
  [ "$(pkg-config --modversion contatto)" = "$version" ] || fail "contatto.pc says version $(pkg-config --modversion contatto)"
  # shellcheck disable=SC2046,SC2086 # lists of flags
  {
    quiet "$CC" -std=c11 $warnings -o "$out/plain" "$ROOT/examples/plain.c" $(pkg-config "$@" --cflags --libs contatto)
    quiet c++ -std=c++17 $warnings -o "$out/cpp" "$ROOT/examples/cpp.cpp" $(pkg-config "$@" --cflags --libs contatto)
    quiet "$CC" -std=c11 $warnings -o "$out/demo" "$ROOT/examples/demo.c" \
      $(pkg-config "$@" --cflags --libs contatto_file contatto_measure)
  }
  unset PKG_CONFIG_PATH
}
with_pkg_config "$work/prefix" "$work/config"
LD_LIBRARY_PATH=$prefix/$libdir
export LD_LIBRARY_PATH
all_three "$work/config"
unset LD_LIBRARY_PATH
with_pkg_config "$work/only-static" "$work/config-static" --static
all_three "$work/config-static"

# every header on its own, in both languages
for header in "$prefix"/include/contatto/*.h; do
  printf '#include <contatto/%s>\nint main(void) { return 0; }\n' "${header##*/}" >"$work/alone.c"
  # shellcheck disable=SC2086 # a list of flags
  {
    quiet "$CC" -std=c11 $warnings -fsyntax-only -I"$prefix/include" "$work/alone.c"
    quiet c++ -x c++ -std=c++17 $warnings -fsyntax-only -I"$prefix/include" "$work/alone.c"
  }
done

# ---- a part of another project, whose own flags would change our sound and refuse our code. Its target prints which
# of our flags it got.
mkdir "$work/parent"
cp "$ROOT"/examples/*.c "$ROOT"/examples/*.cpp "$work/parent"
cat >"$work/parent/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(parent LANGUAGES C CXX)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
add_compile_options(-ffast-math -Wall -Wextra -Wpedantic -Werror)
get_cmake_property(before VARIABLES)
list(FILTER before INCLUDE REGEX "^CMAKE_")
foreach(name IN LISTS before)
  set(was_${name} "${${name}}")
endforeach()
if(FETCH)
  include(FetchContent)
  FetchContent_Declare(contatto SOURCE_DIR ${CONTATTO_SOURCE})
  FetchContent_MakeAvailable(contatto)
else()
  add_subdirectory(${CONTATTO_SOURCE} contatto)
  get_cmake_property(after VARIABLES)
  list(FILTER after INCLUDE REGEX "^CMAKE_")
  list(FILTER after EXCLUDE REGEX "^CMAKE_(INSTALL_|PROJECT_VERSION|DIRECTORY_LABELS)") # CMake's own
  set(leaked "")
  foreach(name IN LISTS after)
    if(NOT name IN_LIST before OR NOT "${${name}}" STREQUAL "${was_${name}}")
      list(APPEND leaked ${name})
    endif()
  endforeach()
  file(WRITE ${CMAKE_BINARY_DIR}/leaked.txt "${leaked}\n")
endif()
get_property(tests DIRECTORY ${CONTATTO_SOURCE} PROPERTY TESTS)
get_property(targets DIRECTORY ${CONTATTO_SOURCE} PROPERTY BUILDSYSTEM_TARGETS)
file(WRITE ${CMAKE_BINARY_DIR}/targets.txt "${targets};${tests}\n")
add_executable(plain plain.c)
target_link_libraries(plain PRIVATE contatto::contatto)
add_executable(cpp cpp.cpp)
target_compile_features(cpp PRIVATE cxx_std_17)
target_link_libraries(cpp PRIVATE contatto::contatto_static)
add_executable(demo demo.c)
target_link_libraries(demo PRIVATE contatto::file contatto::measure)
install(TARGETS plain)
END
configure_parent() { # folder flags...
  folder=$1
  shift
  quiet "$CMAKE" -S "$work/parent" -B "$folder" -DCONTATTO_SOURCE="$ROOT" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 "$@"
  grep -q contatto_shared "$folder/targets.txt" || fail "the parent has no library"
  strangers=$(tr ';' '\n' <"$folder/targets.txt" | grep -xE 'contatto|lab|product|tests_.*|test_.*|contatto_(study|picture|wasm)' || true)
  [ -z "$strangers" ] || fail "a part of another project, it makes $strangers"
}
configure_parent "$work/fetched" -DFETCH=ON
configure_parent "$work/within"
leaked=$(tr -d '\n' <"$work/within/leaked.txt")
[ -z "$leaked" ] || fail "these variables leak into the parent: $leaked"
commands=$work/within/compile_commands.json
grep -q -- '-fno-fast-math' "$commands" || fail "a parent's -ffast-math is not taken back"
for own in plain.c cpp.cpp demo.c; do
  ! grep "\"command\".*parent/$own" "$commands" | grep -E -- '-f(no-|fp-|visibility)|-Wshadow|-Wconversion|-std=gnu17|-w |/src |CT_' ||
    fail "our flags reach the parent's $own"
done
quiet "$CMAKE" --build "$work/within" --parallel "$jobs"
all_three "$work/within"
quiet "$CMAKE" --install "$work/within" --prefix "$work/theirs"
[ "$(find "$work/theirs" -type f | wc -l)" -eq 1 ] || fail "installing the parent installs $(find "$work/theirs" -type f | tr '\n' ' ')"

# ---- what docs/embedding.md says to CMake
cut() { awk -v which="$1" '$0 == "```cmake" { n++; on = n == which; next } /^```/ { on = 0 } on' "$ROOT/docs/embedding.md"; }
[ "$(grep -c '^```cmake$' "$ROOT/docs/embedding.md")" -eq 2 ] || fail "docs/embedding.md has other CMake blocks than this test knows"
for block in 1 2; do
  mkdir "$work/said-$block"
  ln -s "$ROOT" "$work/said-$block/contatto"
  {
    printf 'cmake_minimum_required(VERSION 3.25)\nproject(said C)\nadd_executable(game "%s")\n' "$ROOT/examples/plain.c"
    cut $block
  } >"$work/said-$block/CMakeLists.txt"
  quiet "$CMAKE" -S "$work/said-$block" -B "$work/said-$block/build" -DCMAKE_PREFIX_PATH="$prefix"
done
quiet "$CMAKE" --build "$work/said-1/build"
same "$work/said-1/build/game" "$work/bar.f32"

# ---- this can fail
printf 'x' | dd of="$work/bar.f32" bs=1 seek=1000 conv=notrunc 2>/dev/null
! cmp -s "$work/made.f32" "$work/bar.f32" || fail "a changed sample is not seen"
echo "$compared programs, each the samples that the program renders"
[ -z "$without" ] || { echo "skipped: $without; all else is well" && exit 77; }
