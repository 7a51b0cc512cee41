#!/usr/bin/env bash
# Full disks, vanished folders and writes that fail: every check of tests/io/full-disk.sh.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
"$here/../io/full-disk.sh" "$1" > "$scratch/log" 2>&1
status=$?
counts=$(grep -E '^[0-9]+ passed' "$scratch/log" | tail -n 1)
[ $status -eq 0 ] && verdict=pass || verdict=FAIL
echo "writes that fail | ${counts:-none} | 0 failed | 0 | own limit | $verdict"
