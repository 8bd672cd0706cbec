// SPDX-License-Identifier: Apache-2.0
//
// Netpbm's images: PGM and PPM (P2, P3 in digits, P5, P6 in bytes) and PFM (Pf, PF: floats, the
// bottom row first). Values are as the file has them, 0 to its greatest: of u8 up to 255, else
// u16. PFM's are f32.
#ifndef HEDDLE_IO_IMAGES_PNM_H
#define HEDDLE_IO_IMAGES_PNM_H

#include "io/stream/decoded.h"

typedef struct io_pnm {
    io_array_header header; // P5, P6: as the data lie in the file, high byte first
    int64_t greatest;
    bool digits;
} io_pnm;

// Reads the header of a PGM or PPM image; the source is left at the first byte of the data. A
// damaged image whose data are plainly too short is refused.
io_status io_pnm_header(io_source *source, io_pnm *image, io_error *error);

// Reads the numbers of a P2 or P3 image.
io_status io_pnm_decode(io_source *source, const io_pnm *image, io_decoded *out, io_error *error);

// Reads a PFM image, header and all.
io_status io_pfm_decode(io_source *source, io_decoded *out, io_error *error);

// Writes a header; returns its length. The buffer has room for IO_PNM_HEADER_ROOM bytes.
#define IO_PNM_HEADER_ROOM 96
size_t io_pnm_write_header(char *buffer, bool color, int64_t h, int64_t w, int greatest);
size_t io_pfm_write_header(char *buffer, bool color, int64_t h, int64_t w);

#endif
