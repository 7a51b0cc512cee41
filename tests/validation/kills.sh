#!/usr/bin/env bash
# Checkpoints that cannot be lost: runs killed with SIGKILL at random moments, most of them inside a
# write, go on from what they left, on another number of ranks, and end with the digest and the
# frames of a run left alone. usage: tests/validation/kills.sh program; KILLS (default 200), VICTIM (md or ed)
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/validation/lib.sh
. "$here/lib.sh"
program=$(realpath "$1")
cd "$scratch" || exit 1
# shellcheck source=tests/support/kills.sh
. "$here/../support/kills.sh"
kill_many "${KILLS:-200}" >&2
echo "kills: $kills of $runs runs, $early before the first checkpoint" >&2
verdict "${VICTIM:-md}: killed runs that end with the digest and frames of one left alone" "$right" "$runs" 0 "own promise"
at_least=$((runs / 3))
echo "kills inside a write, of $kills | $inside | at least $at_least | - | own test |" \
    "$([ "$inside" -ge $at_least ] && echo pass || echo FAIL)"
if have_h5py; then
    verdict "unreadable trajectories after a kill, of $files" "$unreadable" 0 0 "own promise"
else
    echo "unreadable trajectories after a kill | needs python3-h5py | | | | skipped"
fi
