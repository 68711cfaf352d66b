#!/bin/sh
# ctest: plain timeout=900
# In a long run: contatto.sweep() on a Dask client with two workers, eight shards, one worker killed in the middle of its
# shard: Dask has it made again by the other, and folder and table are those of one run; so also where the workers write
# into a folder that they share. A lost client goes on when it is started again. examples/python/sweep.py prints the same
# with a cluster as without.
[ -n "${CT_LONG:-}" ] || exit 0
. "$ROOT/test/cli.sh"
. "$ROOT/test/sweep_plan.sh"
. "$ROOT/test/cluster.sh"
python=/usr/bin/python3 # Debian's: another python3 may come first in the path
unset PYTHONHOME VIRTUAL_ENV
PYTHONDONTWRITEBYTECODE=1 PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 CONTATTO_BUILD=$BUILD PYTHONPATH=$folder/site
export PYTHONDONTWRITEBYTECODE PIP_NO_INDEX PIP_DISABLE_PIP_VERSION_CHECK CONTATTO_BUILD PYTHONPATH
"$python" -c 'import cffi, numpy, setuptools, wheel, pip, distributed' 2>.stdout ||
  cannot_run "python3-distributed, and what test_python.sh wants: $(tail -n 1 .stdout)"
"$python" -m pip install -q --no-build-isolation --no-deps --target site "$ROOT/python" >.stdout 2>&1 || wrong "$(cat .stdout)"

serve scheduler "$python" -m distributed.cli.dask_scheduler --host 127.0.0.1 --port 0 --no-dashboard \
  --scheduler-file "$folder/scheduler.json"
eventually test -s scheduler.json

# A worker has a folder and a `contatto` of its own; without a nanny, so that one that is lost stays lost.
start_worker() { # name
  serve "worker_$1" env PATH="$folder/workers/$1/bin:$PATH" "$python" -m distributed.cli.dask_worker --name "$1" --no-nanny \
    --nthreads 1 --no-dashboard --scheduler-file "$folder/scheduler.json" --local-directory "$folder/workers/$1"
}

cat >client.py <<'END'
import sys
from distributed import Client
import contatto
import numpy

folder, shared, workers = sys.argv[1], sys.argv[2] == "shared", int(sys.argv[3])
with Client(scheduler_file="scheduler.json") as client:
    client.wait_for_workers(workers)
    made = contatto.sweep("plan.json", client, folder, shards=8, sounds=True, shared=shared)
whole = contatto.sweep("plan.json", folder="whole", sounds=True)
assert made.table.dtype == whole.table.dtype and made.table.tobytes() == whole.table.tobytes()
assert len(made.samples) == 24 and all(map(numpy.array_equal, made.samples, whole.samples))
assert made.columns == whole.columns and made.folder == folder
END

ln -s "$program" bin/contatto
mkdir -p workers/one/bin workers/two/bin
printf '#!/bin/sh\necho "$*" >>"%s/runs"\nexec "%s" "$@"\n' "$folder" "$program" >workers/one/bin/contatto
chmod +x workers/one/bin/contatto
start_worker one
for way in carried shared; do
  write_holding workers/two/bin/contatto two
  start_worker two
  touch hold
  serve client "$python" client.py "$way" "$way" 2
  eventually test -e held-two
  lose worker_two
  rm hold held-two
  ended client || wrong "a sweep that loses a worker fails: $(cat client.log)"
  same_as_whole "$way"
  [ ! -e "$way.shards" ] || wrong "leaves $way.shards behind"
done

# ---- the client is lost: made again, the call keeps the shards that had come back
write_holding workers/two/bin/contatto two
start_worker two
touch hold
serve client "$python" client.py again carried 2
eventually test -e held-two
came_back() { ls -d again.shards/*/SHA256SUMS >kept 2>/dev/null; }
eventually came_back
lose client
lose worker_two
rm hold
: >runs
"$python" client.py again carried 1 >log 2>&1 || wrong "a sweep whose client was lost does not go on: $(cat log)"
same_as_whole again
[ "$(wc -l <runs)" -le $((8 - $(wc -l <kept))) ] || wrong "makes shards again that had come back: $(cat kept runs)"

# ---- the example
address=$(sed -n 's/.*"address": "\(tcp:[^"]*\)".*/\1/p' scheduler.json)
"$python" "$ROOT/examples/python/sweep.py" >alone 2>log || wrong "the example fails: $(cat log)"
"$python" "$ROOT/examples/python/sweep.py" "$address" >together 2>log || wrong "the example fails on a cluster: $(cat log)"
cmp alone together || wrong "the example prints something else on a cluster"
cat together
finish
