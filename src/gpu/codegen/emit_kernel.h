// SPDX-License-Identifier: Apache-2.0
// Code generation: a kernel's configuration, and the text made from it: types, reading, operator
// and writing, as one call needs them, before the files of the kernel.
#ifndef HEDDLE_GPU_CODEGEN_EMIT_KERNEL_H
#define HEDDLE_GPU_CODEGEN_EMIT_KERNEL_H

#include "gpu/gpu.h"

// A view as kernels get it: hk_view of base.cuh.
typedef struct hd__gpu_kernel_view {
    uint64_t data;
    int64_t shape[HD_MAX_DIMS], stride[HD_MAX_DIMS];
    int64_t start, step;
    unsigned char constant[16];
} hd__gpu_kernel_view;

typedef struct hd__gpu_kernel_inputs {
    hd__gpu_kernel_view view[HD_MAX_INPUTS];
} hd__gpu_kernel_inputs;

// How a view is read or written, as far as the text depends on it.
typedef struct hd__gpu_layout {
    hd_type type;
    uint8_t form;          // hd__gpu_layout_form
    uint8_t ndim;          // of HD__GPU_DIMENSIONS
    uint8_t aligned;       // its address is a multiple of this
    uint8_t index;         // the type of the index of HD__GPU_INDEXED
    uint8_t index_aligned; // an index without gaps: its address is a multiple of this; else 0
    uint8_t dense_base;    // the base has no gaps
    uint8_t unused[2];     // keys of kernels are compared as bytes
} hd__gpu_layout;

typedef enum hd__gpu_layout_form {
    HD__GPU_ABSENT,
    HD__GPU_CONTIGUOUS, // one element after another
    HD__GPU_STRIDED,    // one dimension
    HD__GPU_DIMENSIONS,
    HD__GPU_CONSTANT,
    HD__GPU_PROGRESSION,
    HD__GPU_INDEXED
} hd__gpu_layout_form;

// Outputs of integers: hk_put_index and so on.
enum {
    HD__GPU_PUT_INDEX,
    HD__GPU_PUT_LENGTH,
    HD__GPU_PUT_COUNT,
    HD__GPU_PUT_BEGIN,
    HD__GPU_PUT_KEY,
    HD__GPU_INTEGERS
};

// The rule of an axis of a histogram: hd__bins, as far as the text depends on it.
typedef struct hd__gpu_bins {
    hd_type type;
    uint8_t rule, clamp, whole;
    uint8_t narrow; // integer bins by arithmetic of 32 bits
} hd__gpu_bins;

enum { HD__GPU_OFFSETS_MAX = 27 }; // of a stencil that are numbers in the text

// What kernels of neighbourhoods depend on: types of elements, of sums and of results, the border,
// the mask, how weights come and what becomes of sums.
typedef struct hd__gpu_neighbourhood {
    hd_type in, out, sum;
    uint8_t border, channels, batch_axes;
    uint8_t function;     // of so many neighbours; 0: a sum
    uint8_t rounds;       // sums become results as hd_blur says
    uint8_t mends;        // sums that are not finite are computed directly
    uint8_t by_parameter; // weights are a parameter
    uint8_t in_vectors, out_vectors, out_contiguous;
    uint8_t strip; // 1: two passes of a separable mask; 2: of the Gaussian of u8
    uint8_t near;  // steps between lines are below 2^31
    uint8_t loads; // vectors of a thread under way
    uint8_t unused;
    int32_t rows, columns, anchor_y, anchor_x;
    int8_t offset[HD__GPU_OFFSETS_MAX][3], least[3],
        most[3]; // of a stencil, `offset_count` of them
    uint8_t offset_count;
} hd__gpu_neighbourhood;

// Everything a text depends on, but for users' texts. Compared as bytes: cleared before it is
// filled.
typedef struct hd__gpu_kernel_config {
    char kernel[24]; // its name
    int32_t inputs;  // 0: the text has neither fold nor function
    int32_t k, rows, threads, blocks, chunks;
    int32_t items, key_rows; // of a tile of segments and elements; of keys or offsets at once
    int32_t hint;            // of tuning.def
    hd__gpu_layout in[HD_MAX_INPUTS], out, values, offsets, keys, keys_out;
    int32_t op, form; // of the fold; -1: none
    hd_type element, number, result, value;
    int32_t ddof;
    uint8_t divides, squares, has_init, exclusive, has_values;
    uint8_t of_heads;      // bounds are those of segments of a scan
    uint8_t pairs;         // a scan over pairs of a head and a value: hd__gpu_pairs_of
    uint8_t contiguous;    // the elements of a tile lie together
    uint8_t carries;       // a scan that goes on after a prefix
    uint8_t register_rows; // rows of a scan's tile that stay in registers
    uint8_t rows_unrolled; // rows of a scan that go down the tree together
    uint8_t direct;        // chunks of segments are not brought to shared memory
    uint8_t writes_nodes;  // outputs are nodes
    uint8_t codegen_kind;  // hd__gpu_codegen_kind: what stands between reading and the kernel
    uint8_t heads, invert, both, in_place;
    uint8_t slices;
    uint8_t known;                   // what is selected before each tile
    uint8_t bits, passes, wide_keys; // of radix passes
    uint8_t out_of_range_last; // keys out of range come behind all others; else they are a fault
    uint8_t at_once; // a radix pass may scatter to destinations (values) at once: 1, by a bitmap: 2
    uint8_t wide_destinations; // of 64 bits
    uint8_t scatters;          // a fold into what is there
    int32_t stage_bytes;       // of a block of a radix pass
    hd__gpu_bins bins[2];      // of a histogram
    uint8_t axes;
    uint8_t last_first; // blocks go from the last elements to the first
    uint8_t unused[2];
    hd__gpu_neighbourhood stencil;
    hd__gpu_layout integer[HD__GPU_INTEGERS];
} hd__gpu_kernel_config;

// What the text has of a pattern.
typedef enum hd__gpu_codegen_kind {
    HD__GPU_CODEGEN_FOLD, // or a map
    HD__GPU_CODEGEN_FLAGS,
    HD__GPU_CODEGEN_GATHER,
    HD__GPU_CODEGEN_OFFSETS, // offsets and keys, without elements
    HD__GPU_CODEGEN_UNITS,   // elements as units of stage_bytes bytes
    HD__GPU_CODEGEN_FIND,    // elements, and whether they are wanted
    HD__GPU_CODEGEN_HISTOGRAM,
    HD__GPU_CODEGEN_SORT,       // keys and values as bits
    HD__GPU_CODEGEN_ORDER,      // elements, and whether one comes before another
    HD__GPU_CODEGEN_LINKS,      // integers, in and out
    HD__GPU_CODEGEN_DIFFERENCE, // elements and those before them
    HD__GPU_CODEGEN_STENCIL,
    HD__GPU_CODEGEN_STRUCTURES // a map of structures that go through shared memory
} hd__gpu_codegen_kind;

// Where the heads of a scan over pairs come from.
typedef enum hd__gpu_pairs_of {
    HD__GPU_NO_PAIRS,
    HD__GPU_PAIRS_OF_OFFSETS,
    HD__GPU_PAIRS_OF_KEYS
} hd__gpu_pairs_of;

// The layout of a view of the device, and the view as kernels get it.
hd__gpu_layout hd__gpu_layout_of(const hd_view *v);
hd__gpu_kernel_view hd__gpu_kernel_view_of(const hd_view *v);
hd__gpu_kernel_inputs hd__gpu_kernel_inputs_of(const hd__reader *r);

// Fills a configuration's inputs and how many elements a lane takes at once.
// Outputs of out_size bytes (0: few) lie as close as the elements do.
void hd__gpu_config_inputs(hd__gpu_kernel_config *config, const hd__reader *in, size_t out_size);
void hd__gpu_config_fold(hd__gpu_kernel_config *config, const hd__fold *f);

// ---- What a fold is like ------------------------------------------------------------------------

bool hd__gpu_commutes(const hd__fold *f); // not a bit depends on the order of two operands
bool hd__gpu_has_identity(const hd__fold *f);
const char *hd__gpu_short_sum(const hd__fold *f); // the type of 32 bits; NULL: none
const char *
hd__gpu_native_atomic(const hd__fold *f); // the instruction that combines at an address, or NULL

// ---- Emitting -----------------------------------------------------------------------------------

// The whole text of a kernel.
void hd__gpu_emit_kernel(hd__gpu_text *t, const hd__gpu_kernel_config *config, const hd__fold *fold,
                         const hd_function *map);

// kernel_config.h: the configuration as macros.
void hd__gpu_emit_config(hd__gpu_text *t, const hd__gpu_kernel_config *config, const hd__fold *f,
                         const hd_function *map);

// Types of the inputs, hk_one_k and hk_run_k of each; the user's function as hk_function, whose
// result is called `result`.
void hd__gpu_emit_inputs(hd__gpu_text *t, const hd__gpu_kernel_config *config, const hd__fold *fold,
                         const hd_function *map);
void hd__gpu_emit_function(hd__gpu_text *t, const hd_function *map, const char *result);
// The same, with parameter k a reference where bit k is set.
void hd__gpu_emit_function_of(hd__gpu_text *t, const hd_function *map, const char *result,
                              uint32_t references);

// hk_result_of: the output's element of a function's result; hk_put and hk_put_run.
void hd__gpu_emit_result(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                         const hd_function *map);

// A user's source, if there is one.
void hd__gpu_emit_source(hd__gpu_text *t, const hd_source *source);

// The state of a user's text: a variable in constant memory, which is filled before a launch, and
// the parameter `state` of the text's function, with the comma before it. None: nothing.
#define HD__GPU_FUNCTION_STATE "hk_function_state"
#define HD__GPU_OPERATOR_STATE "hk_operator_state"
void hd__gpu_emit_state(hd__gpu_text *t, const hd_state *state, const char *variable);
void hd__gpu_emit_state_parameter(hd__gpu_text *t, const hd_state *state, const char *variable);

// Whether the text of a configuration with a function, with a fold, has that function or operator.
bool hd__gpu_emits_function(const hd__gpu_kernel_config *config);
bool hd__gpu_emits_operator(const hd__gpu_kernel_config *config);

// hk_NAME(view, i, x) and hk_NAME_run for elements of a C type.
void hd__gpu_emit_writing(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                          const hd__gpu_layout *l, const char *type, const char *name);

// The outputs of integers that a configuration has.
void hd__gpu_emit_integers(hd__gpu_text *t, const hd__gpu_kernel_config *config);

// A fold: hk_node, hk_combine, hk_transform, hk_give and so on; over pairs of a head and a node as
// well.
void hd__gpu_emit_fold(hd__gpu_text *t, const hd__gpu_kernel_config *config, const hd__fold *f);

// The end of a function that gives the node of x, a number of a type.
void hd__gpu_emit_node_of(hd__gpu_text *t, const hd__fold *f, hd_type from, const char *x);

// hk_bound(view, i): integers as i64.
void hd__gpu_emit_offsets(hd__gpu_text *t, const hd__gpu_layout *l);

// hk_element, flags and outputs, for the kernels that select elements.
void hd__gpu_emit_flags(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                        const hd_function *map);

// Elements that are fetched by an index, and what a function makes of them.
void hd__gpu_emit_gather(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                         const hd_function *map);

// hk_first, hk_second, hk_bin_0 and hk_bin_1: the axes of a histogram.
void hd__gpu_emit_histogram(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                            const hd_function *map);

// hk_difference(x, y): a function of an element and the one before it, or the difference of
// numbers; and hk_first(x), what the first one becomes where none is before it.
void hd__gpu_emit_difference(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                             const hd_function *map);

// hk_in, hk_value, hk_out; hk_value_of, hk_add and hk_out_of, or hk_apply: neighbours and sums of
// them, or a function.
void hd__gpu_emit_stencil(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                          const hd_function *map);

// hk_is_wanted(e, value): whether an element is equal to a value, or, without one, not zero.
void hd__gpu_emit_wanted(hd__gpu_text *t, const hd__gpu_kernel_config *config);

// hk_bits, hk_value: keys and values of a sort as bits; values are of stage_bytes bytes, 0: none.
void hd__gpu_emit_sort(hd__gpu_text *t, const hd__gpu_kernel_config *config);

// hk_unit, where elements are moved as bytes.
void hd__gpu_emit_units(hd__gpu_text *t, const hd__gpu_kernel_config *config);

// What a fold into destinations needs beside it.
void hd__gpu_emit_destinations(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                               const hd__fold *f);

#endif
