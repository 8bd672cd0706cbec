// SPDX-License-Identifier: Apache-2.0
// The segment that is open where a rank begins: carries in rounds of doubling distance, which take
// nothing more in once they begin where their segment does (the head flags of a segmented scan:
// G. E. Blelloch, "Prefix sums and their applications", 1990).
#include "open_segment.h"

#include "carries.h"

// What is complete takes no more in: what comes is then of segments that ended before.
static hd_carry *unless_complete(const hd__mpi_open *s)
{
    return hd_carry_first(s->carry) > s->origin ? s->carry : NULL;
}

// After the round of distance d, `here` has what is open of 2d ranks up to this one, `before` of
// those but this one. What is sent is what was here before the message came.
static hd_status join_round(hd_mpi *m, hd_status status, hd__mpi_open *here, hd__mpi_open *before,
                            int d)
{
    hd__mpi_parcel parcel = {MPI_REQUEST_NULL, NULL};
    if (m->rank + d < m->ranks)
        status = hd__mpi_begin_carry(m, status, here->carry, m->rank + d, &parcel);
    if (m->rank >= d) {
        hd_carry *a = status == HD_OK ? unless_complete(before) : NULL,
                 *b = status == HD_OK ? unless_complete(here) : NULL;
        status = hd__mpi_receive_carry(m, status, a, b, m->rank - d);
    }
    return hd__mpi_end_carry(m, status, &parcel);
}

hd_status hd__mpi_join_open(hd_mpi *m, hd_status status, hd__mpi_open *here, hd__mpi_open *before)
{
    for (int d = 1; d < m->ranks; d *= 2) {
        status = join_round(m, status, here, before, d);
        if (d > m->ranks / 2) break; // before it overflows
    }
    return status;
}
