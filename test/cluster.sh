# Sourced after cli.sh by tests that need more than one machine: hosts that ssh reaches, and Slurm with any number of
# nodes, all on this one, as its user, with configuration, keys, sockets and logs in the test's own folder and ports that
# were free. Nothing of the system's own servers is read or changed. Servers run in the foreground as children of the
# test: they are ended by their process numbers when it ends, and by the kernel when it is killed.
trap 'lose_all; rm -rf --one-file-system "$folder"' EXIT
trap 'exit 130' INT TERM HUP
servers=
PATH=$folder/bin:$PATH:/usr/sbin
export PATH
mkdir -p bin hosts

# needs COMMAND...: without one of them the test cannot run, which continuous integration takes as a failure.
needs() {
  for tool in "$@"; do command -v "$tool" >/dev/null 2>&1 || cannot_run "$tool"; done
}

cannot_run() { # without what
  echo "skipped: needs $1; tools/install-deps check brings it"
  [ "${CI:-}" != true ] || exit 1
  exit 77
}

# serve NAME COMMAND...: in the background; it says what it says in NAME.log.
serve() {
  name=$1
  shift
  setpriv --pdeathsig TERM "$@" >"$folder/$name.log" 2>&1 &
  echo $! >"$folder/$name.pid"
  servers="$name $servers"
}

# ended NAME: waits for the end of what was served; its exit code.
ended() {
  process=$(cat "$folder/$1.pid")
  rm "$folder/$1.pid" # another process may get the number
  wait "$process"
}

# lose NAME: it is gone with all it has started, as when its plug is pulled; fine when it has gone already.
lose() {
  [ -e "$folder/$1.pid" ] || return 0
  kill -s STOP "$(cat "$folder/$1.pid")"
  end_below "$(cat "$folder/$1.pid")"
  kill -s KILL "$(cat "$folder/$1.pid")"
  ended "$1" 2>/dev/null
}

lose_all() {
  for name in $servers; do lose "$name" 2>/dev/null; done
}

# end_below PROCESS: everything it has started; each stops before its children end, so that it cannot start others.
end_below() (
  for child in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
    kill -s STOP "$child" 2>/dev/null
    end_below "$child"
    kill -s KILL "$child" 2>/dev/null
  done
)

# eventually COMMAND...: tries it until it is true, for two minutes at most: a limit for what went wrong, not a timing.
eventually() {
  tries=0
  until "$@"; do
    tries=$((tries + 1))
    [ "$tries" -lt 2400 ] || { wrong "never came true: $*" && show_logs && exit 1; }
    sleep 0.05
  done
}

show_logs() { tail -n 20 "$folder"/*.log; }

free_port() {
  /usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# ---- hosts by ssh ----------------------------------------------------------------------------------------------------

# start_hosts NAME...: each at an address of its own on the loopback, with a home and a bin folder that the others do not
# use: hosts/NAME and hosts/NAME/bin. The `ssh` in the path knows them and nobody else.
start_hosts() {
  needs sshd ssh ssh-keygen setpriv
  ssh-keygen -q -t ed25519 -N '' -f user_key
  cp user_key.pub authorized_keys
  [ "$(id -u)" -ne 0 ] || mkdir -p /run/sshd # where a root's sshd wants an empty folder
  printf '#!/bin/sh\nexec %s -F "%s/ssh_config" "$@"\n' "$(command -v ssh)" "$folder" >bin/ssh
  chmod +x bin/ssh
  hash -r
  number=1
  for host in "$@"; do
    number=$((number + 1))
    start_host "$host" "127.0.0.$number"
  done
}

start_host() { # name, address
  port=$(free_port)
  mkdir -p "hosts/$1/bin"
  ssh-keygen -q -t ed25519 -N '' -f "host_key_$1"
  cat >"login_$1" <<END
#!/bin/sh
HOME=$folder/hosts/$1
PATH=\$HOME/bin:$PATH
export HOME PATH
cd && exec sh -c "\$SSH_ORIGINAL_COMMAND"
END
  chmod +x "login_$1"
  cat >"sshd_config_$1" <<END
ListenAddress $2:$port
HostKey $folder/host_key_$1
AuthorizedKeysFile $folder/authorized_keys
ForceCommand $folder/login_$1
PidFile none
UsePAM no
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
MaxStartups 100
END
  cat >>ssh_config <<END
Host $1
  HostName $2
  Port $port
  User $(id -un)
  IdentityFile $folder/user_key
  IdentitiesOnly yes
  UserKnownHostsFile $folder/known_hosts
  StrictHostKeyChecking accept-new
  KexAlgorithms curve25519-sha256
  ControlMaster auto
  ControlPath $folder/connection-%n
  ControlPersist yes
  LogLevel ERROR
END
  serve "sshd_$1" "$(command -v sshd)" -D -e -f "$folder/sshd_config_$1"
  eventually quietly ssh "$1" true
}

quietly() { "$@" >/dev/null 2>&1; }

# ---- Slurm -----------------------------------------------------------------------------------------------------------

# start_slurm NODE...: nodes of two processors each; commands of Slurm find them by SLURM_CONF. What has to wait in a real
# cluster does not wait here: a job that is put back into the queue starts again after six seconds, not two minutes.
start_slurm() {
  needs munged slurmctld slurmd sbatch squeue scontrol setpriv
  mkdir state
  head -c 128 /dev/urandom >munge.key
  chmod 400 munge.key
  write_slurm_conf "$@" >slurm.conf
  SLURM_CONF=$folder/slurm.conf
  export SLURM_CONF
  serve munged munged --foreground --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" \
    --pid-file="$folder/munge-own.pid" --log-file="$folder/munge-own.log" --seed-file="$folder/munge.seed"
  eventually test -S munge.socket
  serve slurmctld slurmctld -D -i
  for node in "$@"; do serve "slurmd_$node" slurmd -D -N "$node"; done
  eventually all_nodes_are idle
}

write_slurm_conf() { # node...
  cat <<END
ClusterName=contatto
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$folder/munge.socket,cred_expire=5
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=1
ReturnToService=2
KillWait=1
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmctldPidFile=$folder/slurmctld-own.pid
SlurmdPidFile=$folder/slurmd-%n-own.pid
END
  for node in "$@"; do
    echo "NodeName=$node NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=$(free_port) CPUs=2"
  done
  echo "PartitionName=all Nodes=ALL Default=YES State=UP"
}

all_nodes_are() { [ "$(sinfo -h -N -o %T 2>/dev/null | sort -u)" = "$1" ]; } # state
node_is() { [ "$(sinfo -h -n "$1" -o %T)" = "$2" ]; }                        # node, state
jobs_are() { [ "$(squeue -h -r -t "$2" | wc -l)" -eq "$1" ]; }               # count, state
