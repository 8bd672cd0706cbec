// SPDX-License-Identifier: Apache-2.0
// One thread's tools for selection: flags of a chunk of elements as bits, and elements and indices
// packed by the bits. Whatever the layout, the kernels see contiguous memory.
#ifndef HEDDLE_CPU_SELECT_SELECT_CHUNK_H
#define HEDDLE_CPU_SELECT_SELECT_CHUNK_H

#include "patterns/select/flags.h"
#include "cpu/runtime/cpu.h"
#include "select_kernels.h"

// Elements of a chunk: what a thread takes at a time. A multiple of 64.
int64_t hd__cpu_select_chunk(size_t element_size);

typedef struct hd__cpu_selector {
    const hd_view *in;
    const hd__flags *flags;
    const hd__cpu_select_kernels *micro;
    size_t size;               // of an element
    hd__cpu_pack_kernel *pack; // NULL: sizes and addresses that no kernel takes
    int64_t chunk;
    uint64_t *bits;          // of a chunk
    unsigned char *elements; // of a chunk, and the one before it, where they are not contiguous
    unsigned char *label_memory;
    unsigned char *packed; // elements on their way to where kernels cannot write
    uint32_t *positions;   // within the chunk, of the selected ones
    int64_t *wide;         // the same as indices
} hd__cpu_selector;

// What of it a pattern needs, besides bits and elements.
typedef struct hd__cpu_selector_needs {
    const hd_view *in;
    const hd__flags *flags;
    bool positions, packed;
} hd__cpu_selector_needs;

size_t hd__cpu_selector_bytes(const hd__cpu_selector_needs *w);
void hd__cpu_selector_init(hd__cpu_selector *c, const hd_context *ctx,
                           const hd__cpu_selector_needs *w, void *memory);

// The elements of a chunk, contiguous; before them, where head flags are wanted, the one before.
const void *hd__cpu_selector_elements(hd__cpu_selector *c, int64_t start, int64_t n);

// Fills n flags and returns how many are set. elements as above.
int64_t hd__cpu_selector_flags(hd__cpu_selector *c, int64_t start, int64_t n, const void *elements,
                               uint64_t *bits);

// Packs the selected ones of n elements to elements at, at + 1, ... of a view, as many as are there
// and fit; `apart` says that kernels may write to the view while they read the elements.
void hd__cpu_selector_pack(hd__cpu_selector *c, const void *elements, const uint64_t *bits,
                           int64_t n, int64_t count, const hd_view *out, int64_t at, bool apart);

// The positions within the chunk of the selected ones of n elements, count of them.
const uint32_t *hd__cpu_selector_positions(hd__cpu_selector *c, const uint64_t *bits, int64_t n,
                                           int64_t count);

// Writes base + positions[j] to elements at, at + 1, ... of a view, as many as fit.
void hd__cpu_selector_put_indices(hd__cpu_selector *c, const uint32_t *positions, int64_t count,
                                  int64_t base, const hd_view *out, int64_t at);

// Inverts n flags.
void hd__cpu_selector_invert(uint64_t *bits, int64_t n);

#endif
