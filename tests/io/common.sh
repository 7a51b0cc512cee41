# SPDX-License-Identifier: BSD-3-Clause
# What the scripts of this folder share: source it with the program as argument; it goes to a
# scratch folder. End with `summary`.
# shellcheck source=tests/support/shell_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/shell_test.sh"

# The last command said exactly this line (after "error: " or as it is).
says() {
    grep -Fxq -- "error: $1" messages || grep -Fxq -- "$1" messages
    verdict "says $1" $?
}
# Any condition.
holds() { # NAME COMMAND...
    local name=$1
    shift
    "$@" > condition 2>&1
    local status=$?
    [ $status -eq 0 ] || cp condition messages
    verdict "$name" $status
}
# NAME.yaml runs on one rank, then on others: the same state, series and other tables of NAME-1.
on_ranks() { # NAME "1 RANKS..." TABLE...
    local name=$1 n table
    for n in $2; do
        block "$name on $n ranks"
        expect "$name on $n ranks" 0 ranks "$n" run "$name.yaml" -q -o "$name-$n"
        [ "$n" -gt 1 ] || continue
        holds "state and series" same "$name-$n" "$name-1"
        for table in "${@:3}"; do holds "$table" cmp "$name-$n/$table" "$name-1/$table"; done
    done
}
python() { /usr/bin/python3 "$@"; }
skip() { # WHY
    echo "skipped: $1"
    exit 0
}

# trajectory.h5, trajectory-2.h5 and trajectory.xdmf, as tests/mpi/trajectory.c makes them: frames
# of 300, 0, 700, 5 and 700 grains at t = 0, 0.5, ... s; the second file has 40 at t = 2, 2.5, 3 s.
make_trajectory() {
    local test
    test=$(dirname "$program")/tests/mpi_trajectory
    [ -x "$test" ] || skip "$test is not built"
    # shellcheck disable=SC2086
    SCREE_TEST_KEEP=$PWD ASAN_OPTIONS=detect_leaks=0 $mpirun -n 2 "$test" > messages 2>&1
    verdict "a trajectory is made" $?
}
