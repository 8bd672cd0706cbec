// SPDX-License-Identifier: Apache-2.0
// Carries on their way between ranks. The tree of the sums is in them; the tree of the messages is
// whatever is short (Villa and others, 2009; Uhl, Hespe and others' ReproRed, 2025, keep the two
// apart in the same way).
#ifndef HEDDLE_MPI_FOLD_CARRIES_H
#define HEDDLE_MPI_FOLD_CARRIES_H

#include "mpi/ranks.h"

// Packs a carry and sends it; where status is not HD_OK, a message that says so.
hd_status hd__mpi_send_carry(hd_mpi *m, hd_status status, const hd_carry *carry, int to);
// Receives one, and joins it to each of the carries (NULL: to none).
hd_status hd__mpi_receive_carry(hd_mpi *m, hd_status status, hd_carry *carry, hd_carry *also,
                                int from);

// A carry on its way while another one comes.
typedef struct hd__mpi_parcel {
    MPI_Request request;
    unsigned char *bytes;
} hd__mpi_parcel;
hd_status hd__mpi_begin_carry(hd_mpi *m, hd_status status, const hd_carry *carry, int to,
                              hd__mpi_parcel *parcel);
hd_status hd__mpi_end_carry(hd_mpi *m, hd_status status, hd__mpi_parcel *parcel);

#endif
