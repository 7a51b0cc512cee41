#!/usr/bin/env bash
# The job scripts in a real Slurm: a scheduler and two nodes are started on the loopback interface
# with everything they write in a scratch folder (root only; tools/install-deps --slurm). A campaign
# whose jobs are too short, a sweep and a scaling series must end as runs without Slurm do.
# usage: tests/validation/slurm.sh program; KEEP=1 leaves the scratch folder behind
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/validation/lib.sh
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
    if [ -n "${SLURM_CONF:-}" ]; then
        timeout 10 scancel --user=root > /dev/null 2>&1
        for _ in $(seq 10); do
            [ -n "$(timeout 5 squeue -h 2> /dev/null)" ] || break
            sleep 1
        done
    fi
    # the nodes first, the authentication last
    for pid in "${daemons[@]}"; do kill "$pid" 2> /dev/null; done
    for _ in $(seq 50); do
        alive=0
        for pid in "${daemons[@]}"; do kill -0 "$pid" 2> /dev/null && alive=1; done
        [ $alive = 0 ] && break
        sleep 0.1
    done
    for pid in "${daemons[@]}"; do kill -9 "$pid" 2> /dev/null; done
    # what jobs may leave behind names the scratch folder in its settings
    for pid in $(grep -lsF "SLURM_CONF=$scratch/" /proc/[0-9]*/environ | cut -d / -f 3); do
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
        command -v $tool > /dev/null || return 1
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
AuthInfo=socket=$scratch/munge/socket,cred_expire=5
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

# --- the cases -----------------------------------------------------------------------------------
cd "$scratch/work" || exit 1
export SCREE=$program
# Both nodes are this machine: no shared memory between ranks, whose names would collide.
export OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo
cat > long.yaml <<'END'
title: flow between two walls
time: {step: 2 us, steps: 1000}
gravity: [3, 0, -9]
domain: {low: [0, 0, 0], high: [20 mm, 20 mm, 18 mm], periodic: [x, y]}
materials:
  glass: {density: 2500 kg/m^3}
contacts:
  - between: [glass, glass]
    normal: {law: linear, stiffness: 1000 N/m, restitution: 0.7}
    tangential: {law: spring, stiffness: 300 N/m, friction: 0.5}
boundaries:
  floor: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: glass}
  lid: {shape: plane, point: [0, 0, 18 mm], normal: [0, 0, -1], velocity: [0.2, 0, 0], material: glass}
particles:
  - random: {count: 8000, material: glass, radius: {uniform: [0.25 mm, 0.4 mm]}, speed: 0.3 m/s}
output: {checkpoint: {every: 5 s, keep: 2}}
END
if ! timeout 60 srun --nodes=2 --ntasks=2 --input=none "$program" run long.yaml -o try -q >&2 ||
    [ "$(value try/report.json ranks)" != 2 ]; then
    tail -n 20 "$scratch"/log/* >&2
    skip "srun does not start Open MPI programs here"
fi
# So many steps that one rank needs 80 s or more: more than one job of a minute. Others may use this
# machine, so the best of four attempts tells the speed. The short case is a sixth of it.
second=1e9
for _ in 1 2 3 4; do
    timeout 60 srun --ntasks=1 --input=none "$program" run long.yaml -o try -q --force >&2
    second=$(awk -v a="$second" -v b="$(value try/report.json loop_seconds)" \
        'BEGIN {print (b > 0 && b < a) ? b : a}')
done
steps=$(awk -v s="$second" 'BEGIN {n = int(80 / s) * 1000; print (n < 60000) ? 60000 : n}')
sed -i "s/steps: 1000/steps: $steps/" long.yaml
sed "s/steps: $steps/steps: $((steps / 6))/" long.yaml > short.yaml
say "1000 steps take $second s on one rank, so there will be $steps"

wait_for() { # log deadline: until the script says that the run has finished, or nothing is queued
    local idle=0
    while [ $((SECONDS - began)) -lt "$2" ]; do
        grep -q '^finished: ' "$1" 2> /dev/null && return 0
        if [ -z "$(squeue -h)" ]; then idle=$((idle + 1)); else idle=0; fi
        [ $idle -ge 5 ] && break
        sleep 1
    done
    grep -q '^finished: ' "$1" 2> /dev/null
}
wait_all() { # deadline: until nothing is queued
    while [ $((SECONDS - began)) -lt "$1" ] && [ -n "$(squeue -h)" ]; do sleep 1; done
}
count() { grep -c -- "$1" "$2" 2> /dev/null; }
judge_campaign() { # name log folder digest reason: jobs, the last finished, one stopped for the reason
    local segments ended=no stops
    segments=$(count '^job [0-9]*, restart' "$2")
    grep -q '^finished: ' "$2" 2> /dev/null && ended=yes
    stops=$(count "^stopped at step .* by $5" "$2")
    cat "$2" >&2
    judge "$1" "${segments:-0} jobs, ${stops:-0} stopped by $5, finished: $ended, digest $(digest "$3")" \
        "2 jobs or more, 1 or more stopped, finished: yes, digest $4" \
        test "${segments:-0}" -ge 2 -a "${stops:-0}" -ge 1 -a $ended = yes -a -n "$4" -a \
        "$(digest "$3")" = "$4"
}

# 1. A campaign on two nodes: Slurm sends the signal 20 to 50 s after the start (10 s before the end,
# but it looks every 30 s, and ahead by as much), the script requeues itself.
sbatch --time=1 --signal=USR1@10 --nodes=2 --ntasks-per-node=1 --output=campaign.log \
    "$scripts/campaign.slurm" long.yaml campaign >&2
wait_for campaign.log 260
say "campaign over"
scancel --user=root --full 2> /dev/null

# 2. A chain of jobs on one rank, which nobody signals: the clock stops them. At the same time the
# reference without Slurm on one rank, on the other processor.
SCREE_REQUEUE=chain SBATCH_OPTIONS="--signal=B:CONT@1 --output=chain.log --open-mode=append" \
    sbatch --time=1 --signal=B:CONT@1 --ntasks=1 --output=chain.log "$scripts/campaign.slurm" \
    long.yaml chain >&2
(unset SLURM_CONF; timeout 200 mpirun -np 1 "$program" run long.yaml -o whole -q >&2)
say "reference over"
wait_for chain.log 400
say "chain over"
want=$(digest whole)
judge_campaign "campaign: signal, requeue, srun on two nodes" campaign.log campaign "$want" \
    "a signal"
judge_campaign "campaign: clock, chain of jobs, one rank" chain.log chain "$want" \
    "the end of the job's time"

# 3. A scaling series, 4. a sweep
PREPARE=100 STEPS=1000000 SBATCH_OPTIONS="--time=2" "$scripts/scaling.sh" strong short.yaml 1 2 >&2
wait_all 435
one=$(digest short-strong-1) two=$(digest short-strong-2)
judge "scaling, strong, 1 and 2 ranks" "digests ${one:-none} ${two:-none}" "equal" \
    test -n "$one" -a "$one" = "$two" -a "$(value short-strong-2/report.json ranks)" = 2
printf '%s\n' contacts.0.tangential.friction,time.steps 0.1,3000 0.3,3000 > table
"$scripts/../tools/scree-sweep" run table short.yaml --slurm --time=2 >&2
wait_all 450
a=$(digest short-001) b=$(digest short-002)
judge "sweep of two lines" "digests ${a:-none} ${b:-none}" "two different" \
    test -n "$a" -a -n "$b" -a "$a" != "$b"

# 5. One job
sbatch --time=2 --nodes=1 --ntasks-per-node=2 "$scripts/single.slurm" short.yaml single >&2
wait_all 460
judge "single job, 2 ranks" "digest $(digest single)" "digest $one" \
    test -n "$one" -a "$(digest single)" = "$one"

# 6. A campaign by mpirun, with the signal to the script only
id=$(SCREE_LAUNCH=mpirun sbatch --parsable --time=2 --signal=B:USR1@10 --nodes=1 --ntasks=2 \
    --output=mpirun.log "$scripts/campaign.slurm" short.yaml mpirun)
for _ in $(seq 20); do [ -e mpirun/log.txt ] && break; sleep 0.5; done
sleep 2
scancel --batch --signal=USR1 "$id"
wait_for mpirun.log 475
judge_campaign "campaign: signal to the script, requeue, mpirun" mpirun.log mpirun "$one" \
    "a signal"
say "end"
