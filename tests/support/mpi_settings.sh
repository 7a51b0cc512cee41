# SPDX-License-Identifier: BSD-3-Clause
# Settings of Open MPI for tests on one machine that may be small and busy; source it. What has no
# meaning for the MPI that is there is ignored.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none # containers often forbid it
# Bound to cores, jobs side by side would all have the first one.
export OMPI_MCA_hwloc_base_binding_policy=none
# Start without a look for networks, which takes longer than most tests.
export OMPI_MCA_pml=ob1 OMPI_MCA_btl=^tcp,openib,ofi,uct,usnic OMPI_MCA_plm=isolated
mpirun=${MPIRUN:-mpirun --oversubscribe}

# Programs without mpirun start without a daemon, again several times faster. All of them have the
# same name for MPI then: those that run at the same time need different folders for its files.
alone_in() { # FOLDER
    mkdir -p "$1"
    export OMPI_MCA_orte_tmpdir_base=$1 OMPI_MCA_ess_singleton_isolated=1
}
