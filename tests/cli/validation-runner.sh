#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# tests/run-validation with cases that do nothing: what becomes of verdicts, of cases that crash, hang
# or say something else, of those that were run before; and who runs beside whom.
# Usage: tests/cli/validation-runner.sh SCREE
set -u
# shellcheck source=tests/support/shell_test.sh
source "$(dirname "$0")/../support/shell_test.sh" "$1"
runner=$support/../run-validation
mkdir cases
export CASES=$PWD/cases RECORDS=$PWD/found LIMIT=30 WORKERS=2
new_case() { # NAME LINES
    printf '#!/bin/bash\n%s\n' "$2" > "cases/$1.sh"
    chmod +x "cases/$1.sh"
}
verdict_line() { grep -Fxq "| $1 |" found.md; } # LINE

# Each of two waits for the other one to begin, which it does only if they run at the same time. A
# case without `# cores: 1` must find nobody.
meeting() { # SELF OTHER
    cat << END
# cores: 1
cd '$PWD' || exit 1
touch begun.$1 running.$1
for _ in {1..200}; do [ -e begun.$2 ] && word=pass && break; sleep 0.05; done
rm running.$1
echo "$1 | 1 | 1 | 0 | test | \${word:-FAIL}"
END
}
new_case one "$(meeting one two)"
new_case two "$(meeting two one)"
new_case alone "cd '$PWD'; ls running.* > /dev/null 2>&1 || echo 'alone | 1 | 1 | 0 | test | pass'"
new_case half 'echo "half | 1 | 1 | 0 | test | pass"; echo "rest | - | - | - | - | skipped"'
expect "cases that pass" 0 "$runner" "$program"
says '^4 passed, 0 failed, 1 skipped in [0-9]+ s$'
holds "table" verdict_line "half | 1 | 1 | 0 | test | pass"

new_case crash 'echo "before | 1 | 1 | 0 | test | pass"; kill -SEGV $$'
new_case silent 'true'
new_case chatty 'echo "no table"'
new_case wrong 'echo "wrong | 2 | 1 | 0 | test | FAIL"'
RESUME=1 expect "cases that fail" 1 "$runner" "$program"
says '^== one passed before$'
says '^2 passed, 4 failed, 1 skipped' # of half and crash
holds "crash" verdict_line "crash | ended with status 139 | | | | FAIL"
holds "silence" verdict_line "silent | no result | | | | FAIL"
holds "no verdict" verdict_line "no table | | | | | FAIL"
holds "result of a case that was not run now" verdict_line "one | 1 | 1 | 0 | test | pass"

new_case slow 'echo "begun | 1 | 1 | 0 | test | pass"; sleep 60'
LIMIT=1 expect "a case that hangs, alone" 1 "$runner" "$program" slow
says '^1 passed, 1 failed'
holds "time is over" grep -q '^| slow | stopped after [0-9]* s | .* FAIL |$' found.md
expect "no such case" 1 "$runner" "$program" nothing
says "no case's name contains 'nothing'"

summary
