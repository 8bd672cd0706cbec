// SPDX-License-Identifier: Apache-2.0
//
// wmma: matrices that a warp holds in fragments. Which lane has which element is nobody's business
// but the machine's, as PTX says; here the elements of a matrix go by rows over the lanes, one
// lane's after another's, twice over where there is room (f16). Sums are made as mma makes them.
#include "model/exec/access.h"
#include "numbers.h"
#include "run.h"

#include <string.h>

typedef struct fragment_shape {
    int rows, columns, elements; // elements: of a lane
    int parts;                   // elements of a register
} fragment_shape;

static const struct {
    uint8_t mod, m, n, k;
} sizes[] = {
    {PTX_MOD_M16N16K16, 16, 16, 16},
    {PTX_MOD_M32N8K16, 32, 8, 16},
    {PTX_MOD_M8N32K16, 8, 32, 16},
    {PTX_MOD_M16N16K8, 16, 16, 8},
};

static int size_of(const ptx_instruction *i)
{
    for (int k = 0; k < (int)(sizeof sizes / sizeof *sizes); k++)
        if (ptx_has(i, (ptx_modifier)sizes[k].mod)) return k;
    return -1;
}

static int bytes_of(ptx_type type)
{
    return type == PTX_TF32 ? 4 : hd__model_ptx_type_bytes(type);
}

// The shape of matrix 'a', 'b' or 'c' (which is also d's).
static fragment_shape shape_of(int size, char which, ptx_type type)
{
    const int m = sizes[size].m, n = sizes[size].n, k = sizes[size].k;
    fragment_shape s = {.rows = which == 'b' ? k : m, .columns = which == 'a' ? k : n};
    s.parts = 4 / bytes_of(type);
    s.elements = which != 'c' && type == PTX_F16 ? 16 : s.rows * s.columns / WARP;
    return s;
}

// ---- What is known ------------------------------------------------------------------------------

static bool is_input(ptx_type type, int size)
{
    if (sizes[size].k == 8) return type == PTX_TF32;
    return type == PTX_F16 || type == PTX_BF16 || type == PTX_S8 || type == PTX_U8;
}

static bool is_sum(ptx_type type)
{
    return type == PTX_F32 || type == PTX_F16 || type == PTX_S32;
}

// The types of d, a, b and c of a product. false: not known.
static bool product_types(const ptx_instruction *i, int size, ptx_type type[4])
{
    if (i->types == 2) { // of f16
        const ptx_type all[] = {(ptx_type)i->type[0], PTX_F16, PTX_F16, (ptx_type)i->type[1]};
        memcpy(type, all, sizeof all);
        return sizes[size].k == 16 && type[0] != PTX_S32 && type[3] != PTX_S32 && is_sum(type[0]) &&
               is_sum(type[3]);
    }
    for (int k = 0; k < 4; k++) type[k] = (ptx_type)i->type[k];
    const bool whole = type[1] == PTX_S8 || type[1] == PTX_U8;
    return i->types == 4 && type[1] == type[2] && is_input(type[1], size) && type[1] != PTX_F16 &&
           type[0] == type[3] && type[0] == (whole ? PTX_S32 : PTX_F32);
}

static char matrix_of(const ptx_instruction *i)
{
    return ptx_has(i, PTX_MOD_MATRIX_A) ? 'a' : ptx_has(i, PTX_MOD_MATRIX_B) ? 'b' : 'c';
}

int hd__model_wmma_registers(const ptx_instruction *i, int operand)
{
    const int size = size_of(i);
    ptx_type type[4] = {0};
    if (size < 0) return 0;
    char which = matrix_of(i);
    type[0] = (ptx_type)i->type[0];
    if (ptx_has(i, PTX_MOD_MMA)) {
        if (!product_types(i, size, type)) return 0;
        which = operand == 1 ? 'a' : operand == 2 ? 'b' : 'c';
        type[0] = type[operand];
    } else if (i->types != 1 || (which == 'c' ? !is_sum(type[0]) : !is_input(type[0], size))) {
        return 0;
    }
    const fragment_shape s = shape_of(size, which, type[0]);
    return s.elements / s.parts;
}

// ---- Moving -------------------------------------------------------------------------------------

static bool all_here(machine *m, const operation *o)
{
    if (m->mask == UINT32_MAX) return true;
    hd__model_machine_fail(m, o, "%d lanes of a warp; all 32 must take part",
                           __builtin_popcount(m->mask));
    return false;
}

// Where element i of each lane is: row after row of `stride` elements, or column after column.
static void addresses(const machine *m, const operation *o, const fragment_shape *s, int i,
                      access_places *p)
{
    const uint64_t *wide = SLOT(m, o->a);
    const uint32_t *narrow = SLOT(m, o->a), *stride = SLOT(m, o->b);
    const bool columns = ptx_has(o->text, PTX_MOD_COL);
    for (int l = 0; l < WARP; l++) {
        const int flat = (l * s->elements + i) % (s->rows * s->columns);
        const uint64_t row = (uint64_t)(flat / s->columns), column = (uint64_t)(flat % s->columns);
        const uint64_t apart = o->c != 0 ? stride[l] : (uint64_t)(columns ? s->rows : s->columns);
        const uint64_t at = columns ? column * apart + row : row * apart + column;
        p->address[l] = (o->type2 == 8 ? wide[l] : narrow[l]) + (uint64_t)o->offset +
                        at * (uint64_t)(4 / s->parts);
        if (o->space == PTX_SHARED) p->address[l] = (uint32_t)p->address[l];
    }
    p->order = ORDER_WEAK;
}

// Elements that lie together in a register and in memory move at once.
static void move(machine *m, const operation *o)
{
    const bool stores = ptx_has(o->text, PTX_MOD_STORE);
    const fragment_shape s = shape_of(o->count, matrix_of(o->text), (ptx_type)o->text->type[0]);
    const int bytes = o->bytes, each = bytes * s.parts / 4; // elements at once
    if (!all_here(m, o)) return;
    for (int i = 0; i < s.elements; i += each) {
        uint32_t *words = SLOT(m, m->frame->program->list[o->list + (uint32_t)(i / s.parts)]);
        const int shift = i % s.parts * (32 / s.parts);
        const uint32_t bits = bytes == 4 ? UINT32_MAX : ((1u << 8 * bytes) - 1) << shift;
        access_places p;
        addresses(m, o, &s, i, &p);
        hd__model_access_places(m, o, (ptx_space)o->space, stores ? ACCESS_STORE : ACCESS_LOAD,
                                bytes, &p);
        for (int l = 0; l < WARP; l++) {
            uint32_t word = stores ? words[l] >> shift : 0;
            if (!(p.good >> l & 1)) continue;
            if (stores)
                memcpy(p.host[l], &word, (size_t)bytes); // the host's bytes are in the same order
            else
                memcpy(&word, p.host[l], (size_t)bytes);
            if (!stores) words[l] = (words[l] & ~bits) | word << shift;
        }
    }
}

// ---- Products -----------------------------------------------------------------------------------

enum { MAX = 32 * 16 };

typedef union wmma_number {
    double real;
    int32_t whole;
} wmma_number;

static wmma_number number_of(ptx_type type, uint32_t word, int part)
{
    switch (type) {
    case PTX_F16: return (wmma_number){.real = hd__f16_to_f32((uint16_t)(word >> 16 * part))};
    case PTX_BF16: return (wmma_number){.real = hd__bf16_to_f32((uint16_t)(word >> 16 * part))};
    case PTX_TF32: return (wmma_number){.real = f32_of(word & 0xffffe000u)};
    case PTX_S8: return (wmma_number){.whole = (int8_t)(word >> 8 * part)};
    case PTX_U8: return (wmma_number){.whole = (uint8_t)(word >> 8 * part)};
    case PTX_S32: return (wmma_number){.whole = (int32_t)word};
    default: return (wmma_number){.real = f32_of(word)};
    }
}

static void gather(const machine *m, const uint32_t *slots, const fragment_shape *s, ptx_type type,
                   wmma_number *to)
{
    for (int l = 0; l < WARP; l++)
        for (int i = 0; i < s->elements; i++) {
            const uint32_t *words = SLOT(m, slots[i / s->parts]);
            to[(l * s->elements + i) % (s->rows * s->columns)] =
                number_of(type, words[l], i % s->parts);
        }
}

static void spread(const machine *m, const uint32_t *slots, const fragment_shape *s, ptx_type type,
                   const wmma_number *from)
{
    for (int l = 0; l < WARP; l++)
        for (int i = 0; i < s->elements; i++) {
            uint32_t *words = SLOT(m, slots[i / s->parts]);
            const wmma_number x = from[l * s->elements + i];
            if (type == PTX_F16) {
                const uint32_t half = hd__f32_to_f16((float)x.real);
                words[l] = i % 2 == 0 ? half : (words[l] & 0xffffu) | half << 16;
            } else {
                words[l] = type == PTX_S32 ? (uint32_t)x.whole : bits_of_f32((float)x.real);
            }
        }
}

static void multiply(machine *m, const operation *o)
{
    wmma_number a[MAX], b[MAX], c[MAX], d[MAX];
    ptx_type type[4];
    const int inner = sizes[o->count].k;
    if (!all_here(m, o)) return;
    product_types(o->text, o->count, type);
    const fragment_shape to = shape_of(o->count, 'c', type[0]),
                         from = shape_of(o->count, 'c', type[3]);
    const fragment_shape left = shape_of(o->count, 'a', type[1]);
    const fragment_shape right = shape_of(o->count, 'b', type[2]);
    const uint32_t *d_slots = m->frame->program->list + o->list;
    const uint32_t *a_slots = d_slots + to.elements / to.parts;
    const uint32_t *b_slots = a_slots + left.elements / left.parts;
    gather(m, a_slots, &left, type[1], a);
    gather(m, b_slots, &right, type[2], b);
    gather(m, b_slots + right.elements / right.parts, &from, type[3], c);
    for (int row = 0; row < to.rows; row++)
        for (int column = 0; column < to.columns; column++) {
            wmma_number sum = c[row * to.columns + column];
            for (int k = 0; k < inner; k++) {
                const wmma_number x = a[row * inner + k], y = b[k * to.columns + column];
                if (type[0] == PTX_S32)
                    sum.whole = (int32_t)((uint32_t)sum.whole + (uint32_t)(x.whole * y.whole));
                else
                    sum.real += x.real * y.real;
            }
            d[row * to.columns + column] = sum;
        }
    spread(m, d_slots, &to, type[0], d);
}

run_operation *hd__model_dispatch_wmma(const ptx_instruction *i, operation *o)
{
    if (!ptx_has(i, PTX_MOD_SYNC) || !ptx_has(i, PTX_MOD_ALIGNED)) return NULL;
    if (ptx_has(i, PTX_MOD_SATFINITE) || hd__model_wmma_registers(i, 0) == 0) return NULL;
    if (!ptx_has(i, PTX_MOD_ROW) && !ptx_has(i, PTX_MOD_COL)) return NULL;
    o->count = size_of(i);
    if (ptx_has(i, PTX_MOD_MMA)) return multiply;
    o->bytes = (uint8_t)(ptx_has(i, PTX_MOD_COL) ? bytes_of((ptx_type)i->type[0]) : 4);
    return move;
}
