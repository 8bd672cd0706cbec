// SPDX-License-Identifier: Apache-2.0
// The front of a kernel's text: types, reading, operator and writing, as one call needs them.
#ifndef HEDDLE_GPU_CODEGEN_EMIT_KERNEL_H
#define HEDDLE_GPU_CODEGEN_EMIT_KERNEL_H

#include "gpu/gpu.h"

// A view as kernels get it: hd_view of base.cuh.
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

// Outputs of integers: hk_put_index and so on.
enum { HD__PUT_INDEX, HD__PUT_LENGTH, HD__PUT_COUNT, HD__PUT_BEGIN, HD__PUT_KEY, HD__INTEGERS };

// Everything a text depends on, but for users' texts. Compared as bytes: cleared before it is
// filled.
typedef struct hd__shape {
    char kernel[24]; // its name
    int32_t inputs;  // 0: the text has neither fold nor function
    int32_t k, rows, threads, blocks, chunks;
    int32_t items, key_rows; // of a tile of segments and elements; of keys or offsets at once
    int32_t hint;            // of tuning.def
    hd__layout in[HD_MAX_INPUTS], out, values, offsets, keys, keys_out;
    int32_t op, form; // of the fold; -1: none
    hd_type element, number, result, value;
    int32_t ddof;
    uint8_t divides, squares, has_init, exclusive, has_values;
    uint8_t of_heads; // bounds are those of segments of a scan
    uint8_t pairs;    // a scan over pairs of a head and a value: hd__pairs_of
    uint8_t dense;    // the elements of a tile lie together
    uint8_t carries;  // a scan that goes on after a prefix
    uint8_t held;     // rows of a scan that stay in registers
    uint8_t turn;     // rows of a scan that go down the tree together
    uint8_t direct;   // chunks of segments are not brought to shared memory
    uint8_t raw;      // outputs are nodes
    uint8_t says;     // hd__says: what stands between reading and the kernel
    uint8_t heads, invert, both, in_place;
    uint8_t slices;
    uint8_t known;                   // what is chosen before each tile
    uint8_t bits, passes, wide_keys; // of sweeps
    uint8_t loose;                   // keys out of range are the last
    uint8_t at_once;  // elements of a sweep may go to places (values) at once: 1, or with claims: 2
    uint8_t far;      // places are of 64 bits
    uint8_t scatters; // a fold into what is there
    int32_t stage_bytes; // of a block that sweeps
    hd__layout integer[HD__INTEGERS];
} hd__shape;

// What the text has of a pattern.
typedef enum hd__says {
    HD__SAYS_FOLD, // or a map
    HD__SAYS_LABELS,
    HD__SAYS_GATHER,
    HD__SAYS_BOUNDS // offsets and keys, without elements
} hd__says;

// Where the heads of a scan over pairs come from.
typedef enum hd__pairs_of { HD__NO_PAIRS, HD__PAIRS_OF_OFFSETS, HD__PAIRS_OF_KEYS } hd__pairs_of;

// The layout of a view of the device, and the view as kernels get it.
hd__layout hd__layout_of(const hd_view *v);
hd__kernel_view hd__kernel_view_of(const hd_view *v);
hd__kernel_inputs hd__kernel_inputs_of(const hd__reader *r);

// Fills a shape's inputs and how many elements a lane takes at once.
// Outputs of out_size bytes (0: few) lie as close as the elements do.
void hd__shape_inputs(hd__shape *s, const hd__reader *in, size_t out_size);
void hd__shape_fold(hd__shape *s, const hd__fold *f);

// The kernel for a shape, which names it: fold and map may be NULL.
hd_status hd__kernel_for(hd_context *ctx, hd__gpu *gpu, const hd__shape *shape,
                         const hd__fold *fold, const hd_function *map, hd__kernel **kernel);

// ---- What a fold is like ------------------------------------------------------------------------

bool hd__swaps_sides(const hd__fold *f); // not a bit depends on the order of two operands
bool hd__has_identity(const hd__fold *f);
const char *hd__short_sum(const hd__fold *f); // the type of 32 bits; NULL: none
const char *
hd__native_atomic(const hd__fold *f); // the instruction that combines at an address, or NULL

// ---- Parts of texts -----------------------------------------------------------------------------

// kernel_config.h: the configuration as macros.
void hd__emit_config(hd__text *t, const hd__shape *s, const hd__fold *f, const hd_function *map);

// Types of the inputs, hk_one_k and hk_run_k of each; the user's function as hd_function, whose
// result is called `result`.
void hd__say_inputs(hd__text *t, const hd__shape *s, const hd__fold *fold, const hd_function *map);
void hd__say_function(hd__text *t, const hd_function *map, const char *result);

// hk_NAME(view, i, x) and hk_NAME_run for elements of a C type.
void hd__say_writing(hd__text *t, const hd__shape *s, const hd__layout *l, const char *type,
                     const char *name);

// The outputs of integers a shape has.
void hd__say_integers(hd__text *t, const hd__shape *s);

// A fold: hk_node, hk_combine, hk_transform, hk_give and so on; over pairs of a head and a node as
// well.
void hd__say_fold(hd__text *t, const hd__shape *s, const hd__fold *f);

// The end of a function that gives the node of x, a number of a type.
void hd__say_node_of(hd__text *t, const hd__fold *f, hd_type from, const char *x);

// hk_bound(view, i): integers as i64.
void hd__say_bounds(hd__text *t, const hd__layout *l);

// hk_element, labels and outputs, for the kernels that choose elements.
void hd__say_labels(hd__text *t, const hd__shape *s, const hd_function *map);

// Elements that are fetched by an index, and what a function makes of them.
void hd__say_gather(hd__text *t, const hd__shape *s, const hd_function *map);

// What a fold into places needs beside it.
void hd__say_places(hd__text *t, const hd__shape *s, const hd__fold *f);

#endif
