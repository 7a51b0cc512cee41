#!/usr/bin/env bash
# Triaxial compression of rigid dense spheres at constant mean stress in a periodic box: inputs/cd-triaxial/small.yaml, the
# mean over four samples, measured as the soft ones of triaxial-cell.sh.
# The peak of q/p is 1.05, below what was expected of spheres from the trend of the literature: 1.1 to 1.4. So are
# soft spheres with the same friction, 1.07 to 1.08, from a solid fraction of 0.6385; rigid ones begin with 0.636.
# cores: 2
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
four_samples "$1" "$here/../../inputs/cd-triaxial/small.yaml" "0.05 ms"
/usr/bin/python3 "$here/measure-triaxial" "cd, triaxial" 2 "$scratch"/[1-4]
