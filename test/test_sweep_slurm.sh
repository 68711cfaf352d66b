#!/bin/sh
# ctest: plain timeout=600
# A sweep in eight shards as an array job of Slurm, with the job file of `contatto sweep --slurm`. In the middle a node is
# drained, which ends what it has begun and begins nothing, and another is lost with the shards it works on: Slurm runs
# them again, they go on where they were, and the merged folder is that of one run.
. "$ROOT/test/cli.sh"
. "$ROOT/test/sweep_plan.sh"
. "$ROOT/test/cluster.sh"
write_holding bin/contatto '$SLURMD_NODENAME'
start_slurm one two
touch hold

works contatto sweep plan.json -o set --slurm --shards 8
mv .stdout said
typed said >typed
sh -eu -c "$(sed -n '/^sbatch/p; /^squeue/p' typed)" >log 2>&1 || wrong "typing what it says fails: $(cat log)"
lines() { [ -e "$2" ] && [ "$(wc -l <"$2")" -eq "$1" ]; }
eventually lines 2 held-one
eventually lines 2 held-two

# Processes above one, that of Slurm first.
ancestors() { # process
  above=$(ps -o ppid= -p "$1" | tr -d ' ')
  case $(ps -o comm= -p "$above") in
  slurmstepd*) echo "$above" ;;
  slurmd* | slurmctld* | init | systemd | '') ;;
  *) echo "$(ancestors "$above") $above" ;;
  esac
}

# ---- two is lost: its processes are gone, and somebody, or Slurm after a while, says it is down
scontrol update nodename=one state=drain reason=cleaning
lose slurmd_two
# the process of Slurm above each task goes first: it would still report that the task has failed
while read -r script process; do kill -s KILL $(ancestors "$script") "$script" "$process"; done <held-two
scontrol update nodename=two state=down reason=lost

# ---- one ends what it has begun, and begins nothing: the other four and those of two wait
rm hold
eventually node_is one drained
jobs_are 0 R || wrong "something runs on a drained node: $(squeue)"
jobs_are 6 PD || wrong "not six shards wait, two of them again: $(squeue)"
finished() { contatto sweep --check "$1" >.stdout 2>&1; }
[ "$(for shard in set.shard-*-of-8; do ! finished "$shard" || echo x; done | wc -l)" -eq 2 ] ||
  wrong "not two shards are finished"
! contatto sweep --merge set.shard-*-of-8 -o set 2>log || wrong "merges what is not complete"
grep -q 'set.shard-[34]-of-8: is not complete; run its line again' log || wrong "does not say what is not complete: $(cat log)"
[ ! -e set ] || wrong "leaves a folder behind that is not complete"

# ---- one is back
scontrol update nodename=one state=resume
eventually jobs_are 0 R,PD,CG
sh -eu -c "$(sed -n '/--merge/p' typed)" >log 2>&1 || wrong "the merge fails: $(cat log)"
same_as_whole set

# ---- tasks by their numbers, with a cluster's own options, as it says for those that failed: here there is nothing to do
grep -q 'sbatch --array=3,7 set.slurm.sh goes on where they were' said || wrong "does not say how to run single tasks: $(cat said)"
sbatch --array=3,7 --cpus-per-task=2 --partition=all set.slurm.sh >log 2>&1 || wrong "single tasks fail: $(cat log)"
eventually jobs_are 0 R,PD,CG
for task in 3 7; do
  grep -q "3 sounds in set.shard-$task-of-8/, all there" "set.slurm-$task.log" || wrong "makes again what is there: $(cat set.slurm-$task.log)"
done
finish
