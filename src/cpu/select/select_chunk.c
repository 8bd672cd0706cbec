// SPDX-License-Identifier: Apache-2.0
// Flags of a chunk of elements as bits, and elements packed by bits into contiguous memory.
#include "select_chunk.h"
#include "core/convert.h"
#include "cpu/runtime/isa.h"
#include "patterns/select/equal_keys.h"

HD__CPU_BRINGS(const hd__cpu_select_kernels, select_micro)

int64_t hd__cpu_select_chunk(size_t element_size)
{
    const int64_t bytes = hd__cpu_tune.select_chunk_bytes;
    const int64_t chunk = hd__cpu_tune.select_chunk;
    if ((int64_t)element_size * chunk <= bytes) return chunk;
    return bytes / (int64_t)element_size / 64 * 64;
}

static int64_t words_of(int64_t n)
{
    return (n + 63) / 64;
}

// ---- Memory ------------------------------------------------------------------------------------

// Blocks in the order of the structure; a NULL base only measures.
static size_t lay_out(hd__cpu_selector *c, const hd__cpu_selector_needs *w, unsigned char *base)
{
    const size_t size = hd__size_of(w->in->type), chunk = (size_t)hd__cpu_select_chunk(size);
    size_t at = 0;
    c->bits = (void *)(base + at);
    at += hd__padded(chunk / 8);
    // the element before a chunk ends where the chunk begins, which is aligned
    c->elements = base + at + hd__padded(size);
    at += hd__padded(size) + (hd__is_contiguous(w->in) ? 0 : hd__padded(chunk * size));
    c->label_memory = base + at;
    at += w->flags->heads ? 0 : hd__flags_bytes(w->flags, hd__cpu_tune.select_block);
    c->packed = base + at;
    at += w->packed ? hd__padded(chunk * size) : 0;
    if (!w->positions) return at;
    c->positions = (void *)(base + at);
    at += hd__padded(chunk * sizeof(uint32_t));
    c->wide = (void *)(base + at);
    return at + hd__padded(chunk * sizeof(int64_t));
}

size_t hd__cpu_selector_bytes(const hd__cpu_selector_needs *w)
{
    hd__cpu_selector measured;
    return lay_out(&measured, w, (unsigned char *)(uintptr_t)HD__ALIGNMENT);
}

static int size_class(size_t size)
{
    return size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : size == 8 ? 3 : -1;
}

void hd__cpu_selector_init(hd__cpu_selector *c, const hd_context *ctx,
                           const hd__cpu_selector_needs *w, void *memory)
{
    c->in = w->in;
    c->flags = w->flags;
    c->micro = hd__cpu_micro_table(ctx)->select;
    c->size = hd__size_of(w->in->type);
    c->chunk = hd__cpu_select_chunk(c->size);
    c->pack = size_class(c->size) >= 0 ? c->micro->pack[size_class(c->size)] : NULL;
    lay_out(c, w, memory);
}

// ---- Elements into bits ------------------------------------------------------------------------

const void *hd__cpu_selector_elements(hd__cpu_selector *c, int64_t start, int64_t n)
{
    if (hd__is_contiguous(c->in)) return hd__at(c->in, start);
    const int64_t before = start > 0 && c->flags->heads;
    hd__gather(c->in, start - before, n + before, c->elements - (size_t)before * c->size);
    return c->elements;
}

// By a comparison, or byte by byte: structures.
static void heads_one_by_one(const hd__cpu_selector *c, uint64_t *bits, const unsigned char *x,
                             int64_t n)
{
    const hd_comparison *by = c->flags->comparison;
    const size_t size = c->size;
    memset(bits, 0, (size_t)words_of(n) * sizeof *bits);
    for (int64_t i = 0; i < n; i++, x += size) {
        const bool head =
            by != NULL ? hd__differ_by(by, x - size, x) : memcmp(x, x - size, size) != 0;
        bits[i / 64] |= (uint64_t)head << (i % 64);
    }
}

static bool has_kernel(const hd__cpu_selector *c)
{
    return c->flags->comparison == NULL && hd__is_number(c->in->type);
}

// The very first element begins a run, and has none before it to compare with: a copy that has one
// (itself) stands in for the first word's elements.
static void heads_at_start(hd__cpu_selector *c, const unsigned char *x, int64_t n, uint64_t *bits)
{
    _Alignas(HD__ALIGNMENT) unsigned char first[65 * 8];
    const int64_t m = n < 64 ? n : 64;
    if (!has_kernel(c)) {
        heads_one_by_one(c, bits, x + c->size, n - 1);
        for (int64_t k = words_of(n) - 1; k >= 0; k--) // make room for the first
            bits[k] = (k == words_of(n - 1) ? 0 : bits[k] << 1) | (k > 0 ? bits[k - 1] >> 63 : 1);
        return;
    }
    memcpy(first, x, c->size);
    memcpy(first + c->size, x, (size_t)m * c->size);
    hd__cpu_flag_kernel *heads = c->micro->heads[c->in->type];
    heads(bits, first + c->size, m);
    bits[0] |= 1;
    if (n > 64) heads(bits + 1, x + 64 * c->size, n - 64);
}

void hd__cpu_selector_invert(uint64_t *bits, int64_t n)
{
    for (int64_t k = 0; k < words_of(n); k++) bits[k] = ~bits[k];
    if (n % 64 != 0) bits[n / 64] &= ((uint64_t)1 << (n % 64)) - 1;
}

static void nonzero(hd__cpu_selector *c, int64_t start, int64_t n, const unsigned char *elements,
                    uint64_t *bits)
{
    const int64_t block = hd__cpu_tune.select_block;
    const hd__flags *l = c->flags;
    const bool contiguous =
        l->in.map == NULL && hd__is_contiguous(&l->in.view[0]); // contiguous in memory
    for (int64_t at = 0, m; at < n; at += m) {
        m = contiguous || n - at < block ? n - at : block;
        const void *x = elements != NULL ? elements + (size_t)at * c->size : NULL;
        const void *flags = hd__read_flags(l, start + at, m, x, c->label_memory);
        c->micro->nonzero[l->type](bits + at / 64, flags, m);
    }
}

int64_t hd__cpu_selector_flags(hd__cpu_selector *c, int64_t start, int64_t n, const void *elements,
                               uint64_t *bits)
{
    const hd__flags *l = c->flags;
    if (!l->heads) {
        nonzero(c, start, n, elements, bits);
        if (l->invert) hd__cpu_selector_invert(bits, n);
    } else if (start == 0) {
        heads_at_start(c, elements, n, bits);
    } else if (has_kernel(c)) {
        c->micro->heads[c->in->type](bits, elements, n);
    } else {
        heads_one_by_one(c, bits, elements, n);
    }
    return c->micro->count(bits, words_of(n));
}

// ---- Bits into contiguous memory ----------------------------------------------------------------

static bool is_aligned(const void *p, size_t size)
{
    return (uintptr_t)p % size == 0;
}

static void pack(const hd__cpu_selector *c, void *out, const void *in, const uint64_t *bits,
                 int64_t n, int64_t room)
{
    if (c->pack != NULL && is_aligned(out, c->size) && is_aligned(in, c->size)) {
        c->pack(out, in, bits, n, room);
        return;
    }
    unsigned char *o = out;
    const unsigned char *x = in;
    for (int64_t k = 0; k < words_of(n); k++, x += 64 * c->size)
        for (uint64_t m = bits[k]; m != 0 && room > 0; m &= m - 1, room--, o += c->size)
            memcpy(o, x + (size_t)__builtin_ctzll(m) * c->size, c->size);
}

static int64_t fitting(const hd_view *out, int64_t at, int64_t count)
{
    const int64_t left = hd_count(*out) - at;
    return left < 0 ? 0 : left < count ? left : count;
}

void hd__cpu_selector_pack(hd__cpu_selector *c, const void *elements, const uint64_t *bits,
                           int64_t n, int64_t count, const hd_view *out, int64_t at, bool apart)
{
    const int64_t room = fitting(out, at, count);
    if (room == 0) return;
    if (apart && hd__is_contiguous(out)) {
        pack(c, (void *)(uintptr_t)hd__at(out, at), elements, bits, n, room);
        return;
    }
    pack(c, c->packed, elements, bits, n, room);
    hd__scatter(out, at, room, c->packed);
}

const uint32_t *hd__cpu_selector_positions(hd__cpu_selector *c, const uint64_t *bits, int64_t n,
                                           int64_t count)
{
    c->micro->positions(c->positions, bits, n, count);
    return c->positions;
}

void hd__cpu_selector_put_indices(hd__cpu_selector *c, const uint32_t *positions, int64_t count,
                                  int64_t base, const hd_view *out, int64_t at)
{
    const int64_t room = fitting(out, at, count);
    if (room == 0) return;
    for (int64_t j = 0; j < room; j++) c->wide[j] = base + positions[j];
    hd__put_indices(out, at, room, c->wide);
}
