// SPDX-License-Identifier: Apache-2.0
// The front of a kernel's text: types, reading, operator and writing, as one call needs them.
#ifndef HD__PREAMBLE_H
#define HD__PREAMBLE_H

#include "gpu/gpu.h"

// A view as kernels get it: hd_view of kernels/base.h.
typedef struct hd__kernel_view {
    uint64_t data;
    int64_t shape[HD_MAX_DIMS], stride[HD_MAX_DIMS];
    int64_t start, step;
    unsigned char constant[16];
} hd__kernel_view;

typedef struct hd__kernel_inputs {
    hd__kernel_view view[HD_MAX_INPUTS];
} hd__kernel_inputs;

// How a view is read or written, as far as the text depends on it.
typedef struct hd__layout {
    hd_type type;
    uint8_t form;    // hd__layout_form
    uint8_t ndim;    // of HD__DIMENSIONS
    uint8_t aligned; // its address is a multiple of this
    uint8_t unused;
} hd__layout;

typedef enum hd__layout_form {
    HD__ABSENT,
    HD__DENSE,   // one element after another
    HD__STRIDED, // one dimension
    HD__DIMENSIONS,
    HD__CONSTANT,
    HD__PROGRESSION
} hd__layout_form;

// Everything a text depends on, but for users' texts. Compared as bytes: cleared before it is filled.
typedef struct hd__shape {
    char kernel[16]; // its name
    int32_t inputs;  // 0: the text has neither fold nor function
    int32_t k, rows, threads, blocks, chunks;
    int32_t items; // of a tile of segments and elements
    int32_t hint;  // of tuning.def
    hd__layout in[HD_MAX_INPUTS], out, values, offsets, keys, keys_out;
    int32_t op, form; // of the fold; -1: none
    hd_type element, number, result;
    int32_t ddof;
    uint8_t divides, has_init, exclusive, has_values;
    uint8_t heads;   // a scan over pairs of a head and a value: hd__heads_from
    uint8_t dense;   // a scan along an axis
    uint8_t carries; // a scan that goes on after a prefix
    uint8_t raw;     // outputs are nodes
} hd__shape;

typedef enum hd__heads_from { HD__NO_HEADS, HD__FROM_OFFSETS, HD__FROM_KEYS } hd__heads_from;

// The layout of a view of the device, and the view as kernels get it.
hd__layout hd__layout_of(const hd_view *v);
hd__kernel_view hd__kernel_view_of(const hd_view *v);

// Fills a shape's inputs and how many elements a lane takes at once.
// Outputs of out_size bytes (0: few) lie as close as the elements do.
void hd__shape_inputs(hd__shape *s, const hd__reader *in, size_t out_size);
void hd__shape_fold(hd__shape *s, const hd__fold *f);

// The kernel for a shape: fold and map may be NULL. `files` are the texts after the preamble, NULL at
// the end.
hd_status hd__kernel_for(hd_context *ctx, hd__gpu *gpu, const hd__shape *shape,
                         const hd__fold *fold, const hd_function *map, const char *const *files,
                         hd__kernel **kernel);

#endif
