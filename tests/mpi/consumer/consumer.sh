#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A program over MPI, compiled by the wrapper that libheddle-mpi was built with against the
# installed tree, by hand and by pkg-config, runs on two ranks.
. "$SOURCE/tests/consumers/_ways.sh"
[ -e "$installed/include/heddle_mpi.h" ] || { echo "this build has no libheddle-mpi"; exit 77; }
command -v mpirun >/dev/null || { echo "no mpirun"; exit 77; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_plm_rsh_agent=
export PKG_CONFIG_PATH=$libdir/pkgconfig LD_LIBRARY_PATH=$libdir
mpicc "$SOURCE/tests/mpi/consumer/consumer.c" -I"$installed/include" -L"$libdir" -lheddle-mpi -lheddle -o plain
# shellcheck disable=SC2046
mpicc "$SOURCE/tests/mpi/consumer/consumer.c" $(pkg-config --cflags --libs heddle-mpi) -o found
for program in plain found; do
    printed=$(mpirun -n 2 "./$program")
    [ "$printed" = 55 ] || { echo "$program: '$printed'"; exit 1; }
done
