// SPDX-License-Identifier: Apache-2.0
//
// How many threads a rank gets where nobody says: the cores that it may use, shared by the ranks of
// its node that may use the very same ones.
#ifndef HEDDLE_CLI_MPI_CORES_H
#define HEDDLE_CLI_MPI_CORES_H

#include <stdint.h>

// Collective. 0: the library's choice (HEDDLE_THREADS or OMP_NUM_THREADS is set).
int64_t cores_share(void);

#endif
