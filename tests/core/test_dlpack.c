// SPDX-License-Identifier: Apache-2.0
//
// DLPack: tensors as views and views as tensors, of both kinds, of every type, on the host and on
// the model's device; what does not fit is refused with words.
#include <heddle_dlpack.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "patterns/dlpack_abi.h"

static hd_context *ctx;

static int dropped;

static void count_drop(void *user)
{
    dropped += *(int *)user;
}

#define SAYS(call, status, text)                                                                   \
    do {                                                                                           \
        const hd_status got = (call);                                                              \
        CHECK(got == (status) && strstr(hd_error(ctx), text) != NULL, "%s: %s", #call,             \
              hd_error(ctx));                                                                      \
    } while (0)

// ---- Out and in again ---------------------------------------------------------------------------

static bool same_view(const hd_view *a, const hd_view *b)
{
    if (a->data != b->data || a->type != b->type || a->ndim != b->ndim || a->space != b->space)
        return false;
    for (int k = 0; k < a->ndim; k++)
        if (a->shape[k] != b->shape[k] || a->stride[k] != b->stride[k]) return false;
    return true;
}

static void test_round(hd_view v, int code, int bits, int device)
{
    DLManagedTensor *old = NULL;
    DLManagedTensorVersioned *versioned = NULL;
    hd_view back;
    int one = 1;
    dropped = 0;
    CHECK_OK(ctx, hd_dlpack_of_view(ctx, v, count_drop, &one, &old));
    CHECK_OK(ctx, hd_dlpack_versioned_of_view(ctx, v, count_drop, &one, &versioned));
    if (old == NULL || versioned == NULL) return;
    const DLTensor *both[] = {&old->dl_tensor, &versioned->dl_tensor};
    for (int k = 0; k < 2; k++) {
        const DLTensor *t = both[k];
        CHECK(t->dtype.code == code && t->dtype.bits == bits && t->dtype.lanes == 1, "%d %d",
              t->dtype.code, t->dtype.bits);
        CHECK(t->device.device_type == device && t->device.device_id == 0, "device %d",
              (int)t->device.device_type);
        CHECK(t->data == v.data && t->byte_offset == 0 && t->ndim == v.ndim, "ndim %d",
              (int)t->ndim);
        for (int j = 0; j < v.ndim; j++)
            CHECK(t->shape[j] == v.shape[j] && t->strides[j] == v.stride[j], "axis %d", j);
    }
    CHECK(versioned->version.major == 1 && versioned->flags == 0, "flags");
    CHECK_OK(ctx, hd_view_of_dlpack(ctx, old, &back));
    CHECK(same_view(&v, &back), "the old kind");
    CHECK_OK(ctx, hd_view_of_dlpack_versioned(ctx, versioned, &back));
    CHECK(same_view(&v, &back) && back.read_only == 0, "the versioned kind");
    hd_dlpack_release(old);
    CHECK(dropped == 1, "%d", dropped);
    hd_dlpack_versioned_release(versioned);
    CHECK(dropped == 2, "%d", dropped);
}

static void test_types(void)
{
    static const struct {
        hd_type type;
        int code, bits;
    } rows[] = {{HD_I8, 0, 8},   {HD_I16, 0, 16}, {HD_I32, 0, 32},  {HD_I64, 0, 64},
                {HD_U8, 1, 8},   {HD_U16, 1, 16}, {HD_U32, 1, 32},  {HD_U64, 1, 64},
                {HD_F16, 2, 16}, {HD_F32, 2, 32}, {HD_F64, 2, 64},  {HD_BF16, 4, 16},
                {HD_BOOL, 6, 8}, {HD_C64, 5, 64}, {HD_C128, 5, 128}};
    static int64_t room[128];
    const int64_t shape[] = {2, 3, 4}, stride[] = {-1, 8, 2};
    CHECK(sizeof rows / sizeof *rows == 15, "all types");
    for (size_t k = 0; k < 15; k++) {
        test_round(hd_view_of(rows[k].type, room, 64), rows[k].code, rows[k].bits, kDLCPU);
        const hd_view v = hd_view_nd(rows[k].type, (char *)room + 8 * hd_type_size(rows[k].type), 3,
                                     shape, stride);
        test_round(v, rows[k].code, rows[k].bits, kDLCPU);
    }
    test_round(hd_view_of(HD_F32, NULL, 0), 2, 32, kDLCPU);
}

// ---- In, by hand --------------------------------------------------------------------------------

static void test_in(void)
{
    float x[12];
    int64_t shape[] = {2, 3}, strides[] = {6, 2};
    hd_view v;
    float sum = 0;
    for (int k = 0; k < 12; k++) x[k] = (float)k;
    DLManagedTensor t = {.dl_tensor = {.data = x,
                                       .device = {kDLCPU, 7}, // the host has one
                                       .ndim = 2,
                                       .dtype = {kDLFloat, 32, 1},
                                       .shape = shape,
                                       .strides = strides,
                                       .byte_offset = 4}};
    CHECK_OK(ctx, hd_view_of_dlpack(ctx, &t, &v));
    CHECK_OK(ctx, hd_reduce(ctx, v, HD_SUM, HD_VIEW(&sum, 1), NULL));
    CHECK(sum == 1 + 3 + 5 + 7 + 9 + 11, "%g", sum);
    t.dl_tensor.strides = NULL; // by rows
    CHECK_OK(ctx, hd_view_of_dlpack(ctx, &t, &v));
    CHECK_OK(ctx, hd_reduce(ctx, v, HD_SUM, HD_VIEW(&sum, 1), NULL));
    CHECK(sum == 1 + 2 + 3 + 4 + 5 + 6, "%g", sum);
    t.dl_tensor.ndim = 0, t.dl_tensor.shape = NULL;
    CHECK_OK(ctx, hd_view_of_dlpack(ctx, &t, &v));
    CHECK(v.ndim == 1 && v.shape[0] == 1 && *(float *)v.data == 1, "no axes");
    t.dl_tensor.device.device_type = kDLCUDAHost;
    CHECK_OK(ctx, hd_view_of_dlpack(ctx, &t, &v));
    hd_dlpack_release(&t); // no deleter
    hd_dlpack_release(NULL);
    hd_dlpack_versioned_release(NULL);
}

static void test_read_only(void)
{
    int32_t x[3] = {1, 2, 3};
    DLManagedTensorVersioned *t = NULL;
    hd_view v;
    const hd_view constant = hd_read_only(HD_VIEW(x, 3));
    DLManagedTensor *old;
    SAYS(hd_dlpack_of_view(ctx, constant, NULL, NULL, &old), HD_ERROR_ARGUMENT, "read-only");
    CHECK_OK(ctx, hd_dlpack_versioned_of_view(ctx, constant, NULL, NULL, &t));
    CHECK(t->flags == DLPACK_FLAG_READ_ONLY, "flags");
    CHECK_OK(ctx, hd_view_of_dlpack_versioned(ctx, t, &v));
    CHECK(v.read_only == 1, "the flag");
    SAYS(hd_scan(ctx, v, HD_SUM, v, NULL), HD_ERROR_ARGUMENT, "read-only");
    t->version.major = 2;
    SAYS(hd_view_of_dlpack_versioned(ctx, t, &v), HD_ERROR_ARGUMENT,
         "DLPack 2.0; expected version 1");
    hd_dlpack_versioned_release(t);
}

// ---- What does not fit --------------------------------------------------------------------------

static void test_refused(void)
{
    double x[8] = {0};
    int64_t shape[] = {2, 1, 1, 1, 1, 1, 1, 1, 1}, negative[] = {-1};
    hd_view v = HD_EMPTY;
    const DLManagedTensor good = {.dl_tensor = {.data = x,
                                                .device = {kDLCPU, 0},
                                                .ndim = 1,
                                                .dtype = {kDLFloat, 64, 1},
                                                .shape = shape}};
    DLManagedTensor t = good;
    t.dl_tensor.dtype = (DLDataType){kDLComplex, 32, 1};
    SAYS(hd_view_of_dlpack(ctx, &t, &v), HD_ERROR_TYPE, "type complex of 32 bits with 1 lanes");
    t.dl_tensor.dtype = (DLDataType){kDLFloat, 32, 4};
    SAYS(hd_view_of_dlpack(ctx, &t, &v), HD_ERROR_TYPE, "type float of 32 bits with 4 lanes");
    t.dl_tensor.dtype = (DLDataType){kDLInt, 4, 1};
    SAYS(hd_view_of_dlpack(ctx, &t, &v), HD_ERROR_TYPE, "type int of 4 bits");
    t.dl_tensor.dtype = (DLDataType){10, 8, 1};
    SAYS(hd_view_of_dlpack(ctx, &t, &v), HD_ERROR_TYPE, "type code 10, 8 bits");
    t = good, t.dl_tensor.ndim = 9;
    SAYS(hd_view_of_dlpack(ctx, &t, &v), HD_ERROR_SHAPE, "9 dimensions; expected 0 to 8");
    t = good, t.dl_tensor.shape = NULL;
    SAYS(hd_view_of_dlpack(ctx, &t, &v), HD_ERROR_SHAPE, "without a shape");
    t = good, t.dl_tensor.shape = negative;
    SAYS(hd_view_of_dlpack(ctx, &t, &v), HD_ERROR_SHAPE, "a length is negative");
    t = good, t.dl_tensor.data = NULL;
    SAYS(hd_view_of_dlpack(ctx, &t, &v), HD_ERROR_ARGUMENT, "2 elements at a null pointer");
    t = good, t.dl_tensor.byte_offset = 4;
    SAYS(hd_view_of_dlpack(ctx, &t, &v), HD_ERROR_ARGUMENT, "which is no multiple of their size");
    t = good, t.dl_tensor.device.device_type = kDLCUDA;
    SAYS(hd_view_of_dlpack(ctx, &t, &v), HD_ERROR_ARGUMENT,
         "device type 2; the context's backend cpu takes those of the host (1, 3)");
    SAYS(hd_view_of_dlpack(ctx, NULL, &v), HD_ERROR_ARGUMENT, "tensor is NULL");
    SAYS(hd_view_of_dlpack(ctx, &good, NULL), HD_ERROR_ARGUMENT, "view is NULL");
    CHECK(v.data == NULL, "nothing was written");
    DLManagedTensor *out = NULL;
    SAYS(hd_dlpack_of_view(ctx, hd_iota(3), NULL, NULL, &out), HD_ERROR_TYPE, "an implicit view");
    SAYS(hd_dlpack_of_view(ctx, hd_view_of(HD_STRUCTURE | 12u << 8, x, 1), NULL, NULL, &out),
         HD_ERROR_TYPE, "DLPack has no type for elements of type structure of 12 bytes");
    SAYS(hd_dlpack_of_view(ctx, hd_view_of(HD_F64, NULL, 3), NULL, NULL, &out), HD_ERROR_SHAPE,
         "no elements");
    SAYS(hd_dlpack_of_view(ctx, HD_VIEW(x, 3), NULL, NULL, NULL), HD_ERROR_ARGUMENT,
         "tensor is NULL");
    CHECK(out == NULL, "nothing was made");
}

// ---- A device -----------------------------------------------------------------------------------

static void test_device(void)
{
    const char *why;
    const int64_t n = 100;
    hd_view v, back;
    int64_t sum = 0;
    DLManagedTensor *t = NULL;
    if (!hd_backend_available(HD_MODEL, &why)) return;
    hd_context *host = ctx;
    ctx = check_open(HD_MODEL, 1, NULL);
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_I64, 1, &n, &v));
    CHECK_OK(ctx, hd_map(ctx, hd_iota(n), NULL, v, NULL));
    test_round(v, kDLInt, 64, kDLExtDev);
    CHECK_OK(ctx, hd_dlpack_of_view(ctx, v, NULL, NULL, &t));
    CHECK_OK(ctx, hd_view_of_dlpack(ctx, t, &back));
    CHECK_OK(ctx, hd_reduce(ctx, back, HD_SUM, HD_VIEW(&sum, 1), NULL));
    CHECK(sum == 4950, "%lld", (long long)sum);
    t->dl_tensor.device.device_id = 1;
    SAYS(hd_view_of_dlpack(ctx, t, &back), HD_ERROR_ARGUMENT,
         "a tensor on device 1; the context's is 0");
    t->dl_tensor.device = (DLDevice){kDLCUDA, 0};
    SAYS(hd_view_of_dlpack(ctx, t, &back), HD_ERROR_ARGUMENT,
         "backend model takes those of the host and kDLExtDev (12)");
    hd_dlpack_release(t);
    CHECK_OK(ctx, hd_free(ctx, &v));
    hd_close(ctx);
    ctx = host;
}

int main(void)
{
    ctx = check_open(HD_CPU, 1, NULL);
    test_types();
    test_in();
    test_read_only();
    test_refused();
    test_device();
    hd_close(ctx);
    return check_finish();
}
