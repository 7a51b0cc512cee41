# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154
# Jobs side by side, reported in the order in which they were added; source it. Before use set
#   logs       folder for what jobs say
#   job_limit  seconds after which a job is stopped
#   capacity   how many jobs run at once, if each needs 1
# and define `report NAME STATUS SECONDS CPU-SECONDS`. Then queue_start, queue_add, queue_finish.

names=()     # of the jobs that were begun
needs=()     # of the same jobs
n_reported=0 # of these
in_use=0     # of the capacity

log_of() { echo "$logs/${1//[ \/]/-}.log"; } # NAME

queue_start() {
    mkdir -p "$logs"
    results=$(mktemp -d) || exit 1
    trap 'rm -rf "$results"' EXIT
    trap queue_stop INT TERM HUP
}

# Waits for a place. A job that needs more than the capacity runs alone.
queue_add() { # NEED NAME COMMAND...
    local need=$1 name=$2 k=${#names[@]}
    shift 2
    [ "$need" -le "$capacity" ] || need=$capacity
    while [ $((in_use + need)) -gt "$capacity" ]; do wait_for_some; done
    names+=("$name")
    needs+=("$need")
    in_use=$((in_use + need))
    run_limited "$(log_of "$name")" "$results/$k" "$@" &
}

queue_finish() {
    while [ $n_reported -lt ${#names[@]} ]; do wait_for_some; done
}

queue_stop() {
    # shellcheck disable=SC2046
    kill $(jobs -p) 2> /dev/null
    wait
    exit 130
}

# In a process of its own: run a command and write "STATUS SECONDS CPU-SECONDS" when it has ended.
run_limited() { # LOG RESULT COMMAND...
    local log=$1 result=$2 start=$SECONDS child status cpu
    shift 2
    : > "$log"
    timeout --kill-after=10 "$job_limit" "$@" >> "$log" 2>&1 < /dev/null &
    child=$!
    trap 'kill $child; wait $child; exit 1' TERM
    wait $child
    status=$?
    if [ $status -eq 124 ] || [ $status -eq 137 ]; then
        echo "stopped after $((SECONDS - start)) s (limit $job_limit s)" >> "$log"
    fi
    times > "$result.times" # the second line is of its children: 1m2.3s for user and system each
    cpu=$(awk -F '[ms ]+' 'NR == 2 { printf "%.1f", 60 * ($1 + $3) + $2 + $4 }' "$result.times")
    echo "$status $((SECONDS - start)) $cpu" > "$result.part"
    mv "$result.part" "$result"
}

# Wait for any job to end, give its place back, and report what can be reported in order.
wait_for_some() {
    local k status seconds cpu
    if ! wait -n && [ -z "$(jobs -rp)" ]; then
        # processes that were killed before they could tell
        for k in "${!names[@]}"; do [ -e "$results/$k" ] || echo "1 0 0" > "$results/$k"; done
    fi
    for k in "${!names[@]}"; do
        if [ -e "$results/$k" ] && [ "${needs[k]}" -gt 0 ]; then
            in_use=$((in_use - needs[k]))
            needs[k]=0
        fi
    done
    while [ -e "$results/$n_reported" ]; do
        read -r status seconds cpu < "$results/$n_reported"
        report "${names[n_reported]}" "$status" "$seconds" "$cpu"
        n_reported=$((n_reported + 1))
    done
}
