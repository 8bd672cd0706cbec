#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the tests over MPI on several numbers of ranks, more than there are cores among them.
#   ranks.sh MPIRUN PROGRAM [ARGUMENT...]
# HEDDLE_TEST_RANKS has other numbers. A run that hangs is ended: after 15 minutes, or with
# HEDDLE_TEST_ALL=1, where a run takes minutes, after an hour.
set -u
mpirun=$1 program=$2
shift 2
# Open MPI asks for a permission to run as root, and to have more ranks than cores.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_plm_rsh_agent=
export HEDDLE_THREADS=${HEDDLE_THREADS:-1}
limit=900
[ "${HEDDLE_TEST_ALL:-0}" = 0 ] || limit=3600
failed=0

# A killed rank: the job ends within 10 s, and long before a hang would be noticed. PROGRAM killed
# never ends by itself. On a machine that is busy with other things one of three times will do.
if [ "${1-}" = killed ]; then
    for ranks in ${HEDDLE_TEST_RANKS:-2 5}; do
        for try in 1 2 3; do
            begin=$SECONDS
            timeout 60 "$mpirun" -n "$ranks" "$program" killed >"out.$ranks" 2>&1
            code=$? took=$((SECONDS - begin))
            echo "$ranks ranks: exit code $code after $took s"
            if [ $code -eq 0 ] || [ $code -eq 124 ] || grep -q 'FAILED' "out.$ranks"; then
                head -40 "out.$ranks"
                failed=1
                break
            fi
            [ $took -gt 10 ] || break
            [ $try -lt 3 ] || failed=1
        done
    done
    exit $failed
fi

for ranks in ${HEDDLE_TEST_RANKS:-1 2 3 5 7 16}; do
    timeout $limit "$mpirun" -n "$ranks" "$program" "$@" >"out.$ranks" 2>&1
    code=$?
    [ $code -eq 0 ] && continue
    echo "$ranks ranks: exit code $code"
    head -40 "out.$ranks"
    failed=1
done
exit $failed
