#!/usr/bin/env bash
# The job scripts in a real Slurm: a scheduler and two nodes are started on the loopback interface
# with everything they write in a scratch folder (root only; tools/install-deps --slurm). A campaign
# whose jobs are too short, a sweep and a scaling series must end as runs without Slurm do.
# usage: tests/validation/slurm.sh program; KEEP=1 leaves the scratch folder behind
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
program=$(realpath "$1")
scripts=$(realpath "$here/../../jobscripts")
source="own, jobscripts/"
began=$SECONDS
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1

say() { echo "slurm.sh, $((SECONDS - began)) s: $*" >&2; }
skip() { echo "job scripts under Slurm | $* | - | - | $source | skipped"; exit 0; }
judge() { # name measured target condition...
    local name=$1 measured=$2 target=$3 word=FAIL
    shift 3
    "$@" && word=pass
    echo "$name | $measured | $target | exact | $source | $word"
    [ $word = pass ] || say "FAIL: $name: $measured"
}
digest() { [ ! -f "$1/report.json" ] || value "$1/report.json" digest; }

# --- the scheduler -------------------------------------------------------------------------------
daemons=()
finish() {
    local pid alive
    [ -z "${SLURM_CONF:-}" ] || timeout 10 scancel --user=root --full > /dev/null 2>&1
    # the nodes first, the authentication last
    for pid in "${daemons[@]}"; do kill "$pid" 2> /dev/null; done
    for _ in $(seq 50); do
        alive=0
        for pid in "${daemons[@]}"; do kill -0 "$pid" 2> /dev/null && alive=1; done
        [ $alive = 0 ] && break
        sleep 0.1
    done
    for pid in "${daemons[@]}"; do kill -9 "$pid" 2> /dev/null; done
    # what a node leaves behind: its helpers of running jobs name the scratch folder in their settings
    for pid in $(pgrep -x slurmstepd); do
        tr '\0' '\n' < "/proc/$pid/environ" 2> /dev/null | grep -q "^SLURM_CONF=$scratch/" &&
            kill -9 "$pid" 2> /dev/null
    done
    if [ -n "${KEEP:-}" ]; then say "left behind: $scratch"; else rm -rf "$scratch"; fi
}
trap finish EXIT
trap 'exit 130' INT TERM

start() { # program arguments...: a daemon in the foreground of a background process
    "$@" >> "$scratch/log/$(basename "$1").out" 2>&1 &
    daemons=("$!" "${daemons[@]}")
}

[ "$(id -u)" -eq 0 ] || skip "not root"
have_slurm() {
    local tool
    for tool in munged slurmctld slurmd sbatch srun; do
        command -v $tool > /dev/null || PATH=$PATH:/usr/sbin command -v $tool > /dev/null || return 1
    done
}
PATH=$PATH:/usr/sbin:/sbin
have_slurm || PARMETIS=no "$here/../../tools/install-deps" --slurm >&2
have_slurm || skip "Slurm is not installed and cannot be"

free_ports() { # count: high ports on which nobody listens
    python3 -c 'import socket, sys
s = [socket.socket() for i in range(int(sys.argv[1]))]
for x in s: x.bind(("127.0.0.1", 0))
print(*[x.getsockname()[1] for x in s])' "$1"
}

chmod 755 "$scratch"
mkdir -p "$scratch"/{log,state,spool,tmp/n1,tmp/n2,munge,work}
chmod 700 "$scratch/munge"
head -c 1024 /dev/urandom > "$scratch/munge/key"
chmod 400 "$scratch/munge/key"
# the socket is for all (as usual), its folder here for root alone
start munged --foreground --force --socket="$scratch/munge/socket" --key-file="$scratch/munge/key" \
    --pid-file="$scratch/munge/pid" --log-file="$scratch/munge/log" --seed-file="$scratch/munge/seed" \
    --num-threads=2
read -r port_control port_1 port_2 <<< "$(free_ports 3)"
[ -n "$port_2" ] || skip "no free ports (python3?)"

# cred_expire is also the time for which a requeued job waits. config_overrides: two processors per
# node whatever there is.
export SLURM_CONF=$scratch/slurm.conf
cat > "$SLURM_CONF" <<END
ClusterName=scree
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort=$port_control
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$scratch/munge/socket,cred_expire=3
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool/%n
TmpFS=$scratch/tmp/%n
SlurmctldPidFile=$scratch/state/slurmctld.pid
SlurmdPidFile=$scratch/state/slurmd.%n.pid
SlurmctldLogFile=$scratch/log/slurmctld.log
SlurmdLogFile=$scratch/log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
MpiDefault=MPI_TYPE
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=2,sched_interval=2,batch_sched_delay=0,sched_min_interval=0
JobRequeue=1
KillWait=5
ReturnToService=2
NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$port_1 CPUs=2 State=UNKNOWN
NodeName=n2 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$port_2 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:2
END
sed -i s/MPI_TYPE/none/ "$SLURM_CONF"
types=$(srun --mpi=list 2>&1)
if grep -qw pmix <<< "$types"; then sed -i s/MpiDefault=none/MpiDefault=pmix/ "$SLURM_CONF"; fi

start slurmctld -D -f "$SLURM_CONF"
start slurmd -D -N n1 -f "$SLURM_CONF"
start slurmd -D -N n2 -f "$SLURM_CONF"
for _ in $(seq 60); do
    [ "$(sinfo -h -N -o '%N %T' 2> /dev/null | grep -c idle)" -eq 2 ] && break
    sleep 0.5
done
if [ "$(sinfo -h -N -o '%N %T' 2> /dev/null | grep -c idle)" -ne 2 ]; then
    tail -n 20 "$scratch"/log/* >&2
    skip "Slurm does not start: $(tail -q -n 1 "$scratch/log/slurmctld.log" | tr '|' ' ')"
fi
say "$(slurmctld -V), two nodes, MPI by $(scontrol show config | awk '/^MpiDefault/ {print $3}')"
if [ -n "${SHELL_IN:-}" ]; then bash; exit; fi
