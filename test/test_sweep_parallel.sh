#!/bin/sh
# ctest: plain timeout=600
# A sweep in eight shards over two hosts by ssh, with the job file of `contatto sweep --parallel` and GNU parallel: hosts have
# folders of their own. One of them is lost in the middle of a shard, another time between a shard and its return: the
# shards are made again, by GNU parallel or by the same line, and the merged folder is that of one run.
. "$ROOT/test/cli.sh"
. "$ROOT/test/sweep_plan.sh"
. "$ROOT/test/cluster.sh"
needs parallel rsync
PARALLEL_HOME=$folder/parallel_home
export PARALLEL_HOME
mkdir "$PARALLEL_HOME"
ln -s "$program" bin/contatto
start_hosts one two
ln -s "$program" hosts/one/bin/contatto
write_holding hosts/two/bin/contatto two

# ---- a host is lost in the middle of a shard: GNU parallel gives the shard to the other
works contatto sweep plan.json -o set --parallel one,two --shards 8
typed .stdout >typed.sh
touch hold
serve typing sh -eu typed.sh
eventually test -e held-two
lose sshd_two
rm hold
ended typing || wrong "typing '$(cat typed.sh)' fails when a host is lost: $(cat typing.log)"
same_as_whole set
[ "$(ls -d set.shard-*-of-8 | wc -l)" -eq 8 ] || wrong "not eight shards: $(ls)"

# ---- a host is lost when a shard is made, before it is returned, which GNU parallel takes for well done: the merge misses
# the shard, and the same line again makes it, and it alone
start_host three 127.0.0.4
ln -s "$program" hosts/three/bin/contatto
cat >hosts/three/bin/rsync <<END
#!/bin/sh
case "\$*" in *--sender*) touch "$folder/returning" && exec sleep 600 ;; esac
exec "$(command -v rsync)" "\$@"
END
chmod +x hosts/three/bin/rsync
works contatto sweep plan.json -o late --parallel one,three --shards 2
typed .stdout >typed.sh
serve typing sh -eu typed.sh
eventually test -e returning
lose sshd_three
ended typing && wrong "a shard that never came back is not missed: $(cat typing.log)"
grep -q 'contatto sweep: .*of 2 is missing' typing.log || wrong "does not say which shard is missing: $(cat typing.log)"
ls -d late.shard-* >before
[ "$(wc -l <before)" -eq 1 ] || wrong "not one shard came back: $(cat before)"
ls -i "$(cat before)/plan.json" >file_before
sh -eu typed.sh >typing.log 2>&1 || wrong "the same line again does not do it: $(cat typing.log)"
same_as_whole late
ls -i "$(cat before)/plan.json" | cmp -s - file_before || wrong "a shard that was there came again"

finish
