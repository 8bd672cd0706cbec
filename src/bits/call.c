// SPDX-License-Identifier: Apache-2.0
// One run of a case: its arrays, its result as text.
#include "call.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---- Arrays -------------------------------------------------------------------------------------

bool bits_did(bits_call *call, hd_status status)
{
    if (call->status == HD_OK) call->status = status;
    return status == HD_OK;
}

// 64 bytes more than needed, so that nothing at all has an address, too.
static void *memory(bits_call *call, size_t bytes)
{
    void *m = call->arrays < BITS_ARRAYS ? calloc(1, bytes + 64) : NULL;
    if (m == NULL)
        bits_did(call, HD_ERROR_MEMORY);
    else
        call->array[call->arrays++] = m;
    return m;
}

hd_view bits_out(bits_call *call, hd_type type, int64_t n)
{
    return hd_view_of(type, memory(call, hd_type_size(type) * (size_t)n), n);
}

hd_view bits_out_plane(bits_call *call, hd_type type, int64_t h, int64_t w)
{
    const hd_view row = bits_out(call, type, h * w);
    return hd_view_nd(type, row.data, 2, (int64_t[]){h, w}, NULL);
}

hd_view bits_input(bits_call *call, hd_type type, bits_values values, int64_t n)
{
    const hd_view v = bits_out(call, type, n);
    call->inputs++;
    if (v.data != NULL) bits_fill(type, values, call->inputs, n, v.data);
    return v;
}

hd_view bits_in(bits_call *call)
{
    return bits_input(call, call->what->type, call->what->values, call->n);
}

hd_view bits_plane(bits_call *call, hd_type type, bits_values values, int64_t h, int64_t w)
{
    const hd_view row = bits_input(call, type, values, h * w);
    return hd_view_nd(type, row.data, 2, (int64_t[]){h, w}, NULL);
}

static void put_whole(hd_view v, int64_t i, int64_t value)
{
    const size_t size = hd_type_size(v.type);
    memcpy((unsigned char *)v.data + size * (size_t)i, &value, size); // the lowest bytes
}

hd_view bits_below(bits_call *call, hd_type type, int64_t below, int64_t n)
{
    const hd_view v = bits_out(call, type, n);
    call->inputs++;
    for (int64_t i = 0; v.data != NULL && i < n; i++)
        put_whole(v, i, (int64_t)(bits_random(call->inputs, i) % (uint64_t)below));
    return v;
}

hd_view bits_offsets(bits_call *call)
{
    hd_view v = bits_out(call, HD_I64, call->n + 3);
    int64_t at = call->n < 2 ? call->n : 2, count = 0;
    call->inputs++;
    while (v.data != NULL && at <= call->n && count < call->n + 3) {
        put_whole(v, count, at);
        const uint64_t r = bits_random(call->inputs, count++);
        at += r % 5 == 0 ? 0 : (int64_t)(r >> 8) % (r % 5 == 1 ? 41 : 9);
    }
    v.shape[0] = count;
    return v;
}

hd_view bits_keys(bits_call *call, hd_type type)
{
    const hd_view v = bits_out(call, type, call->n);
    int64_t key = 0;
    call->inputs++;
    for (int64_t i = 0; v.data != NULL && i < call->n; i++) {
        const uint64_t r = bits_random(call->inputs, i);
        if (r % 11 == 0) key = (int64_t)(r >> 32 & 3);
        put_whole(v, i, type == HD_BOOL ? key & 1 : key);
    }
    return v;
}

const void *bits_one(hd_type type)
{
    static _Alignas(8) unsigned char element[BITS_ALL][8];
    bits_fill(type, BITS_UNITS, 99, 1, element[type]);
    return element[type];
}

// ---- Results ------------------------------------------------------------------------------------

// FNV-1a over the bytes, the lowest first.
static void add(bits_call *call, uint64_t bits, size_t size)
{
    if (call->elements < BITS_RAW) {
        call->raw[call->elements] = bits;
        call->raw_size[call->elements] = size;
    }
    if (call->elements < call->room) call->kept[call->elements] = bits;
    call->elements++;
    for (size_t k = 0; k < size; k++)
        call->digest = (call->digest ^ (bits >> 8 * k & 0xff)) * 0x100000001b3u;
}

const hd_view *bits_keep(bits_call *call, hd_view view)
{
    hd_view *to = &call->view[call->views++ % BITS_VIEWS];
    *to = view;
    return to;
}

void bits_gives(bits_call *call, hd_view view)
{
    const bits_form form = bits_form_of(view.type);
    const int64_t n = hd_count(view);
    const unsigned char *at = view.data;
    if (call->status != HD_OK) return;
    for (int64_t i = 0; i < n; i++, at += form.size) add(call, bits_of(&form, at), form.size);
}

void bits_number(bits_call *call, int64_t number)
{
    add(call, (uint64_t)number, sizeof number);
}

static void write_result(const bits_call *call, char result[BITS_RESULT])
{
    int at = 0;
    if (call->elements > BITS_RAW) {
        snprintf(result, BITS_RESULT, "~%016" PRIx64, call->digest);
        return;
    }
    snprintf(result, BITS_RESULT, "-"); // nothing
    for (int64_t i = 0; i < call->elements; i++)
        at += snprintf(result + at, (size_t)(BITS_RESULT - at), "%s%0*" PRIx64, i ? "," : "",
                       (int)(2 * call->raw_size[i]), call->raw[i]);
}

static void release(bits_call *call)
{
    for (int k = 0; k < call->arrays; k++) free(call->array[k]);
    call->arrays = 0;
}

hd_status bits_run(hd_context *ctx, const bits_case *what, int64_t n, char result[BITS_RESULT])
{
    bits_call call = {.ctx = ctx, .what = what, .n = n, .digest = 0xcbf29ce484222325u};
    what->run(&call);
    if (call.status == HD_OK)
        write_result(&call, result);
    else
        snprintf(result, BITS_RESULT, "%s", hd_error(ctx)[0] ? hd_error(ctx) : "no memory");
    release(&call);
    return call.status;
}

bool bits_locate(hd_context *a, hd_context *b, const bits_case *what, int64_t n, bits_place *place)
{
    enum { ROOM = 1 << 20 }; // more than any case has
    uint64_t *kept = malloc(2 * sizeof *kept * ROOM);
    bits_call one = {.ctx = a, .what = what, .n = n, .kept = kept, .room = ROOM}, two = one;
    int64_t i = 0;
    if (kept == NULL) return false;
    two.ctx = b, two.kept = kept + ROOM;
    what->run(&one);
    what->run(&two);
    const int64_t count = one.elements < two.elements ? one.elements : two.elements;
    while (i < count && i < ROOM && one.kept[i] == two.kept[i]) i++;
    const bool differ = one.status == HD_OK && two.status == HD_OK && i < count && i < ROOM;
    if (differ) *place = (bits_place){i, one.kept[i], two.kept[i]};
    release(&one);
    release(&two);
    free(kept);
    return differ;
}
