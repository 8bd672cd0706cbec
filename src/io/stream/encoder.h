// SPDX-License-Identifier: Apache-2.0
//
// What a format must supply to be written, and what the writer supplies to a format.
#ifndef HEDDLE_IO_STREAM_ENCODER_H
#define HEDDLE_IO_STREAM_ENCODER_H

#include "array_header.h"
#include "format.h"
#include "temporary_file.h"

// A file that is being written; writer.h says how.
typedef struct io_writer {
    io_temporary_file temporary;
    hd_type type;
    int32_t ndim;
    int64_t shape[HD_MAX_DIMS];
    int64_t count, done; // elements promised (-1: not known yet) and written
    int64_t bytes;       // written, header and all
    io_format format;
    const struct io_encoder *encoder;
    void *buffer; // the encoder's own
    int64_t used, room;
    uint32_t crc;
} io_writer;

typedef struct io_encoder {
    // Whether such an array can be such a file; before anything is opened. NULL: any can.
    io_status (*check)(const io_writer *writer, const char *name, io_error *error);
    io_status (*begin)(io_writer *writer, io_error *error); // NULL: nothing to do
    io_status (*put)(io_writer *writer, const void *elements, int64_t n, io_error *error);
    io_status (*end)(io_writer *writer, io_error *error); // NULL: nothing to do
    bool says_length; // an unknown length must be filled in at the end
} io_encoder;

extern const io_encoder io_encode_npy, io_encode_raw, io_encode_npz, io_encode_png, io_encode_pnm,
    io_encode_pfm, io_encode_csv, io_encode_text;

// Appends bytes to the file.
io_status io_writer_bytes(io_writer *writer, const void *bytes, size_t n, io_error *error);

// Goes back to the file's beginning, to fill something in there.
io_status io_writer_rewind(io_writer *writer, io_error *error);

// Memory for the encoder, given back by the writer.
io_status io_writer_room(io_writer *writer, int64_t bytes, io_error *error);

#endif
