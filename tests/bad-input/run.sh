#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Wrong inputs: `scree check NAME.yaml` must end with exit code 2, print NAME.expected on stderr,
# nothing on stdout, and write nothing. NAME.args, if there is one, holds further arguments.
# Usage: tests/bad-input/run.sh SCREE [NAME ...]
# After a change of messages: look at the differences, then UPDATE=1 tests/bad-input/run.sh SCREE
set -uo pipefail
program=$(realpath "${1:?usage: run.sh SCREE [NAME ...]}") || exit 1
shift
cd "$(dirname "$0")" || exit 1
# shellcheck source=tests/support/mpi_settings.sh
. ../support/mpi_settings.sh
export LC_ALL=C
at_once=2

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# Prints what is wrong, or nothing.
check() { # NAME
    local status
    local -a arguments=()
    [ -f "$1.args" ] && eval "arguments=($(cat "$1.args"))"
    alone_in "$out/$1.mpi"
    mkdir "$out/$1"
    cp "$1.yaml" "$out/$1/"
    # Run beside the file, so that the messages begin with its bare name.
    (cd "$out/$1" && exec "$program" check "$1.yaml" "${arguments[@]}") \
        > "$out/$1.stdout" 2> "$out/$1.stderr" < /dev/null
    status=$?
    [ -n "${UPDATE:-}" ] && cp "$out/$1.stderr" "$1.expected"
    [ $status -eq 2 ] || echo "$1: exit code $status, expected 2"
    [ ! -s "$out/$1.stdout" ] || echo "$1: wrote on stdout: $(head -n 1 "$out/$1.stdout")"
    [ "$(ls -A "$out/$1")" = "$1.yaml" ] || echo "$1: left files behind"
    diff -u --label "$1.expected" --label "messages of $1" "$1.expected" "$out/$1.stderr"
}

if [ $# -eq 0 ]; then
    mapfile -t names < <(basename -s .yaml -- *.yaml)
    set -- "${names[@]}"
fi
for name in "$@"; do
    while [ "$(jobs -rp | wc -l)" -ge $at_once ]; do wait -n; done
    check "$name" > "$out/$name.result" 2>&1 &
done
wait

passed=0
failed=0
for name in "$@"; do
    if [ -s "$out/$name.result" ]; then failed=$((failed + 1)); else passed=$((passed + 1)); fi
    cat "$out/$name.result"
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
