/* SPDX-License-Identifier: BSD-3-Clause
 * Version, commit, compiler and optional libraries of this binary. */
#include "scree/version.h"

#include <stdio.h>

#include "scree/partition.h"

const char *scree_version(void)
{
    return SCREE_VERSION;
}

const char *scree_version_commit(void)
{
    return SCREE_COMMIT;
}

const char *scree_version_compiler(void)
{
    return "gcc " __VERSION__ ", " SCREE_FLAGS;
}

#ifdef SCREE_HAVE_PETSC
static const char petsc[] = "found (not used yet)";
#else
static const char petsc[] = "not found";
#endif

void scree_version_print(void)
{
    const struct scree_partitioner *parmetis = scree_partitioner_find("parmetis");
    printf("scree %s (%s)\n", SCREE_VERSION, SCREE_COMMIT);
    printf("compiler: %s\n", scree_version_compiler());
    printf("ParMETIS: %s\n",
           parmetis->is_available() ? "yes" : "not found, bricks are split along a Hilbert curve");
    printf("PETSc: %s\n", petsc);
}
