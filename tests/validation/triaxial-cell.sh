#!/usr/bin/env bash
# Triaxial compression of dense spheres at constant mean stress in a periodic box (after Kuhn, Suzuki
# and Daouadji, whose sphere clusters reach q/p = 1.7; spheres are weaker): inputs/triaxial-cell/small.yaml,
# the mean over four samples of 1000 grains, because single ones differ by some per cent. Stresses are means
# over time in windows of one per cent of strain.
# cores: 2
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/validation/lib.sh
. "$here/lib.sh"
four_samples "$1" "$here/../../inputs/triaxial-cell/small.yaml" "0.1 ms"
/usr/bin/python3 "$here/measure-triaxial" "triaxial cell" 3 "$scratch"/[1-4]
