// SPDX-License-Identifier: Apache-2.0
// Additions and subtractions by carry look-ahead, and comparisons. What limbs do to a carry is a
// byte: 0 stops it, 1 passes it on, 2 makes one.
#include <heddle/algorithms/bigint.h>

#include <inttypes.h>
#include <string.h>

#include "algorithms/support/team.h"
#include "limbs.h"
#include "limbs_add.h"

enum {
    BLOCK = 16,
    CHUNK = 1 << 16 // limbs of each number that are looked at and then added while in the cache
};

// ---- Texts ----------------------------------------------------------------------------------

// Base 2^64 is written 0 in a state.
HD_SOURCE(
    bigint_text, typedef struct { unsigned long long at[16]; } bigint_limbs; typedef struct {
        unsigned long long base;
        unsigned char first;
    } bigint_state;
    static inline unsigned char bigint_sum_status(unsigned long long a, unsigned long long b,
                                                  unsigned long long base) {
        const unsigned long long s = a + b;
        if (base == 0) return s < a ? 2 : s + 1 == 0;
        return s >= base ? 2 : s + 1 == base;
    } static inline unsigned long long bigint_sum(unsigned long long a, unsigned long long b,
                                                  unsigned long long carry,
                                                  unsigned long long base) {
        const unsigned long long s = a + b + carry;
        return base != 0 && s >= base ? s - base : s;
    } static inline unsigned char bigint_less_status(unsigned long long a, unsigned long long b) {
        return a < b ? 2 : a == b;
    } static inline unsigned long long bigint_less(unsigned long long a, unsigned long long b,
                                                   unsigned long long borrow,
                                                   unsigned long long base) {
        const unsigned long long d = a - b - borrow;
        return base != 0 && (a < b || (a == b && borrow)) ? d + base : d;
    })

HD_MONOID(bigint_carry, unsigned char, HD_NO_SOURCE, HD_ASSOCIATIVE | HD_EXACT, 1,
          { return b == 1 ? a : b; })

HD_FUNCTION_STATE(bigint_add_limb, unsigned char, bigint_text,
                  (unsigned long long, a, unsigned long long, b), bigint_state,
                  { return bigint_sum_status(a, b, state->base); })
HD_FUNCTION_STATE(bigint_subtract_limb, unsigned char, bigint_text,
                  (unsigned long long, a, unsigned long long, b), bigint_state,
                  { return bigint_less_status(a, b); })
HD_FUNCTION_STATE(bigint_add_carry, unsigned long long, bigint_text,
                  (unsigned long long, a, unsigned long long, b, unsigned char, c), bigint_state,
                  { return bigint_sum(a, b, (c == 1 ? state->first : c) == 2, state->base); })
HD_FUNCTION_STATE(bigint_subtract_carry, unsigned long long, bigint_text,
                  (unsigned long long, a, unsigned long long, b, unsigned char, c), bigint_state,
                  { return bigint_less(a, b, (c == 1 ? state->first : c) == 2, state->base); })

HD_FUNCTION_STATE(bigint_add_look, unsigned char, bigint_text, (bigint_limbs, a, bigint_limbs, b),
                  bigint_state, {
                      unsigned char all = 1;
                      if (state->base == 0) {
                          for (int i = 0; i < 16; i++) {
                              const unsigned char s = bigint_sum_status(a.at[i], b.at[i], 0);
                              all = s == 1 ? all : s;
                          }
                          return all;
                      }
                      for (int i = 0; i < 16; i++) {
                          const unsigned char s = bigint_sum_status(a.at[i], b.at[i], state->base);
                          all = s == 1 ? all : s;
                      }
                      return all;
                  })
HD_FUNCTION_STATE(bigint_subtract_look, unsigned char, bigint_text,
                  (bigint_limbs, a, bigint_limbs, b), bigint_state, {
                      unsigned char all = 1;
                      for (int i = 0; i < 16; i++) {
                          const unsigned char s = bigint_less_status(a.at[i], b.at[i]);
                          all = s == 1 ? all : s;
                      }
                      return all;
                  })
HD_FUNCTION_STATE(bigint_add_block, bigint_limbs, bigint_text,
                  (bigint_limbs, a, bigint_limbs, b, unsigned char, c), bigint_state, {
                      bigint_limbs r;
                      unsigned long long carry = (c == 1 ? state->first : c) == 2;
                      if (state->base == 0) {
                          for (int i = 0; i < 16; i++) {
                              const unsigned long long s = a.at[i] + b.at[i];
                              r.at[i] = s + carry;
                              carry = (s < a.at[i]) | (r.at[i] < s);
                          }
                          return r;
                      }
                      for (int i = 0; i < 16; i++) {
                          const unsigned long long s = a.at[i] + b.at[i] + carry;
                          carry = s >= state->base;
                          r.at[i] = carry ? s - state->base : s;
                      }
                      return r;
                  })
HD_FUNCTION_STATE(bigint_subtract_block, bigint_limbs, bigint_text,
                  (bigint_limbs, a, bigint_limbs, b, unsigned char, c), bigint_state, {
                      bigint_limbs r;
                      unsigned long long borrow = (c == 1 ? state->first : c) == 2;
                      for (int i = 0; i < 16; i++) {
                          const unsigned long long d = a.at[i] - b.at[i];
                          const unsigned long long less =
                              (a.at[i] < b.at[i]) | ((d == 0) & (borrow != 0));
                          r.at[i] = d - borrow + (less ? state->base : 0);
                          borrow = less;
                      }
                      return r;
                  })

HD_FUNCTION_STATE(bigint_carried, long long, bigint_text, (unsigned char, before, unsigned char, c),
                  bigint_state, {
                      const unsigned char all = c == 1 ? before : c;
                      return (all == 1 ? state->first : all) == 2;
                  })

HD_MONOID(bigint_last, int, HD_NO_SOURCE, HD_ASSOCIATIVE | HD_EXACT, 0, { return b != 0 ? b : a; })
HD_FUNCTION(bigint_order, int, HD_NO_SOURCE, (unsigned long long, a, unsigned long long, b),
            { return (a > b) - (a < b); })
HD_FUNCTION(bigint_order_block, int, bigint_text, (bigint_limbs, a, bigint_limbs, b), {
    int all = 0;
    for (int i = 0; i < 16; i++) {
        const int one = (a.at[i] > b.at[i]) - (a.at[i] < b.at[i]);
        all = one != 0 ? one : all;
    }
    return all;
})

// ---- Carries --------------------------------------------------------------------------------

typedef struct operation {
    const char *name;
    const hd_function *look, *apply;             // of limbs: what they do to a carry; the result
    const hd_function *look_block, *apply_block; // of blocks of 16
    bool subtract;
} operation;

typedef struct sum {
    hd__limbs l;
    hd_bigint_options o;
    const operation *op;
    bigint_state state; // first: what is carried into the limbs at hand, 0 or 2
    hd_view look, before, out_carry;
} sum;

static hd_function with(const sum *s, const hd_function *f)
{
    return hd_with_state(f, &s->state, sizeof s->state);
}

// What is carried out of limbs whose last parts are these: into `carry` for each number, or, of one
// number on the host, into the state.
static hd_status carry_out(sum *s, hd_view before, hd_view look, hd_view carry)
{
    const hd_function carried = with(s, bigint_carried);
    return hd_map(s->l.f.ctx, before, &carried, carry, &(hd_map_options){.with = HD_VIEWS(look)});
}

// a, b and out are views of one shape whose last axis has the limbs, or structures of them.
static hd_status add_parts(sum *s, bool blocks, hd_view a, hd_view b, hd_view out, hd_view carry)
{
    hd_context *const ctx = s->l.f.ctx;
    const hd_function look = with(s, blocks ? s->op->look_block : s->op->look),
                      apply = with(s, blocks ? s->op->apply_block : s->op->apply);
    const int32_t last = a.ndim - 1;
    hd_view status_of = s->look, before = s->before;
    int64_t stride = 1;
    status_of.ndim = before.ndim = a.ndim;
    for (int32_t k = last; k >= 0; k--) {
        status_of.shape[k] = before.shape[k] = a.shape[k];
        status_of.stride[k] = before.stride[k] = stride;
        stride *= a.shape[k];
    }
    hd_status status = hd_map(ctx, a, &look, status_of, &(hd_map_options){.with = HD_VIEWS(b)});
    if (status == HD_OK)
        status =
            hd_scan(ctx, status_of, bigint_carry, before,
                    &(hd_scan_options){.axis = a.ndim == 1 ? 0 : HD_AXIS(last), .exclusive = true});
    if (status == HD_OK)
        status = hd_map(ctx, a, &apply, out, &(hd_map_options){.with = HD_VIEWS(b, before)});
    if (status != HD_OK || carry.type == HD_NONE) return status;
    const int64_t end = a.shape[last] - 1;
    hd_view last_before = hd_slice(before, last, end, 1, 1),
            last_look = hd_slice(status_of, last, end, 1, 1);
    carry.ndim = last_before.ndim;
    stride = 1;
    for (int32_t k = last; k >= 0; k--) {
        carry.shape[k] = last_before.shape[k], carry.stride[k] = stride;
        stride *= carry.shape[k];
    }
    return carry_out(s, last_before, last_look, carry);
}

// One number that lies one limb after another: chunks of blocks, then what is left.
static hd_status add_row(sum *s)
{
    hd__limbs *const l = &s->l;
    const int64_t n = l->n, step = l->f.on_device ? n / BLOCK * BLOCK : CHUNK;
    const hd_type block = HD_TYPE(bigint_limbs);
    hd_status status = HD_OK;
    for (int64_t at = 0; status == HD_OK && at < n;) {
        const int64_t left = n - at, whole = left / BLOCK * BLOCK;
        const bool blocks = whole > 0;
        const int64_t count = !blocks ? left : whole < step ? whole : step;
        const hd_view a = blocks ? hd__limbs_blocks(l, l->a, block, at / BLOCK, count / BLOCK)
                                 : hd__frame_part(l->a, at, count),
                      b = blocks ? hd__limbs_blocks(l, l->b, block, at / BLOCK, count / BLOCK)
                                 : hd__frame_part(l->b, at, count),
                      out = blocks ? hd__limbs_blocks(l, l->out, block, at / BLOCK, count / BLOCK)
                                   : hd__frame_part(l->out, at, count);
        int64_t carried = 0;
        status = add_parts(s, blocks, a, b, out, s->out_carry);
        if (status == HD_OK && at + count < n)
            status = hd__frame_read(&l->f, s->out_carry, 0, &carried);
        s->state.first = carried ? 2 : 0;
        at += count;
    }
    return status;
}

static hd_view flat(hd_view v)
{
    v.shape[0] = hd_count(v), v.stride[0] = 1, v.ndim = 1;
    return v;
}

// Whether the context's cores compute, of memory of the host: one number is then added by loops of
// their own. (The serial backend keeps to the patterns.)
static hd_status by_cores(hd__limbs *l, bool *yes)
{
    hd_backend ran = HD_AUTO;
    *yes = false;
    if (l->f.on_device || l->m > 1) return HD_OK;
    const hd_status status = hd__frame_backend(&l->f, &ran);
    *yes = ran == HD_CPU;
    return status;
}

static hd_status add_by_cores(sum *s)
{
    const hd__limbs *const l = &s->l;
    const int64_t carry = hd__limbs_add(hd__team_size(l->f.ctx), l->a.data, l->b.data, l->out.data,
                                        l->n, s->o.base, s->op->subtract);
    const hd_status status = hd__frame_row(&s->l.f, HD_I64, 1, &s->out_carry);
    if (status == HD_OK) *(int64_t *)s->out_carry.data = carry;
    return status;
}

static hd_status add(sum *s)
{
    hd__limbs *const l = &s->l;
    const int64_t count = l->m * l->n;
    const bool blocks = hd__limbs_in_blocks(l, &l->a) && hd__limbs_in_blocks(l, &l->b) &&
                        hd__limbs_in_blocks(l, &l->out);
    bool cores = false;
    if (blocks) {
        const hd_status status = by_cores(l, &cores);
        if (status != HD_OK || cores) return status != HD_OK ? status : add_by_cores(s);
    }
    const int64_t room = !blocks                      ? count
                         : l->m > 1 || l->f.on_device ? count / BLOCK + BLOCK
                                                      : CHUNK / BLOCK + BLOCK;
    hd_status status = hd__frame_row(&l->f, HD_U8, room, &s->look);
    if (status == HD_OK) status = hd__frame_row(&l->f, HD_U8, room, &s->before);
    if (status == HD_OK) status = hd__frame_row(&l->f, HD_I64, l->m, &s->out_carry);
    if (status != HD_OK) return status;
    if (!blocks) return add_parts(s, false, l->a, l->b, l->out, s->out_carry);
    if (l->m == 1) {
        l->a = flat(l->a), l->b = flat(l->b), l->out = flat(l->out);
        return add_row(s);
    }
    const hd_type block = HD_TYPE(bigint_limbs);
    return add_parts(s, true, hd__limbs_blocks(l, l->a, block, 0, l->n / BLOCK),
                     hd__limbs_blocks(l, l->b, block, 0, l->n / BLOCK),
                     hd__limbs_blocks(l, l->out, block, 0, l->n / BLOCK), s->out_carry);
}

static hd_status give_carry(sum *s)
{
    const int64_t zero = 0;
    const hd_view *const to = s->o.carry_out;
    if (to == NULL || s->l.m == 0) return HD_OK;
    if (s->l.n == 0) return hd_map(s->l.f.ctx, hd_constant(zero, s->l.m), NULL, *to, NULL);
    return hd__frame_copy(&s->l.f, s->out_carry, *to);
}

static hd_status run(hd_context *ctx, const operation *op, hd_view a, hd_view b, hd_view out,
                     const hd_bigint_options *options)
{
    sum s;
    memset(&s, 0, sizeof s);
    s.op = op;
    hd_status status = hd__limbs_open(&s.l, ctx, op->name, a, b, &out);
    if (status == HD_OK) status = hd__frame_options(&s.l.f, options, sizeof s.o, &s.o);
    if (status == HD_OK && (s.o.base == 1 || s.o.base > UINT64_C(1) << 63))
        status = hd__frame_fail(&s.l.f, HD_ERROR_ARGUMENT,
                                "base is %" PRIu64 "; expected 0 (2^64), or 2 to 2^63", s.o.base);
    if (s.o.carry_out != NULL && s.o.carry_out->type == HD_NONE) s.o.carry_out = NULL;
    if (status == HD_OK && s.o.carry_out != NULL)
        status = hd__limbs_check_numbers(&s.l, "carry_out", *s.o.carry_out);
    if (status == HD_OK) status = hd__limbs_check_base(&s.l, "a", s.l.a, s.o.base);
    if (status == HD_OK) status = hd__limbs_check_base(&s.l, "b", s.l.b, s.o.base);
    s.state.base = s.o.base;
    if (status == HD_OK && s.l.m > 0 && s.l.n > 0) status = add(&s);
    if (status == HD_OK) status = give_carry(&s);
    return hd__frame_close(&s.l.f, status);
}

// ---- The calls ------------------------------------------------------------------------------

hd_status hd_bigint_add(hd_context *ctx, hd_view a, hd_view b, hd_view out,
                        const hd_bigint_options *options)
{
    static const operation op = {"hd_bigint_add", bigint_add_limb,  bigint_add_carry,
                                 bigint_add_look, bigint_add_block, false};
    return run(ctx, &op, a, b, out, options);
}

hd_status hd_bigint_subtract(hd_context *ctx, hd_view a, hd_view b, hd_view out,
                             const hd_bigint_options *options)
{
    static const operation op = {"hd_bigint_subtract", bigint_subtract_limb,  bigint_subtract_carry,
                                 bigint_subtract_look, bigint_subtract_block, true};
    return run(ctx, &op, a, b, out, options);
}

static hd_status order_of_rows(hd__limbs *l, hd_view order)
{
    const hd_reduce_options o = {
        .axis = l->m == 1 ? 0 : HD_AXIS(-1), .map = bigint_order, .with = HD_VIEWS(l->b)};
    if (l->m == 1) return hd_reduce(l->f.ctx, l->a, bigint_last, order, &o);
    hd_view shaped = l->a; // a's shape without the last axis
    int64_t stride = 1;
    shaped.ndim--, shaped.type = order.type, shaped.data = order.data, shaped.read_only = 0;
    for (int32_t k = shaped.ndim - 1; k >= 0; k--)
        shaped.stride[k] = stride, stride *= shaped.shape[k];
    return hd_reduce(l->f.ctx, l->a, bigint_last, shaped, &o);
}

// The order of p blocks. A device reads structures best by a map of their own.
static hd_status order_of_blocks(hd__limbs *l, int64_t p, hd_view order)
{
    const hd_type block = HD_TYPE(bigint_limbs);
    const hd_view a = hd__limbs_blocks(l, l->a, block, 0, p),
                  b = hd__limbs_blocks(l, l->b, block, 0, p);
    if (!l->f.on_device)
        return hd_reduce(l->f.ctx, a, bigint_last, order,
                         &(hd_reduce_options){.map = bigint_order_block, .with = HD_VIEWS(b)});
    hd_view orders;
    hd_status status = hd__frame_row(&l->f, HD_I32, p, &orders);
    if (status == HD_OK)
        status =
            hd_map(l->f.ctx, a, bigint_order_block, orders, &(hd_map_options){.with = HD_VIEWS(b)});
    return status == HD_OK ? hd_reduce(l->f.ctx, orders, bigint_last, order, NULL) : status;
}

static hd_status compare(hd__limbs *l, hd_view order)
{
    const int64_t p = l->n / BLOCK, whole = p * BLOCK;
    hd_view found;
    const bool blocks =
        l->m == 1 && p > 0 && hd__limbs_in_blocks(l, &l->a) && hd__limbs_in_blocks(l, &l->b);
    hd_status status = hd__frame_row(&l->f, HD_I32, l->m + blocks, &found);
    if (status != HD_OK) return status;
    if (!blocks) {
        status = order_of_rows(l, found);
        return status == HD_OK ? hd__frame_copy(&l->f, found, order) : status;
    }
    bool cores = false;
    status = by_cores(l, &cores);
    if (status == HD_OK && cores) {
        *(int32_t *)found.data =
            hd__limbs_compare(hd__team_size(l->f.ctx), l->a.data, l->b.data, l->n);
        return hd__frame_copy(&l->f, hd__frame_part(found, 0, 1), order);
    }
    if (status != HD_OK) return status;
    // Blocks, then what is above them, which decides unless it is equal.
    l->a = flat(l->a), l->b = flat(l->b);
    const hd_view top = hd__limbs_part(l->b, whole, l->n - whole);
    status = order_of_blocks(l, p, hd__frame_part(found, 0, 1));
    if (status != HD_OK || whole == l->n)
        return status == HD_OK ? hd__frame_copy(&l->f, hd__frame_part(found, 0, 1), order) : status;
    if (status == HD_OK)
        status = hd_reduce(l->f.ctx, hd__limbs_part(l->a, whole, l->n - whole), bigint_last,
                           hd__frame_part(found, 1, 1),
                           &(hd_reduce_options){.map = bigint_order, .with = HD_VIEWS(top)});
    hd_view all;
    if (status == HD_OK) status = hd__frame_row(&l->f, HD_I32, 1, &all);
    if (status == HD_OK) status = hd_reduce(l->f.ctx, found, bigint_last, all, NULL);
    return status == HD_OK ? hd__frame_copy(&l->f, all, order) : status;
}

hd_status hd_bigint_compare(hd_context *ctx, hd_view a, hd_view b, hd_view order,
                            const hd_bigint_compare_options *options)
{
    hd__limbs l;
    hd_bigint_compare_options o;
    const int64_t zero = 0;
    hd_status status = hd__limbs_open(&l, ctx, "hd_bigint_compare", a, b, NULL);
    if (status == HD_OK) status = hd__frame_options(&l.f, options, sizeof o, &o);
    if (status == HD_OK) status = hd__limbs_check_numbers(&l, "order", order);
    if (status == HD_OK && l.m > 0 && l.n == 0)
        status = hd_map(l.f.ctx, hd_constant(zero, l.m), NULL, order, NULL);
    if (status == HD_OK && l.m > 0 && l.n > 0) status = compare(&l, order);
    return hd__frame_close(&l.f, status);
}
