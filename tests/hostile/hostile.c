// SPDX-License-Identifier: Apache-2.0
//
// Draws, and the frame of a call, of hostile.h.
#include "hostile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---- Draws ----------------------------------------------------------------------------------

static uint64_t draw(hostile *h, size_t bytes)
{
    uint64_t value = 0;
    if (h->left == 0) return check_next(&h->state) >> (64 - 8 * bytes);
    for (size_t k = 0; k < bytes && h->left > 0; k++, h->left--) value = value << 8 | *h->bytes++;
    return value;
}

uint64_t hostile_next(hostile *h)
{
    return draw(h, 8);
}

int64_t hostile_below(hostile *h, int64_t n)
{
    if (n < 2) return 0;
    return (int64_t)(draw(h, n <= 256 ? 1 : n <= 65536 ? 2 : 8) % (uint64_t)n);
}

bool hostile_once_in(hostile *h, int64_t n)
{
    return hostile_below(h, n) == n - 1;
}

int64_t hostile_size(hostile *h)
{
    switch (hostile_below(h, 4)) {
    case 0: return hostile_below(h, h->largest < 70 ? h->largest + 1 : 70);
    case 1: return hostile_below(h, h->largest < 3000 ? h->largest + 1 : 3000);
    default: return hostile_below(h, h->largest + 1);
    }
}

hd_type hostile_integer_type(hostile *h)
{
    static const hd_type types[] = {HD_I32, HD_I64, HD_U32, HD_U64, HD_I16, HD_U16, HD_I8, HD_U8};
    return types[hostile_below(h, hostile_below(h, 2) ? 8 : 2)];
}

hd_type hostile_number_type(hostile *h)
{
    return check_type((int)hostile_below(h, 13));
}

check_layout hostile_layout(hostile *h)
{
    return hostile_once_in(h, 5) ? (check_layout)hostile_below(h, CHECK_LAYOUTS) : CHECK_DENSE;
}

// ---- Calls ----------------------------------------------------------------------------------

void *hostile_input(hostile *h, hostile_call *call, hd_type type, int64_t n)
{
    check_array *array = &call->in[call->ins];
    *array = check_new(type, n, hostile_layout(h), hostile_below(h, 2));
    return call->elements[call->ins++] = check_memory(hd_type_size(type) * (size_t)n);
}

void *hostile_dense(hostile *h, hostile_call *call, hd_type type, int64_t n)
{
    call->in[call->ins] = check_new(type, n, CHECK_DENSE, hostile_below(h, 2));
    return call->elements[call->ins++] = check_memory(hd_type_size(type) * (size_t)n);
}

void *hostile_like(hostile *h, hostile_call *call, hd_type type)
{
    const hd_view first = call->in[0].view;
    call->in[call->ins] = check_new_nd(type, first.ndim, first.shape, NULL, hostile_below(h, 2));
    return call->elements[call->ins++] = check_memory(hd_type_size(type) * (size_t)hd_count(first));
}

void hostile_output(hostile *h, hostile_call *call, hd_type type, int64_t n)
{
    call->out[call->outs] = check_new(type, n, hostile_layout(h), hostile_below(h, 2));
    call->before[call->outs++] = NULL;
}

// What a call gave on one target.
typedef struct answer {
    hd_status status;
    char text[400];
    int64_t number[HOSTILE_NUMBERS];
    void *out[HOSTILE_VIEWS];
} answer;

static size_t bytes_of(const check_array *array)
{
    return hd_type_size(array->view.type) * (size_t)hd_count(array->view);
}

static void ask(hostile_call *call, const check_target *target, answer *a)
{
    for (int k = 0; k < call->outs; k++) {
        memset(call->out[k].storage, CHECK_FILLER, call->out[k].storage_bytes);
        if (call->before[k] != NULL) check_put(&call->out[k], call->before[k]);
    }
    for (int k = 0; k < HOSTILE_NUMBERS; k++) call->number[k] = -7;
    a->status = call->run(target->ctx, call);
    if (a->status == HD_OK) a->status = hd_sync(target->ctx);
    strncpy(a->text, hd_error(target->ctx), sizeof a->text - 1);
    a->text[sizeof a->text - 1] = '\0';
    memcpy(a->number, call->number, sizeof a->number);
    for (int k = 0; k < call->outs; k++) {
        a->out[k] = check_memory(bytes_of(&call->out[k]));
        check_get(&call->out[k], a->out[k]);
        CHECK(check_gaps(&call->out[k]) && check_slack(&call->out[k]),
              "%s on %s: wrote beside output %d (n = %" PRId64 ")", call->name, target->name, k,
              hd_count(call->in[0].view));
    }
}

static int64_t first_difference(hd_type type, const void *a, const void *b, int64_t n)
{
    if ((type & 0xff) == HD_STRUCTURE)
        return check_differs(HD_U8, a, b, n * (int64_t)hd_type_size(type));
    return check_differs(type, a, b, n);
}

static void compare(const hostile_call *call, const char *where, const answer *got,
                    const answer *want)
{
    const int64_t n = call->ins > 0 ? hd_count(call->in[0].view) : 0;
    CHECK(got->status == want->status, "%s on %s, n = %" PRId64 ": %s (%s), serial says %s (%s)",
          call->name, where, n, hd_status_name(got->status), got->text,
          hd_status_name(want->status), want->text);
    if (got->status != want->status) return;
    if (got->status == HD_ERROR_VALUE)
        CHECK(strcmp(got->text, want->text) == 0, "%s on %s, n = %" PRId64 ": '%s', serial: '%s'",
              call->name, where, n, got->text, want->text);
    if (got->status != HD_OK && !call->outputs_of_failure) return;
    for (int k = 0; k < HOSTILE_NUMBERS; k++)
        CHECK(got->number[k] == want->number[k],
              "%s on %s, n = %" PRId64 ": number %d is %" PRId64 ", serial: %" PRId64, call->name,
              where, n, k, got->number[k], want->number[k]);
    for (int k = 0; k < call->outs; k++) {
        const int64_t at = first_difference(call->out[k].view.type, got->out[k], want->out[k],
                                            hd_count(call->out[k].view));
        CHECK(at < 0, "%s on %s, n = %" PRId64 ": output %d differs at %" PRId64, call->name, where,
              n, k, at);
    }
}

static void drop_answer(const hostile_call *call, answer *a)
{
    for (int k = 0; k < call->outs; k++) free(a->out[k]);
}

void hostile_run(hostile *h, hostile_call *call)
{
    answer want, got;
    for (int k = 0; k < call->ins; k++) check_put(&call->in[k], call->elements[k]);
    ask(call, &h->targets[0], &want);
    for (int t = 0; t < h->tried && h->target_count > 1; t++) {
        const check_target *target = &h->targets[1 + hostile_below(h, h->target_count - 1)];
        ask(call, target, &got);
        if (!call->only_safe) compare(call, target->name, &got, &want);
        drop_answer(call, &got);
    }
    drop_answer(call, &want);
    for (int k = 0; k < call->ins; k++) check_drop(&call->in[k]), free(call->elements[k]);
    for (int k = 0; k < call->outs; k++) check_drop(&call->out[k]), free(call->before[k]);
}

// ---- Patterns -------------------------------------------------------------------------------

void hostile_case(hostile *h)
{
    // What moves elements by index has the most fast paths.
    static void (*const all[])(hostile *) = {hostile_move,   hostile_move,   hostile_move,
                                             hostile_select, hostile_reduce, hostile_sort,
                                             hostile_count,  hostile_list};
    const int64_t patterns = h->gpu ? 5 : (int64_t)(sizeof all / sizeof *all);
    all[hostile_below(h, patterns)](h);
}
