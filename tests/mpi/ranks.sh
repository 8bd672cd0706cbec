#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the tests over MPI on several numbers of ranks, more than there are cores among them.
#   ranks.sh MPIRUN PROGRAM
set -u
mpirun=$1 program=$2
# Open MPI asks for a permission to run as root, and to have more ranks than cores.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_plm_rsh_agent=
export HEDDLE_THREADS=${HEDDLE_THREADS:-1}
failed=0
for ranks in ${HEDDLE_TEST_RANKS:-1 2 3 5 7 16}; do
    timeout 200 "$mpirun" -n "$ranks" "$program" >"out.$ranks" 2>&1
    code=$?
    [ $code -eq 0 ] && continue
    echo "$ranks ranks: exit code $code"
    head -40 "out.$ranks"
    failed=1
done
exit $failed
