// SPDX-License-Identifier: Apache-2.0
//
// Matrices that a warp holds in its registers: mma, whose lanes have the elements that PTX's tables
// give them, and ldmatrix, stmatrix, which move 8 x 8 of them between shared memory and such
// registers. A product's sum is made in f64 (integers: in s32) in the order of k and rounded once;
// hardware adds in an order of its own. Of f64 each product is added with one rounding.
#include "model/exec/access.h"
#include "numbers.h"
#include "run.h"

#include <math.h>
#include <string.h>

#define M 16
#define N 8
#define K 32 // the most

// ---- mma ----------------------------------------------------------------------------------------

// Which elements a lane has: r registers of A, half as many of B, each of `parts` elements.
typedef struct matrix_shape {
    uint8_t mod; // of its size
    uint8_t k, parts, registers;
} matrix_shape;

static const matrix_shape shapes[] = {
    {PTX_MOD_M16N8K16, 16, 2, 4},                               // f16, bf16
    {PTX_MOD_M16N8K8, 8, 2, 2},   {PTX_MOD_M16N8K8, 8, 1, 4},   // tf32
    {PTX_MOD_M16N8K4, 4, 1, 2},   {PTX_MOD_M16N8K32, 32, 4, 4}, // 8-bit integers
    {PTX_MOD_M16N8K16, 16, 4, 2},
};

static int parts_of(ptx_type type)
{
    switch (type) {
    case PTX_F16:
    case PTX_BF16: return 2;
    case PTX_TF32: return 1;
    case PTX_S8:
    case PTX_U8: return 4;
    default: return 0;
    }
}

// NULL: no such one.
static const matrix_shape *shape_of(const ptx_instruction *i)
{
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        if (ptx_has(i, (ptx_modifier)shapes[k].mod) &&
            parts_of((ptx_type)i->type[1]) == shapes[k].parts)
            return &shapes[k];
    return NULL;
}

// 8 x 8, 4 deep: a lane has one element of A and of B, and two of the sums.
static bool is_double(const ptx_instruction *i)
{
    for (int k = 0; k < 4; k++)
        if (i->types != 4 || i->type[k] != PTX_F64) return false;
    return ptx_has(i, PTX_MOD_M8N8K4) && !ptx_has(i, PTX_MOD_RZ) && !ptx_has(i, PTX_MOD_RM) &&
           !ptx_has(i, PTX_MOD_RP);
}

int hd__model_matrix_registers(const ptx_instruction *i, int operand)
{
    if (is_double(i)) return operand == 1 || operand == 2 ? 1 : 2;
    const matrix_shape *s = shape_of(i);
    if (s == NULL) return 0;
    if (operand == 1) return s->registers;
    if (operand == 2) return s->registers / 2;
    return i->type[operand == 0 ? 0 : 3] == PTX_F16 ? 2 : 4;
}

typedef union element {
    double real;
    int32_t whole;
} element;

static element element_of(ptx_type type, uint32_t word, int part)
{
    const uint16_t half = (uint16_t)(word >> 16 * (part & 1));
    switch (type) {
    case PTX_F16: return (element){.real = hd__f16_to_f32(half)};
    case PTX_BF16: return (element){.real = hd__bf16_to_f32(half)};
    case PTX_TF32: return (element){.real = f32_of(word & 0xffffe000u)};
    case PTX_S8: return (element){.whole = (int8_t)(word >> 8 * part)};
    default: return (element){.whole = (uint8_t)(word >> 8 * part)};
    }
}

// Register r of A is of rows lane / 4 and 8 below (odd r), and of columns a group further right
// with each two; register r of B is of column lane / 4, and of rows a group further down.
static void gather(const machine *m, const operation *o, const matrix_shape *s, element a[M][K],
                   element b[K][N])
{
    const uint32_t *slot =
        m->frame->program->list + o->list + hd__model_matrix_registers(o->text, 0);
    for (int r = 0; r < s->registers + s->registers / 2; r++) {
        const uint32_t *words = SLOT(m, slot[r]);
        const bool of_a = r < s->registers;
        const int group = of_a ? r / 2 : r - s->registers;
        const ptx_type type = (ptx_type)o->text->type[of_a ? 1 : 2];
        for (int l = 0; l < WARP; l++)
            for (int p = 0; p < s->parts; p++) {
                const int along = (group * 4 + l % 4) * s->parts + p;
                const element e = element_of(type, words[l], p);
                if (of_a)
                    a[l / 4 + 8 * (r % 2)][along] = e;
                else
                    b[along][l / 4] = e;
            }
    }
}

// The sum at c[row][column], and its place: lane, register, half.
static void multiply(machine *m, const operation *o)
{
    element a[M][K], b[K][N];
    const matrix_shape *s = &shapes[o->count];
    const uint32_t *list = m->frame->program->list + o->list;
    const ptx_type to = (ptx_type)o->text->type[0], from = (ptx_type)o->text->type[3];
    const uint32_t *c = list + hd__model_matrix_registers(o->text, 0) + s->registers * 3 / 2;
    uint32_t result[4][WARP] = {{0}};
    if (m->mask != UINT32_MAX) {
        hd__model_machine_fail(m, o, "%d lanes of a warp; all 32 must take part",
                               __builtin_popcount(m->mask));
        return;
    }
    gather(m, o, s, a, b);
    for (int l = 0; l < WARP; l++)
        for (int i = 0; i < 4; i++) {
            const int row = l / 4 + 8 * (i / 2), column = l % 4 * 2 + i % 2;
            const uint32_t had = ((const uint32_t *)SLOT(m, c[from == PTX_F16 ? i / 2 : i]))[l];
            if (to == PTX_S32) {
                uint32_t sum = had;
                for (int k = 0; k < s->k; k++)
                    sum += (uint32_t)(a[row][k].whole * b[k][column].whole);
                result[i][l] = sum;
                continue;
            }
            double sum =
                from == PTX_F16 ? hd__f16_to_f32((uint16_t)(had >> 16 * (i % 2))) : f32_of(had);
            for (int k = 0; k < s->k; k++) sum += a[row][k].real * b[k][column].real;
            if (to == PTX_F32)
                result[i][l] = bits_of_f32((float)sum);
            else
                result[i / 2][l] |= (uint32_t)hd__f32_to_f16((float)sum) << 16 * (i % 2);
        }
    for (int r = 0; r < (to == PTX_F16 ? 2 : 4); r++)
        memcpy(SLOT(m, list[r]), result[r], sizeof result[r]);
}

// Lane l has row l / 4 of A at column l % 4, column l / 4 of B at row l % 4, and the sums at row l
// / 4, columns 2 (l % 4) and the next.
static void multiply_doubles(machine *m, const operation *o)
{
    const uint32_t *list = m->frame->program->list + o->list;
    const double *a = SLOT(m, list[2]), *b = SLOT(m, list[3]);
    double sum[2][WARP];
    if (m->mask != UINT32_MAX) {
        hd__model_machine_fail(m, o, "%d lanes of a warp; all 32 must take part",
                               __builtin_popcount(m->mask));
        return;
    }
    for (int l = 0; l < WARP; l++)
        for (int i = 0; i < 2; i++) {
            const int row = l / 4, column = l % 4 * 2 + i;
            sum[i][l] = ((const double *)SLOT(m, list[4 + i]))[l];
            for (int k = 0; k < 4; k++)
                sum[i][l] = fma(a[4 * row + k], b[4 * column + k], sum[i][l]);
        }
    for (int i = 0; i < 2; i++) memcpy(SLOT(m, list[i]), sum[i], sizeof sum[i]);
}

// ---- ldmatrix, stmatrix -------------------------------------------------------------------------

// Lane 8 j + r has the address of row r of matrix j. Lane l gets of each matrix the two elements 2
// (l % 4) and the next of row l / 4; transposed, the rows 2 (l % 4) and the next of column l / 4.
static void move(machine *m, const operation *o)
{
    const uint32_t all = m->mask, asking = o->vector == 4 ? UINT32_MAX : (1u << 8 * o->vector) - 1;
    const uint32_t *list = m->frame->program->list + o->list;
    const bool stores = o->op == PTX_OP_stmatrix, turned = ptx_has(o->text, PTX_MOD_TRANS);
    access_places p;
    if (all != UINT32_MAX) {
        hd__model_machine_fail(m, o, "%d lanes of a warp; all 32 must take part",
                               __builtin_popcount(all));
        return;
    }
    m->mask = asking;
    hd__model_access_find(m, o, stores ? ACCESS_STORE : ACCESS_LOAD, 16, &p);
    m->mask = all;
    for (int j = 0; j < o->vector; j++) {
        uint32_t *words = SLOT(m, list[j]), got[WARP] = {0};
        for (int l = 0; l < WARP; l++)
            for (int h = 0; h < 2; h++) {
                const int row = 8 * j + (turned ? l % 4 * 2 + h : l / 4);
                const int column = turned ? l / 4 : l % 4 * 2 + h;
                if (!(p.good >> row & 1)) continue;
                uint16_t *at = (uint16_t *)(void *)p.host[row] + column;
                if (stores)
                    __atomic_store_n(at, (uint16_t)(words[l] >> 16 * h), __ATOMIC_RELAXED);
                else
                    got[l] |= (uint32_t)__atomic_load_n(at, __ATOMIC_RELAXED) << 16 * h;
            }
        if (!stores) memcpy(words, got, sizeof got);
    }
}

// ---- Which are known ----------------------------------------------------------------------------

static bool types_fit(const ptx_instruction *i)
{
    const ptx_type d = (ptx_type)i->type[0], a = (ptx_type)i->type[1], b = (ptx_type)i->type[2],
                   c = (ptx_type)i->type[3];
    if (i->types != 4) return false;
    switch (a) {
    case PTX_F16: return b == a && (d == PTX_F32 || d == PTX_F16) && (c == PTX_F32 || c == PTX_F16);
    case PTX_BF16:
    case PTX_TF32: return b == a && d == PTX_F32 && c == PTX_F32;
    case PTX_S8:
    case PTX_U8: return (b == PTX_S8 || b == PTX_U8) && d == PTX_S32 && c == PTX_S32;
    default: return false;
    }
}

run_operation *hd__model_dispatch_matrix(const ptx_instruction *i, operation *o)
{
    if (!ptx_has(i, PTX_MOD_SYNC) || !ptx_has(i, PTX_MOD_ALIGNED)) return NULL;
    if (i->op != PTX_OP_mma) {
        const bool from_shared = o->space == PTX_SHARED;
        return from_shared && ptx_has(i, PTX_MOD_M8N8) && i->types == 1 && i->type[0] == PTX_B16
                   ? move
                   : NULL;
    }
    const matrix_shape *s = shape_of(i);
    if (is_double(i) && ptx_has(i, PTX_MOD_ROW) && ptx_has(i, PTX_MOD_COL)) return multiply_doubles;
    if (s == NULL || !types_fit(i) || ptx_has(i, PTX_MOD_SATFINITE)) return NULL;
    if (!ptx_has(i, PTX_MOD_ROW) || !ptx_has(i, PTX_MOD_COL)) return NULL;
    o->count = (int32_t)(s - shapes);
    return multiply;
}
