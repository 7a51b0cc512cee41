# SPDX-License-Identifier: BSD-3-Clause
# Tests of the program in shell: source it with the program as argument; it goes to a scratch folder
# ends with `summary`, which prints "N passed, N failed" and beside it the comparisons. A test is a
# block of comparisons that begins with `block NAME`; a script without blocks is one test. A block
# has failed if one of its comparisons has.
program=$(realpath "${1:?usage: SCRIPT SCREE}") || exit 1
support=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/mpi_settings.sh
source "$support/mpi_settings.sh"
export LC_ALL=C
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
alone_in "$scratch/.mpi"

passed=0 # blocks
failed=0
comparisons=0
in_block=0 # comparisons of this block
wrong=0    # of these

block_name=
block() { # NAME
    end_block
    block_name="$1: "
}
end_block() {
    if [ $wrong -gt 0 ]; then
        failed=$((failed + 1))
    elif [ $in_block -gt 0 ]; then
        passed=$((passed + 1))
    fi
    in_block=0
    wrong=0
}
summary() {
    end_block
    echo "$passed passed, $failed failed ($comparisons comparisons)"
    [ $failed -eq 0 ] && [ $passed -gt 0 ]
}

verdict() { # NAME STATUS
    comparisons=$((comparisons + 1))
    in_block=$((in_block + 1))
    if [ "$2" -ne 0 ]; then
        wrong=$((wrong + 1))
        echo "FAILED: $block_name$1"
        head -n 20 messages
        [ "$(wc -l < messages)" -le 20 ] || { echo ...; tail -n +21 messages | tail -n 12; }
    fi
}

# Run a command; its output goes to the file `messages`, its exit code must be the expected one.
expect() { # NAME EXIT-CODE COMMAND...
    local name=$1 code=$2 status
    shift 2
    "$@" > messages 2>&1 < /dev/null
    status=$?
    echo "exit code $status, expected $code: $*" >> messages
    [ $status -eq "$code" ]
    verdict "$name" $?
}

# The program on so many ranks: a single one needs no mpirun.
ranks() { # RANKS ARGUMENTS...
    # shellcheck disable=SC2086
    if [ "$1" -eq 1 ]; then "$program" "${@:2}"; else $mpirun -n "$1" "$program" "${@:2}"; fi
}

# The messages of the last command match an extended regular expression.
says() { grep -Eq -- "$1" messages; verdict "says $1" $?; }
# Any condition.
holds() { # NAME COMMAND...
    local name=$1
    shift
    "$@" > /dev/null 2>&1
    verdict "$name" $?
}

digest() { sed -n 's/^ *"digest": "\(.*\)"$/\1/p' "$1/report.json" 2> /dev/null; } # FOLDER
# The same bits at the end, and the same rows on the way.
same() { # FOLDER REFERENCE
    [ -n "$(digest "$1")" ] && [ "$(digest "$1")" = "$(digest "$2")" ] &&
        cmp "$1/series.csv" "$2/series.csv"
}
# rows.py, a module with rows(FOLDER, NAME): those of FOLDER/NAME.csv as numbers.
write_rows() {
    cat > rows.py << 'EOF'
import csv
def rows(folder, name="series"):
    return [{k: float(v) for k, v in r.items()} for r in csv.DictReader(open(f"{folder}/{name}.csv"))]
EOF
}
