#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What reductions and sorts over ranks cost beside their alternatives: builds bench/mpi/bars.c for
# each MPI that is here and runs it on two ranks.
#   bash bench/mpi/bars.sh [BUILD]         the wall times of 20 rounds, and the memory of a sort
#   bash bench/mpi/bars.sh [BUILD] work    core time, where waits sleep: on a busy machine
# BUILD is a configured build folder, build/release. ROUNDS=n has another number of rounds.
set -eu
cd "$(dirname "$0")/../.."
build=${1:-build/release}
kind=bars
[ "${2-}" != work ] || kind=work
# Open MPI: as root, unbound, as the threads are in the other contender.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm_rsh_agent=
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_rmaps_base_oversubscribe=1
export OMP_WAIT_POLICY=passive # core time is work
for mpi in openmpi mpich; do
    command -v mpirun.$mpi >/dev/null || continue
    ninja -C "$build" mpi_${kind}_$mpi >/dev/null
    echo "== $mpi"
    mpirun.$mpi -n 2 "$build/mpi_${kind}_$mpi" reduce 24 $((3 * ${ROUNDS:-20}))
    mpirun.$mpi -n 2 "$build/mpi_${kind}_$mpi" sort 26 "${ROUNDS:-20}"
    mpirun.$mpi -n 2 "$build/mpi_${kind}_$mpi" memory 26
done
