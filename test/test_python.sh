#!/bin/sh
# ctest: plain timeout=900
# The Python package: a wheel is built from python/, offline, put into a fresh venv, and tried from another folder by
# test/python/test_*.py; the tree stays as it was. The examples run.
set -u
python=/usr/bin/python3 # Debian's: another python3 may come first in the path, without cffi and numpy
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset PYTHONPATH PYTHONHOME VIRTUAL_ENV
PYTHONDONTWRITEBYTECODE=1 PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 CONTATTO_BUILD=$BUILD
export PYTHONDONTWRITEBYTECODE PIP_NO_INDEX PIP_DISABLE_PIP_VERSION_CHECK PIP_NO_CACHE_DIR CONTATTO_BUILD

fail() {
  echo "test_python: $1" >&2
  exit 1
}

"$python" -c 'import cffi, numpy, setuptools, wheel, pip, venv, ensurepip' 2>"$work/missing" || {
  echo "skipped: $python lacks python3-cffi, python3-numpy, python3-setuptools, python3-wheel, python3-pip or python3-venv:"
  tail -n 1 "$work/missing"
  exit 77
}
[ -e "$BUILD/libcontatto_measure.so" ] || fail "there is no $BUILD/libcontatto_measure.so"

tree() { find "$ROOT/python" | sort; }
tree >"$work/before"

# ---- the wheel, and an environment of its own
cd "$work" || exit 1
"$python" -m pip -q wheel --no-build-isolation --no-deps -w wheels "$ROOT/python" >log 2>&1 || fail "$(tail -n 20 log)"
set -- wheels/*.whl
[ $# -eq 1 ] && [ -e "$1" ] || fail "not one wheel: $*"
case $1 in *-py3-none-linux_*.whl) ;; *) fail "$1 is not a wheel for any Python 3 on one machine" ;; esac
"$python" -m venv --system-site-packages env >log 2>&1 && env/bin/pip -q install "$1" >log 2>&1 || fail "$(tail -n 20 log)"
tree | diff "$work/before" - || fail "building it leaves files in python/"

# ---- without a library it says what to do
CONTATTO_BUILD=$work/nowhere "$python" -m pip wheel --no-build-isolation --no-deps -w none "$ROOT/python" >log 2>&1 && fail "a wheel without a library"
grep -q 'build the library first' log || fail "does not say that the library is missing: $(tail -n 5 log)"

# ---- tried from elsewhere: neither python/ nor build/ is in sight
mkdir elsewhere && cd elsewhere || exit 1
try() { # file, how many tests at least
  ../env/bin/python "$ROOT/test/python/$1" 2>../log || { cat ../log >&2 && fail "$1"; }
  [ "$(sed -n 's/^Ran \([0-9]*\) test.*/\1/p' ../log)" -ge "$2" ] || fail "$1 ran too few tests: $(tail -n 3 ../log)"
}
try test_contatto.py 20
try test_sweep.py 9

# ---- Schelleng's wedge, coarsely: raucous where force is too high far from the bridge, none where it is too low near it
../env/bin/python "$ROOT/examples/python/schelleng.py" 5 3 >map || fail "schelleng.py"
cat map
awk '$2 == "N" { row[++n] = $3 }
  END { exit !(n == 3 && row[1] ~ /^O.*#$/ && row[2] ~ /OO/ && row[2] !~ /#.*O/ && row[3] ~ /^\..*O$/) }' map || fail "that is not Schelleng's wedge"
