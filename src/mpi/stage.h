// SPDX-License-Identifier: Apache-2.0
// Views of a device in calls that work in host memory: a copy on the host takes the place of each,
// and what the call has written goes back at its end.
#ifndef HEDDLE_MPI_STAGE_H
#define HEDDLE_MPI_STAGE_H

#include "ranks.h"

typedef enum hd__mpi_use {
    HD__MPI_READ,
    HD__MPI_WRITTEN, // all of it
    HD__MPI_UPDATED, // read, or written in parts
} hd__mpi_use;

// *v as a view of the host; one that is there already, or that the call refuses, or of a device
// whose memory the call takes (direct.h), stays as it is.
void hd__mpi_stage(hd_mpi *m, hd_view *v, hd__mpi_use use);
// An option that may be NULL: *option then points into m.
void hd__mpi_stage_option(hd_mpi *m, const hd_view **option, hd__mpi_use use);
// The same for what the call itself looks at or writes: always on the host.
void hd__mpi_stage_small(hd_mpi *m, hd_view *v, hd__mpi_use use);
void hd__mpi_stage_small_option(hd_mpi *m, const hd_view **option, hd__mpi_use use);
// A list, of which the last of each `group` views is written, or with a group of 0 none. One list
// a call.
void hd__mpi_stage_list(hd_mpi *m, hd_views *list, int64_t group);

// What was written goes to the device; the status, or that of the copies.
hd_status hd__mpi_unstage(hd_mpi *m, hd_status status);

// Options as this version knows them, or nothing but their size, for the check that refuses it.
// type: of the structure that options points to, or NULL.
#define HD__MPI_OPTIONS(type, options)                                                             \
    (*(type *)hd__mpi_take_options(&(type){0}, sizeof(type), (options)))
void *hd__mpi_take_options(void *taken, size_t known, const void *options);

#endif
