#!/usr/bin/env bash
# Resume equality: a run that is stopped and resumed on another number of ranks ends with the digest
# of an uninterrupted one. Runs that are killed: kills.sh.
# Usage: tests/physics/resume.sh SCREE
set -u
# shellcheck source=tests/support/shell_test.sh
source "$(dirname "$0")/../support/shell_test.sh"
on() { # RANKS ARGUMENTS...
    local status
    ranks "$@" > messages 2>&1
    status=$?
    cat messages >> errors
    return $status
}

cat "$support/flow.yaml" - > flow.yaml << 'END'
time: {step: 2 us, steps: 3000}
background_friction: 1e-6 kg/s
output: {checkpoint: {steps: 100, keep: 2}}
END
on 1 run flow.yaml -o whole -q --set output.checkpoint.steps=0
want=$(digest whole)
holds "the reference run ends" [ -n "$want" ]

block "other ranks"
# n ranks to the middle, m ranks to the end
for ranks in "1 2" "2 3" "3 1" "4 2" "2 4"; do
    set -- $ranks
    on "$1" run flow.yaml -o "half$1$2" -q --set time.steps=1500
    on "$2" resume "half$1$2" -q --set time.steps=3000
    holds "$1 ranks, then $2" [ "$(digest "half$1$2")" = "$want" ]
done
expect "a change of the physics is refused" 2 on 2 resume half12 -q --set 'gravity=[0, 0, -2]'
block "changes"
# What is there already stays, also with --allow-change; other energies do not break the ledger.
for change in time.step=1e-6 'particles=[]' 'contacts.0.tangential={law: none}'; do
    expect "$change is refused" 2 on 2 resume half12 -q --allow-change --set "$change"
done
# Contacts under way have nothing to remember sliding with; the checkpoint is not to blame.
expect "a second limit that goes is refused" 2 on 2 resume half12 --allow-change \
    --set contacts.0.tangential.friction_dynamic=0.5
holds "with the reason" grep -q 'contacts.0.tangential.friction_dynamic=0.5: .*not come or go' messages
holds "without a word of damage" [ "$(grep -ci damage messages)" = 0 ]
for n in 1 3; do
    on $n run flow.yaml -o "other$n" -q --set time.steps=1500
    expect "other physics on $n ranks" 0 on $n resume "other$n" --allow-change \
        --set 'gravity=[0, 0, -2]' --set contacts.0.normal.stiffness=2000 --set time.steps=2500
    holds "the ledger takes it as given" grep -Eq 'the changes bring [-0-9.e]+ J' messages
done
holds "the same on 1 and 3 ranks" [ -n "$(digest other1)" -a "$(digest other1)" = "$(digest other3)" ]

block "stops"
# stop by signal and by file
on 2 run flow.yaml -o stopped -q --set time.steps=300000 & job=$!
until [ -e stopped/series.csv ] || ! kill -0 $job 2> /dev/null; do sleep 0.1; done
sleep 0.5; touch stopped/stop
expect "the file 'stop' gives exit 75" 75 wait $job

block "which checkpoints stay"
# which checkpoints stay: the newest two, and for good every fourth, counted on through a resume
steps_left() { for f in "$1"/checkpoint.*.h5; do f=${f#*checkpoint.}; echo $((10#${f%.h5})); done | tr '\n' ' '; }
on 2 run flow.yaml -o kept -q --set output.checkpoint.keep_every=4 --set time.steps=1050
on 1 resume kept -q --set time.steps=2350
holds "every fourth checkpoint is kept: $(steps_left kept)" \
    [ "$(steps_left kept)" = "400 800 1200 1600 2000 2200 2300 " ]
on 1 resume kept -q --set time.steps=3000 --set output.checkpoint.keep_every=0
holds "then only the last: $(steps_left kept)" [ "$(steps_left kept)" = "2800 2900 " ]
holds "and the run ends as ever" [ "$(digest kept)" = "$want" ]

block "damage"
# damage: the newest checkpoint is cut or flipped, the one before serves
cp -r half12 damaged
rm damaged/report.json
newest=$(ls damaged/checkpoint.*.h5 | tail -n 1)
truncate -s -100000 "$newest"
on 3 resume damaged -q
holds "falls back from a cut checkpoint" [ "$(digest damaged)" = "$want" ]
holds "and says so" grep -q "FALLING BACK" errors

summary
