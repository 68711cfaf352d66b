# Run by the tests of the objects for Pure Data: runs test/pd/NAME.py, or skips where Pd is not there.
set -u
for command in pd /usr/bin/python3; do
  command -v "$command" >/dev/null 2>&1 || { echo "skipped: needs $command" && exit 77; }
done
[ -e "$BUILD/pd/contatto/contatto.pd_linux" ] || { echo "skipped: the objects for Pure Data were not built" && exit 77; }
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$ROOT/test/pd
export PYTHONDONTWRITEBYTECODE PYTHONPATH
name=$1
shift
exec /usr/bin/python3 "$ROOT/test/pd/$name.py" "$@"
