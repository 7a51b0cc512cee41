#!/usr/bin/env bash
# Flow down a rough slope, 18 diameters deep: at rest at 17.5 degrees, steady at 22.5 and 24 degrees, with
# Bagnold's profile and a solid fraction that is constant in depth and falls with the angle. Closer to the
# angle of repose (21 degrees) a layer of this depth flows too, but its speed wanders and grows almost
# linearly with the height.
# cores: 2
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
program=$1
flow() { # ANGLE START END SPEED OPTIONS...
    local angle=$1 from=$2 end=$3 speed=$4 gravity
    shift 4
    gravity=$(awk -v a="$angle" 'BEGIN { a *= atan2(0, -1) / 180
        printf "[%.9g, 0, %.9g]", 9.81 * sin(a), -9.81 * cos(a) }')
    launch 1 "$program" run "$here/../../inputs/chute/steady.yaml" -o "$scratch/$angle" -q --set gravity="$gravity" \
        --set analysis.0.profile.from="$from" --set time.end="$end" --set particles.1.ramp.high="$speed" "$@" \
        2> "$scratch/messages-$angle" || cat "$scratch/messages-$angle" >&2
}
flow 24 0.7 1.5 1 &
{
    flow 17.5 0.1 0.6 1 --set time.stop.speed=1e-3 --set time.stop.check=1000
    flow 22.5 0.5 1.1 0.65
} &
wait
"$here/measure-chute" "$scratch" 17.5 22.5:0.5 24:0.7
