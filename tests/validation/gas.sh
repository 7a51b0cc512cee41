#!/usr/bin/env bash
# Event-driven gases: pressure of elastic spheres and disks from dilute to dense, and the energy of a gas
# that cools, by Haff's law and with the contact time of the TC model. For that the series of Luding 2008 (1.19)
# is the limit of a dilute gas; at a solid fraction of 0.25 a grain that was just hit shields its partner, more
# collisions lose energy, and E / E_Haff at tau = 1 is 1.161 instead of 1.169 (mean field: 1.149).
# cores: 1
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
elastic() { # PROGRAM NAME DIMENSION SIDE FRACTION TIME
    local names=(x y z) corner low axes
    read -r length spacing density < <(awk -v d="$3" -v n="$4" -v f="$5" 'BEGIN {
        g = d == 3 ? 0.5235987755982989 : 0.7853981633974483
        a = (g / f) ^ (1 / d); printf "%.15g %.15g %.15g\n", n * a, a * (1 - 1e-9), 1 / g }')
    corner="$length, $length" low="0, 0" axes="x, y"
    [ "$3" -eq 2 ] || { corner="$corner, $length" low="0, 0, 0" axes="x, y, z"; }
    cat > "$scratch/$2.yaml" << END
method: ed
dimension: $3
seed: 6
time: {step: 0.1, end: $6}
domain: {low: [$low], high: [$corner], periodic: [$axes]}
materials: {m: {density: $density}}
contacts: [{between: [m, m], rigid: {restitution: 1}}]
events: {record: false}
particles: [{lattice: {material: m, radius: 0.5, spacing: $spacing, temperature: 1, count: $(($4 ** $3))}}]
output: {series: {steps: 1}}
END
    launch 1 "$1" run "$scratch/$2.yaml" -o "$scratch/$2" -q || return
    # Mean after the first fifth; masses and the temperature are 1.
    awk -F, -v n="$(($4 ** $3))" -v v="$length" -v d="$3" 'NR == 1 {
        for (k = 1; k <= NF; k++) if ($k ~ /^sum over time of collisional/) c = k; next }
        { t[NR] = $2; s[NR] = $c } END {
        m = int(2 + NR / 5); printf "%.5f\n", (s[NR] - s[m]) / (t[NR] - t[m]) * v ^ d / n }' "$scratch/$2/series.csv"
}
while read -r fraction target time; do
    verdict "pressure of disks, p/(nT) - 1, at $fraction" "$(elastic "$1" "disks-$fraction" 2 32 "$fraction" "$time")" \
        "$target" 0.01 "P4, Luding 2008 (1.25)"
done << 'END'
0.1 0.2361 800
0.2 0.5703 400
0.3 1.0632 200
0.4 1.8302 100
0.5 3.1094 80
0.6 5.452 50
0.65 7.4085 40
END
while read -r fraction target time; do
    verdict "pressure of spheres, p/(nT) - 1, at $fraction" "$(elastic "$1" "spheres-$fraction" 3 12 "$fraction" "$time")" \
        "$target" 0.01 "Carnahan and Starling 1969"
done << 'END'
0.1 0.5213 150
0.2 1.4063 60
0.3 2.9738 30
0.4 5.9259 20
END
cool() { # PROGRAM CONTACT_TIME: E / E_Haff at tau = 1, mean of three seeds
    local seed
    for seed in 1 2 3; do
        launch 1 "$1" run "$here/../../inputs/cooling/small.yaml" -o "$scratch/cool-$2-$seed" -q --set seed=$seed \
            --set events.contact_time="$2" --set time.end=42.9 --set output.snapshots.every=42.9 2> /dev/null
        awk -F, 'NR == 2 { first = $5 } END { tau = (1 - 0.99 ^ 2) / 6 * $2 / 0.1424; print $5 / first * (1 + tau) ^ 2 }' \
            "$scratch/cool-$2-$seed/series.csv"
    done | awk '{ sum += $1 } END { printf "%.5f\n", sum / NR }'
}
verdict "cooling without t_c: E / E_Haff at tau = 1" "$(cool "$1" 0)" 1 0.005 "Haff 1983"
verdict "cooling with t_c = t_E / 10: E / E_Haff at tau = 1" "$(cool "$1" 0.01424)" 1.161 0.002 \
    "simulations of the TC model at finite density"
