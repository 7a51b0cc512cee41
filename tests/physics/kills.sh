#!/usr/bin/env bash
# Runs killed with SIGKILL at random moments, most of them inside a write, end with the digest and
# the frames of a run left alone. The long version is tests/validation/kills.sh.
# usage: tests/physics/kills.sh [program]; KILLS (default 10)
set -u
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:-$here/../../build/release/scree}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
# shellcheck source=tests/support/kills.sh
. "$here/../support/kills.sh"
least=$((${KILLS:-10} / 4))
kill_many "${KILLS:-10}" $least
have_h5py || echo "skipped: frames of killed runs (needs python3-h5py)"
echo "$kills kills of $runs runs, $inside inside a write, $early before the first checkpoint;" \
    "$files trajectory files, $unreadable unreadable"
passed=$right failed=$((runs - right))
count() { if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi; }
[ "$unreadable" -eq 0 ]; count $?
[ "$inside" -ge $least ]; count $?
echo "$((failed == 0)) passed, $((failed > 0)) failed ($((passed + failed)) comparisons)"
[ "$failed" -eq 0 ]
