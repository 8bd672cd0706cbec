// SPDX-License-Identifier: Apache-2.0
// Keys as integers that have their order, and the permutation they go through.
#include "order_keys.h"

#include <stdio.h>
#include <string.h>

// Where element k of a view, in row-major order, is.
static char *element(const hd_view *v, int64_t k)
{
    int64_t offset = 0;
    for (int axis = v->ndim - 1; axis >= 0; axis--) {
        offset += k % v->shape[axis] * v->stride[axis];
        k /= v->shape[axis];
    }
    return (char *)v->data + offset * (int64_t)hd_type_size(v->type);
}

static bool takes(hd_type type)
{
    return type == HD_I32 || type == HD_U32 || type == HD_I64 || type == HD_U64 || type == HD_F32 ||
           type == HD_F64;
}

// Signed integers with the sign turned over; floats the same, and all other bits too where it was
// set; every NaN beyond infinity.
static uint64_t key_of(hd_type type, const char *at)
{
    uint64_t wide;
    uint32_t bits;
    if (hd_type_size(type) == 8) {
        memcpy(&wide, at, sizeof wide);
        if (type == HD_U64) return wide;
        if (type == HD_F64 && wide << 1 > (uint64_t)0x7ff << 53) return UINT64_MAX;
        return type == HD_F64 && wide >> 63 ? ~wide : wide ^ (uint64_t)1 << 63;
    }
    memcpy(&bits, at, sizeof bits);
    if (type == HD_U32) return bits;
    if (type == HD_F32 && bits << 1 > 0xffu << 24) return UINT32_MAX;
    return type == HD_F32 && bits >> 31 ? ~bits : bits ^ 1u << 31;
}

static hd_status refuse(hd_context *ctx, hd_status status, const hd__order_call *call,
                        const char *what)
{
    char text[400];
    snprintf(text, sizeof text, "%s: %s", call->name, what);
    return hd_fail(ctx, status, text);
}

// Whether keys can be read and out be written, as the patterns see it: calls that move nothing.
static hd_status check_views(hd_context *ctx, const hd__order_call *call)
{
    const hd_view none = hd_view_of(call->keys.type, NULL, 0),
                  nowhere = hd_view_of(HD_I64, NULL, 0);
    char text[300];
    hd_status status = hd_gather(ctx, call->keys, nowhere, none, NULL);
    if (status == HD_OK) status = hd_scatter(ctx, none, nowhere, call->out, NULL);
    if (status == HD_OK) return HD_OK;
    snprintf(text, sizeof text, "%s", hd_error(ctx));
    return refuse(ctx, status, call, text);
}

// Whether a number lies apart from all of a view, whose strides were found good.
static bool is_apart(const int64_t *number, const hd_view *v)
{
    uintptr_t low = (uintptr_t)v->data, high = low, at = (uintptr_t)number;
    const uintptr_t size = hd_type_size(v->type);
    for (int axis = 0; axis < v->ndim; axis++) {
        if (v->shape[axis] < 2) continue;
        const int64_t reach = (v->shape[axis] - 1) * v->stride[axis];
        *(reach < 0 ? &low : &high) += (uintptr_t)reach * size;
    }
    return hd_count(*v) == 0 || at + sizeof *number <= low || at >= high + size;
}

static hd_status check_number(hd_context *ctx, const hd__order_call *call, const char *name,
                              const hd_view *v)
{
    char text[80];
    if (v == NULL) return HD_OK;
    const int64_t *number = v->data;
    snprintf(text, sizeof text, "%s: expected one i64 in host memory, to write to", name);
    if (v->type != HD_I64 || hd_count(*v) != 1 || v->space != HD_HOST || v->read_only != 0 ||
        number == NULL)
        return refuse(ctx, HD_ERROR_ARGUMENT, call, text);
    snprintf(text, sizeof text, "%s is %p; expected a multiple of %zu", name, (const void *)number,
             sizeof *number);
    if ((uintptr_t)number % sizeof *number != 0) return refuse(ctx, HD_ERROR_ARGUMENT, call, text);
    snprintf(text, sizeof text, "%s overlaps keys or out", name);
    if (!is_apart(number, &call->keys) || !is_apart(number, &call->out))
        return refuse(ctx, HD_ERROR_ALIAS, call, text);
    return HD_OK;
}

// No version of the options will have more.
enum { MOST_BYTES = 4096 };

static hd_status check_options(hd_context *ctx, const hd__order_call *call)
{
    const hd_steps_options *o = call->options;
    if (o == NULL) return HD_OK;
    if (o->size != 0 && (o->size < sizeof *o || o->size > MOST_BYTES))
        return refuse(ctx, HD_ERROR_ARGUMENT, call,
                      "hd_steps_options.size; expected 0, or sizeof(hd_steps_options)");
    for (size_t k = sizeof *o; k < o->size; k++)
        if (((const unsigned char *)o)[k] != 0)
            return refuse(ctx, HD_ERROR_ARGUMENT, call, "hd_steps_options of a newer version");
    if (o->steps != NULL && o->scans != NULL && o->steps->data == o->scans->data)
        return refuse(ctx, HD_ERROR_ALIAS, call, "scans overlaps steps");
    const hd_status status = check_number(ctx, call, "steps", o->steps);
    return status != HD_OK ? status : check_number(ctx, call, "scans", o->scans);
}

static hd_status check(hd_context *ctx, const hd__order_call *call)
{
    const hd_view *keys = &call->keys, *out = &call->out;
    if (!takes(keys->type) || out->type != keys->type)
        return refuse(ctx, HD_ERROR_TYPE, call,
                      "expected keys of i32, u32, i64, u64, f32 or f64, and out of the same");
    if (keys->space != HD_HOST || out->space != HD_HOST)
        return refuse(ctx, HD_ERROR_ARGUMENT, call, "expected keys and out in host memory");
    if (hd_count(*keys) < 0 || hd_count(*out) != hd_count(*keys))
        return refuse(ctx, HD_ERROR_SHAPE, call, "out has not as many elements as keys");
    if (hd_count(*keys) > 0 && (keys->data == NULL || out->data == NULL))
        return refuse(ctx, HD_ERROR_ARGUMENT, call, "a pointer is NULL");
    const hd_status status = check_views(ctx, call);
    return status != HD_OK ? status : check_options(ctx, call);
}

enum { ARRAYS = 8 }; // of n 64-bit numbers, and two more in each

hd_status hd__order_keys_open(hd__order_keys *o, hd_context *ctx, const hd__order_call *call,
                              int more)
{
    const hd_view keys = call->keys;
    memset(o, 0, sizeof *o);
    hd_status status = check(ctx, call);
    if (status != HD_OK) return status;
    o->ctx = ctx, o->keys = keys, o->out = call->out;
    o->n = hd_count(keys), o->bits = (int)(8 * hd_type_size(keys.type));
    const int64_t room = o->n + 2, all = (ARRAYS + more) * room;
    status = hd_alloc_scratch(ctx, HD_U64, all, &o->memory);
    if (status != HD_OK) return status;
    uint64_t *at = o->memory.data;
    o->key = at, o->key_next = at + room;
    o->place = (int64_t *)(at + 2 * room), o->place_next = (int64_t *)(at + 3 * room);
    for (int k = 0; k < 4; k++) o->count[k] = (int64_t *)(at + (4 + k) * room);
    o->more = (int64_t *)(at + ARRAYS * room);
    for (int64_t i = 0; i < o->n; i++) {
        o->key[i] = key_of(keys.type, element(&keys, i));
        o->place[i] = i;
    }
    return HD_OK;
}

hd_status hd__order_keys_permute(hd__order_keys *o, int64_t *to)
{
    const hd_scatter_options once = {.unique = true};
    const hd_view where = HD_VIEW(to, o->n);
    hd_status status =
        hd_scatter(o->ctx, HD_VIEW(o->key, o->n), where, HD_VIEW(o->key_next, o->n), &once);
    if (status == HD_OK)
        status =
            hd_scatter(o->ctx, HD_VIEW(o->place, o->n), where, HD_VIEW(o->place_next, o->n), &once);
    uint64_t *const key = o->key;
    int64_t *const place = o->place;
    o->key = o->key_next, o->key_next = key;
    o->place = o->place_next, o->place_next = place;
    return status;
}

hd_status hd__order_keys_write(hd__order_keys *o)
{
    const size_t size = hd_type_size(o->keys.type);
    for (int64_t i = 0; i < o->n; i++) // through the room: out may be keys
        memcpy(&o->key_next[i], element(&o->keys, o->place[i]), size);
    for (int64_t i = 0; i < o->n; i++) memcpy(element(&o->out, i), &o->key_next[i], size);
    return HD_OK;
}

hd_status hd__order_keys_close(hd__order_keys *o, hd_status status)
{
    char text[600]; // hd_free_scratch clears it, as every call does
    if (o->memory.data == NULL) return status;
    snprintf(text, sizeof text, "%s", hd_error(o->ctx));
    hd_free_scratch(o->ctx, &o->memory);
    return status == HD_OK ? HD_OK : hd_fail(o->ctx, status, text);
}
