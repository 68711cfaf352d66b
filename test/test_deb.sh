#!/bin/sh
# ctest: plain timeout=1500
# cpack makes three Debian packages: the libraries, what compiling with them needs, and the program. Here their contents and
# what they say of themselves are looked at; a long run installs them in a clean root made by mmdebstrap, renders there,
# and compiles the examples there with what the packages brought and nothing else of ours.
set -eu
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT

fail() {
  echo "test_deb: $1" >&2
  exit 1
}

for tool in cpack dpkg-deb dpkg-shlibdeps file; do
  command -v $tool >/dev/null 2>&1 || { echo "skipped: needs $tool" && exit 77; }
done
cpack -G DEB --config "$BUILD/CPackConfig.cmake" -B "$work" >"$work/said" 2>&1 || { cat "$work/said" >&2 && fail "cpack fails"; }
library=$(echo "$work"/libcontatto[0-9]*.deb)
dev=$(echo "$work"/libcontatto-dev_*.deb)
program=$(echo "$work"/contatto_*.deb)
field() { dpkg-deb -f "$1" "$2"; }
holds() { # package pattern...
  dpkg-deb -c "$1" | awk '{ sub("^\\./", "", $6); print $6 }' >"$work/names"
  package=$1
  shift
  for pattern in "$@"; do
    grep -qE "^usr/$pattern\$" "$work/names" || fail "${package##*/} has no $pattern"
  done
}
holds "$library" 'lib/.*libcontatto\.so\.0' 'lib/.*libcontatto_measure\.so\.0' 'lib/.*libcontatto_file\.so\.0'
! grep -qE '\.(h|a|so)$|bin/' "$work/names" || fail "the libraries' package holds what others should"
holds "$dev" include/contatto/contatto.h 'lib/.*libcontatto\.so' 'lib/.*libcontatto\.a' 'lib/.*pkgconfig/contatto.pc' \
  'lib/.*cmake/contatto/contatto-config.cmake' share/doc/contatto/examples/plain.c
holds "$program" bin/contatto share/contatto/scenes/hammer.json share/man/man1/contatto.1 share/doc/contatto/README.md \
  share/bash-completion/completions/contatto
[ ! -e "$BUILD/lab/contatto.wasm" ] || holds "$program" share/contatto/lab/contatto.wasm

version=$("$CONTATTO" --version | sed 's/.* //')
for package in "$library" "$dev" "$program"; do
  [ "$(field "$package" Version)" = "$version" ] || fail "${package##*/} says version $(field "$package" Version)"
  [ "$(field "$package" Architecture)" = "$(dpkg --print-architecture)" ] || fail "${package##*/} says another architecture"
done
depends() { # package word...
  package=$1
  shift
  for word in "$@"; do
    case ", $(field "$package" Depends)," in *", $word"[\ ,]*) ;; *) fail "${package##*/} does not depend on $word, but on: $(field "$package" Depends)" ;; esac
  done
}
depends "$library" libc6 libsndfile1
depends "$dev" "libcontatto0 (= $version)" libsndfile1-dev
depends "$program" libc6 libjansson4 libmicrohttpd12 libsndfile1
dpkg-deb -e "$library" "$work/control"
grep -rq ldconfig "$work/control" || fail "installing the libraries does not tell the linker of them"
echo "three packages of $(cat "$library" "$dev" "$program" | wc -c) bytes"

[ -n "${CT_LONG:-}" ] || exit 0
command -v mmdebstrap >/dev/null 2>&1 || { echo "skipped: needs mmdebstrap" && exit 77; }

# ---- a clean root of this machine's own distribution, from the mirrors that this machine uses; none is named here
# shellcheck disable=SC1091 # describes the machine
own=$(. /etc/os-release && echo "$VERSION_CODENAME")
# shellcheck disable=SC2016 # apt's own variables
apt-get indextargets --format 'deb $(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' | sort -u |
  awk -v own="$own" '$3 ~ "^" own "(-updates|-security)?$"' >"$work/sources"
[ -s "$work/sources" ] || fail "this machine's apt knows no mirror of $own"
apt-config dump Acquire::http::Proxy >"$work/proxy"
mkdir "$work/debs"
cp "$library" "$dev" "$program" "$work/debs"
"$CONTATTO" render hammer -o "$work/hammer.wav" >/dev/null
cat >"$work/inside" <<'END'
set -eux
export DEBIAN_FRONTEND=noninteractive
apt-get -q -y --no-install-recommends install /debs/contatto_*.deb
! test -e /usr/include/contatto
contatto render hammer -o /hammer.wav
test -e /usr/share/contatto/lab/index.html || ! test -e /usr/share/contatto/lab
apt-get -q -y --no-install-recommends install /debs/*.deb gcc g++ libc6-dev cmake make pkg-config
cd /usr/share/doc/contatto/examples
for static in OFF ON; do
  cmake -S . -B /built-$static -DSTATIC=$static -DCMAKE_C_FLAGS=-Werror -DCMAKE_CXX_FLAGS=-Werror
  cmake --build /built-$static
done
cc -o /plain plain.c $(pkg-config --cflags --libs contatto)
/plain >/plain.f32
for static in OFF ON; do
  /built-$static/plain | cmp - /plain.f32
  /built-$static/cpp | cmp - /plain.f32
  /built-$static/demo hammer >/demo-$static.f32
done
cmp /demo-OFF.f32 /demo-ON.f32
tail -c "$(wc -c </demo-ON.f32)" /hammer.wav | cmp - /demo-ON.f32
apt-get -q -y purge contatto libcontatto-dev libcontatto0
! test -e /usr/bin/contatto
! test -e /usr/lib/libcontatto.so.0
! test -e /usr/share/contatto
echo all of it
END
# shellcheck disable=SC2016 # mmdebstrap's own $1
TMPDIR=$work mmdebstrap --variant=apt --aptopt="$work/proxy" \
  --customize-hook='mkdir "$1/debs"' \
  --customize-hook="copy-in $library $dev $program /debs" \
  --customize-hook="copy-in $work/inside /" \
  --customize-hook='chroot "$1" sh /inside' \
  --customize-hook="copy-out /hammer.wav $work/debs" \
  "$own" /dev/null "$work/sources" >"$work/said" 2>&1 || { tail -n 40 "$work/said" >&2 && fail "not in a clean root"; }
grep -q '^all of it' "$work/said" || { tail -n 40 "$work/said" >&2 && fail "the clean root did not come to its end"; }
cmp "$work/debs/hammer.wav" "$work/hammer.wav" || fail "the installed program sounds otherwise"
echo "installed, rendered, compiled and purged in a clean $own"
