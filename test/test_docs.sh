#!/bin/sh
# ctest: plain timeout=1500
# What the documentation says is so: commands in ```sh blocks run (in an empty folder, one per page) and print what the
# ```output block after them shows; ```json blocks are scenes that render; links, pictures, headings and named source files exist; named parameters are in
# the schema; the reference of parameters is the program's own, and so are the tables of scenes.
# With RENEW=1 the ```output blocks and the reference are rewritten instead of compared.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=$work/failures
: >"$failures"
cd "$ROOT" || exit 1
pages="README.md CHANGELOG.md CONTRIBUTING.md $(echo docs/*.md docs/models/*.md docs/studies/*.md)"

fail() {
  printf '%s\n' "$1" >&2
  echo x >>"$failures"
}

# ---- commands --------------------------------------------------------------------------------------------------------

# `contatto` and the front doors as the built program; ./check is what runs this test. The lab would be served until
# somebody interrupts it: here that is when it has said its address. Where it could not be built, it is not looked at.
mkdir "$work/bin"
cat >"$work/bin/briefly" <<'END'
#!/bin/sh
said=$(mktemp)
"$@" >"$said" &
job=$!
while [ ! -s "$said" ] && kill -0 "$job" 2>/dev/null; do sleep 0.1; done
kill -s INT "$job"
wait "$job"
code=$?
[ "$code" -ne 130 ] || code=0 # 128 + SIGINT
cat "$said"
rm "$said"
exit "$code"
END
cat >"$work/bin/contatto" <<END
#!/bin/sh
case "\$1 \$*" in
lab*) [ -e "$BUILD/lab/contatto.wasm" ] || exit 0 ;;
esac
case "\$1 \$*" in
lab*--export*) exec "$CONTATTO" "\$@" ;;
lab*) exec "$work/bin/briefly" "$CONTATTO" "\$@" --no-open ;;
esac
exec "$CONTATTO" "\$@"
END
printf '#!/bin/sh\n[ $# -gt 0 ] || set -- lab\nexec "%s" "$@"\n' "$work/bin/contatto" >"$work/bin/run"
printf '#!/bin/sh\n' >"$work/bin/check"
chmod +x "$work"/bin/*

# The Python package is made of this build; without Debian's cffi and numpy (test_python.sh says so) its page is not run.
CONTATTO_BUILD=$BUILD PYTHONDONTWRITEBYTECODE=1 PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1
export CONTATTO_BUILD PYTHONDONTWRITEBYTECODE PIP_NO_INDEX PIP_DISABLE_PIP_VERSION_CHECK
can_run() { # page
  [ "$1" != docs/python.md ] || /usr/bin/python3 -c 'import cffi, numpy, setuptools, wheel, pip, ensurepip' 2>/dev/null
}

# 01.sh 02.sh ... and 02.output for a block that follows 02.sh; a scene becomes the command that renders it
cut_blocks() { # page, folder
  awk -v folder="$2" '
    /^```/ && on { on = 0; close(file); next }
    /^```sh$/ { file = sprintf("%s/%02d.sh", folder, ++n); on = 1; printf "" >file; next }
    /^```output$/ { file = sprintf("%s/%02d.output", folder, n); on = 1; printf "" >file; next }
    /^```json$/ {
      file = sprintf("%s/%02d.sh", folder, ++n); scene = sprintf("%s/%02d.json", folder, n)
      print "cp " scene " scene.json; contatto render scene.json --strict --seconds 0.2 -o scene.wav" >file
      close(file); file = scene; on = 1; next }
    /^```/ { on = 1; file = "/dev/null"; next }
    on { print >file }' "$1"
}

run_block() { # page, block without .sh
  (cd "$2.d" && PATH="$work/bin:$PATH" timeout 400 sh -eu "$2.sh" >"$2.stdout" 2>"$2.stderr" </dev/null) || {
    fail "$1: this fails: $(cat "$2.sh")"
    tail -n 5 "$2.stderr" >&2
    return
  }
  [ -e "$2.output" ] || return
  [ -z "${RENEW:-}" ] || cp "$2.stdout" "$2.output"
  diff -u "$2.output" "$2.stdout" >&2 || fail "$1: other output than shown, for: $(cat "$2.sh")"
}

run_page() {
  blocks=$work/blocks/$1
  place=$work/places/$1
  mkdir -p "$blocks" "$place"
  cut_blocks "$1" "$blocks"
  cp "$work/bin/run" "$work/bin/check" "$place"
  ln -s "$ROOT/python" "$ROOT/examples" "$place"
  for block in "$blocks"/*.sh; do
    [ -e "$block" ] || continue
    ln -s "$place" "${block%.sh}.d"
    run_block "$1" "${block%.sh}"
    echo x >>"$work/commands"
  done
  [ -z "${RENEW:-}" ] || renew_page "$1" "$blocks"
}

renew_page() { # page, folder of its blocks
  awk -v folder="$2" '
    /^```/ && on { on = 0 }
    !on
    /^```(sh|json)$/ { n++ }
    /^```output$/ { on = 1; file = sprintf("%s/%02d.output", folder, n); while ((getline line <file) > 0) print line }
    ' "$1" >"$work/renewed" && cat "$work/renewed" >"$1"
}

# ---- links and names -------------------------------------------------------------------------------------------------

outside_blocks() { awk '/^```/ { on = !on; next } !on && !/^    /' "$1"; }

# As the heading's anchor on the page that shows it: lower case, punctuation dropped, spaces to dashes.
anchors() {
  outside_blocks "$1" | sed -n 's/^##* //p' | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

check_links() {
  outside_blocks "$1" | grep -o ']([^)]*)' | sed 's/^](//; s/)$//' | while IFS= read -r link; do
    case $link in http://* | https://*) continue ;; esac
    target=${link%%#*}
    file=$(dirname "$1")/$target
    [ -n "$target" ] || file=$1
    [ -e "$file" ] || fail "$1: no such file: $link"
    case $link in
    *'#'*) anchors "$file" | grep -qx -- "${link#*#}" || fail "$1: no such heading: $link" ;;
    esac
    echo x >>"$work/links"
  done
}

# `src/scene/step.c`, `src/body/bank_*.c`
check_files() {
  outside_blocks "$1" | grep -oE '`(include|src|hosts|test|tools|scenes|docs|cmake|python|examples)/[^` ]+`' | tr -d '`' | sort -u |
    while IFS= read -r name; do
      case $name in *NAME*) continue ;; esac
      # shellcheck disable=SC2086 # a pattern
      ls -d $name >/dev/null 2>&1 || fail "$1: no such file: $name"
      echo x >>"$work/names"
    done
}

check_parameters() {
  grep -oE '`((bodies|contacts|pickups|controls|presets)\.\*|energy)\.[^` ]+`' "$1" | sort -u |
    while IFS= read -r path; do
      grep -qF "| $path |" "$work/schema" || fail "$1: no such parameter: $path"
    done
}

# Every scene of the program has one row in docs/scenes.md that shows its picture and names its controls and presets.
check_scenes() {
  "$CONTATTO" list | awk '/^[^ ]/ { scene = $1 } /presets:/ { print scene }' >"$work/scenes"
  while IFS= read -r scene; do
    row=$(grep -F "](pictures/rooms/$scene.jpg) | **" docs/scenes.md | grep -F "** \`$scene\`<br>")
    [ "$(printf '%s\n' "$row" | grep -c .)" -eq 1 ] || fail "docs/scenes.md: no row, or two, for the scene $scene"
    "$CONTATTO" describe "$scene" | awk '/^[a-z]/ { part = $1; next } /^  [^ ]/ { print part, $1 }' |
      while read -r part name; do
        case $part in controls) word="\`$name\`" ;; presets) word="<br>*$name*: " ;; *) continue ;; esac
        case $row in *"$word"*) ;; *) fail "docs/scenes.md: the scene $scene has $part $name, not in its row" ;; esac
      done
    awk '/^- \[/' docs/scenes.md | grep -qE "[ ,]$scene(,|\$)" || fail "docs/scenes.md: the scene $scene is not in the list at the top"
  done <"$work/scenes"
}

# Every library that the build looks for and everything npm brings has a row that names it.
check_third_parties() {
  {
    sed -n 's/^ *ct_package(\([a-z]*\) .*/\1/p' cmake/packages.cmake
    sed -n '/ependencies"/,/}/s/^ *"\([a-z-]*\)": "[0-9].*/\1/p' package.json
    echo wasi-libc
  } >"$work/parties"
  [ "$(wc -l <"$work/parties")" -gt 5 ] || fail "docs/third-parties.md: hardly anything was looked for"
  while IFS= read -r name; do
    grep -q "^| .*$name.* |" docs/third-parties.md || fail "docs/third-parties.md: no row for $name"
  done <"$work/parties"
}

# ---- the reference of parameters -------------------------------------------------------------------------------------

# Whole, or below its mark when an introduction stands before it.
check_reference() {
  mark='<!-- from here on: contatto describe --markdown -->'
  if [ -n "${RENEW:-}" ]; then
    awk -v mark="$mark" '{ print } $0 == mark { exit }' docs/scene-format.md >"$work/renewed"
    cat "$work/renewed" "$work/schema" >docs/scene-format.md
  fi
  if grep -qxF -- "$mark" docs/scene-format.md; then
    awk -v mark="$mark" 'on; $0 == mark { on = 1 }' docs/scene-format.md >"$work/reference"
  else
    cp docs/scene-format.md "$work/reference"
  fi
  diff -u "$work/reference" "$work/schema" >"$work/difference" && return
  head -n 20 "$work/difference" >&2
  fail "docs/scene-format.md: not what 'contatto describe --markdown' prints"
}

# ---- all of it -------------------------------------------------------------------------------------------------------

"$CONTATTO" describe --markdown >"$work/schema" || fail "contatto describe --markdown fails"
check_reference
check_scenes
check_third_parties
for page in $pages; do
  check_links "$page"
  check_files "$page"
  check_parameters "$page"
  if can_run "$page"; then run_page "$page"; else echo "$page: not run, Python lacks packages"; fi
done
for picture in docs/pictures/*.png docs/pictures/*.webp; do
  case $picture in *.webp) most=1200 ;; *) most=200 ;; esac
  [ "$(wc -c <"$picture")" -lt "${most}000" ] || fail "$picture: larger than $most kB"
  # shellcheck disable=SC2086 # a list of files
  grep -qF "pictures/$(basename "$picture")" $pages || fail "$picture: shown nowhere"
done

count() { cat "$work/$1" 2>/dev/null | wc -l; }
echo "$(count commands) blocks of commands, $(count links) links, $(count names) file names, $(count failures) failures"
{ [ "$(count commands)" -gt 5 ] && [ "$(count links)" -gt 20 ]; } || fail "hardly anything was looked at"
[ ! -s "$failures" ]
